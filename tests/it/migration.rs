//! The version of the API that a script declares; see docs/migration.md.

use crate::support::run_in;

/// A script's first line, the output of `check`, and its exit code.
const BOTS: [(&str, &str, i32); 5] = [
    ("", "bot.rhai: fine", 0),
    ("const API = 1;", "bot.rhai: fine", 0),
    (
        "const API = 2;",
        "the script is written for api 2, and this program has api 1",
        1,
    ),
    (
        "const API = 0;",
        "`api` is a whole number, and the newest is 1",
        1,
    ),
    (
        "const API = \"1\";",
        "`api` is a whole number, and the newest is 1",
        1,
    ),
];

const RULESETS: [(&str, &str, i32); 4] = [
    ("api: 1,", "rules.rhai: fine", 0),
    (
        "api: 7,",
        "the script is written for api 7, and this program has api 1",
        1,
    ),
    (
        "api: -1,",
        "`api` is a whole number, and the newest is 1",
        1,
    ),
    (
        "api: \"one\",",
        "`api` is a whole number, and the newest is 1",
        1,
    ),
];

fn check(file: &str, kind: &str, text: &str, (expected, code): (&str, i32)) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(file), text).unwrap();
    let path = format!("./{file}");
    let ran = run_in(folder.path(), &[kind, "check", &path, "--games", "0"]);
    let all = format!("{}{}", ran.out, ran.err);
    assert!(all.contains(expected), "{text}\n{all}");
    assert_eq!(ran.code, code, "{text}\n{all}");
}

#[test]
fn bots_say_the_api_that_they_are_written_for() {
    for (line, expected, code) in BOTS {
        let text = format!("{line}\nfn answer(view, ask) {{ ask.random() }}\n");
        check("bot.rhai", "bot", &text, (expected, code));
    }
}

#[test]
fn rulesets_say_the_api_that_they_are_written_for() {
    for (line, expected, code) in RULESETS {
        let text = format!(
            "fn ruleset() {{ #{{ {line} extends: \"codelab\", name: \"mine\", about: \"x\" }} }}\n"
        );
        check("rules.rhai", "ruleset", &text, (expected, code));
    }
}

#[test]
fn what_new_writes_says_it() {
    let folder = tempfile::tempdir().unwrap();
    for (args, file, line) in [
        (vec!["bot", "new", "a"], "a.rhai", "const API = 1;"),
        (vec!["ruleset", "new", "b"], "b.rhai", "    api: 1,"),
        (
            vec!["ruleset", "new", "c", "--extends", "hasbro"],
            "c.rhai",
            "    api: 1,",
        ),
    ] {
        assert_eq!(run_in(folder.path(), &args).code, 0, "{args:?}");
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(text.contains(line), "{text}");
    }
}
