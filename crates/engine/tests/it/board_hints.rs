//! What rulesets add to the map with `board:` and `marks:`: mistakes are refused.

use risk_engine::load_ruleset;
use risk_testing::games::library;

#[test]
fn mistakes_have_places() {
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
        is_refused(&format!("board: {board}"), code, name);
    }
}

#[test]
fn mistakes_in_marks_have_places() {
    let many: String = (0..17).map(|at| format!("m{at}: \"all\", ")).collect();
    for (marks, code, name) in [
        ("7", "ruleset::value", "`marks`"),
        (&format!("#{{ {many} }}"), "ruleset::value", "16"),
        ("#{ Poison: \"all\" }", "ruleset::name", "Poison"),
        ("#{ poison: \"most\" }", "ruleset::value", "sight"),
        ("#{ poison: #{ range: 0..=3 } }", "ruleset::value", "sight"),
        (
            "#{ poison: #{ seen: \"all\", sen: 1 } }",
            "ruleset::unknown-key",
            "`seen`",
        ),
        (
            "#{ poison: #{ seen: \"all\", range: 1..=3 } }",
            "ruleset::value",
            "0..=9",
        ),
        (
            "#{ poison: #{ seen: \"all\", range: 3 } }",
            "ruleset::value",
            "0..=9",
        ),
        (
            "#{ poison: #{ seen: \"all\", range: 0..=1000000001 } }",
            "ruleset::value",
            "0..=9",
        ),
        (
            "#{ poison: #{ seen: \"all\", strength: 1 } }",
            "ruleset::value",
            "strength",
        ),
        (
            "#{ poison: #{ seen: \"all\", range: 0..=5, strength: 4 } }",
            "ruleset::value",
            "15",
        ),
        (
            "#{ poison: #{ seen: \"all\", range: -1..=5, strength: 1 } }",
            "ruleset::value",
            "negative",
        ),
        (
            "#{ poison: #{ seen: \"all\", range: 0..=5, strength: 9223372036854775807 } }",
            "ruleset::value",
            "strength",
        ),
        (
            "#{ poison: #{ seen: \"all\", title: \"\" } }",
            "ruleset::value",
            "`title`",
        ),
    ] {
        is_refused(&format!("marks: {marks}"), code, name);
    }
}

/// A ruleset with this declaration on its second line is refused with one finding.
fn is_refused(declared: &str, code: &str, name: &str) {
    let text = format!(
        "fn ruleset() {{ #{{ extends: \"hasbro\", name: \"p\",\n\
         counters: #{{ open: \"all\", secret: \"owner\" }}, {declared} }} }}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.rhai").display().to_string();
    std::fs::write(&path, text).unwrap();
    let failure = load_ruleset(library(), &path).unwrap_err();
    let [found] = &failure.findings[..] else {
        panic!("{declared}: {failure:?}")
    };
    assert_eq!(found.code, code, "{declared}: {found}");
    let help = found.help.as_deref().unwrap_or_default();
    assert!(
        found.text.contains(name) || help.contains(name),
        "{declared}: {found}"
    );
    let line = found.place.as_ref().map(|place| place.line_column().0);
    assert!(line.is_none_or(|line| line == 2), "{declared}: {found}");
}
