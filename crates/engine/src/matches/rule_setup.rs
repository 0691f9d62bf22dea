//! A ruleset with its options on a map, before there are any players.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::load::{self, Library};
use crate::script::manifest::OptionValue;
use crate::script::{BoundRuleset, RulesSource, Ruleset, ScriptLimits};
use risk_kernel::board::Board;
use risk_maps::files;
use risk_maps::lint::Levels;
use risk_text::diag::LoadError;
use risk_text::plural::range;

/// A ruleset, its options and a map, and the texts by which they were given.
#[derive(Clone, Debug)]
pub struct RuleSetup {
    /// The library in which names are looked up.
    pub library: Library,
    /// The ruleset, compiled and checked.
    pub ruleset: Ruleset,
    /// The ruleset as given: a name, or the path of a `.rhai` file.
    pub ruleset_spec: String,
    /// The map, checked.
    pub board: Arc<Board>,
    /// The map as given: a name, a path, or a generated one such as `grid:5x5`.
    pub map_spec: String,
    /// The values of all options.
    pub options: BTreeMap<String, OptionValue>,
    /// The options that were not given, and that have the value that bots expect instead of the
    /// ruleset's default.
    pub assumed: Vec<(&'static str, &'static str)>,
}

impl RuleSetup {
    /// Loads a ruleset by name or path, and a map. Without a map, loads the ruleset's own map.
    /// Options that are not given have their defaults.
    ///
    /// # Errors
    /// Returns an error if a file can't be used, or if an option or its value is not valid.
    pub fn load(
        library: &Library,
        ruleset_spec: &str,
        map: Option<&str>,
        options: &[(String, String)],
    ) -> Result<Self, LoadError> {
        Self::load_for(library, ruleset_spec, map, options, &[])
    }

    /// Loads like [`RuleSetup::load`], but with other defaults for some options. Such a default is
    /// ignored if the ruleset lacks the option or a given preset sets it.
    pub(super) fn load_for(
        library: &Library,
        ruleset_spec: &str,
        map: Option<&str>,
        options: &[(String, String)],
        usual: &[(&'static str, &'static str)],
    ) -> Result<Self, LoadError> {
        let ruleset = load::ruleset(library, ruleset_spec)?;
        let assumed = assumed(&ruleset, options, usual);
        let more = assumed
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()));
        let options: Vec<_> = options.iter().cloned().chain(more).collect();
        let options = ruleset.options(&options).map_err(|text| {
            let help = format!("`risk-cli ruleset show {ruleset_spec}` lists the options");
            LoadError::new("cli::option", text, help)
        })?;
        let mut map_spec = map.map_or_else(|| load::own_map(&ruleset), str::to_owned);
        // A grid without a neighbourhood uses the ruleset's option of that name.
        if let Some(rest) = map_spec.strip_prefix("grid:")
            && let Some(neighbours) = options.get("neighbourhood")
            && !rest.contains([':', ','])
        {
            map_spec = format!("{map_spec}:{neighbours}");
        }
        Ok(Self {
            library: library.clone(),
            board: risk_maps::load(library, &map_spec, &Levels::default()).map_err(|error| {
                match map {
                    Some(_) => error,
                    None => load::at_key(ruleset.scripts(), "map", error),
                }
            })?,
            ruleset,
            ruleset_spec: ruleset_spec.to_owned(),
            map_spec,
            options,
            assumed,
        })
    }

    /// Returns the values of all options as text, by name.
    pub fn option_texts(&self) -> impl Iterator<Item = (String, String)> {
        let options = self.options.iter();
        options.map(|(name, value)| (name.clone(), value.to_string()))
    }

    /// Returns the minimum and the maximum number of players under the options.
    ///
    /// # Errors
    /// Returns an error if the ruleset's declaration is not valid.
    pub fn players(&self) -> Result<(usize, usize), LoadError> {
        self.ruleset.players(&self.options).map_err(LoadError::from)
    }

    /// Returns the ruleset's name for people: the given name, or the name in a file's script. It
    /// contains no path, because pages and lists are sent to others.
    #[must_use]
    pub fn ruleset_name(&self) -> &str {
        match files::is_path(&self.ruleset_spec) {
            true => &self.ruleset.manifest.decl.name,
            false => &self.ruleset_spec,
        }
    }

    /// Returns the map's name for people: the given name, or the name in a file.
    #[must_use]
    pub fn map_name(&self) -> &str {
        match files::is_path(&self.map_spec) {
            true => self.board.name(),
            false => &self.map_spec,
        }
    }

    /// Returns the ruleset and the map for titles, without paths.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{} on {}", self.ruleset_name(), self.map_name())
    }

    /// Returns the numbers of players that the options allow, as text: `3 to 6`, or `2`.
    ///
    /// # Errors
    /// Returns an error if the ruleset's declaration is not valid.
    pub fn players_range(&self) -> Result<String, LoadError> {
        let (least, most) = self.players()?;
        Ok(range(least, most))
    }

    /// Returns the rules for bots that imagine games with this number of players.
    #[must_use]
    pub fn rules_source(&self, players: usize, limits: &ScriptLimits) -> RulesSource {
        self.ruleset
            .rules_source(&self.board, &self.options, players, limits)
    }

    /// Binds the ruleset for this number of players. Returns its declaration, and its rules for
    /// this thread.
    ///
    /// # Errors
    /// Returns all problems with the ruleset under this map and these options.
    pub fn bind(&self, players: usize, limits: &ScriptLimits) -> Result<BoundRuleset, LoadError> {
        self.ruleset
            .bind(&self.board, &self.options, players, limits)
            .map_err(LoadError::from)
    }
}

fn assumed(
    ruleset: &Ruleset,
    given: &[(String, String)],
    usual: &[(&'static str, &'static str)],
) -> Vec<(&'static str, &'static str)> {
    let manifest = &ruleset.manifest;
    let preset = given.iter().find(|(name, _)| name == "preset");
    let preset = preset.and_then(|(_, preset)| manifest.presets.get(preset));
    let is_given = |name: &str| {
        given.iter().any(|(it, _)| it == name)
            || preset.is_some_and(|values| values.contains_key(name))
    };
    let mut found: Vec<(&'static str, &'static str)> = Vec::new();
    for &(name, value) in usual {
        let is_known = found.iter().any(|(it, _)| *it == name);
        if manifest.options.contains_key(name) && !is_given(name) && !is_known {
            found.push((name, value));
        }
    }
    found
}
