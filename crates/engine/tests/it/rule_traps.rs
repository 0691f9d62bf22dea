//! Valid rulesets and bots at the limits of the rules.

use std::fs;

use risk_engine::{MatchSpec, Worker};
use risk_testing::games::{Rolls, library};

/// Returns the losses of a roll by the rule book: highest against highest, ties for the defender.
fn by_the_book(attack: &[u8], defend: &[u8]) -> (i32, i32) {
    let pairs = attack.iter().zip(defend);
    let killed = pairs.clone().filter(|(a, d)| a > d).count();
    (
        (pairs.count() - killed).try_into().unwrap(),
        killed.try_into().unwrap(),
    )
}

#[test]
fn a_defender_may_roll_more_dice_than_are_counted_beforehand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.rhai");
    let text = "fn ruleset() { #{ extends: \"hasbro\", name: \"many\", about: \"x\",
            tables: #{ defend_dice: [0..=6] } } }
        fn defend_dice(armies) { if armies < 4 { armies } else { 4 } }";
    fs::write(&path, text).unwrap();
    let setup = MatchSpec::new(path.to_str().unwrap())
        .bots(["outnumber", "odds", "holder"])
        .option("max_turns", 60)
        .seed(4)
        .load(library())
        .unwrap();
    let mut worker = Worker::new(&setup).unwrap();
    let mut rolls = Rolls::default();
    for number in 0..20 {
        let outcome = worker.play(number, &mut rolls).outcome;
        assert!(outcome.is_ok(), "{outcome:?}");
    }
    let most = rolls.seen.keys().map(|(_, defend)| defend.len()).max();
    assert!(most >= Some(4), "{most:?}");
    for ((attack, defend), losses) in &rolls.seen {
        let expected = by_the_book(attack, defend);
        assert!(
            losses.iter().all(|found| *found == expected),
            "{attack:?} against {defend:?}: {losses:?}"
        );
    }
}
