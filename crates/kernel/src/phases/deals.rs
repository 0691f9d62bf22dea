//! Set-up of the whole board: dealing territories and placing armies at random.

use crate::fault::{RuleFault, RuleResult};
use crate::id::{Player, Territory, Unit};
use crate::state::GameState;
use risk_text::plural::counted;

/// The maximum number of units to scatter for one player.
pub const MOST_SCATTERED: i32 = 1_000_000;

/// Deals all free territories in random order to the players in turn, with one unit on each
/// territory. Those on which the map puts armies stay free.
///
/// # Errors
/// Returns an error if a territory would hold too many units: see [`GameState::add_units`].
pub fn deal(game: &mut GameState, unit: Unit) -> RuleResult {
    let mut territories: Vec<Territory> = super::claim::free(game).collect();
    game.random_order(&mut territories);
    for (index, at) in territories.into_iter().enumerate() {
        game.set_owner(at, Some(Player::from_index(index % game.players())));
        game.add_units(at, unit, 1)?;
    }
    Ok(())
}

/// Puts units on random territories of each player, one by one, until each player has `each` units.
///
/// # Errors
/// Returns the same errors as [`scatter`], or an error if a player has more than `each` units.
pub fn scatter_all(game: &mut GameState, unit: Unit, each: i32) -> RuleResult {
    for player in game.seats() {
        let there: i64 = game
            .owned(player)
            .map(|at| i64::from(game.units(at, unit)))
            .sum();
        let rest = i32::try_from(i64::from(each) - there).unwrap_or(-1);
        scatter(game, player, unit, rest)?;
    }
    Ok(())
}

/// Puts units on random territories of a player, one by one.
///
/// # Errors
/// Returns an error if the player has no territory, `count` is out of range, or a territory would
/// hold too many units.
pub fn scatter(game: &mut GameState, player: Player, unit: Unit, count: i32) -> RuleResult {
    let territories: Vec<Territory> = game.owned(player).collect();
    if !(0..=MOST_SCATTERED).contains(&count) {
        return Err(RuleFault::new(format!(
            "can't scatter {}: expected 0 to {MOST_SCATTERED}",
            counted(count, "unit")
        )));
    }
    if territories.is_empty() && count > 0 {
        return Err(RuleFault::new(format!(
            "player {} has no territory to scatter {} on",
            player.0 + 1,
            counted(count, "unit")
        )));
    }
    let mut added = vec![0; territories.len()];
    for _ in 0..count {
        added[game.random(territories.len() as u64)? as usize] += 1;
    }
    territories
        .into_iter()
        .zip(added)
        .try_for_each(|(at, count)| game.add_units(at, unit, count))
}
