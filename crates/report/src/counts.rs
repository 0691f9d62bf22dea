//! The size of a map, in words.

use risk_kernel::board::Board;
use risk_text::plural::counted;

/// Returns the numbers of territories, borders and continents, in words.
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
