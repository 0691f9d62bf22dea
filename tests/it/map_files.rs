//! Map files of other programs, written for these tests: every kind of defect, in both forms and
//! all encodings.

use std::path::Path;

use risk_kernel::board::Board;
use risk_maps::files::FileKind;
use risk_maps::map::write::{Target, write};
use risk_maps::map::{CheckSettings, check};
use risk_text::diag::TextFile;

use crate::support::{TINY, board, library, run, run_in, tiny, words};

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
        ("borders: [b, f]", "card: { of: 1.5 }"),
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
