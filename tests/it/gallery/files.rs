//! Files of other programs, positions, and names of maps and bots.

use std::path::Path;

use super::{Row, Session, check, ruleset, sessions};
use crate::support::{TINY, run_in, words};

/// Lints that are allowed by default, and encodings.
#[test]
fn maps_checked_strictly() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/maps");
    let mut text = String::new();
    for line in [
        "map validate d-dummy-coordinates.map --warn dummy-coordinates",
        "map validate d-latin-1.map --warn latin-1",
        "map validate d-no-colours.map --warn missing-colour",
        "map validate d-no-files.map --warn no-files-section",
        "map validate c-no-map-section.map --warn no-map-section",
        "map validate d-utf-16.map",
        "map validate x-binary.map",
        "map validate x-yaml-latin-1.yaml",
    ] {
        let ran = run_in(&folder, &words(line));
        text += &format!(
            "### {line}\n{}{}exit code {}\n\n",
            ran.err, ran.out, ran.code
        );
    }
    insta::assert_snapshot!(text);
}

/// Returns a drawing of a square, with another part.
fn drawing(name: &'static str, part: &str) -> Row<'static> {
    let square = "<path id=\"a\" d=\"M0 0H5V5H0Z\"/>";
    Row {
        name,
        files: vec![("m.svg", format!("<svg>\n{square}\n{part}\n</svg>\n"))],
        args: &["map", "validate", "m.svg", "--allow", "disconnected-map"],
    }
}

const SMALL_MAP: &str =
    "name: m\nterritories:\n  - { id: a, name: 東京 }\n  - { id: b, borders: [a] }\n";

#[test]
fn drawings() {
    let attributes: String = (0..257).map(|n| format!(" a{n}=\"\"")).collect();
    let groups = "<g>".repeat(70);
    let ends = "</g>".repeat(70);
    let path = "<path id=\"b\" d=\"M5 0H9V5H5Z\"/>";
    let all = [
        drawing(
            "a rectangle",
            &format!("{path}<rect width=\"3\" height=\"3\"/>"),
        ),
        drawing("no end", "<g>"),
        drawing("path data", "<path id=\"b\" d=\"M5 0H9Q\"/>"),
        drawing(
            "a transform",
            "<path id=\"b\" transform=\"turn(3)\" d=\"M5 0H9V5H5Z\"/>",
        ),
        drawing("no land", "<path id=\"b\" d=\"M5 0H9\"/>"),
        drawing("groups", &format!("{groups}{path}{ends}")),
        drawing("attributes", &format!("<g{attributes}/>")),
        Row {
            args: &["map", "import", "m.svg", "--layers", "old", "-o", "m.yaml"],
            ..drawing(
                "a layer",
                "<g id=\"new\"><path id=\"c\" d=\"M5 0H9V5H5Z\"/></g>",
            )
        },
        Row {
            name: "layers of no drawing",
            files: vec![("m.yaml", SMALL_MAP.to_owned())],
            args: &["map", "import", "m.yaml", "--layers", "a", "-o", "n.yaml"],
        },
        Row {
            name: "letters that a picture lacks",
            files: vec![("m.yaml", SMALL_MAP.to_owned())],
            args: &["map", "render", "m.yaml", "-o", "m.png"],
        },
    ];
    insta::assert_snapshot!(check(&all));
}

fn limit(name: &'static str, text: String) -> Row<'static> {
    Row {
        name,
        files: vec![("m.map", text)],
        args: &["map", "validate", "m.map"],
    }
}

#[test]
fn limits_of_maps() {
    let lines = |count: usize, line: &dyn Fn(usize) -> String| -> String {
        (1..=count).map(line).collect()
    };
    let countries = |count| lines(count, &|index| format!("{index} t{index} 1 1 1\n"));
    let row = lines(501, &|to| format!(" {to}"));
    let borders = lines(501, &|from| format!("{from}{row}\n"));
    let head = "[files]\n[continents]\nc 1 red\n[countries]\n";
    let all = [
        limit("large", "x".repeat(5 << 20)),
        limit("lines", format!("[Map]\n{}", "\n".repeat(1_500_001))),
        limit(
            "borders",
            format!("{head}{}[borders]\n{borders}", countries(501)),
        ),
        limit(
            "territories",
            format!("{head}{}[borders]\n", countries(10_001)),
        ),
        Row {
            files: vec![("m.yaml", TINY.replace("bonus: 2", "bonus: 1000001"))],
            args: &["map", "validate", "m.yaml"],
            ..limit("a bonus", String::new())
        },
        Row {
            files: vec![(
                "m.yaml",
                TINY.replace("name: tiny", &format!("name: {}", "x".repeat(201))),
            )],
            args: &["map", "validate", "m.yaml"],
            ..limit("a name", String::new())
        },
    ];
    insta::assert_snapshot!(check(&all));
}

const fn line<'a>(name: &'a str, commands: &'a [&'a str]) -> Session<'a> {
    Session {
        name,
        files: &[("tiny.yaml", TINY)],
        commands,
        typed: "",
    }
}

