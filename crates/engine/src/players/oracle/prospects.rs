//! The prospects of a player at the point where an imagined game stops.

use risk_bots::PositionModel;
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View};

/// The number of turns whose income is added to the armies.
const TURNS: f64 = 3.0;
/// The value of a card in addition to its part of a set.
const CARD: f64 = 1.0;
/// The exponent of strength: a player's chance of winning is proportional to this power of its
/// strength.
const POWER: i32 = 2;

/// Returns the chance of winning, from 0 to 1, estimated from the possessions of all players.
pub(super) fn chance(game: GameState, me: Player) -> f64 {
    let facts = Facts::new(game);
    if let Some(ending) = facts.ending() {
        let winners = ending.winners;
        return if winners.has(me) {
            1.0 / f64::from(winners.len() as u32)
        } else {
            0.0
        };
    }
    let view = View::new(&facts, me);
    let scene = PositionModel::new(&view);
    let mut own = 0.0;
    let mut all = 0.0;
    for player in facts.seats() {
        let seat = player.index();
        if scene.territories[seat] == 0 {
            continue;
        }
        let income = if scene.decides[seat] {
            f64::from(scene.income(seat)) * TURNS
        } else {
            0.0
        };
        let card = CARD + f64::from(scene.set_value) / 3.0;
        let cards = f64::from(scene.cards[seat]) * card;
        let strength = scene.strength[seat] as f64 + income + cards;
        let weight = strength.powi(POWER);
        all += weight;
        if player == me {
            own = weight;
        }
    }
    if all > 0.0 { own / all } else { 0.0 }
}
