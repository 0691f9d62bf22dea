//! `faulty`: commits a fault at each decision.

use risk_kernel::action::Options;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};

/// A bot that commits a fault at each decision.
pub struct FaultyBot;

impl Bot for FaultyBot {
    fn answer(&mut self, _: &View, _: &Options) -> Result<Answer, BotFault> {
        Err(BotFault::strike(FaultKind::Script, "a deliberate fault"))
    }
}
