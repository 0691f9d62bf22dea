//! Rulesets and bots that are Rhai scripts. The module `api` registers the functions that scripts
//! may call.

mod adaptation;
mod adapting;
mod aims;
mod api;
mod bind;
mod binder;
pub mod bot;
mod caller;
mod cards;
mod constants;
mod declare;
pub mod event_value;
mod hooks;
mod lint;
pub mod manifest;
mod rules;
mod rules_source;
mod settings;
mod tables;

use rhai_guard::{compile, constant_limits, engine, meter, sizes, syntax};

pub use rhai_guard::compile::imports;
pub use rhai_guard::{
    Budget, Exceeded, RESERVED, Script, ScriptFault, ScriptLimits, ScriptPlace, Siblings, Source,
    tracer,
};

pub(crate) use api::{FoundPlan, OwnWorth, PlanSearch, Policies, SearchLimits};
pub use api::{reference, signatures};
pub use bind::{BoundRuleset, Ruleset};
pub use binder::natives;
pub use hooks::names as hook_names;
pub use rules::ScriptRules;
pub use rules_source::RulesSource;
pub use settings::{BotSetting, set_values, settings};

/// The version of the script interface: the functions, the hooks and the declarations of
/// `ruleset()`. A script may declare the version that it was written for. docs/migration.md lists
/// the changes.
pub const API: i64 = 1;

fn api_fault(version: Option<i64>) -> Option<ScriptFault> {
    if version == Some(API) {
        return None;
    }
    Some(match version {
        Some(newer) if newer > API => ScriptFault::new(
            "script::api",
            format!("the script needs API version {newer}, but this program supports {API}"),
        )
        .help("install a newer risk-cli"),
        _ => ScriptFault::new(
            "script::api",
            format!("the API version must be an integer from 1 to {API}"),
        )
        .help(format!("write {API}, or remove the version")),
    })
}

/// The maximum number of operations for reading a ruleset's declarations once.
const TO_DECLARE: u64 = 50_000;
/// The maximum number of operations for computing all tables of a ruleset.
const FOR_TABLES: u64 = 300_000;
/// The maximum number of operations for computing a script's constants and cards, including the
/// constants of the scripts that it imports and extends.
const TO_BIND: u64 = 300_000;

/// Returns the cost bound of each function in the language's own library, keyed by signature.
#[must_use]
pub fn bounds() -> std::collections::BTreeMap<String, String> {
    rhai_guard::bounds(api::name_types)
}
