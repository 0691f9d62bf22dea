//! Schemes for remote bots, provided by the program that uses the engine.

use std::fmt;
use std::path::Path;

use super::settings::Settings;
use super::spec::BotSpec;
use risk_text::diag::LoadError;

/// A kind of remote bot: the prefix of its addresses, and functions that parse them. Pass schemes
/// to [`Library::with_schemes`](crate::load::Library::with_schemes).
pub struct Scheme {
    /// The part of an address before the colon: `http`.
    pub name: &'static str,
    /// The name in messages: `HTTP`.
    pub label: &'static str,
    /// The keys of its settings, besides `name` and `bot`.
    pub keys: fn() -> Vec<&'static str>,
    /// Parses a bot from its address and settings.
    ///
    /// # Errors
    /// Returns an error if the address or a setting is not valid.
    pub parse: fn(&str, &Settings) -> Result<BotSpec, LoadError>,
    /// Resolves paths in settings against a folder.
    ///
    /// # Errors
    /// Returns an error if a setting can't be read.
    pub through_folder: fn(&Path, &mut Settings) -> Result<(), LoadError>,
}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
