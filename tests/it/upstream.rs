//! Presets: options that are set together, as the old programs had them.

mod hacker_risk;
mod starwars;

use crate::support::library;
use crate::support::{run_in, setup, words};

const CODE: &[(&str, &str)] = &[("preset", "upstream")];

#[test]
fn a_preset_sets_options_and_what_is_said_of_an_option_goes_before_it() {
    let ruleset = risk_engine::load::ruleset(library(), "hasbro").unwrap();
    let options = |said: &[(&str, &str)]| {
        let said: Vec<_> = said
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        ruleset.options(&said).map(|options| {
            ["preset", "sixth_set", "recycle"].map(|name| {
                options
                    .get(name)
                    .map(ToString::to_string)
                    .unwrap_or_default()
            })
        })
    };
    let rows: [(&[(&str, &str)], [&str; 3]); 4] = [
        (&[], ["", "15", "true"]),
        (&[("preset", "upstream")], ["upstream", "14", "false"]),
        (
            &[("preset", "upstream"), ("recycle", "true")],
            ["upstream", "14", "true"],
        ),
        (
            &[("sixth_set", "20"), ("preset", "upstream")],
            ["upstream", "20", "false"],
        ),
    ];
    for (said, expected) in rows {
        assert_eq!(options(said).unwrap(), expected, "{said:?}");
    }
    let twice = options(&[("preset", "upstream"), ("preset", "upstream")]).unwrap_err();
    assert_eq!(twice, "the option `preset` is given twice");
}

#[test]
fn the_record_the_result_and_the_command_that_repeats_a_game_name_the_preset() {
    let folder = tempfile::tempdir().unwrap();
    let line = "play --seed 1 --option preset=upstream --option sixth_set=20 --option max_turns=9 --record r.jsonl --format json";
    let ran = run_in(folder.path(), &words(line));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("\"preset\": \"upstream\"") && ran.out.contains("\"sixth_set\": 20"),
        "{}",
        ran.out
    );
    let record = std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    let header = record.lines().next().unwrap();
    assert!(
        header.contains("\"preset\":\"upstream\"") && header.contains("\"recycle\":\"false\""),
        "{header}"
    );
    let verified = run_in(folder.path(), &words("replay r.jsonl --verify"));
    assert_eq!(verified.code, 0, "{}", verified.err);
    let setup = setup(
        "hasbro",
        None,
        &["random"; 3],
        1,
        &[("sixth_set", "20"), ("preset", "upstream")],
    );
    let command = setup.command(0);
    assert!(
        command.contains("--option preset=upstream --option sixth_set=20 --seed"),
        "{command}"
    );
}

#[test]
fn presets_are_checked_when_they_are_declared() {
    let folder = tempfile::tempdir().unwrap();
    for (presets, expected) in [
        (
            "#{ old: #{ sixth_set: -1 } }",
            "`sixth_set` in `ruleset()` must be",
        ),
        (
            "#{ old: #{ sixthset: 1 } }",
            "`sixthset` is not known in the preset `old`",
        ),
        (
            "#{ \"An Old One\": #{ sixth_set: 1 } }",
            "`An Old One` can't be the name of a preset",
        ),
        ("7", "`presets` in `ruleset()` must be a map"),
    ] {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"hasbro\", name: \"p\", presets: {presets} }} }}\n"
        );
        std::fs::write(folder.path().join("p.rhai"), text).unwrap();
        let ran = run_in(folder.path(), &words("ruleset show ./p.rhai"));
        assert!(ran.code == 2 || ran.code == 3, "{presets}: {}", ran.out);
        assert!(
            ran.err
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains(expected),
            "{presets}: {}",
            ran.err
        );
    }
}

// --- Hacker Risk
// -----------------------------------------------------------------------------------

// --- Star Wars
// -------------------------------------------------------------------------------------
