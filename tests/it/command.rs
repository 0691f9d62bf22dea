//! The program as a user runs it, from an empty folder.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{run, run_in, tiny, words};

fn json(args: &[&str]) -> Value {
    let ran = run(args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    serde_json::from_str(&ran.out).unwrap()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn one_game_is_one_document() {
    let args =
        words("play --seed 5 --format json --bot greedy --bot name=alice,bot=holder --bot odds");
    let game = json(&args);
    let wanted = words(
        "ruleset map options seed players outcome rounds turns decisions battle_rounds digest",
    );
    assert!(wanted.iter().all(|key| keys(&game).contains(key)), "{game}");
    assert_eq!(
        (
            game["ruleset"].as_str(),
            game["map"].as_str(),
            game["seed"].as_str()
        ),
        (Some("hasbro"), Some("hacker-risk"), Some("5"))
    );
    assert_eq!(
        (
            game["options"]["rounding"].as_str(),
            game["options"]["max_turns"].as_u64()
        ),
        (Some("ceil"), Some(1000))
    );
    let players = game["players"].as_array().unwrap();
    let named: Vec<_> = players
        .iter()
        .map(|player| {
            (
                player["seat"].as_u64().unwrap(),
                player["name"].as_str().unwrap(),
                player["bot"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        named,
        [
            (1, "greedy", "greedy"),
            (2, "alice", "holder"),
            (3, "odds", "odds")
        ]
    );
    assert_eq!(
        keys(&game["outcome"]),
        BTreeSet::from(["reason", "winners", "ranking"])
    );
    let ranking = game["outcome"]["ranking"].as_array().unwrap();
    assert_eq!(ranking[0]["seat"], game["outcome"]["winners"][0]);
    assert_eq!(
        keys(&ranking[0]),
        BTreeSet::from(["seat", "score", "place"])
    );
    // Totals add up: territories taken are territories lost, and decisions sum to the game's.
    let sum = |key: &str| {
        players
            .iter()
            .map(|player| player[key].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!(sum("captures"), sum("territories_lost"));
    assert_eq!(sum("armies_lost"), sum("armies_killed"));
    assert_eq!(sum("attacks"), game["battle_rounds"].as_u64().unwrap());
    assert_eq!(sum("decisions"), game["decisions"].as_u64().unwrap());
    assert_eq!(sum("territories"), 42);
    assert_eq!(game, json(&args), "the same seed gives the same document");
}

#[test]
fn many_games_are_one_document_whatever_the_threads() {
    let args = |jobs| {
        [
            "play", "--games", "60", "--seed", "5", "--format", "json", "--bot", "greedy", "--bot",
            "holder", "--bot", "odds", "--jobs", jobs,
        ]
    };
    let one = json(&args("1"));
    let wanted = words(
        "ruleset map options seed games bots by_seat by_bot_and_seat reasons rounds turns decisions battle_rounds digest",
    );
    assert!(wanted.iter().all(|key| keys(&one).contains(key)), "{one}");
    assert_eq!(one, json(&args("2")));
    assert_eq!(one, json(&args("7")));
    let bots = one["bots"].as_array().unwrap();
    assert_eq!(
        bots.iter()
            .map(|bot| bot["wins"].as_u64().unwrap())
            .sum::<u64>(),
        60
    );
    for bot in bots {
        let low = bot["interval"][0].as_f64().unwrap();
        let rate = bot["win_rate"].as_f64().unwrap();
        let high = bot["interval"][1].as_f64().unwrap();
        assert!(low < rate && rate < high, "{bot}");
    }
    // Each bot sits on each seat equally often.
    for row in one["by_bot_and_seat"].as_array().unwrap() {
        assert_eq!(row["games"].as_u64(), Some(20), "{row}");
    }
    assert_eq!(
        keys(&one["rounds"]),
        BTreeSet::from(["mean", "median", "p5", "p95"])
    );
}

fn digest(document: &Value) -> u64 {
    u64::from_str_radix(document["digest"].as_str().unwrap(), 16).unwrap()
}

/// Returns the digest of a match, from the digests of its games in order.
fn digest_of(games: impl Iterator<Item = u64>) -> u64 {
    // The finalizer of SplitMix64.
    let mix = |word: u64| {
        let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    };
    games.fold(0, |all, game| mix(all ^ game).rotate_left(17))
}

#[test]
fn a_game_of_a_match_can_be_played_alone() {
    let of_match = |first| {
        json(&[
            "play",
            "--games",
            "2",
            "--first",
            first,
            "--seed",
            "5",
            "--format",
            "json",
            "--option",
            "max_turns=9",
        ])
    };
    let alone = |first| {
        json(&[
            "play",
            "--first",
            first,
            "--seed",
            "5",
            "--format",
            "json",
            "--option",
            "max_turns=9",
        ])
    };
    for (first, second) in [("0", "1"), ("7", "8")] {
        let of_match = of_match(first);
        let games = [alone(first), alone(second)];
        let decisions = games.iter().map(|game| game["decisions"].as_u64().unwrap());
        assert_eq!(of_match["decisions"].as_u64(), Some(decisions.sum()));
        assert_eq!(digest(&of_match), digest_of(games.iter().map(digest)));
    }
    assert_eq!(alone("1")["players"][0]["name"], "odds");
}

#[test]
fn seats_can_be_fixed_or_drawn() {
    let games = |seats| {
        let out = json(&[
            "play",
            "--games",
            "40",
            "--seed",
            "5",
            "--format",
            "json",
            "--option",
            "max_turns=3",
            "--seats",
            seats,
        ]);
        let counts = out["by_bot_and_seat"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["games"].as_u64().unwrap());
        counts.collect::<Vec<_>>()
    };
    assert_eq!(games("fixed"), [40, 0, 0, 0, 40, 0, 0, 0, 40]);
    let drawn = games("shuffle");
    assert!(
        drawn.iter().all(|&count| (4..30).contains(&count)),
        "{drawn:?}"
    );
}

#[test]
fn odds_are_a_document_too() {
    let odds = json(&["odds", "5", "3", "--format", "json"]);
    let wanted = [
        "attackers",
        "defenders",
        "capture",
        "attackers_left",
        "attackers_left_given_capture",
        "defenders_left",
    ];
    assert!(wanted.iter().all(|key| keys(&odds).contains(key)), "{odds}");
    assert!(
        (odds["capture"].as_f64().unwrap() - 208_367_138_941_435.0 / 270_826_551_115_776.0).abs()
            < 1e-12
    );
}

#[test]
fn the_story_is_told_to_a_pipe_without_colour() {
    let ran = run(&["play", "--seed", "7"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
    assert!(
        ran.out
            .lines()
            .all(|line| unicode_width::UnicodeWidthStr::width(line) <= 80),
        "a pipe is taken for a terminal of 80 columns"
    );
}

#[test]
fn quiet_tells_the_result_alone() {
    let ran = run(&["play", "--seed", "7", "--quiet"]);
    assert!(
        ran.out.contains(" wins: ") && !ran.out.contains("Round 1"),
        "{}",
        ran.out
    );
    assert!(ran.out.lines().count() < 20);
}

#[test]
fn a_seed_is_chosen_and_printed_and_repeats_the_game() {
    let first = run(&["play", "--quiet"]);
    let seed = first
        .out
        .lines()
        .next()
        .unwrap()
        .rsplit(' ')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(run(&["play", "--quiet", "--seed", &seed]).out, first.out);
}

#[test]
fn lists_name_what_is_built_in() {
    for (args, expected) in [
        (&["map", "list"][..], &["hacker-risk", "world"][..]),
        (&["ruleset", "list"], &["hasbro"]),
        (
            &["bot", "list"],
            &[
                "random",
                "outnumber",
                "odds",
                "holder",
                "greedy",
                "dice-roller",
                "turtle",
                // The end of a description of two lines.
                "what fog hides;",
            ],
        ),
        (&["map", "lints"], &["disconnected-map", "one-way-border"]),
        (
            &["ruleset", "show", "hasbro"],
            &[
                "rounding",
                "sixth_set",
                "forced_trade_at",
                "max_turns",
                "recycle",
                "attack",
            ],
        ),
        (
            &["ruleset", "show", "hasbro", "--source"],
            &["fn set_value(traded)"],
        ),
        (
            &["ruleset", "api"],
            &[
                "g.capture(from: int, to: int, armies: int)\n",
                "g.owner(at: int) -> int",
                "out.offer(verb: int, a: any)",
            ],
        ),
        (
            &["ruleset", "api", "--surface", "view"],
            &[
                "view.threat(at: int) -> int",
                "ask.len -> int",
                "ask.random() -> action",
            ],
        ),
        (&["map", "show", "world"], &["83 borders", "kamchatka"]),
        (&["ruleset", "check", "hasbro"], &["hasbro: fine"]),
        (
            &["bot", "check", "greedy", "turtle", "dice-roller"],
            &["greedy: fine", "turtle: fine", "dice-roller: fine"],
        ),
        (
            &["map", "validate", "world", "hacker-risk"],
            &["world: valid: 42 territories, 83 borders, 6 continents"],
        ),
        (&[], &["risk-cli play", "--bot human"]),
    ] {
        let ran = run(args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
        for name in expected {
            assert!(ran.out.contains(name), "{args:?}: {name}\n{}", ran.out);
        }
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let binary = assert_cmd::cargo::cargo_bin("risk-cli");
    let mut child = Command::new(binary)
        .args([
            "play", "--seed", "1", "--bot", "random", "--bot", "random", "--bot", "random",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(first, "hasbro on hacker-risk, seed 1\n");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn a_ruleset_of_three_lines_is_a_game() {
    let folder = tiny();
    let text = "fn ruleset() { #{ extends: \"hasbro\", name: \"short\", options: #{ max_turns: 6 } } }\nfn attack_dice(armies) { 1 }\n";
    std::fs::write(folder.path().join("short.rhai"), text).unwrap();
    let args = [
        "play",
        "--quiet",
        "--ruleset",
        "./short.rhai",
        "--map",
        "./tiny.yaml",
        "--seed",
        "1",
        "--record",
        "r.jsonl",
    ];
    let ran = run_in(folder.path(), &args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let record = std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    let attacks: Vec<&str> = record
        .lines()
        .filter(|line| line.contains("\"attack "))
        .collect();
    assert!(
        !attacks.is_empty() && attacks.iter().all(|line| line.contains(" 1\",\"sum\"")),
        "one die at the most: {attacks:?}"
    );
    assert_eq!(
        run_in(folder.path(), &["replay", "r.jsonl", "--verify"]).code,
        0
    );
    std::fs::write(folder.path().join("short.rhai"), format!("{text}\n")).unwrap();
    assert_eq!(run_in(folder.path(), &["replay", "r.jsonl"]).code, 2);
}

#[test]
fn scripts_import_from_their_own_folder() {
    let folder = tiny();
    std::fs::write(
        folder.path().join("help.rhai"),
        "fn pick(ask) { ask.nth(0) }",
    )
    .unwrap();
    std::fs::write(
        folder.path().join("first.rhai"),
        "import \"help\" as help;\nconst NOTHING = 0;\nfn answer(view, ask) { help::pick(ask) }",
    )
    .unwrap();
    let args = words(
        "play --quiet --map ./tiny.yaml --seed 1 --bot ./first.rhai --option max_turns=5 --format json",
    );
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let game: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(game["players"][0]["faults"].as_u64(), Some(0), "{game}");
}

#[test]
fn a_ruleset_calls_what_it_extends() {
    let folder = tiny();
    let text = "fn ruleset() { #{ extends: \"hasbro\", name: \"loud\" } }
fn on_eliminated(g, me, foe) { g.say(me, \"takes all\"); base::on_eliminated(g, me, foe); }
";
    std::fs::write(folder.path().join("loud.rhai"), text).unwrap();
    let ran = run_in(
        folder.path(),
        &[
            "play",
            "--ruleset",
            "./loud.rhai",
            "--map",
            "./tiny.yaml",
            "--seed",
            "3",
            "--bot",
            "outnumber",
            "--bot",
            "outnumber",
            "--bot",
            "outnumber",
        ],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("takes all"), "{}", ran.out);
}
