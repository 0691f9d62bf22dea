//! The settings of a bot: `fn settings() { #{ edge: #{ value: 2, range: 0..=9, about: "…" } } }`.
//! The script sees each setting as a constant, such as `EDGE`.

use std::ops::RangeInclusive;

use rhai::{Dynamic, INT, Map, Scope};

use super::TO_DECLARE;
use super::compile::{self, Constants};
use super::engine::Sandbox;
use super::{Script, constant_limits, declare, hooks};
use rhai_guard::{ScriptFault, ScriptLimits};
use risk_text::suggest;

const MOST_SETTINGS: usize = 32;
/// The maximum length of a setting's name, in bytes.
const LONGEST_NAME: usize = 32;
const VALUES: RangeInclusive<INT> = -1_000_000_000..=1_000_000_000;
/// The names of constants that every bot has.
const TAKEN: [&str; 5] = ["TERRITORIES", "PLAYERS", "NOBODY", "TABLE", "API"];

/// An integer setting of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BotSetting {
    /// The name. For example, `set.edge=3` sets the setting `edge`.
    pub name: String,
    /// The default value.
    pub value: i64,
    /// The possible values.
    pub range: RangeInclusive<i64>,
    /// A description without a full stop; may be empty.
    pub about: String,
}

impl BotSetting {
    /// Returns the name of the script's constant for the setting.
    #[must_use]
    pub fn constant(&self) -> String {
        self.name.to_uppercase()
    }
}

/// Returns the settings of a bot, sorted by name. The list is empty if the bot has no function
/// `settings()`.
///
/// # Errors
/// Returns the fault in the function `settings()`.
pub fn settings(script: &Script) -> Result<Vec<BotSetting>, ScriptFault> {
    let source = &script.source;
    let mut sandbox = Sandbox::new(&ScriptLimits::default(), super::api::name_types);
    sandbox.share(TO_DECLARE);
    let draft = compile::parse(&mut sandbox.engine, source)?;
    let name = hooks::SETTINGS.name;
    let is_own =
        |function: rhai::ScriptFnMetadata<'_>| function.name == name && function.params.is_empty();
    if !draft.iter_functions().any(is_own) {
        return Ok(Vec::new());
    }
    let mut scope = Scope::new();
    for name in declare::capitals(&draft) {
        scope.push_constant(name, 1 as INT);
    }
    constant_limits::check_constants(&draft, &scope, source)?;
    let ast = compile::fold(&mut sandbox.engine, &scope, source)
        .map_err(|error| ScriptFault::of_parsing(&error, source, &[]))?;
    let result = sandbox.call(&ast, name, None, ());
    let sources = std::slice::from_ref(source);
    let result = result.map_err(|error| sandbox.setup_fault(&error, sources, name))?;
    let position = rhai_guard::function_position(source, name);
    read(&result).map_err(|text| {
        ScriptFault::new("bot::settings", text)
            .help("write `fn settings() { #{ edge: #{ value: 2, range: 0..=9, about: \"…\" } } }`")
            .at(source, position)
    })
}

fn read(result: &Dynamic) -> Result<Vec<BotSetting>, String> {
    let Some(map) = result.read_lock::<Map>() else {
        return Err("`settings()` must return a map from names to settings".to_owned());
    };
    if map.len() > MOST_SETTINGS {
        return Err(format!(
            "a bot can have at most {MOST_SETTINGS} settings, found {}",
            map.len()
        ));
    }
    map.iter()
        .map(|(name, value)| setting(name, value))
        .collect()
}

fn setting(name: &str, result: &Dynamic) -> Result<BotSetting, String> {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !begins || !name.chars().all(is_letter) || name.len() > LONGEST_NAME {
        return Err(format!(
            "invalid name of a setting: `{}` (use at most {LONGEST_NAME} lower-case letters, \
             digits and `_`, starting with a letter)",
            risk_text::escape_control(name)
        ));
    }
    if TAKEN.contains(&name.to_uppercase().as_str()) {
        return Err(format!(
            "a setting can't be named `{name}`: every bot has this constant"
        ));
    }
    let Some(map) = result.read_lock::<Map>() else {
        return Err(format!(
            "the setting `{name}` must be a map with `value`, `range` and `about`"
        ));
    };
    if let Some(key) = map
        .keys()
        .find(|key| !["value", "range", "about"].contains(&key.as_str()))
    {
        let help = suggest::help(key, ["value", "range", "about"]);
        return Err(format!(
            "unknown key `{key}` in the setting `{name}`; {help}"
        ));
    }
    let value = map.get("value").and_then(|value| value.as_int().ok());
    let value = value.ok_or_else(|| format!("`value` of `{name}` must be an integer"))?;
    let range = map.get("range").cloned();
    let range = range.and_then(Dynamic::try_cast::<RangeInclusive<INT>>);
    let range =
        range.ok_or_else(|| format!("`range` of `{name}` must be a range, for example 0..=9"))?;
    if !VALUES.contains(range.start()) || !VALUES.contains(range.end()) {
        return Err(format!("`range` of `{name}` must be within ±1,000,000,000"));
    }
    if !range.contains(&value) {
        return Err(format!("`value` of `{name}` must be in its range"));
    }
    let about = match map.get("about") {
        None => String::new(),
        Some(about) => about
            .clone()
            .into_string()
            .map_err(|_| format!("`about` of `{name}` must be a string"))?,
    };
    Ok(BotSetting {
        name: name.to_owned(),
        value,
        range,
        about: risk_text::escape_control(&about).into_owned(),
    })
}

/// Returns a bot's settings with their current values. Settings that the user did not change have
/// their default values.
///
/// # Errors
/// Returns the fault in the bot's function `settings()`, or in a value that is not valid.
pub fn set_values(script: &Script) -> Result<Vec<(BotSetting, i64)>, ScriptFault> {
    let known = settings(script)?;
    for (name, value) in &script.set {
        let Some(setting) = known.iter().find(|setting| setting.name == *name) else {
            let names = known.iter().map(|setting| setting.name.as_str());
            let text = format!("{} has no setting named `{name}`", script.source.name);
            let help = if known.is_empty() {
                "remove it: the bot has no settings".to_owned()
            } else {
                suggest::help(name, names)
            };
            return Err(ScriptFault::new("bot::setting", text).help(help));
        };
        if !setting.range.contains(value) {
            let low = setting.range.start();
            let high = setting.range.end();
            let text = format!(
                "invalid value {value} for the setting `{name}` of {}",
                script.source.name
            );
            let help = format!("use an integer from {low} to {high}");
            return Err(ScriptFault::new("bot::setting", text).help(help));
        }
    }
    let set = known.into_iter().map(|setting| {
        let value = script.set.get(&setting.name).copied();
        let value = value.unwrap_or(setting.value);
        (setting, value)
    });
    Ok(set.collect())
}

pub(super) fn constants(script: &Script) -> Result<Constants, ScriptFault> {
    let all = set_values(script)?.into_iter();
    Ok(all
        .map(|(setting, value)| (setting.constant(), value.into()))
        .collect())
}
