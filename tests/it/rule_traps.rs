//! Valid rulesets and bots at the limits of the rules.

use std::fs;

use crate::support::{RunOutput, run_in, words};

fn run(text: &str, line: &str) -> RunOutput {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.rhai"), text).unwrap();
    run_in(folder.path(), &words(line))
}

#[test]
fn fewer_than_no_dice_are_a_fault_of_the_ruleset() {
    for (table, armies) in [
        ("attack_dice", "attack_dice(n)"),
        ("defend_dice", "defend_dice(n)"),
    ] {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"hasbro\", name: \"few\", about: \"x\" }} }}
             fn {armies} {{ n - 2 }}"
        );
        let ran = run(&text, "odds 5 1 --ruleset ./x.rhai");
        ran.refuses(2, "odds::fault");
        assert!(ran.err.contains("-1"), "{table}: {}", ran.err);
    }
}

#[test]
fn a_table_that_tells_too_many_armies_apart_has_no_odds() {
    for (ranges, refused) in [
        ("[0..=2, 0..=3, 0..=3]", false),
        ("[0..=2, 0..=60, 0..=60]", true),
        ("[0..=2999, 0..=1, 0..=1]", true),
    ] {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"hasbro\", name: \"apart\", about: \"x\",
                 tables: #{{ compares: {ranges} }} }} }}
             fn compares(pair, armies, defenders) {{ if pair < armies && pair < defenders {{ 1 }} else {{ 0 }} }}"
        );
        let ran = run(&text, "odds 5 4 --ruleset ./x.rhai");
        if refused {
            ran.refuses(2, "odds::fault");
            assert!(ran.err.contains("`compares`"), "{ranges}: {}", ran.err);
        } else {
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ranges}");
        }
    }
}

const SMALLEST: &str = "(-9223372036854775807 - 1)";

#[test]
fn a_counter_can_not_hold_the_smallest_number() {
    let text = format!(
        "fn ruleset() {{ #{{ extends: \"codelab\", name: \"low\", about: \"x\" }} }}
         fn setup(g) {{ base::setup(g); g.add(0, RESERVE, {SMALLEST}); }}"
    );
    let ran = run(&text, "play --quiet --seed 1 --ruleset ./x.rhai");
    ran.refuses(3, "script::failed");
    assert_eq!(ran.places(), ["./x.rhai:2:42"], "{}", ran.err);
    assert!(ran.err.contains("reserve"), "{}", ran.err);
}

#[test]
fn a_range_can_not_end_before_the_smallest_number() {
    let text = format!(
        "fn ruleset() {{ #{{ extends: \"codelab\", name: \"low\", about: \"x\",
            options: #{{ few: #{{ value: 1, range: 0..{SMALLEST} }} }} }} }}"
    );
    let ran = run(&text, "ruleset check ./x.rhai --games 0");
    ran.refuses(1, "ruleset::value");
    assert!(ran.err.contains("`few`"), "{}", ran.err);
}

/// Code that is allowed, and to which `check` has no objection.
const FINE: [(&str, &str); 1] = [(
    "a variable in capitals",
    "let N = 0; N += 1; if N > 2 { return ask.nth(0); }",
)];

#[test]
fn what_is_allowed_is_not_refused() {
    for (name, body) in FINE {
        let text = format!("fn answer(view, ask) {{ {body} ask.random() }}\n");
        let ran = run(&text, "bot check ./x.rhai --games 1");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{name}");
        let play =
            "play --quiet --seed 1 --ruleset codelab -o max_turns=3 --bot ./x.rhai --bot random";
        let ran = run(&text, play);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{name}");
    }
}

#[test]
fn a_table_of_a_fight_has_its_parameters() {
    let text = "fn ruleset() { #{ extends: \"hasbro\", name: \"flat\", about: \"x\",
            tables: #{ pair_won: [1..=6] } } }
        fn pair_won(attack) { 1 }";
    let ran = run(text, "ruleset check ./x.rhai --games 0");
    ran.refuses(1, "ruleset::table");
    let named = ran.err.contains("`pair_won`") && ran.err.contains('2');
    assert!(named, "{}", ran.err);
}

#[test]
fn what_a_ruleset_is_written_for_says_nothing_of_its_base() {
    let folder = tempfile::tempdir().unwrap();
    let old = "fn ruleset() { #{ api: 99, extends: \"hasbro\", name: \"old\", about: \"x\" } }";
    let new = "fn ruleset() { #{ api: 1, extends: \"old.rhai\", name: \"new\", about: \"x\" } }";
    fs::write(folder.path().join("old.rhai"), old).unwrap();
    fs::write(folder.path().join("new.rhai"), new).unwrap();
    let ran = run_in(folder.path(), &words("ruleset show ./new.rhai"));
    ran.refuses(2, "script::api");
    assert_eq!(ran.places(), ["./old.rhai:1:19"], "{}", ran.err);
}
