//! Mistakes of users, and the exact messages of the program. Each snapshot has the input, the
//! message and the exit code, to be read as a user would.

mod arguments;
mod bots;
mod maps;
mod play;
mod rulesets;

use std::fmt::Write as _;

use crate::support::run_in;

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

/// Returns a ruleset that extends hasbro, with these keys and functions.
fn ruleset(keys: &str, functions: &str) -> String {
    format!(
        "fn ruleset() {{ #{{\n    extends: \"hasbro\",\n    name: \"mine\",\n{keys}}} }}\n\n{functions}\n"
    )
}
