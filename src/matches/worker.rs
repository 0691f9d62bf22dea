//! One thread's rules and bots, used for all its games.

use std::sync::Arc;

use crate::kernel::declare::{Declaration, OnFault};
use crate::kernel::fault::RuleFault;
use crate::kernel::state::GameState;
use crate::kernel::stepper::{Stepper, StepperSettings};
use crate::kernel::{Bot, Finished, Limits, Sink, play};
use crate::load::bot_spec::BotSpec;
use crate::load::diag::{Failure, Finding};
use crate::matches::setup::Setup;
use crate::odds::Fight;
use crate::script::ScriptRules;

/// One thread's rules and bots, used for all its games.
pub struct Worker<'a> {
    setup: &'a Setup,
    decl: Arc<Declaration>,
    rules: ScriptRules,
    /// How long a game may go on.
    pub limits: Limits,
    /// By player; lent to the seats for a game.
    bots: Vec<Option<Box<dyn Bot>>>,
}

impl<'a> Worker<'a> {
    /// Compiles the ruleset and every bot that is a script, for this thread.
    ///
    /// # Errors
    /// Everything that is wrong with the scripts.
    pub fn new(setup: &'a Setup) -> Result<Self, Failure> {
        let players = setup.bots.len();
        let mut bound = setup
            .ruleset
            .bind(&setup.board, &setup.options, players, &setup.limits)?;
        if let Some(strikes) = setup.strikes {
            if strikes.then == OnFault::Hook && !bound.rules.has_fault_hook() {
                let text = format!(
                    "the ruleset {} has no function on_fault_out(g, who) that could decide",
                    bound.decl.name
                );
                return Err(Failure::one(
                    Finding::error("ruleset::missing-hook", text)
                        .help("choose another fault policy"),
                ));
            }
            Arc::make_mut(&mut bound.decl).strikes = strikes;
        }
        let fight = Fight::from_tables(bound.rules.tables());
        let mut bots = Vec::new();
        let mut findings = Vec::new();
        for spec in &setup.bots {
            match spec.source.build(
                &bound.decl,
                &setup.board,
                players,
                fight.clone(),
                &setup.limits,
            ) {
                Ok(bot) => bots.push(Some(bot)),
                Err(faults) => {
                    for finding in faults.into_iter().map(Finding::from) {
                        if !findings.contains(&finding) {
                            findings.push(finding);
                        }
                    }
                }
            }
        }
        if findings.is_empty() {
            Ok(Self {
                setup,
                decl: bound.decl,
                rules: bound.rules,
                limits: Limits::default(),
                bots,
            })
        } else {
            Err(Failure { findings })
        }
    }

    /// The match whose games it plays.
    #[must_use]
    pub const fn setup(&self) -> &'a Setup {
        self.setup
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

    /// A bot for this match by its specification: somebody to sit beside a bot of your
    /// own in [`Worker::play_with`].
    ///
    /// # Errors
    /// When there is no such bot, or it can't play this ruleset.
    pub fn bot(&self, spec: &str) -> Result<Box<dyn Bot>, Failure> {
        let setup = self.setup;
        let fight = Fight::from_tables(self.rules.tables());
        let spec = BotSpec::parse(spec)?;
        let built = spec.source.build(
            &self.decl,
            &setup.board,
            setup.bots.len(),
            fight,
            &setup.limits,
        );
        built.map_err(Failure::from)
    }

    /// The board of the game with this number before its set-up.
    fn empty_board(&self, number: u64, players: usize) -> GameState {
        let setup = self.setup;
        GameState::new(
            Arc::clone(&setup.board),
            Arc::clone(&self.decl),
            players,
            setup.seed,
            number,
        )
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
        let game = self.empty_board(number, self.setup.bots.len());
        Stepper::new(game, &mut self.rules, settings)
    }

    /// Plays the game with this number.
    pub fn play(&mut self, number: u64, sink: &mut dyn Sink) -> Finished {
        let seating = self.setup.seating(number);
        let mut seated: Vec<Box<dyn Bot>> = seating
            .iter()
            .map(|&player| {
                self.bots[player]
                    .take()
                    .expect("each player sits on one seat")
            })
            .collect();
        let finished = self.run(number, &seating, &mut seated, sink);
        for (player, bot) in seating.into_iter().zip(seated) {
            self.bots[player] = Some(bot);
        }
        finished
    }

    /// Plays the game with this number with other bots than the match's own, those of a record say:
    /// one for each seat, under the names of the match's bots in the order given.
    ///
    /// # Panics
    /// When there are more or fewer bots than the match has: its rules are bound for so many.
    pub fn play_with(
        &mut self,
        number: u64,
        seated: &mut [Box<dyn Bot>],
        sink: &mut dyn Sink,
    ) -> Finished {
        let seats: Vec<usize> = (0..self.setup.bots.len()).collect();
        self.run(number, &seats, seated, sink)
    }

    /// Plays a game. `players` are the match's players by seat.
    fn run(
        &mut self,
        number: u64,
        players: &[usize],
        seated: &mut [Box<dyn Bot>],
        sink: &mut dyn Sink,
    ) -> Finished {
        assert_eq!(seated.len(), players.len(), "one bot for each seat");
        let name = |&player: &usize| self.setup.bots[player].name.clone();
        let names: Vec<String> = players.iter().map(name).collect();
        for bot in &mut *seated {
            bot.meet(&names);
        }
        let seed = self.setup.seed;
        let game = self.empty_board(number, seated.len());
        let rules = &mut self.rules;
        play(game, (seed, number), rules, seated, sink, self.limits)
    }
}
