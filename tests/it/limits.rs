//! How much a ruleset may declare: each list and number at its limit, and one beyond.

use std::fmt::Write as _;

use risk_cli::script::{Ruleset, Script};

/// A ruleset that declares this instead of, or beside, what it needs.
fn ruleset(key: &str, value: &str) -> Script {
    let needed = [
        ("name", "\"limits\""),
        ("players", "[2, 4]"),
        ("map", "\"small\""),
        ("units", "[\"army\"]"),
        ("phases", "#{ p0: script() }"),
        ("turn", "[\"p0\"]"),
    ];
    let mut text = String::new();
    for (name, other) in needed.into_iter().filter(|(name, _)| *name != key) {
        write!(text, "{name}: {other}, ").unwrap();
    }
    Script::alone("limits", &format!("fn ruleset() {{ #{{ {text} {key}: {value} }} }}\n"))
}

fn names(count: usize, entry: impl Fn(usize) -> String) -> String {
    (0..count).map(|index| entry(index) + ", ").collect()
}

fn list(count: usize) -> String {
    format!("[{}]", names(count, |index| format!("\"n{index}\"")))
}

fn map(count: usize, value: &str) -> String {
    format!("#{{ {} }}", names(count, |index| format!("p{index}: {value}")))
}

/// What is declared: the key, at the limit, one beyond.
fn rows() -> Vec<(&'static str, String, String)> {
    let row = |key, write: &dyn Fn(usize) -> String, limit: usize| (key, write(limit), write(limit + 1));
    let text = |length: usize| format!("\"{}\"", "x".repeat(length));
    vec![
        row("units", &list, 100),
        row("card_kinds", &list, 100),
        row("needs_data", &list, 100),
        row("turn", &|count| format!("[{}]", names(count, |_| "\"p0\"".to_owned())), 100),
        row("counters", &|count| map(count, "\"all\""), 100),
        row("piles", &|count| map(count, "\"all\""), 100),
        row("phases", &|count| map(count, "script()"), 100),
        row("verbs", &|count| map(count, "#{}"), 100),
        row("verbs", &|count| format!("#{{ v: {} }}", map(count, "\"count\"")), 4),
        row("tables", &|count| map(count, "[0..=1]"), 100),
        row("tables", &|most| format!("#{{ t: [0..={}] }}", most - 1), 1_000_000),
        row("tables", &|count| format!("#{{ t: [{}] }}", names(count, |_| "0..=1".to_owned())), 4),
        row("options", &|count| map(count, "1"), 100),
        row("options", &|count| format!("#{{ o: {} }}", list(count)), 100),
        row("options", &|value| format!("#{{ o: {value} }}"), 1_000_000),
        row("presets", &|count| map(count, "#{}"), 100),
        row("players", &|most| format!("[1, {most}]"), 32),
        row("max_turns", &|most| most.to_string(), 1_000_000),
        row("needs_territories", &|most| most.to_string(), 1_000_000),
        row("strikes", &|most| format!("#{{ n: {most} }}"), 1_000),
        row("name", &text, 500),
        row("about", &text, 500),
        row("units", &|length| format!("[\"{}\"]", "x".repeat(length)), 40),
    ]
}

#[test]
fn every_declaration_has_a_limit() {
    let mut told = String::new();
    for (key, at, beyond) in rows() {
        if let Err(faults) = Ruleset::read(vec![ruleset(key, &at)]) {
            panic!("{key} at its limit: {}", faults[0]);
        }
        let faults = Ruleset::read(vec![ruleset(key, &beyond)]).expect_err(key);
        writeln!(told, "{key}: {}", faults[0]).unwrap();
    }
    insta::assert_snapshot!(told);
}
