//! `faulty`: makes a fault of each decision.

use crate::kernel::action::Options;
use crate::kernel::fault::{BotFault, FaultKind};
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};

pub(super) struct Faulty;

impl Bot for Faulty {
    fn answer(&mut self, _: &View, _: &Options) -> Result<Answer, BotFault> {
        Err(BotFault::strike(FaultKind::Script, "wrong on purpose"))
    }
}
