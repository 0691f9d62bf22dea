//! A bot of ours at the table of an arena elsewhere: what it has said already and was not asked for
//! yet.

use std::collections::VecDeque;

use crate::kernel::action::{Action, Options};
use crate::kernel::fault::{BotFault, RuleFault};
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};

/// The rest of a bot's last answer.
#[derive(Debug, Default)]
pub(super) struct Pending(VecDeque<Action>);

impl Pending {
    /// The next action: the rest of an earlier answer, or a new one.
    ///
    /// # Errors
    /// The bot's fault.
    pub(super) fn next(
        &mut self,
        bot: &mut dyn Bot,
        view: &View,
        options: &Options,
    ) -> Result<Action, String> {
        if let Some(next) = self
            .0
            .pop_front()
            .filter(|next| options.admit(*next).is_ok())
        {
            return Ok(next);
        }
        self.0.clear();
        let mut limit = |verb, given: &[i32]| options.bounds_of(verb, given);
        if let Some(quick) = bot
            .try_next(view, &mut limit)
            .filter(|quick| options.admit(*quick).is_ok())
        {
            return Ok(quick);
        }
        let said = bot.answer(view, options).map_err(|fault| match fault {
            BotFault::Strike { text, .. } => text,
            BotFault::Halt => "the bot has stopped".to_owned(),
        })?;
        match said {
            Answer::One(action) => Ok(action),
            Answer::Steps(steps) => {
                self.0 = steps.into();
                self.0
                    .pop_front()
                    .ok_or_else(|| "the bot says nothing".to_owned())
            }
        }
    }
}

/// A ruleset's fault in its words.
pub(super) fn rule<T>(result: Result<T, RuleFault>) -> Result<T, String> {
    result.map_err(|fault| fault.text)
}
