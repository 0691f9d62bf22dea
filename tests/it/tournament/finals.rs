//! Finals: the best bots play on, in games of their own.

use std::fs;

use super::{folder, out, tournament};

/// Five bots in pairs, then the best three at one table.
const LEAGUE: &str = "ruleset: codelab\nmap: grid:3x3\noptions: { max_turns: 30 }\nseats: 2\nblocks: 20\nseed: 4\ndesign: all\nbots: [random, outnumber, greedy, holder, turtle]\nfinals: { best: 3, seats: 3, blocks: 12 }\n";

fn finals_log(folder: &std::path::Path) -> String {
    fs::read_to_string(folder.join("finals/log.1-of-1.jsonl")).unwrap()
}

#[test]
fn the_best_play_on_in_other_games() {
    let held = folder(LEAGUE);
    let ran = tournament(held.path(), "run . -j 2");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: serde_json::Value = serde_json::from_str(&out(held.path())[2].1).unwrap();
    let name = |bot: &serde_json::Value| bot["name"].as_str().unwrap().to_owned();
    let first: Vec<String> = report["bots"]
        .as_array()
        .unwrap()
        .iter()
        .map(name)
        .collect();
    let finals = &report["finals"];
    let mut last: Vec<String> = finals["bots"]
        .as_array()
        .unwrap()
        .iter()
        .map(name)
        .collect();
    let mut best = first[..3].to_vec();
    last.sort();
    best.sort();
    assert_eq!(last, best);
    assert_eq!(finals["parts"]["seed"], "4-finals");
    assert_eq!(finals["parts"]["finals of"], report["plan"]);
    assert_eq!(finals["games"], 36);
    assert_eq!(report["games"], 40, "games of the finals count there alone");
    let told = format!("in the finals: {}", first[..3].join(", "));
    assert!(ran.out.contains(&told), "{}", ran.out);
    assert!(
        ran.out
            .contains("finals of codelab on grid:3x3, seed 4-finals")
    );

    // Their games are those of a tournament of these three with this seed.
    let text = LEAGUE
        .replace("seats: 2", "seats: 3")
        .replace("blocks: 20\nseed: 4", "blocks: 12\nseed: 4-finals")
        .replace(
            "random, outnumber, greedy, holder, turtle",
            &first[..3].join(", "),
        );
    let alone = folder(text.split("\nfinals:").next().unwrap());
    tournament(alone.path(), "run . -q");
    assert_eq!(out(alone.path())[0], out(&held.path().join("finals"))[0]);

    // Cut logs are completed to the same text.
    let log = finals_log(held.path());
    let cut = held.path().join("finals/log.1-of-1.jsonl");
    fs::write(&cut, &log[..log.len() / 2]).unwrap();
    let again = tournament(held.path(), "run . -j 1");
    assert_eq!(again.out, ran.out);
    assert_eq!(finals_log(held.path()), log);

    let page = tournament(held.path(), "report . --html page.html --format csv");
    assert_eq!(page.code, 0, "{}", page.err);
    let page = fs::read_to_string(held.path().join("page.html")).unwrap();
    assert_eq!(page.matches("<h1>").count(), 2);
    assert!(page.contains("<h1>Finals of codelab on grid:3x3</h1>"));
}

#[test]
fn finals_in_shards_wait_for_the_first_stage() {
    let whole = folder(LEAGUE);
    let said = tournament(whole.path(), "run .").out;
    let held = folder(LEAGUE);
    let ran = tournament(held.path(), "run . --finals --shard 1/2");
    ran.refuses(2, "tournament::empty");
    assert_eq!(tournament(held.path(), "run . --shard 1/2").code, 0);
    let ran = tournament(held.path(), "run . --finals --shard 1/2");
    assert_eq!(ran.code, 5, "{}", ran.err);
    assert!(ran.err.contains("blocks 1, 3, 5"), "{}", ran.err);
    assert!(!held.path().join("finals").exists());
    assert_eq!(tournament(held.path(), "run . --shard 2/2").code, 0);
    let ran = tournament(held.path(), "merge .");
    assert_eq!(ran.code, 5, "{}", ran.err);
    assert!(ran.err.contains("12 blocks of the finals"), "{}", ran.err);
    assert_eq!(
        tournament(held.path(), "run . --finals --shard 2/2").code,
        0
    );
    let ran = tournament(held.path(), "merge .");
    assert_eq!(ran.code, 5);
    assert!(ran.err.contains("8, 10 of the finals"), "{}", ran.err);
    assert_eq!(
        tournament(held.path(), "run . --finals --shard 1/2").code,
        0
    );
    let ran = tournament(held.path(), "merge .");
    assert_eq!((ran.code, ran.out), (0, said));
    assert_eq!(out(held.path()), out(whole.path()));
    let finals = |folder: &std::path::Path| out(&folder.join("finals"));
    assert_eq!(finals(held.path()), finals(whole.path()));
}

#[test]
fn invalid_finals_are_refused() {
    for (finals, code, column) in [
        ("best: 5, blocks: 12", "tournament::finals-best", 9),
        ("best: 1, blocks: 12", "tournament::finals-best", 9),
        (
            "best: 3, blocks: 12, seats: 4",
            "tournament::finals-seats",
            9,
        ),
        (
            "best: 3, blocks: 12, seats: 1",
            "tournament::finals-seats",
            9,
        ),
        ("best: 3, blocks: 12, seed: 4", "tournament::finals-seed", 9),
        ("best: 3, blocks: 0", "tournament::finals-blocks", 9),
        (
            "best: 3, blocks: 11, seats: 2",
            "tournament::ragged-cycle",
            9,
        ),
        ("best: 3, blocks: 12, bots: 2", "tournament::syntax", 32),
    ] {
        let wrong = folder(&LEAGUE.replace("best: 3, seats: 3, blocks: 12", finals));
        let ran = tournament(wrong.path(), "run .");
        ran.refuses(2, code);
        let place = format!("./tournament.yaml:9:{column}");
        assert_eq!(ran.places(), [place], "{finals}");
    }
    let none = folder(super::SMALL);
    tournament(none.path(), "run . --finals").refuses(2, "tournament::no-finals");
}
