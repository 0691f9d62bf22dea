//! Rhai: rulesets and bots as scripts. All knowledge of the language is in here, and every function
//! a script may call is registered in `api`.

mod api;
mod bind;
mod binder;
pub mod bot;
mod budget;
mod callbacks;
mod cards;
mod compile;
mod constant_limits;
mod constants;
mod declare;
mod engine;
mod entries;
pub mod event_value;
mod fault;
mod guard;
mod hooks;
mod known_calls;
mod limits;
mod lint;
pub mod manifest;
mod meter;
mod operators;
pub(crate) mod plan;
mod qualified;
mod rules;
mod rules_source;
mod script_limits;
mod settings;
mod sizes;
mod source;
mod syntax;
mod tables;
pub mod tracer;

pub(crate) use api::Policies;
pub use api::{reference, signatures};
pub use bind::{Bound, Ruleset};
pub use binder::natives;
pub use budget::{Budget, Exceeded};
pub use fault::{ScriptFault, ScriptPlace};
pub use guard::bounds;
pub use hooks::names as hook_names;
pub use manifest::OptionValue;
pub use rules::ScriptRules;
pub use rules_source::RulesSource;
pub use script_limits::ScriptLimits;
pub use settings::{BotSetting, set_values, settings};
pub use source::{Script, Siblings, Source};

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

/// The files that a script imports, by the names it calls them.
#[must_use]
pub fn imports(script: &Script) -> Vec<(String, Source)> {
    compile::imports(script)
}
