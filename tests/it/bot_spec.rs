//! Bot specifications: settings in any order, quotes, and messages about mistakes.

use crate::support::run_in;

#[test]
fn a_script_with_a_comma_in_its_name_plays() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("a,b.rhai"),
        "fn answer(view, ask) { ask.random() }\n",
    )
    .unwrap();
    let spec = "\"./a,b.rhai\"";
    let args = [
        "play",
        "--quiet",
        "--seed",
        "1",
        "--option",
        "max_turns=2",
        "--bot",
        spec,
        "--bot",
        "odds",
        "-p",
        "3",
    ];
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("a,b"), "{}", ran.out);
}

/// Runs `tournament plan` on a file with these bots.
fn planned(bots: &str) -> crate::support::RunOutput {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("ruleset: warzone\nblocks: 6\nseats: 2\nbots:\n{bots}");
    std::fs::write(folder.path().join("t.yaml"), text).unwrap();
    run_in(folder.path(), &["tournament", "plan", "t.yaml"])
}

#[test]
fn bots_in_files_are_texts_or_their_keys() {
    let ran = planned(
        "- random\n- { bot: general:easy, name: ann }\n\
         - bot: greedy\n  name: \"Smith, \\\"Bob\\\"\"\n\
         - { name: 7, bot: marshal, set.sure: 50 }\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("random, ann, Smith, \"Bob\", 7"),
        "{}",
        ran.out
    );
    // A bot is a text or a mapping, whose values are no mappings.
    let syntax = "tournament::syntax";
    for (bot, code, name) in [
        ("{ name: ann }", syntax, "--bot"),
        ("[greedy]", syntax, "--bot"),
        ("{ bot: greedy, set: { a: 1 } }", syntax, "--bot"),
        ("{ bot: greedy, nmae: ann }", "bot::spec", "`nmae`"),
        ("{ bot: greedy, name: '' }", "bot::spec", "`name`"),
        (
            "{ bot: greedy, 'name=x,bot': ann }",
            "bot::spec",
            "`name=x,bot`",
        ),
    ] {
        let ran = planned(&format!("- random\n- {bot}\n"));
        ran.refuses(2, code);
        assert_eq!(ran.places(), ["t.yaml:6:3"], "{bot}");
        assert!(ran.err.contains(name), "{bot}: {}", ran.err);
    }
}
