//! The program's output about games of the shipped rulesets.

use risk_maps::files::FileKind;
use risk_testing::by_case::runs_every_case;

use crate::support::{self, library, run, run_in, setup, words};

#[test]
fn two_players_need_the_option() {
    let ran = crate::support::run(&["play", "--quiet", "--seed", "1", "--players", "2"]);
    ran.refuses(2, "ruleset::players");
    let ran = crate::support::run(&[
        "play",
        "--quiet",
        "--seed",
        "1",
        "--players",
        "2",
        "--option",
        "two_players=true",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn grids_have_eight_neighbours_or_four() {
    let eight = crate::support::board("grid:5x5");
    let four = crate::support::board("grid:5x5:4");
    assert_eq!((eight.border_count(), four.border_count()), (72, 40));
    let ran = crate::support::run(&words(
        "play --ruleset simplified --option neighbourhood=4 --seed 1 --quiet",
    ));
    assert!(
        ran.out.starts_with("simplified on grid:5x5:4, seed 1"),
        "{}",
        ran.out
    );
    for wrong in [
        "grid:5",
        "grid:0x5",
        "grid:1x1",
        "grid:100x100",
        "grid:5x5:6",
        "grid:axb",
    ] {
        let ran = crate::support::run(&["map", "show", wrong]);
        ran.refuses(2, "map::made");
    }
}

#[test]
fn every_ruleset_is_walked_and_records_replay() {
    assert_eq!(
        library().names(FileKind::Ruleset),
        [
            "capital",
            "codelab",
            "fog",
            "hasbro",
            "missions",
            "scored",
            "simplified",
            "starwars",
            "syncs2024",
            "teams",
            "warlight1",
            "warlight2",
            "warzone"
        ]
    );
    let games = if runs_every_case() { "10" } else { "3" };
    for ruleset in library().names(FileKind::Ruleset) {
        let folder = support::tiny();
        let mut args = vec![
            "play",
            "--quiet",
            "--ruleset",
            ruleset,
            "--seed",
            "4",
            "--record",
            "r.jsonl",
        ];
        let bots = ["random-action", "greedy", "outnumber"];
        let (least, most) = risk_engine::load_ruleset(library(), ruleset)
            .unwrap()
            .manifest
            .players;
        let count = bots.len().clamp(least, most);
        args.extend(
            bots.iter()
                .cycle()
                .take(count)
                .flat_map(|bot| ["--bot", bot]),
        );
        let ran = support::run_in(folder.path(), &args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ruleset}");
        let ran = support::run_in(folder.path(), &["replay", "r.jsonl", "--verify"]);
        assert_eq!(
            (ran.code, ran.err.as_str()),
            (0, ""),
            "{ruleset}: {}",
            ran.out
        );
        let ran = support::run_in(
            folder.path(),
            &[
                "play",
                "--ruleset",
                ruleset,
                "--games",
                games,
                "--seed",
                "1",
                "--format",
                "json",
            ],
        );
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ruleset}");
        // Star Wars has no fight to the end.
        let code = if ruleset == "starwars" { 2 } else { 0 };
        assert_eq!(
            support::run_in(folder.path(), &["odds", "5", "3", "--ruleset", ruleset]).code,
            code,
            "{ruleset}"
        );
    }
}

#[test]
fn the_record_the_result_and_the_command_that_repeats_a_game_name_the_preset() {
    let folder = tempfile::tempdir().unwrap();
    let line = "play --seed 1 --option preset=upstream --option sixth_set=20 --option max_turns=9 --record r.jsonl --format json";
    let ran = run_in(folder.path(), &words(line));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("\"preset\": \"upstream\"") && ran.out.contains("\"sixth_set\": 20"),
        "{}",
        ran.out
    );
    let record = std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    let header = record.lines().next().unwrap();
    assert!(
        header.contains("\"preset\":\"upstream\"") && header.contains("\"recycle\":\"false\""),
        "{header}"
    );
    let verified = run_in(folder.path(), &words("replay r.jsonl --verify"));
    assert_eq!(verified.code, 0, "{}", verified.err);
    let setup = setup(
        "hasbro",
        None,
        &["random"; 3],
        1,
        &[("sixth_set", "20"), ("preset", "upstream")],
    );
    let command = setup.command(0);
    assert!(
        command.contains("--option preset=upstream --option sixth_set=20 --seed"),
        "{command}"
    );
}

#[test]
fn presets_are_checked_when_they_are_declared() {
    let folder = tempfile::tempdir().unwrap();
    for (presets, code, column, name) in [
        (
            "#{ old: #{ sixth_set: -1 } }",
            "ruleset::value",
            69,
            "`sixth_set`",
        ),
        (
            "#{ old: #{ sixthset: 1 } }",
            "ruleset::unknown-key",
            69,
            "`sixthset`",
        ),
        (
            "#{ \"An Old One\": #{ sixth_set: 1 } }",
            "ruleset::name",
            61,
            "`An Old One`",
        ),
        ("7", "ruleset::value", 49, "`presets`"),
    ] {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"hasbro\", name: \"p\", presets: {presets} }} }}\n"
        );
        std::fs::write(folder.path().join("p.rhai"), text).unwrap();
        let ran = run_in(folder.path(), &words("ruleset show ./p.rhai"));
        ran.refuses(2, code);
        assert_eq!(ran.places(), [format!("./p.rhai:1:{column}")]);
        assert!(ran.err.contains(name), "{presets}: {}", ran.err);
    }
}

