//! Star Wars Risk: the board, the start, and the document's examples.

mod cards;
mod chances;

use std::collections::BTreeMap;

use risk_engine::{Setup, Worker, hosted};
use risk_kernel::id::{Territory, Unit};
use risk_kernel::words::Words;
use risk_kernel::{FinishedGame, StopReason};

use crate::referee::steps;
use risk_testing::games::{Log, setup, story_of_game};

/// Sets up a position: a ruleset that extends starwars with this set-up, and ends the game at the
/// end of a turn.
pub(crate) fn position(set_up: &str, options: &[(&str, &str)]) -> (tempfile::TempDir, Setup) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("position.rhai");
    let text = format!(
        "fn ruleset() {{ #{{ extends: \"starwars\", name: \"position\" }} }}\nfn setup(g) {{\n{set_up}\n}}\n\
         fn turn_end_enter(g, me) {{ g.end(\"over\", []); }}\n\
         fn put(g, at, kind, ships, who) {{ g.add_units(at, kind, ships); g.give(at, who); }}\n\
         fn turned(g, who, name) {{\n for card in g.all_cards {{ if g.card_name(card) == name {{ g.fill(who, STACK, [card]); }} }}\n\
         g.push(ACTION_PHASE, who); g.push(TURN_END_PHASE, who);\n}}\n"
    );
    std::fs::write(&path, text).unwrap();
    let setup = setup(
        path.to_str().unwrap(),
        Some("starwars"),
        &["random"; 2],
        5,
        options,
    );
    (folder, setup)
}

/// Returns the first options of the seat, in words.
pub(crate) fn offered(set_up: &str, seat: usize, options: &[(&str, &str)]) -> Vec<String> {
    let (_folder, setup) = position(set_up, options);
    let walker = PathBot::default();
    let mut bots = vec![hosted(walker.clone()), hosted(walker.clone())];
    let finished = Worker::new(&setup)
        .unwrap()
        .play_with(0, &mut bots, &mut risk_kernel::NullSink);
    assert!(matches!(finished.outcome, Err(StopReason::Halted) | Ok(_)));
    let walked = walker.0.take();
    assert!(walked.asked.is_none_or(|asked| asked == seat));
    walked.offered
}

#[test]
fn the_board_and_the_start_are_the_documents() {
    let setup = setup("starwars", None, &["random"; 2], 1, &[]);
    assert_eq!(
        (setup.rules.board.len(), setup.rules.board.border_count()),
        (28, 57)
    );
    let mut bots = Vec::new();
    for _ in 0..2 {
        bots.push(hosted(risk_testing::games::PreparedBot {
            says: Default::default(),
            log: Default::default(),
        }));
    }
    let game = Worker::new(&setup)
        .unwrap()
        .play_with(0, &mut bots, &mut risk_kernel::NullSink)
        .game;
    let all = |kind: usize| -> i32 {
        setup
            .rules
            .board
            .territories()
            .map(|at| game.units(at, Unit::from_index(kind)))
            .sum()
    };
    assert_eq!([0, 1, 2, 3, 4, 5].map(all), [20, 16, 12, 6, 24, 8]);
    let decl = game.decl();
    let mut faces: BTreeMap<String, u32> = BTreeMap::new();
    for card in &decl.cards {
        let risk_kernel::board::Datum::List(shows) = &card.data["shows"] else {
            panic!("no list")
        };
        for face in shows {
            let risk_kernel::board::Datum::Text(face) = face else {
                panic!("no text")
            };
            *faces
                .entry(format!("{} {face}", decl.card_kinds[card.kind as usize]))
                .or_default() += 1;
        }
    }
    let expected = "rebels shield 16, rebels lightsaber 15, rebels ywing 12, rebels xwing 10, rebels bwing 10, \
        rebels falcon 8, rebels hat 3, empire tie 16, empire stormtroopers 14, empire lightsaber 10, \
        empire executor 8, empire deathstar 8, empire lightning 6";
    let expected: BTreeMap<String, u32> = expected
        .split(", ")
        .map(|row| {
            row.rsplit_once(' ')
                .map(|(face, count)| (face.to_owned(), count.parse().unwrap()))
                .unwrap()
        })
        .collect();
    assert_eq!(faces, expected);
    for who in game.seats() {
        let count = |name: &str| game.pile(decl.pile(name).unwrap(), Some(who)).len();
        assert_eq!((count("deck"), count("hand")), (24, 6));
    }
}

