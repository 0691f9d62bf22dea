//! Descriptions in rulesets.

use risk_engine::load_ruleset;
use risk_engine::script::manifest::PhaseKind;
use risk_kernel::phases::settings;
use risk_maps::files::FileKind;
use risk_testing::games::library;

#[test]
fn every_option_table_and_setting_of_a_shipped_ruleset_says_what_it_means() {
    let mut silent = Vec::new();
    for name in library().names(FileKind::Ruleset) {
        let manifest = load_ruleset(library(), name).unwrap().manifest;
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
        for (phase, kind) in manifest.phases() {
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
