//! A match in words: names, paths and numbers, as a command line or a file gives them, before
//! anything is loaded.

use super::{RuleSetup, Seats, Setup};
use crate::load::Library;
use crate::load::bot_spec::BotSpec;
use crate::load::diag::{Finding, LoadError};
use crate::matches::TimeControl;
use crate::script::{Ruleset, ScriptLimits};
use crate::seed::Seed;
use risk_kernel::declare::{OnFault, Strikes};
use risk_kernel::id::MAX_PLAYERS;
use risk_text::plural::counted;

/// What is played, by whom, and under which seed. [`MatchSpec::load`] turns it into a [`Setup`].
#[derive(Clone, Debug)]
pub struct MatchSpec {
    /// The ruleset: a name, or the path of a `.rhai` file.
    pub ruleset: String,
    /// The map: a name, a path, or a generated one such as `grid:5x5`; the ruleset's own when
    /// none is given.
    pub map: Option<String>,
    /// Options of the ruleset, each at most once; the others keep their defaults.
    pub options: Vec<(String, String)>,
    /// Other defaults of some options than the ruleset's own, as far as it has them.
    pub usual: Vec<(&'static str, &'static str)>,
    /// The bots in the order given, in the grammar of [`BotSpec`]; `seats` says who sits where. The
    /// ruleset's own bots take the places that are left.
    pub bots: Vec<String>,
    /// How many play, from 1 to 32; as many as there are bots when none is given, and at least as
    /// many as the ruleset needs.
    pub players: Option<usize>,
    /// The seed of everything random.
    pub seed: Seed,
    /// Who sits where in the games of the match. When nobody says, seats rotate, unless they
    /// are different roles.
    pub seats: Option<Seats>,
    /// At which fault of a player the fault policy applies, 0 for never; the ruleset's own number
    /// when none is given.
    pub strikes: Option<u32>,
    /// What happens to a player whose strikes are used up; what the ruleset says when
    /// none is given.
    pub on_fault: Option<OnFault>,
    /// What each call into a script may use.
    pub limits: ScriptLimits,
    /// The clock of each bot that has none of its own; nobody is timed when none is given.
    pub clock: Option<TimeControl>,
}

impl MatchSpec {
    /// A match with this ruleset on its own map, with its own bots, seed 0 and usual limits.
    #[must_use]
    pub fn new(ruleset: &str) -> Self {
        Self {
            ruleset: ruleset.to_owned(),
            map: None,
            options: Vec::new(),
            usual: Vec::new(),
            bots: Vec::new(),
            players: None,
            seed: Seed::from(0),
            seats: None,
            strikes: None,
            on_fault: None,
            limits: ScriptLimits::default(),
            clock: None,
        }
    }

    /// The same match on another map.
    #[must_use]
    pub fn on(mut self, map: &str) -> Self {
        self.map = Some(map.to_owned());
        self
    }

    /// The same match with one more option set.
    #[must_use]
    pub fn option(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        self.options.push((name.to_owned(), value.to_string()));
        self
    }

    /// The same match with these bots as well, on the next seats.
    #[must_use]
    pub fn bots<S: AsRef<str>>(mut self, bots: impl IntoIterator<Item = S>) -> Self {
        self.bots
            .extend(bots.into_iter().map(|bot| bot.as_ref().to_owned()));
        self
    }

    /// The same match under another seed.
    #[must_use]
    pub fn seed(mut self, seed: impl Into<Seed>) -> Self {
        self.seed = seed.into();
        self
    }

    /// The same match with seats given otherwise.
    #[must_use]
    pub fn seats(mut self, seats: Seats) -> Self {
        self.seats = Some(seats);
        self
    }

    /// The same match with other limits for scripts.
    #[must_use]
    pub fn limits(mut self, limits: ScriptLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Loads the ruleset, the map and the bots, and holds them against each other.
    ///
    /// # Errors
    /// Everything that is wrong with one of the files, an option or a bot's specification, or with
    /// the number of players.
    pub fn load(self, library: &Library) -> Result<Setup, LoadError> {
        let given = parsed(library, &self.bots)?;
        let usual = given.iter().flat_map(|bot| bot.source.usual_options());
        let usual: Vec<_> = usual.chain(&self.usual).copied().collect();
        let map = self.map.as_deref();
        let rules = RuleSetup::load_for(library, &self.ruleset, map, &self.options, &usual)?;
        let (least, _) = rules.players()?;
        let bots = sit_down(library, &rules.ruleset, given, self.players, least)?;
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
            ..Setup::new(rules, bots)
        })
    }
}

fn wrong(code: &str, text: impl Into<String>, help: impl Into<String>) -> LoadError {
    LoadError::one(Finding::error(code, text).help(help))
}

fn parsed(library: &Library, specs: &[String]) -> Result<Vec<BotSpec>, LoadError> {
    let bots = specs.iter().map(|spec| BotSpec::parse(library, spec));
    bots.collect()
}

/// The bots that are given, and those that the ruleset names on the seats behind them.
fn sit_down(
    library: &Library,
    ruleset: &Ruleset,
    mut bots: Vec<BotSpec>,
    players: Option<usize>,
    least: usize,
) -> Result<Vec<BotSpec>, LoadError> {
    let count = players.unwrap_or_else(|| bots.len().max(least));
    if bots.len() > count {
        let text = format!(
            "{} bots are given for {}",
            bots.len(),
            counted(count, "player")
        );
        return Err(wrong(
            "cli::players",
            text,
            "leave out --players, or a --bot",
        ));
    }
    if count > MAX_PLAYERS || count == 0 {
        let text = format!("{count} players can't play");
        return Err(wrong("cli::players", text, "a game has 1 to 32 players"));
    }
    let missing = count - bots.len();
    for spec in ruleset.manifest.bots.iter().cycle().take(missing) {
        bots.push(BotSpec::parse(library, spec)?);
    }
    Ok(bots)
}

/// The ruleset's fault policy with what is given laid over it; none where nothing is given.
#[must_use]
pub fn strikes(ruleset: &Ruleset, limit: Option<u32>, then: Option<OnFault>) -> Option<Strikes> {
    if limit.is_none() && then.is_none() {
        return None;
    }
    let own = ruleset.manifest.strikes.unwrap_or(Strikes {
        limit: 3,
        per_decision: false,
        then: OnFault::Skip,
    });
    Some(Strikes {
        limit: limit.unwrap_or(own.limit),
        then: then.unwrap_or(own.then),
        ..own
    })
}
