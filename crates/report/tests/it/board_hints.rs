//! What rulesets add to the map with `board:`: mistakes are refused, and pictures show it.

use risk_engine::Worker;
use risk_kernel::NullSink;
use risk_kernel::state::GameState;
use risk_report::picture::gif::gif;
use risk_report::picture::{self, Reel};
use risk_testing::games::setup;

/// Returns a game of a ruleset that extends Star Wars Risk.
fn extended(body: &str) -> GameState {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.rhai");
    std::fs::write(
        &path,
        format!("fn ruleset() {{ #{{ extends: \"starwars\", name: \"r\" }} }}\n{body}"),
    )
    .unwrap();
    let path = path.display().to_string();
    let options = [("max_turns", "1")];
    let setup = setup(&path, Some("starwars"), &["random"; 2], 1, &options);
    Worker::new(&setup).unwrap().play(0, &mut NullSink).game
}

#[test]
fn pictures_have_badges_markers_and_tracks() {
    let names = ["rebels".to_owned(), "empire".to_owned()];
    let svg = picture::game(&extended(""), &names);
    assert!(svg.contains(">5X</text>") && svg.contains(">4T</text>"));
    let preview = picture::preview(&extended(""), &names, "rebels v empire", "");
    assert!(preview.contains(" units</text>") && !preview.contains(" armies</text>"));
    for (text, count) in [
        ("class=\"marker\"", 6),
        ("class=\"marker gone\"", 0),
        ("class=\"middle\"", 1),
        ("width=\"24\" height=\"24\"", 28),
        ("stroke-width=\"3\"", 0),
        (">Shield track: 0 of 28</text>", 1),
        (">mothership</text>", 1),
    ] {
        assert_eq!(svg.matches(text).count(), count, "{text}");
    }
    let later = extended(
        "fn setup(g) { base::setup(g); g.set(DESTROYED, 5); g.set(TRACK, 4); g.set(TROOPERS, 3); }",
    );
    let svg = picture::game(&later, &names);
    for (text, count) in [
        ("class=\"marker\"", 4),
        ("class=\"marker gone\"", 2),
        ("stroke-width=\"3\"", 3),
        (">Shield track: 4 of 28, 3 troopers ahead</text>", 1),
        (">mothership, gone</text>", 1),
    ] {
        assert_eq!(svg.matches(text).count(), count, "{text}");
    }
}

/// Titles of units are a ruleset's own texts, and stand in animations too.
#[test]
fn titles_of_units_are_escaped_in_animations() {
    let folder = tempfile::tempdir().unwrap();
    let text = "fn ruleset() { #{ extends: \"hasbro\", name: \"r\", \
                units: [#{ name: \"army\", title: \"<i>&\", plural: \"</svg>&\" }] } }\n";
    std::fs::write(folder.path().join("r.rhai"), text).unwrap();
    let path = folder.path().join("r.rhai").display().to_string();
    let options = [("max_turns", "1")];
    let setup = setup(&path, Some("duel"), &["random"; 3], 1, &options);
    let mut worker = Worker::new(&setup).unwrap();
    let mut reel = Reel::new(&worker.empty_board(0));
    let finished = worker.play(0, &mut reel);
    // The frames of a GIF are drawn as SVG.
    let animation = gif(reel, &finished.game, &setup.names(), "a game", None);
    assert!(animation.unwrap().frames > 0);
}
