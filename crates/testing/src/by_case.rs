//! Tests of many cases. A failure ends with the command that reruns the failing case.

use std::fmt::Display;
use std::path::Path;

use crate::watchdog::watch;

/// Runs a test for each case, or only for the one that the variable `RISK_CASE` names. Returns
/// whether all cases ran: counts over all of them hold only then.
///
/// # Panics
/// Panics if the test does, and then prints the command that runs the failing case alone. Panics if
/// there is no case of that name.
pub fn each<T: Display>(cases: impl IntoIterator<Item = T>, mut test: impl FnMut(&T)) -> bool {
    watch();
    let chosen = std::env::var("RISK_CASE").ok();
    let mut found = false;
    for case in cases {
        let name = case.to_string();
        if chosen.as_ref().is_none_or(|chosen| *chosen == name) {
            found = true;
            let _again = RerunHint(name);
            test(&case);
        }
    }
    assert!(found, "no case {}", chosen.unwrap_or_default());
    chosen.is_none()
}

/// Returns how many random cases to run: a fifth, or all with `RISK_EVERY_CASE` (`.ci/nightly`).
pub fn share(all: u64) -> u64 {
    if runs_every_case() { all } else { all / 5 }
}

/// Reports whether to run everything, including what takes minutes.
pub fn runs_every_case() -> bool {
    std::env::var_os("RISK_EVERY_CASE").is_some()
}

/// Returns the files of a folder as cases: sorted paths from the project's root.
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

/// Returns the project's root, to which the paths of [`files`] are relative.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A guard that prints the command for a rerun on a panic.
struct RerunHint(String);

impl Drop for RerunHint {
    #[allow(clippy::print_stderr, reason = "the harness shows it with the failure")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("\n{}", command(&self.0));
        }
    }
}

/// Returns the command that runs one case of the current test alone.
fn command(case: &str) -> String {
    let current = std::thread::current();
    // With one test thread all tests run in the main thread, which does not have their names.
    let test = current.name().filter(|name| *name != "main");
    let test = test.unwrap_or("THE_TEST");
    let every = if runs_every_case() {
        "RISK_EVERY_CASE=1 "
    } else {
        ""
    };
    // Cargo sets the package whose tests it runs.
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
