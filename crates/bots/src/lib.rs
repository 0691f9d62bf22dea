#![doc = include_str!("../README.md")]

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
pub use general::{
    Features, FightTable, General, GeneralLevel, GeneralProfile, PositionModel, TurnEnd,
    understands,
};
pub use holder::HolderBot;
pub use odds_bot::OddsBot;
pub use outnumber::OutnumberBot;
pub use plan::{FightRules, NextAnswer, Plan};
pub use random::RandomBot;
