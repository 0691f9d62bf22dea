//! `random` and `random-action`: uniform over the options, or over the whole actions.

use crate::kernel::action::Options;
use crate::kernel::fault::BotFault;
use crate::kernel::rng::{Purpose, Stream};
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};

pub(super) struct Random {
    luck: Stream,
    whole: bool,
}

impl Random {
    /// `whole`: over whole actions, where the phase says what those are.
    pub(super) fn new(whole: bool) -> Self {
        Self {
            luck: Stream::new(0, 0, Purpose::Player(0)),
            whole,
        }
    }
}

impl Bot for Random {
    fn start(&mut self, _: &View, luck: Stream) {
        self.luck = luck;
    }

    fn plans(&self) -> bool {
        self.whole
    }

    fn answer(&mut self, _: &View, ask: &Options) -> Result<Answer, BotFault> {
        if ask.plans() > 0 {
            return Ok(Answer::Steps(ask.nth_plan(self.luck.below(ask.plans()))));
        }
        Ok(Answer::One(ask.nth(self.luck.below(ask.len()))))
    }
}
