//! A player who follows a plan in an imagined game, and notes what it does.

use std::cell::RefCell;
use std::rc::Rc;

use super::kept_plan::{Step, sight};
use super::light_policy::LightPolicy;
use risk_bots::{General, OutnumberBot};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};

/// A bot whose decisions are a plan.
#[derive(Clone)]
pub(super) enum Guide {
    Outnumber(OutnumberBot),
    General(Box<General>),
}

impl Guide {
    pub(super) fn start(&mut self, view: &View, rng: Stream) {
        self.bot().start(view, rng);
    }

    pub(super) fn is_stranger(&self) -> bool {
        matches!(self, Self::General(general) if general.is_stranger())
    }

    fn bot(&mut self) -> &mut dyn Bot {
        match self {
            Self::Outnumber(bot) => bot,
            Self::General(bot) => &mut **bot,
        }
    }
}

/// A plan of a turn.
#[derive(Clone)]
pub(super) enum Plan {
    /// These actions in order, without those that are not possible.
    Actions(Rc<[Action]>),
    /// The decisions of a bot.
    Guide(Guide),
}

/// The decisions of a player in an imagined turn.
pub(super) type Notes = Rc<RefCell<Vec<Step>>>;

pub(super) struct PlannedTurn {
    pub(super) plan: Plan,
    /// The number of actions of the plan that were taken or dropped.
    pub(super) done: usize,
    /// The number of the decision at which another action is taken.
    pub(super) change: Option<usize>,
    pub(super) light: LightPolicy,
    pub(super) notes: Notes,
    /// True to note the positions too.
    pub(super) notes_positions: bool,
}

impl PlannedTurn {
    fn planned(&mut self, view: &View, options: &Options) -> Option<Action> {
        match &mut self.plan {
            Plan::Actions(actions) => {
                let rest = actions.get(self.done..)?;
                let place = (rest.iter()).position(|&action| options.admit(action).is_ok())?;
                self.done += place + 1;
                Some(rest[place])
            }
            Plan::Guide(guide) => match guide.bot().answer(view, options) {
                Ok(Answer::One(action)) => options.admit(action).ok().map(|legal| legal.action()),
                _ => None,
            },
        }
    }
}

impl Bot for PlannedTurn {
    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let number = self.notes.borrow().len();
        let mut action = self.planned(view, options);
        if self.change == Some(number) {
            let other = self.light.choose(view, options);
            action = Some(other);
        } else if let Some(action) = &action {
            self.light.note(view, action);
        }
        let action = action.unwrap_or_else(|| self.light.choose(view, options));
        self.notes.borrow_mut().push(Step {
            action,
            sight: if self.notes_positions { sight(view) } else { 0 },
            is_free: options.len() > 1,
        });
        Ok(Answer::One(action))
    }
}
