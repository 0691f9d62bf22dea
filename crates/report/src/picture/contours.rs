//! Outlines of land on a grid of squares. Each square is part of a territory or of the water.
//!
//! Lines run between corners where three areas meet. Both sides of a line are smoothed alike.

use std::collections::BTreeMap;

use super::layout::{Point, distance};

pub(super) const WATER: u32 = 0;
const ROUNDS: usize = 10;
/// The maximum distance of a simplified line from its corners, in squares.
const OFF: f64 = 0.1;

/// Squares of land and water. The squares at the rim are water.
pub(super) struct Squares {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// The values of the squares, row by row: [`WATER`], or the index of a territory plus 1.
    pub(super) of: Vec<u32>,
}

/// The rings of each territory and the common lines of each two territories, in squares.
pub(super) struct Contours {
    pub(super) rings: Vec<Vec<Vec<Point>>>,
    /// The common lines by pair of territories, the lower index first.
    pub(super) common: BTreeMap<(usize, usize), Vec<Vec<Point>>>,
}

impl Contours {
    /// Creates outlines without common lines, or with unknown common lines.
    pub(super) const fn new(rings: Vec<Vec<Vec<Point>>>) -> Self {
        Self {
            rings,
            common: BTreeMap::new(),
        }
    }
}

/// A corner of squares: column and row.
type Corner = (usize, usize);

/// The directions right, down, left and up. Land is on the right-hand side.
const WAYS: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl Squares {
    /// Returns the squares around a corner, clockwise from the upper left.
    fn around(&self, corner: Corner) -> [u32; 4] {
        let (column, row) = corner;
        let at = |column: usize, row: usize| {
            let is_there = column < self.columns && row < self.rows;
            if is_there {
                self.of[row * self.columns + column]
            } else {
                WATER
            }
        };
        let (left, above) = (column.wrapping_sub(1), row.wrapping_sub(1));
        [
            at(left, above),
            at(column, above),
            at(column, row),
            at(left, row),
        ]
    }

    /// Reports whether three areas meet at a corner, or two areas meet diagonally.
    fn is_node(&self, corner: Corner) -> bool {
        let [a, b, c, d] = self.around(corner);
        let sides = [a != b, b != c, c != d, d != a];
        sides.into_iter().filter(|differs| *differs).count() > 2
    }

    pub(super) fn contours(&self, territories: usize) -> Contours {
        let mut found = Contours {
            rings: vec![Vec::new(); territories],
            common: BTreeMap::new(),
        };
        for (index, mut starts) in self.sides(territories).into_iter().enumerate() {
            while let Some((&corner, _)) = starts.first_key_value() {
                let ring = self.ring(corner, &mut starts);
                self.smooth_ring(index, ring, &mut found);
            }
        }
        found
    }

    /// Returns for each territory the corners where its sides begin, with their directions as bits.
    fn sides(&self, territories: usize) -> Vec<BTreeMap<Corner, u8>> {
        let mut found: Vec<BTreeMap<Corner, u8>> = vec![BTreeMap::new(); territories];
        for row in 1..self.rows - 1 {
            for column in 1..self.columns - 1 {
                let at = row * self.columns + column;
                let own = self.of[at];
                if own == WATER {
                    continue;
                }
                let beside = [
                    (at - self.columns, (column, row)),
                    (at + 1, (column + 1, row)),
                    (at + self.columns, (column + 1, row + 1)),
                    (at - 1, (column, row + 1)),
                ];
                for (way, (other, corner)) in beside.into_iter().enumerate() {
                    if self.of[other] != own {
                        *found[own as usize - 1].entry(corner).or_default() |= 1 << way;
                    }
                }
            }
        }
        found
    }

    /// Removes the sides of one ring. Returns its corners, each with the direction to the next.
    fn ring(&self, first: Corner, starts: &mut BTreeMap<Corner, u8>) -> Vec<(Corner, usize)> {
        let mut ring = Vec::new();
        let mut corner = first;
        let mut way = 3;
        while let Some(ways) = starts.get_mut(&corner) {
            // The ring prefers right turns because squares that meet only at a corner don't touch.
            let next = [1, 0, 3, 2].map(|turn| (way + turn) % 4);
            let next = next.into_iter().find(|next| *ways & (1 << next) != 0);
            let Some(next) = next else { break };
            *ways &= !(1 << next);
            if *ways == 0 {
                starts.remove(&corner);
            }
            ring.push((corner, next));
            let (right, down) = WAYS[next];
            corner = (
                corner.0.wrapping_add_signed(right),
                corner.1.wrapping_add_signed(down),
            );
            way = next;
            if corner == first && self.is_closed(&ring, starts, first) {
                break;
            }
        }
        ring
    }

    /// Reports whether a ring ends at its first corner. If two areas meet diagonally there, the
    /// ring may continue.
    fn is_closed(
        &self,
        ring: &[(Corner, usize)],
        starts: &BTreeMap<Corner, u8>,
        first: Corner,
    ) -> bool {
        let way = ring.last().map_or(0, |(_, way)| *way);
        let right = (way + 1) % 4;
        ring[0].1 == right
            || starts
                .get(&first)
                .is_none_or(|ways| ways & (1 << right) == 0)
    }

    /// Returns the area to the left of a side.
    fn beyond(&self, corner: Corner, way: usize) -> u32 {
        self.around(corner)[[1, 2, 3, 0][way]]
    }

    /// Cuts a ring where three areas meet, then smooths and stores its lines.
    fn smooth_ring(&self, index: usize, mut ring: Vec<(Corner, usize)>, found: &mut Contours) {
        let Some(start) = ring.iter().position(|(corner, _)| self.is_node(*corner)) else {
            let points = ring.iter().map(|(corner, _)| point(*corner)).collect();
            let line = loop_of(points);
            self.keep(index, ring[0], line.clone(), found);
            found.rings[index].push(line);
            return;
        };
        ring.rotate_left(start);
        let mut whole = Vec::new();
        let mut from = 0;
        for end in 1..=ring.len() {
            let (corner, _) = ring[end % ring.len()];
            if end < ring.len() && !self.is_node(corner) {
                continue;
            }
            let mut points: Vec<Point> = ring[from..end].iter().map(|(at, _)| point(*at)).collect();
            points.push(point(corner));
            let line = line_of(points);
            whole.extend(&line[..line.len() - 1]);
            self.keep(index, ring[from], line, found);
            from = end;
        }
        found.rings[index].push(whole);
    }

    /// Stores a line that two territories share, only once for both.
    fn keep(&self, index: usize, side: (Corner, usize), line: Vec<Point>, found: &mut Contours) {
        let (corner, way) = side;
        let other = self.beyond(corner, way) as usize;
        if other > index + 1 {
            let common = found.common.entry((index, other - 1));
            common.or_default().push(line);
        }
    }
}

