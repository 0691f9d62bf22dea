//! What a match is: board, ruleset, options, bots, and who sits where in each game.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::RuleSetup;
use crate::load::Library;
use crate::load::bot_spec::{self, BotSpec};
use crate::load::diag::LoadError;
use crate::load::position::PositionFile;
use crate::matches::TimeControl;
use crate::players::BotSource;
use crate::script::{Budget, OptionValue, RulesSource, Ruleset, ScriptLimits};
use crate::seed::Seed;
use risk_kernel::board::Board;
use risk_kernel::declare::Strikes;
use risk_kernel::rng::{GameKey, Purpose};

/// How players are seated in the games of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seats {
    /// As given, in every game.
    Fixed,
    /// One seat further in every game, so that after as many games as players all sat everywhere.
    Rotate,
    /// Drawn from the seed for every game.
    Shuffle,
}

/// Everything that a match is made of.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Where names of bots are looked up.
    pub library: Library,
    /// The ruleset, compiled and checked.
    pub ruleset: Ruleset,
    /// The ruleset as it was given: a name or a path.
    pub ruleset_spec: String,
    /// The map, checked to be one that the ruleset can be played on.
    pub board: Arc<Board>,
    /// The map as it was given: a name, a path, or words such as `grid:5x5`.
    pub map_spec: String,
    /// The values of all options.
    pub options: BTreeMap<String, OptionValue>,
    /// As of [`RuleSetup::assumed`].
    pub assumed: Vec<(&'static str, &'static str)>,
    /// Who plays, in the order given; `seats` says who sits where.
    pub bots: Vec<BotSpec>,
    /// What all dice, cards and random choices of all games come from.
    pub seed: Seed,
    /// The salt of the commitment, see [`Seed::commitment`]; none in a match that publishes no
    /// commitment.
    pub salt: Option<Seed>,
    /// Where the players sit.
    pub seats: Seats,
    /// What each call into a script may use.
    pub limits: ScriptLimits,
    /// Another fault policy than the ruleset's.
    pub strikes: Option<Strikes>,
    /// The clock of each bot that has none of its own. Results are of this machine and moment then.
    pub clock: Option<TimeControl>,
    /// The position that games begin from, instead of the ruleset's set-up.
    pub position: Option<Arc<PositionFile>>,
}

impl Setup {
    /// A match of these bots under seed 0, with usual limits and the ruleset's own fault policy;
    /// seats rotate. Bots of the same name get numbers.
    #[must_use]
    pub fn new(rules: RuleSetup, mut bots: Vec<BotSpec>) -> Self {
        bot_spec::tell_apart(&mut bots);
        Self {
            library: rules.library,
            ruleset: rules.ruleset,
            ruleset_spec: rules.ruleset_spec,
            board: rules.board,
            map_spec: rules.map_spec,
            options: rules.options,
            assumed: rules.assumed,
            bots,
            seed: Seed::from(0),
            salt: None,
            seats: Seats::Rotate,
            limits: ScriptLimits::default(),
            strikes: None,
            clock: None,
            position: None,
        }
    }

    /// The commitment to the seed, in a match that has a salt.
    #[must_use]
    pub fn commitment(&self) -> Option<String> {
        self.salt.as_ref().map(|salt| self.seed.commitment(salt))
    }

    /// The key of the game with this number: its random streams come from it.
    #[must_use]
    pub fn key(&self, number: u64) -> GameKey {
        self.seed.key(number)
    }

