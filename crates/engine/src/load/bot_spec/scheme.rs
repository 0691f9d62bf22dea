//! Bots that are reached by an address, as a program around the engine offers them.

use std::fmt;
use std::path::Path;

use super::settings::Settings;
use super::spec::BotSpec;
use crate::load::diag::LoadError;

/// A kind of bots outside the program: what their addresses begin with, and how they are read.
/// [`Library::with_schemes`](crate::load::Library::with_schemes) takes a table of them.
pub struct Scheme {
    /// What an address begins with, up to the colon: `http`.
    pub name: &'static str,
    /// What it is called in sentences: `HTTP`.
    pub label: &'static str,
    /// The keys of its settings, beside `name` and `bot`.
    pub keys: fn() -> Vec<&'static str>,
    /// Reads a bot of this kind: its address, and the settings with it.
    ///
    /// # Errors
    /// What is wrong with the address or with a setting.
    pub parse: fn(&str, &Settings) -> Result<BotSpec, LoadError>,
    /// Makes paths in settings lead through a folder.
    ///
    /// # Errors
    /// When a setting can't be read.
    pub through_folder: fn(&Path, &mut Settings) -> Result<(), LoadError>,
}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