/// The bot that played answers the same when asked again at any decision, and no output says that
/// it goes on with a plan.
#[test]
fn who_is_asked_again_draws_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let line = "play --quiet --seed 4 --ruleset codelab --map grid:16x16 -o max_turns=8 \
                --bot random --bot random --record g.jsonl";
    let ran = run_in(folder.path(), &words(line));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let record = std::fs::read_to_string(folder.path().join("g.jsonl")).unwrap();
    let answers: Vec<&str> = record
        .lines()
        .filter_map(|line| Some(line.split_once("\"say\":\"")?.1.split_once('"')?.0))
        .collect();
    assert!(answers.len() > 200, "{}", answers.len());
    for number in [1, 2, 3, 50, 51, 120, 199] {
        let line = format!("replay g.jsonl --at {number} --bot random");
        let ran = run_in(folder.path(), &words(&line));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let recorded = answers[number - 1];
        let said = ran.out.matches(recorded).count();
        assert!(said >= 2, "{number}: {recorded}\n{}", ran.out);
        assert!(ran.out.contains("0 of 300000"), "{}", ran.out);
    }
}

/// With fewer attackers allowed, a card has more plans than an array has room for.
#[test]
fn the_admiral_plays_where_plans_are_too_many_to_list() {
    for seed in 1..=3 {
        let line = format!(
            "play --quiet --ruleset starwars --option preset=upstream --option attackers=up_to_all \
             --bot admiral --bot admiral --seed {seed}"
        );
        let ran = run(&words(&line));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.codes(), Vec::<&str>::new(), "{}", ran.err);
    }
}

#[test]
fn a_ruleset_that_is_told_of_the_end_says_what_happens_then() {
    let folder = tempfile::tempdir().unwrap();
    let text = "fn ruleset() { #{ extends: \"codelab\", name: \"x\", phases: #{ turn_end: standard(\"next_turn\", #{ exhausted: true }) } } }\n";
    std::fs::write(folder.path().join("x.rhai"), text).unwrap();
    let ran = run_in(folder.path(), &words("play --ruleset ./x.rhai"));
    ran.refuses(2, "ruleset::missing-hook");
    for name in ["`exhausted`", "`turn_end`", "on_exhausted(g)"] {
        assert!(ran.err.contains(name), "{name}: {}", ran.err);
    }
}
