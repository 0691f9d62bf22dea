//! How a person is asked: a question, the choice of an answer, and what may ask.

use super::adviser::Adviser;
use super::interruption::Interruption;
use super::reading::{ParsedAnswer, TO_THE_END};
use risk_kernel::action::{Action, Options};
use risk_kernel::outcome::Outcome;
use risk_kernel::view::View;

/// The interface for asking a person.
pub(super) trait Prompt {
    /// Prepares the player's decision, before it is known whether the player has to be asked. The
    /// player may give up.
    fn begin(&mut self, _view: &View) -> Result<(), Interruption> {
        Ok(())
    }

    /// Begins a decision of this player. `is_asked` means that the player has to be asked.
    fn arrive(&mut self, _view: &View, _is_asked: bool) -> Result<(), Interruption> {
        Ok(())
    }

    /// Asks the person until there is an answer.
    fn ask(&mut self, question: &mut PersonQuestion<'_>) -> Result<Choice, Interruption>;

    /// Goes past a decision that the person made before the game was resumed.
    fn recall(&mut self, _view: &View) {}

    /// Handles an action that was given without a question.
    fn note(&mut self, _view: &View, _action: Action) {}

    /// Handles the end of the game, or its interruption.
    fn finish(&mut self, _view: &View, _outcome: Option<&Outcome>) {}
}

pub(super) struct PersonQuestion<'a> {
    pub(super) view: &'a View,
    pub(super) options: &'a Options,
    /// What the player knows of other players. In a planned phase, `view` imagines their answers.
    pub(super) others: &'a View,
    pub(super) adviser: &'a mut Adviser,
    /// A note to show with the question.
    pub(super) note: Option<String>,
    /// The last answer that the player has planned in this phase, and can take back.
    pub(super) planned: Option<Action>,
}

pub(super) enum Choice {
    Say(ParsedAnswer),
    /// The suggested action, and all further suggestions until the phase or the turn is over.
    Auto(Action, AutoScope),
    /// The last planned answer is taken back.
    Back,
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
        Self::Say(ParsedAnswer { action, times: 1 })
    }
}

/// Returns an action that is given once now, and how often it is to be given again.
pub(super) fn more(action: Action, times: u32) -> Option<(Action, u32)> {
    (times > 1).then(|| {
        (
            action,
            if times == TO_THE_END {
                times
            } else {
                times - 1
            },
        )
    })
}

/// Reports whether there is nothing to decide, as at the end of a phase.
pub(super) fn is_forced(options: &Options) -> bool {
    options.len() == 1 && options.offers()[0].slots().is_empty()
}
