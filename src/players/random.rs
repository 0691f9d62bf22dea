//! `random`: uniform over the options.

use crate::kernel::action::Options;
use crate::kernel::fault::BotFault;
use crate::kernel::rng::{Purpose, Stream};
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};

pub(super) struct Random {
    luck: Stream,
}

impl Default for Random {
    fn default() -> Self {
        Self { luck: Stream::new(0, 0, Purpose::Player(0)) }
    }
}

impl Bot for Random {
    fn start(&mut self, _: &View, luck: Stream) {
        self.luck = luck;
    }

    fn answer(&mut self, _: &View, ask: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(ask.nth(self.luck.below(ask.len()))))
    }
}
