//! Map files of other programs, written for these tests: every kind of defect, in both forms and
//! all encodings.

use crate::support::library;
use risk_maps::files::FileKind;
use std::path::{Path, PathBuf};

use risk_kernel::board::Board;
use risk_kernel::id::Continent;
use risk_kernel::rng::{Purpose, Stream};
use risk_maps::check as check_map;
use risk_maps::lint::Levels;
use risk_maps::map::write::{Target, write};
use risk_maps::map::{CheckSettings, Form, check, read};
use risk_report::findings::render;
use risk_text::diag::TextFile;

use crate::support::{TINY, board, run, run_in, tiny, words};
use risk_testing::by_case::each;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/maps")
}

fn files() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn each_file_is_judged() {
    let mut text = String::new();
    for name in files() {
        let spec = format!("./{name}");
        let ran = run_in(&folder(), &["map", "validate", &spec, "--format", "json"]);
        let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let file = &value["files"][0];
        let is_valid = file["valid"] == true;
        assert_eq!(ran.code, i32::from(!is_valid), "{name}: {}", ran.err);
        let verdict = if is_valid { "valid" } else { "invalid" };
        let form = file["form"].as_str().unwrap_or("no form");
        text.push_str(&format!("{name}: {verdict}, {form}, {}\n", file["counts"]));
        for finding in file["findings"].as_array().unwrap() {
            text.push_str(&format!("  {}\n", brief(finding)));
        }
    }
    insta::assert_snapshot!(text);
}

/// Returns the level, the code and the place of a finding in JSON.
fn brief(finding: &serde_json::Value) -> String {
    let word = |key: &str| finding[key].as_str().unwrap();
    let place = &finding["place"];
    let place = match (&place["line"], &place["column"]) {
        (serde_json::Value::Null, _) => String::new(),
        (line, column) => format!(" {line}:{column}"),
    };
    format!("{} {}{place}", word("level"), word("code"))
}