const fn point(corner: Corner) -> Point {
    (corner.0 as f64, corner.1 as f64)
}

/// Smooths a line but keeps its ends. The result is the same in both directions.
fn line_of(mut points: Vec<Point>) -> Vec<Point> {
    for _ in 0..ROUNDS {
        let before = points.clone();
        for (index, ends) in before.windows(3).enumerate() {
            points[index + 1] = softened(ends[0], ends[1], ends[2]);
        }
    }
    let turned = order(points[0], points[points.len() - 1]).is_gt();
    if turned {
        points.reverse();
    }
    let mut line = simple(&points);
    if turned {
        line.reverse();
    }
    line
}

/// Smooths a closed line. The result is the same for every start and in both directions.
fn loop_of(mut points: Vec<Point>) -> Vec<Point> {
    let count = points.len();
    for _ in 0..ROUNDS {
        let before = points.clone();
        for index in 0..count {
            let (last, next) = ((index + count - 1) % count, (index + 1) % count);
            points[index] = softened(before[last], before[index], before[next]);
        }
    }
    let first = (0..count)
        .min_by(|&a, &b| order(points[a], points[b]))
        .unwrap_or(0);
    points.rotate_left(first);
    let turned = order(points[1 % count], points[count - 1]).is_gt();
    if turned {
        points[1..].reverse();
    }
    points.push(points[0]);
    let mut line = simple(&points);
    line.pop();
    if turned {
        line[1..].reverse();
    }
    line
}

fn order(a: Point, b: Point) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
}

/// Returns a corner moved towards the middle of its neighbours. The result is the same from both
/// sides.
fn softened(last: Point, at: Point, next: Point) -> Point {
    (
        ((last.0 + next.0) + 2.0 * at.0) / 4.0,
        ((last.1 + next.1) + 2.0 * at.1) / 4.0,
    )
}

/// Simplifies a line with the Douglas–Peucker algorithm.
fn simple(points: &[Point]) -> Vec<Point> {
    let mut kept = vec![false; points.len()];
    kept[0] = true;
    kept[points.len() - 1] = true;
    let mut parts = vec![(0, points.len() - 1)];
    while let Some((from, to)) = parts.pop() {
        let far = (from + 1..to).map(|at| (at, off(points[at], points[from], points[to])));
        let farthest = far.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        if let Some((at, _)) = farthest.filter(|(_, far)| *far > OFF) {
            kept[at] = true;
            parts.extend([(from, at), (at, to)]);
        }
    }
    let left = points.iter().zip(kept).filter(|(_, kept)| *kept);
    left.map(|(point, _)| *point).collect()
}

/// Returns the distance of a point from the line through two others.
fn off(point: Point, from: Point, to: Point) -> f64 {
    let long = distance(from, to);
    if long < 1e-9 {
        return distance(point, from);
    }
    let turn = (to.0 - from.0) * (point.1 - from.1) - (to.1 - from.1) * (point.0 - from.0);
    turn.abs() / long
}
