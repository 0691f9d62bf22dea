//! The gallery: every message of the program for a mistake, with the input and the exit code, to be
//! read as a user would. Other tests assert codes and places ([`Ran::codes`]), not wordings.
//!
//! [`Ran::codes`]: crate::support::Ran::codes

mod arguments;
mod bots;
mod checks;
mod files;
mod maps;
mod play;
mod playing;
mod rulesets;
mod scripts;
mod serving;
mod tournaments;
mod wire;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::support::{is_code, run_in, run_typed};
use crate::tidy::{all_sources, root};

/// Codes that no command shows which ends on its own, and why.
const ELSEWHERE: &[(&str, &str)] = &[];

pub(crate) struct Row<'a> {
    pub(crate) name: &'a str,
    pub(crate) files: Vec<(&'a str, String)>,
    pub(crate) args: &'a [&'a str],
}

pub(crate) fn check(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for row in rows {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in &row.files {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let ran = run_in(folder.path(), row.args);
        assert_ne!(ran.code, 101, "{}: {}", row.name, ran.err);
        assert!(
            ran.code != 0 || ran.err.is_empty() || ran.err.contains("⚠"),
            "{}",
            row.name
        );
        writeln!(
            text,
            "### {}\n$ risk-cli {}\n{}{}exit code {}\n",
            row.name,
            row.args.join(" "),
            ran.err,
            ran.out,
            ran.code
        )
        .unwrap();
    }
    text
}

/// A session with the program: files, and command lines of which the last one is shown.
#[derive(Default)]
pub(crate) struct Session<'a> {
    pub(crate) name: &'a str,
    pub(crate) files: &'a [(&'a str, &'a str)],
    /// Words separated by blanks, without the program's name; all but the last must succeed.
    pub(crate) commands: &'a [&'a str],
    /// The standard input of the last command.
    pub(crate) typed: &'a str,
}

/// Runs sessions and returns their last commands with messages, output and exit codes.
pub(crate) fn sessions(all: &[Session<'_>]) -> String {
    let mut text = String::new();
    for session in all {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        for (name, content) in session.files {
            std::fs::create_dir_all(path.join(name).parent().unwrap()).unwrap();
            std::fs::write(path.join(name), content).unwrap();
        }
        let (last, before) = session.commands.split_last().unwrap();
        for line in before {
            let ran = run_in(path, &line.split(' ').collect::<Vec<_>>());
            assert_eq!(ran.code, 0, "{}: {line}: {}", session.name, ran.err);
        }
        let ran = run_typed(path, &last.split(' ').collect::<Vec<_>>(), session.typed);
        assert_ne!(ran.code, 101, "{}: {}", session.name, ran.err);
        let shown = format!("{}{}", ran.err, ran.out).replace(path.to_str().unwrap(), "[folder]");
        writeln!(
            text,
            "### {}\n$ risk-cli {last}\n{shown}exit code {}\n",
            session.name, ran.code
        )
        .unwrap();
    }
    text
}

/// Returns a ruleset that extends hasbro, with these keys and functions.
fn ruleset(keys: &str, functions: &str) -> String {
    format!(
        "fn ruleset() {{ #{{\n    extends: \"hasbro\",\n    name: \"mine\",\n{keys}}} }}\n\n{functions}\n"
    )
}

/// Returns the codes in a text, such as `map::one-way-border`.
fn codes(text: &str) -> BTreeSet<&str> {
    let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == ':';
    let words = text.split(|c: char| !part(c));
    words.filter(|word| is_code(word)).collect()
}

/// Each code in the sources is in a snapshot of the gallery, or in `ELSEWHERE`.
#[test]
fn every_code_is_in_the_gallery() {
    let quoted = |text: &str| -> BTreeSet<String> {
        let parts = text.split('"').filter(|part| is_code(part));
        parts.map(str::to_owned).collect()
    };
    let sources = all_sources();
    let written: BTreeSet<String> = sources.iter().flat_map(|(_, text)| quoted(text)).collect();
    let snapshots = std::fs::read_dir(root().join("tests/it/gallery/snapshots")).unwrap();
    let snapshots: Vec<_> = snapshots
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let mut shown: BTreeSet<&str> = snapshots.iter().flat_map(|text| codes(text)).collect();
    shown.extend(ELSEWHERE.iter().map(|(code, _)| *code));
    let missing: Vec<_> = written
        .iter()
        .filter(|code| !shown.contains(code.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in the gallery: {missing:?}");
    let gone = |code: &str| !written.contains(code);
    let gone: Vec<_> = ELSEWHERE.iter().filter(|(code, _)| gone(code)).collect();
    assert!(gone.is_empty(), "in no source: {gone:?}");
}
