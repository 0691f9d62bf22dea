//! A seat at which a person decides: what is the same wherever the person is asked.

use std::cell::RefCell;
use std::rc::Rc;

use super::adviser::Adviser;
use super::reading::{Said, again};
use super::shared_table::SharedTable;
use super::stopped::Stopped;
use risk_engine::matches::HostedBot;
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::BotFault;
use risk_kernel::id::Phase;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, OptionalPhases, Preferences};

/// Where a person is asked, and how.
pub(super) trait Asker {
    /// It is this player's turn to decide; whether they are asked is still to be seen.
    ///
    /// # Errors
    /// Why the game stops here.
    fn arrive(&mut self, _view: &View) -> Result<(), Stopped> {
        Ok(())
    }

    /// Asks until there is an answer.
    ///
    /// # Errors
    /// Why there is none.
    fn ask(&mut self, question: &Question<'_>) -> Result<Choice, Stopped>;

    /// Something has happened.
    fn saw(&mut self, view: &View, event: &Event);

    /// The game is over, or stops here.
    fn finish(&mut self, _view: &View, _outcome: Option<&Outcome>) {}
}

/// What a person is asked.
pub(super) struct Question<'a> {
    pub(super) view: &'a View,
    pub(super) options: &'a Options,
    pub(super) adviser: &'a Adviser,
    /// What is to be told beside it.
    pub(super) note: Option<String>,
}

/// What a person decides.
pub(super) enum Choice {
    Say(Said),
    /// This, which is suggested, and whatever is suggested until the phase is over.
    Auto(Action),
}

impl Choice {
    /// This, and nothing of what comes then.
    pub(super) const fn once(action: Action) -> Self {
        Self::Say(Said {
            action,
            to_the_end: false,
        })
    }
}

/// A person at the table.
pub(super) struct Seat<A> {
    table: Rc<RefCell<SharedTable>>,
    adviser: Adviser,
    asker: A,
    /// What is repeated until it is not possible any more.
    repeated: Option<Action>,
    /// The turn and the phase in which the suggestions are taken unasked.
    left_to_adviser: Option<(u32, Phase)>,
    /// What is to be told beside the next question.
    note: Option<String>,
}

impl<A: Asker> Seat<A> {
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

    /// What the player does: what was said of it before, or else what they say now.
    fn decide(&mut self, view: &View, options: &Options) -> Result<Action, Stopped> {
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
        let place = view.frame().map(|frame| (view.turn(), frame.phase));
        let is_left = place.is_some() && self.left_to_adviser == place;
        if let Some(action) = self.adviser.suggested().filter(|_| is_left) {
            return Ok(action);
        }
        let choice = self.asker.ask(&Question {
            view,
            options,
            adviser: &self.adviser,
            note: self.note.take(),
        })?;
        let action = match choice {
            Choice::Say(Said { action, to_the_end }) => {
                self.left_to_adviser = None;
                self.repeated = to_the_end.then_some(action);
                action
            }
            Choice::Auto(action) => {
                self.left_to_adviser = place;
                action
            }
        };
        self.table.borrow_mut().gives(view, action);
        Ok(action)
    }
}

/// Can nothing be decided here? That is the end of a phase, for example.
fn is_forced(options: &Options) -> bool {
    options.len() == 1 && options.offers()[0].slots().is_empty()
}

impl<A: Asker> HostedBot for Seat<A> {
    fn recall(&mut self, view: &View, options: &Options, said: Action) {
        self.adviser.consider(view, options);
        self.adviser.heed(said);
        if !is_forced(options) {
            self.table.borrow_mut().recall(view, said);
        }
    }
}

impl<A: Asker> Bot for Seat<A> {
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
