//! `warlight1` and `warlight2`: battles against counts of all ways, and games against a referee.

mod referee;

use std::collections::BTreeMap;

use risk_engine::{Worker, hosted};
use risk_kernel::action::Options;
use risk_kernel::fault::BotFault;
use risk_kernel::odds::{Fight, Odds};
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, NullSink};

use referee::{Challenge, Referee};
use risk_testing::by_case::{self, each};
use risk_testing::games as support;

fn odds(ruleset: &str, attackers: i32, defenders: i32) -> Odds {
    let setup = support::setup(ruleset, None, &["random"; 2], 1, &[]);
    let worker = Worker::new(&setup).unwrap();
    let mut fight = Fight::from_tables(worker.rules().tables()).unwrap();
    fight.odds(attackers, defenders).unwrap()
}

/// Returns the chance of each result (capture, attackers left, defenders left) from every way in
/// which the armies can hit.
fn all_ways(challenge: Challenge, a: i32, d: i32) -> BTreeMap<(bool, i32, i32), f64> {
    let hits = |armies: i32, chance: f64| -> Vec<f64> {
        let mut row = vec![0.0; armies as usize + 1];
        for ways in 0_u32..1 << armies {
            let hit = ways.count_ones() as i32;
            row[hit as usize] += chance.powi(hit) * (1.0 - chance).powi(armies - hit);
        }
        row
    };
    let mut found = BTreeMap::new();
    for (x, by) in hits(a, 0.6).into_iter().enumerate() {
        for (y, back) in hits(d, 0.7).into_iter().enumerate() {
            let (kills, losses, won) = challenge.battle((a, x as i32), (d, y as i32));
            let left = if won { 0 } else { d - kills };
            *found.entry((won, a - losses, left)).or_insert(0.0) += by * back;
        }
    }
    found
}

/// Attackers and defenders; chance of a capture in percent; attackers left after a capture;
/// attackers and defenders left without one.
type Vector = (i32, i32, f64, f64, (f64, f64));

/// Values of the second challenge's engine.
const SECOND: [Vector; 9] = [
    (1, 1, 0.0, 0.0, (0.0, 1.0)),
    (2, 1, 100.0, 1.0, (0.0, 0.0)),
    (2, 2, 0.0, 0.0, (1.0, 1.0)),
    (3, 2, 100.0, 2.0, (0.0, 0.0)),
    (4, 3, 12.96, 2.0, (2.0, 1.0)),
    (5, 3, 100.0, 3.0, (0.0, 0.0)),
    (9, 6, 23.18, f64::NAN, (f64::NAN, f64::NAN)),
    (10, 6, 98.77, f64::NAN, (f64::NAN, f64::NAN)),
    (11, 6, 100.0, 7.0, (0.0, 0.0)),
];

/// Values of the first challenge, by counting: a capture needs a hit for each defender and an
/// attacker that is left.
const FIRST: [Vector; 6] = [
    // 0.6 · 0.3.
    (1, 1, 18.0, 1.0, (f64::NAN, f64::NAN)),
    // One hit of two at least, 0.84: the one defender can't hit both.
    (2, 1, 84.0, 1.3, (f64::NAN, f64::NAN)),
    // Both hit, 0.36, and not both are hit, 1 − 0.49.
    (2, 2, 18.36, 0.6 / 0.51, (f64::NAN, f64::NAN)),
    // Two of three hit, 3 · 0.36 · 0.4 + 0.216.
    (3, 2, 64.8, 1.6, (f64::NAN, f64::NAN)),
    // Three of four hit, 4 · 0.216 · 0.4 + 0.1296.
    (4, 3, 47.52, 1.9, (f64::NAN, f64::NAN)),
    // Three of three hit, 0.216, and not all three are hit, 1 − 0.343.
    (3, 3, 14.1912, f64::NAN, (f64::NAN, f64::NAN)),
];

#[test]
fn odds_are_those_of_both_challenges() {
    for (ruleset, rows, places) in [
        ("warlight2", &SECOND[..], 5e-3),
        ("warlight1", &FIRST, 1e-9),
    ] {
        for &(a, d, percent, left, (fewer, stay)) in rows {
            let odds = odds(ruleset, a, d);
            let lost = 1.0 - odds.capture;
            let near = |found: f64, wanted: f64| wanted.is_nan() || (found - wanted).abs() < 1e-9;
            assert!(
                (100.0 * odds.capture - percent).abs() < places,
                "{ruleset} {a} v {d}: {odds:?}"
            );
            let won = odds.capture * odds.attackers_left_given_capture;
            assert!(
                odds.capture == 0.0 || near(odds.attackers_left_given_capture, left),
                "{ruleset} {a} v {d}: {odds:?}"
            );
            assert!(
                lost < 1e-9
                    || (near((odds.attackers_left - won) / lost, fewer)
                        && near(odds.defenders_left / lost, stay)),
                "{ruleset} {a} v {d}: {odds:?}"
            );
        }
    }
}

