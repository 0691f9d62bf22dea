//! Maps that are made from a few words: `grid:5x5`.

use super::diag::{Failure, Finding};
use crate::kernel::board::{Board, Datum, TerritoryInfo};
use crate::kernel::id::Territory;

/// The most territories of a map that is made.
const MOST: usize = 5_000;

/// A grid: `grid:WIDTHxHEIGHT`, with 8 neighbours, or `grid:WIDTHxHEIGHT:4` with 4. `None` when the words
/// are about something else.
///
/// # Errors
/// When the words begin like a grid and are none.
pub(super) fn parse(spec: &str) -> Option<Result<Board, Failure>> {
    let rest = spec.strip_prefix("grid:")?;
    let (size, neighbours) = rest.split_once(':').unwrap_or((rest, "8"));
    let sides = size.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let fits = |&(width, height): &(usize, usize)| {
        width > 0 && height > 0 && (2..=MOST).contains(&width.saturating_mul(height))
    };
    Some(match (sides.filter(fits), neighbours) {
        (Some((width, height)), "8") => Ok(grid(spec, width, height, true)),
        (Some((width, height)), "4") => Ok(grid(spec, width, height, false)),
        _ => {
            let finding = Finding::error("map::grid", format!("`{spec}` is no grid"));
            let help = format!("write grid:5x5 or grid:12x8:4, with 2 to {MOST} territories and 4 or 8 neighbours");
            Err(Failure::one(finding.help(help)))
        }
    })
}

/// Row 0 is the lowest, column 0 the leftmost.
fn grid(spec: &str, width: usize, height: usize, diagonals: bool) -> Board {
    let (mut territories, mut borders) = (Vec::new(), Vec::new());
    for row in 0..height {
        for column in 0..width {
            let id = format!("r{row}c{column}");
            let data = [("row", row), ("column", column)];
            territories.push(TerritoryInfo {
                name: id.clone(),
                id,
                continent: None,
                at: Some((column as i32 * 100, (height - 1 - row) as i32 * 100)),
                data: data.into_iter().map(|(key, value)| (key.to_owned(), Datum::Number(value as i64))).collect(),
            });
            for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
                let (to_row, to_column) = (row.checked_add_signed(down), column.checked_add_signed(right));
                let (Some(to_row), Some(to_column)) = (to_row, to_column) else { continue };
                if to_row < height && to_column < width && (diagonals || down == 0 || right == 0) {
                    let place = |row: usize, column: usize| Territory::from_index(row * width + column);
                    borders.push((place(row, column), place(to_row, to_column)));
                }
            }
        }
    }
    let about = format!("A grid of {width} by {height} territories with {} neighbours", if diagonals { 8 } else { 4 });
    Board::new(spec.to_owned(), about, territories, Vec::new(), &borders)
}
