//! `random` and `random-action`: choose uniformly from the options, or from the whole actions.

use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Plans, Preferences, RuleQueries};

/// A bot that picks an option at random, each with the same probability.
pub struct RandomBot {
    rng: Stream,
    whole: bool,
}

impl RandomBot {
    /// Creates a bot. If `whole`, it chooses from whole actions in phases that define them.
    /// Creates the bot. With `whole`, it picks from whole actions where a game has plans.
    #[must_use]
    pub fn new(whole: bool) -> Self {
        Self {
            rng: Stream::new(0, 0, Purpose::Player(0)),
            whole,
        }
    }
}

impl Bot for RandomBot {
    fn start(&mut self, _: &View, rng: Stream) {
        self.rng = rng;
    }

    fn preferences(&self) -> Preferences<'_> {
        let plans = if self.whole {
            Plans::Alone
        } else {
            Plans::Ignored
        };
        Preferences {
            plans,
            ..Preferences::default()
        }
    }

    fn try_next(&mut self, _: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        if self.whole {
            None
        } else {
            rules.draw(&mut self.rng)
        }
    }

    fn answer(&mut self, _: &View, options: &Options) -> Result<Answer, BotFault> {
        if options.plans() > 0 {
            return Ok(Answer::Steps(
                options.nth_plan(self.rng.below(options.plans())),
            ));
        }
        Ok(Answer::One(options.nth(self.rng.below(options.len()))))
    }
}
