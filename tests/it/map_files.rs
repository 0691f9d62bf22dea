//! Map files of other programs, of our own making: every kind of defect, in both forms and all encodings.

use std::path::{Path, PathBuf};

use crate::support::run_in;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/maps")
}

fn files() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Every finding with its place, its reason and what to do.
#[test]
fn each_file_is_judged() {
    let mut text = String::new();
    for name in files() {
        let ran = run_in(&folder(), &["map", "validate", &format!("./{name}")]);
        assert!([0, 1].contains(&ran.code), "{name}: {}", ran.err);
        text.push_str(&format!("### {name}\n{}{}\n", ran.err, ran.out));
    }
    insta::assert_snapshot!(text);
}
