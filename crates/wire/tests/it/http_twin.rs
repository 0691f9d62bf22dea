//! One strategy written twice: over HTTP by the protocol, and in this process by the view.

use std::collections::BTreeMap;

use crate::setup;
use risk_engine::hosted;
use risk_engine::record::Recorder;
use risk_kernel::action::{Action, Options};
use risk_kernel::board::Board;
use risk_kernel::id::Territory;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};
use risk_testing::games::without_sum;
use risk_testing::web::{reply, server};
use serde_json::{Value, json};

/// Picks from (from, to, own armies, enemy armies) the attack with the largest lead.
fn attack(
    pairs: impl Iterator<Item = (String, String, i64, i64)>,
) -> Option<(String, String, i64)> {
    pairs
        .filter(|(_, _, mine, theirs)| *mine > theirs + 1)
        .max_by_key(|(from, to, mine, theirs)| {
            (mine - theirs, std::cmp::Reverse((from.clone(), to.clone())))
        })
        .map(|(from, to, mine, _)| (from, to, mine))
}

fn over_http(state: &Value, near: &BTreeMap<String, Vec<String>>) -> Value {
    let you = &state["you"];
    let lands = state["game"]["countries"].as_object().unwrap();
    let asked = you["available_actions"].as_array().unwrap();
    let has = |action: &str| asked.contains(&action.into());
    let mine: Vec<&str> = you["countries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    if has("choose_country") {
        let free = lands
            .iter()
            .filter(|(_, land)| land["owner"] == "none")
            .map(|(name, _)| name)
            .min();
        return json!({ "action": "choose_country", "data": free });
    }
    if has("deploy_troops") {
        let front = mine
            .iter()
            .filter(|name| near[**name].iter().any(|to| !mine.contains(&to.as_str())));
        let name = front.min().or(mine.iter().min()).unwrap();
        return json!({ "action": "deploy_troops", "data": { *name: you["troops_to_deploy"] } });
    }
    if has("pass") {
        return json!({ "action": "pass" });
    }
    if has("spend_cards") {
        let mut cards: Vec<(String, String)> = you["cards"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| {
                (
                    card["country_name"].as_str().unwrap().to_owned(),
                    card["value"].as_str().unwrap().to_owned(),
                )
            })
            .collect();
        cards.sort();
        let set = sets(&cards).remove(0);
        let names: Vec<&String> = set.iter().map(|index| &cards[*index].0).collect();
        return json!({ "action": "spend_cards", "data": names });
    }
    if has("attack") {
        let armies = |name: &str| lands[name]["troops"].as_i64().unwrap();
        let pairs = mine.iter().flat_map(|from| {
            let foes = near[*from].iter().filter(|to| !mine.contains(&to.as_str()));
            foes.map(|to| ((*from).to_owned(), to.clone(), armies(from), armies(to)))
        });
        if let Some((from, to, armies)) = attack(pairs) {
            let dice = (armies - 1).min(3);
            let data = json!({ "attacking_country": from, "defending_country": to, "attacking_troops": dice, "moving_troops": armies - 1 - dice });
            return json!({ "action": "attack", "data": data });
        }
    }
    json!({ "action": asked[asked.len() - 1] })
}

/// Returns the indices of every three cards that make a set, in order.
fn sets(cards: &[(String, String)]) -> Vec<[usize; 3]> {
    let mut all = Vec::new();
    for a in 0..cards.len() {
        for b in a + 1..cards.len() {
            for c in b + 1..cards.len() {
                let kinds = [a, b, c].map(|index| cards[index].1.as_str());
                let wild = kinds.contains(&"wild");
                let alike = kinds[0] == kinds[1] && kinds[1] == kinds[2];
                let all_differ =
                    kinds[0] != kinds[1] && kinds[1] != kinds[2] && kinds[0] != kinds[2];
                if wild || alike || all_differ {
                    all.push([a, b, c]);
                }
            }
        }
    }
    all
}

/// Returns the protocol's name of a territory.
fn name(board: &Board, at: Territory) -> String {
    board.info(at).id.replace('-', " ")
}

fn find(board: &Board, wanted: &str) -> Territory {
    let mut all = board.territories();
    all.find(|&at| name(board, at) == wanted).unwrap()
}

/// Trades the first set of the hand by its cards' names. The card that gets two armies comes first.
fn trade(view: &View) -> Action {
    let decl = view.decl();
    let hand = decl
        .piles
        .iter()
        .position(|pile| pile.name == "hand")
        .map(risk_kernel::id::Pile::from_index);
    let mut cards: Vec<(String, String, i32, Option<Territory>)> = view
        .pile(hand.unwrap(), Some(view.me()))
        .unwrap()
        .iter()
        .map(|card| {
            let info = &decl.cards[card.index()];
            let called = info
                .at
                .map_or(info.name.clone(), |at| name(view.board(), at));
            (
                called,
                decl.card_kinds[info.kind as usize].clone(),
                i32::from(card.0),
                info.at,
            )
        })
        .collect();
    cards.sort();
    let named: Vec<(String, String)> = cards
        .iter()
        .map(|card| (card.0.clone(), card.1.clone()))
        .collect();
    let set = sets(&named).remove(0).map(|index| &cards[index]);
    let first = set
        .iter()
        .find(|card| card.3.is_some_and(|at| view.mine(at)));
    let first = first.map_or_else(
        || set.iter().map(|card| card.2).min().unwrap(),
        |card| card.2,
    );
    let mut rest: Vec<i32> = set
        .iter()
        .map(|card| card.2)
        .filter(|card| *card != first)
        .collect();
    rest.sort_unstable();
    Action::new(decl.verb("trade").unwrap(), &[first, rest[0], rest[1]])
}

