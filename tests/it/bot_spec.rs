//! Bot specifications: settings in any order, quotes, and messages about mistakes.

use crate::support::library;
use risk_engine::load::bot_spec::BotSpec;

use crate::support::run_in;

#[test]
fn specifications_are_read() {
    for (spec, name, bot) in [
        ("greedy", "greedy", "greedy"),
        ("bot=greedy", "greedy", "greedy"),
        ("greedy,name=alice", "alice", "greedy"),
        ("name=alice,bot=greedy", "alice", "greedy"),
        ("name=\"Smith, Ann\",bot=greedy", "Smith, Ann", "greedy"),
        (
            "bot=\"greedy\",name=\"the \"\"best\"\"\"",
            "the \"best\"",
            "greedy",
        ),
        (
            "http://127.0.0.1:4444",
            "127.0.0.1:4444",
            "http://127.0.0.1:4444",
        ),
        (
            "http://127.0.0.1:4444/bots/a/,timeout=5",
            "127.0.0.1:4444/bots/a",
            "http://127.0.0.1:4444/bots/a,timeout=5",
        ),
        (
            "timeout=5,bot=http://127.0.0.1:1,name=x",
            "x",
            "http://127.0.0.1:1,timeout=5",
        ),
        (
            "\"http://127.0.0.1:1\",protocol=callback",
            "127.0.0.1:1",
            "http://127.0.0.1:1,protocol=callback",
        ),
    ] {
        let read =
            BotSpec::parse(library(), spec).unwrap_or_else(|failure| panic!("{spec}: {failure:?}"));
        assert_eq!(
            (read.name.as_str(), read.bot.as_str()),
            (name, bot),
            "{spec}"
        );
        // The stored specification parses to itself.
        assert_eq!(
            BotSpec::parse(library(), &read.bot).unwrap().bot,
            bot,
            "{spec}"
        );
    }
}

#[test]
fn mistakes_in_specifications_are_told() {
    for (spec, text) in [
        ("", "`bot` has no value"),
        ("name=alice", "`name=alice` names no bot"),
        ("name=,bot=greedy", "`name` has no value"),
        ("name=a,name=b,bot=greedy", "`name` is given twice"),
        ("greedy,bot=odds", "`bot` is given twice"),
        (
            "greedy,fast",
            "`fast` is not a setting: write it as KEY=VALUE",
        ),
        ("greedy,", "nothing follows the last comma"),
        ("ws://127.0.0.1:1/bot", "reached by http: or cmd: here"),
        ("greedy,nme=a", "`nme` is not a setting of greedy"),
        (
            "greedy,encoding=raw",
            "`encoding` is a setting of bots over HTTP",
        ),
        ("name=\"a,bot=greedy", "a quote is not closed"),
        (
            "name=\"a\"b,bot=greedy",
            "a comma must follow the closing quote",
        ),
        (
            "http://127.0.0.1:1,dialect=snow",
            "bots that speak hacker-risk have no setting `dialect`",
        ),
        (
            "http://127.0.0.1:1,timeout=601",
            "a timeout is 1 to 600 seconds",
        ),
    ] {
        let failure = BotSpec::parse(library(), spec).expect_err(spec);
        let told = format!("{failure:?}");
        assert!(told.contains(text), "{spec}: {told}");
    }
    let failure = BotSpec::parse(library(), &format!("name={},bot=greedy", "a".repeat(5_000)))
        .expect_err("it is long");
    assert!(
        format!("{failure:?}").contains("at most 4096 bytes"),
        "{failure:?}"
    );
}

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
fn planned(bots: &str) -> crate::support::Ran {
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
    for (bots, told) in [
        ("- random\n- { name: ann }\n", "here must be a bot"),
        ("- random\n- [greedy]\n", "here must be a bot"),
        (
            "- random\n- { bot: greedy, set: { a: 1 } }\n",
            "here must be a bot",
        ),
        ("- random\n- { bot: greedy, nmae: ann }\n", "`nmae`"),
        (
            "- random\n- { bot: greedy, name: '' }\n",
            "`name` has no value",
        ),
        (
            "- random\n- { bot: greedy, 'name=x,bot': ann }\n",
            "`name=x,bot` is not a setting",
        ),
    ] {
        let ran = planned(bots);
        assert_eq!(ran.code, 2, "{bots}: {}", ran.out);
        assert!(
            ran.err.contains(told) && ran.err.contains("t.yaml:6"),
            "{bots}: {}",
            ran.err
        );
    }
}
