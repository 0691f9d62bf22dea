//! The cost of a roll: rows of dice, by the tables that a ruleset may have, in Rust and in scripts.

use std::collections::BTreeMap;

use risk_engine::Worker;
use risk_kernel::declare::FightMethod;
use risk_kernel::odds::Fight;
use risk_kernel::phases::dice::{DiceRule, Losses, Pairs};
use risk_kernel::phases::table::NumberTable;
use risk_kernel::{NullSink, StopReason};

use risk_testing::facts::has_words;
use risk_testing::games as support;

/// Six-sided dice; the defender wins ties.
fn pair_won() -> NumberTable {
    let pairs = (1..=6).flat_map(|attack| (1..=6).map(move |defend| i32::from(attack > defend)));
    NumberTable::new("pair_won", &[(1, 6), (1, 6)], &pairs.collect::<Vec<_>>())
}

/// At most one pair for each army that may leave.
fn most_pairs() -> NumberTable {
    NumberTable::new("most_pairs", &[(0, 3)], &[0, 1, 2, 3])
}

/// The first pair always counts, a second only where two armies may still leave and a defender is
/// left.
fn compares() -> NumberTable {
    let value = |pair: i32, armies: i32, defenders: i32| match pair {
        0 => 1,
        _ => i32::from(armies > 1 && defenders > 0),
    };
    let values = (0..=1).flat_map(|pair| {
        (0..=2).flat_map(move |armies| (0..=2).map(move |foes| value(pair, armies, foes)))
    });
    let ranges = [(0, 1), (0, 2), (0, 2)];
    NumberTable::new("compares", &ranges, &values.collect::<Vec<_>>())
}

fn rule<const N: usize>(tables: [NumberTable; N]) -> DiceRule {
    let tables = tables.map(|table| (table.name().to_owned(), table));
    DiceRule::from_tables(&tables.into(), 0).unwrap()
}

fn ints(dice: &[u8]) -> Vec<i32> {
    dice.iter().copied().map(i32::from).collect()
}

#[test]
fn the_documents_examples_hold() {
    let rule = rule([pair_won()]);
    for (attack, defend, (lost, killed)) in support::DICE_EXAMPLES {
        let losses = rule.losses(&ints(attack), &ints(defend), Pairs::ALL);
        let expected = Losses { lost, killed };
        assert_eq!(losses.unwrap(), expected, "{attack:?} against {defend:?}");
    }
}

/// Dice of both sides, armies that may leave, defenders, losses of both.
type Row = (&'static [i32], &'static [i32], i32, i32, (i32, i32));

fn check(rule: &DiceRule, rows: &[Row]) {
    for &(attack, defend, armies, defenders, (lost, killed)) in rows {
        let pairs = rule.pairs(armies, defenders).unwrap();
        let losses = rule.losses(attack, defend, pairs).unwrap();
        let expected = Losses { lost, killed };
        assert_eq!(
            losses, expected,
            "{attack:?} of {armies}, {defend:?} of {defenders}"
        );
    }
}

#[test]
fn the_tables_say_which_pairs_count() {
    check(
        &rule([pair_won(), most_pairs()]),
        &[
            (&[6, 6, 6], &[5, 5], 0, 9, (0, 0)),
            (&[6, 6, 6], &[5, 5], 1, 9, (0, 1)),
            (&[6, 6, 6], &[5, 6], 3, 9, (1, 1)),
            (&[6, 6, 6], &[5, 5], 700, 9, (0, 2)),
        ],
    );
    check(
        &rule([pair_won(), compares()]),
        &[
            (&[6, 6], &[5, 5], 2, 2, (0, 2)),
            // One army may leave: the second pair is not compared.
            (&[6, 6], &[5, 5], 1, 2, (0, 1)),
            // The loss of the first pair rules out a second one.
            (&[1, 1], &[5, 5], 2, 2, (1, 0)),
            // Numbers beyond the table's ranges.
            (&[1, 6], &[5, 5], 70, 80, (1, 1)),
            // A die that was not rolled loses.
            (&[6, 1], &[5], 2, 2, (0, 2)),
            (&[1], &[5, 5], 3, 2, (2, 0)),
        ],
    );
}

