//! Narrow terminals and requested widths: no line is too long, and no word is broken.

use std::collections::BTreeSet;
use std::path::Path;

use unicode_width::UnicodeWidthStr;

use crate::support::words;

fn at(width: usize, line: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    run_at(width, folder.path(), &words(line))
}

/// Runs the program in a terminal of this width, and returns what it prints.
pub(crate) fn run_at(width: usize, folder: &Path, args: &[&str]) -> String {
    let ran = assert_cmd::Command::cargo_bin("risk-cli")
        .unwrap()
        .args(args)
        .current_dir(folder)
        .env("COLUMNS", width.to_string())
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&ran.stderr)
    );
    String::from_utf8(ran.stdout).unwrap()
}

const LINES: [&str; 12] = [
    "bot list",
    "map list",
    "map show world",
    "map stats world",
    "map lints",
    "odds 5 3",
    "ruleset list",
    "ruleset show warzone",
    "ruleset show starwars",
    "play --seed 7 --quiet",
    "play --seed 7 --ruleset warzone --option max_turns=3",
    "play --seed 7 --games 4",
];

#[test]
fn output_fits_into_the_width_that_is_asked_for() {
    for line in LINES {
        let wide = at(300, line);
        let whole: BTreeSet<&str> = wide.split_whitespace().collect();
        for width in [40, 60, 80] {
            let narrow = at(width, line);
            let mut end = "";
            for row in narrow.lines() {
                assert!(row.width() <= width, "{line} at {width}: {row:?}");
                let start = row.split_whitespace().next().unwrap_or_default();
                let joined = format!("{end}{start}");
                let broken =
                    !end.is_empty() && !start.is_empty() && whole.contains(joined.as_str());
                assert!(
                    !broken || whole.contains(end),
                    "{line} at {width} breaks {joined:?}"
                );
                end = row.split_whitespace().next_back().unwrap_or_default();
            }
        }
    }
}

#[test]
fn what_is_counted_agrees_with_its_number() {
    let told = at(
        80,
        "play --ruleset simplified --map grid:4x4 --option max_turns=2 --seed 1 --quiet",
    );
    assert!(told.contains("after 1 round "), "{told}");
    let told = at(
        80,
        "play --games 1 --seed 1 --ruleset simplified --map grid:4x4 --option max_turns=2",
    );
    assert!(
        !told.contains("1 games") && !told.contains("1 rounds"),
        "{told}"
    );
}
