//! `bot test` and `ruleset test`: expectations, and the messages when they fail.

use crate::support::{run_in, words};

const POSITION: &str = include_str!("../../docs/examples/puzzle.yaml");

#[test]
fn the_tests_of_the_guides_bots_pass() {
    let folder = std::path::Path::new("docs/examples");
    for line in [
        "bot test lookahead.tests.yaml",
        "ruleset test rules.tests.yaml",
    ] {
        let ran = run_in(folder, &words(line));
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert!(
            ran.out.matches('✓').count() == 2 && !ran.out.contains('✗'),
            "{}",
            ran.out
        );
    }
}

/// A test, the exit code, and facts in the output: the mark of the test, values of the game and of
/// the test, or the code and the place of the error.
const BOTS: [(&str, i32, &[&str]); 10] = [
    ("says: attack alaska northwest-territory 3", 0, &["✓"]),
    (
        "says: [done, attack alaska northwest-territory 3]",
        0,
        &["✓"],
    ),
    (
        "says: done",
        1,
        &["✗", "attack alaska northwest-territory 3", "done"],
    ),
    (
        "not: attack alaska northwest-territory 3",
        1,
        &["✗", "attack alaska northwest-territory 3", "`not`"],
    ),
    (
        "says: atack alaska kamchatka 3",
        2,
        &["test::failed", "t.yaml:3:11", "`atack`"],
    ),
    ("seed: 3", 2, &["test::empty", "t.yaml:3:11"]),
    ("sais: done", 2, &["test::syntax", "t.yaml:5:5", "`sais`"]),
    ("says: &a done", 2, &["test::syntax", "t.yaml:5:14", "`&`"]),
    ("says: *a", 2, &["test::syntax", "t.yaml:5:11", "`*`"]),
    (
        "says: done\n    says: done",
        2,
        &["test::syntax", "t.yaml:6:5", "`says`"],
    ),
];

const RULES: [(&str, i32, &[&str]); 8] = [
    ("can: done", 0, &["✓", "red in attack"]),
    (
        "can: attack kamchatka japan 1",
        1,
        &["✗", "`attack kamchatka japan 1`"],
    ),
    ("cannot: done", 1, &["✗", "`done`"]),
    ("say: [attack alaska ontario 3]", 1, &["✗", "ontario"]),
    ("asks: blue", 1, &["✗", "red, expected blue"]),
    (
        "armies: { alaska: 3 }",
        1,
        &["✗", "alaska", "12", "expected 3"],
    ),
    (
        "counters: { red: { reserve: 1 } }",
        1,
        &["✗", "reserve of red", "0, expected 1"],
    ),
    ("winners: [red]", 1, &["✗", "[], expected [red]"]),
];

#[test]
fn what_is_not_as_expected_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("puzzle.yaml"), POSITION).unwrap();
    let all = BOTS.map(|case| ("bot", "bot: odds\n", case));
    let rules = RULES.map(|case| ("ruleset", "", case));
    for (kind, head, (case, code, facts)) in all.into_iter().chain(rules) {
        let text = format!("{head}tests:\n  - name: it\n    from: ./puzzle.yaml\n    {case}\n");
        std::fs::write(folder.join("t.yaml"), text).unwrap();
        let ran = run_in(folder, &words(&format!("{kind} test t.yaml")));
        let told = format!("{}{}", ran.out, ran.err);
        let told = told
            .replace('│', "")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert_eq!(ran.code, code, "{case}: {told}");
        for fact in facts {
            assert!(told.contains(fact), "{case}: {fact}: {told}");
        }
    }
    // Output for programs has the place of the test.
    let text = "bot: odds\ntests:\n  - name: it\n    from: ./puzzle.yaml\n    says: done\n";
    std::fs::write(folder.join("t.yaml"), text).unwrap();
    let ran = run_in(folder, &words("bot test t.yaml --format github"));
    assert!(
        ran.out.starts_with("::error file=t.yaml,line=3,"),
        "{}",
        ran.out
    );
    let ran = run_in(folder, &words("bot test t.yaml --format json"));
    let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &value["failed"]), (1, &serde_json::json!(1)));
    let ran = run_in(folder, &words("bot test t.yaml --only nothing"));
    ran.refuses(2, "test::count");
}

/// A file of tests may come from others and name any file: the error about a file that is neither a
/// position nor a record must not quote it.
#[test]
fn files_that_tests_name_are_not_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let others = [
        "root:x:0:0:secret\nother:x:1:1:secret\n",
        "secret: [1, 2\n",
        "secret: 1\nother: secret\n",
        "{\"secret\": {\"position\": 1}}\n",
        "a:\n  position: static\nb: *secret\n",
        "- secret\n",
        "secret\n",
    ];
    for (index, other) in others.iter().enumerate() {
        std::fs::write(folder.join("other"), other).unwrap();
        let bot = ("bot", "bot: odds\n", "says");
        for (kind, head, key) in [bot, ("ruleset", "", "can")] {
            for from in ["./other", "./other@1"] {
                let text =
                    format!("{head}tests:\n  - name: it\n    from: {from}\n    {key}: done\n");
                std::fs::write(folder.join("t.yaml"), text).unwrap();
                let ran = run_in(folder, &words(&format!("{kind} test t.yaml")));
                let said = format!("{}{}", ran.out, ran.err);
                assert_eq!(ran.code, 2, "case {index}: {said}");
                assert!(!said.contains("secret"), "case {index}: {said}");
                let [code] = ran.codes()[..] else {
                    panic!("case {index}: {said}")
                };
                let of_file = ["position::", "record::", "load::"];
                let is_of_file = of_file.iter().any(|area| code.starts_with(area));
                assert!(is_of_file && said.contains("other"), "case {index}: {said}");
            }
        }
    }
}
