//! Bots in Rust for Risk and its relatives, and what bots plan with: the odds of attacks, and plans
//! of several answers.
//!
//! A bot sees a [`View`](risk_kernel::view::View) and answers with one of the offered actions. The
//! bots here need nothing but the kernel; they also play rulesets that they were not made for.
//!
//! ```
//! use risk_bots::{GeneralLevel, RandomBot};
//!
//! assert_eq!(GeneralLevel::from_name("easy"), Some(GeneralLevel::Easy));
//! let _random = RandomBot::new(false);
//! ```

mod faulty;
pub mod fight_odds;
mod general;
mod heuristics;
mod holder;
mod odds_bot;
mod outnumber;
mod plan;
mod random;

pub use faulty::FaultyBot;
pub use general::{FightTable, General, GeneralLevel, GeneralProfile, PositionModel, understands};
pub use holder::HolderBot;
pub use odds_bot::OddsBot;
pub use outnumber::OutnumberBot;
pub use plan::{FightRules, NextAnswer, Plan};
pub use random::RandomBot;
