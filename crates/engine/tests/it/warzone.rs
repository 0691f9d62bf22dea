//! Warzone: battles without dice, orders that affect each other, cards, secrecy.

use std::fmt::Write as _;

use risk_engine::{Worker, hosted};
use risk_kernel::event::Event;
use risk_kernel::id::{Player, Territory};
use risk_kernel::{Moment, Sink};

use risk_testing::by_case::each;
use risk_testing::games::{play_logged, position_of, setup};

/// Returns script lines that set land and armies on the ring of six, cards, and one round of
/// orders.
fn round(armies: &[(usize, i32)], cards: &str) -> String {
    let set = |(at, (who, armies)): (usize, &(usize, i32))| {
        format!("g.give({at}, {who}); g.add_armies({at}, {armies});\n")
    };
    let land: String = armies.iter().enumerate().map(set).collect();
    format!(
        "{land}{cards}\ng.push_all(ORDERS_PHASE); g.push(EXECUTION_PHASE, NOBODY); g.push(ROUND_END_PHASE, NOBODY);"
    )
}

/// Plays a round; returns the land and the notes on orders.
fn outcome(
    armies: &[(usize, i32)],
    cards: &str,
    options: &[(&str, &str)],
    says: &[&[&str]],
) -> String {
    let (_folder, setup) = position_of("warzone", &round(armies, cards), says.len(), options);
    let (log, finished) = play_logged(&setup, says);
    assert!(!log.contains("fault"), "{log}");
    let game = &finished.game;
    let land: Vec<String> = (0..6)
        .map(|at| {
            let at = Territory(at);
            let owner = game
                .owner(at)
                .map_or("-".to_owned(), |who| (who.0 + 1).to_string());
            format!("{}{}:{}", game.board().info(at).id, owner, game.armies(at))
        })
        .collect();
    let said: Vec<&str> = log
        .lines()
        .filter(|line| line.contains(": impossible") || line.contains(": not executed"))
        .map(str::trim)
        .collect();
    format!("{} {}", land.join(" "), said.join("; "))
        .trim()
        .to_owned()
}

