//! Invalid maps, and the messages about them.

use super::{Row, check};
use crate::support::TINY;

fn map(from: &str, to: &str) -> String {
    assert!(TINY.contains(from), "{from}");
    TINY.replacen(from, to, 1)
}

fn row(name: &'static str, text: String) -> Row<'static> {
    Row {
        name,
        files: vec![("m.yaml", text)],
        args: &["map", "validate", "m.yaml"],
    }
}

#[test]
fn mistakes_in_maps() {
    let rows: Vec<_> = [shapes(), territories(), connections(), details(), flags()]
        .into_iter()
        .flatten()
        .collect();
    insta::assert_snapshot!(check(&rows));
}

fn shapes() -> Vec<Row<'static>> {
    let bomb =
        "a: &a [x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nname: *c\n".to_owned();
    let deep = format!("name: {}1{}\n", "[".repeat(2_000), "]".repeat(2_000));
    vec![
        row("nothing", String::new()),
        row("not yaml", "name: [a, b\n".to_owned()),
        row("a list", "- a\n- b\n".to_owned()),
        row("an alias bomb", bomb),
        row("nested without end", deep),
        row("a key twice", map("name: tiny", "name: tiny\nname: other")),
        row("unknown key of the map", map("continents:", "continent:")),
        row("unknown key of a continent", map("bonus: 2", "bonuss: 2")),
        row("no name", map("name: tiny\n", "")),
    ]
}

/// Territories and continents that are missing, duplicate or misspelled.
fn territories() -> Vec<Row<'static>> {
    vec![
        row("no territories", "name: m\nterritories: []\n".to_owned()),
        row(
            "one territory",
            "name: m\nterritories:\n  - { id: a }\n".to_owned(),
        ),
        row("a territory without an id", map("id: a, ", "")),
        row("a territory twice", map("id: b,", "id: a,")),
        row("an id of two words", map("id: b,", "id: b b,")),
        row("a continent twice", map("id: east", "id: west")),
        row(
            "a continent misspelled",
            map("id: a, continent: west", "id: a, continent: wst"),
        ),
        row(
            "two continents at once",
            map("id: a, continent: west", "id: a, continent: [west, east]"),
        ),
        row("no continent", map("id: a, continent: west, ", "id: a, ")),
        row(
            "a border misspelled",
            map("borders: [c, e]", "borders: [c, ee]"),
        ),
        row(
            "a border with itself",
            map("borders: [c, e]", "borders: [c, e, d]"),
        ),
        row(
            "a border twice",
            map("borders: [c, e]", "borders: [c, e, e]"),
        ),
    ]
}

/// Bonuses, and maps that are not connected.
fn connections() -> Vec<Row<'static>> {
    vec![
        row("a bonus in words", map("bonus: 2", "bonus: two")),
        row("a bonus of nothing", map("bonus: 2", "bonus: 0")),
        row("no bonus", map(", bonus: 2", "")),
        row(
            "two parts",
            map("borders: [a, c]", "borders: [a]")
                .replacen("borders: [b, d]", "borders: [d]", 1)
                .replacen("borders: [e, a]", "borders: [e]", 1)
                .replacen("borders: [b, f]", "borders: [b]", 1),
        ),
        row(
            "a continent in parts",
            map("id: b, continent: west", "id: b, continent: east"),
        ),
        row(
            "an empty continent",
            map("territories:", "  - { id: north, bonus: 1 }\nterritories:"),
        ),
        row(
            "one-way only",
            map("borders: [e, a]", "borders: [e], one_way: [a]").replacen(
                "borders: [b, f]",
                "borders: [b]",
                1,
            ),
        ),
        row(
            "no way back",
            "name: m\nterritories:\n  - { id: a, one_way: [b] }\n  - { id: b }\n".to_owned(),
        ),
    ]
}

/// Positions, colours and data.
fn details() -> Vec<Row<'static>> {
    vec![
        row("half of a position", map("id: a,", "id: a, at: [1],")),
        row("a position for one", map("id: a,", "id: a, at: [1, 2],")),
        row(
            "a colour in words",
            map("bonus: 2", "bonus: 2, colour: red"),
        ),
        row(
            "a key that is nearly one",
            map(
                "id: a, continent: west, borders",
                "id: a, continent: west, boarders",
            ),
        ),
        row(
            "data that is a map",
            map("id: a,", "id: a, extra: { x: 1 },"),
        ),
    ]
}

fn flags() -> Vec<Row<'static>> {
    vec![
        Row {
            name: "warnings as errors",
            files: vec![("m.yaml", map("bonus: 2", "bonus: 0"))],
            args: &["map", "validate", "--strict", "m.yaml"],
        },
        Row {
            name: "a warning allowed",
            files: vec![("m.yaml", map("bonus: 2", "bonus: 0"))],
            args: &["map", "validate", "--allow", "zero-bonus", "m.yaml"],
        },
        Row {
            name: "a lint misspelled",
            files: vec![],
            args: &["map", "validate", "--allow", "zero-bonsu", "world"],
        },
        Row {
            name: "a lint that can't be allowed",
            files: vec![],
            args: &["map", "validate", "--allow", "syntax", "world"],
        },
        Row {
            name: "no such file",
            files: vec![],
            args: &["map", "validate", "./none.yaml"],
        },
        Row {
            name: "a map misspelled",
            files: vec![],
            args: &["map", "show", "wordl"],
        },
    ]
}
