//! The set-up phase: the choice of free territories to claim.

use super::position_model::{NOBODY, PositionModel};
use risk_kernel::id::{Group, Territory};

/// Returns the most valuable free territory. Territories with few neighbours are preferred, in
/// groups that cost little to hold.
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
    let near = scene.move_borders(at);
    let ways = near.clone().count() as f32;
    let friends = near.filter(|&to| scene.is_mine(to)).count() as f32;
    let around = scene.board.groups_around(at).iter();
    let draw = around
        .map(|&group| appeal(scene, group))
        .fold(0.0, f32::max);
    // Territories with few neighbours are easy to keep in any group. If the player owns a
    // neighbour, there is one fewer to defend against.
    draw + 0.4 * friends / ways.max(1.0) - 0.2 * ways
}

/// Returns the attraction of a group, based on its bonus, its borders, its size and the players in
/// it.
fn appeal(scene: &PositionModel<'_>, group: Group) -> f32 {
    let members = scene.board.members(group);
    let is_outside = |at: &Territory| !scene.board.groups_around(*at).contains(&group);
    let is_border = |at: &&Territory| scene.move_borders(**at).any(|to| is_outside(&to));
    let borders = members.iter().filter(is_border).count() as f32;
    let size = members.len() as f32;
    let mine = scene.members(group, scene.me) as f32 / size;
    let open = mine + scene.members(group, NOBODY) as f32 / size;
    scene.bonus(group) / (borders + 1.0) * (1.0 + 2.0 * mine) * open * 4.0 / (size + 2.0)
}
