//! Maps from elsewhere: every file of a collection against its expected result. The collection
//! belongs to others and is not part of this project. `RISK_MAP_CORPUS` names its folder, with
//! `expected.tsv` in it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use risk_kernel::board::Board;
use risk_maps::check as check_map;
use risk_maps::lint::{LINTS, Levels};
use risk_text::diag::{Finding, Level};

use crate::library;

/// Codes that depend on the chosen rule. Other codes are notes, unless they make a board
/// impossible.
const POLICY: [&str; 21] = [
    "no-files-section",
    "one-way-border",
    "missing-colour",
    "disconnected-continent",
    "missing-coordinates",
    "no-map-section",
    "empty-continent",
    "country-id-not-sequential",
    "empty-neighbour-field",
    "duplicate-border",
    "case-mismatch",
    "not-strongly-connected",
    "zero-bonus",
    "duplicate-territory-name",
    "self-loop",
    "repeated-border-line",
    "section-order",
    "files-unknown-key",
    "single-territory",
    "over-255-territories",
    "map-line-not-key-value",
];

/// Returns levels that report everything, and deny only what makes a board impossible.
fn all_told() -> Levels {
    Levels::new(
        LINTS
            .iter()
            .filter(|lint| !lint.hard)
            .map(|lint| (lint.code, Level::Warn)),
        false,
    )
    .unwrap()
}

fn is_invalid(finding: &Finding) -> bool {
    finding.level == Level::Deny || finding.code == "map::disconnected-map"
}

fn one_way(board: &Board) -> usize {
    board
        .territories()
        .flat_map(|at| board.neighbours(at).iter().map(move |&to| (at, to)))
        .filter(|&(at, to)| !board.borders(to, at))
        .count()
}

/// Returns this program's verdict on a file, counts of its board, and how often each code came.
fn ours(path: &str) -> (String, Option<[usize; 4]>, BTreeMap<String, usize>) {
    let (findings, board) = match check_map(library(), path, &all_told()) {
        Ok(checked) => (checked.findings, checked.board),
        Err(failure) => (failure.findings, None),
    };
    let mut codes = BTreeMap::new();
    for finding in &findings {
        *codes
            .entry(finding.code.trim_start_matches("map::").to_owned())
            .or_insert(0) += 1;
    }
    let verdict = if findings.iter().any(is_invalid) {
        "invalid"
    } else if codes.keys().any(|code| POLICY.contains(&code.as_str())) {
        "policy"
    } else {
        "valid"
    };
    let counts = board.map(|board| {
        [
            board.len(),
            board.continents().len(),
            board.border_count(),
            one_way(&board),
        ]
    });
    (verdict.to_owned(), counts, codes)
}

/// Parses counts of codes such as `one-way-borderx3,self-loop`.
fn counted(lists: &[&str]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for code in lists
        .iter()
        .flat_map(|list| list.split(','))
        .filter(|code| *code != "-")
    {
        let many = code
            .rsplit_once('x')
            .and_then(|(name, count)| Some((name, count.parse().ok()?)));
        let (name, count): (&str, usize) = many.unwrap_or((code, 1));
        *counts
            .entry(name.split(':').next().unwrap().to_owned())
            .or_insert(0) += count;
    }
    counts
}

/// The Warzone game's definition of a valid map: connected, and each continent too.
fn by_definition(wanted: &BTreeMap<String, usize>, verdict: &str) -> bool {
    verdict != "invalid"
        && !wanted.contains_key("disconnected-continent")
        && !wanted.contains_key("single-territory")
}

/// Compares verdicts and counts of all files, and codes of those with a board. Without a board,
/// differing codes are only printed: findings that follow from an error are not reported here.
#[test]
#[ignore = "needs the folder of a collection of maps in RISK_MAP_CORPUS"]
fn maps_from_elsewhere_are_as_expected() {
    let folder = std::env::var("RISK_MAP_CORPUS").expect("RISK_MAP_CORPUS names a folder");
    let expected = std::fs::read_to_string(Path::new(&folder).join("expected.tsv")).unwrap();
    let mut files = 0;
    let mut wrong = String::new();
    let mut differ = String::new();
    for line in expected.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let path = Path::new(&folder).join(columns[0]).display().to_string();
        let (verdict, counts, codes) = ours(&path);
        files += 1;
        let mut said = Vec::new();
        if verdict != columns[2] {
            said.push(format!("verdict {verdict}, not {}", columns[2]));
        }
        for (index, column) in columns[4..8]
            .iter()
            .enumerate()
            .filter(|(_, column)| **column != "-")
        {
            let count = counts.map(|counts| counts[index].to_string());
            // Without territories there is no board to count.
            if columns[4] != "0" && count.as_deref() != Some(*column) {
                said.push(format!("count {index} is {count:?}, not {column}"));
            }
        }
        let wanted = counted(&columns[8..10]);
        if check_map(library(), &path, &Levels::default())
            .is_ok_and(|checked| checked.board.is_some())
            != by_definition(&wanted, columns[2])
        {
            said.push("with the default levels the verdict is wrong".to_owned());
        }
        let is_told = |code: &str| {
            let lint = LINTS.iter().find(|lint| lint.code == code);
            POLICY.contains(&code) || lint.is_none_or(|lint| lint.hard) || wanted.contains_key(code)
        };
        let codes: BTreeMap<String, usize> = codes
            .into_iter()
            .filter(|(code, _)| is_told(code))
            .collect();
        if codes != wanted {
            let text = format!("codes {codes:?}, not {wanted:?}");
            if columns[2] == "invalid" {
                writeln!(differ, "{}: {text}", columns[0]).unwrap();
            } else {
                said.push(text);
            }
        }
        let checked = check_map(library(), &path, &Levels::default()).ok();
        if let Some((board, form)) =
            checked.and_then(|checked| Some((checked.board?, checked.form?)))
        {
            crate::map_files::goes_round(&board, form, columns[0]);
        }
        if !said.is_empty() {
            writeln!(
                wrong,
                "{} ({}): {}",
                columns[0],
                columns[2],
                said.join("; ")
            )
            .unwrap();
        }
    }
    let report = format!("codes of invalid maps that differ:\n{differ}{files} files\n");
    std::io::Write::write_all(&mut std::io::stdout(), report.as_bytes()).unwrap();
    assert!(files > 0 && wrong.is_empty(), "{wrong}");
}
