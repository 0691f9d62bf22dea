//! Map files of other programs, written for these tests: every kind of defect, in both forms and
//! all encodings.

use std::path::{Path, PathBuf};

use risk_kernel::board::Board;
use risk_kernel::id::Group;
use risk_maps::check as check_map;
use risk_maps::files::FileKind;
use risk_maps::lint::Levels;
use risk_maps::map::write::{Target, write};
use risk_maps::map::{CheckSettings, Form, check};
use risk_text::diag::{Finding, Level, TextFile};

use crate::{board, library, root};

fn folder() -> PathBuf {
    root().join("tests/maps")
}

fn files() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Returns everything in a board as text.
fn all_of(board: &Board) -> String {
    let mut text = format!("{}\n", board.name());
    for info in board.continents() {
        let colour = &info.colour;
        text.push_str(&format!(
            "{} {} {} {colour:?}\n",
            info.id, info.name, info.bonus
        ));
    }
    for at in board.territories() {
        text.push_str(&format!(
            "{:?} {:?}\n",
            board.info(at),
            board.neighbours(at)
        ));
    }
    text
}

fn again(board: &Board, target: Target) -> Board {
    let written = write(board, target);
    let checked = check(
        &TextFile::new(&format!("{}.map", board.name()), &written.text),
        &CheckSettings::default(),
    );
    checked
        .board
        .unwrap_or_else(|| panic!("{:?}\n{}", checked.findings, written.text))
}

const FORMS: [Target; 2] = [Target::Yaml, Target::Domination];

/// A map that is written in its own form, or in YAML, and read again is the same. In another form
/// it is the same from the second time on, if its names fit that form.
pub(crate) fn goes_round(board: &Board, form: Form, what: &str) {
    let whole = board
        .territories()
        .all(|at| board.info(at).continent.is_some());
    for target in FORMS
        .into_iter()
        .filter(|target| whole || *target != Target::Domination)
    {
        let once = again(board, target);
        let twice = again(&once, target);
        assert_eq!(all_of(&once), all_of(&twice), "{what} as {target:?}");
        let here = (board.len(), board.border_count());
        let there = (once.len(), once.border_count());
        assert_eq!(here, there, "{what} as {target:?}");
        if target == Target::Yaml || form == Form::Domination {
            assert_eq!(all_of(board), all_of(&once), "{what} as {target:?}");
            assert_eq!(board.about(), once.about(), "{what} as {target:?}");
        }
    }
}

#[test]
fn maps_go_round_through_every_form() {
    let mut count = 0;
    for name in files() {
        let checked = check_map(
            library(),
            &folder().join(&name).display().to_string(),
            &Levels::default(),
        );
        if let Some((board, form)) = checked
            .ok()
            .and_then(|checked| Some((checked.board?, checked.form?)))
        {
            goes_round(&board, form, &name);
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
    for name in library().names(FileKind::Map) {
        goes_round(&board(name), Form::Yaml, name);
    }
}

/// Names of Conquest have no spaces in files that were made for Domination.
#[test]
fn underscores_in_names_mean_spaces() {
    let text = "[Map]\nauthor=A\n[Continents]\nOld_Coast=2\n[Territories]\n\
                North_Bay,10,10,old_coast,South_Bay\nSouth_Bay,10,60,Old_Coast,north_bay\n";
    let checked = check(&TextFile::new("coast.map", text), &CheckSettings::default());
    let board = checked.board.unwrap();
    let names: Vec<&str> = board
        .territories()
        .map(|at| board.info(at).name.as_str())
        .collect();
    assert_eq!(names, ["North Bay", "South Bay"]);
    assert_eq!(board.continents()[0].name, "Old Coast");
    assert_eq!(board.members(Group::from_index(0)).len(), 2);
}

/// Returns the level, the code and the place of a finding.
fn brief(finding: &Finding) -> String {
    let level = match finding.level {
        Level::Deny => "error",
        _ => "warning",
    };
    let place = finding.place.as_ref().map(|place| {
        let (line, column) = place.line_column();
        format!(" {line}:{column}")
    });
    format!("{level} {}{}", finding.code, place.unwrap_or_default())
}

/// Checks a file as `map validate` does: closely.
fn closely(path: &Path) -> (Option<Board>, Option<Form>, Vec<Finding>) {
    let levels = Levels::new([], false).unwrap().closely();
    match check_map(library(), &path.display().to_string(), &levels) {
        Ok(checked) => (checked.board, checked.form, checked.findings),
        Err(failure) => (None, None, failure.findings),
    }
}

#[test]
fn each_file_is_judged() {
    let mut text = String::new();
    for name in files() {
        let (board, form, findings) = closely(&folder().join(&name));
        let verdict = if board.is_some() { "valid" } else { "invalid" };
        let form = form.map_or("no form", Form::as_str);
        let counts = board.map_or("null".to_owned(), |board| {
            let (lands, borders) = (board.len(), board.border_count());
            let continents = board.continents().len();
            format!("{{\"territories\":{lands},\"borders\":{borders},\"continents\":{continents}}}")
        });
        text.push_str(&format!("{name}: {verdict}, {form}, {counts}\n"));
        for finding in &findings {
            text.push_str(&format!("  {}\n", brief(finding)));
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn bonuses_have_a_level_and_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.yaml");
    let write = |bonus: &str| {
        let text = format!(
            "name: m\ncontinents:\n  - {{ id: west, bonus: {bonus} }}\nterritories:\n  - {{ id: a, \
             continent: west, borders: [b] }}\n  - {{ id: b, continent: west, borders: [a] }}\n"
        );
        std::fs::write(&file, text).unwrap();
    };
    let rows: [(&str, bool, &[&str]); 7] = [
        ("1000", true, &[]),
        ("-1000", true, &["map::zero-bonus"]),
        ("1001", true, &["map::bonus-unusual"]),
        ("-1001", true, &["map::bonus-unusual", "map::zero-bonus"]),
        ("1000000", true, &["map::bonus-unusual"]),
        ("1000001", false, &["map::bonus-too-large"]),
        ("-9223372036854775808", false, &["map::bonus-too-large"]),
    ];
    for (bonus, is_valid, codes) in rows {
        write(bonus);
        let (board, _, findings) = closely(&file);
        assert_eq!(board.is_some(), is_valid, "{bonus}: {findings:?}");
        let found: Vec<&str> = findings.iter().map(|finding| &*finding.code).collect();
        assert_eq!(found, codes, "{bonus}");
        let mut places = findings
            .iter()
            .map(|finding| finding.place.as_ref().unwrap());
        assert!(
            places.all(|place| place.line_column() == (3, 24)),
            "{bonus}"
        );
    }
    write("1001");
    let spec = file.display().to_string();
    let with = |level| {
        let levels = Levels::new([("bonus-unusual", level)], false).unwrap();
        check_map(library(), &spec, &levels).unwrap()
    };
    assert!(with(Level::Deny).board.is_none());
    let allowed = with(Level::Allow);
    assert!(allowed.board.is_some() && allowed.findings.is_empty());
}

#[test]
fn an_empty_file_has_a_message_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["m.map", "m.yaml"] {
        let file = folder.path().join(name);
        let told = |text: &str| {
            std::fs::write(&file, text).unwrap();
            let (board, _, findings) = closely(&file);
            let [finding] = &findings[..] else {
                panic!("{text:?}: {findings:?}")
            };
            assert!(board.is_none() && finding.code == "map::not-a-map");
            finding.text.clone()
        };
        for text in ["", "\n \n", "\u{feff}"] {
            assert_ne!(told(text), told("prose\n"), "{name}");
        }
    }
}
