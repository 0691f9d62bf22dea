//! Games that begin from positions: a written position reads back, and the game goes on as it did.

use std::path::Path;

use risk_testing::edits::chained;

use crate::support::{run_in, tiny, words};

fn ran(folder: &Path, line: &str) -> String {
    let ran = run_in(folder, &words(line));
    assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    ran.out
}

#[test]
fn games_from_positions_have_records_that_verify() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bots = "--bot odds --bot random --bot holder";
    ran(
        folder,
        &format!("play --seed 5 --quiet --record game.jsonl {bots}"),
    );
    ran(folder, "replay game.jsonl --at 300 --position here.yaml");
    let from_record = format!("play --from game.jsonl@300 --story full --record a.jsonl {bots}");
    let from_file = format!("play --from here.yaml --story full --record b.jsonl {bots}");
    assert_eq!(ran(folder, &from_record), ran(folder, &from_file));
    let verified = ran(folder, "replay b.jsonl --verify");
    assert!(verified.starts_with("b.jsonl"), "{verified}");
    assert!(ran(folder, "replay b.jsonl --to 303").contains("seed 5"));
    assert!(ran(folder, "replay b.jsonl --at 301").contains("decision 301"));
    ran(folder, "replay b.jsonl --html b.html");
    ran(folder, "replay b.jsonl --to 300 --render b.svg");
    ran(folder, "analyse b.jsonl --rollouts 1");
    ran(folder, "replay b.jsonl --at 310 --position later.yaml");
    ran(folder, "replay game.jsonl --at 300 --position again.yaml");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(text("here.yaml"), text("again.yaml"));
    // Another seed has other dice.
    let other = ran(
        folder,
        &format!("play --from here.yaml --seed 6 --story full {bots}"),
    );
    assert_ne!(
        other,
        ran(
            folder,
            &format!("play --from here.yaml --story full {bots}")
        )
    );
    ran(folder, "play --from here.yaml --games 3 --quiet");
    // A changed position is detected even when the sums fit.
    let forged = text("b.jsonl").replacen("round: ", "round: 1", 1);
    std::fs::write(folder.join("b.jsonl"), chained(&forged)).unwrap();
    let found = run_in(folder, &words("replay b.jsonl --verify"));
    found.refuses(1, "record::mismatch");
    assert!(found.err.contains("`digest`"), "{}", found.err);
    let wrong = run_in(folder, &words("replay b.jsonl --at 299"));
    wrong.refuses(2, "cli::at");
    assert!(wrong.err.contains("299"), "{}", wrong.err);
}

#[test]
fn people_begin_from_positions_too() {
    let folder = tiny();
    let folder = folder.path();
    std::fs::write(folder.join("p.yaml"), PUZZLE).unwrap();
    let line = "play --from p.yaml --bot human --bot odds --record h.jsonl";
    let typed = "attack a b 3\nquit\n";
    let first = crate::support::run_typed(folder, &words(line), typed);
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.out.contains("human: attack"), "{}", first.out);
    let resumed = crate::support::run_typed(folder, &words("play --resume h.jsonl"), "quit\n");
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(resumed.out.contains("decision 1"), "{}", resumed.out);
    let verified = run_in(folder, &words("replay h.jsonl --verify"));
    assert!(
        verified.out.contains("1 decision"),
        "{} {}",
        verified.out,
        verified.err
    );
}

/// A position as a user writes it: omitted keys have their defaults.
const PUZZLE: &str = "position: 1
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

/// Part of the puzzle, what replaces it, the finding's code and place (empty if it has none), and
/// what the message names.
type Wrong = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const VALUE: &str = "position::value";

const SYNTAX: &str = "position::syntax";

/// Mistakes in what a game is played with, and in keys.
const WRONG_KEYS: [Wrong; 9] = [
    ("position: 1", "position: 2", VALUE, "1:11", "2"),
    ("position: 1", "", VALUE, "", "`position`"),
    (
        "ruleset: hasbro",
        "ruleset: hasbroo",
        "load::unknown",
        "",
        "`hasbroo`",
    ),
    (
        "map: ./tiny.yaml",
        "map: ../elsewhere/tiny.yaml",
        "position::path",
        "",
        "../elsewhere/tiny.yaml",
    ),
    (
        "map: ./tiny.yaml",
        "maap: ./tiny.yaml",
        VALUE,
        "3:1",
        "`maap`",
    ),
    ("f: 1", "a: 1", SYNTAX, "9:19", "`a`"),
    (
        "phases: attack",
        "phases: attack\nphases: attack",
        SYNTAX,
        "7:1",
        "`phases`",
    ),
    ("hand:", "hnd:", VALUE, "12:14", "`hnd`"),
    (
        "name: blue",
        "name: &x blue\n    counters: *x",
        SYNTAX,
        "10:14",
        "*",
    ),
];

