//! Descriptions in rulesets.

use crate::support::library;
use risk_engine::load::{self, Kind};
use risk_engine::script::manifest::PhaseKind;
use risk_kernel::phases::settings;

use crate::support::run;

#[test]
fn every_option_table_and_setting_of_a_shipped_ruleset_says_what_it_means() {
    let mut silent = Vec::new();
    for name in library().names(Kind::Ruleset) {
        let manifest = load::ruleset(library(), name).unwrap().manifest;
        for (option, _) in manifest
            .options
            .iter()
            .filter(|(_, info)| info.about.is_empty())
        {
            silent.push(format!("{name}: the option {option}"));
        }
        let tables = manifest.tables.iter();
        for (table, _) in
            tables.filter(|(table, info)| info.about.is_empty() && settings::table(table).is_none())
        {
            silent.push(format!("{name}: the table {table}"));
        }
        for (phase, kind) in &manifest.phases {
            let PhaseKind::Standard(_, params) = kind else {
                continue;
            };
            for setting in params
                .keys()
                .filter(|setting| settings::setting(setting).is_none())
            {
                silent.push(format!(
                    "{name}: the setting {setting} of the phase {}",
                    phase.name
                ));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn show_tells_what_options_settings_and_tables_mean() {
    for (ruleset, lines) in [
        (
            "hasbro",
            &[
                "hand after an elimination",
                "armies that a player places",
                "after so many sets in this game",
            ][..],
        ),
        (
            "warzone",
            &[
                "percent of a battle",
                "answers are secret",
                "chance in percent that an army kills",
            ],
        ),
        (
            "simplified",
            &[
                "may free territories be taken",
                "the most pairs of dice that count",
            ],
        ),
    ] {
        let ran = run(&["ruleset", "show", ruleset]);
        let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        for line in lines {
            assert!(words.contains(line), "{line}\n{}", ran.out);
        }
    }
}
