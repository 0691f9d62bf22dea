//! Names of territories and nouns of units in the story.

use risk_kernel::id::{Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::Words;
use risk_text::paint::cut;

/// Returns the noun for a number of units of one kind.
pub(super) fn kind_noun(game: &GameState, unit: Unit, count: i64) -> String {
    Words::new(game.board(), game.decl()).unit(unit, count)
}

/// Returns the noun after a space, or nothing if there is only one kind.
pub(super) fn kind_word(game: &GameState, unit: Unit, count: i64) -> String {
    match game.decl().units.as_slice() {
        [_] => String::new(),
        _ => format!(" {}", kind_noun(game, unit, count)),
    }
}

/// Returns a territory's name, cut to 24 columns.
pub(super) fn place(game: &GameState, at: Territory) -> String {
    cut(&game.board().info(at).name, 24)
}
