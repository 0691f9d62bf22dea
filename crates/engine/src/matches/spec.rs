//! The description of a match before loading: names, paths and numbers from a command line or a
//! file.

use std::sync::Arc;

use super::{RuleSetup, Seats, Setup};
use crate::hosting::TimeControl;
use crate::load::Library;
use crate::load::bot_spec::BotSpec;
use crate::players::level_bots;
use crate::script::manifest::Level;
use crate::script::{Ruleset, ScriptLimits};
use risk_kernel::declare::{OnFault, Strikes};
use risk_kernel::id::MAX_PLAYERS;
use risk_maps::Seed;
use risk_maps::position::PositionFile;
use risk_text::diag::LoadError;
use risk_text::plural::counted;

/// The description of a match, including its ruleset, map, bots and seed. [`MatchSpec::load`] turns
/// it into a [`Setup`].
#[derive(Clone, Debug)]
pub struct MatchSpec {
    /// The ruleset: a name, or the path of a `.rhai` file.
    pub ruleset: String,
    /// The map: a name, a path, or a generated map such as `grid:5x5`; `None` for the ruleset's own
    /// map.
    pub map: Option<String>,
    /// Options of the ruleset, each at most once. All other options keep their defaults.
    pub options: Vec<(String, String)>,
    /// Defaults that replace the ruleset's own defaults for some options. Options that the ruleset
    /// lacks are ignored.
    pub usual: Vec<(&'static str, &'static str)>,
    /// The bots in the given order, in the syntax of [`BotSpec`]; `seats` decides where they sit.
    /// The ruleset's own bots fill the remaining seats.
    pub bots: Vec<String>,
    /// The strength of the bots in the remaining seats, instead of the ruleset's own bots.
    pub level: Option<Level>,
    /// The number of players, from 1 to 32. By default, this is the number of bots, or the
    /// ruleset's minimum if that is greater.
    pub players: Option<usize>,
    /// The seed of all randomness.
    pub seed: Seed,
    /// How players are seated in the games of the match. By default, seats rotate, or are fixed in
    /// an asymmetric ruleset.
    pub seats: Option<Seats>,
    /// The number of a player's faults at which the fault policy applies; 0 for never. `None` for
    /// the ruleset's own number.
    pub strikes: Option<u32>,
    /// The consequence for a player whose strikes are used up; `None` for the ruleset's own
    /// consequence.
    pub on_fault: Option<OnFault>,
    /// The limits of each call into a script.
    pub limits: ScriptLimits,
    /// The clock for each bot without a clock of its own; `None` if bots are not timed.
    pub clock: Option<TimeControl>,
    /// The position from which games begin, instead of the ruleset's set-up.
    pub position: Option<Arc<PositionFile>>,
}

impl MatchSpec {
    /// Describes a match with this ruleset on its own map, with its own bots, seed 0 and default
    /// limits.
    #[must_use]
    pub fn new(ruleset: &str) -> Self {
        Self {
            ruleset: ruleset.to_owned(),
            map: None,
            options: Vec::new(),
            usual: Vec::new(),
            bots: Vec::new(),
            level: None,
            players: None,
            seed: Seed::from(0),
            seats: None,
            strikes: None,
            on_fault: None,
            limits: ScriptLimits::default(),
            clock: None,
            position: None,
        }
    }

    /// Describes a match from a position: its ruleset, map, options, number of players and seed,
    /// and fixed seats.
    #[must_use]
    pub fn from_position(position: PositionFile) -> Self {
        let position = Arc::new(position);
        Self {
            map: position.map.clone(),
            options: position.options.clone(),
            players: Some(position.names.len()),
            seed: position.seed.clone(),
            seats: Some(Seats::Fixed),
            position: Some(Arc::clone(&position)),
            ..Self::new(&position.ruleset)
        }
    }

    /// Sets the map by name or path.
    #[must_use]
    pub fn on(mut self, map: &str) -> Self {
        self.map = Some(map.to_owned());
        self
    }

    /// Adds the value of an option.
    #[must_use]
    pub fn option(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        self.options.push((name.to_owned(), value.to_string()));
        self
    }