#[test]
fn odds_agree_with_all_ways_in_which_armies_can_hit() {
    for (ruleset, challenge) in [
        ("warlight2", Challenge::Second),
        ("warlight1", Challenge::First),
    ] {
        let setup = support::setup(ruleset, None, &["random"; 2], 1, &[]);
        let worker = Worker::new(&setup).unwrap();
        let mut fight = Fight::from_tables(worker.rules().tables()).unwrap();
        for a in 1..=9 {
            for d in 1..=9 {
                let found = fight.odds(a, d).unwrap();
                let mut wanted = [0.0; 3];
                for ((won, left, stay), chance) in all_ways(challenge, a, d) {
                    wanted[0] += if won { chance } else { 0.0 };
                    wanted[1] += chance * f64::from(left);
                    wanted[2] += chance * f64::from(stay);
                }
                let found = [found.capture, found.attackers_left, found.defenders_left];
                for (found, wanted) in found.into_iter().zip(wanted) {
                    assert!((found - wanted).abs() < 1e-9, "{ruleset} {a} v {d}");
                }
            }
        }
    }
}

#[test]
fn so_many_attackers_are_enough() {
    // Attackers needed for a chance of half, and for certain, against 1 defender, 2, and so on.
    let rows = [
        (2, 2),
        (3, 3),
        (5, 5),
        (6, 7),
        (8, 9),
        (10, 11),
        (11, 13),
        (13, 15),
        (15, 17),
        (16, 19),
        (18, 21),
        (20, 22),
    ];
    for (d, (half, certain)) in (1..).zip(rows) {
        let chance = |a: i32| odds("warlight2", a, d).capture;
        assert!(chance(half) >= 0.5 && chance(half - 1) < 0.5, "against {d}");
        // With 22 against 12 one battle in a million is lost.
        let sure = |a: i32| chance(a) > 1.0 - if a == 22 { 1e-5 } else { 1e-12 };
        assert!(sure(certain) && !sure(certain - 1), "against {d}");
    }
}

const BOTS: [&str; 5] = ["random", "marshal", "warlord", "outnumber", "random-action"];

#[test]
fn a_referee_agrees_on_every_state() {
    let mut seen = [0; 4];
    let mut drawn = Vec::new();
    let all = each(0..by_case::share(200), |&number| {
        let mut rng = Stream::new(77, number, Purpose::Setup);
        let mut below = |count: usize| rng.below(count as u64) as usize;
        let first = below(4) == 0;
        let map = format!("random:{}:{}", 19 + below(72), below(1_000));
        let (ruleset, map, challenge) = if first {
            ("warlight1", "world", Challenge::First)
        } else {
            ("warlight2", map.as_str(), Challenge::Second)
        };
        let bots = [BOTS[below(BOTS.len())], BOTS[below(BOTS.len())]];
        // Games of random bots would go on to the last round.
        let rounds = if bots.iter().any(|bot| bot.starts_with("random")) {
            "15"
        } else {
            "0"
        };
        let options = [("rounds", rounds)];
        let setup = support::setup(ruleset, Some(map), &bots, number, &options);
        let mut referee = Referee::new(challenge, setup.rules.board.clone(), rounds == "15");
        let finished = Worker::new(&setup).unwrap().play(0, &mut referee);
        finished.outcome.unwrap();
        assert!(referee.is_over(), "{ruleset} on {map} with {bots:?}");
        for (sum, count) in seen.iter_mut().zip(referee.seen) {
            *sum += count;
        }
        drawn.extend(referee.drawn);
    });
    // Battles, captures, impossible orders, and orders that took fewer armies than ordered.
    assert!(
        !all || seen.iter().all(|&count| count > 20),
        "too little was seen: {seen:?}"
    );
    // Half of all draws are for the first player, and half repeat the one before.
    let share = |count: usize| count as f64 / drawn.len() as f64;
    let first = share(drawn.iter().filter(|&&who| who == 0).count());
    let again = share(drawn.windows(2).filter(|pair| pair[0] == pair[1]).count());
    let fair = (first - 0.5).abs() < 0.06 && (again - 0.5).abs() < 0.06;
    assert!(!all || (drawn.len() > 1_000 && fair), "{first} {again}");
}

/// Takes the last option: picks something, then does nothing.
struct IdleBot;

impl Bot for IdleBot {
    fn answer(&mut self, _: &View, options: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(options.nth(options.len() - 1)))
    }
}

#[test]
fn who_does_nothing_draws_in_the_last_round() {
    let rows = [
        ("warlight2", "random:19", 60),
        ("warlight2", "random:24", 60),
        ("warlight2", "random:25", 62),
        ("warlight2", "random:64", 160),
        ("warlight1", "world", 100),
    ];
    for (ruleset, map, rounds) in rows {
        let setup = support::setup(ruleset, Some(map), &["random"; 2], 1, &[]);
        let mut seats = vec![hosted(IdleBot), hosted(IdleBot)];
        let mut worker = Worker::new(&setup).unwrap();
        let finished = worker.play_with(0, &mut seats, &mut NullSink);
        let outcome = finished.outcome.unwrap();
        assert_eq!(outcome.reason, "rounds");
        assert_eq!(finished.game.round(), rounds, "{ruleset} on {map}");
        assert!(outcome.ranking.iter().all(|rank| rank.place == 1));
    }
}
