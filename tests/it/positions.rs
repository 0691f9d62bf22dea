//! Games that begin from positions: a written position reads back, and the game goes on as it did.

use crate::support::library;
use std::path::Path;
use std::sync::Arc;

use risk_engine::load::diag::TextFile;
use risk_engine::load::position::{self, Origin};
use risk_engine::load::{self, Kind};
use risk_engine::matches::Worker;
use risk_engine::record::{Playback, RecordLine, header, hex, read};
use risk_engine::{NullSink, Recorder, Setup};
use risk_kernel::position::Position;
use risk_kernel::state::GameState;
use risk_lab::analysis::chances;

use crate::support::{run_in, setup, tiny, words};
use risk_testing::by_case::each;
use risk_testing::edits::chained;

/// Returns a position's text, as a record of that setup would have it.
fn text(setup: &Setup, game: &GameState) -> String {
    let options = setup.options.iter();
    let options: Vec<_> = options
        .map(|(name, value)| (name.clone(), value.to_string()))
        .collect();
    let names: Vec<_> = setup.bots.iter().map(|bot| bot.name.clone()).collect();
    let origin = Origin {
        ruleset: &setup.ruleset_spec,
        map: &setup.map_spec,
        options: &options,
        seed: &setup.seed,
        game: 0,
        names: &names,
    };
    position::write(
        &Position::from_game(game),
        game.board(),
        game.decl(),
        origin,
    )
}

#[test]
fn a_position_of_any_ruleset_goes_on_as_the_game_did() {
    each(library().names(Kind::Ruleset), |ruleset| {
        let manifest = load::ruleset(library(), ruleset).unwrap().manifest;
        let players = manifest.players.0.max(2);
        let mut match_ = setup(
            ruleset,
            None,
            &vec!["random"; players],
            11,
            &[("max_turns", "12")],
        );
        let mut worker = Worker::new(&match_).unwrap();
        let mut recorder = Recorder::new(Vec::new(), &header(&worker, 0));
        let finished = worker.play(0, &mut recorder);
        let lines = recorder
            .finish(finished.outcome.as_ref().ok(), &finished.game)
            .unwrap();
        let record = read(std::str::from_utf8(&lines).unwrap()).unwrap();
        let last = record.answers();
        let moments = [0, last / 4, last / 2, last - 1];
        let games = chances::positions(&mut worker, &record, &moments).unwrap();
        // Answers made simultaneously have no position between them.
        assert!(games.len() >= moments.len() - 1);
        let end = record.lines.last().unwrap().1.clone();
        let RecordLine::End(end) = end else {
            panic!("the game has an end")
        };
        for game in games {
            let written = text(&match_, &game);
            let file = TextFile::new("position.yaml", &written);
            let read = position::read(&file).unwrap();
            match_.position = Some(Arc::new(read));
            let mut again = Worker::new(&match_).unwrap();
            let begun = again.position(0).unwrap();
            assert_eq!(begun.cells(), game.cells());
            assert_eq!(begun.digest(), game.digest());
            assert_eq!(text(&match_, &begun), written);
            // The same answers meet the same dice and cards.
            let mut rest = record.clone();
            let behind = game.answers();
            rest.lines
                .retain(|(_, line)| line.decision().is_none_or(|n| n > behind));
            let mut seats = Playback::new(&rest, None).seats;
            let finished = again.play_with(0, &mut seats, &mut NullSink);
            assert_eq!(hex(finished.game.digest()), end.digest);
            // Another game number has other dice.
            assert_ne!(again.position(1).unwrap().digest(), game.digest());
        }
    });
}

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
    assert!(
        verified.starts_with("b.jsonl replays exactly"),
        "{verified}"
    );
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
    assert_eq!(found.code, 1);
    assert!(
        found.err.contains("`digest` of the position"),
        "{}",
        found.err
    );
    let wrong = run_in(folder, &words("replay b.jsonl --at 299"));
    assert!(wrong.err.contains("no decision 299"), "{}", wrong.err);
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
    assert!(
        resumed.out.contains("goes on after decision 1"),
        "{}",
        resumed.out
    );
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

