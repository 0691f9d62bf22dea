//! The value of conquests, in armies.

use super::evaluation_weights::EvaluationWeights;
use super::position_model::{NOBODY, PositionModel, SEATS};
use risk_kernel::id::{Group, Territory};

/// The value of eliminating a player, excluding the player's cards.
const KILL: f32 = 5.0;
/// The minimum rivalry when a group is broken. A weak player is treated like a player with this
/// share of the rivals' strength.
const LEAST_RIVALRY: f32 = 0.3;

/// The number of groups around a territory that count for its value.
const MOST_GROUPS: usize = 4;

/// A summary of earlier conquests, in relation to the territory of the next conquest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PriorConquests {
    any: bool,
    /// The conquests in each of the first groups around the territory.
    groups: [PriorInGroup; MOST_GROUPS],
    of_owner: i32,
}

#[derive(Clone, Copy, Debug, Default)]
struct PriorInGroup {
    all: usize,
    /// The number of conquests with the same owner.
    of_holder: usize,
}

impl PriorConquests {
    /// Relates earlier conquests to a territory, or returns `None` if the territory is among them.
    pub(super) fn before(
        scene: &PositionModel<'_>,
        territories: impl Iterator<Item = Territory>,
        at: Territory,
    ) -> Option<Self> {
        let owner = scene.owner(at);
        let around = scene.board.groups_around(at);
        let mut taken = Self::default();
        for territory in territories {
            if territory == at {
                return None;
            }
            let of_owner = scene.owner(territory) == owner;
            taken.any = true;
            taken.of_owner += i32::from(of_owner);
            let there = scene.board.groups_around(territory);
            for (prior, group) in taken.groups.iter_mut().zip(around) {
                let is_in_group = there.contains(group);
                prior.all += usize::from(is_in_group);
                prior.of_holder += usize::from(of_owner && is_in_group);
            }
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
        for (&group, prior) in scene.board.groups_around(at).iter().zip(taken.groups) {
            worth += self.in_group(scene, owner, group, prior);
        }
        if owner != NOBODY && scene.territories[owner] - taken.of_owner == 1 {
            worth += self.kill[owner];
        }
        if !taken.any && !scene.has_conquered {
            worth += self.card;
        }
        worth
    }

    fn in_group(
        &self,
        scene: &PositionModel<'_>,
        owner: usize,
        group: Group,
        taken: PriorInGroup,
    ) -> f32 {
        let temper = &self.temper;
        let bonus = scene.bonus(group);
        let size = scene.needed(group);
        let had = scene.members(group, scene.me) + taken.all;
        if had >= size {
            return 0.0;
        }
        let part = (2 * had + 1) as f32 / (size * size) as f32;
        let mut worth = bonus * temper.progress * part;
        if had + 1 == size {
            worth += bonus * temper.whole;
        }
        let breaks = scene.members(group, owner) == size && taken.of_holder == 0;
        if owner != NOBODY && breaks {
            worth += bonus * temper.breaks * self.rivalry[owner].max(LEAST_RIVALRY);
        }
        worth
    }
}
