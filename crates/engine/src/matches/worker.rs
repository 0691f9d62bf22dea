//! A worker contains the rules and bots of one thread, and uses them for all of its games.

use std::sync::Arc;

use crate::hosting::{Aside, HostedBot, HostedBots, HostedSeats};
use crate::hosting::{BotTime, Clock, TimedBot};
use crate::load::bot_spec::BotSpec;
use crate::matches::opening::Opening;
use crate::matches::setup::Setup;
use crate::matches::{GameResult, MatchFault};
use crate::script::{RulesSource, ScriptRules};
use risk_bots::fight_odds::{FightOdds, RulesWithOdds as _};
use risk_kernel::declare::{Declaration, OnFault};
use risk_kernel::fault::RuleResult;
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;
use risk_kernel::stepper::{MixedGame, Stepper, StepperSettings};
use risk_kernel::{FinishedGame, Limits, Sink, StopReason, play, play_on};
use risk_text::diag::{Finding, LoadError};

/// The rules and bots of one thread, which are used for all of its games.
pub struct Worker<'a> {
    setup: &'a Setup,
    players: usize,
    decl: Arc<Declaration>,
    rules: ScriptRules,
    /// The rules for bots that imagine games.
    source: RulesSource,
    /// The limits of a game.
    pub limits: Limits,
    /// The bots by player. They are moved to the seats for the duration of a game.
    bots: Vec<Option<Box<dyn HostedBot>>>,
    /// The clocks by player; empty until players are timed.
    clocks: Vec<Clock>,
    opening: Opening,
    /// Whether [`Worker::take_asides`] collects the output of remote bots apart from their answers.
    pub keeps_asides: bool,
    asides: Vec<(usize, Aside)>,
}

impl<'a> Worker<'a> {
    /// Compiles the ruleset and all script bots for this thread.
    ///
    /// # Errors
    /// Returns all problems with the scripts.
    pub fn new(setup: &'a Setup) -> Result<Self, LoadError> {
        Self::for_players(setup, setup.bots.len())
    }

    /// Compiles the scripts like [`Worker::new`], for games with this number of players. The number
    /// may differ from the number of bots in the match if you pass a seating to [`Worker::result`].
    ///
    /// # Errors
    /// Returns all problems with the scripts.
    pub fn for_players(setup: &'a Setup, players: usize) -> Result<Self, LoadError> {
        let bound = setup.rules.bind(players, &setup.limits);
        let is_count = |fault: &Finding| fault.code == "ruleset::players";
        if let (Err(failure), Some(position)) = (&bound, &setup.position)
            && failure.findings.iter().any(is_count)
        {
            position.check_territories(&setup.rules.board)?;
        }
        let mut bound = bound?;
        if let Some(strikes) = setup.strikes {
            if strikes.then == OnFault::Hook && !bound.rules.has_fault_hook() {
                let text = format!(
                    "missing function `on_fault_out(g, who)` in the ruleset {}",
                    bound.decl.name
                );
                return LoadError::refuse(
                    "ruleset::missing-hook",
                    text,
                    "declare the function, or choose another policy with `--on-fault`",
                );
            }
            Arc::make_mut(&mut bound.decl).strikes = strikes;
        }
        let opening = Opening::new(setup, &bound.decl, players)?;
        let fight = bound.rules.fight();
        let source = setup.rules_source(players);
        let mut bots = Vec::new();
        let mut findings = Vec::new();
        for spec in &setup.bots {
            match spec.source.build(&bound.decl, fight.clone(), &source) {
                Ok(bot) => bots.push(bot),
                Err(error) => {
                    for finding in LoadError::from(error).findings {
                        if !findings.contains(&finding) {
                            findings.push(finding);
                        }
                    }
                }
            }
        }
        if findings.is_empty() {
            let (bots, clocks) = held_to_time(setup, bots);
            Ok(Self {
                setup,
                players,
                decl: bound.decl,
                rules: bound.rules,
                source,
                limits: Limits::default(),
                bots,
                clocks,
                opening,
                keeps_asides: false,
                asides: Vec::new(),
            })
        } else {
            Err(LoadError { findings })
        }
    }