fn fight(view: &View) -> Answer {
    let board = view.board();
    let verb = |name: &str| view.decl().verb(name).unwrap();
    let armies = |at: Territory| i64::from(view.armies(at).unwrap());
    let foes = |from: Territory| {
        board
            .neighbours(from)
            .iter()
            .copied()
            .filter(|&to| !view.mine(to))
    };
    let pairs = view
        .owned()
        .flat_map(|from| foes(from).map(move |to| (from, to)));
    let named =
        pairs.map(|(from, to)| (name(board, from), name(board, to), armies(from), armies(to)));
    let Some((from, to, armies)) = attack(named) else {
        return Answer::One(Action::new(verb("done"), &[]));
    };
    let from = i32::from(find(board, &from).0);
    let to = i32::from(find(board, &to).0);
    let dice = (armies - 1).min(3) as i32;
    let step = |name: &str, count: i32| Action::new(verb(name), &[from, to, count]);
    Answer::Steps(vec![
        step("attack", dice),
        step("move", armies as i32 - 1 - dice),
    ])
}

struct CampaignTwin;

impl Bot for CampaignTwin {
    fn answer(
        &mut self,
        view: &View,
        ask: &Options,
    ) -> Result<Answer, risk_kernel::fault::BotFault> {
        let board = view.board();
        let decl = view.decl();
        let name = |at: Territory| name(board, at);
        let verb = |name: &str| decl.verb(name).unwrap();
        let phase = &decl.phases[view.frame().unwrap().phase.index()].name;
        let one = |verb, args: &[i32]| Ok(Answer::One(Action::new(verb, args)));
        let number = |at: Territory| i32::from(at.0);
        match phase.as_str() {
            "claim" => {
                let free = board
                    .territories()
                    .filter(|&at| view.owner(at).is_none())
                    .map(name)
                    .min()
                    .unwrap();
                one(verb("claim"), &[number(find(board, &free))])
            }
            "muster" | "deploy" => {
                let front = view.owned().filter(|&at| view.is_front(at)).map(name).min();
                let at = front.or(view.owned().map(name).min()).unwrap();
                let due = view
                    .counter(decl.counter("reserve").unwrap(), Some(view.me()))
                    .unwrap() as i32;
                one(
                    verb("place"),
                    &[
                        number(find(board, &at)),
                        if phase == "muster" { 1 } else { due },
                    ],
                )
            }
            "trade" if ask.has(verb("pass")) => one(verb("pass"), &[]),
            "trade" => Ok(Answer::One(trade(view))),
            "attack" => Ok(fight(view)),
            _ => one(verb("done"), &[]),
        }
    }
}

#[test]
fn a_match_over_http_is_the_match_in_one_process() {
    let board = risk_testing::games::board("hacker-risk");
    let name = |at: Territory| name(&board, at);
    let near: BTreeMap<String, Vec<String>> = board
        .territories()
        .map(|at| {
            (
                name(at),
                board.neighbours(at).iter().map(|&to| name(to)).collect(),
            )
        })
        .collect();
    let address = server(move |request, stream| {
        let answer = if request.path == "/turn" {
            over_http(&request.state(), &near).to_string()
        } else {
            String::new()
        };
        reply(stream, &answer);
    });
    for (encoding, seed) in [("form", 11), ("raw", 12), ("wrapped", 13)] {
        let remote = format!("{address},encoding={encoding}");
        let record = |bots: &[&str], here: bool| {
            let setup = setup(
                "hasbro",
                None,
                bots,
                seed,
                &[("max_turns", "150"), ("card_sets", "exact")],
            );
            let mut worker = risk_engine::Worker::new(&setup).unwrap();
            let header = risk_engine::record::header(&worker, 0);
            let mut recorder = Recorder::new(Vec::new(), &header);
            let finished = if here {
                let mut seats: Vec<_> = (0..3).map(|_| hosted(CampaignTwin)).collect();
                worker.play_with(0, &mut seats, &mut recorder)
            } else {
                worker.play(0, &mut recorder)
            };
            let bytes = recorder
                .finish(finished.outcome.as_ref().ok(), &finished.game)
                .unwrap();
            let text = String::from_utf8(bytes).unwrap();
            text.lines()
                .skip(1)
                .map(|line| without_sum(line).to_owned())
                .collect::<Vec<_>>()
        };
        let here = record(&["random", "random", "random"], true);
        let there = record(&[&remote, &remote, &remote], false);
        assert!(here.len() > 300, "{}", here.len());
        assert!(
            !there.iter().any(|line| line.contains("\"fault\"")),
            "{there:?}"
        );
        assert_eq!(here, there, "{encoding}");
    }
}
