//! Chances that a ruleset tells of its fights, and what a check makes of them.

use risk_engine::Worker;
use risk_kernel::NullSink;
use risk_lab::check::{self, Report};
use risk_testing::games::{TINY, library, setup};
use risk_testing::scripts::{LOSES, TOSSES, fighting_ruleset};

/// Makes a folder with a ruleset and a small map.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("r.rhai", text);
    write("tiny.yaml", TINY);
    folder
}

/// Checks the ruleset with this text in two games.
fn checked(text: &str) -> Report {
    let folder = folder(text);
    let path = folder.path().join("r.rhai").display().to_string();
    check::ruleset(library(), &path, Some(2), &mut |_, _| {})
}

/// `general`, `odds` and `holder` count armies there: they attack no more than with a ruleset
/// without tables.
#[test]
fn built_in_bots_count_where_there_are_no_chances() {
    let without = "fn attack_dice(armies) { 0 }";
    for bot in ["odds", "holder", "general"] {
        let played = |text: &str| {
            let folder = folder(text);
            let path = |name: &str| folder.path().join(name).display().to_string();
            let (rules, map) = (path("r.rhai"), path("tiny.yaml"));
            let options = [("max_turns", "30")];
            let setup = setup(&rules, Some(&map), &[bot, "random"], 3, &options);
            let mut worker = Worker::new(&setup).unwrap();
            let games = (0..5).map(|number| {
                let finished = worker.play(number, &mut NullSink);
                let outcome = format!("{:?}", finished.outcome.unwrap());
                (finished.game.digest(), finished.game.answers(), outcome)
            });
            games.collect::<Vec<_>>()
        };
        let own = played(&fighting_ruleset("script()", LOSES));
        let zero = played(&fighting_ruleset(
            "script()",
            &format!("{LOSES}\n{without}"),
        ));
        let lied = played(&fighting_ruleset("script().fights(\"dice\")", LOSES));
        assert_eq!(own, zero, "{bot}: the tables change nothing");
        assert_ne!(own, lied, "{bot}: what is told changes something");
    }
}

#[test]
fn a_check_compares_what_is_told_with_the_fights() {
    let half = "fn chance(view, from, to) { 1.0 - 0.5 ** (view.armies(from) - 1) }";
    let rows = [
        ("script()", LOSES, "", None),
        (
            "script().fights(\"dice\")",
            LOSES,
            "",
            Some("ruleset::chances"),
        ),
        ("script()", LOSES, "fn chance(view, from, to) { 0 }", None),
        (
            "script()",
            LOSES,
            "fn chance(view, from, to) { 0.9 }",
            Some("ruleset::chances"),
        ),
        ("script()", TOSSES, half, None),
        (
            "script()",
            TOSSES,
            "fn chance(view, from, to) { 0.5 }",
            Some("ruleset::chances"),
        ),
        (
            "script()",
            LOSES,
            "fn chance(view, from, to) { 1.1 }",
            Some("ruleset::chance"),
        ),
        (
            "script()",
            LOSES,
            "fn chance(view, from, to) { \"much\" }",
            Some("ruleset::chance"),
        ),
        (
            "script()",
            LOSES,
            "fn chance(view, from, to) { view.random(2) }",
            Some("ruleset::chance"),
        ),
        (
            "script()",
            LOSES,
            "fn chance(view, from, to) { loop {} }",
            Some("ruleset::chance"),
        ),
        (
            "script().fights(\"cards\")",
            LOSES,
            "",
            Some("script::failed"),
        ),
        (
            "standard(\"attack\").fights(\"dice\")",
            "",
            "",
            Some("script::failed"),
        ),
        (
            "script().fights(\"percent\")",
            LOSES,
            "",
            Some("ruleset::fights"),
        ),
    ];
    for (phase, fight, chance, code) in rows {
        let check = checked(&fighting_ruleset(phase, &format!("{fight}\n{chance}")));
        let row = format!("{phase} {chance}: {:?}", check.findings);
        match code {
            None => assert!(!check.fails(), "{row}"),
            Some(code) => {
                assert!(check.fails(), "{row}");
                assert!(check.findings.iter().any(|it| it.code == code), "{row}");
            }
        }
    }
}

/// The check reports a hook that no attack of random games calls.
#[test]
fn a_check_says_where_nothing_is_compared() {
    let chance = "fn chance(view, from, to) { chance(view, from, to) }";
    let text = fighting_ruleset("script()", chance);
    let options = text.find("    for from in").unwrap()..text.find("    out.offer(DONE)").unwrap();
    let mut text = text.clone();
    text.replace_range(options, "");
    let text = text.replace("fight(g, me, said);", "");
    let check = checked(&text);
    assert!(!check.fails(), "{:?}", check.findings);
    let mut codes = check.findings.iter().map(|finding| &*finding.code);
    assert!(codes.any(|code| code == "ruleset::chances"));
}
