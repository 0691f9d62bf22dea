//! Checks of maps with flags, and maps that are not there.

use super::{Row, check};
use crate::support::TINY;

fn map(from: &str, to: &str) -> String {
    assert!(TINY.contains(from), "{from}");
    TINY.replacen(from, to, 1)
}

#[test]
fn flags_of_checks_of_maps() {
    insta::assert_snapshot!(check(&flags()));
}

fn flags() -> Vec<Row<'static>> {
    vec![
        Row {
            name: "warnings as errors",
            files: vec![("m.yaml", map("bonus: 2", "bonus: 0"))],
            args: &["map", "validate", "--strict", "m.yaml"],
        },
        Row {
            name: "a warning allowed",
            files: vec![("m.yaml", map("bonus: 2", "bonus: 0"))],
            args: &["map", "validate", "--allow", "zero-bonus", "m.yaml"],
        },
        Row {
            name: "a lint misspelled",
            files: vec![],
            args: &["map", "validate", "--allow", "zero-bonsu", "world"],
        },
        Row {
            name: "a lint that can't be allowed",
            files: vec![],
            args: &["map", "validate", "--allow", "syntax", "world"],
        },
        Row {
            name: "no such file",
            files: vec![],
            args: &["map", "validate", "./none.yaml"],
        },
        Row {
            name: "a map misspelled",
            files: vec![],
            args: &["map", "show", "wordl"],
        },
    ]
}
