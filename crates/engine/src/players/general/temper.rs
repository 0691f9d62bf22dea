//! What a general values, in armies: other things among many rivals than in a duel, and where
//! conquests bring cards.
//!
//! The numbers come from some hundred games against the shipped bots for each change of one of
//! them; docs/bots-compared.md says which.

use super::scene::Scene;

/// What is worth how much.
#[derive(Clone, Copy, Debug)]
pub(super) struct Temper {
    /// What holding a territory is worth, in armies.
    pub(super) territory: f32,
    /// That somebody else loses a territory, and an army.
    pub(super) foe_territory: f32,
    pub(super) foe_army: f32,
    /// A continent's bonus, for a part of it: by the square of the part.
    pub(super) progress: f32,
    /// A continent's bonus, for what completes it, while chains are searched.
    pub(super) whole: f32,
    /// A continent's bonus, for what breaks it.
    pub(super) breaks: f32,
    /// A continent's bonus, as far as it will be kept.
    pub(super) keeps: f32,
    /// A territory that will fall before one's next turn.
    pub(super) exposed: f32,
    /// The share of its income that each rival is expected to place where it hurts.
    pub(super) raid: f32,
    /// An army of one's own that falls.
    pub(super) loss: f32,
    /// The least that a plan must bring.
    pub(super) least: f32,
}

/// Many rivals, and cards for conquests.
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

/// Many rivals, and nothing but land to gain: whoever fights least grows.
const WITHOUT_CARDS: Temper = Temper {
    territory: 0.3,
    keeps: 6.0,
    loss: 1.3,
    least: 1.0,
    ..WITH_CARDS
};

/// One rival, who loses whatever one gains.
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
        // Where armies crowd the board, losses count less, and what one could keep, too.
        let crowded = 1.0 + scene.eagerness;
        Self {
            loss: temper.loss / crowded,
            least: temper.least / crowded,
            keeps: temper.keeps / crowded,
            exposed: temper.exposed / crowded,
            ..temper
        }
    }

    /// The same, so many times bolder.
    pub(super) fn bolder(self, boldness: f32) -> Self {
        Self {
            loss: self.loss / boldness,
            exposed: self.exposed / boldness,
            least: self.least / boldness,
            ..self
        }
    }
}
