//! One thread's rules and bots, used for all its games.

use std::sync::Arc;

use crate::load::bot_spec::BotSpec;
use crate::load::diag::{Finding, LoadError};
use crate::matches::clock::{BotTime, Clock, Timed};
use crate::matches::hosted::{Aside, HostedBot, HostedSeats, Seated};
use crate::matches::opening::Opening;
use crate::matches::setup::Setup;
use crate::matches::{GameResult, MatchFault};
use crate::script::chances::FightChances;
use crate::script::{RulesSource, ScriptRules};
use risk_kernel::declare::{Declaration, OnFault};
use risk_kernel::fault::RuleFault;
use risk_kernel::odds::Fight;
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;
use risk_kernel::stepper::{MixedGame, Stepper, StepperSettings};
use risk_kernel::{Finished, Limits, Sink, Stop, play, play_on};

/// One thread's rules and bots, used for all its games.
pub struct Worker<'a> {
    setup: &'a Setup,
    /// How many play in a game.
    players: usize,
    decl: Arc<Declaration>,
    rules: ScriptRules,
    /// The same for bots that imagine games.
    source: RulesSource,
    /// How long a game may go on.
    pub limits: Limits,
    /// By player; lent to the seats for a game.
    bots: Vec<Option<Box<dyn HostedBot>>>,
    /// By player, once they are timed.
    clocks: Vec<Clock>,
    opening: Opening,
    /// Is it kept what bots elsewhere write beside their answers, for [`Worker::take_asides`]?
    pub keeps_asides: bool,
    asides: Vec<(usize, Aside)>,
}

impl<'a> Worker<'a> {
    /// Compiles the ruleset and every bot that is a script, for this thread.
    ///
    /// # Errors
    /// Everything that is wrong with the scripts.
    pub fn new(setup: &'a Setup) -> Result<Self, LoadError> {
        Self::for_players(setup, setup.bots.len())
    }

    /// As [`Worker::new`], for games of so many players, who need not be as many as the match has
    /// bots: [`Worker::result`] is told who sits where.
    ///
    /// # Errors
    /// Everything that is wrong with the scripts.
    pub fn for_players(setup: &'a Setup, players: usize) -> Result<Self, LoadError> {
        let mut bound = setup
            .ruleset
            .bind(&setup.board, &setup.options, players, &setup.limits)?;
        if let Some(strikes) = setup.strikes {
            if strikes.then == OnFault::Hook && !bound.rules.has_fault_hook() {
                let text = format!(
                    "the ruleset {} has no function on_fault_out(g, who) that could decide",
                    bound.decl.name
                );
                return Err(LoadError::one(
                    Finding::error("ruleset::missing-hook", text)
                        .help("choose another fault policy"),
                ));
            }
            Arc::make_mut(&mut bound.decl).strikes = strikes;
        }
        let opening = Opening::new(setup, &bound.decl, players)?;
        let fight = Fight::of(&bound.decl, bound.rules.tables());
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

    /// The match whose games it plays.
    #[must_use]
    pub const fn setup(&self) -> &'a Setup {
        self.setup
    }

    /// Times the bots of the match in the games to come: those for whom `runs` says so, by player.
    /// Clocks begin at 0.
    pub fn time(&mut self, runs: impl Fn(usize) -> bool) {
        if self.clocks.is_empty() {
            for bot in &mut self.bots {
                let clock = Clock::default();
                *bot = bot.take().map(|bot| -> Box<dyn HostedBot> {
                    Box::new(Timed::new(bot, clock.clone(), None))
                });
                self.clocks.push(clock);
            }
        }
        for (player, clock) in self.clocks.iter().enumerate() {
            clock.set(runs(player));
        }
    }

    /// What the bots took that are timed, by player.
    pub fn times(&self) -> impl Iterator<Item = (usize, BotTime)> {
        let times = self.clocks.iter().enumerate();
        times.filter_map(|(player, clock)| Some((player, clock.read()?)))
    }

    /// What bots elsewhere wrote beside their answers in the last game, by player; of those who
    /// wrote anything.
    pub fn take_asides(&mut self) -> Vec<(usize, Aside)> {
        std::mem::take(&mut self.asides)
    }

    /// How many play in each of its games.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// What the ruleset declares.
    #[must_use]
    pub fn decl(&self) -> &Arc<Declaration> {
        &self.decl
    }

    /// The ruleset's hooks, compiled for this thread.
    #[must_use]
    pub const fn rules(&self) -> &ScriptRules {
        &self.rules
    }

    /// The rules, to ask them.
    pub const fn rules_mut(&mut self) -> &mut ScriptRules {
        &mut self.rules
    }

    /// The chances of fights under the rules that are played.
    #[must_use]
    pub fn chances(&self) -> FightChances {
        self.source
            .chances(Fight::of(&self.decl, self.rules.tables()))
    }

    /// A bot for this match by its specification: somebody to sit beside a bot of your
    /// own in [`Worker::play_with`].
    ///
    /// # Errors
    /// When there is no such bot, or it can't play this ruleset.
    pub fn bot(&self, spec: &str) -> Result<Box<dyn HostedBot>, LoadError> {
        let fight = Fight::of(&self.decl, self.rules.tables());
        let spec = BotSpec::parse(&self.setup.library, spec)?;
        let built = spec.source.build(&self.decl, fight, &self.source);
        built.map_err(LoadError::from)
    }

