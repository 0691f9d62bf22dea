//! Helpers of several tests: the real program, and games in this process.

use std::path::Path;
use std::sync::LazyLock;

use risk_engine::{Library, Setup};
use risk_testing::games;
use risk_testing::watchdog::watch;

pub(crate) use risk_testing::games::{TINY, board, tiny, without_sum, words};

/// The library of the program, with the schemes of remote bots.
pub(crate) fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> =
        LazyLock::new(|| risk_cli::library().with_schemes(risk_wire::SCHEMES));
    &LIBRARY
}

/// Builds a match from words of the command line.
pub(crate) fn setup(
    ruleset: &str,
    map: Option<&str>,
    bots: &[&str],
    seed: u64,
    options: &[(&str, &str)],
) -> Setup {
    games::setup_from(library(), ruleset, map, bots, seed, options)
}

/// Output and exit code of the program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RunOutput {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl RunOutput {
    /// Returns the codes of the findings on standard error, in order.
    pub(crate) fn codes(&self) -> Vec<&str> {
        let lines = self.err.lines();
        lines.filter(|line| is_code(line)).collect()
    }

    /// Returns the places of the findings on standard error, as `file:line:column`, in order.
    pub(crate) fn places(&self) -> Vec<&str> {
        let heads = self.err.lines().filter_map(|line| line.split_once("╭─["));
        heads
            .filter_map(|(_, place)| place.strip_suffix(']'))
            .collect()
    }

    /// Checks that the program refused with this exit code, and with one finding of this code.
    #[track_caller]
    pub(crate) fn refuses(&self, exit: i32, code: &str) {
        let found = (self.code, self.codes());
        assert_eq!(found, (exit, vec![code]), "{}{}", self.out, self.err);
    }
}

/// Whether a line is a finding's code, such as `map::one-way-border`.
pub(crate) fn is_code(line: &str) -> bool {
    let is_word = |word: &str| {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        !word.is_empty() && word.chars().all(kebab)
    };
    line.split_once("::")
        .is_some_and(|(area, kind)| is_word(area) && is_word(kind))
}

pub(crate) fn run_in(folder: &Path, args: &[&str]) -> RunOutput {
    run_typed(folder, args, "")
}

/// Runs the real program in a folder, with this on its standard input.
pub(crate) fn run_typed(folder: &Path, args: &[&str], typed: impl AsRef<[u8]>) -> RunOutput {
    watch();
    let mut command = assert_cmd::Command::cargo_bin("risk-cli").unwrap();
    // As in an installation, the program finds itself on the `PATH`.
    let own = assert_cmd::cargo::cargo_bin!("risk-cli").parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = command
        .args(args)
        .write_stdin(typed.as_ref())
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", own.display()))
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    RunOutput {
        out: text(output.stdout),
        err: text(output.stderr),
        code: output.status.code().unwrap(),
    }
}

pub(crate) fn run(args: &[&str]) -> RunOutput {
    run_in(tempfile::tempdir().unwrap().path(), args)
}

/// Checks that only its owner can read the file, on systems with owners.
pub(crate) fn is_own(path: &Path) {
    #[cfg(unix)]
    {
        let mode = std::fs::metadata(path).unwrap().permissions();
        let mode = std::os::unix::fs::PermissionsExt::mode(&mode);
        assert_eq!(mode & 0o077, 0, "{}", path.display());
    }
}