/// Mistakes in values.
const WRONG_VALUES: [Wrong; 14] = [
    ("a: 9", "a: -9", VALUE, "9:16", "-9"),
    ("a: 9", "a: 99999999999", VALUE, "9:16", "99999999999"),
    ("a: 9", "a: nine", VALUE, "9:16", ""),
    ("a: 9", "a: { tank: 9 }", VALUE, "9:18", "`tank`"),
    ("a: 9", "r99: 9", VALUE, "9:13", "`r99`"),
    ("b: 1", "a: 1", VALUE, "11:13", "a"),
    ("[d]", "[d, d]", VALUE, "12:24", "d"),
    ("[d]", "[r77]", VALUE, "12:21", "`r77`"),
    ("name: blue", "name: red", VALUE, "10:5", "red"),
    ("turn_of: red", "turn_of: green", VALUE, "5:10", "`green`"),
    ("phases: attack", "phases: attak", VALUE, "6:9", "`attak`"),
    ("phases: attack", "phases: []", VALUE, "6:9", ""),
    (
        "phases: attack",
        "round: 4294967296\nphases: attack",
        VALUE,
        "6:8",
        "4294967296",
    ),
    (
        "name: blue",
        "name: blue\n    status: eliminated",
        VALUE,
        "1:1",
        "2",
    ),
];

#[test]
fn mistakes_in_positions_have_places() {
    let folder = tiny();
    let folder = folder.path();
    for (was, now, code, place, name) in WRONG_KEYS.into_iter().chain(WRONG_VALUES) {
        let text = PUZZLE.replacen(was, now, 1);
        assert_ne!(text, PUZZLE, "{now}");
        std::fs::write(folder.join("p.yaml"), text).unwrap();
        let ran = run_in(folder, &words("play --from p.yaml --quiet"));
        assert_eq!(ran.code, 2, "{now}: {}", ran.err);
        assert_eq!(ran.codes().first(), Some(&code), "{now}: {}", ran.err);
        // An error about the whole file, or about another one, has no line number.
        let expected = format!("p.yaml:{place}");
        let expected = (!place.is_empty()).then_some(expected.as_str());
        assert_eq!(ran.places().first().copied(), expected, "{now}");
        let head = ran.err.lines().find(|line| line.contains('×')).unwrap();
        assert!(head.contains(name), "{now}: {}", ran.err);
        // A player that doesn't exist has no turn either, but no other mistake has a second error.
        let most = if now == "turn_of: green" { 2 } else { 1 };
        assert_eq!(ran.codes().len(), most, "{now}: {}", ran.err);
    }
}

#[test]
fn a_position_must_fit_its_command_line() {
    let folder = tiny();
    let folder = folder.path();
    std::fs::write(folder.join("p.yaml"), PUZZLE).unwrap();
    for (line, code, name) in [
        ("play --from p.yaml@3", "record::damaged", "p.yaml"),
        ("play --from p.yaml@0", "cli::from", "`0`"),
        ("play --from nothing.yaml", "load::file", "nothing.yaml"),
        (
            "play --from p.yaml --bot odds --bot odds --bot odds",
            "cli::players",
            "3",
        ),
    ] {
        let ran = run_in(folder, &words(line));
        ran.refuses(2, code);
        assert!(ran.err.contains(name), "{line}: {}", ran.err);
    }
    // An invalid combination is found by the parser of the command line.
    let ran = run_in(folder, &words("play --from p.yaml --map ./tiny.yaml"));
    assert_eq!((ran.code, ran.codes().len()), (2, 0), "{}", ran.err);
    for name in ["--from <POSITION>", "--map <M>"] {
        assert!(ran.err.contains(name), "{}", ran.err);
    }
}

/// The number of players does not fit either, but that may follow from another mistake.
#[test]
fn a_misspelled_territory_is_reported_before_the_number_of_players() {
    let folder = tempfile::tempdir().unwrap();
    let text = "position: 1
ruleset: hasbro
players:
  - name: alice
    land: { alaska: 3, kamtchatka: 2 }
  - name: bob
    land: { alberta: 3 }
turn_of: alice
phases: attack
";
    std::fs::write(folder.path().join("p.yaml"), text).unwrap();
    let play = words("play --quiet --from p.yaml");
    let ran = run_in(folder.path(), &play);
    ran.refuses(2, "position::value");
    assert_eq!(ran.places(), ["p.yaml:5:24"], "{}", ran.err);
    assert!(ran.err.contains("`kamchatka`"), "{}", ran.err);
    let right = text.replace("kamtchatka", "kamchatka");
    std::fs::write(folder.path().join("p.yaml"), right).unwrap();
    run_in(folder.path(), &play).refuses(2, "ruleset::players");
}
