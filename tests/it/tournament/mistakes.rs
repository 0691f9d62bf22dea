//! Mistakes in a tournament's file, and their errors.

use std::fs;

use super::{SMALL, folder, tournament};

#[test]
fn mistakes_are_told_with_their_place() {
    for (old, new, told) in [
        (
            "blocks: 12",
            "blocks: 0",
            "blocks is 0, and must be 1 to 1000000",
        ),
        (
            "seed: 4",
            "seed: 4\nseats: 4",
            "there are 4 seats at a table, and 3 bots",
        ),
        (
            "seed: 4",
            "seed: 4\nseats: 40",
            "codelab is for 2 to 6 players here, not 40",
        ),
        ("greedy]", "random]", "two bots are named `random`"),
        ("greedy]", "greedi]", "there is no bot named `greedi`"),
        (
            "greedy]",
            "greedy]\nblokcs: 3",
            "there is no key `blokcs` here",
        ),
        ("blocks: 12\n", "", "blocks"),
        ("blocks: 12", "blocks: twelve", "twelve"),
        ("blocks: 12", "blocks: 11\nseats: 2", "a cycle has 3 blocks"),
        ("blocks: 12", "blocks: 12\ndesign: sometimes", "sometimes"),
        (
            "blocks: 12",
            "blocks: 12\ndesign: { gauntlet: [greedi] }",
            "no bot of the tournament is named `greedi`",
        ),
        (
            "blocks: 12",
            "blocks: 12\ndesign: { gauntlet: [greedy, random, outnumber] }",
            "leaves no seat",
        ),
        (
            "blocks: 12",
            "blocks: 12\nanchor: nobody",
            "no bot of the tournament is named `nobody`",
        ),
        (
            "blocks: 12",
            "blocks: 12\nbudget: 1",
            "budget is 1, and must be 1000 to 10000000",
        ),
        ("blocks: 12", "blocks: 12\nstrikes: 2000", "strikes is 2000"),
        (
            "blocks: 12",
            "blocks: 12\non_fault: shout",
            "there is no fault policy `shout`",
        ),
        ("max_turns: 30", "max_turn: 30", "max_turn"),
        ("codelab", "codelap", "codelap"),
        ("grid:3x3", "grid:0x3", "grid"),
        (
            "blocks: 12",
            "blocks: *a",
            "anchors and aliases (& and *) are not taken in a tournament",
        ),
        (
            "[random, outnumber, greedy]",
            "[random]",
            "a tournament is for 2 to 1000 bots, not 1",
        ),
    ] {
        let wrong = folder(&SMALL.replace(old, new));
        let ran = tournament(wrong.path(), "run .");
        assert_eq!(ran.code, 2, "{new}: {}", ran.out);
        let said = ran.err.replace("│ ", "");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(told), "{new}: {said}");
        assert!(!wrong.path().join("log.1-of-1.jsonl").exists(), "{new}");
    }
}

#[test]
fn shards_are_those_that_there_are() {
    let small = folder(SMALL);
    for (shard, told) in [
        ("0/3", "they are 1/3 to 3/3"),
        ("4/3", "they are 1/3 to 3/3"),
        ("1/0", "write 1/8"),
        ("x", "write 1/8"),
        ("1/20000", "at most 10000"),
    ] {
        let ran = tournament(small.path(), &format!("run . --shard {shard}"));
        assert_eq!(ran.code, 2, "{shard}");
        assert!(ran.err.contains(told), "{shard}: {}", ran.err);
    }
}

#[test]
fn a_folder_without_a_tournament_says_how_one_begins() {
    let empty = tempfile::tempdir().unwrap();
    let ran = tournament(empty.path(), "run .");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("risk-cli tournament new"), "{}", ran.err);
    for (place, told) in [
        ("nosuch", "there is no nosuch/tournament.yaml"),
        ("nosuch/cup.yaml", "there is no nosuch/cup.yaml"),
    ] {
        let ran = tournament(empty.path(), &format!("run {place}"));
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
    let small = folder(SMALL);
    let ran = tournament(small.path(), "report .");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("was played yet"), "{}", ran.err);
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
    let ran = tournament(home.path(), line);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("is there already"), "{}", ran.err);
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
        assert!(ran.err.contains("write 60s"), "{wrong}: {}", ran.err);
    }
}
