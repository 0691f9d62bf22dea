//! Mistakes in tournaments, comparisons, balance tests and tuning.

use std::fs;
use std::path::Path;

use super::{Row, Session, check, sessions};
use crate::support::{RunOutput, run_in, words};

const SMALL: &str = "ruleset: codelab\nmap: grid:3x3\noptions: { max_turns: 30 }\nblocks: 12\nseed: 4\nbots: [random, outnumber, greedy]\n";

/// Names, texts of the small tournament, and their replacements.
const VALUES: &[(&str, &str, &str)] = &[
    ("no blocks", "blocks: 12", "blocks: 0"),
    ("blocks in words", "blocks: 12", "blocks: twelve"),
    ("an alias", "blocks: 12", "blocks: *a"),
    ("a missing key", "blocks: 12\n", ""),
    ("a misspelled key", "greedy]", "greedy]\nblokcs: 3"),
    ("more seats than bots", "seed: 4", "seed: 4\nseats: 4"),
    ("too many seats", "seed: 4", "seed: 4\nseats: 40"),
    ("part of a cycle", "blocks: 12", "blocks: 11\nseats: 2"),
    ("a low budget", "blocks: 12", "blocks: 12\nbudget: 1"),
    (
        "too many strikes",
        "blocks: 12",
        "blocks: 12\nstrikes: 2000",
    ),
    (
        "an unknown policy",
        "blocks: 12",
        "blocks: 12\non_fault: shout",
    ),
    ("an invalid clock", "blocks: 12", "blocks: 12\nclock: soon"),
    (
        "an unknown design",
        "blocks: 12",
        "blocks: 12\ndesign: sometimes",
    ),
];

const NAMES: &[(&str, &str, &str)] = &[
    ("one bot", "[random, outnumber, greedy]", "[random]"),
    ("a bot twice", "greedy]", "random]"),
    ("a misspelled bot", "greedy]", "greedi]"),
    (
        "a gauntlet of a misspelled bot",
        "blocks: 12",
        "blocks: 12\ndesign: { gauntlet: [greedi] }",
    ),
    (
        "an empty gauntlet",
        "blocks: 12",
        "blocks: 12\ndesign: { gauntlet: [] }",
    ),
    (
        "a gauntlet of all bots",
        "blocks: 12",
        "blocks: 12\ndesign: { gauntlet: [greedy, random, outnumber] }",
    ),
    (
        "an unknown anchor",
        "blocks: 12",
        "blocks: 12\nanchor: nobody",
    ),
];

const FINALS: &[(&str, &str)] = &[
    ("finals of all bots", "best: 3, blocks: 12"),
    ("finals of one bot", "best: 1, blocks: 12"),
    (
        "too many seats in the finals",
        "best: 2, blocks: 12, seats: 3",
    ),
    ("finals under the same seed", "best: 2, blocks: 12, seed: 4"),
    ("finals without blocks", "best: 2, blocks: 0"),
    ("a misspelled key of the finals", "best: 2, bloks: 12"),
];

