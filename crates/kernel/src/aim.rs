//! What a bot is after, for people who ask it for advice.

#![expect(
    clippy::disallowed_types,
    reason = "chances are for people and don't reach the rules"
)]

use super::id::{Player, Territory};

/// What a bot is after with an answer. Every part may be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aim {
    /// The territories to take, in this order.
    pub take: Vec<Territory>,
    /// The territories to defend.
    pub hold: Vec<Territory>,
    /// The player to eliminate.
    pub target: Option<Player>,
    /// The chance that all territories of `take` are taken, from 0 to 1.
    pub chance: Option<f64>,
    /// The number of armies that are expected to be left of the attackers if all territories of
    /// `take` are taken, apart from those that stay behind on the way.
    pub left: Option<f64>,
}

impl Aim {
    /// Reports whether nothing is known about what the bot is after.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.take.is_empty() && self.hold.is_empty() && self.target.is_none()
    }
}
