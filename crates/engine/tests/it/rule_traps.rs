//! Valid rulesets and bots at the limits of the rules.

use std::fs;

use risk_engine::{MatchSpec, Worker, load_ruleset, script_fault};
use risk_kernel::{NullSink, StopReason};
use risk_testing::games::{Rolls, library};
use risk_text::diag::Finding;

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

const SMALLEST: &str = "(-9223372036854775807 - 1)";

/// Writes a ruleset into the folder, and returns its path.
fn written(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn a_counter_can_not_hold_the_smallest_number() {
    let text = format!(
        "fn ruleset() {{ #{{ extends: \"codelab\", name: \"low\", about: \"x\" }} }}
         fn setup(g) {{ base::setup(g); g.add(0, RESERVE, {SMALLEST}); }}"
    );
    let folder = tempfile::tempdir().unwrap();
    let setup = MatchSpec::new(&written(&folder, "x.rhai", &text)).seed(1);
    let setup = setup.load(library()).unwrap();
    let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
    let Err(StopReason::Rules(fault)) = finished.outcome else {
        panic!("{:?}", finished.outcome)
    };
    let found = Finding::from(script_fault(&fault).unwrap().clone());
    assert_eq!(found.code, "script::failed", "{found}");
    assert_eq!(found.place.as_ref().unwrap().line_column(), (2, 42));
    assert!(found.text.contains("reserve"), "{found}");
}

#[test]
fn a_range_can_not_end_before_the_smallest_number() {
    let text = format!(
        "fn ruleset() {{ #{{ extends: \"codelab\", name: \"low\", about: \"x\",
            options: #{{ few: #{{ value: 1, range: 0..{SMALLEST} }} }} }} }}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = written(&folder, "x.rhai", &text);
    let failure = load_ruleset(library(), &path).unwrap_err();
    let [found] = &failure.findings[..] else {
        panic!("{failure:?}")
    };
    assert_eq!(found.code, "ruleset::value", "{found}");
    assert!(found.text.contains("`few`"), "{found}");
}

#[test]
fn what_a_ruleset_is_written_for_says_nothing_of_its_base() {
    let folder = tempfile::tempdir().unwrap();
    let old = "fn ruleset() { #{ api: 99, extends: \"hasbro\", name: \"old\", about: \"x\" } }";
    let new = "fn ruleset() { #{ api: 1, extends: \"old.rhai\", name: \"new\", about: \"x\" } }";
    written(&folder, "old.rhai", old);
    let path = written(&folder, "new.rhai", new);
    let failure = load_ruleset(library(), &path).unwrap_err();
    let [found] = &failure.findings[..] else {
        panic!("{failure:?}")
    };
    assert_eq!(found.code, "script::api", "{found}");
    let place = found.place.as_ref().unwrap();
    assert!(place.file.name.ends_with("/old.rhai"), "{found}");
    assert_eq!(place.line_column(), (1, 19), "{found}");
}