#[test]
fn scripts_compare_by_the_same_tables() {
    let set_up = "
        if g.compare([6, 2, 5], [6, 4]) != [1, 1] { throw \"all pairs, the highest first\"; }
        if g.compare([5, 6], [1, 1], 1, 2) != [0, 2] { throw \"a ruleset without most_pairs\"; }
        g.deal();
        g.end(\"compared\", [0]);";
    let (_folder, setup) = support::position(set_up, 3, &[]);
    let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
    assert_eq!(finished.outcome.unwrap().reason, "compared");
    for (set_up, expected) in [
        ("g.compare([7], [1]);", "pair_won 7 1 tables"),
        ("g.compare([\"six\"], [1]);", "dice"),
    ] {
        let (_folder, setup) = support::position(set_up, 3, &[]);
        let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
        let Err(StopReason::Rules(fault)) = finished.outcome else {
            panic!("{set_up}: {:?}", finished.outcome);
        };
        assert!(has_words(fault.text(), expected), "{fault}");
    }
}

fn made(tables: &[(&str, &[(i32, i32)], &[i32])]) -> BTreeMap<String, NumberTable> {
    tables
        .iter()
        .map(|&(name, ranges, values)| (name.to_owned(), NumberTable::new(name, ranges, values)))
        .collect()
}

#[test]
fn a_class_has_the_chances_of_its_own_tables() {
    // Class 1 has one more die to defend with, class 2 lets ties go to the attacker.
    let dice = |armies: i32, most: i32| armies.min(most);
    let won = |a: i32, d: i32, class: i32| i32::from(a > d || class == 2 && a == d);
    let each = |class: i32| {
        let defend: Vec<i32> = (0..=3)
            .map(|n| dice(n, if class == 1 { 3 } else { 2 }))
            .collect();
        let pairs = (1..=6).flat_map(|a| (1..=6).map(move |d| won(a, d, class)));
        (defend, pairs.collect::<Vec<_>>())
    };
    let [mut defend, mut pairs] = [Vec::new(), Vec::new()];
    for number in 0..4 {
        defend.extend((0..3).map(|class| each(class).0[number]));
    }
    for number in 0..36 {
        pairs.extend((0..3).map(|class| each(class).1[number]));
    }
    let attack: (&str, &[(i32, i32)], &[i32]) = ("attack_dice", &[(0, 3)], &[0, 1, 2, 3]);
    let percent: [(&str, &[(i32, i32)], &[i32]); 2] = [
        ("kill_luck", &[(0, 0)], &[100]),
        ("kill_weighted", &[(0, 0)], &[0]),
    ];
    let by_class = made(&[
        attack,
        ("defend_dice", &[(0, 3), (0, 2)], &defend),
        ("pair_won", &[(1, 6), (1, 6), (0, 2)], &pairs),
        ("kill_percent", &[(0, 1), (0, 2)], &[60, 60, 90, 70, 50, 70]),
        percent[0],
        percent[1],
    ]);
    for (way, rounds) in [(FightMethod::Dice, true), (FightMethod::Percent, false)] {
        let mut all = Fight::by(way, &by_class).unwrap();
        assert_eq!((all.classes(), all.has_rounds()), (3, rounds));
        for class in 0..3 {
            let (defend, pairs) = each(class);
            let kills = [[60, 70], [60, 50], [90, 70]][class as usize];
            let own = made(&[
                attack,
                ("defend_dice", &[(0, 3)], &defend),
                ("pair_won", &[(1, 6), (1, 6)], &pairs),
                ("kill_percent", &[(0, 1)], &kills),
                percent[0],
                percent[1],
            ]);
            let mut own = Fight::by(way, &own).unwrap();
            for (attackers, defenders) in [(1, 1), (3, 2), (7, 9), (40, 35)] {
                let wanted = own.odds(attackers, defenders).unwrap();
                let found = all.odds_of(class as u32, attackers, defenders).unwrap();
                assert_eq!(found, wanted, "class {class}, {attackers} v {defenders}");
            }
        }
        assert!(all.odds_of(3, 1, 1).is_err());
    }
}
