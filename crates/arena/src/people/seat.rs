//! The seat of a person, who decides either at a console or on a page.

use std::cell::RefCell;
use std::rc::Rc;

use super::adviser::Adviser;
use super::interruption::Interruption;
use super::reading::{ParsedAnswer, again};
use super::shared_table::SharedTable;
use risk_engine::matches::HostedBot;
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::BotFault;
use risk_kernel::id::Phase;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, OptionalPhases, Preferences};

/// The interface for asking a person.
pub(super) trait Prompt {
    /// Begins a decision of this player. The player may not have to be asked.
    ///
    /// # Errors
    /// Returns the reason why the game stops.
    fn arrive(&mut self, _view: &View) -> Result<(), Interruption> {
        Ok(())
    }

    /// Asks the person until there is an answer.
    ///
    /// # Errors
    /// Returns the reason why there is no answer.
    fn ask(&mut self, question: &PersonQuestion<'_>) -> Result<Choice, Interruption>;

    fn saw(&mut self, view: &View, event: &Event);

    /// Handles the end of the game, or its interruption.
    fn finish(&mut self, _view: &View, _outcome: Option<&Outcome>) {}
}

pub(super) struct PersonQuestion<'a> {
    pub(super) view: &'a View,
    pub(super) options: &'a Options,
    pub(super) adviser: &'a Adviser,
    /// A note to show with the question.
    pub(super) note: Option<String>,
}

pub(super) enum Choice {
    Say(ParsedAnswer),
    /// The suggested action, and all further suggestions until the phase or the turn is over.
    Auto(Action, AutoScope),
}

/// The decisions that are left to suggestions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AutoScope {
    /// Those of this phase, and of phases in between such as occupations.
    Phase,
    /// Those of this turn.
    Turn,
}

impl Choice {
    /// Returns the choice of an action without repetition.
    pub(super) const fn once(action: Action) -> Self {
        Self::Say(ParsedAnswer {
            action,
            to_the_end: false,
        })
    }
}

pub(super) struct PersonSeat<A> {
    table: Rc<RefCell<SharedTable>>,
    adviser: Adviser,
    asker: A,
    /// The action to repeat until it is impossible.
    repeated: Option<Action>,
    /// The turn in which suggestions are accepted without asking, and the phase if not in all of
    /// them.
    left_to_adviser: Option<(u32, Option<Phase>)>,
    /// A note to show with the next question.
    note: Option<String>,
}

impl<A: Prompt> PersonSeat<A> {
    pub(super) fn new(table: &Rc<RefCell<SharedTable>>, adviser: Adviser, asker: A) -> Self {
        Self {
            table: Rc::clone(table),
            adviser,
            asker,
            repeated: None,
            left_to_adviser: None,
            note: None,
        }
    }

    /// Returns the player's action. The player is asked only if no earlier choice, rule or
    /// suggestion determines it.
    fn decide(&mut self, view: &View, options: &Options) -> Result<Action, Interruption> {
        self.repeated = self.repeated.and_then(|last| again(last, options));
        if let Some(action) = self.repeated {
            return Ok(action);
        }
        let given = self.table.borrow_mut().given_again(view, options);
        match given {
            Ok(Some(action)) => return Ok(action),
            Ok(None) => {}
            Err(text) => self.note = Some(text),
        }
        self.asker.arrive(view)?;
        if is_forced(options) {
            return Ok(options.nth(0));
        }
        let phase = view.frame().map(|frame| frame.phase);
        let is_left = self.is_left_to_adviser(view, phase);
        if let Some(action) = self.adviser.suggested().filter(|_| is_left) {
            return Ok(action);
        }
        let choice = self.asker.ask(&PersonQuestion {
            view,
            options,
            adviser: &self.adviser,
            note: self.note.take(),
        })?;
        let action = match choice {
            Choice::Say(ParsedAnswer { action, to_the_end }) => {
                self.left_to_adviser = None;
                self.repeated = to_the_end.then_some(action);
                action
            }
            Choice::Auto(action, scope) => {
                let only = phase.filter(|_| scope == AutoScope::Phase);
                self.left_to_adviser = Some((view.turn(), only));
                action
            }
        };
        self.table.borrow_mut().gives(view, action);
        Ok(action)
    }

    /// Reports whether the decision in this phase is left to suggestions. A phase that is not part
    /// of each turn, such as an occupation, interrupts another phase and belongs to it.
    fn is_left_to_adviser(&self, view: &View, phase: Option<Phase>) -> bool {
        let Some((turn, only)) = self.left_to_adviser else {
            return false;
        };
        let (Some(phase), true) = (phase, turn == view.turn()) else {
            return false;
        };
        let of_turn = |phase| view.decl().turn.contains(&phase);
        only.is_none_or(|only| phase == only || (of_turn(only) && !of_turn(phase)))
    }
}

/// Reports whether there is nothing to decide, as at the end of a phase.
fn is_forced(options: &Options) -> bool {
    options.len() == 1 && options.offers()[0].slots().is_empty()
}

impl<A: Prompt> HostedBot for PersonSeat<A> {
    fn recall(&mut self, view: &View, options: &Options, said: Action) {
        self.adviser.consider(view, options);
        self.adviser.heed(said);
        if !is_forced(options) {
            self.table.borrow_mut().recall(view, said);
        }
    }
}

impl<A: Prompt> Bot for PersonSeat<A> {
    fn start(&mut self, view: &View, _: Stream) {
        self.adviser.start(view);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        self.adviser.consider(view, options);
        match self.decide(view, options) {
            Ok(action) => {
                self.adviser.heed(action);
                Ok(Answer::One(action))
            }
            Err(stopped) => {
                self.table.borrow_mut().stopped = Some(stopped);
                Err(BotFault::Halt)
            }
        }
    }

    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            optional: OptionalPhases::All,
            listens: true,
            ..Preferences::default()
        }
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.asker.saw(view, event);
        self.adviser.saw(view, event);
    }

    fn finish(&mut self, view: &View, _: &[i64], outcome: Option<&Outcome>) {
        self.asker.finish(view, outcome);
    }
}