    /// The names of the players, in their order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.bots.iter().map(|bot| bot.name.clone()).collect()
    }

    /// The clock that a player is held to.
    #[must_use]
    pub fn clock_of(&self, player: usize) -> Option<TimeControl> {
        self.bots[player].clock.or(self.clock)
    }

    /// Why the same games may not come out another time, if so: a sentence without its full stop.
    #[must_use]
    pub fn why_not_reproducible(&self) -> Option<&'static str> {
        let remote = |spec: &BotSpec| spec.source.is_elsewhere();
        if self.is_timed() {
            return Some("bots have clocks, which run differently another time");
        }
        let has_remote = self.bots.iter().any(remote);
        has_remote.then_some("bots outside this program may answer differently another time")
    }

    /// Is a player held to a clock? The same games may come out otherwise another time.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        (0..self.bots.len()).any(|player| self.clock_of(player).is_some())
    }

    /// How many may play under the options, in words: `3 to 6`, or `2`.
    ///
    /// # Errors
    /// What is wrong with the ruleset's declaration.
    pub fn players_range(&self) -> Result<String, LoadError> {
        let (least, most) = self.ruleset.players(&self.options)?;
        Ok(if least == most {
            least.to_string()
        } else {
            format!("{least} to {most}")
        })
    }

    /// Which player sits on each seat of a game.
    #[must_use]
    pub fn seating(&self, number: u64) -> Vec<usize> {
        let count = self.bots.len();
        let mut seats: Vec<usize> = (0..count).collect();
        match self.seats {
            Seats::Fixed => {}
            Seats::Rotate => seats.rotate_left((number % count.max(1) as u64) as usize),
            Seats::Shuffle => self.key(number).stream(Purpose::Seats).shuffle(&mut seats),
        }
        seats
    }

    /// The rules for bots that imagine games of so many players.
    #[must_use]
    pub fn rules_source(&self, players: usize) -> RulesSource {
        self.ruleset
            .rules_source(&self.board, &self.options, players, &self.limits)
    }

    /// The command that plays a game of the match again. Only what differs from what holds
    /// anyway is said.
    #[must_use]
    pub fn command(&self, number: u64) -> String {
        let mut words = self.what_is_played();
        words.extend(["--seed".to_owned(), self.seed.to_string()]);
        if number > 0 {
            let seats = match self.seats {
                Seats::Fixed => "fixed",
                Seats::Rotate => "rotate",
                Seats::Shuffle => "shuffle",
            };
            words.extend(["--first", &number.to_string(), "--seats", seats].map(str::to_owned));
        } else if self.seats == Seats::Shuffle {
            words.extend(["--seats", "shuffle"].map(str::to_owned));
        }
        if let Some(strikes) = self.strikes {
            let then = strikes.then.as_str();
            words.extend(
                ["--strikes", &strikes.limit.to_string(), "--on-fault", then].map(str::to_owned),
            );
        }
        if self.limits.budget != Budget::default() {
            words.extend(["--budget".to_owned(), self.limits.budget.0.to_string()]);
        }
        if let Some(clock) = self.clock {
            words.extend(["--clock".to_owned(), clock.to_string()]);
        }
        if self
            .bots
            .iter()
            .any(|spec| matches!(&spec.source, BotSource::Made(bot) if bot.script().is_some()))
        {
            words.push("--isolate".to_owned());
        }
        words.extend(
            self.bots
                .iter()
                .flat_map(|spec| ["--bot".to_owned(), quoted(&spec.bot)]),
        );
        words.join(" ")
    }

    /// The words of a command that say what is played.
    fn what_is_played(&self) -> Vec<String> {
        if let Some(position) = &self.position {
            return ["risk-cli", "play", "--from", &position.file.name]
                .map(quoted)
                .to_vec();
        }
        let mut words = ["risk-cli", "play", "--ruleset", &self.ruleset_spec]
            .map(quoted)
            .to_vec();
        words.extend(["--map".to_owned(), quoted(&self.map_spec)]);
        let preset: Vec<_> = self.options.get_key_value("preset").into_iter().collect();
        let given: Vec<_> = preset
            .iter()
            .map(|(name, value)| ((*name).clone(), value.to_string()))
            .collect();
        let without = |name: &str| name != "preset";
        let known = self.ruleset.options(&given).unwrap_or_default();
        let differ = self
            .options
            .iter()
            .filter(|(name, value)| without(name) && known.get(*name) != Some(value));
        for (name, value) in preset.into_iter().chain(differ) {
            words.extend(["--option".to_owned(), quoted(&format!("{name}={value}"))]);
        }
        words
    }
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
