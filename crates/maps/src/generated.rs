//! Generated maps: `grid:5x5`, `hex:4`, `random:150:7`.

use risk_kernel::board::{Board, Datum, TerritoryInfo};
use risk_kernel::id::Territory;
use risk_text::diag::LoadError;

mod random;

const MOST: usize = 5_000;

/// A kind of generated map.
pub struct Generator {
    /// The syntax of its specification. The word before the colon is the name of the kind.
    pub words: &'static str,
    /// A description of the map.
    pub about: &'static str,
    help: fn() -> String,
    /// Makes the map from two texts: the specification, and its part after the first colon.
    make: fn(&str, &str) -> Option<Board>,
}

/// All kinds of generated maps.
pub static GENERATORS: [Generator; 3] = [
    Generator {
        words: "grid:WxH",
        about: "a grid in which each territory has up to 8 neighbours; grid:WxH:4 for 4",
        help: || {
            format!(
                "write grid:5x5 or grid:12x8:4, with 2 to {MOST} territories and 4 or 8 neighbours"
            )
        },
        make: grid,
    },
    Generator {
        words: "hex:R",
        about: "a hexagon made of hexagons, with R from the centre to a corner",
        help: || "write hex:4, with 1 to 40 hexagons from the centre to a corner".to_owned(),
        make: hex,
    },
    Generator {
        words: "random:N",
        about: "a random map of N territories with continents; random:N:SEED for another one, \
                random:N:SEED:C with C continents",
        help: || {
            format!(
                "write random:40, random:40:7 or random:40:7:6, with 4 to {MOST} territories, a \
                 seed, and at most one continent for every two territories"
            )
        },
        make: random::random,
    },
];

/// Returns the generator of a specification, and the part after its first colon.
fn generator(spec: &str) -> Option<(&'static Generator, &str)> {
    let (kind, rest) = spec.split_once(':')?;
    let named = |it: &&Generator| it.words.split(':').next() == Some(kind);
    Some((GENERATORS.iter().find(named)?, rest))
}

/// Reports whether a name is the specification of a generated map.
#[must_use]
pub fn is_made(spec: &str) -> bool {
    generator(spec).is_some()
}

/// Generates a map, or returns `None` if the text does not name a generator.
pub(super) fn parse(spec: &str) -> Option<Result<Board, LoadError>> {
    let (generator, rest) = generator(spec)?;
    let board = (generator.make)(spec, rest);
    Some(board.ok_or_else(|| {
        LoadError::new(
            "map::made",
            format!("`{spec}` is not a valid generated map"),
            (generator.help)(),
        )
    }))
}

/// Makes a grid from `WIDTHxHEIGHT`, in which territories have 8 neighbours, or from
/// `WIDTHxHEIGHT:4`, in which they have 4. Row 0 is the lowest row, and column 0 is the leftmost
/// column.
fn grid(spec: &str, rest: &str) -> Option<Board> {
    let (size, neighbours) = rest.split_once(':').unwrap_or((rest, "8"));
    let (width, height) = size.split_once('x')?;
    let width: usize = width.parse().ok()?;
    let height: usize = height.parse().ok()?;
    let fits = width > 0 && height > 0 && (2..=MOST).contains(&width.saturating_mul(height));
    if !fits || !["4", "8"].contains(&neighbours) {
        return None;
    }
    let diagonals = neighbours == "8";
    let mut territories = Vec::new();
    let mut borders = Vec::new();
    for row in 0..height {
        for column in 0..width {
            let at = (column as i32 * 100, (height - 1 - row) as i32 * 100);
            territories.push(place(
                format!("r{row}c{column}"),
                at,
                [("row", row as i64), ("column", column as i64)],
            ));
            for (down, right) in [
                (-1, -1),
                (-1, 0),
                (-1, 1),
                (0, -1),
                (0, 1),
                (1, -1),
                (1, 0),
                (1, 1),
            ] {
                let to_row = row.checked_add_signed(down);
                let to_column = column.checked_add_signed(right);
                let (Some(to_row), Some(to_column)) = (to_row, to_column) else {
                    continue;
                };
                if to_row < height && to_column < width && (diagonals || down == 0 || right == 0) {
                    let place =
                        |row: usize, column: usize| Territory::from_index(row * width + column);
                    borders.push((place(row, column), place(to_row, to_column)));
                }
            }
        }
    }
    let about = format!("A grid of {width} by {height} territories with {neighbours} neighbours");
    Some(Board::new(
        spec.to_owned(),
        about,
        territories,
        Vec::new(),
        &borders,
    ))
}

/// Makes a hexagon of hexagons. Columns and rows follow slanted axes, and the middle is at (0, 0).
fn hex(spec: &str, rest: &str) -> Option<Board> {
    let radius: i64 = rest
        .parse()
        .ok()
        .filter(|radius| (1..=40).contains(radius))?;
    let inside =
        |column: i64, row: i64| column.abs().max(row.abs()).max((column + row).abs()) <= radius;
    let all: Vec<(i64, i64)> = (-radius..=radius)
        .flat_map(|row| (-radius..=radius).map(move |column| (column, row)))
        .filter(|&(column, row)| inside(column, row))
        .collect();
    let index: std::collections::BTreeMap<(i64, i64), usize> =
        all.iter().copied().zip(0..).collect();
    let mut territories = Vec::new();
    let mut borders = Vec::new();
    for &(column, row) in &all {
        // Count from the left corner to avoid minus signs in ids.
        let id = format!("h{}-{}", column + radius, row + radius);
        // Each row is 87 units below the previous row, and shifted by half a step.
        let at = (
            (column * 100 + row * 50 + radius * 150) as i32,
            ((row + radius) * 87) as i32,
        );
        territories.push(place(id, at, [("column", column), ("row", row)]));
        for (right, down) in [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)] {
            if let Some(&to) = index.get(&(column + right, row + down)) {
                borders.push((
                    Territory::from_index(index[&(column, row)]),
                    Territory::from_index(to),
                ));
            }
        }
    }
    let about = format!("A hexagon of {} hexagons", all.len());
    Some(Board::new(
        spec.to_owned(),
        about,
        territories,
        Vec::new(),
        &borders,
    ))
}

fn place(id: String, at: (i32, i32), data: [(&str, i64); 2]) -> TerritoryInfo {
    TerritoryInfo {
        name: id.clone(),
        id,
        at: Some(at),
        data: data
            .into_iter()
            .map(|(key, value)| (key.to_owned(), Datum::Number(value)))
            .collect(),
        ..TerritoryInfo::default()
    }
}
