//! The value of conquests, in armies.

use super::evaluation_weights::EvaluationWeights;
use super::position_model::{NOBODY, PositionModel, SEATS};
use risk_kernel::id::{Continent, Territory};

/// The value of eliminating a player, excluding the player's cards.
const KILL: f32 = 5.0;
/// The minimum rivalry when a continent is broken. A weak player is treated like a player with this
/// share of the rivals' strength.
const LEAST_RIVALRY: f32 = 0.3;

/// A summary of earlier conquests, in relation to the territory of the next conquest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PriorConquests {
    any: bool,
    in_continent: usize,
    /// The number of conquests in the same continent with the same owner.
    of_holder: usize,
    of_owner: i32,
}

impl PriorConquests {
    /// Relates earlier conquests to a territory, or returns `None` if the territory is among them.
    pub(super) fn before(
        scene: &PositionModel<'_>,
        territories: impl Iterator<Item = Territory>,
        at: Territory,
    ) -> Option<Self> {
        let owner = scene.owner(at);
        let continent = scene.board.continent(at);
        let mut taken = Self::default();
        for territory in territories {
            if territory == at {
                return None;
            }
            let of_owner = scene.owner(territory) == owner;
            let in_continent = continent.is_some() && scene.board.continent(territory) == continent;
            taken.any = true;
            taken.of_owner += i32::from(of_owner);
            taken.in_continent += usize::from(in_continent);
            taken.of_holder += usize::from(of_owner && in_continent);
        }
        Some(taken)
    }
}

pub(super) struct ConquestValues {
    temper: EvaluationWeights,
    /// The share of each player's loss that is the player's own gain, by seat.
    rivalry: [f32; SEATS],
    kill: [f32; SEATS],
    /// The value of the card for the first conquest of a turn.
    card: f32,
}

impl ConquestValues {
    pub(super) fn new(scene: &PositionModel<'_>, temper: EvaluationWeights) -> Self {
        let mut worth = Self {
            temper,
            rivalry: [0.0; SEATS],
            kill: [0.0; SEATS],
            card: scene.set_value as f32 / 3.0,
        };
        let all: i64 = scene.rivals.iter().map(|&seat| scene.strength[seat]).sum();
        let weakest = scene.rivals.iter().copied();
        let weakest = weakest.min_by_key(|&seat| (scene.strength[seat], seat));
        for &seat in &scene.rivals {
            worth.rivalry[seat] = if scene.is_late {
                f32::from(u8::from(Some(seat) == weakest))
            } else {
                scene.strength[seat] as f32 / all.max(1) as f32
            };
            worth.kill[seat] = KILL + scene.cards[seat] as f32 * worth.card;
        }
        worth
    }

    #[inline]
    pub(super) fn of_taking(
        &self,
        scene: &PositionModel<'_>,
        at: Territory,
        taken: PriorConquests,
    ) -> f32 {
        let temper = &self.temper;
        let owner = scene.owner(at);
        let defenders = scene.armies(at) as f32;
        let of_foe = temper.foe_territory + temper.foe_army * defenders;
        let mut worth = temper.territory + self.rivalry[owner] * of_foe;
        if let Some(continent) = scene.board.continent(at) {
            worth += self.in_continent(scene, owner, continent, taken);
        }
        if owner != NOBODY && scene.territories[owner] - taken.of_owner == 1 {
            worth += self.kill[owner];
        }
        if !taken.any && !scene.has_conquered {
            worth += self.card;
        }
        worth
    }

    fn in_continent(
        &self,
        scene: &PositionModel<'_>,
        owner: usize,
        continent: Continent,
        taken: PriorConquests,
    ) -> f32 {
        let temper = &self.temper;
        let bonus = scene.bonus(continent);
        let size = scene.board.members(continent).len();
        let had = scene.members(continent, scene.me) + taken.in_continent;
        let part = (2 * had + 1) as f32 / (size * size) as f32;
        let mut worth = bonus * temper.progress * part;
        if had + 1 == size {
            worth += bonus * temper.whole;
        }
        let breaks = scene.members(continent, owner) == size && taken.of_holder == 0;
        if owner != NOBODY && breaks {
            worth += bonus * temper.breaks * self.rivalry[owner].max(LEAST_RIVALRY);
        }
        worth
    }
}
