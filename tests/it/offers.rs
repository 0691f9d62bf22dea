//! A ruleset's offers must be of the kinds that the verb declares: others could be written to a
//! record, but not read again.

use crate::support::{TINY, run_in, words};

/// The parameters of the verb, an offer, and the value that the error names, empty if the offer is
/// valid.
const ROWS: &[(&str, &str, &str)] = &[
    ("at: \"territory\"", "0..=5", ""),
    ("at: \"territory\"", "-5", "territory -5"),
    ("at: \"territory\"", "99999", "territory 99999"),
    ("at: \"territory\"", "6", "territory 6"),
    ("at: \"territory\"", "0..=6", "territory 6"),
    ("at: \"territory\"", "-1..=2", "territory -1"),
    ("at: \"territory\"", "[1, 77, 2]", "territory 77"),
    ("at: \"territory\"", "3..3", ""),
    ("at: \"continent\"", "1", ""),
    ("at: \"continent\"", "2", "continent 2"),
    ("at: \"player\"", "2", ""),
    ("at: \"player\"", "3", "player 3"),
    ("at: \"unit\"", "1", "unit 1"),
    ("at: \"card\"", "0", "card 0"),
    ("at: \"count\"", "-99999", ""),
    ("n: \"count\", at: \"territory\"", "1, 6", "territory 6"),
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
            ran.refuses(3, "script::failed");
            assert_eq!(ran.places(), ["./r.rhai:4:9"], "{parameters}: {offered}");
            let named = said.contains(&format!("{expected} ")) && said.contains("`at` of `v`");
            assert!(named, "{parameters}: {offered}: {}", ran.err);
        }
    }
}
