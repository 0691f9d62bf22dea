//! The values of a general, in armies. They depend on whether there are many rivals or only one,
//! and on whether conquests bring cards.
//!
//! Each change of a number was tested in several hundred games against the shipped bots; see
//! docs/bots-compared.md.

use super::position_model::PositionModel;

#[derive(Clone, Copy, Debug)]
pub(super) struct EvaluationWeights {
    pub(super) territory: f32,
    /// The value of a territory that another player loses. The next field is the value of a lost
    /// army.
    pub(super) foe_territory: f32,
    pub(super) foe_army: f32,
    /// The factor of a continent's bonus for owning part of the continent. It is multiplied by the
    /// square of this part.
    pub(super) progress: f32,
    /// The factor of a continent's bonus for completing the continent, used in the search for
    /// chains.
    pub(super) whole: f32,
    /// The factor of a continent's bonus for breaking the continent.
    pub(super) breaks: f32,
    /// The factor of a continent's bonus, multiplied by the chance of keeping the continent.
    pub(super) keeps: f32,
    /// The cost of a territory that will fall before the player's next turn.
    pub(super) exposed: f32,
    /// The share of its income that each rival is expected to place at the worst border for the
    /// player.
    pub(super) raid: f32,
    /// The cost of losing an own army.
    pub(super) loss: f32,
    pub(super) least: f32,
}

/// The values for many rivals if conquests bring cards.
const WITH_CARDS: EvaluationWeights = EvaluationWeights {
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

/// The values for many rivals if conquests bring only territories. The player who fights least
/// grows.
const WITHOUT_CARDS: EvaluationWeights = EvaluationWeights {
    territory: 0.3,
    keeps: 6.0,
    loss: 1.3,
    least: 1.0,
    ..WITH_CARDS
};

/// The values for a single rival, who loses everything that the player gains.
const DUEL: EvaluationWeights = EvaluationWeights {
    territory: 1.0,
    whole: 3.0,
    breaks: 3.0,
    keeps: 3.0,
    exposed: 0.3,
    raid: 0.5,
    least: 0.0,
    ..WITH_CARDS
};

impl EvaluationWeights {
    pub(super) fn suiting(scene: &PositionModel<'_>) -> Self {
        let temper = if scene.rivals.len() < 2 {
            DUEL
        } else if scene.set_value > 0 {
            WITH_CARDS
        } else {
            WITHOUT_CARDS
        };
        // On a crowded board, losses matter less, and so does what the player could keep.
        let crowded = 1.0 + scene.eagerness;
        Self {
            loss: temper.loss / crowded,
            least: temper.least / crowded,
            keeps: temper.keeps / crowded,
            exposed: temper.exposed / crowded,
            ..temper
        }
    }

    /// Returns the values of a bolder player. Losses, exposure and the minimum value are divided by
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