fn run(name: &'static str, text: String) -> Row<'static> {
    Row {
        name,
        files: vec![("tournament.yaml", text)],
        args: &["tournament", "run", "."],
    }
}

#[test]
fn mistakes_in_tournaments() {
    let values = [VALUES, NAMES].concat();
    let values = values
        .into_iter()
        .map(|(name, old, new)| run(name, SMALL.replace(old, new)));
    let finals = FINALS.iter().map(|&(name, finals)| {
        let finals = format!("{SMALL}finals: {{ {finals} }}\n");
        run(name, finals)
    });
    let rows: Vec<_> = values.chain(finals).collect();
    insta::assert_snapshot!(check(&rows));
}

const FILE: &[(&str, &str)] = &[("tournament.yaml", SMALL)];
/// Two bots with clocks, whose games are not reproducible.
const TIMED: &str = "ruleset: codelab\nmap: grid:3x3\noptions: { max_turns: 5 }\nblocks: 2\nseed: 4\nclock: move=1s\nbots: [random, greedy]\n";
const WRONG_SUM: &str = "{\"plan\":\"x\",\"sum\":\"0123456789abcdef\"}\n{}\n";

const ARGUMENTS: &[(&str, &[&str])] = &[
    ("a shard of number 0", &["tournament run . --shard 0/3"]),
    ("too many shards", &["tournament run . --shard 1/20000"]),
    ("no shard", &["tournament run . --shard x"]),
    ("a time without a unit", &["tournament plan . --chunk 60"]),
    ("no tournament", &["tournament run nosuch"]),
    ("an existing file", &["tournament new . --ruleset codelab"]),
    (
        "a new tournament with part of a cycle",
        &["tournament new cup -r codelab -b random -b odds -b greedy --seats 2 --blocks 100"],
    ),
    ("no finals", &["tournament run . --finals"]),
    ("a report without games", &["tournament report ."]),
    ("a replay without games", &["tournament verify ."]),
];

#[test]
fn mistakes_in_arguments_of_tournaments() {
    let all = ARGUMENTS.iter().map(|&(name, commands)| Session {
        name,
        files: FILE,
        commands,
        ..Session::default()
    });
    insta::assert_snapshot!(sessions(&all.collect::<Vec<_>>()));
}

/// A report on a folder with these files.
const fn report(
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
) -> Session<'static> {
    Session {
        name,
        files,
        commands: &["tournament report ."],
        typed: "",
    }
}

const DAMAGED: &[Session<'_>] = &[
    report(
        "a log without checksums",
        &[("tournament.yaml", SMALL), (LOG, "{}\n{}\n")],
    ),
    report(
        "a log with a wrong checksum",
        &[("tournament.yaml", SMALL), (LOG, WRONG_SUM)],
    ),
    report(
        "a folder in place of a log",
        &[("tournament.yaml", SMALL), ("log.1-of-1.jsonl/x", "")],
    ),
    report(
        "a damaged plan",
        &[("tournament.yaml", SMALL), ("plan.json", "{}")],
    ),
    Session {
        name: "another seed",
        files: &[("a.yaml", SMALL), ("b.yaml", OTHER_SEED)],
        commands: &[
            "tournament run a.yaml -q",
            "tournament merge a.tournament -o b.yaml",
        ],
        typed: "",
    },
    Session {
        name: "games with clocks and without records",
        files: &[("tournament.yaml", TIMED)],
        commands: &["tournament run . -q", "tournament verify ."],
        typed: "",
    },
];

#[test]
fn damaged_folders_of_tournaments() {
    insta::assert_snapshot!(sessions(DAMAGED));
}

const OTHER_SEED: &str = "ruleset: codelab\nmap: grid:3x3\noptions: { max_turns: 30 }\nblocks: 12\nseed: 5\nbots: [random, outnumber, greedy]\n";

const LOG: &str = "log.1-of-1.jsonl";

