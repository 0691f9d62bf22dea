//! What rulesets add to the map with `board:`: mistakes are refused, and pictures show it.

use crate::support::{run_in, words};

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
