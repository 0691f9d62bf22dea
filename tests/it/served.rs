//! `bot serve`: bots as servers, asked by a test client and by our own arena.

mod answers;
mod arenas;

use serde_json::Value;

use crate::programs::Program;
use crate::support::{run_in, without_sum, words};

/// Whole games at one table: every shipped bot as a server, in each encoding, without a fault.
#[test]
fn our_bots_play_as_servers() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["random", "outnumber", "odds", "holder", "greedy", "planner"];
    let served: Vec<Program> = bots
        .iter()
        .map(|bot| Program::bot(folder.path(), bot))
        .collect();
    let mut line =
        "play --format json --quiet --seed 4 --option max_turns=60 --record g.jsonl".to_owned();
    for (index, (bot, served)) in bots.iter().zip(&served).enumerate() {
        let encoding = ["form", "raw", "wrapped"][index % 3];
        line.push_str(&format!(
            " --bot name={bot},bot=http://{},encoding={encoding}",
            served.address
        ));
    }
    let ran = run_in(folder.path(), &words(&line));
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    for player in value["players"].as_array().unwrap() {
        assert_eq!(player["faults"], 0, "{player}\n{}", ran.err);
    }
    assert!(value["decisions"].as_u64().unwrap() > 300);
    assert_eq!(
        run_in(folder.path(), &words("replay g.jsonl --verify")).code,
        0
    );
}

/// A bot that decides with each attack how many armies move in: served or not, it plays the same
/// game.
const COMMITS: &str = r#"
fn claim(view, ask) { ask.nth(0) }
fn muster(view, ask) { ask.nth(ask.len - 1) }
fn trade(view, ask) { ask.nth(0) }
fn deploy(view, ask) {
    for at in view.fronts { return ask.act("place", at, view.get("reserve")); }
    ask.act("place", view.owned[0], view.get("reserve"))
}
fn attack(view, ask) {
    for option in ask.most("attack") {
        let armies = view.armies(option.from);
        if armies > view.armies(option.to) + 1 {
            return [option, ask.act("move", option.from, option.to, armies - 1 - option.dice)];
        }
    }
    ask.act("done")
}
fn occupy(view, ask) { ask.nth(0) }
fn fortify(view, ask) { ask.act("done") }
"#;

#[test]
fn a_served_bot_plays_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("commits.rhai"), COMMITS).unwrap();
    let play = "play --quiet --seed 21 --option max_turns=60 --option card_sets=exact --record";
    let here = "--bot name=a,bot=./commits.rhai --bot name=b,bot=./commits.rhai --bot name=c,bot=./commits.rhai";
    let ran = run_in(folder.path(), &words(&format!("{play} here.jsonl {here}")));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let served = Program::bot(folder.path(), "./commits.rhai");
    let at = format!("bot=http://{}", served.address);
    let there = format!(
        "--bot name=a,{at} --bot name=b,{at},encoding=raw --bot name=c,{at},encoding=wrapped"
    );
    let ran = run_in(
        folder.path(),
        &words(&format!("{play} there.jsonl {there}")),
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let read = |file: &str| {
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
        text.lines()
            .skip(1)
            .map(|line| without_sum(line).to_owned())
            .collect::<Vec<_>>()
    };
    let here = read("here.jsonl");
    let there = read("there.jsonl");
    assert!(here.len() > 300, "{}", here.len());
    assert_eq!(here, there);
}

#[test]
fn what_can_not_be_served_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("bad.rhai"),
        "fn answer(view, ask) { ask.randm() }",
    )
    .unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for (line, code, word) in [
        ("nobody --port 0", "load::unknown", "`nobody`"),
        ("./bad.rhai --port 0", "script::unknown-function", "`randm`"),
        (
            "greedy --port 0 --ruleset warzone",
            "serve::protocol",
            "warzone",
        ),
        (
            "http://127.0.0.1:1 --port 0",
            "bot::serve",
            "http://127.0.0.1:1",
        ),
        (
            &*format!("greedy --port {port}"),
            "serve::listen",
            "127.0.0.1",
        ),
    ] {
        let ran = run_in(folder.path(), &words(&format!("bot serve {line}")));
        ran.refuses(2, code);
        assert!(ran.err.contains(word), "{line}: {}", ran.err);
    }
}
