//! The messages about map files, as one reads them: each mistake with its place and its help.

use risk_maps::lint::Levels;
use risk_maps::map::read;
use risk_report::findings::render;
use risk_testing::by_case::root;
use risk_testing::games::TINY;
use risk_text::diag::Level;

/// A mistake, the file that has it, and the lints that are allowed.
struct Row {
    name: &'static str,
    file: &'static str,
    text: String,
    allowed: &'static [&'static str],
}

fn row(name: &'static str, text: String) -> Row {
    Row {
        name,
        file: "m.yaml",
        text,
        allowed: &[],
    }
}

/// Returns the messages about a file, checked closely.
fn messages(file: &str, bytes: Vec<u8>, allowed: &[&str]) -> String {
    let allowed = allowed.iter().map(|code| (*code, Level::Allow));
    let levels = Levels::new(allowed, false).unwrap().closely();
    let findings = match read(file, bytes, &levels.into()) {
        Ok(checked) => checked.findings,
        Err(failure) => failure.findings,
    };
    render(&findings, false, 80)
}

fn told(rows: &[Row]) -> String {
    let told = rows.iter().map(|row| {
        let bytes = row.text.clone().into_bytes();
        let text = messages(row.file, bytes, row.allowed);
        format!("### {}\n{text}\n", row.name)
    });
    told.collect()
}

/// Returns the messages about files of tests/maps.
fn of_files(names: &[&str]) -> String {
    let told = names.iter().map(|name| {
        let bytes = std::fs::read(root().join("tests/maps").join(name)).unwrap();
        format!("### {name}\n{}\n", messages(name, bytes, &[]))
    });
    told.collect()
}

fn map(from: &str, to: &str) -> String {
    assert!(TINY.contains(from), "{from}");
    TINY.replacen(from, to, 1)
}

#[test]
fn mistakes_in_maps() {
    let rows: Vec<_> = [shapes(), territories(), connections(), details()]
        .into_iter()
        .flatten()
        .collect();
    insta::assert_snapshot!(told(&rows));
}

fn shapes() -> Vec<Row> {
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
fn territories() -> Vec<Row> {
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
fn connections() -> Vec<Row> {
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
fn details() -> Vec<Row> {
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
            "data with a decimal number in a mapping",
            map("id: a,", "id: a, extra: { x: 1.5 },"),
        ),
    ]
}

const DOMINATION: [&str; 25] = [
    "d-bonus-not-number.map",
    "d-bonus-too-large.map",
    "d-border-line-missing.map",
    "d-border-line-twice.map",
    "d-border-not-number.map",
    "d-border-unknown.map",
    "d-continent-by-name.map",
    "d-continent-index-range.map",
    "d-continent-without-bonus.map",
    "d-coordinates-not-numbers.map",
    "d-empty-sections.map",
    "d-files-unknown-key.map",
    "d-four-fields.map",
    "d-head-unknown.map",
    "d-levels-unknown.map",
    "d-levels-without-codes.map",
    "d-map-section.map",
    "d-names-twice.map",
    "d-no-borders.map",
    "d-number-not-a-number.map",
    "d-numbers-not-in-order.map",
    "d-numbers-twice.map",
    "d-same-coordinates.map",
    "d-sections-out-of-order.map",
    "d-unknown-colour.map",
];

#[test]
fn maps_of_domination() {
    insta::assert_snapshot!(of_files(&DOMINATION));
}

const OTHERS: [&str; 20] = [
    "c-bonus-not-number.map",
    "c-case.map",
    "c-continent-twice.map",
    "c-continent-without-equals.map",
    "c-empty-neighbours.map",
    "c-junk.map",
    "c-map-keys.map",
    "c-saved-game.map",
    "c-territories-missing.map",
    "c-territory-twice.map",
    "c-too-few-fields.map",
    "c-unknown-continent.map",
    "r-ends-early.json",
    "r-no-regions.json",
    "r-number-twice.json",
    "r-numbers-with-a-gap.json",
    "r-wrong-everywhere.json",
    "r-wrong-keys.json",
    "x-other-sections.map",
    "x-yaml-levels.yaml",
];

#[test]
fn maps_of_conquest_and_others() {
    insta::assert_snapshot!(of_files(&OTHERS));
}

/// Returns a map of three territories of which the first has this shape.
fn shaped(name: &'static str, shape: &str) -> Row {
    let text = format!(
        "name: islands
territories:
  - {{ id: a, at: [50, 50], borders: [b], shape: \"{shape}\" }}
  - {{ id: b, at: [150, 50], borders: [c], shape: \"M100 0H200V100H100Z\" }}
  - {{ id: c, at: [350, 50], shape: \"M300 0H400V100H300Z\" }}
"
    );
    valid(name, text)
}

fn valid(name: &'static str, text: String) -> Row {
    Row {
        allowed: &["shape-missing"],
        ..row(name, text)
    }
}

#[test]
fn shapes_of_territories() {
    let islands = shaped("", "M0 0H100V100H0Z").text;
    let all = [
        shaped("no path data", ""),
        shaped("no command", "M0 0H9V9Z5"),
        shaped("an unknown command", "M0 0H100V100X5Z"),
        shaped("no number", "M0 0H100V1é0Z"),
        shaped("a number too large", "M0 0H1e9V100Z"),
        shaped("a corner too far away", "M0 0H900000V100000Z"),
        shaped("two corners", "M0 0H100Z"),
        shaped("an open shape", "M0 0L100 0L100 100"),
        shaped("a corner outside", "M-1 0H100V100H0Z"),
        shaped("a position outside", "M60 60H90V90H60Z"),
        valid(
            "land in the way",
            islands.replace("borders: [b]", "borders: [b, c]"),
        ),
        row(
            "no shape",
            islands.replace(", shape: \"M300 0H400V100H300Z\"", ""),
        ),
        valid(
            "a shape that is a list",
            islands.replacen("\"M0 0H100V100H0Z\"", "[1]", 1),
        ),
        valid(
            "an unknown look",
            islands.replace("territories:", "look: stars\nterritories:"),
        ),
    ];
    insta::assert_snapshot!(told(&all));
}