#[test]
fn damaged_files_do_no_harm() {
    let kinds = [
        b"\n", b"\r", b" ", b",", b";", b"[", b"]", b"=", b"-", b":", b"{", b"}", b"\xff", b"9",
        b"\t", b"#",
    ];
    let files = files();
    each(0..files.len(), |&number| {
        let name = &files[number];
        let mut luck = Stream::new(6, number as u64, Purpose::Setup);
        let whole = std::fs::read(folder().join(name)).unwrap();
        for _ in 0..60 {
            let mut bytes = whole.clone();
            for _ in 0..=luck.below(8) {
                let at = luck.below(bytes.len() as u64 + 1) as usize;
                let until = bytes.len().min(at + luck.below(40) as usize);
                match luck.below(4) {
                    0 => drop(bytes.drain(at..until)),
                    1 => bytes
                        .splice(at..at, *kinds[luck.below(kinds.len() as u64) as usize])
                        .for_each(drop),
                    2 => {
                        let copied = bytes[at..until].to_vec();
                        let to = luck.below(bytes.len() as u64 + 1) as usize;
                        bytes.splice(to..to, copied).for_each(drop);
                    }
                    _ => bytes.truncate(if luck.below(20) == 0 { at } else { bytes.len() }),
                }
            }
            if let Ok(checked) = read(name, bytes, &CheckSettings::default()) {
                let _ = render(
                    &checked.findings[..checked.findings.len().min(3)],
                    false,
                    80,
                );
            }
        }
    });
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

/// The schema accepts every shipped map, and refuses what the reader refuses.
#[test]
fn the_schema_is_that_of_the_reader() {
    let schema: serde_json::Value = serde_json::from_str(&run(&["map", "schema"]).out).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let value = |text: &str| serde_yaml::from_str::<serde_json::Value>(text).unwrap();
    let mut count = 0;
    for name in library().names(FileKind::Map) {
        let file = risk_maps::text(library(), FileKind::Map, name).unwrap();
        assert!(schema.is_valid(&value(&file.text)), "{name}");
        let written = write(&board(name), Target::Yaml).text;
        assert!(schema.is_valid(&value(&written)), "{name}");
        count += 1;
    }
    assert!(count >= 3);
    let starter = include_str!("../../src/cli/starters/map.yaml").replace("@NAME@", "mine");
    assert!(schema.is_valid(&value(&starter)));
    for (from, to) in [
        ("name: tiny", "nane: tiny"),
        ("name: tiny", "name: ''"),
        ("bonus: 2", "bonus: two"),
        ("bonus: 2", "bonus: 1000001"),
        ("bonus: 2", "bonnus: 2"),
        ("bonus: 2 }", "bonus: 2, colour: red }"),
        ("id: a,", ""),
        ("borders: [b, f]", "borders: b"),
        ("borders: [b, f]", "at: [1]"),
        ("borders: [b, f]", "at: [1, 2.5]"),
        (
            "continent: west, borders: [b, f]",
            "continent: [west, east], borders: [b, f]",
        ),
        ("borders: [b, f]", "card: { of: horse }"),
        ("name: tiny", "name: tiny\nlints: [one-way-border]"),
    ] {
        let text = TINY.replacen(from, to, 1);
        assert_ne!(text, TINY, "{from}");
        assert!(!schema.is_valid(&value(&text)), "{to}");
        let checked = check(&TextFile::new("m.yaml", &text), &CheckSettings::default());
        assert!(checked.board.is_none(), "{to}");
    }
    assert!(schema.is_valid(&value(TINY)));
}

/// Import doesn't overwrite without `--force`, and reports what is lost.
#[test]
fn import_writes_files() {
    let folder = tiny();
    let ran = run_in(
        folder.path(),
        &words("map import world -o w.map --to domination"),
    );
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "w.map: 42 territories, 83 borders, 6 continents\n")
    );
    // One line for the data, which it names, and one for the description.
    let lost: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lost.len(), 2, "{}", ran.err);
    assert!(lost[0].contains("(card)"), "{}", ran.err);
    assert!(lost[1].contains("`about`"), "{}", ran.err);
    let ran = run_in(folder.path(), &words("map import w.map -o w.yaml"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let ran = run_in(
        folder.path(),
        &words("play --ruleset codelab --map ./w.map --seed 1 --quiet"),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    for (line, code, name) in [
        ("map import world -o w.yaml", "cli::exists", "w.yaml"),
        ("map import world -o w.txt", "cli::form", ".txt"),
        (
            "map import starwars --to domination",
            "map::territory-without-continent",
            "`s0`",
        ),
        (
            "map import world -o none/w.yaml",
            "cli::write",
            "none/w.yaml",
        ),
    ] {
        let ran = run_in(folder.path(), &words(line));
        ran.refuses(2, code);
        assert!(ran.err.contains(name), "{line}: {}", ran.err);
    }
    assert_eq!(
        run_in(folder.path(), &words("map import world -o w.yaml --force")).code,
        0
    );
    let dot = run_in(folder.path(), &words("map import tiny.yaml --to dot")).out;
    assert!(
        dot.contains("  \"a\" -> \"b\" [dir=none];\n") && dot.contains("continent=\"west\""),
        "{dot}"
    );
    let graph = run_in(folder.path(), &words("map import tiny.yaml --to graphml")).out;
    assert!(
        graph.contains("<edge source=\"a\" target=\"b\"/>"),
        "{graph}"
    );
}

#[test]
fn validate_takes_folders_and_rulesets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = run_in(root, &words("map validate maps"));
    assert_eq!(
        (ran.code, ran.out.lines().count()),
        (0, library().names(FileKind::Map).len()),
        "{}",
        ran.err
    );
    let ran = run_in(root, &words("map validate src"));
    ran.refuses(2, "load::file");
    for name in [".yaml", ".yml", ".map", " src"] {
        assert!(ran.err.contains(name), "{name}: {}", ran.err);
    }
    let ran = run_in(root, &words("map validate world --ruleset starwars"));
    ran.refuses(1, "ruleset::map");
    assert_eq!(ran.out, "world: invalid, 1 error\n");
    assert_eq!(
        run_in(root, &words("map validate world grand --ruleset hasbro")).code,
        0
    );
    let ran = run_in(
        root,
        &words("map validate tests/maps/d-one-way.map tests/maps/c-one-way.map --format json"),
    );
    let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (ran.code, &value["files"][0]["form"]),
        (0, &"Domination".into())
    );
    assert_eq!(value["files"][0]["counts"]["borders"], 7);
    let finding = &value["files"][1]["findings"][0];
    assert_eq!(
        (&finding["code"], &finding["level"]),
        (&"map::one-way-border".into(), &"warning".into())
    );
    assert_eq!(
        (&finding["place"]["line"], &finding["place"]["column"]),
        (&15.into(), &42.into())
    );
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
    assert_eq!(board.members(Continent::from_index(0)).len(), 2);
}

