//! The behaviour of Rhai on which the crate relies, see `rhai_guard::internals`.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod brackets;
mod expressions;
mod failures;
mod faults;
mod grammar;
mod judge;
mod operands;
mod programs;
mod running;
mod stack;
mod statements;
mod syntax;
mod templates;
mod twins;

/// Each row of the page names its test, and each test is in a row.
#[test]
fn the_page_names_every_test() {
    let page = include_str!("../../src/internals.rs");
    let named: std::collections::BTreeSet<&str> = page
        .lines()
        .filter_map(|line| {
            line.strip_prefix("//! | ")?
                .rsplit_once("| `")?
                .1
                .split('`')
                .next()
        })
        .collect();
    let files = [include_str!("running.rs"), include_str!("syntax.rs")];
    let tests = files
        .iter()
        .flat_map(|file| file.split("#[test]\nfn ").skip(1));
    let tests = tests.map(|test| test.split('(').next().unwrap()).collect();
    assert_eq!(named, tests);
    let manifest = include_str!("../../../../Cargo.toml");
    let version = manifest.split("\nrhai = { version = \"=").nth(1).unwrap();
    let version = version.split('"').next().unwrap();
    assert!(page.contains(&format!("`rhai` {version}")), "{version}");
}
