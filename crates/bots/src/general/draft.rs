//! The set-up phase: the choice of free territories to claim.

use super::position_model::{NOBODY, PositionModel};
use risk_kernel::id::{Continent, Territory};

/// Returns the most valuable free territory. Territories with few neighbours are preferred, in
/// continents that cost little to hold.
pub(super) fn claim(
    scene: &PositionModel<'_>,
    free: impl Iterator<Item = Territory>,
) -> Option<Territory> {
    let mut best: Option<(f32, Territory)> = None;
    for at in free {
        let worth = worth(scene, at);
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, at));
        }
    }
    best.map(|(_, at)| at)
}

fn worth(scene: &PositionModel<'_>, at: Territory) -> f32 {
    let near = scene.attack_borders(at);
    let ways = near.clone().count() as f32;
    let friends = near.filter(|&to| scene.is_mine(to)).count() as f32;
    let draw = scene.board.continent(at);
    let draw = draw.map_or(0.0, |continent| appeal(scene, continent));
    // Territories with few neighbours are easy to keep in any continent. If the player owns a
    // neighbour, there is one fewer to defend against.
    draw + 0.4 * friends / ways.max(1.0) - 0.2 * ways
}

/// Returns the attraction of a continent, based on its bonus, its borders, its size and the players
/// in it.
fn appeal(scene: &PositionModel<'_>, continent: Continent) -> f32 {
    let members = scene.board.members(continent);
    let is_outside = |at: &Territory| scene.board.continent(*at) != Some(continent);
    let is_border = |at: &&Territory| scene.attack_borders(**at).any(|to| is_outside(&to));
    let borders = members.iter().filter(is_border).count() as f32;
    let size = members.len() as f32;
    let mine = scene.members(continent, scene.me) as f32 / size;
    let open = mine + scene.members(continent, NOBODY) as f32 / size;
    scene.bonus(continent) / (borders + 1.0) * (1.0 + 2.0 * mine) * open * 4.0 / (size + 2.0)
}
