//! Rhai: rulesets and bots as scripts. All knowledge of the language is in here, and every function
//! a script may call is registered in `api`.

mod api;
mod bind;
mod binder;
pub mod bot;
mod cards;
pub mod chances;
mod constants;
mod declare;
pub mod event_value;
mod hooks;
mod lint;
pub mod manifest;
pub(crate) mod plan;
mod rules;
mod rules_source;
mod settings;
mod tables;

use rhai_guard::{
    budget, compile, constant_limits, engine, fault, meter, script_limits, sizes, source, syntax,
};

pub use rhai_guard::{
    Budget, Exceeded, Script, ScriptFault, ScriptLimits, ScriptPlace, Siblings, Source, imports,
    tracer,
};

pub(crate) use api::Policies;
pub use api::{reference, signatures};
pub use bind::{Bound, Ruleset};
pub use binder::natives;
pub use hooks::names as hook_names;
pub use manifest::OptionValue;
pub use rules::ScriptRules;
pub use rules_source::RulesSource;
pub use settings::{BotSetting, set_values, settings};

/// The version of what scripts see: functions, hooks, and what `ruleset()` declares. A script may
/// say which one it is written for; docs/migration.md has what changed.
pub const API: i64 = 1;

/// What is wrong with a script that is written for this version, if anything.
fn api_fault(version: Option<i64>) -> Option<ScriptFault> {
    if version == Some(API) {
        return None;
    }
    Some(match version {
        Some(newer) if newer > API => ScriptFault::new(
            "script::api",
            format!("the script is written for api {newer}, and this program has api {API}"),
        )
        .help("use a newer risk-cli"),
        _ => ScriptFault::new(
            "script::api",
            format!("`api` is a whole number, and the newest is {API}"),
        )
        .help(format!("write {API}, or leave it out")),
    })
}

/// Operations for reading what a ruleset declares, each time that it is read.
const TO_DECLARE: u64 = 50_000;
/// Operations for all tables of a ruleset.
const FOR_TABLES: u64 = 300_000;
/// Operations for the constants of a script, of what it imports and extends, and for its cards.
const TO_BIND: u64 = 300_000;

/// A table of what bounds each function of the language's own library: its signature, and the
/// bound.
#[must_use]
pub fn bounds() -> std::collections::BTreeMap<String, String> {
    rhai_guard::bounds(api::name_types)
}
