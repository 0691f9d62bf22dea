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
