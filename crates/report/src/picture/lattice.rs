//! Maps with places in rows, as on a board. Their territories are squares or hexagons.

use std::collections::{BTreeMap, BTreeSet};

use super::contours::Contours;
use super::layout::Point;
use risk_kernel::board::Board;

/// The maximum distance of a place from its row and column, as a share of a field.
const OFF: f64 = 0.08;
/// The maximum ratio of the sides of a field.
const SLIM: f64 = 1.6;

struct LatticeRows {
    /// The distances between columns and between rows.
    step: Point,
    low: Point,
    /// The cells by territory: twice the column, and the row. In rows of hexagons, every second row
    /// is shifted by half a field.
    cells: Vec<(i64, i64)>,
}

/// Returns the fields of a board, or `None` if the places are not in rows or the borders don't lead
/// to adjacent fields.
pub(super) fn fields(board: &Board, places: &[Point]) -> Option<Contours> {
    let turned = || places.iter().map(|&(x, y)| (y, x)).collect::<Vec<_>>();
    if let Some(rows) = LatticeRows::new(board, places, false) {
        return Some(contours(&rows, &SQUARE, false));
    }
    if let Some(rows) = LatticeRows::new(board, places, true) {
        return Some(contours(&rows, &HEXAGON, false));
    }
    LatticeRows::new(board, &turned(), true).map(|rows| contours(&rows, &HEXAGON, true))
}

/// The corners of a field, in half columns and thirds of a row from its centre.
const SQUARE: [Point; 4] = [(-1.0, -1.5), (1.0, -1.5), (1.0, 1.5), (-1.0, 1.5)];
const HEXAGON: [Point; 6] = [
    (0.0, -2.0),
    (1.0, -1.0),
    (1.0, 1.0),
    (0.0, 2.0),
    (-1.0, 1.0),
    (-1.0, -1.0),
];

impl LatticeRows {
    fn new(board: &Board, places: &[Point], slanted: bool) -> Option<Self> {
        let rows = line(places.iter().map(|place| place.1));
        let columns = if slanted {
            halves(places)
        } else {
            line(places.iter().map(|place| place.0))
        };
        let ((left, wide), (top, high)) = (columns?, rows?);
        let (wide, high) = match (wide, high) {
            (None, None) => return None,
            (Some(wide), None) if !slanted => (wide, wide),
            (None, Some(high)) if !slanted => (high, high),
            (Some(wide), Some(high)) => (wide, high),
            _ => return None,
        };
        if wide / high > SLIM || high / wide > SLIM {
            return None;
        }
        let mut seen = BTreeSet::new();
        let mut cells = Vec::with_capacity(places.len());
        for &(x, y) in places {
            let row = ((y - top) / high).round();
            let column = (2.0 * (x - left) / wide).round();
            let off = (x - left - column * wide / 2.0).abs() / wide;
            let is_even = (column as i64 - if slanted { row as i64 } else { 0 }) % 2 == 0;
            let cell = (column as i64, row as i64);
            let is_off = off > OFF || (y - top - row * high).abs() / high > OFF;
            if is_off || !is_even || !seen.insert(cell) {
                return None;
            }
            cells.push(cell);
        }
        let rows = Self {
            step: (wide, high),
            low: (left, top),
            cells,
        };
        rows.fit(board, slanted).then_some(rows)
    }

    /// Reports whether most borders lead to adjacent fields.
    fn fit(&self, board: &Board, slanted: bool) -> bool {
        let mut all = 0;
        let mut beside = 0;
        let mut across = 0;
        for (from, to, _) in board.edges() {
            let (from, to) = (self.cells[from.index()], self.cells[to.index()]);
            let apart = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
            all += 1;
            match (slanted, apart) {
                (_, (2, 0)) | (false, (0, 1)) | (true, (1, 1)) => beside += 1,
                (false, (2, 1)) => across += 1,
                _ => {}
            }
        }
        (beside + across) * 4 >= all * 3 && beside * 5 >= all * 2 && beside > 0
    }
}

/// Returns the first of evenly spaced values and their distance, which is `None` if all are equal.
fn line(values: impl Iterator<Item = f64>) -> Option<(f64, Option<f64>)> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let (first, last) = (*values.first()?, *values.last()?);
    let gaps = values.windows(2).map(|ends| ends[1] - ends[0]);
    // Places are rounded, so differences below 1e-6 are ignored.
    let span = last - first;
    if span < 1e-6 {
        return Some((first, None));
    }
    let least = gaps.filter(|gap| *gap > 1e-6).fold(span, f64::min);
    let count = (span / least).round().max(1.0);
    Some((first, Some(span / count)))
}

/// Finds the columns like [`line`], but every second row is shifted by half a field.
fn halves(places: &[Point]) -> Option<(f64, Option<f64>)> {
    let (first, step) = line(places.iter().map(|place| place.0))?;
    let top = places
        .iter()
        .map(|place| place.1)
        .fold(f64::INFINITY, f64::min);
    let (_, high) = line(places.iter().map(|place| place.1))?;
    // The first place of the top row has an even number of halves.
    let (half, high) = (step?, high?);
    let place = places
        .iter()
        .find(|place| (place.1 - top).abs() < high / 2.0)?;
    let odd = ((place.0 - first) / half).round() as i64 % 2;
    Some((first - half * odd as f64, Some(half * 2.0)))
}

fn contours(rows: &LatticeRows, corners: &[Point], turned: bool) -> Contours {
    // Corners are integers, so shared corners are equal in both fields.
    let onto = |(x, y): (i64, i64)| {
        let point = (
            rows.low.0 + x as f64 * rows.step.0 / 2.0,
            rows.low.1 + y as f64 * rows.step.1 / 6.0,
        );
        if turned { (point.1, point.0) } else { point }
    };
    let mut found = Contours {
        rings: Vec::new(),
        common: BTreeMap::new(),
    };
    let mut sides: BTreeMap<[(i64, i64); 2], usize> = BTreeMap::new();
    for (index, &(column, row)) in rows.cells.iter().enumerate() {
        let corner = |&(x, y): &Point| (column + x as i64, row * 6 + (y * 2.0) as i64);
        let ring: Vec<(i64, i64)> = corners.iter().map(corner).collect();
        for (at, &from) in ring.iter().enumerate() {
            let to = ring[(at + 1) % ring.len()];
            let ends = [from.min(to), from.max(to)];
            if let Some(other) = sides.insert(ends, index) {
                let line = ends.map(onto).to_vec();
                found.common.entry((other, index)).or_default().push(line);
            }
        }
        found.rings.push(vec![ring.into_iter().map(onto).collect()]);
    }
    found
}