#[test]
fn names_and_formats_of_maps() {
    let all = [
        line("a grid", &["map show grid:5"]),
        line("hexagons", &["map show hex:50"]),
        line("a random map", &["map show random:3"]),
        line("ways of borders", &["map show world,borders=both"]),
        line("borders of a grid", &["map show grid:5x5,borders=two-way"]),
        line("an extension", &["map import world -o w.txt"]),
        line("no continents", &["map import starwars --to domination"]),
        line(
            "what a form has no place for",
            &["map import world --to domination -o w.map"],
        ),
        line("a picture", &["map render world -o w.gif"]),
        line(
            "a wide picture",
            &["map render grid:2x90 -o w.png --width 4096"],
        ),
        line(
            "two levels",
            &["map validate world --allow zero-bonus --deny zero-bonus"],
        ),
        Session {
            files: &[("grid.yaml", GRID)],
            ..line(
                "no continents in YAML",
                &["map validate grid.yaml --warn no-continents"],
            )
        },
    ];
    insta::assert_snapshot!(sessions(&all));
}

const GRID: &str = "name: m\nterritories:\n  - { id: a, borders: [b] }\n  - { id: b }\n";

#[test]
fn names_of_bots_and_scripts() {
    let all = [
        line("a level", &["bot show general:"]),
        line("a bot without levels", &["bot show odds:easy"]),
        line("a bot misspelled", &["bot show gredy"]),
        line("no bot", &["bot show name=alice"]),
        line("no value", &["bot show name=,bot=greedy"]),
        line("a setting twice", &["bot show greedy,bot=odds"]),
        line("a word alone", &["bot show greedy,fast"]),
        line("a comma", &["bot show greedy,"]),
        line("an open quote", &["bot show name=\"a,bot=greedy"]),
        line("after a quote", &["bot show name=\"a\"b,bot=greedy"]),
        line("a setting misspelled", &["bot show greedy,nme=a"]),
        line("a setting of other bots", &["bot show greedy,encoding=raw"]),
        line("a setting of scripts", &["bot show odds,set.sure=1"]),
        line("a word for a number", &["bot show marshal,set.sure=x"]),
        line("an address", &["bot show ws://127.0.0.1:1/bot"]),
        line("a map for a ruleset", &["play --ruleset ./tiny.yaml"]),
        line("a seed", &["play --seed a/b"]),
        line("a clock", &["play --clock move=x"]),
        line("an empty clock", &["play --clock move=0s"]),
    ];
    insta::assert_snapshot!(sessions(&all));
}

#[test]
fn rulesets_that_extend() {
    let rules = |name: &'static str, base: &str| Row {
        name,
        files: vec![(
            "r.rhai",
            ruleset("", "").replace("\"hasbro\"", &format!("{base:?}")),
        )],
        args: &["ruleset", "show", "./r.rhai"],
    };
    let all = [
        rules("another folder", "../r.rhai"),
        rules("itself", "./r.rhai"),
        Row {
            files: vec![("r.rhai", ruleset("    bots: [\"gredy\"],\n", ""))],
            ..rules("an unknown bot", "")
        },
    ];
    insta::assert_snapshot!(check(&all));
}

/// A position as a user writes it.
const POSITION: &str = "position: 1
ruleset: hasbro
map: ./tiny.yaml
options: { two_players: true }
turn_of: red
phases: attack
players:
  - name: red
    land: { a: 9, f: 1 }
  - name: blue
    land: { b: 1, d: 1 }
    piles: { hand: [d] }
";

