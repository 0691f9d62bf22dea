//! The version of the API that a script declares; see docs/migration.md.

use crate::records::message;
use crate::support::{run, run_in};
use risk_testing::facts::has_words;

/// A script's first line; and the number that the error of `check` names, if there is one.
const BOTS: [(&str, Option<&str>); 5] = [
    ("", None),
    ("const API = 1;", None),
    ("const API = 2;", Some("2")),
    ("const API = 0;", Some("1")),
    ("const API = \"1\";", Some("1")),
];

const RULESETS: [(&str, Option<&str>); 4] = [
    ("api: 1,", None),
    ("api: 7,", Some("7")),
    ("api: -1,", Some("1")),
    ("api: \"one\",", Some("1")),
];

fn check(file: &str, kind: &str, text: &str, (place, named): (&str, Option<&str>)) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(file), text).unwrap();
    let path = format!("./{file}");
    let ran = run_in(folder.path(), &[kind, "check", &path, "--games", "0"]);
    let Some(number) = named else {
        assert_eq!((ran.code, ran.codes()), (0, vec![]), "{text}\n{}", ran.err);
        assert!(ran.out.contains(file), "{text}\n{}", ran.out);
        return;
    };
    ran.refuses(1, "script::api");
    assert_eq!(ran.places(), [format!("{path}:{place}")], "{text}");
    assert!(has_words(&message(&ran.err), number), "{text}\n{}", ran.err);
}

#[test]
fn the_program_has_the_version_that_files_name() {
    let shown = format!("risk-cli {}", risk_engine::VERSION);
    assert_eq!(run(&["--version"]).out.trim(), shown);
}

#[test]
fn bots_say_the_api_that_they_are_written_for() {
    for (line, named) in BOTS {
        let text = format!("{line}\nfn answer(view, ask) {{ ask.random() }}\n");
        check("bot.rhai", "bot", &text, ("1:1", named));
    }
}

#[test]
fn rulesets_say_the_api_that_they_are_written_for() {
    for (line, named) in RULESETS {
        let text = format!(
            "fn ruleset() {{ #{{ {line} extends: \"codelab\", name: \"mine\", about: \"x\" }} }}\n"
        );
        check("rules.rhai", "ruleset", &text, ("1:19", named));
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
