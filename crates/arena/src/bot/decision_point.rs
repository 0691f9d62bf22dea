//! A position where a served bot has to decide.

use risk_kernel::action::{Action, LegalAction, Options};
use risk_kernel::answer_queue::AnswerQueue;
use risk_kernel::fault::BotFault;
use risk_kernel::id::Player;
use risk_kernel::phases::Asked;
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View};
use risk_kernel::{Answer, Bot, Rules};

pub(super) struct DecisionPoint {
    pub(super) facts: Facts,
    pub(super) me: Player,
    pub(super) options: Options,
}

impl DecisionPoint {
    /// Computes a player's options in a position. Returns the ruleset's fault, or an error if the
    /// player has nothing to decide.
    pub(super) fn new(game: GameState, me: Player, rules: &mut dyn Rules) -> Result<Self, String> {
        let frame = *game.frame().ok_or("the player has nothing to decide")?;
        let facts = Facts::new(game);
        let mut options = Options::new();
        rules
            .options(Asked::new(&facts, &frame, me), &mut options)
            .map_err(|fault| fault.to_string())?;
        Ok(Self { facts, me, options })
    }

    pub(super) fn view(&self) -> View {
        View::new(&self.facts, self.me)
    }

    /// Asks the bot for an answer that is one of the options.
    pub(super) fn ask(
        &self,
        bot: &mut dyn Bot,
        queue: &mut AnswerQueue,
    ) -> Result<LegalAction, String> {
        let action = self.next(bot, queue)?;
        self.options
            .admit(action)
            .map_err(|_| "the bot's answer is not legal".to_owned())
    }

    /// Returns the next action: either the rest of an earlier answer, or a new answer. The action
    /// need not be one of the options.
    pub(super) fn next(
        &self,
        bot: &mut dyn Bot,
        queue: &mut AnswerQueue,
    ) -> Result<Action, String> {
        if let Some(legal) = queue.take(&self.options) {
            return Ok(*legal);
        }
        let view = self.view();
        let next = bot.try_next(&view, &mut &self.options);
        if let Some(next) = next.filter(|next| self.options.admit(*next).is_ok()) {
            return Ok(next);
        }
        let answer = bot
            .answer(&view, &self.options)
            .map_err(|fault| match fault {
                BotFault::Strike { text, .. } => text,
                BotFault::Halt => "the bot has stopped".to_owned(),
            })?;
        match answer {
            Answer::One(action) => Ok(action),
            Answer::Steps(steps) => {
                let (first, rest) = steps.split_first().ok_or("the bot's answer is empty")?;
                queue.replace(rest);
                Ok(*first)
            }
        }
    }
}
