//! A ruleset's offers must be of the kinds that the verb declares: others could be written to a
//! record, but not read again.

use crate::support::{TINY, run_in, words};

/// The parameters of the verb, an offer, and text of the error, empty if the offer is valid.
const ROWS: &[(&str, &str, &str)] = &[
    ("at: \"territory\"", "0..=5", ""),
    (
        "at: \"territory\"",
        "-5",
        "`v` offers -5 as its `at`, and a territory is 0 to 5",
    ),
    (
        "at: \"territory\"",
        "99999",
        "`v` offers 99999 as its `at`, and a territory is 0 to 5",
    ),
    ("at: \"territory\"", "6", "`v` offers 6 as its `at`"),
    ("at: \"territory\"", "0..=6", "`v` offers 6 as its `at`"),
    ("at: \"territory\"", "-1..=2", "`v` offers -1 as its `at`"),
    (
        "at: \"territory\"",
        "[1, 77, 2]",
        "`v` offers 77 as its `at`",
    ),
    ("at: \"territory\"", "3..3", ""),
    ("at: \"continent\"", "1", ""),
    (
        "at: \"continent\"",
        "2",
        "`v` offers 2 as its `at`, and a continent is 0 to 1",
    ),
    ("at: \"player\"", "2", ""),
    (
        "at: \"player\"",
        "3",
        "`v` offers 3 as its `at`, and a player is 0 to 2",
    ),
    (
        "at: \"unit\"",
        "1",
        "`v` offers 1 as its `at`, and a unit is 0 to 0",
    ),
    (
        "at: \"card\"",
        "0",
        "`v` offers 0 as its `at`, and a card is not possible: there is none",
    ),
    ("at: \"count\"", "-99999", ""),
    (
        "n: \"count\", at: \"territory\"",
        "1, 6",
        "`v` offers 6 as its `at`",
    ),
];

#[test]
fn offers_hold_to_the_kinds_that_verbs_declare() {
    for (parameters, offered, expected) in ROWS {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
        let script = format!(
            "fn ruleset() {{ #{{ name: \"r\", players: [2, 4], map: \"./tiny.yaml\", units: [\"army\"], \
             verbs: #{{ v: #{{ {parameters} }}, done: #{{}} }}, phases: #{{ p: script() }}, turn: [\"p\"] }} }}\n\
             fn setup(g) {{ g.deal(); g.push(P_PHASE, 0); }}\n\
             fn p_options(g, me, out) {{\n    out.offer(V, {offered});\n    out.offer(DONE);\n}}\n\
             fn p_apply(g, me, said) {{ g.end(\"draw\", []); }}\n"
        );
        std::fs::write(folder.path().join("r.rhai"), script).unwrap();
        let play = words(
            "play --quiet --ruleset ./r.rhai --map ./tiny.yaml --seed 1 -p 3 --record g.jsonl",
        );
        let ran = run_in(folder.path(), &play);
        let said = ran
            .err
            .split_whitespace()
            .filter(|word| *word != "│")
            .collect::<Vec<_>>()
            .join(" ");
        if expected.is_empty() {
            assert_eq!(
                (ran.code, ran.err.as_str()),
                (0, ""),
                "{parameters}: {offered}"
            );
            assert_eq!(
                run_in(folder.path(), &words("replay g.jsonl --verify")).code,
                0,
                "{parameters}: {offered}"
            );
        } else {
            assert_eq!(ran.code, 3, "{parameters}: {offered}: {said}");
            assert!(
                said.contains(expected) && said.contains("r.rhai:4:"),
                "{parameters}: {offered}: {}",
                ran.err
            );
        }
    }
}
