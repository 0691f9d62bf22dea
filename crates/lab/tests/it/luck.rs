//! Luck and chances of recorded games.

use std::collections::BTreeMap;

use risk_engine::{Setup, Worker};
use risk_kernel::NullSink;
use risk_kernel::action::Action;
use risk_kernel::event::{Dice, Event, FightRound};
use risk_kernel::id::{Phase, Player, Territory, Unit, Verb};
use risk_kernel::odds::Rounds;
use risk_kernel::phases::table::NumberTable;
use risk_lab::analysis::luck::Luck;
use risk_testing::games::{feed, setup};

fn luck_of(setup: &Setup, worker: &mut Worker<'_>, number: u64) -> Vec<f64> {
    let mut luck = Luck::new(worker);
    assert!(worker.play(number, &mut luck).outcome.is_ok());
    luck.finish();
    assert_eq!(
        luck.unknown,
        BTreeMap::new(),
        "{}",
        setup.rules.ruleset_spec
    );
    assert!(!luck.battles.is_empty());
    luck.players().iter().map(|player| player.luck()).collect()
}

/// A bot's luck has the mean 0, whether it is good or bad. In codelab the players' luck sums to 0.
#[test]
fn luck_has_the_mean_zero() {
    let games = 200;
    for (ruleset, map, players, option) in [
        ("codelab", "duel", 2, ("max_turns", "60")),
        ("hasbro", "world", 3, ("max_turns", "12")),
        ("simplified", "grid:4x4", 2, ("dice", "capped")),
        ("simplified", "grid:4x4", 2, ("dice", "literal")),
        ("simplified", "grid:4x4", 2, ("dice", "csharp")),
        ("warzone", "duel", 2, ("max_turns", "20")),
    ] {
        let bots = &["outnumber", "random", "random"][..players];
        let setup = setup(ruleset, Some(map), bots, 5, &[option]);
        let mut worker = Worker::new(&setup).unwrap();
        let mut sum = 0.0;
        let mut squares = 0.0;
        for number in 0..games {
            let players = luck_of(&setup, &mut worker, number);
            if ruleset == "codelab" {
                assert!(players.iter().sum::<f64>().abs() < 1e-9, "{players:?}");
            }
            let seat = setup.seating(number).iter().position(|&bot| bot == 0);
            let luck = players[seat.unwrap()];
            sum += luck;
            squares += luck * luck;
        }
        let mean = sum / games as f64;
        let error = ((squares / games as f64 - mean * mean) / games as f64).sqrt();
        assert!(
            error > 0.0 && mean.abs() < 4.0 * error,
            "{ruleset} {option:?}: {mean} ± {error}"
        );
    }
}

fn owner(at: Territory, to: Player) -> Event {
    Event::Owner {
        at,
        from: None,
        to: Some(to),
    }
}

fn units(at: Territory, now: i32) -> Event {
    Event::Units {
        at,
        unit: Unit::FIRST,
        by: 0,
        now,
    }
}

fn answered(phase: Phase, number: u64) -> Event {
    Event::Answered {
        player: Player::from_index(0),
        phase,
        action: Action::new(Verb::from_index(0), &[]),
        number,
        chosen: true,
    }
}

fn rolled(attack: &[u8], defend: &[u8]) -> Event {
    Event::Rolled {
        attack: Dice::new(attack),
        defend: Dice::new(defend),
    }
}

fn fought(defenders: i32, attacker_lost: i32, defender_lost: i32) -> Event {
    Event::Fought(FightRound {
        from: Territory::from_index(0),
        to: Territory::from_index(1),
        attackers: 1,
        standing: 5,
        defenders,
        attacker_lost,
        defender_lost,
    })
}

fn began(turn: u32, round: u32) -> Event {
    Event::TurnBegan {
        player: None,
        turn,
        round,
    }
}

#[test]
fn luck_is_counted_exactly() {
    let setup = setup("codelab", Some("duel"), &["random", "random"], 1, &[]);
    let mut worker = Worker::new(&setup).unwrap();
    let game = worker.play(0, &mut NullSink).game;
    let mut luck = Luck::new(&worker);
    let phases = &worker.decl().phases;
    let attack = phases.iter().position(|it| it.name == "attack").unwrap();
    let attack = Phase::from_index(attack);
    let [from, to] = [0, 1].map(Territory::from_index);
    let [me, foe] = [0, 1].map(Player::from_index);
    let setting = [
        owner(from, me),
        owner(to, foe),
        units(from, 5),
        units(to, 3),
    ];
    let events = [
        began(4, 2),
        answered(attack, 7),
        rolled(&[1, 1, 1], &[6, 6]),
        fought(3, 2, 0),
        units(from, 3),
        answered(attack, 8),
        rolled(&[6, 6], &[1, 1]),
        fought(3, 0, 2),
        units(to, 1),
        answered(attack, 9),
        rolled(&[6, 6], &[1]),
        fought(1, 0, 1),
        // No answer led to this round.
        fought(1, 0, 1),
    ];
    feed(&mut luck, &game, setting.iter().chain(&events));
    luck.finish();
    assert_eq!(luck.unknown.values().copied().collect::<Vec<_>>(), [1]);
    let [battle] = &luck.battles[..] else {
        panic!("{:?}", luck.battles)
    };
    let place = (battle.decision, battle.round, battle.turn, battle.rounds);
    assert_eq!(place, (7, 2, 4, 3));
    assert_eq!((battle.attacker, battle.defender), (me, Some(foe)));
    assert_eq!((battle.lost.real, battle.killed.real), (2, 3));
    // Three dice against two, then two against two, then two against one.
    let lost = 7161.0 / 7776.0 + 1582.0 / 1296.0 + 91.0 / 216.0;
    let killed = 8391.0 / 7776.0 + 1010.0 / 1296.0 + 125.0 / 216.0;
    assert!((battle.lost.expected - lost).abs() < 1e-12, "{battle:?}");
    assert!(
        (battle.killed.expected - killed).abs() < 1e-12,
        "{battle:?}"
    );
    let [mine, other] = luck.players()[..] else {
        panic!("two play")
    };
    assert!((mine.luck() - ((3.0 - killed) - (2.0 - lost))).abs() < 1e-12);
    assert!((mine.luck() + other.luck()).abs() < 1e-12);
    assert_eq!((mine.attacks, mine.defences), (1, 0));
    assert_eq!((other.attacks, other.defences), (0, 1));
}

/// One defender survives where all would die.
#[test]
fn battles_in_percent_are_expected_exactly() {
    let table = |name: &str, ranges: &[(i32, i32)], values: &[i32]| {
        (name.to_owned(), NumberTable::new(name, ranges, values))
    };
    let tables = BTreeMap::from([
        table("kill_percent", &[(0, 1)], &[60, 70]),
        table("kill_luck", &[(0, 0)], &[100]),
        table("kill_weighted", &[(0, 0)], &[0]),
    ]);
    let mut rounds = Rounds::from_tables(&tables);
    let losses = rounds.percent(0, 1, 1).unwrap();
    assert!((losses.attacker - 0.7).abs() < 1e-12, "{losses:?}");
    assert!((losses.defender - 0.6 * 0.3).abs() < 1e-12, "{losses:?}");
    assert!(rounds.percent(0, 1_001, 1).is_err());
    assert!(rounds.dice(0, [1, 1], 1, 1).is_err());
}
