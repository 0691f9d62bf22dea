//! The bots of a game as their host sees them: what they cost, their clocks, and whether they are
//! still there.

mod clock;
mod empty_game;
mod hosted;
mod operations;
mod time_control;

pub use clock::BotTime;
pub(crate) use clock::{Clock, TimedBot};
pub use empty_game::empty_game;
pub(crate) use hosted::HostedBots;
pub use hosted::{Aside, HostedBot, HostedSeats, SeatFault, hosted};
pub use operations::Operations;
pub use time_control::{TimeControl, TimeLeft};
