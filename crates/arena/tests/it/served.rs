//! `bot serve`: bots as servers, asked by a test client and by our own arena.

use risk_testing::games::{recorded, without_sum};

use crate::server::Server;
use crate::server::{setup, verified};
use risk_engine::Worker;

/// Whole games at one table: every shipped bot as a server, in each encoding, without a fault.
#[test]
fn our_bots_play_as_servers() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["random", "outnumber", "odds", "holder", "greedy", "planner"];
    let served: Vec<Server> = bots
        .iter()
        .map(|bot| Server::bot(folder.path(), bot))
        .collect();
    let specs: Vec<String> = bots
        .iter()
        .zip(&served)
        .enumerate()
        .map(|(index, (bot, served))| {
            let encoding = ["form", "raw", "wrapped"][index % 3];
            format!(
                "name={bot},bot=http://{},encoding={encoding}",
                served.address
            )
        })
        .collect();
    let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
    let setup = setup("hasbro", None, &specs, 4, &[("max_turns", "60")]);
    let (finished, record) = recorded(&mut Worker::new(&setup).unwrap(), 0);
    assert!(finished.outcome.is_ok());
    assert!(!record.contains("\"line\":\"fault\""), "{record}");
    assert!(finished.game.answers() > 300);
    verified(&record);
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
    let played = |bots: &[String; 3]| {
        let bots = bots.each_ref().map(String::as_str);
        let options = [("max_turns", "60"), ("card_sets", "exact")];
        let setup = setup("hasbro", None, &bots, 21, &options);
        let (finished, record) = recorded(&mut Worker::new(&setup).unwrap(), 0);
        assert!(finished.outcome.is_ok());
        assert!(!record.contains("\"line\":\"fault\""), "{record}");
        let lines = record.lines().skip(1);
        let lines = lines.map(|line| without_sum(line).to_owned());
        lines.collect::<Vec<String>>()
    };
    let script = folder.path().join("commits.rhai").display().to_string();
    let here = played(&["a", "b", "c"].map(|name| format!("name={name},bot={script}")));
    let served = Server::bot(folder.path(), "./commits.rhai");
    let at = format!("bot=http://{}", served.address);
    let there = played(&[
        format!("name=a,{at}"),
        format!("name=b,{at},encoding=raw"),
        format!("name=c,{at},encoding=wrapped"),
    ]);
    assert!(here.len() > 300, "{}", here.len());
    assert_eq!(here, there);
}
