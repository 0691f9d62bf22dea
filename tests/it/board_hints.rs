//! What rulesets add to the map with `board:`: mistakes are refused, and pictures show it.

use crate::support::{run_in, words};
use risk_engine::Worker;
use risk_kernel::NullSink;
use risk_kernel::state::GameState;
use risk_report::picture;
use risk_testing::games::{library, setup_from};

#[test]
fn mistakes_have_places() {
    let folder = tempfile::tempdir().unwrap();
    let nine = |entry: &dyn Fn(usize) -> String| (0..9).map(entry).collect::<String>();
    let markers = nine(&|at| format!("m{at}: #{{ title: \"m\" }}, "));
    let markers = format!("#{{ markers: #{{ {markers} }} }}");
    for (board, code, name) in [
        (markers.as_str(), "ruleset::value", "`markers`"),
        ("7", "ruleset::value", "`board`"),
        ("#{ badge: #{} }", "ruleset::unknown-key", "`badges`"),
        (
            "#{ badges: #{ army: \"ARMY\" } }",
            "ruleset::value",
            "`army`",
        ),
        (
            "#{ badges: #{ army: \"A\", navy: \"N\" } }",
            "ruleset::unknown-key",
            "`army`",
        ),
        ("#{ markers: #{ hill: 1 } }", "ruleset::value", "`hill`"),
        ("#{ markers: #{ hill: #{} } }", "ruleset::value", "`title`"),
        (
            "#{ markers: #{ hill: #{ title: \"hill\", place: \"top\" } } }",
            "ruleset::value",
            "`place`",
        ),
        (
            "#{ markers: #{ hill: #{ title: \"hill\", gone: \"secret\" } } }",
            "ruleset::value",
            "`gone`",
        ),
        (
            "#{ tracks: #{ points: #{ title: \"Points\", spaces: [1] } } }",
            "ruleset::value",
            "`points`",
        ),
        (
            "#{ tracks: #{ open: #{ title: \"Points\", spaces: [] } } }",
            "ruleset::value",
            "`spaces`",
        ),
        (
            "#{ tracks: #{ open: #{ title: \"Points\", spaces: [1, 12345] } } }",
            "ruleset::value",
            "`spaces`",
        ),
        (
            "#{ tracks: #{ open: #{ title: \"Points\", spaces: [1], space: 1 } } }",
            "ruleset::unknown-key",
            "`space`",
        ),
        (
            "#{ tracks: #{ open: #{ title: \"Points\", spaces: [1], ahead: \"secret\" } } }",
            "ruleset::value",
            "`ahead`",
        ),
    ] {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"hasbro\", name: \"p\",\n\
             counters: #{{ open: \"all\", secret: \"owner\" }}, board: {board} }} }}\n"
        );
        std::fs::write(folder.path().join("p.rhai"), text).unwrap();
        let ran = run_in(folder.path(), &words("ruleset show ./p.rhai"));
        ran.refuses(2, code);
        assert!(ran.err.contains(name), "{board}: {}", ran.err);
        assert!(
            ran.places()
                .iter()
                .all(|place| place.starts_with("./p.rhai:2:")),
            "{board}: {:?}",
            ran.places()
        );
    }
}

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
    let setup = setup_from(
        library(),
        &path,
        Some("starwars"),
        &["random"; 2],
        1,
        &options,
    );
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
    let play = "play --quiet --seed 1 -r ./r.rhai -m duel -o max_turns=1 --bot random --bot random \
                --bot random --record g.jsonl";
    // The frames of a GIF are drawn as SVG.
    for line in [play, "replay g.jsonl --animation g.gif"] {
        let ran = run_in(folder.path(), &words(line));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    }
}
