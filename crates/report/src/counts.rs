//! How many of everything a map has, in words.

use risk_kernel::board::Board;
use risk_text::plural::counted;

/// How much there is on a map.
#[must_use]
pub fn counts(board: &Board) -> String {
    let territories = board.len();
    let borders = board.border_count();
    let continents = board.continents().len();
    let counts = [
        counted(territories, "territory"),
        counted(borders, "border"),
        counted(continents, "continent"),
    ];
    counts.join(", ")
}
