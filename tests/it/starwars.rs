//! Star Wars Risk: the board, the decks, every reading of the rules, the document's examples, exact
//! theory, and how often the reference bots win.

use std::collections::BTreeMap;

use risk_cli::kernel::id::{Player, Territory, Unit};
use risk_cli::kernel::words::Words;
use risk_cli::kernel::{Finished, Stop};
use risk_cli::matches::standings::Standings;
use risk_cli::matches::{Setup, Worker, play_many};

use crate::referee::{Referee, TRACK, steps};
use crate::support::{setup, tell};

/// A position: a ruleset that extends starwars with this set-up, and ends the game where it comes
/// to a turn's end.
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

/// What the seat is asked first, all of it in words.
pub(crate) fn offered(set_up: &str, seat: usize, options: &[(&str, &str)]) -> Vec<String> {
    let (_folder, setup) = position(set_up, options);
    let walker = Path::default();
    let mut bots: Vec<Box<dyn risk_cli::kernel::Bot>> =
        vec![Box::new(walker.clone()), Box::new(walker.clone())];
    let finished =
        Worker::new(&setup)
            .unwrap()
            .play_with(0, &mut bots, &mut risk_cli::kernel::NullSink);
    assert!(matches!(finished.outcome, Err(Stop::Halted) | Ok(_)));
    let walked = walker.0.take();
    assert!(walked.asked.is_none_or(|asked| asked == seat));
    walked.offered
}