/// Plays one block of the small tournament, edits its log, and runs a command.
fn with_edited_log(edit: impl Fn(&Path, &mut serde_json::Value), line: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let text = SMALL.replace("blocks: 12", "blocks: 1");
    fs::write(path.join("tournament.yaml"), text).unwrap();
    let ran = run_in(path, &words("tournament run . -q"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let log = fs::read_to_string(path.join(LOG)).unwrap();
    let (body, _) = log.rsplit_once(",\"sum\"").unwrap();
    let mut block = serde_json::from_str(&format!("{body}}}")).unwrap();
    edit(path, &mut block);
    fs::write(path.join(LOG), with_sum(&block)).unwrap();
    shown(line, &run_in(path, &words(line)))
}

/// Returns a block as a line of a log.
fn with_sum(block: &serde_json::Value) -> String {
    let text = serde_json::to_string(block).unwrap();
    let body = text.strip_suffix('}').unwrap();
    let sum = risk_engine::record::sum("", body);
    format!("{body},\"sum\":\"{sum}\"}}\n")
}

fn shown(line: &str, ran: &RunOutput) -> String {
    assert_ne!(ran.code, 101, "{}", ran.err);
    format!(
        "$ risk-cli {line}\n{}{}exit code {}\n",
        ran.err, ran.out, ran.code
    )
}

const DIGEST: &str = "0123456789abcdef";
const OTHER_DIGEST: &str = "fedcba9876543210";

#[test]
fn a_game_that_the_plan_excludes() {
    let shown = with_edited_log(
        |_, block| block["games"][0]["winners"] = serde_json::json!([9]),
        "tournament report .",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn a_block_with_two_results() {
    let twice = |path: &Path, block: &mut serde_json::Value| {
        block["games"][0]["digest"] = OTHER_DIGEST.into();
        fs::write(path.join("log.1-of-2.jsonl"), with_sum(block)).unwrap();
        block["games"][0]["digest"] = DIGEST.into();
    };
    insta::assert_snapshot!(with_edited_log(twice, "tournament report ."));
}

#[test]
fn a_game_with_another_number_of_turns() {
    let longer = |_: &Path, block: &mut serde_json::Value| {
        let turns = block["games"][0]["turns"].as_u64().unwrap();
        block["games"][0]["turns"] = (turns + 1).into();
    };
    insta::assert_snapshot!(with_edited_log(longer, "tournament verify ."));
}

#[test]
fn a_log_in_use() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tournament.yaml"), SMALL).unwrap();
    let file = fs::File::create(folder.path().join(LOG)).unwrap();
    file.lock().unwrap();
    let line = "tournament run .";
    insta::assert_snapshot!(shown(line, &run_in(folder.path(), &words(line))));
}

const TESTS: &[&str] = &[
    "compare outnumber random --ruleset codelab --d0 0.1 --d1 0.05",
    "compare outnumber random --ruleset codelab --alpha 0.5",
    "compare outnumber random --ruleset codelab --max-blocks 11",
    "compare outnumber random --ruleset codelab --filler odds,odds,odds,odds,odds",
    "compare outnumber random --teams",
    "balance --ruleset codelab --sweep max_turns",
    "balance --ruleset codelab --sweep max_turns=10,20 --option max_turns=30",
    "balance --ruleset codelab --sweep map=duel --map duel",
    MANY,
    "balance --ruleset codelab --alpha 0.7",
    "balance --ruleset codelab --tolerance 0",
    "balance --ruleset codelab --players 9",
    "balance --ruleset codelab --players 3 --bot random --bot greedy",
    "balance --ruleset codelab --games 5",
    "tune random --ruleset codelab",
    "tune ./mine.rhai --ruleset codelab",
    "tune bot=./tuned.rhai,set.edge=3 --ruleset codelab",
];

/// 1,024 combinations.
const MANY: &str = "balance --ruleset codelab --sweep a=1,2,3,4 --sweep b=1,2,3,4 --sweep c=1,2,3,4 --sweep d=1,2,3,4 --sweep e=1,2,3,4";
const MINE: &str = "fn answer(view, ask) { ask.random() }\n";
const TUNED: &str = "fn settings() { #{ edge: #{ value: 2, range: 0..=9 } } }\nfn answer(view, ask) { ask.nth(EDGE - EDGE) }\n";

#[test]
fn mistakes_in_tests_of_bots() {
    let all = TESTS.iter().map(|line| Session {
        name: line.split(' ').next().unwrap(),
        files: &[("mine.rhai", MINE), ("tuned.rhai", TUNED)],
        commands: std::slice::from_ref(line),
        ..Session::default()
    });
    insta::assert_snapshot!(sessions(&all.collect::<Vec<_>>()));
}

/// A ruleset whose games end only by conquest, with a hook that random play doesn't reach.
const ENDLESS: &str = "fn ruleset() { #{ extends: \"hasbro\", name: \"mine\", max_turns: 0 } }\nfn on_fault_out(g, who) { }\n";

#[test]
fn warnings_of_games_with_a_ruleset() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.rhai"), ENDLESS).unwrap();
    let ran = run_in(folder.path(), &words("ruleset check ./r.rhai --games 1"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    insta::assert_snapshot!(ran.err);
}
