//! The size of a map and the time in a game, in words.

use risk_kernel::board::Board;
use risk_kernel::state::GameState;
use risk_text::plural::counted;

/// Returns the numbers of territories, borders, continents and other groups, in words.
#[must_use]
pub fn counts(board: &Board) -> String {
    let territories = board.len();
    let borders = board.border_count();
    let continents = board.continents().len();
    let groups = board.groups().len() - continents;
    let mut counts = vec![
        counted(territories, "territory"),
        counted(borders, "border"),
        counted(continents, "continent"),
    ];
    counts.extend((groups > 0).then(|| counted(groups, "group")));
    counts.join(", ")
}

/// Returns the number of the turn, unless all players have their turns at once.
pub(crate) fn turn_of(game: &GameState) -> Option<u32> {
    game.mover().map(|_| game.turn())
}

/// Returns a round and a turn of it, in words.
pub(crate) fn moment(round: u32, turn: Option<u32>) -> String {
    match (round, turn) {
        (0, _) => "set-up".to_owned(),
        (round, None) => format!("round {round}"),
        (round, Some(turn)) => format!("round {round}, turn {turn}"),
    }
}