/// A name; owners and armies of a b c d e f; cards; the orders of each player; the outcome.
type Row = (
    &'static str,
    [(usize, i32); 6],
    &'static str,
    &'static [&'static [&'static str]],
    &'static str,
);

const MEETINGS: &[Row] = &[
    // 9 v 1: 1 killed, 1 lost, 8 move in. Then 9 v 8: 5 killed, 6 lost.
    (
        "the target changes hands first",
        [(0, 10), (1, 1), (2, 10), (1, 1), (1, 1), (1, 1)],
        "",
        &[
            &["attack a b 9", "done"],
            &["done"],
            &["attack c b 9", "done"],
        ],
        "a1:1 b1:3 c3:4 d2:1 e2:1 f2:1",
    ),
    (
        "an attack on what is one's own by now is a move",
        [(0, 10), (1, 1), (0, 5), (1, 1), (1, 1), (1, 1)],
        "",
        &[&["attack a b 9", "attack c b 4", "done"], &["done"]],
        "a1:1 b1:12 c1:1 d2:1 e2:1 f2:1",
    ),
    (
        "peace is in the way",
        [(0, 10), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)],
        "g.set(1, TRUCES, 1);",
        &[&["attack a b 9", "done"], &["negotiate 1", "done"]],
        "a1:10 b2:1 c2:1 d2:1 e2:1 f2:1 advances on b from a with 9: impossible, there is peace",
    ),
    // 5 v 9: 3 killed, 6 lost, so 5. Then c has 6 and one stays: 5 v 1 of the 8 ordered.
    (
        "more armies than are left",
        [(1, 1), (0, 6), (1, 9), (0, 1), (0, 1), (1, 1)],
        "",
        &[&["attack b c 5", "done"], &["attack c d 8", "done"]],
        "a2:1 b1:1 c2:1 d2:4 e1:1 f2:1",
    ),
    (
        "a bomb after an advance",
        [(0, 10), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)],
        "g.set(0, BOMBS, 1);",
        &[&["attack a b 9", "bomb b", "done"], &["done"]],
        "a1:1 b1:8 c2:1 d2:1 e2:1 f2:1 bombs b: impossible, the land is one's own now",
    ),
    (
        "a bomb leaves the larger half",
        [(0, 10), (1, 5), (1, 1), (1, 1), (1, 1), (1, 1)],
        "g.set(0, BOMBS, 1);",
        &[&["bomb b", "done"], &["done"]],
        "a1:10 b2:3 c2:1 d2:1 e2:1 f2:1",
    ),
    (
        "a bomb on what is no neighbour any more",
        [(0, 2), (1, 9), (1, 9), (0, 2), (1, 1), (1, 9)],
        "g.set(0, BOMBS, 1);",
        &[
            &["attack d c 1", "bomb f", "done"],
            &["attack b a 8", "done"],
        ],
        "a2:7 b2:1 c2:8 d1:1 e2:1 f2:9 bombs f: impossible, no own land borders it any more",
    ),
    (
        "an attack from land that is lost",
        [(0, 2), (1, 9), (1, 9), (0, 2), (1, 1), (1, 9)],
        "",
        &[
            &["attack d c 1", "attack a f 1", "done"],
            &["attack b a 8", "done"],
        ],
        "a2:7 b2:1 c2:8 d1:1 e2:1 f2:9 advances on f from a with 1: impossible, the land is lost",
    ),
    // 1 v 1: both die, so the defender lives. 7 armies become 21 neutral ones; 8 v 21: 5 killed, 8
    // lost.
    (
        "a blockade and then an attack",
        [(0, 10), (1, 7), (1, 1), (1, 1), (1, 1), (1, 1)],
        "g.set(1, BLOCKADES, 1);",
        &[
            &["attack a f 1", "attack a b 8", "done"],
            &["fortress b", "done"],
        ],
        "a1:1 b-:16 c2:1 d2:1 e2:1 f2:1",
    ),
    (
        "an airlift and then a move",
        [(0, 10), (1, 1), (0, 3), (1, 1), (1, 1), (1, 1)],
        "g.set(0, AIRLIFTS, 1);",
        &[&["airlift a c 6", "attack c d 2", "done"], &["done"]],
        "a1:4 b2:1 c1:7 d1:1 e2:1 f2:1",
    ),
    (
        "two attacks on one land",
        [(0, 6), (1, 6), (2, 6), (1, 1), (1, 1), (1, 1)],
        "",
        &[
            &["attack a b 5", "done"],
            &["done"],
            &["attack c b 5", "done"],
        ],
        "a1:2 b3:3 c3:1 d2:1 e2:1 f2:1",
    ),
    (
        "what is placed can attack",
        [(0, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)],
        "g.set(0, RESERVE, 5);",
        &[&["place a 5", "attack a b 5", "done"], &["done"]],
        "a1:1 b1:4 c2:1 d2:1 e2:1 f2:1",
    ),
    (
        "a reinforcement can be placed at once",
        [(0, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)],
        "g.set(0, REINFORCEMENTS, 1);",
        &[&["reinforce", "place a 5", "done"], &["done"]],
        "a1:6 b2:1 c2:1 d2:1 e2:1 f2:1",
    ),
    // The document: the game ends at any time one player owns all land.
    (
        "nothing is executed once one player owns all land",
        [(0, 1), (1, 1), (0, 10), (0, 1), (0, 1), (0, 9)],
        "g.set(1, RESERVE, 2);",
        &[
            &["attack c b 8", "move f a 8", "move c d 1", "done"],
            &["place b 2", "attack b a 2", "done"],
        ],
        "a1:1 b1:6 c1:2 d1:1 e1:1 f1:9 advances on a from b with 2: not executed, the game is over; \
         moves 8 from f to a: not executed, the game is over; moves 1 from c to d: not executed, the game is over",
    ),
    (
        "a blockade of the last land ends the game too",
        [(0, 5), (1, 3), (0, 1), (0, 1), (0, 1), (0, 2)],
        "g.set(1, BLOCKADES, 1);",
        &[
            &["move a f 1", "attack a b 3", "done"],
            &["fortress b", "done"],
        ],
        "a1:4 b-:9 c1:1 d1:1 e1:1 f1:3 advances on b from a with 3: not executed, the game is over",
    ),
    (
        "a third player's land keeps the game going",
        [(0, 1), (1, 1), (0, 9), (2, 1), (0, 1), (0, 9)],
        "",
        &[
            &["attack c b 8", "move f a 8", "done"],
            &["done"],
            &["done"],
        ],
        "a1:9 b1:7 c1:1 d3:1 e1:1 f1:1",
    ),
];