fn position(name: &'static str, from: &str, to: &str) -> Row<'static> {
    assert!(POSITION.contains(from), "{from}");
    Row {
        name,
        files: vec![
            ("tiny.yaml", TINY.to_owned()),
            ("p.yaml", POSITION.replacen(from, to, 1)),
        ],
        args: &["play", "--quiet", "--from", "p.yaml"],
    }
}

#[test]
fn mistakes_in_positions() {
    let rows = [keys_of_positions(), values_of_positions(), phases()];
    insta::assert_snapshot!(check(&rows.into_iter().flatten().collect::<Vec<_>>()));
}

fn keys_of_positions() -> Vec<Row<'static>> {
    vec![
        position("the version", "position: 1", "position: 2"),
        position("no position", "position: 1", "pos: 1"),
        position("no ruleset", "ruleset: hasbro\n", ""),
        position("no phases", "phases: attack\n", ""),
        position("a map elsewhere", "./tiny.yaml", "../tiny.yaml"),
        position("a key misspelled", "map: ", "maap: "),
        position("a key twice", "f: 1", "a: 1"),
        position("an alias", "name: blue", "name: &x blue\n    counters: *x"),
        position("no key", "turn_of: red", "3: red"),
    ]
}

fn values_of_positions() -> Vec<Row<'static>> {
    vec![
        position("too few armies", "a: 9", "a: -9"),
        position("armies in words", "a: 9", "a: nine"),
        position("a unit", "a: 9", "a: { tank: 9 }"),
        position("a territory", "a: 9", "r99: 9"),
        position("a territory twice", "b: 1", "a: 1"),
        position("a card twice", "[d]", "[d, d]"),
        position("a card", "[d]", "[r77]"),
        position("a pile", "hand:", "hnd:"),
        position("a name twice", "name: blue", "name: red"),
        position("a name of no text", "name: blue", "name: [blue]"),
        position("a seed", "turn_of", "seed: a/b\nturn_of"),
        position("an option of no text", "true", "[true]"),
        position("a game", "turn_of", "game: -1\nturn_of"),
        position("no players", "players:", "seats:"),
        position("out, by no name", "turn_of", "out: [{ round: 1 }]\nturn_of"),
        position("out and in", "piles:", "status: eliminated\n    piles:"),
        position("an order", "turn_of", "orders: [{ player: red }]\nturn_of"),
        position(
            "an order in other words",
            "turn_of",
            "orders: [{ player: red, say: walk a b }]\nturn_of",
        ),
    ]
}

fn phases() -> Vec<Row<'static>> {
    vec![
        position("a player of the turn", "turn_of: red", "turn_of: green"),
        position("no player of the turn", "turn_of: red\n", ""),
        position("a phase", "phases: attack", "phases: attak"),
        position("phases of none", "phases: attack", "phases: []"),
        position("no phase", "phases: attack", "phases: [{ of: red }]"),
        position(
            "numbers of a phase",
            "phases: attack",
            "phases: [{ phase: attack, numbers: [1, 2, 3, 4] }]",
        ),
        position(
            "the beginning of a phase",
            "phases: attack",
            "phases: [{ phase: attack, opened: 1 }]",
        ),
    ]
}

#[test]
fn positions_of_records() {
    const PLAY: &str = "play --quiet --seed 1 --ruleset codelab -o max_turns=3 --bot random \
                        --bot random --record g.jsonl";
    let all = [
        line("decision 0", &["play --from g.jsonl@0"]),
        line("a record", &[PLAY, "play --from g.jsonl"]),
        line("a decision too far", &[PLAY, "play --from g.jsonl@9999"]),
        line(
            "a position too far",
            &[PLAY, "replay g.jsonl --at 9999 --position p.yaml"],
        ),
        line("a map", &["play --from tiny.yaml"]),
        line("no file", &["play --from none.yaml"]),
    ];
    insta::assert_snapshot!(sessions(&all));
}

#[test]
fn zips() {
    let far = "fn ruleset() { #{ extends: \"codelab\", name: \"r\", map: \"../m.yaml\" } }\n";
    let lost = "fn ruleset() { #{ extends: \"codelab\", name: \"r\", map: \"m.json\" } }\n";
    let files = [
        ("far/r.rhai", far),
        ("m.yaml", SMALL_MAP),
        ("json/r.rhai", lost),
        ("json/m.json", SMALL_MAP),
        ("text.zip", far),
    ];
    let pack = "ruleset pack codelab -o r.zip";
    let session = |commands| Session {
        name: "a zip",
        files: &files,
        commands,
        ..Session::default()
    };
    let all: [&[&str]; 7] = [
        &["play --ruleset text.zip"],
        &["play --ruleset none.zip"],
        &[pack, "map show r.zip"],
        &[pack, "map show r.zip/codelab.yaml"],
        &["ruleset pack far/r.rhai -o r.zip"],
        &["ruleset pack json/r.rhai -o r.zip"],
        &["ruleset pack codelab -o r.tar"],
    ];
    insta::assert_snapshot!(sessions(&all.map(session)));
}