    /// Adds these bots to the next seats.
    #[must_use]
    pub fn bots<S: AsRef<str>>(mut self, bots: impl IntoIterator<Item = S>) -> Self {
        self.bots
            .extend(bots.into_iter().map(|bot| bot.as_ref().to_owned()));
        self
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(mut self, seed: impl Into<Seed>) -> Self {
        self.seed = seed.into();
        self
    }

    /// Sets how players are seated.
    #[must_use]
    pub fn seats(mut self, seats: Seats) -> Self {
        self.seats = Some(seats);
        self
    }

    /// Sets the limits of scripts.
    #[must_use]
    pub fn limits(mut self, limits: ScriptLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Loads the ruleset, the map and the bots, and checks that they fit together.
    ///
    /// # Errors
    /// Returns all problems with a file, an option, a bot's specification or the number of players.
    pub fn load(self, library: &Library) -> Result<Setup, LoadError> {
        let given = parsed(library, &self.bots)?;
        let rules = self.rules(library, &given)?;
        let (least, _) = rules.players()?;
        let manifest = &rules.ruleset.manifest;
        let mut free = manifest.bots.clone();
        if let Some(level) = self.level {
            // The list begins with the first seat.
            free = level_bots(manifest, level);
            let taken = given.len() % free.len();
            free.rotate_left(taken);
        }
        let bots = sit_down(library, &free, given, self.players, least)?;
        let usual = if rules.ruleset.manifest.asymmetric {
            Seats::Fixed
        } else {
            Seats::Rotate
        };
        let strikes = strikes(&rules.ruleset, self.strikes, self.on_fault);
        Ok(Setup {
            seed: self.seed,
            seats: self.seats.unwrap_or(usual),
            limits: self.limits,
            strikes,
            clock: self.clock,
            position: self.position,
            ..Setup::new(rules, bots)
        })
    }

    /// Loads the ruleset and the map alone, with the options that these bots expect.
    ///
    /// # Errors
    /// Returns the same errors as [`RuleSetup::load`].
    pub fn rules(&self, library: &Library, bots: &[BotSpec]) -> Result<RuleSetup, LoadError> {
        let usual = bots.iter().flat_map(|bot| bot.source.usual_options());
        let usual: Vec<_> = usual.chain(&self.usual).copied().collect();
        let map = self.map.as_deref();
        RuleSetup::load_for(library, &self.ruleset, map, &self.options, &usual)
    }
}

fn parsed(library: &Library, specs: &[String]) -> Result<Vec<BotSpec>, LoadError> {
    let bots = specs.iter().map(|spec| BotSpec::parse(library, spec));
    bots.collect()
}

/// Returns the given bots, followed by these bots in turn for the remaining seats.
fn sit_down(
    library: &Library,
    free: &[String],
    mut bots: Vec<BotSpec>,
    players: Option<usize>,
    least: usize,
) -> Result<Vec<BotSpec>, LoadError> {
    let count = players.unwrap_or_else(|| bots.len().max(least));
    if bots.len() > count {
        let text = format!(
            "expected at most {} for {}, found {}",
            counted(count, "bot"),
            counted(count, "player"),
            bots.len()
        );
        return LoadError::refuse("cli::players", text, "remove `--players`, or a `--bot`");
    }
    if count > MAX_PLAYERS || count == 0 {
        let text = format!("expected 1 to {MAX_PLAYERS} players, found {count}");
        return LoadError::refuse("cli::players", text, "correct `--players`");
    }
    let missing = count - bots.len();
    for spec in free.iter().cycle().take(missing) {
        bots.push(BotSpec::parse(library, spec)?);
    }
    Ok(bots)
}

/// Returns the ruleset's fault policy with the given values in place of its own, or `None` if no
/// value is given.
#[must_use]
pub fn strikes(ruleset: &Ruleset, limit: Option<u32>, then: Option<OnFault>) -> Option<Strikes> {
    if limit.is_none() && then.is_none() {
        return None;
    }
    let own = ruleset.manifest.decl.strikes;
    Some(Strikes {
        limit: limit.unwrap_or(own.limit),
        then: then.unwrap_or(own.then),
        ..own
    })
}
