//! Mistakes in a tournament's file, and their errors.

use std::fs;

use super::{SMALL, folder, tournament};

/// A text of the small tournament, its replacement, and the code and place of the error.
type Mistake = (&'static str, &'static str, &'static str, &'static str);

const VALUES: &[Mistake] = &[
    ("blocks: 12", "blocks: 0", "tournament::blocks", "4:9"),
    ("blocks: 12", "blocks: twelve", "tournament::syntax", "4:9"),
    ("blocks: 12", "blocks: *a", "tournament::syntax", "4:9"),
    ("blocks: 12\n", "", "tournament::syntax", "5:1"),
    ("greedy]", "greedy]\nblokcs: 3", "tournament::syntax", "7:1"),
    (
        "seed: 4",
        "seed: 4\nseats: 4",
        "tournament::few-bots",
        "6:8",
    ),
    ("seed: 4", "seed: 4\nseats: 40", "tournament::seats", "6:8"),
    (
        "blocks: 12",
        "blocks: 11\nseats: 2",
        "tournament::ragged-cycle",
        "4:9",
    ),
    (
        "blocks: 12",
        "blocks: 12\nbudget: 1",
        "tournament::budget",
        "5:9",
    ),
    (
        "blocks: 12",
        "blocks: 12\nstrikes: 2000",
        "tournament::strikes",
        "5:10",
    ),
    (
        "blocks: 12",
        "blocks: 12\non_fault: shout",
        "tournament::on-fault",
        "5:11",
    ),
    (
        "blocks: 12",
        "blocks: 12\nclock: soon",
        "tournament::clock",
        "5:8",
    ),
    (
        "blocks: 12",
        "blocks: 12\ndesign: sometimes",
        "tournament::syntax",
        "5:9",
    ),
];

const NAMES: &[Mistake] = &[
    ("greedy]", "random]", "tournament::name", "6:27"),
    ("greedy]", "greedi]", "load::unknown", "6:27"),
    (
        "blocks: 12",
        "blocks: 12\ndesign: { gauntlet: [greedi] }",
        "tournament::name",
        "5:9",
    ),
    (
        "blocks: 12",
        "blocks: 12\ndesign: { gauntlet: [] }",
        "tournament::design",
        "5:9",
    ),
    (
        "blocks: 12",
        "blocks: 12\ndesign: { gauntlet: [greedy, random, outnumber] }",
        "tournament::design",
        "5:9",
    ),
    (
        "blocks: 12",
        "blocks: 12\nanchor: nobody",
        "tournament::name",
        "5:9",
    ),
];

#[test]
fn mistakes_have_codes_and_places() {
    for (old, new, code, place) in [VALUES, NAMES].concat() {
        let wrong = folder(&SMALL.replace(old, new));
        let ran = tournament(wrong.path(), "run .");
        ran.refuses(2, code);
        assert_eq!(
            ran.places(),
            [format!("./tournament.yaml:{place}")],
            "{new}"
        );
        assert!(!wrong.path().join("log.1-of-1.jsonl").exists(), "{new}");
    }
    // Errors of the ruleset, its options and its map have no place in the file.
    for (old, new, code, quoted) in [
        ("max_turns: 30", "max_turn: 30", "cli::option", "`max_turn`"),
        ("codelab", "codelap", "load::unknown", "`codelap`"),
        ("grid:3x3", "grid:0x3", "map::made", "grid:0x3"),
        (
            "[random, outnumber, greedy]",
            "[random]",
            "tournament::bots",
            "1000",
        ),
    ] {
        let wrong = folder(&SMALL.replace(old, new));
        let ran = tournament(wrong.path(), "run .");
        ran.refuses(2, code);
        assert!(ran.err.contains(quoted), "{new}: {}", ran.err);
        assert!(!wrong.path().join("log.1-of-1.jsonl").exists(), "{new}");
    }
}

#[test]
fn a_shard_is_one_of_its_number() {
    let small = folder(SMALL);
    for (shard, valid) in [
        ("0/3", "3/3"),
        ("4/3", "3/3"),
        ("1/0", "1/8"),
        ("x", "1/8"),
        ("1/20000", "10000"),
    ] {
        let ran = tournament(small.path(), &format!("run . --shard {shard}"));
        assert_eq!(ran.code, 2, "{shard}");
        assert!(
            ran.err.contains(&format!("'{shard}' for '--shard")),
            "{}",
            ran.err
        );
        assert!(ran.err.contains(valid), "{shard}: {}", ran.err);
        assert!(!small.path().join("plan.json").exists(), "{shard}");
    }
}

#[test]
fn a_folder_without_a_tournament_is_refused() {
    let empty = tempfile::tempdir().unwrap();
    for (place, file) in [
        (".", "./tournament.yaml"),
        ("nosuch", "nosuch/tournament.yaml"),
        ("nosuch/cup.yaml", "nosuch/cup.yaml"),
    ] {
        let ran = tournament(empty.path(), &format!("run {place}"));
        ran.refuses(2, "tournament::file");
        assert!(ran.err.contains(file), "{}", ran.err);
        assert!(ran.err.contains("risk-cli tournament new"), "{}", ran.err);
    }
    let small = folder(SMALL);
    tournament(small.path(), "report .").refuses(2, "tournament::empty");
}