#[test]
fn orders_meet_each_other() {
    let exact: &[(&str, &str)] = &[("luck", "0")];
    let mut wrong = String::new();
    for (name, armies, cards, says, expected) in MEETINGS {
        let found = outcome(armies, cards, exact, says);
        if found != *expected {
            writeln!(wrong, "{name}: {found}, not {expected}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Plays battles of `a` against `d`; returns whether the land was taken, and the armies left on
/// both sides.
fn battles(a: i32, d: i32, options: &[(&str, &str)], games: u64) -> Vec<(bool, i32, i32)> {
    let start = round(&[(0, a + 1), (1, d), (1, 1), (1, 1), (1, 1), (1, 1)], "");
    let (_folder, setup) = position_of("warzone", &start, 2, options);
    let mut worker = Worker::new(&setup).unwrap();
    let order = format!("attack a b {a}");
    (0..games)
        .map(|number| {
            let log = risk_testing::games::Log::default();
            let mut bots: Vec<_> = [vec![order.as_str(), "done"], vec!["done"]]
                .into_iter()
                .map(|says| {
                    let says = says.into_iter().map(str::to_owned).collect();
                    hosted(risk_testing::games::PreparedBot {
                        says,
                        log: log.clone(),
                    })
                })
                .collect();
            let game = worker
                .play_with(number, &mut bots, &mut risk_kernel::NullSink)
                .game;
            let taken = game.owns(Player(0), Territory(1));
            let source = game.armies(Territory(0)) - 1;
            let target = game.armies(Territory(1));
            (
                taken,
                source + if taken { target } else { 0 },
                if taken { 0 } else { target },
            )
        })
        .collect()
}

#[test]
fn without_luck_battles_are_as_expected() {
    // Attackers, defenders, and whether the land is taken. Kills and losses are rounded half up.
    let rows = [
        (1, 1, false),
        (2, 1, true),
        (3, 2, true),
        (4, 3, false),
        (5, 3, true),
        (10, 6, true),
        (10, 7, false),
    ];
    for (a, d, taken) in rows {
        let (found, left, defending) = battles(a, d, &[("luck", "0")], 1)[0];
        assert_eq!(found, taken, "{a} v {d}");
        let killed = (a * 60 + 50) / 100;
        let lost = (d * 70 + 50) / 100;
        assert_eq!(left, (a - lost.min(a)).max(0), "{a} v {d}");
        assert_eq!(
            defending,
            if taken { 0 } else { (d - killed).max(1) },
            "{a} v {d}"
        );
    }
    let fewest: Vec<i32> = (1..=12)
        .map(|d| {
            (1..30)
                .find(|&a| battles(a, d, &[("luck", "0")], 1)[0].0)
                .unwrap()
        })
        .collect();
    assert_eq!(fewest, [2, 3, 5, 6, 8, 10, 11, 13, 15, 16, 18, 20]);
}

/// Attackers, defenders; chance of a capture, attackers left given one and in all, defenders left.
const BATTLES: [(i32, i32, f64, f64, f64, f64); 13] = [
    (1, 1, 0.180000, 1.0000, 0.3000, 0.8200),
    (2, 1, 0.840000, 1.3000, 1.3000, 0.1600),
    (3, 1, 0.936000, 2.3000, 2.3000, 0.0640),
    (2, 2, 0.183600, 1.1765, 0.6000, 0.9764),
    (3, 2, 0.648000, 1.6000, 1.6000, 0.4160),
    (4, 2, 0.820800, 2.6000, 2.6000, 0.2048),
    (4, 3, 0.475200, 1.9000, 1.9000, 0.7296),
    (5, 3, 0.682560, 2.9000, 2.9000, 0.4147),
    (6, 3, 0.820800, 3.9000, 3.9000, 0.2243),
    (10, 5, 0.833761, 6.5000, 6.5000, 0.2351),
    (10, 6, 0.633103, 5.8000, 5.8000, 0.6020),
    (10, 10, 0.005876, 3.0872, 3.0000, 4.0002),
    (20, 10, 0.872479, 13.0000, 13.0000, 0.2135),
];

#[test]
fn odds_of_battles_are_exact() {
    let fight = |options: &[(&str, &str)]| {
        let setup = setup("warzone", None, &["random"; 2], 1, options);
        risk_kernel::odds::Fight::from_tables(Worker::new(&setup).unwrap().rules().tables())
            .unwrap()
    };
    let mut luck = fight(&[]);
    for (a, d, p, given, left, defending) in BATTLES {
        let odds = luck.odds(a, d).unwrap();
        assert!((odds.capture - p).abs() < 5.1e-7, "{a} v {d}: {odds:?}");
        assert!(
            (odds.attackers_left_given_capture - given).abs() < 5.1e-5,
            "{a} v {d}: {odds:?}"
        );
        assert!(
            (odds.attackers_left - left).abs() < 5.1e-5,
            "{a} v {d}: {odds:?}"
        );
        assert!(
            (odds.defenders_left - defending).abs() < 5.1e-5,
            "{a} v {d}: {odds:?}"
        );
    }
    assert!((luck.odds(3, 2).unwrap().capture - 81.0 / 125.0).abs() < 1e-12);
    assert!((luck.odds(5, 3).unwrap().capture - 2133.0 / 3125.0).abs() < 1e-12);
    assert!((luck.odds(1_000, 1_000).unwrap().attackers_left - 300.0).abs() < 1e-6);
    let mut some = fight(&[("luck", "16")]);
    assert!((some.odds(3, 2).unwrap().capture - 1.0).abs() < 1e-12);
    assert!((some.odds(10, 6).unwrap().capture - 0.9877).abs() < 5.1e-5);
    let mut weighted = fight(&[("luck", "0"), ("rounding", "weighted")]);
    for (a, d, p) in [
        (1, 1, 0.18),
        (2, 1, 1.0),
        (3, 2, 0.8),
        (4, 3, 0.4),
        (5, 3, 1.0),
        (10, 6, 1.0),
        (10, 7, 0.0),
    ] {
        assert!(
            (weighted.odds(a, d).unwrap().capture - p).abs() < 1e-12,
            "{a} v {d}"
        );
    }
}

#[test]
fn with_luck_battles_come_out_as_often_as_they_should() {
    const GAMES: u64 = 4_000;
    // Attackers, defenders; chance of a capture; expected attackers and defenders left.
    let rows = [
        (2, 2, 0.183600, 0.6000, 0.9764),
        (3, 2, 0.648000, 1.6000, 0.4160),
        (10, 6, 0.633103, 5.8000, 0.6020),
    ];
    for (a, d, p, left, defending) in rows {
        let found = battles(a, d, &[], GAMES);
        let n = GAMES as f64;
        let taken = found.iter().filter(|battle| battle.0).count() as f64;
        assert!(
            (taken - p * n).abs() <= 4.0 * (n * p * (1.0 - p)).sqrt(),
            "{a} v {d}: {taken}"
        );
        let mean = |of: fn(&(bool, i32, i32)) -> i32| {
            found
                .iter()
                .map(|battle| f64::from(of(battle)))
                .sum::<f64>()
                / n
        };
        // Four standard errors of the losses, which are binomial.
        let error =
            |count: i32, chance: f64| 4.0 * (f64::from(count) * chance * (1.0 - chance) / n).sqrt();
        assert!(
            (mean(|battle| battle.1) - left).abs() <= error(d, 0.7),
            "{a} v {d}: {}",
            mean(|battle| battle.1)
        );
        assert!(
            (mean(|battle| battle.2) - defending).abs() <= error(a, 0.6),
            "{a} v {d}: {}",
            mean(|battle| battle.2)
        );
    }
    let found = battles(10, 6, &[("luck", "16")], GAMES);
    let taken = found.iter().filter(|battle| battle.0).count() as f64 / GAMES as f64;
    assert!(
        (taken - 0.9877).abs() <= 4.0 * (0.9877 * 0.0123 / GAMES as f64).sqrt(),
        "luck 16: {taken}"
    );
    // Weighted rounding: 3 v 2 kills 1.8, so 2 in four of five; 4 v 3 kills 2.4, so 3 in two of
    // five.
    for (a, d, p) in [
        (1, 1, 0.18),
        (3, 2, 0.8),
        (4, 3, 0.4),
        (10, 7, 0.0),
        (5, 3, 1.0),
    ] {
        let found = battles(a, d, &[("luck", "0"), ("rounding", "weighted")], 2_000);
        let taken = found.iter().filter(|battle| battle.0).count() as f64;
        let n = 2_000.0;
        assert!(
            (taken - p * n).abs() <= 4.0 * (n * p * (1.0 - p)).sqrt(),
            "weighted {a} v {d}: {taken}"
        );
    }
}

#[test]
fn a_conquest_brings_a_card_and_pieces_make_one() {
    let armies = [(0, 10), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)];
    let says: &[&[&str]] = &[&["attack a b 9", "done"], &["done"]];
    let cards = |options: &[(&str, &str)]| {
        let (_folder, setup) = position_of("warzone", &round(&armies, ""), 2, options);
        let game = play_logged(&setup, says).1.game;
        let sum = |who: Player| {
            ["bombs", "blockades", "airlifts", "truces", "reinforcements"]
                .iter()
                .map(|name| game.counter(game.decl().counter(name).unwrap(), Some(who)))
                .sum::<i64>()
        };
        (
            sum(Player(0)),
            sum(Player(1)),
            game.counter(game.decl().counter("pieces").unwrap(), Some(Player(0))),
        )
    };
    assert_eq!(cards(&[("luck", "0")]), (1, 0, 0));
    assert_eq!(cards(&[("luck", "0"), ("card_pieces", "3")]), (0, 0, 1));
}

#[test]
fn orders_are_secret_until_they_are_executed() {
    use risk_kernel::event::Event;

    use risk_kernel::view::View;
    #[derive(Default)]
    struct Spy(Vec<Event>, bool);
    impl risk_kernel::Sink for Spy {
        fn event(&mut self, moment: Moment<'_>, event: &Event) {
            self.1 |= matches!(event, Event::Unstored { .. });
            if !self.1 {
                let view = View::new(moment.facts(), Player(1));
                self.0.extend(view.redact_for(event));
            }
        }
    }
    let armies = [(0, 10), (1, 1), (1, 1), (0, 5), (1, 1), (1, 1)];
    let watch = |first: &[&str]| {
        let (_folder, setup) = position_of("warzone", &round(&armies, ""), 2, &[]);
        let mut spy = Spy::default();
        let log = risk_testing::games::Log::default();
        let teller = |says: &[&str]| {
            let says = says.iter().map(|say| (*say).to_owned()).collect();
            hosted(risk_testing::games::PreparedBot {
                says,
                log: log.clone(),
            })
        };
        let mut bots = vec![teller(first), teller(&["done"])];
        Worker::new(&setup)
            .unwrap()
            .play_with(0, &mut bots, &mut spy);
        spy.0
    };
    assert_eq!(
        watch(&["attack a b 9", "done"]),
        watch(&["attack a f 3", "done"])
    );
}

#[test]
fn fog_is_an_option() {
    for (fog, owner, armies) in [
        ("none", true, true),
        ("light", true, false),
        ("normal", false, false),
        ("dense", true, false),
    ] {
        let games = setup("warzone", None, &["random"; 2], 1, &[("fog", fog)]);
        let worker = Worker::new(&games).unwrap();
        use risk_kernel::declare::Sight;
        assert_eq!(worker.decl().owners_seen == Sight::All, owner, "{fog}");
        assert_eq!(worker.decl().units_seen == Sight::All, armies, "{fog}");
    }
}

/// A worker's engine serves all its games, so nothing may accumulate. Every fortieth game equals
/// the game of a new worker, event for event, and the memory in use stays the same.
#[test]
fn nothing_adds_up_from_game_to_game() {
    let games = setup("warzone", None, &["outnumber"; 3], 1, &[]);
    let mut worker = Worker::new(&games).unwrap();
    let mut held = Vec::with_capacity(160);
    each(0..160, |&number| {
        let mut heard = EventTexts::default();
        let finished = worker.play(number, &mut heard);
        let outcome = finished.outcome.unwrap();
        if number % 40 == 39 {
            let mut alone = EventTexts::default();
            let again = Worker::new(&games).unwrap().play(number, &mut alone);
            assert_eq!(again.outcome.unwrap(), outcome);
            assert_eq!(again.game.digest(), finished.game.digest());
            assert_eq!(alone.0, heard.0);
        }
        drop((finished.game, heard, outcome));
        held.push(rhai_guard::memory::held());
    });
    // Lists keep the capacity of their longest game.
    assert!(
        held.iter().all(|&bytes| bytes <= held[0] + 2_000),
        "{held:?}"
    );
}

#[derive(Default)]
struct EventTexts(Vec<String>);

impl Sink for EventTexts {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        self.0.push(format!("{event:?}"));
    }
}

/// What a player's own earlier orders make impossible can't be ordered.
#[test]
fn own_orders_rule_others_out() {
    let armies = [(0, 10), (1, 5), (0, 10), (2, 5), (0, 10), (1, 5)];
    let cards =
        "g.set(0, TRUCES, 1); g.set(0, BOMBS, 1); g.set(0, BLOCKADES, 2); g.set(0, AIRLIFTS, 1);";
    let rows: &[(&str, &[&str], bool)] = &[
        ("seed", &["attack a b 2", "negotiate 2"], true),
        ("seed", &["negotiate 2", "attack a b 2"], false),
        ("seed", &["negotiate 2", "bomb b"], false),
        ("seed", &["negotiate 2", "attack c d 2", "bomb d"], true),
        ("seed", &["attack a b 2", "fortress a"], true),
        ("seed", &["fortress a", "attack a b 2"], false),
        ("seed", &["fortress a", "fortress a"], false),
        ("seed", &["fortress a", "airlift a c 1"], false),
        ("seed", &["fortress a", "airlift c a 1"], false),
        (
            "seed",
            &["fortress a", "airlift c e 1", "attack c b 2"],
            true,
        ),
        ("warzone", &["fortress a", "attack a b 2"], true),
        ("warzone", &["negotiate 2", "attack a b 2"], false),
    ];
    for (phases, orders, is_legal) in rows {
        let (_folder, setup) =
            position_of("warzone", &round(&armies, cards), 3, &[("phases", phases)]);
        let orders: Vec<&str> = orders.iter().copied().chain(["done"]).collect();
        let (log, _) = play_logged(&setup, &[&orders, &["done"], &["done"]]);
        assert_eq!(
            !log.contains("fault"),
            *is_legal,
            "{phases} {orders:?}: {log}"
        );
    }
}
