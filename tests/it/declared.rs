//! Descriptions in rulesets.

use risk_engine::load_ruleset;
use risk_engine::script::manifest::PhaseKind;
use risk_kernel::phases::settings;
use risk_maps::files::FileKind;

use crate::support::{library, run};

/// `ruleset show` prints the meaning of each option, setting and table.
#[test]
fn show_explains_options_settings_and_tables() {
    for name in library().names(FileKind::Ruleset) {
        let manifest = load_ruleset(library(), name).unwrap().manifest;
        let options = manifest.options.values().map(|info| info.about.as_str());
        let tables = manifest
            .tables
            .iter()
            .map(|(table, info)| match settings::table(table) {
                Some(about) if info.about.is_empty() => about,
                _ => info.about.as_str(),
            });
        let standard = manifest.phases().filter_map(|(_, kind)| match kind {
            PhaseKind::Standard(_, params) => Some(params),
            _ => None,
        });
        let given = standard.flat_map(|params| params.keys());
        let given = given.filter_map(|setting| settings::setting(setting));
        let ran = run(&["ruleset", "show", name]);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = words(&ran.out);
        for about in options.chain(tables).chain(given) {
            assert!(
                shown.contains(&words(about)),
                "{name}: {about}\n{}",
                ran.out
            );
        }
    }
}
