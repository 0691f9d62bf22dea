//! Tests of many cases: a failure ends with the command that plays the failing one again.

use std::fmt::Display;
use std::path::Path;

use crate::watchdog::watch;

/// Runs a test for each case, or for the one alone that the variable `RISK_CASE` names. Says
/// whether all were run: what is counted over all of them holds only then.
///
/// # Panics
/// As the test does, and the last line of what is told is the command that runs this case alone;
/// and when there is no such case.
pub fn each<T: Display>(cases: impl IntoIterator<Item = T>, mut test: impl FnMut(&T)) -> bool {
    watch();
    let chosen = std::env::var("RISK_CASE").ok();
    let mut found = false;
    for case in cases {
        let name = case.to_string();
        if chosen.as_ref().is_none_or(|chosen| *chosen == name) {
            found = true;
            let _again = Again(name);
            test(&case);
        }
    }
    assert!(found, "there is no case {}", chosen.unwrap_or_default());
    chosen.is_none()
}

/// How many of so many random cases are run: one in five at each change, and all of them where the
/// variable `RISK_EVERY_CASE` is set, as `.ci/nightly` does.
pub fn share(all: u64) -> u64 {
    if runs_every_case() { all } else { all / 5 }
}

/// Is everything to be run, what takes minutes as well?
pub fn runs_every_case() -> bool {
    std::env::var_os("RISK_EVERY_CASE").is_some()
}

/// Files as cases: what is in a folder, by the path from the root of the project, in order.
pub fn files(folder: &str) -> Vec<String> {
    let mut paths: Vec<String> = std::fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| {
            let name = entry.unwrap().file_name();
            format!("{folder}/{}", name.to_string_lossy())
        })
        .collect();
    paths.sort();
    paths
}

/// The root of the project, from which the paths of [`files`] lead.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Tells on a panic how to see it again.
struct Again(String);

impl Drop for Again {
    #[allow(clippy::print_stderr, reason = "the harness shows it with the failure")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("\n{}", command(&self.0));
        }
    }
}

/// The command that runs this case of the present test alone.
fn command(case: &str) -> String {
    let current = std::thread::current();
    // Tests that run one after the other have no thread of their own, and so no name here.
    let test = current.name().filter(|name| *name != "main");
    let test = test.unwrap_or("THE_TEST");
    let every = if runs_every_case() {
        "RISK_EVERY_CASE=1 "
    } else {
        ""
    };
    // Cargo says of which package the tests are that it runs.
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    format!("again: {every}RISK_CASE='{case}' cargo test -p {package} --test it -- --exact {test}")
}

#[test]
fn a_failure_tells_how_to_see_it_again() {
    let told = command("fuzz/seeds/maps/a b");
    assert!(
        told.ends_with(
            "RISK_CASE='fuzz/seeds/maps/a b' cargo test -p risk-testing --test it -- --exact \
             by_case::a_failure_tells_how_to_see_it_again"
        ),
        "{told}"
    );
}