    /// The bot of one of the match's players, made anew for this worker's games.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn bot_of(&self, player: usize) -> Result<Box<dyn HostedBot>, LoadError> {
        let fight = Fight::of(&self.decl, self.rules.tables());
        let bot = &self.setup.bots[player].source;
        let built = bot.build(&self.decl, fight, &self.source);
        built.map_err(LoadError::from)
    }

    /// The game with this number, to be driven by hand: as many players as the match has bots, none
    /// of whom is asked. [`Stepper::apply`] wants the rules, see [`Worker::rules_mut`].
    ///
    /// # Errors
    /// When the ruleset fails.
    pub fn stepper(
        &mut self,
        number: u64,
        settings: StepperSettings,
    ) -> Result<Stepper, RuleFault> {
        let game = self.opening.game(self.setup.key(number));
        Stepper::new(game, &mut self.rules, settings)
    }

    /// The game with this number, in which these bots hold seats and the caller drives the others:
    /// there is an entry for each of as many players as the match has bots.
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
    /// When the ruleset fails.
    ///
    /// # Panics
    /// When there are more or fewer entries than players.
    pub fn mixed_game(
        &mut self,
        number: u64,
        bots: Vec<Option<Box<dyn HostedBot>>>,
        settings: StepperSettings,
    ) -> Result<MixedGame<HostedSeats>, RuleFault> {
        let key = self.setup.key(number);
        let game = self.opening.game(key);
        let bots = HostedSeats::new(bots, &self.setup.names());
        MixedGame::new(game, key, &mut self.rules, bots, settings)
    }

    /// The board of the game with this number before its set-up.
    #[must_use]
    pub fn empty_board(&self, number: u64) -> GameState {
        self.opening.empty_board(self.setup.key(number))
    }

    /// The position that the game with this number begins from, if it does: see [`Opening::game`].
    #[must_use]
    pub fn position(&self, number: u64) -> Option<GameState> {
        let begins = || self.opening.game(self.setup.key(number));
        self.opening.is_position().then(begins)
    }

    /// Plays the game with this number.
    pub fn play(&mut self, number: u64, sink: &mut dyn Sink) -> Finished {
        let seating = self.setup.seating(number);
        self.play_seated(number, &seating, sink)
    }

    /// Plays the game with this number with these of the match's bots, by seat.
    ///
    /// # Panics
    /// When a bot sits on two seats, or there are more or fewer seats than players.
    pub fn play_seated(&mut self, number: u64, seating: &[usize], sink: &mut dyn Sink) -> Finished {
        let mut seated: Vec<Box<dyn HostedBot>> = seating
            .iter()
            .map(|&player| {
                self.bots[player]
                    .take()
                    .expect("each player sits on one seat")
            })
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

    /// Plays the game with this number with these of the match's bots, by seat: what is kept of it.
    ///
    /// # Errors
    /// When the ruleset fails.
    ///
    /// # Panics
    /// As [`Worker::play_seated`].
    pub fn result(
        &mut self,
        number: u64,
        seating: &[usize],
        sink: &mut dyn Sink,
    ) -> Result<GameResult, MatchFault> {
        let finished = self.play_seated(number, seating, sink);
        self.result_of(number, seating, finished)
    }

    /// What is kept of the game that was played last, with these of the match's bots, by seat.
    ///
    /// # Errors
    /// When the ruleset failed.
    pub fn result_of(
        &self,
        number: u64,
        seating: &[usize],
        finished: Finished,
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
            Err(Stop::Rules(fault)) => Err(MatchFault::Rules(number, fault)),
            Err(Stop::Halted) => Err(self.gone()),
        }
    }

    /// Which bot has halted a game by itself, and why.
    fn gone(&self) -> MatchFault {
        let bots = self.setup.bots.iter().zip(&self.bots);
        let mut gone = bots.filter_map(|(spec, bot)| Some((spec, bot.as_ref()?.gone()?)));
        let (name, why) = gone
            .next()
            .map_or(("a bot", "it wants no more"), |(spec, why)| {
                (spec.name.as_str(), why)
            });
        MatchFault::Gone(name.to_owned(), why.to_owned())
    }

    /// Plays the game with this number with other bots than the match's own, those of a record say:
    /// one for each seat, under the names of the match's bots in the order given.
    ///
    /// # Panics
    /// When there are more or fewer bots than the match has: its rules are bound for so many.
    pub fn play_with(
        &mut self,
        number: u64,
        seated: &mut [Box<dyn HostedBot>],
        sink: &mut dyn Sink,
    ) -> Finished {
        let seats: Vec<usize> = (0..self.players).collect();
        self.run(number, &seats, seated, sink)
    }

    /// Plays a game on that was halted, with other bots than the match's own, one for each seat;
    /// they begin where it was halted. Their own random streams are of `key`; the game's go on.
    ///
    /// # Panics
    /// When there are more or fewer bots than the match has.
    pub fn play_on(
        &mut self,
        game: GameState,
        key: GameKey,
        seated: &mut [Box<dyn HostedBot>],
        sink: &mut dyn Sink,
    ) -> Finished {
        assert_eq!(seated.len(), self.players, "one bot for each seat");
        let names = self.setup.names();
        for bot in &mut *seated {
            bot.meet(&names);
        }
        let rules = &mut self.rules;
        play_on(game, key, rules, &mut Seated(seated), sink, self.limits)
    }

    /// Plays a game. `players` are the match's players by seat.
    fn run(
        &mut self,
        number: u64,
        players: &[usize],
        seated: &mut [Box<dyn HostedBot>],
        sink: &mut dyn Sink,
    ) -> Finished {
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
        if self.opening.is_position() {
            return play_on(game, key, rules, &mut Seated(seated), sink, self.limits);
        }
        play(game, key, rules, &mut Seated(seated), sink, self.limits)
    }
}

/// The bots, each under the clock that it has, and the clocks that show how long they take; none
/// where nobody is timed.
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
            Box::new(Timed::new(bot, clock.clone(), setup.clock_of(player)));
        (Some(bot), clock)
    });
    timed.unzip()
}
