//! A game in which bots hold some of the seats and the caller drives the others.

use std::ops::Deref;

use super::{Caller, StepError, Stepper, StepperSettings};
use crate::action::{Action, Options};
use crate::bot::{Answer, Bot};
use crate::event::{Event, EventFilter};
use crate::fault::{BotFault, RuleFault};
use crate::id::{Player, PlayerSet};
use crate::outcome::{Outcome, Stop};
use crate::rng::GameKey;
use crate::rules::Rules;
use crate::sink::NullSink;
use crate::state::GameState;
use crate::turn_loop::live::{Live, Memory};
use crate::turn_loop::run::Run;

/// A game in which bots hold some of the seats and the caller drives the others. The bots are asked
/// as [`play`](crate::play) asks them, with their faults, plans and answers of several
/// steps; only the seats without a bot are left to the caller, as a [`Stepper`] leaves all of them.
///
/// It reads as a [`Stepper`], which can be cloned for a search: the clone has no bots.
#[derive(Debug)]
pub struct MixedGame {
    stepper: Stepper,
    company: Company,
}

impl MixedGame {
    /// Sets a game up and goes on to the first decision of the caller. `game` is an empty board, as
    /// [`GameState::new`] makes it, or a game at rest before a decision; there is a bot, or none,
    /// for each of its seats. The bots' own random streams are of `key`.
    ///
    /// # Errors
    /// When the ruleset fails.
    ///
    /// # Panics
    /// When there are more or fewer entries for bots than seats.
    pub fn new(
        game: GameState,
        key: GameKey,
        rules: &mut dyn Rules,
        bots: Vec<Option<Box<dyn Bot>>>,
        settings: StepperSettings,
    ) -> Result<Self, RuleFault> {
        assert_eq!(game.players(), bots.len(), "an entry for each seat");
        let mut stepper = Stepper::at(game, settings);
        let mut company = Company::new(bots);
        let mut nobody = NullSink;
        let mut live = Live::new(&mut company.bots, &mut nobody, &stepper.facts);
        if live.wanted() == EventFilter::All {
            stepper.facts.change().wanted = EventFilter::All;
        }
        live.start(&stepper.facts, key);
        company.memory = live.into_memory();
        let begin = stepper.beginning();
        let mut game = Self { stepper, company };
        game.stepper.run(rules, Some(&mut game.company), begin)?;
        game.tell_end();
        Ok(game)
    }

    /// The caller answers for a player who has no bot: see [`Stepper::apply`].
    ///
    /// # Errors
    /// As [`Stepper::apply`].
    pub fn apply(
        &mut self,
        rules: &mut dyn Rules,
        player: Player,
        action: Action,
    ) -> Result<(), StepError> {
        let company = Some(&mut self.company);
        self.stepper.answer(rules, company, player, action)?;
        self.tell_end();
        Ok(())
    }

    /// What has happened since the last call: see [`Stepper::take_events`].
    pub fn take_events(&mut self) -> Vec<Event> {
        self.stepper.take_events()
    }

    /// The bots, by seat, for another game; none where the caller has played. A game that is not
    /// over is given up.
    #[must_use]
    pub fn into_bots(mut self) -> Vec<Option<Box<dyn Bot>>> {
        let seats = self.company.seats;
        let bots = std::mem::take(&mut self.company.bots);
        let bots = bots.into_iter().enumerate();
        bots.map(|(seat, bot)| seats.has(Player::from_index(seat)).then_some(bot))
            .collect()
    }

    /// Why a bot plays no more, where one has halted the game by itself: nobody decides then, and
    /// there is no outcome.
    #[must_use]
    pub fn gone(&self) -> Option<&str> {
        self.company.bots.iter().find_map(|bot| bot.gone())
    }

    /// Tells the bots that the game is over, if it is.
    fn tell_end(&mut self) {
        if let Some(outcome) = &self.stepper.outcome {
            let scores = outcome.scores();
            self.company
                .with_live(|live| live.finish(&self.stepper.facts, &scores, Some(outcome)));
        }
    }
}

impl Deref for MixedGame {
    type Target = Stepper;

    fn deref(&self) -> &Stepper {
        &self.stepper
    }
}

/// The bots that hold seats.
pub(super) struct Company {
    /// By seat; those of the caller are never asked.
    bots: Vec<Box<dyn Bot>>,
    memory: Memory,
    seats: PlayerSet,
}

impl Company {
    fn new(bots: Vec<Option<Box<dyn Bot>>>) -> Self {
        let seated = bots.iter().enumerate().filter(|(_, bot)| bot.is_some());
        let seats = seated.map(|(seat, _)| Player::from_index(seat));
        Self {
            seats: seats.fold(PlayerSet::default(), PlayerSet::with),
            bots: bots
                .into_iter()
                .map(|bot| bot.unwrap_or_else(|| Box::new(Nobody)))
                .collect(),
            memory: Memory::default(),
        }
    }

    fn with_live<T>(&mut self, call: impl FnOnce(&mut Live<'_>) -> T) -> T {
        let mut nobody = NullSink;
        let memory = std::mem::take(&mut self.memory);
        let mut live = Live::again(&mut self.bots, &mut nobody, memory);
        let result = call(&mut live);
        self.memory = live.into_memory();
        result
    }

    /// Goes on with the bots at the table.
    pub(super) fn step<'a>(
        &'a mut self,
        run: &mut Run<'_>,
        caller: Caller<'a>,
        step: impl FnOnce(&mut Run<'_>, &mut Caller<'_>) -> Result<Outcome, Stop>,
    ) -> Result<Outcome, Stop> {
        let mut nobody = NullSink;
        let memory = std::mem::take(&mut self.memory);
        let mut caller = Caller {
            company: Some(Seated {
                seats: self.seats,
                live: Live::again(&mut self.bots, &mut nobody, memory),
            }),
            ..caller
        };
        let result = step(run, &mut caller);
        let Some(mut company) = caller.company else {
            return result;
        };
        let checked = result.and_then(|outcome| {
            company.live.check_plans(run, None)?;
            Ok(outcome)
        });
        self.memory = company.live.into_memory();
        checked
    }
}

impl std::fmt::Debug for Company {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Company")
            .field("seats", &self.seats)
            .finish_non_exhaustive()
    }
}

/// The bots at the table while the game goes on.
pub(super) struct Seated<'a> {
    seats: PlayerSet,
    pub(super) live: Live<'a>,
}

impl<'a> Seated<'a> {
    pub(super) const fn has(&self, player: Player) -> bool {
        self.seats.has(player)
    }

    pub(super) fn seat_of(&mut self, player: Player) -> Option<&mut Live<'a>> {
        self.has(player).then_some(&mut self.live)
    }
}

/// Sits on the caller's seats.
struct Nobody;

impl Bot for Nobody {
    fn answer(&mut self, _: &super::View, _: &Options) -> Result<Answer, BotFault> {
        Err(BotFault::Halt)
    }
}
