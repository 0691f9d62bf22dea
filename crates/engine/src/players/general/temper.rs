//! The values of a general in armies: they differ between many rivals and a duel, and depend on
//! whether conquests bring cards.
//!
//! The numbers come from some hundred games against the shipped bots for each change of one of
//! them; docs/bots-compared.md lists them.

use super::scene::Scene;

#[derive(Clone, Copy, Debug)]
pub(super) struct Temper {
    pub(super) territory: f32,
    /// The values of a territory and of an army that another player loses.
    pub(super) foe_territory: f32,
    pub(super) foe_army: f32,
    /// The factor of a continent's bonus for a part of it: by the square of the part.
    pub(super) progress: f32,
    /// The factor of a continent's bonus for completing it, while chains are searched.
    pub(super) whole: f32,
    /// The factor of a continent's bonus for breaking it.
    pub(super) breaks: f32,
    /// The factor of a continent's bonus, times the chance of keeping it.
    pub(super) keeps: f32,
    /// The cost of a territory that will fall before the player's next turn.
    pub(super) exposed: f32,
    /// The share of its income that each rival is expected to place where it hurts.
    pub(super) raid: f32,
    /// The cost of an own army that falls.
    pub(super) loss: f32,
    pub(super) least: f32,
}

/// For many rivals, and cards for conquests.
const WITH_CARDS: Temper = Temper {
    territory: 0.45,
    foe_territory: 1.0,
    foe_army: 0.5,
    progress: 1.0,
    whole: 4.5,
    breaks: 1.0,
    keeps: 4.0,
    exposed: 0.9,
    raid: 0.66,
    loss: 1.0,
    least: 0.5,
};

/// For many rivals, and nothing but territories to gain: the player who fights least grows.
const WITHOUT_CARDS: Temper = Temper {
    territory: 0.3,
    keeps: 6.0,
    loss: 1.3,
    least: 1.0,
    ..WITH_CARDS
};

/// For one rival, who loses all that the player gains.
const DUEL: Temper = Temper {
    territory: 1.0,
    whole: 3.0,
    breaks: 3.0,
    keeps: 3.0,
    exposed: 0.3,
    raid: 0.5,
    least: 0.0,
    ..WITH_CARDS
};

impl Temper {
    pub(super) fn suiting(scene: &Scene<'_>) -> Self {
        let temper = if scene.rivals.len() < 2 {
            DUEL
        } else if scene.set_value > 0 {
            WITH_CARDS
        } else {
            WITHOUT_CARDS
        };
        // On a crowded board, losses count less, and so does what could be kept.
        let crowded = 1.0 + scene.eagerness;
        Self {
            loss: temper.loss / crowded,
            least: temper.least / crowded,
            keeps: temper.keeps / crowded,
            exposed: temper.exposed / crowded,
            ..temper
        }
    }

    /// Returns weights for a bolder player: losses, exposure and the least value are divided by
    /// `boldness`.
    pub(super) fn bolder(self, boldness: f32) -> Self {
        Self {
            loss: self.loss / boldness,
            exposed: self.exposed / boldness,
            least: self.least / boldness,
            ..self
        }
    }
}
