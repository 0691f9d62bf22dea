//! The gallery: every message of the program for a mistake, with the input and the exit code, to be
//! read as a user would. Messages about map files are in `map_messages` of risk-report. Other tests
//! assert codes and places ([`RunOutput::codes`]), not wordings.
//!
//! [`RunOutput::codes`]: crate::support::RunOutput::codes

mod arguments;
mod bots;
mod checks;
mod files;
mod maps;
mod play;
mod playing;
mod records;
mod rulesets;
mod scripts;
mod serving;
mod tournaments;
mod wire;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use risk_testing::by_case::files;

use crate::support::{is_code, run_in, run_typed};
use crate::tidy::{all_sources, root};

/// Codes that the gallery doesn't show: the reason, and the codes.
const ELSEWHERE: &[(&str, &[&str])] = &[
    (
        "only in a page: the tests of `risk-playground`",
        &[
            "playground::clock",
            "playground::closed",
            "playground::file",
            "playground::link",
            "playground::match",
            "playground::seat",
            "playground::stopped",
            "playground::tools",
        ],
    ),
    (
        "needs matches, crowds or a second arena: tests of `arena` and `strangers`",
        &[
            "arena::busy",
            "arena::closing",
            "arena::failed",
            "arena::full",
            "arena::has-begun",
            "arena::has-joined",
            "arena::no-match",
            "arena::no-secret",
            "arena::no-socket",
            "arena::secret",
            "arena::too-many-joining",
            "arena::too-many-seats",
            "arena::too-many-sockets",
            "bot::join",
        ],
    ),
    (
        "needs several people, slow checks or a full disk: tests of `ladder`",
        &[
            "ladder::busy",
            "ladder::check",
            "ladder::disk",
            "ladder::full",
            "ladder::name-taken",
            "ladder::private",
            "ladder::too-many-people",
            "ladder::too-often",
            "ladder::unfit",
        ],
    ),
    (
        "needs another table or another moment of a game: tests of `play_web`",
        &[
            "people::auto",
            "people::busy",
            "people::closed",
            "people::hint",
            "people::no-spectators",
            "people::no-token",
            "people::over",
            "people::too-many-pages",
            "people::unknown-token",
            "request::content-type",
            "request::too-large",
        ],
    ),
    (
        "quotes the path of a folder, a port or the words of the system",
        &[
            "cli::port",
            "ladder::folder",
            "ladder::journal",
            "ladder::log",
            "serve::listen",
        ],
    ),
    (
        "needs a bot that dies, a system without pipes or walls, or no memory",
        &[
            "bot::gone",
            "bot::isolated",
            "bot::no-process",
            "cli::isolate",
            "cli::threads",
            "game::stopped",
            "serve::walls",
        ],
    ),
    (
        "needs a full disk or far too much data",
        &[
            "map::more",
            "position::size",
            "record::full",
            "replay::page",
            "tournament::full",
            "tournament::stopped",
            "tournament::write",
        ],
    ),
    (
        "needs a program that doesn't count the memory of scripts",
        &["script::uncounted"],
    ),
    (
        "guards against mistakes of this program: no input is known",
        &["balance::test", "compare::words", "odds::fault"],
    ),
    (
        "has averages of many games in its text: tests of `checks` and `told_chances`",
        &["ruleset::chances"],
    ),
];

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
        // Attributes name functions in the same form.
        let text = text.replace("with = \"", "");
        let parts = text.split('"').filter(|part| is_code(part));
        parts.map(str::to_owned).collect()
    };
    let sources = all_sources();
    let written: BTreeSet<String> = sources.iter().flat_map(|(_, text)| quoted(text)).collect();
    let of_program = files("tests/it/gallery/snapshots").into_iter();
    let of_maps = files("crates/report/tests/it/snapshots").into_iter();
    let of_maps = of_maps.filter(|path| path.contains("__map_messages__"));
    let snapshots: Vec<_> = of_program
        .chain(of_maps)
        .map(|path| std::fs::read_to_string(root().join(path)).unwrap())
        .collect();
    let mut shown: BTreeSet<&str> = snapshots.iter().flat_map(|text| codes(text)).collect();
    let elsewhere = || ELSEWHERE.iter().flat_map(|(_, codes)| *codes).copied();
    let twice: Vec<_> = elsewhere().filter(|code| shown.contains(code)).collect();
    assert!(twice.is_empty(), "shown after all: {twice:?}");
    shown.extend(elsewhere());
    let missing: Vec<_> = written
        .iter()
        .filter(|code| !shown.contains(code.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in the gallery: {missing:?}");
    let gone: Vec<_> = elsewhere()
        .filter(|code| !written.contains(*code))
        .collect();
    assert!(gone.is_empty(), "in no source: {gone:?}");
}
