//! Every built-in ruleset on every map it allows, with every number of players: random games in
//! which the events rebuild the state and a second run ends in the same digest.

use risk_engine::Worker;
use risk_kernel::event::Event;
use risk_kernel::state::GameState;
use risk_kernel::{Moment, Sink};
use risk_maps::files::FileKind;
use risk_testing::games::library;

use risk_testing::by_case::{self, each};
use risk_testing::fold::Fold;
use risk_testing::games as support;

#[derive(Default)]
struct FoldSink(Fold);

impl Sink for FoldSink {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let _game: &GameState = &moment;
        self.0.step(moment, event);
    }
}

/// Plays random games of a ruleset, at least this many in all.
fn walk(ruleset: &str, games: u64) {
    let folder = support::tiny();
    let tiny = folder.path().join("tiny.yaml");
    let manifest = risk_engine::load_ruleset(library(), ruleset)
        .unwrap()
        .manifest;
    let maps: &[&str] = match ruleset {
        // Only its own map has its motherships and its Death Star.
        "starwars" => &["starwars"],
        // Territories are picked by continent.
        "warlight1" | "warlight2" => {
            &[manifest.map.as_str(), tiny.to_str().unwrap(), "random:19:3"]
        }
        _ => &[manifest.map.as_str(), tiny.to_str().unwrap(), "grid:6x4"],
    };
    let players: Vec<usize> = (manifest.players.0..=manifest.players.1.min(6)).collect();
    let share = by_case::share(games).div_ceil((maps.len() * players.len()) as u64);
    // A round of orders has many decisions.
    let turns = match ruleset {
        "warzone" | "warlight1" | "warlight2" => "12",
        _ => "60",
    };
    for &map in maps {
        for &count in &players {
            let setup = support::setup(
                ruleset,
                Some(map),
                &vec!["random"; count],
                51,
                &[("max_turns", turns)],
            );
            let mut worker = Worker::new(&setup).unwrap();
            each(0..share, |&number| {
                let mut folding = FoldSink::default();
                let finished = worker.play(number, &mut folding);
                folding.0.check(&finished.game);
                let outcome = finished.outcome.unwrap();
                assert_eq!(outcome.ranking.len(), count);
                // The same game without a listener.
                if number < 5 {
                    let again = worker.play(number, &mut risk_kernel::NullSink);
                    assert_eq!(
                        again.game.digest(),
                        finished.game.digest(),
                        "{ruleset} on {map}, game {number}"
                    );
                }
            });
        }
    }
}

#[test]
fn hasbro_walks() {
    walk("hasbro", 2_000);
}

#[test]
fn missions_walks() {
    walk("missions", 400);
}

#[test]
fn teams_walks() {
    walk("teams", 400);
}

#[test]
fn codelab_walks() {
    walk("codelab", 2_000);
}

#[test]
fn simplified_walks() {
    walk("simplified", 2_000);
}

#[test]
fn warzone_walks() {
    walk("warzone", 2_000);
}

#[test]
fn warlight1_walks() {
    walk("warlight1", 600);
}

#[test]
fn warlight2_walks() {
    walk("warlight2", 600);
}

#[test]
fn starwars_walks() {
    walk("starwars", 2_000);
}

#[test]
fn capital_walks() {
    walk("capital", 200);
}

#[test]
fn fog_walks() {
    walk("fog", 200);
}

#[test]
fn scored_walks() {
    walk("scored", 200);
}

#[test]
fn syncs2024_walks() {
    walk("syncs2024", 400);
}

#[test]
fn every_ruleset_walks() {
    let source = include_str!("registry.rs");
    for name in library().names(FileKind::Ruleset) {
        let walk = format!("    walk(\"{name}\", ");
        assert!(source.contains(&walk), "no test walks {name}");
    }
}

#[test]
fn every_ruleset_has_a_limit_of_turns() {
    for ruleset in library().names(FileKind::Ruleset) {
        let manifest = risk_engine::load_ruleset(library(), ruleset)
            .unwrap()
            .manifest;
        let turns = match ruleset {
            "starwars" => "5000",
            // Its own limit of records comes first.
            "syncs2024" => "2500",
            _ => "1000",
        };
        assert_eq!(
            manifest.options["max_turns"].default.to_string(),
            turns,
            "{ruleset}"
        );
        let bots = vec!["random"; manifest.players.0];
        let setup = support::setup(ruleset, None, &bots, 1, &[("max_turns", "1")]);
        let finished = Worker::new(&setup)
            .unwrap()
            .play(0, &mut risk_kernel::NullSink);
        assert_eq!(finished.outcome.unwrap().reason, "limit", "{ruleset}");
    }
}

#[test]
fn warzone_seats_many_on_maps_of_any_size() {
    for (map, players) in [("world", 20), ("grid:20x20", 12), ("world", 32)] {
        let setup = support::setup(
            "warzone",
            Some(map),
            &vec!["random"; players],
            1,
            &[("max_turns", "64")],
        );
        let finished = Worker::new(&setup)
            .unwrap()
            .play(0, &mut FoldSink::default());
        assert_eq!(finished.outcome.unwrap().ranking.len(), players, "{map}");
    }
}