/// The file that `new` writes runs, and has the values of the command line.
#[test]
fn a_new_tournament_runs() {
    let home = tempfile::tempdir().unwrap();
    let bot = "fn answer(view, ask) { ask.random() }\n";
    fs::write(home.path().join("mine.rhai"), bot).unwrap();
    let line =
        "new cup -r codelab -m grid:3x3 -o max_turns=20 -b random -b ./mine.rhai --blocks 10 -s 3";
    let ran = tournament(home.path(), line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // The tournament can be moved, with the files that it names.
    let text = fs::read_to_string(home.path().join("cup/tournament.yaml")).unwrap();
    assert!(text.contains("- ../mine.rhai"), "{text}");
    let ran = tournament(home.path(), "run cup");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("codelab on grid:3x3, seed 3"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("mine"), "{}", ran.out);
    tournament(home.path(), line).refuses(2, "cli::exists");
    let path = home.path().join("cup/tournament.yaml");
    assert_eq!(fs::read_to_string(path).unwrap(), text);
}

/// `plan` accepts each file that `new` writes: `new` refuses part of a cycle, and chooses a number
/// of blocks if none is given.
#[test]
fn a_new_tournament_is_valid() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let three = "-r codelab -b random -b greedy -b outnumber --seats 2";
    for (blocks, valid) in [
        (100, vec![99, 102]),
        (1, vec![3]),
        (1_000_000, vec![999_999]),
    ] {
        let ran = tournament(home, &format!("new cup {three} --blocks {blocks}"));
        ran.refuses(2, "tournament::ragged-cycle");
        let words: Vec<&str> = ran.err.split_whitespace().collect();
        let pairs = words.windows(2).filter(|pair| pair[0] == "--blocks");
        let told: Vec<u64> = pairs
            .map(|pair| pair[1].trim_end_matches(',').parse().unwrap())
            .collect();
        assert_eq!(told, valid, "{}", ran.err);
        assert!(!home.join("cup").exists());
    }
    for (line, blocks) in [
        (three.to_owned(), "102"),
        (format!("{three} --blocks 99"), "99"),
        ("-r codelab -b random -b greedy".to_owned(), "100"),
    ] {
        let ran = tournament(home, &format!("new cup --force {line}"));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        assert_eq!(ran.err.contains(" 102 "), blocks == "102", "{}", ran.err);
        let text = fs::read_to_string(home.join("cup/tournament.yaml")).unwrap();
        assert!(text.contains(&format!("\nblocks: {blocks} ")), "{text}");
        assert_eq!(tournament(home, "plan cup").code, 0, "{line}");
    }
    // Other mistakes are those of `run`.
    for (line, code) in [
        ("-b random", "tournament::bots"),
        ("-b random -b random", "tournament::name"),
        ("-b random -b greedy --seats 3", "tournament::few-bots"),
    ] {
        let ran = tournament(home, &format!("new other -r codelab {line}"));
        ran.refuses(2, code);
        assert!(!home.join("other").exists(), "{line}");
    }
}

/// Files that run fit the schema for editors, and the schema's keys are those of the reader.
#[test]
fn the_schema_knows_what_runs() {
    let ran = tournament(tempfile::tempdir().unwrap().path(), "schema");
    let schema: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let good = serde_json::json!({
        "ruleset": "codelab", "map": "grid:3x3", "options": { "max_turns": 30 }, "blocks": 12,
        "seed": 4, "bots": ["random", "outnumber"], "design": { "gauntlet": ["random"] },
        "finals": { "best": 2, "blocks": 10, "seats": 2, "seed": 9 },
        "anchor": "random", "records": true, "isolate": false, "seats": 2, "on_fault": "skip",
    });
    assert!(validator.is_valid(&good));
    for (key, value) in [
        ("bloks", serde_json::json!(1)),
        ("blocks", serde_json::json!(0)),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        assert!(!validator.is_valid(&bad), "{key}");
    }
}

/// The numbers depend on the machine, so the test checks only their form.
#[test]
fn a_plan_says_how_many_shards() {
    let small = folder(SMALL);
    let ran = tournament(small.path(), "plan . --chunk 60s");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.trim_end().ends_with(": 1 shard of about 60 s"),
        "{}",
        ran.out
    );
    assert!(!small.path().join("log.1-of-1.jsonl").exists());
    for wrong in ["60", "s", "0s", "25h", "-1m"] {
        let ran = tournament(small.path(), &format!("plan . --chunk={wrong}"));
        assert_eq!(ran.code, 2, "{wrong}");
        assert!(ran.err.contains("60s, 5m or 1h"), "{wrong}: {}", ran.err);
    }
}
