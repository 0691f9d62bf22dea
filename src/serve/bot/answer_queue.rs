//! What a bot of ours has answered already, and was not asked for yet.

use std::collections::VecDeque;

use crate::kernel::action::{Action, Legal, Options};
use crate::kernel::fault::BotFault;
use crate::kernel::id::Player;
use crate::kernel::state::GameState;
use crate::kernel::view::{Facts, View};
use crate::kernel::{Answer, Bot, Rules};

/// The rest of a bot's last answer.
#[derive(Debug, Default)]
pub(super) struct AnswerQueue(VecDeque<Action>);

impl AnswerQueue {
    /// The next action: the rest of an earlier answer, or a new one. It may be none of the options.
    ///
    /// # Errors
    /// The bot's fault.
    pub(super) fn next(
        &mut self,
        bot: &mut dyn Bot,
        view: &View,
        options: &Options,
    ) -> Result<Action, String> {
        let is_offered = |action: &Action| options.admit(*action).is_ok();
        if let Some(next) = self.0.pop_front().filter(is_offered) {
            return Ok(next);
        }
        self.0.clear();
        let mut bounds = |verb, given: &[i32]| options.bounds_of(verb, given);
        if let Some(next) = bot.try_next(view, &mut bounds).filter(is_offered) {
            return Ok(next);
        }
        let answer = bot.answer(view, options).map_err(|fault| match fault {
            BotFault::Strike { text, .. } => text,
            BotFault::Halt => "the bot has stopped".to_owned(),
        })?;
        match answer {
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

/// A decision in a position: what may be answered there.
pub(super) struct Decision {
    pub(super) facts: Facts,
    pub(super) me: Player,
    pub(super) options: Options,
}

impl Decision {
    /// What a player may answer in a position.
    ///
    /// # Errors
    /// The ruleset's fault.
    pub(super) fn new(game: GameState, me: Player, rules: &mut dyn Rules) -> Result<Self, String> {
        let frame = *game.frame().ok_or("there is nothing to decide")?;
        let facts = Facts::new(game);
        let mut options = Options::new();
        rules
            .options(&facts, &frame, me, &mut options)
            .map_err(|fault| fault.text)?;
        Ok(Self { facts, me, options })
    }

    /// The position as the player sees it.
    pub(super) fn view(&self) -> View {
        View::new(&self.facts, self.me)
    }

    /// What a bot answers, if it is one of the options.
    ///
    /// # Errors
    /// The bot's fault.
    pub(super) fn ask(&self, bot: &mut dyn Bot, queue: &mut AnswerQueue) -> Result<Legal, String> {
        let action = queue.next(bot, &self.view(), &self.options)?;
        self.options
            .admit(action)
            .map_err(|_| "the bot says what is not offered".to_owned())
    }
}
