//! Bots in YAML files: a string as for `--bot`, or a mapping with the same keys.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::settings::{self, Settings};
use risk_maps::typed_yaml::Scalar;

/// A bot in a YAML file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a bot: a string as for `--bot`, or a mapping with the key `bot`"
)]
pub enum BotInYaml {
    /// A string in the syntax of `--bot`: `name=alice,bot=greedy`.
    Words(String),
    /// A mapping with the same keys.
    Keys(BotKeys),
}

/// The keys of a bot.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct BotKeys {
    /// The bot: a name, a path, an address, or `cmd:` with a command.
    bot: String,
    /// Other settings, such as name, set.KEY, protocol and timeout.
    #[serde(flatten)]
    settings: BTreeMap<String, Scalar>,
}

impl BotInYaml {
    /// Returns the settings of the bot's specification.
    ///
    /// # Errors
    /// Returns a message about the first error.
    pub(super) fn settings(&self) -> Result<Settings, String> {
        match self {
            Self::Words(words) => settings::parse(words),
            Self::Keys(keys) => {
                let settings = keys.all();
                settings::check(&settings).map(|()| settings)
            }
        }
    }

    /// Returns the bot in the syntax of `--bot`, for display.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Words(words) => words.clone(),
            Self::Keys(keys) => format!("bot={}", settings::words(&keys.all())),
        }
    }
}

impl BotKeys {
    fn all(&self) -> Settings {
        let others = self.settings.iter();
        let others = others.map(|(key, value)| (key.clone(), value.to_string()));
        let bot = ("bot".to_owned(), self.bot.clone());
        others.chain([bot]).collect()
    }
}