/// Plays games of a position until the dice are as wanted, in any order; returns that game.
fn with_dice(set_up: &str, says: [&[&str]; 2], dice: &[u8]) -> FinishedGame {
    with_dice_under(&[], set_up, says, dice)
}

pub(crate) fn with_dice_under(
    options: &[(&str, &str)],
    set_up: &str,
    says: [&[&str]; 2],
    dice: &[u8],
) -> FinishedGame {
    let (_folder, setup) = position(set_up, options);
    let mut worker = Worker::new(&setup).unwrap();
    for number in 0..5_000 {
        let (log, finished) = story_of_game(&mut worker, number, &[says[0], says[1]]);
        let rolled = log
            .lines()
            .find_map(|line| line.trim().strip_prefix("dice ["))
            .unwrap()
            .split(']')
            .next()
            .unwrap();
        let mut rolled: Vec<u8> = rolled.split(", ").map(|die| die.parse().unwrap()).collect();
        rolled.sort_unstable();
        if rolled == dice {
            return finished;
        }
    }
    panic!("{dice:?} never fell");
}

/// The document's attack: four TIEs roll 3, 4, 5, 5 against an X-wing, two B-wings and a Falcon
/// with 4 hit points. The attacker may choose; the rules kill the B-wings.
#[test]
fn the_attack_of_the_document() {
    let set_up = "put(g, 10, TIE, 5, 1); put(g, 9, XWING, 1, 0); g.add_units(9, BWING, 2); g.add_units(9, FALCON, 4);
        put(g, 11, TIE, 4, 1); put(g, 20, XWING, 1, 0); turned(g, 1, \"tie-lightning-1\");";
    let rows: [(&[&str], [i32; 4]); 3] = [
        (&["hit bwing"], [0, 0, 0, 4]),
        (&["hit falcon", "hit falcon"], [0, 0, 2, 2]),
        (&["hit falcon", "hit bwing"], [0, 0, 1, 3]),
    ];
    for (hits, left) in rows {
        let mut says = vec!["move s11 s10 tie 4 + attack s10 s9"];
        says.extend(hits);
        says.push("hit bwing");
        let game = with_dice(set_up, [&[], &says], &[3, 4, 5, 5]).game;
        assert_eq!(
            [0, 1, 2, 3].map(|kind| game.units(Territory(9), Unit(kind))),
            left,
            "{hits:?}"
        );
        assert_eq!(game.units(Territory(10), Unit(4)), 9);
    }
}

/// A duel's sentence counts the hits that were dealt, not those of a die that deals more than are
/// left.
#[test]
fn a_duels_hits_are_those_that_were_left() {
    let setup = setup("starwars", None, &["random"; 2], 9, &[]);
    let mut last = 0;
    for number in 0..4 {
        let log = Log::default();
        Worker::new(&setup).unwrap().play(number, &mut log.clone());
        let mut left = BTreeMap::from([("Luke", 12), ("the Emperor", 13)]);
        for line in log.0.borrow().lines() {
            let Some((hits, after)) = line.split_once(" hit") else {
                continue;
            };
            // Other lines with this word name the ships that are hit.
            let Ok(hits) = hits.rsplit(' ').next().unwrap().parse::<i32>() else {
                continue;
            };
            for (who, left) in &mut left {
                if let Some((_, count)) = after.split_once(&format!("{who} has ")) {
                    *left -= hits;
                    assert!(count.starts_with(&format!("{left} left")), "{line}: {left}");
                    last += usize::from(*left == 0);
                }
            }
        }
    }
    assert!(last > 0, "no duel ended");
}

/// The document's shield run: 1, 2, 2, 2, 5 on spaces of 2, 2, 3 buys three, with the smallest
/// die for each.
#[test]
fn the_shield_run_of_the_document() {
    assert_eq!(steps(7, 0, &[1, 2, 2, 2, 5]), 3);
    let set_up = "g.set(TRACK, 7); turned(g, 0, \"xwing-shield\");";
    let game = with_dice(set_up, [&["shield"], &[]], &[1, 2, 2, 2, 5]).game;
    assert_eq!(
        game.counter(game.decl().counter("track").unwrap(), None),
        10
    );
    // With a trooper on each of the first two spaces, 3, 3, 3 needs three dice of 3 or more.
    let set_up = "g.set(TRACK, 7); g.set(TROOPERS, 2); turned(g, 0, \"xwing-shield\");";
    let game = with_dice(set_up, [&["shield"], &[]], &[1, 2, 2, 2, 5]).game;
    let counter = |name: &str| game.counter(game.decl().counter(name).unwrap(), None);
    assert_eq!((counter("track"), counter("troopers")), (8, 1));
}

/// Follows a path of option numbers and halts after it; keeps the actions, and the plans of the
/// first request.
#[derive(Clone, Default)]
struct PathBot(std::rc::Rc<std::cell::RefCell<PathResult>>);

#[derive(Default)]
struct PathResult {
    path: Vec<u64>,
    said: Vec<String>,
    /// The number of options after the path; `None` if no decision follows.
    more: Option<u64>,
    /// The player asked after the path, and the options.
    asked: Option<usize>,
    offered: Vec<String>,
    plans: Vec<String>,
}

impl risk_kernel::Bot for PathBot {
    fn preferences(&self) -> risk_kernel::Preferences<'_> {
        risk_kernel::Preferences {
            plans: risk_kernel::Plans::Beside,
            ..risk_kernel::Preferences::default()
        }
    }

    fn answer(
        &mut self,
        view: &risk_kernel::view::View,
        ask: &risk_kernel::action::Options,
    ) -> Result<risk_kernel::Answer, risk_kernel::fault::BotFault> {
        let words = Words::new(view.board(), view.decl());
        let mut walked = self.0.borrow_mut();
        if walked.said.is_empty() {
            let plan = |number| {
                ask.nth_plan(number)
                    .into_iter()
                    .map(|step| words.action(step))
                    .collect::<Vec<_>>()
            };
            walked.plans = (0..ask.plans())
                .map(|number| plan(number).join(" + "))
                .collect();
        }
        let Some(&number) = walked.path.get(walked.said.len()) else {
            walked.more = Some(ask.len());
            walked.asked = Some(view.me().index());
            walked.offered = (0..ask.len())
                .map(|number| words.action(ask.nth(number)))
                .collect();
            return Err(risk_kernel::fault::BotFault::Halt);
        };
        let action = ask.nth(number);
        walked.said.push(words.action(action));
        Ok(risk_kernel::Answer::One(action))
    }
}

/// Returns all ways through the first card of a position, and the offered plans, both sorted.
pub(crate) fn ways_and_plans(set_up: &str, options: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let (_folder, setup) = position(set_up, options);
    let mut worker = Worker::new(&setup).unwrap();
    let mut ways = Vec::new();
    let mut plans = Vec::new();
    let mut paths = vec![Vec::new()];
    while let Some(path) = paths.pop() {
        let walker = PathBot::default();
        walker.0.borrow_mut().path.clone_from(&path);
        let mut bots = vec![hosted(walker.clone()), hosted(walker.clone())];
        worker.play_with(0, &mut bots, &mut risk_kernel::NullSink);
        let walked = walker.0.take();
        match walked.more {
            Some(more) => {
                paths.extend((0..more).map(|number| [path.as_slice(), &[number]].concat()))
            }
            None => ways.push(walked.said.join(" + ")),
        }
        if path.is_empty() {
            plans = walked.plans;
        }
    }
    ways.sort();
    plans.sort();
    (ways, plans)
}
