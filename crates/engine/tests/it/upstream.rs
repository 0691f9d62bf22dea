//! Presets: options that are set together to match the old programs.

mod hacker_risk;
mod starwars;

use risk_engine::EngineError;
use risk_testing::games::library;

const CODE: &[(&str, &str)] = &[("preset", "upstream")];

#[test]
fn a_preset_sets_options_and_what_is_said_of_an_option_goes_before_it() {
    let ruleset = risk_engine::load_ruleset(library(), "hasbro").unwrap();
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
    let twice = options(&[("preset", "upstream"), ("preset", "upstream")]);
    assert!(matches!(twice, Err(EngineError::Option(text)) if text.contains("`preset`")));
}
