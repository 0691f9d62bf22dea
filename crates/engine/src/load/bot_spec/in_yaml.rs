//! Bots in YAML files: the text that `--bot` takes, or a mapping of its keys.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::settings::quote;
use crate::load::typed_yaml::Scalar;

/// A bot as a YAML file says it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "here must be a bot: a text as --bot takes it, or a map of its keys with bot:"
)]
pub enum BotInYaml {
    /// As `--bot` takes it: `name=alice,bot=greedy`.
    Words(String),
    /// The same keys as a mapping.
    Keys(BotKeys),
}

/// The keys of a bot.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct BotKeys {
    /// Which bot: a name, a path, an address, or cmd: with a command.
    bot: String,
    /// The other keys: name, set.KEY, protocol, timeout and their like.
    #[serde(flatten)]
    settings: BTreeMap<String, Scalar>,
}

impl BotInYaml {
    /// The bot as [`BotSpec::parse`](super::BotSpec::parse) reads it.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Words(words) => words.clone(),
            Self::Keys(keys) => {
                let mut words = format!("bot={}", quote(&keys.bot));
                for (key, value) in &keys.settings {
                    words += &format!(",{key}={}", quote(&value.to_string()));
                }
                words
            }
        }
    }
}
