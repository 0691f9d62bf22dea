//! Limits of declarations: each list and number at its limit, and one beyond.

use std::fmt::Write as _;

use risk_engine::script::{Ruleset, Script, ScriptLimits};
use risk_maps::map as maps;
use risk_text::diag::TextFile;

/// Returns the first name that a message quotes.
fn quoted(message: &str) -> &str {
    message.split('`').nth(1).unwrap_or_default()
}

/// Returns all numbers in a message.
fn numbers(message: &str) -> String {
    let words = message.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    numbers.join(" ")
}

/// Returns a ruleset with this declaration, instead of or beside the required ones.
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
    Script::alone(
        "limits",
        &format!("fn ruleset() {{ #{{ {text} {key}: {value} }} }}\n"),
    )
}

fn names(count: usize, entry: impl Fn(usize) -> String) -> String {
    (0..count).map(|index| entry(index) + ", ").collect()
}

fn list(count: usize) -> String {
    format!("[{}]", names(count, |index| format!("\"n{index}\"")))
}

fn map(count: usize, value: &str) -> String {
    format!(
        "#{{ {} }}",
        names(count, |index| format!("p{index}: {value}"))
    )
}

/// A declaration: its key, a value at the limit, and one beyond.
type DeclarationLimit = (&'static str, String, String);

fn row(key: &'static str, write: &dyn Fn(usize) -> String, limit: usize) -> DeclarationLimit {
    (key, write(limit), write(limit + 1))
}

fn text(length: usize) -> String {
    format!("\"{}\"", "x".repeat(length))
}

fn rows() -> Vec<DeclarationLimit> {
    [counts(), texts(), words()].into_iter().flatten().collect()
}

fn counts() -> Vec<DeclarationLimit> {
    vec![
        row("units", &list, 100),
        row("card_kinds", &list, 100),
        row("needs_data", &list, 100),
        row(
            "turn",
            &|count| format!("[{}]", names(count, |_| "\"p0\"".to_owned())),
            100,
        ),
        row("counters", &|count| map(count, "\"all\""), 100),
        row("piles", &|count| map(count, "\"all\""), 100),
        row("phases", &|count| map(count, "script()"), 100),
        row("verbs", &|count| map(count, "#{}"), 100),
        row(
            "verbs",
            &|count| format!("#{{ v: {} }}", map(count, "\"count\"")),
            4,
        ),
        row("tables", &|count| map(count, "[0..=1]"), 100),
        row(
            "tables",
            &|most| format!("#{{ t: [0..={}] }}", most - 1),
            1_000_000,
        ),
        row(
            "tables",
            &|count| format!("#{{ t: [{}] }}", names(count, |_| "0..=1".to_owned())),
            4,
        ),
        row("options", &|count| map(count, "1"), 100),
        row(
            "options",
            &|count| format!("#{{ o: {} }}", list(count)),
            100,
        ),
        row("options", &|value| format!("#{{ o: {value} }}"), 1_000_000),
        row("presets", &|count| map(count, "#{}"), 100),
        row("players", &|most| format!("[1, {most}]"), 32),
        row("max_turns", &|most| most.to_string(), 1_000_000),
        row("needs_territories", &|most| most.to_string(), 1_000_000),
        row("strikes", &|most| format!("#{{ n: {most} }}"), 1_000),
        row(
            "presets",
            &|count| {
                format!(
                    "#{{ p: {} }}, options: {}",
                    map(count, "1"),
                    map(count.min(100), "1")
                )
            },
            100,
        ),
        row("endings", &|count| map(count, "\"over\""), 100),
        row(
            "bots",
            &|count| format!("[{}]", names(count, |_| "\"random\"".to_owned())),
            32,
        ),
        row(
            "options",
            &|most| format!("#{{ o: #{{ value: 1, range: 0..={most} }} }}"),
            i32::MAX as usize,
        ),
    ]
}

/// Texts for people.
fn texts() -> Vec<DeclarationLimit> {
    vec![
        row("name", &text, 500),
        row("about", &text, 500),
        row(
            "options",
            &|length| format!("#{{ o: #{{ value: 1, about: {} }} }}", text(length)),
            200,
        ),
        row(
            "tables",
            &|length| format!("#{{ t: #{{ ranges: [0..=1], about: {} }} }}", text(length)),
            200,
        ),
        row(
            "verbs",
            &|length| format!("#{{ v: #{{ tell: {} }} }}", text(length)),
            200,
        ),
        row(
            "counters",
            &|length| format!("#{{ c: #{{ seen: \"all\", tell: {} }} }}", text(length)),
            200,
        ),
        row(
            "phases",
            &|length| format!("#{{ p0: script().tell({}) }}", text(length)),
            200,
        ),
        row(
            "endings",
            &|length| format!("#{{ over: {} }}", text(length)),
            200,
        ),
    ]
}

/// Words for scripts and command lines.
fn words() -> Vec<DeclarationLimit> {
    vec![
        row("units", &|length| format!("[{}]", text(length)), 40),
        row("card_kinds", &|length| format!("[{}]", text(length)), 40),
        row("needs_data", &|length| format!("[{}]", text(length)), 40),
        row(
            "options",
            &|length| format!("#{{ o: [{}] }}", text(length)),
            40,
        ),
        row(
            "options",
            &|length| format!("#{{ {}: 1 }}", text(length)),
            40,
        ),
        row(
            "tables",
            &|length| format!("#{{ {}: [0..=1] }}", text(length)),
            40,
        ),
        row(
            "verbs",
            &|length| format!("#{{ {}: #{{}} }}", text(length)),
            40,
        ),
        row(
            "verbs",
            &|length| format!("#{{ v: #{{ {}: \"count\" }} }}", text(length)),
            40,
        ),
        row(
            "counters",
            &|length| format!("#{{ {}: \"all\" }}", text(length)),
            40,
        ),
        row(
            "piles",
            &|length| format!("#{{ {}: \"all\" }}", text(length)),
            40,
        ),
        row(
            "phases",
            &|length| format!("#{{ p0: script(), {}: script() }}", text(length)),
            40,
        ),
        row(
            "presets",
            &|length| format!("#{{ {}: #{{}} }}", text(length)),
            40,
        ),
        row(
            "endings",
            &|length| format!("#{{ {}: \"over\" }}", text(length)),
            40,
        ),
    ]
}

#[test]
fn every_declaration_has_a_limit() {
    let mut told = String::new();
    for (key, at, beyond) in rows() {
        if let Err(faults) = Ruleset::read(vec![ruleset(key, &at)]) {
            panic!("{key} at its limit: {}", faults[0]);
        }
        match Ruleset::read(vec![ruleset(key, &beyond)]) {
            Ok(_) => panic!(
                "{key} is taken beyond its limit: {}",
                beyond.chars().take(100).collect::<String>()
            ),
            Err(faults) => {
                let fault = &faults[0];
                writeln!(told, "{key}: {} {}", fault.code, quoted(&fault.text)).unwrap();
            }
        }
    }
    insta::assert_snapshot!(told);
}

/// Cards that a hook declares: their number and names, at the limit and one beyond.
#[test]
fn cards_have_a_limit() {
    let mut told = String::new();
    let rows: [(&str, &dyn Fn(usize) -> String, usize); 3] = [
        // The maps in an array count together: 5,000 entries, of which each card has two here.
        (
            "how many",
            &|count| format!("for i in 0..{count} {{ cards.push(#{{ at: i, kind: 0 }}); }}"),
            2_500,
        ),
        // So do all their texts: 65,536 bytes, of which these names have 65,514.
        (
            "how many names",
            &|count| {
                let stem = "x".repeat(60);
                format!(
                    "for i in 0..{count} {{ cards.push(#{{ name: `{stem}${{i}}`, kind: 0 }}); }}"
                )
            },
            1_041,
        ),
        (
            "how long a name",
            &|length| {
                format!(
                    "cards = [#{{ name: \"{}\", kind: 0 }}];",
                    "x".repeat(length)
                )
            },
            100,
        ),
    ];
    for (what, write, limit) in rows {
        let read = |count: usize| {
            let script = ruleset("card_kinds", "[\"k\"]");
            let hooks =
                "fn p0_options(g, me, out) { }\nfn p0_apply(g, me, said) { }\nfn setup(g) { }";
            let cards = format!("fn cards(g) {{ let cards = []; {} cards }}", write(count));
            let text = format!("{}{hooks}\n{cards}\n", script.source.text);
            let ruleset = Ruleset::read(vec![Script::alone("limits", &text)]).unwrap();
            let board = risk_testing::games::board("grid:51x50");
            let options = ruleset.options(&[]).unwrap();
            ruleset
                .bind(&board, &options, 2, &ScriptLimits::default())
                .map(|bound| bound.decl.cards.len())
        };
        assert!(
            read(limit).is_ok(),
            "{what}: {}",
            read(limit).unwrap_err()[0]
        );
        let fault = &read(limit + 1).expect_err(what)[0];
        writeln!(told, "{what}: {} {}", fault.code, quoted(&fault.text)).unwrap();
    }
    insta::assert_snapshot!(told);
}

/// The names of a large map's territories are more than a script may hold, but its cards have them.
#[test]
fn large_maps_have_cards() {
    let setup = risk_testing::games::setup("hasbro", Some("random:2000:1"), &["random"; 3], 1, &[]);
    let worker = risk_engine::Worker::new(&setup)
        .unwrap_or_else(|failure| panic!("{:?}", failure.findings[0].text));
    let last = setup.rules.board.territories().last().unwrap();
    assert_eq!(worker.decl().cards.len(), 2_002);
    assert_eq!(
        worker.decl().cards[1_999].name,
        setup.rules.board.info(last).id
    );
}

/// Returns a map of a ring with this many extra borders.
fn ring(territories: usize, continents: usize, borders: usize) -> String {
    let mut text = "name: ring\ncontinents:\n".to_owned();
    for index in 0..continents {
        writeln!(text, "  - {{ id: c{index}, bonus: 1 }}").unwrap();
    }
    text.push_str("territories:\n");
    let mut left = borders;
    for index in 0..territories {
        let more = left.min(60);
        left -= more;
        let next = (1..=1 + more)
            .map(|step| format!("t{}", (index + step) % territories))
            .collect::<Vec<_>>()
            .join(", ");
        writeln!(
            text,
            "  - {{ id: t{index}, continent: c{}, borders: [{next}] }}",
            index * continents / territories
        )
        .unwrap();
    }
    assert_eq!(left, 0);
    text
}

#[test]
fn maps_have_limits() {
    let bonus = |bonus: usize| ring(4, 1, 0).replace("bonus: 1", &format!("bonus: {bonus}"));
    // As the limit counts words: by the separators between them.
    let words = ring(4, 1, 0)
        .bytes()
        .filter(|byte| b"\n\r, \t[".contains(byte))
        .count();
    let rows: [(&str, &dyn Fn(usize) -> String, usize); 5] = [
        ("territories", &|count| ring(count, 1, 0), 10_000),
        ("continents", &|count| ring(1_200, count, 0), 1_000),
        ("borders", &|count| ring(5_000, 1, count - 5_000), 250_000),
        ("bonus", &bonus, 1_000_000),
        (
            "words",
            &|count| format!("{}{}", ring(4, 1, 0), "\n".repeat(count - words)),
            1_500_000,
        ),
    ];
    let mut told = String::new();
    for (what, write, limit) in rows {
        let check = |count: usize| {
            maps::check(
                &TextFile::new("m", &write(count)),
                &maps::CheckSettings::default(),
            )
        };
        let at = check(limit);
        assert!(
            at.board.is_some(),
            "{what}: {:?}",
            at.findings.first().map(|finding| &finding.text)
        );
        let beyond = check(limit + 1);
        assert!(beyond.board.is_none(), "{what}");
        let finding = &beyond.findings[0];
        writeln!(told, "{what}: {} {}", finding.code, numbers(&finding.text)).unwrap();
    }
    let values = maps::check(
        &TextFile::new(
            "m",
            &format!("{}x: [{}]\n", ring(4, 1, 0), "1,".repeat(600_000)),
        ),
        &maps::CheckSettings::default(),
    );
    let finding = &values.findings[0];
    writeln!(told, "values: {} {}", finding.code, numbers(&finding.text)).unwrap();
    insta::assert_snapshot!(told);
}
