//! What rulesets add to the map with `board:`: mistakes are refused.

use risk_engine::load_ruleset;
use risk_testing::games::library;

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
        let path = folder.path().join("p.rhai").display().to_string();
        std::fs::write(&path, text).unwrap();
        let failure = load_ruleset(library(), &path).unwrap_err();
        let [found] = &failure.findings[..] else {
            panic!("{board}: {failure:?}")
        };
        assert_eq!(found.code, code, "{board}: {found}");
        let help = found.help.as_deref().unwrap_or_default();
        assert!(
            found.text.contains(name) || help.contains(name),
            "{board}: {found}"
        );
        let line = found.place.as_ref().map(|place| place.line_column().0);
        assert!(line.is_none_or(|line| line == 2), "{board}: {found}");
    }
}