    /// Returns the match.
    #[must_use]
    pub const fn setup(&self) -> &'a Setup {
        self.setup
    }

    /// Times the players for whom `runs` returns true, starting with the next game. Their clocks
    /// begin at 0.
    pub fn time(&mut self, runs: impl Fn(usize) -> bool) {
        if self.clocks.is_empty() {
            for bot in &mut self.bots {
                let clock = Clock::default();
                *bot = bot.take().map(|bot| -> Box<dyn HostedBot> {
                    Box::new(TimedBot::new(bot, clock.clone(), None))
                });
                self.clocks.push(clock);
            }
        }
        for (player, clock) in self.clocks.iter().enumerate() {
            clock.set(runs(player));
        }
    }

    /// Returns the times of all timed players.
    pub fn times(&self) -> impl Iterator<Item = (usize, BotTime)> {
        let times = self.clocks.iter().enumerate();
        times.filter_map(|(player, clock)| Some((player, clock.read()?)))
    }

    /// Returns the output of remote bots apart from their answers in the last game, by player. Bots
    /// without such output are omitted.
    pub fn take_asides(&mut self) -> Vec<(usize, Aside)> {
        std::mem::take(&mut self.asides)
    }

    /// Returns the number of players in each game.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// Returns the ruleset's declaration.
    #[must_use]
    pub fn decl(&self) -> &Arc<Declaration> {
        &self.decl
    }

    /// Returns the ruleset's hooks, compiled for this thread.
    #[must_use]
    pub const fn rules(&self) -> &ScriptRules {
        &self.rules
    }

    /// Returns the rules as a mutable reference, for calls such as [`Stepper::apply`].
    pub const fn rules_mut(&mut self) -> &mut ScriptRules {
        &mut self.rules
    }

    /// Returns the chances of fights under this ruleset.
    #[must_use]
    pub fn chances(&self) -> FightOdds {
        self.source.chances(self.rules.fight())
    }

    /// Creates a bot for this match from its specification, for example as an opponent in
    /// [`Worker::play_with`].
    ///
    /// # Errors
    /// Returns an error if no such bot exists, or if it can't play this ruleset.
    pub fn bot(&self, spec: &str) -> Result<Box<dyn HostedBot>, LoadError> {
        let spec = BotSpec::parse(&self.setup.rules.library, spec)?;
        let built = spec
            .source
            .build(&self.decl, self.rules.fight(), &self.source);
        built.map_err(LoadError::from)
    }

    /// Creates a new bot for one of the match's players.
    ///
    /// # Errors
    /// Returns all problems with the bot.
    pub fn bot_of(&self, player: usize) -> Result<Box<dyn HostedBot>, LoadError> {
        let bot = &self.setup.bots[player].source;
        let built = bot.build(&self.decl, self.rules.fight(), &self.source);
        built.map_err(LoadError::from)
    }

    /// Returns the game with this number for the caller to drive. The game has as many players as
    /// the match has bots, but asks none of these bots. Pass the result of [`Worker::rules_mut`] to
    /// [`Stepper::apply`].
    ///
    /// # Errors
    /// Returns an error if the ruleset fails.
    pub fn stepper(&mut self, number: u64, settings: StepperSettings) -> RuleResult<Stepper> {
        self.rules.begin_game();
        let game = self.opening.game(self.setup.key(number));
        Stepper::new(game, &mut self.rules, settings)
    }

    /// Returns the game with this number. These bots play in it, and the caller drives the other
    /// seats. `bots` has one entry for each player, and there are as many players as bots in the
    /// match.
    ///
    /// ```
    /// use risk_engine::{MatchSpec, StepperSettings, Worker};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let setup = MatchSpec::new("codelab")
    ///     .option("max_turns", 20)
    ///     .load(risk_cli::library())?;
    /// let mut worker = Worker::new(&setup)?;
    /// let bots = vec![None, Some(worker.bot("outnumber")?)];
    /// let mut game = worker.mixed_game(0, bots, StepperSettings::default())?;
    /// while let Some(decision) = game.decisions().first() {
    ///     let (player, action) = (decision.player, decision.options.nth(0));
    ///     assert_eq!(player.index(), 0);
    ///     game.apply(worker.rules_mut(), player, action)?;
    /// }
    /// assert!(game.outcome().is_some());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns an error if the ruleset fails.
    ///
    /// # Panics
    /// Panics if the number of entries is not the number of players.
    pub fn mixed_game(
        &mut self,
        number: u64,
        bots: Vec<Option<Box<dyn HostedBot>>>,
        settings: StepperSettings,
    ) -> RuleResult<MixedGame<HostedSeats>> {
        self.rules.begin_game();
        let key = self.setup.key(number);
        let game = self.opening.game(key);
        let bots = HostedSeats::new(bots, &self.setup.names());
        MixedGame::new(game, key, &mut self.rules, bots, settings)
    }

    /// Returns the board of the game with this number before its set-up.
    #[must_use]
    pub fn empty_board(&self, number: u64) -> GameState {
        self.opening.empty_board(self.setup.key(number))
    }

    /// Returns the position from which the game with this number begins, if there is one: see
    /// [`Opening::game`].
    #[must_use]
    pub fn position(&self, number: u64) -> Option<GameState> {
        let begins = || self.opening.game(self.setup.key(number));
        self.opening.is_position().then(begins)
    }

    /// Plays the game with this number.
    pub fn play(&mut self, number: u64, sink: &mut dyn Sink) -> FinishedGame {
        let seating = self.setup.seating(number);
        self.play_seated(number, &seating, sink)
    }

    /// Plays the game with this number. `seating` contains the match's bots, by seat.
    ///
    /// # Panics
    /// Panics if a bot has two seats, or if the number of seats is not the number of players.
    pub fn play_seated(
        &mut self,
        number: u64,
        seating: &[usize],
        sink: &mut dyn Sink,
    ) -> FinishedGame {
        let mut seated: Vec<Box<dyn HostedBot>> = seating
            .iter()
            .map(|&player| self.bots[player].take().expect("each player has one seat"))
            .collect();
        let finished = self.run(number, seating, &mut seated, sink);
        if self.keeps_asides {
            let bots = seating.iter().zip(&mut seated);
            let said = bots.filter_map(|(&player, bot)| Some((player, bot.take_aside()?)));
            self.asides = said.collect();
        }
        for (&player, bot) in seating.iter().zip(seated) {
            self.bots[player] = Some(bot);
        }
        finished
    }

    /// Plays a game like [`Worker::play_seated`], and returns its result.
    ///
    /// # Errors
    /// Returns an error if the ruleset fails.
    ///
    /// # Panics
    /// Panics in the same cases as [`Worker::play_seated`].
    pub fn result(
        &mut self,
        number: u64,
        seating: &[usize],
        sink: &mut dyn Sink,
    ) -> Result<GameResult, MatchFault> {
        let finished = self.play_seated(number, seating, sink);
        self.result_of(number, seating, finished)
    }

    /// Returns the result of the last game. `seating` contains the match's bots by seat in that
    /// game.
    ///
    /// # Errors
    /// Returns an error if the ruleset failed.
    pub fn result_of(
        &self,
        number: u64,
        seating: &[usize],
        finished: FinishedGame,
    ) -> Result<GameResult, MatchFault> {
        let used = |&player: &usize| self.bots[player].as_ref()?.operations().cloned();
        let operations = seating.iter().map(used).collect();
        match finished.outcome {
            Ok(outcome) => Ok(GameResult::new(
                number,
                &finished.game,
                &outcome,
                operations,
            )),
            Err(StopReason::Rules(fault)) => Err(MatchFault::Rules(number, fault)),
            Err(StopReason::Halted) => Err(self.gone()),
        }
    }

    fn gone(&self) -> MatchFault {
        let bots = self.setup.bots.iter().zip(&self.bots);
        let mut gone = bots.filter_map(|(spec, bot)| Some((spec, bot.as_ref()?.gone()?)));
        let (name, why) = gone
            .next()
            .map_or(("a bot", "the bot stopped the game"), |(spec, why)| {
                (spec.name.as_str(), why)
            });
        MatchFault::Gone(name.to_owned(), why.to_owned())
    }

    /// Plays the game with this number with bots that are not the match's own, such as the bots of
    /// a record. There is one bot for each seat; they play under the names of the match's bots in
    /// the given order.
    ///
    /// # Panics
    /// Panics if the number of bots is not the number of players.
    pub fn play_with(
        &mut self,
        number: u64,
        seated: &mut [Box<dyn HostedBot>],
        sink: &mut dyn Sink,
    ) -> FinishedGame {
        let seats: Vec<usize> = (0..self.players).collect();
        self.run(number, &seats, seated, sink)
    }

    /// Continues a halted game with bots that are not the match's own, one for each seat. The bots
    /// start where the game was halted. Their random streams derive from `key`, and the random
    /// streams of the game continue.
    ///
    /// # Panics
    /// Panics if the number of bots is not the number of players.
    pub fn play_on(
        &mut self,
        game: GameState,
        key: GameKey,
        seated: &mut [Box<dyn HostedBot>],
        sink: &mut dyn Sink,
    ) -> FinishedGame {
        assert_eq!(seated.len(), self.players, "one bot for each seat");
        let names = self.setup.names();
        for bot in &mut *seated {
            bot.meet(&names);
        }
        let rules = &mut self.rules;
        rules.begin_game();
        play_on(game, key, rules, &mut HostedBots(seated), sink, self.limits)
    }

    /// Plays a game. `players` contains the match's players by seat.
    fn run(
        &mut self,
        number: u64,
        players: &[usize],
        seated: &mut [Box<dyn HostedBot>],
        sink: &mut dyn Sink,
    ) -> FinishedGame {
        assert_eq!(seated.len(), players.len(), "one bot for each seat");
        assert_eq!(players.len(), self.players, "one seat for each player");
        let name = |&player: &usize| self.setup.bots[player].name.clone();
        let names: Vec<String> = players.iter().map(name).collect();
        for bot in &mut *seated {
            bot.meet(&names);
        }
        let key = self.setup.key(number);
        let game = self.opening.game(key);
        let rules = &mut self.rules;
        rules.begin_game();
        if self.opening.is_position() {
            return play_on(game, key, rules, &mut HostedBots(seated), sink, self.limits);
        }
        play(game, key, rules, &mut HostedBots(seated), sink, self.limits)
    }
}

/// Wraps each bot with its clock, and returns the clocks. Without a time control, bots are not
/// wrapped and there are no clocks.
fn held_to_time(
    setup: &Setup,
    bots: Vec<Box<dyn HostedBot>>,
) -> (Vec<Option<Box<dyn HostedBot>>>, Vec<Clock>) {
    if !setup.is_timed() {
        return (bots.into_iter().map(Some).collect(), Vec::new());
    }
    let timed = bots.into_iter().enumerate().map(|(player, bot)| {
        let clock = Clock::default();
        let bot: Box<dyn HostedBot> =
            Box::new(TimedBot::new(bot, clock.clone(), setup.clock_of(player)));
        (Some(bot), clock)
    });
    timed.unzip()
}