#[test]
fn the_board_and_the_start_are_the_documents() {
    let setup = setup("starwars", None, &["random"; 2], 1, &[]);
    assert_eq!((setup.board.len(), setup.board.border_count()), (28, 57));
    let mut bots: Vec<Box<dyn risk_cli::kernel::Bot>> = Vec::new();
    for _ in 0..2 {
        bots.push(Box::new(crate::support::Teller {
            says: Default::default(),
            log: Default::default(),
        }));
    }
    let game = Worker::new(&setup)
        .unwrap()
        .play_with(0, &mut bots, &mut risk_cli::kernel::NullSink)
        .game;
    let all = |kind: usize| -> i32 {
        setup
            .board
            .territories()
            .map(|at| game.units(at, Unit::from_index(kind)))
            .sum()
    };
    assert_eq!([0, 1, 2, 3, 4, 5].map(all), [20, 16, 12, 6, 24, 8]);
    let decl = game.decl();
    let mut faces: BTreeMap<String, u32> = BTreeMap::new();
    for card in &decl.cards {
        let risk_cli::kernel::board::Datum::List(shows) = &card.data["shows"] else {
            panic!("no list")
        };
        for face in shows {
            let risk_cli::kernel::board::Datum::Text(face) = face else {
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

#[test]
fn each_card_offers_what_the_readings_say() {
    let rows: &[(&str, usize, &str)] = &[
        // K6: every face of the card, the Falcon dead or alive; K15: no hat above 3 or at 0.
        (
            "put(g, 6, BWING, 1, 0); turned(g, 0, \"falcon-bwing-hat\");",
            0,
            "done, move s6 s7 bwing 1, move s6 s14 bwing 1, move s6 s15 bwing 1",
        ),
        (
            "g.set(0, HEALTH, 5); g.set(1, HEALTH, 3); turned(g, 0, \"falcon-bwing-hat\");",
            0,
            "done, hat",
        ),
        (
            "g.set(0, HEALTH, 5); g.set(1, HEALTH, 4); turned(g, 0, \"hat-shield\");",
            0,
            "done, shield",
        ),
        (
            "g.set(0, HEALTH, 5); turned(g, 0, \"hat-shield\");",
            0,
            "done, shield",
        ),
        // K14: one counter at 0 ends the duel for both.
        (
            "g.set(1, HEALTH, 2); turned(g, 0, \"shield-lightsaber-1\");",
            0,
            "done, shield",
        ),
        (
            "g.set(TRACK, 28); g.set(0, HEALTH, 1); g.set(1, HEALTH, 1); turned(g, 0, \"shield-lightsaber-1\");",
            0,
            "done, lightsaber",
        ),
        // K5: stormtroopers are offered; not with nine, and not past the end (K22).
        (
            "turned(g, 1, \"executor-stormtroopers-1\");",
            1,
            "done, stormtroopers",
        ),
        (
            "g.set(TROOPERS, 9); turned(g, 1, \"executor-stormtroopers-1\");",
            1,
            "",
        ),
        (
            "g.set(TRACK, 26); g.set(TROOPERS, 2); turned(g, 1, \"executor-stormtroopers-1\");",
            1,
            "",
        ),
        // K8: no sector with enemies is entered; K7: the capital ship goes alone; motherships are
        // closed.
        (
            "put(g, 6, EXECUTOR, 8, 1); put(g, 6, TIE, 3, 1); put(g, 7, XWING, 1, 0); turned(g, 1, \"executor-lightning-1\");",
            1,
            "done, move s6 s14 executor 1, move s6 s15 executor 1",
        ),
        // K12: TIEs come in fours, up to 56.
        (
            "put(g, 6, EXECUTOR, 8, 1); put(g, 7, TIE, 52, 1); turned(g, 1, \"tie-lightning-1\");",
            1,
            "spawn",
        ),
        (
            "put(g, 6, EXECUTOR, 8, 1); put(g, 7, TIE, 53, 1); turned(g, 1, \"tie-lightning-1\");",
            1,
            "no spawn",
        ),
        (
            "put(g, 7, TIE, 3, 1); turned(g, 1, \"tie-lightning-1\");",
            1,
            "no spawn",
        ),
        // The Death Star: motherships first, all that stand; then whatever holds rebels (K17).
        (
            "put(g, 7, XWING, 1, 0); turned(g, 1, \"deathstar-lightning-1\");",
            1,
            "done, fire_deathstar s0, fire_deathstar s1, fire_deathstar s2, fire_deathstar s3, fire_deathstar s4, fire_deathstar s5",
        ),
        (
            "g.set(DESTROYED, 59); turned(g, 1, \"deathstar-lightning-1\");",
            1,
            "done, fire_deathstar s2",
        ),
        (
            "g.set(DESTROYED, 63); put(g, 7, XWING, 1, 0); put(g, 9, TIE, 1, 1); put(g, 20, BWING, 2, 0); turned(g, 1, \"deathstar-lightning-1\");",
            1,
            "done, fire_deathstar s7, fire_deathstar s20",
        ),
        (
            "put(g, 1, XWING, 2, 0); turned(g, 0, \"xwing-hat\");",
            0,
            "done, move s1 s7 xwing 1, move s1 s7 xwing 2",
        ),
    ];
    for &(set_up, seat, expected) in rows {
        let found = offered(set_up, seat, &[]);
        match expected {
            "spawn" | "no spawn" => {
                assert_eq!(
                    found.iter().any(|option| option == "spawn s6"),
                    expected == "spawn",
                    "{set_up}"
                );
            }
            // A card that allows nothing still asks for `done`.
            "" => assert!(found.is_empty() || found == ["done"], "{set_up}: {found:?}"),
            _ => assert_eq!(found.join(", "), expected, "{set_up}"),
        }
    }
}

/// Plays a position's games until the dice fall as wanted, in any order, and says how it ended.
fn with_dice(set_up: &str, says: [&[&str]; 2], dice: &[u8]) -> Finished {
    with_dice_under(&[], set_up, says, dice)
}

pub(crate) fn with_dice_under(
    options: &[(&str, &str)],
    set_up: &str,
    says: [&[&str]; 2],
    dice: &[u8],
) -> Finished {
    for seed in 0..5_000 {
        let (_folder, mut setup) = position(set_up, options);
        setup.seed = seed;
        let (log, finished) = tell(&setup, &[says[0], says[1]]);
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

/// The document's shield run: 1, 2, 2, 2, 5 on spaces of 2, 2, 3 buys three, with the smallest die
/// for each.
#[test]
fn the_shield_run_of_the_document() {
    assert_eq!(steps(7, 0, &[1, 2, 2, 2, 5]), 3);
    let set_up = "g.set(TRACK, 7); turned(g, 0, \"xwing-shield\");";
    let game = with_dice(set_up, [&["shield"], &[]], &[1, 2, 2, 2, 5]).game;
    assert_eq!(
        game.counter(game.decl().counter("track").unwrap(), None),
        10
    );
    // A trooper on the first two: 3, 3, 3 needs three dice of 3 and more.
    let set_up = "g.set(TRACK, 7); g.set(TROOPERS, 2); turned(g, 0, \"xwing-shield\");";
    let game = with_dice(set_up, [&["shield"], &[]], &[1, 2, 2, 2, 5]).game;
    let counter = |name: &str| game.counter(game.decl().counter(name).unwrap(), None);
    assert_eq!((counter("track"), counter("troopers")), (8, 1));
}

/// The last card chosen is turned first, and no fault is made when one turns what one cannot use.
#[test]
fn the_last_card_chosen_is_turned_first() {
    let setup = setup("starwars", None, &["random"; 2], 3, &[]);
    let (log, _) = tell(&setup, &[&["0", "1", "2", "done"], &["0", "0", "0"]]);
    let chosen: Vec<&str> = log
        .lines()
        .filter_map(|line| {
            line.trim()
                .strip_suffix(" goes from hand of player 1 onto stack of player 1")
        })
        .collect();
    let turned = log
        .lines()
        .find(|line| line.contains("onto turned of player 1"))
        .unwrap();
    assert_eq!(chosen.len(), 3, "{log}");
    assert!(turned.trim().starts_with(chosen[2]), "{chosen:?}: {turned}");
}

/// Follows a path of option numbers and halts behind it; keeps the actions, and the plans of the
/// first ask.
#[derive(Clone, Default)]
struct Path(std::rc::Rc<std::cell::RefCell<Walked>>);

#[derive(Default)]
struct Walked {
    path: Vec<u64>,
    said: Vec<String>,
    /// How many options there are behind the path; `None` when it goes no farther.
    more: Option<u64>,
    /// Who is asked behind it, and what is offered.
    asked: Option<usize>,
    offered: Vec<String>,
    plans: Vec<String>,
}

impl risk_cli::kernel::Bot for Path {
    fn plans(&self) -> bool {
        true
    }

    fn answer(
        &mut self,
        view: &risk_cli::kernel::view::View,
        ask: &risk_cli::kernel::action::Options,
    ) -> Result<risk_cli::kernel::Answer, risk_cli::kernel::fault::BotFault> {
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
            return Err(risk_cli::kernel::fault::BotFault::Halt);
        };
        let action = ask.nth(number);
        walked.said.push(words.action(action));
        Ok(risk_cli::kernel::Answer::One(action))
    }
}

/// The plans of a card are exactly the ways from its first decision to the first die or the end of
/// the turn.
#[test]
fn plans_are_all_the_ways_through_a_card() {
    let rows = [
        (
            "put(g, 11, TIE, 2, 1); put(g, 13, EXECUTOR, 8, 1); put(g, 10, XWING, 1, 0); put(g, 14, BWING, 1, 0); turned(g, 1, \"tie-lightning-1\");",
            1,
        ),
        (
            "put(g, 13, EXECUTOR, 8, 1); put(g, 22, XWING, 1, 0); turned(g, 1, \"deathstar-executor-lightsaber-1\");",
            1,
        ),
        (
            "g.set(TRACK, 28); put(g, 15, FALCON, 6, 0); g.add_units(15, XWING, 2); put(g, 21, TIE, 1, 1); turned(g, 0, \"falcon-xwing-shield\");",
            0,
        ),
        (
            "put(g, 1, XWING, 3, 0); put(g, 16, BWING, 1, 0); put(g, 8, TIE, 1, 1); turned(g, 0, \"xwing-bwing-shield-1\");",
            0,
        ),
        (
            "g.set(0, HEALTH, 1); g.set(1, HEALTH, 1); turned(g, 0, \"hat-shield\");",
            0,
        ),
    ];
    for (set_up, seat) in rows {
        let (ways, mut plans) = ways_and_plans(set_up, &[]);
        assert!(
            plans.len() > 1 && ways == plans,
            "seat {seat}: {ways:#?}\n{plans:#?}"
        );
        plans.dedup();
        assert_eq!(plans.len(), ways.len(), "each counts once");
    }
}

/// All ways through the first card of a position, and the plans that are offered, both sorted.
pub(crate) fn ways_and_plans(set_up: &str, options: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let (_folder, setup) = position(set_up, options);
    let mut worker = Worker::new(&setup).unwrap();
    let (mut ways, mut plans) = (Vec::new(), Vec::new());
    let mut paths = vec![Vec::new()];
    while let Some(path) = paths.pop() {
        let walker = Path::default();
        walker.0.borrow_mut().path.clone_from(&path);
        let mut bots: Vec<Box<dyn risk_cli::kernel::Bot>> =
            vec![Box::new(walker.clone()), Box::new(walker.clone())];
        worker.play_with(0, &mut bots, &mut risk_cli::kernel::NullSink);
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

/// A capital ship's second flight, and an attack from where it ends; a whole card as one answer.
#[test]
fn a_whole_card_is_one_answer() {
    let set_up = "put(g, 13, EXECUTOR, 8, 1); put(g, 22, XWING, 2, 0); put(g, 13, TIE, 2, 1); turned(g, 1, \"executor-lightning-1\");";
    let (_folder, setup) = position(set_up, &[]);
    let (log, finished) = tell(
        &setup,
        &[
            &[],
            &["move s13 s14 executor 1 + move s14 s21 executor 1 + attack s21 s22"],
        ],
    );
    assert!(log.contains("dice ["), "{log}");
    assert_eq!(finished.game.units(Territory(21), Unit(5)), 8);
    assert_eq!(
        finished.game.units(Territory(13), Unit(4)),
        2,
        "the escort stays"
    );
    // A step that is not possible refuses all of them, before the first is done.
    let (log, finished) = tell(
        &setup,
        &[&[], &["move s13 s14 executor 1 + attack s14 s22"]],
    );
    assert!(log.contains("fault"), "{log}");
    assert_eq!(finished.game.units(Territory(13), Unit(5)), 8);
}

/// The exact distribution of a shield run without troopers, from the track's own values.
#[test]
fn the_shield_run_has_its_exact_distribution() {
    let mut at: Vec<f64> = vec![0.0; TRACK.len() + 1];
    at[0] = 1.0;
    let (mut mean, mut done) = (0.0, Vec::new());
    for action in 1..=60 {
        let mut next = vec![0.0; at.len()];
        for (space, &chance) in at[..TRACK.len()]
            .iter()
            .enumerate()
            .filter(|row| *row.1 > 0.0)
        {
            for roll in 0..7_776_u32 {
                let dice: Vec<u8> = (0..5)
                    .map(|die| (roll / 6_u32.pow(die) % 6) as u8 + 1)
                    .collect();
                next[space + steps(space, 0, &dice)] += chance / 7_776.0;
            }
        }
        mean += f64::from(action) * next[TRACK.len()];
        done.push(next[TRACK.len()]);
        next[TRACK.len()] = 0.0;
        at = next;
        if action == 1 {
            let first: f64 = at
                .iter()
                .enumerate()
                .map(|(space, chance)| space as f64 * chance)
                .sum();
            assert!((first - 25.0 / 6.0).abs() < 1e-9 && (at[0] - 1.0 / 7_776.0).abs() < 1e-12);
        }
    }
    assert!((mean - 8.945_846).abs() < 1e-6, "{mean}");
    let expected = [
        0.0, 0.001_21, 0.074_75, 0.297_51, 0.346_17, 0.191_66, 0.066_80, 0.017_33,
    ];
    for (action, chance) in expected.into_iter().enumerate() {
        assert!(
            (done[action + 4] - chance).abs() < 5.1e-6,
            "{} actions: {}",
            action + 5,
            done[action + 4]
        );
    }
    // The script's track is this one.
    let setup = setup("starwars", None, &["random"; 2], 1, &[]);
    let worker = Worker::new(&setup).unwrap();
    let table = &worker.rules().tables()["space"];
    let script: Vec<u8> = (0..28)
        .map(|space| table.get(&[space]).unwrap() as u8)
        .collect();
    assert_eq!(script, TRACK);
}

/// So many games under the referee's eyes, and how often the dice came.
#[test]
fn a_second_referee_agrees_with_every_roll_and_the_chances_are_those_of_theory() {
    // As starwars-shield, but with any number of ships against the Death Star.
    let folder = tempfile::tempdir().unwrap();
    let storm = folder.path().join("storm.rhai");
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/scripts/starwars-shield.rhai"
    ))
    .unwrap();
    std::fs::write(
        &storm,
        text.replace(
            "ask.plans(\"attack_deathstar\")[0]",
            "ask.random_plan(\"attack_deathstar\")",
        ),
    )
    .unwrap();
    let mut referee = Referee::default();
    for (bots, games) in [
        (["random-action"; 2], 60),
        ([storm.to_str().unwrap(), "starwars-attack"], 200),
    ] {
        let setup = setup("starwars", None, &bots, 31, &[]);
        let mut worker = Worker::new(&setup).unwrap();
        for number in 0..games {
            let mut fresh = Referee::default();
            std::mem::swap(&mut fresh.counts, &mut referee.counts);
            worker.play(number, &mut fresh).outcome.unwrap();
            referee.counts = fresh.counts;
        }
    }
    let near = |(tries, hits): (u32, u32), p: f64, what: &str| {
        let n = f64::from(tries);
        assert!(
            (f64::from(hits) / n - p).abs() < 4.0 * (p * (1.0 - p) / n).sqrt(),
            "{what}: {hits} of {tries}"
        );
    };
    let counts = &referee.counts;
    near(counts.shots, 5.0 / 9.0, "Death Star");
    near((counts.sabers.0 * 4, counts.sabers.1), 0.5, "lightsaber");
    for (&dice, &row) in &counts.storms {
        near(
            row,
            1.0 - (5.0_f64 / 6.0).powi(dice as i32),
            "attack on the Death Star",
        );
    }
    assert!(
        (1..=3).all(|dice| counts.storms[&dice].0 > 5),
        "{:?}",
        counts.storms
    );
    assert!(
        counts.others.len() == 5,
        "everything was done: {:?}",
        counts.others
    );
}

/// Lightsaber actions until so many hits, each with 4 dice that hit on 4 and more.
#[test]
fn duels_take_as_long_as_theory_says() {
    let mean = |hits: usize| {
        let mut expected = vec![0.0_f64; hits + 1];
        for left in 1..=hits {
            let sum: f64 = [4.0, 6.0, 4.0, 1.0]
                .into_iter()
                .enumerate()
                .map(|(index, ways)| ways / 16.0 * expected[left.saturating_sub(index + 1)])
                .sum();
            expected[left] = (1.0 + sum) / (1.0 - 1.0 / 16.0);
        }
        expected[hits]
    };
    for (duel, rebels, empire) in [("text", 12, 13), ("code", 13, 12)] {
        let setup = setup("starwars", None, &["random"; 2], 1, &[("duel", duel)]);
        let (_, finished) = tell(&setup, &[&[], &[]]);
        let health = finished.game.decl().counter("health").unwrap();
        let left = [0, 1].map(|seat| finished.game.counter(health, Some(Player(seat))));
        assert_eq!(left, [rebels, empire]);
    }
    assert!((mean(12) - 6.374_977).abs() < 1e-6 && (mean(13) - 6.875_005).abs() < 1e-6);
}

/// The reference bots of the documents: rebel wins and the median of cards turned. `.ci/nightly`
/// does it again with more games in a release build.
#[test]
fn reference_bots_win_as_often_as_in_the_document() {
    let code: &[(&str, &str)] = &[("preset", "upstream")];
    let plain: &[(&str, &str)] = &[];
    let rows = [
        (
            ["starwars-random", "starwars-random"],
            plain,
            100,
            0.0793,
            1_500.0,
            226.0,
            20.0,
        ),
        (
            ["random-action", "random-action"],
            plain,
            100,
            0.0793,
            1_500.0,
            226.0,
            20.0,
        ),
        (
            ["starwars-shield", "starwars-attack"],
            plain,
            300,
            0.762,
            1_000.0,
            51.0,
            6.0,
        ),
        (
            ["starwars-random", "starwars-random"],
            code,
            100,
            0.1032,
            6_000.0,
            216.0,
            25.0,
        ),
        (
            ["starwars-upstream-shield", "starwars-attack"],
            code,
            200,
            0.8885,
            2_000.0,
            58.0,
            6.0,
        ),
    ];
    for (bots, options, games, p, reference, median, give) in rows {
        let mut setup = setup("starwars", None, &bots, 12, options);
        setup.seats = risk_cli::matches::Seats::Fixed;
        let standings = Standings::of(&setup, &play_many(&setup, 0, games, 2, |_| ()).unwrap());
        let won = standings.bots[0].rate.rate;
        let allowed = 4.0 * (p * (1.0 - p) * (1.0 / reference + 1.0 / games as f64)).sqrt();
        assert!((won - p).abs() <= allowed, "{bots:?}: {won}");
        assert!(
            (standings.turns.median - median).abs() <= give,
            "{bots:?}: {:?}",
            standings.turns
        );
    }
}
