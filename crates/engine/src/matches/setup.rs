//! The setup of a match: board, ruleset, options, bots, and seating.

use std::sync::Arc;

use super::RuleSetup;
use crate::hosting::TimeControl;
use crate::load::bot_spec::{self, BotSpec};
use crate::players::BotSource;
use crate::script::{Budget, RulesSource, ScriptLimits};
use risk_kernel::declare::Strikes;
use risk_kernel::rng::{GameKey, Purpose};
use risk_maps::Seed;
use risk_maps::position::PositionFile;

risk_text::named! {
    /// How players are seated in the games of a match.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Seats {
        /// In the given order in every game.
        Fixed = "fixed",
        /// Shifted by one seat in every game. After as many games as players, each player has had
        /// every seat.
        Rotate = "rotate",
        /// Drawn from the seed for every game.
        Shuffle = "shuffle",
    }
}

/// Everything that a match consists of.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The ruleset with its options on a map.
    pub rules: RuleSetup,
    /// The players in the given order; `seats` decides where they sit.
    pub bots: Vec<BotSpec>,
    /// The seed of all dice, cards and random choices in all games.
    pub seed: Seed,
    /// The salt of the commitment, see [`Seed::commitment`]; `None` if no commitment is published.
    pub salt: Option<Seed>,
    /// How the players are seated.
    pub seats: Seats,
    /// The limits of each call into a script.
    pub limits: ScriptLimits,
    /// A fault policy that replaces the ruleset's own policy.
    pub strikes: Option<Strikes>,
    /// The clock for each bot without a clock of its own. With a clock, results depend on the
    /// machine and on when the games are played.
    pub clock: Option<TimeControl>,
    /// The position from which games begin, instead of the ruleset's set-up.
    pub position: Option<Arc<PositionFile>>,
}

impl Setup {
    /// Creates a match of these bots with seed 0, default limits, the ruleset's own fault policy
    /// and rotating seats. Adds numbers to bots with the same name.
    #[must_use]
    pub fn new(rules: RuleSetup, mut bots: Vec<BotSpec>) -> Self {
        bot_spec::make_unique(&mut bots);
        Self {
            rules,
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

    /// Returns the same match with other bots.
    #[must_use]
    pub fn with_bots(&self, bots: impl IntoIterator<Item = BotSpec>) -> Self {
        Self {
            bots: bots.into_iter().collect(),
            ..self.clone()
        }
    }

    /// Returns the commitment to the seed, if the match has a salt.
    #[must_use]
    pub fn commitment(&self) -> Option<String> {
        self.salt.as_ref().map(|salt| self.seed.commitment(salt))
    }

    /// Returns the key of the game with this number. The game's random streams derive from the key.
    #[must_use]
    pub fn key(&self, number: u64) -> GameKey {
        self.seed.key(number)
    }

    /// Returns the names of the players, in their order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.bots.iter().map(|bot| bot.name.clone()).collect()
    }

    /// Returns the clock that applies to a player.
    #[must_use]
    pub fn clock_of(&self, player: usize) -> Option<TimeControl> {
        self.bots[player].clock.or(self.clock)
    }

    /// Returns the reason why repeating the games may produce other results, or `None` if the
    /// results are always the same. The reason is a sentence without its full stop.
    #[must_use]
    pub fn why_not_reproducible(&self) -> Option<&'static str> {
        let remote = |spec: &BotSpec| spec.source.is_elsewhere();
        if self.is_timed() {
            return Some("bots have clocks, which may run differently next time");
        }
        let has_remote = self.bots.iter().any(remote);
        has_remote.then_some("bots outside this program may answer differently next time")
    }

    /// Reports whether a player has a clock. If so, repeating the games may produce other results.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        (0..self.bots.len()).any(|player| self.clock_of(player).is_some())
    }

    /// Returns the player in each seat of a game.
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

    /// Returns the rules for bots that imagine games with this number of players.
    #[must_use]
    pub fn rules_source(&self, players: usize) -> RulesSource {
        self.rules.rules_source(players, &self.limits)
    }

    /// Returns the command that plays a game of the match again, without arguments that have
    /// default values.
    #[must_use]
    pub fn command(&self, number: u64) -> String {
        let mut words = self.what_is_played();
        words.extend(["--seed".to_owned(), self.seed.to_string()]);
        if number > 0 {
            let seats = self.seats.as_str();
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
                .flat_map(|spec| ["--bot".to_owned(), shell_quoted(&spec.bot)]),
        );
        words.join(" ")
    }

    /// Returns the part of the command that names the ruleset, the map and the options.
    fn what_is_played(&self) -> Vec<String> {
        if let Some(position) = &self.position {
            return ["risk-cli", "play", "--from", &position.file.name]
                .map(shell_quoted)
                .to_vec();
        }
        let mut words = ["risk-cli", "play", "--ruleset", &self.rules.ruleset_spec]
            .map(shell_quoted)
            .to_vec();
        words.extend(["--map".to_owned(), shell_quoted(&self.rules.map_spec)]);
        let preset = self.rules.options.get_key_value("preset");
        let preset: Vec<_> = preset.into_iter().collect();
        let given: Vec<_> = preset
            .iter()
            .map(|(name, value)| ((*name).clone(), value.to_string()))
            .collect();
        let without = |name: &str| name != "preset";
        let known = self.rules.ruleset.options(&given).unwrap_or_default();
        let differ = self
            .rules
            .options
            .iter()
            .filter(|(name, value)| without(name) && known.get(*name) != Some(value));
        for (name, value) in preset.into_iter().chain(differ) {
            words.extend([
                "--option".to_owned(),
                shell_quoted(&format!("{name}={value}")),
            ]);
        }
        words
    }
}

/// Quotes a word for a shell, if it needs quotes.
pub fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