const WRONG: [(&str, &str, &str); 23] = [
    (
        "position: 1",
        "position: 2",
        "the form of the position can't be 2",
    ),
    ("position: 1", "", "the key `position` is missing"),
    (
        "ruleset: hasbro",
        "ruleset: hasbroo",
        "there is no ruleset named `hasbroo`",
    ),
    (
        "map: ./tiny.yaml",
        "map: ../elsewhere/tiny.yaml",
        "outside of this folder",
    ),
    (
        "map: ./tiny.yaml",
        "maap: ./tiny.yaml",
        "a position has no key `maap`",
    ),
    ("a: 9", "a: -9", "a number of units can't be -9"),
    (
        "a: 9",
        "a: 99999999999",
        "a number of units can't be 99999999999",
    ),
    (
        "a: 9",
        "a: nine",
        "a number of units must be a whole number",
    ),
    ("a: 9", "a: { tank: 9 }", "there is no unit `tank`"),
    ("a: 9", "r99: 9", "there is no territory `r99`"),
    ("b: 1", "a: 1", "a is in this position twice"),
    (
        "f: 1",
        "a: 1",
        "the key `a` stands here for the second time",
    ),
    (
        "phases: attack",
        "phases: attack\nphases: attack",
        "the key `phases` stands here for the second time",
    ),
    ("[d]", "[d, d]", "the card d is on a pile already"),
    ("[d]", "[r77]", "there is no card `r77`"),
    ("hand:", "hnd:", "there is no pile `hnd`"),
    ("name: blue", "name: red", "two players are called red"),
    (
        "turn_of: red",
        "turn_of: green",
        "there is no player `green`",
    ),
    (
        "phases: attack",
        "phases: attak",
        "there is no phase `attak`",
    ),
    ("phases: attack", "phases: []", "no phase is open"),
    (
        "phases: attack",
        "round: 4294967296\nphases: attack",
        "the round can't be 4294967296",
    ),
    (
        "name: blue",
        "name: blue\n    status: eliminated",
        "must be out once if eliminated",
    ),
    ("name: blue", "name: &x blue\n    counters: *x", "position"),
];

#[test]
fn what_is_wrong_with_a_position_is_said_with_its_place() {
    let folder = tiny();
    let folder = folder.path();
    for (index, (was, now, said)) in WRONG.iter().enumerate() {
        let text = PUZZLE.replacen(was, now, 1);
        assert_ne!(text, PUZZLE, "case {index}");
        std::fs::write(folder.join("p.yaml"), text).unwrap();
        let ran = run_in(folder, &words("play --from p.yaml --quiet"));
        let err = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(ran.code, 2, "{now}: {}", ran.err);
        assert!(err.replace("│ ", "").contains(said), "{now}: {}", ran.err);
        // An error that the file isn't a position has no line number.
        let placeless = ["ruleset named", "outside", "`position` is missing"];
        let has_place =
            err.contains("p.yaml:") || placeless.iter().any(|words| said.contains(words));
        assert!(has_place, "{now}: {}", ran.err);
    }
    std::fs::write(folder.join("p.yaml"), PUZZLE).unwrap();
    for (line, said) in [
        ("play --from p.yaml@3", "is not a record"),
        ("play --from p.yaml@0", "not the number of a decision"),
        ("play --from nothing.yaml", "there is no such file"),
        (
            "play --from p.yaml --map ./tiny.yaml",
            "cannot be used with",
        ),
        (
            "play --from p.yaml --bot odds --bot odds --bot odds",
            "3 bots are given for 2",
        ),
    ] {
        let ran = run_in(folder, &words(line));
        assert_eq!(ran.code, 2, "{line}: {}", ran.err);
        assert!(ran.err.contains(said), "{line}: {}", ran.err);
    }
}