/// Borders that a file lists at one end only, as listed or as the file's own game takes them.
#[test]
fn borders_can_be_taken_as_two_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, form) in [("d-one-way", "Domination"), ("c-one-way", "Conquest")] {
        let file = root
            .join(format!("tests/maps/{name}.map"))
            .display()
            .to_string();
        let listed = board(&file);
        let two_way = board(&format!("{file},borders=two-way"));
        let one_way = |board: &Board| board.edges().filter(|(.., one_way)| *one_way).count();
        assert!(one_way(&listed) > 0 && one_way(&two_way) == 0, "{form}");
        assert_eq!(listed.border_count(), two_way.border_count(), "{form}");
        assert_eq!(
            board(&format!("{file},borders=as-listed")).border_count(),
            listed.border_count()
        );
        let folder = tempfile::tempdir().unwrap();
        let ran = run_in(
            folder.path(),
            &["map", "import", &file, "--borders", "two-way"],
        );
        assert_eq!(
            (ran.code, ran.out),
            (0, write(&two_way, Target::Yaml).text),
            "{form}"
        );
        // The warning says how to make the border two-way.
        let ran = run_in(folder.path(), &["map", "validate", &file]);
        ran.refuses(0, "map::one-way-border");
        assert!(ran.err.contains(",borders=two-way"), "{}", ran.err);
    }
    let folder = tiny();
    let edited = TINY.replace("borders: [e, a]", "borders: [e, a], one_way: [c]");
    std::fs::write(folder.path().join("m.yaml"), edited).unwrap();
    let ran = run_in(folder.path(), &words("map show ./m.yaml,borders=two-way"));
    assert!(
        ran.code == 0 && ran.out.contains("7 borders") && !ran.out.contains("one-way"),
        "{}{}",
        ran.out,
        ran.err
    );
    let line = "play --map ./m.yaml,borders=two-way --ruleset codelab --seed 1 -q --record g.jsonl";
    assert_eq!(run_in(folder.path(), &words(line)).code, 0);
    let ran = run_in(folder.path(), &words("replay g.jsonl --verify"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    for (map, code, name) in [
        ("./m.yaml,borders=both", "map::borders", "`both`"),
        ("grid:3x3,borders=two-way", "map::borders", "grid:3x3"),
        ("world,borders=", "map::borders", "``"),
        ("wrld,borders=two-way", "load::unknown", "`wrld`"),
    ] {
        let args = ["play", "--map", map, "--ruleset", "codelab"];
        let ran = run_in(folder.path(), &args);
        ran.refuses(2, code);
        assert!(ran.err.contains(name), "{map}: {}", ran.err);
    }
}

#[test]
fn bonuses_have_a_level_and_a_limit() {
    let folder = tiny();
    let rows: [(&str, i32, &[&str]); 7] = [
        ("1000", 0, &[]),
        ("-1000", 0, &["map::zero-bonus"]),
        ("1001", 0, &["map::bonus-unusual"]),
        ("-1001", 0, &["map::bonus-unusual", "map::zero-bonus"]),
        ("1000000", 0, &["map::bonus-unusual"]),
        ("1000001", 1, &["map::bonus-too-large"]),
        ("-9223372036854775808", 1, &["map::bonus-too-large"]),
    ];
    for (bonus, code, codes) in rows {
        std::fs::write(
            folder.path().join("m.yaml"),
            TINY.replace("bonus: 2", &format!("bonus: {bonus}")),
        )
        .unwrap();
        let ran = run_in(folder.path(), &words("map validate ./m.yaml"));
        assert_eq!(ran.code, code, "{bonus}: {}", ran.err);
        assert_eq!(ran.codes(), codes, "{bonus}");
        assert_eq!(ran.err.is_empty(), codes.is_empty(), "{bonus}: {}", ran.err);
        assert!(ran.places().iter().all(|place| *place == "./m.yaml:3:24"));
    }
    std::fs::write(
        folder.path().join("m.yaml"),
        TINY.replace("bonus: 2", "bonus: 1001"),
    )
    .unwrap();
    assert_eq!(
        run_in(
            folder.path(),
            &words("map validate ./m.yaml --deny bonus-unusual")
        )
        .code,
        1
    );
    let ran = run_in(
        folder.path(),
        &words("map validate ./m.yaml --allow bonus-unusual"),
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn an_empty_file_has_a_message_of_its_own() {
    for name in ["m.map", "m.yaml"] {
        for text in ["", "\n \n", "\u{feff}"] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join(name), text).unwrap();
            let ran = run_in(folder.path(), &["map", "validate", &format!("./{name}")]);
            ran.refuses(1, "map::not-a-map");
            // The message is not that for a file which is no map.
            std::fs::write(folder.path().join(name), "prose\n").unwrap();
            let prose = run_in(folder.path(), &["map", "validate", &format!("./{name}")]);
            prose.refuses(1, "map::not-a-map");
            assert_ne!(ran.err, prose.err, "{name}");
        }
    }
}
