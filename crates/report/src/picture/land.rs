//! Land for territories without shapes. Each territory gets the area near its place and near the
//! paths to its neighbours. Water separates territories without a border.

use std::collections::VecDeque;

use super::contours::{Contours, Squares, WATER};
use super::layout::{Point, PointIndex, distance, extent};
use risk_kernel::board::{Board, Look};
use risk_kernel::id::Territory;
use risk_maps::map::shores::cross;

const MOST_SQUARES: f64 = 1_500_000.0;
/// The maximum length of borders over land, in usual lengths: within a continent, and between two.
const WITHIN: f64 = 1.75;
const ABROAD: f64 = 1.3;
/// The maximum number of land paths in a square as wide as the longest path.
const MOST_WAYS: usize = 48;
/// The width of water between territories without a border, in usual border lengths.
const CHANNEL: f64 = 0.1;
/// The width of water between continents that are islands, in usual border lengths.
const STRAIT: f64 = 0.28;
/// The maximum area of enclosed water that becomes land, in squares of the usual border length.
const POND: f64 = 0.55;
/// The minimum length of a visible common line, in usual border lengths.
const SEEN: f64 = 0.12;
/// The value of a square that will become land.
const FREE: u32 = u32::MAX;

/// The centre of a piece of land. The piece is the area within `far`, except parts nearer to other
/// pieces.
#[derive(Clone, Copy)]
struct LandSeed {
    of: usize,
    at: Point,
    far: f64,
}

/// Returns the outlines of the territories at these places. `usual` is the usual border length.
pub(super) fn land(board: &Board, places: &[Point], usual: f64) -> Contours {
    let seeds = seeds(board, places, usual);
    let (low, high) = extent(places.iter()).expect("a map has at least one territory");
    let rim = usual;
    let (wide, high) = (high.0 - low.0 + 2.0 * rim, high.1 - low.1 + 2.0 * rim);
    let side = (usual / 24.0).max((wide * high / MOST_SQUARES).sqrt());
    let sheet = LandGrid {
        corner: (low.0 - rim, low.1 - rim),
        side,
        columns: (wide / side).ceil() as usize + 2,
        rows: (high / side).ceil() as usize + 2,
    };
    let mut squares = sheet.paint(board, &seeds, usual);
    sheet.settle(board, &mut squares, places, usual);
    let squares = Squares {
        columns: sheet.columns,
        rows: sheet.rows,
        of: squares,
    };
    let mut found = squares.contours(places.len());
    let onto = |point: &mut Point| {
        *point = (
            sheet.corner.0 + point.0 * side,
            sheet.corner.1 + point.1 * side,
        );
    };
    found.rings.iter_mut().flatten().flatten().for_each(onto);
    found.common.values_mut().flatten().flatten().for_each(onto);
    for (rings, &place) in found.rings.iter_mut().zip(places) {
        rings.retain(|ring| ring.len() > 2);
        if rings.is_empty() {
            rings.push(circle(place, side, 8));
        }
    }
    // A line that is too short to be visible is treated as a corner.
    found.common.retain(|_, lines| {
        let lengths = lines.iter().flat_map(|line| line.windows(2));
        lengths.map(|ends| distance(ends[0], ends[1])).sum::<f64>() >= usual * SEEN
    });
    found
}

/// Returns the width of the water between two territories, in usual border lengths.
fn water(board: &Board, one: usize, other: usize) -> f64 {
    let (one, other) = (Territory::from_index(one), Territory::from_index(other));
    if is_abroad(board, one, other) {
        STRAIT
    } else if board.borders(one, other) || board.borders(other, one) {
        0.0
    } else {
        CHANNEL
    }
}

/// Reports whether two territories are on different islands.
fn is_abroad(board: &Board, one: Territory, other: Territory) -> bool {
    board.look() == Look::Islands && board.continent(one) != board.continent(other)
}

pub(super) fn circle(middle: Point, radius: f64, corners: u32) -> Vec<Point> {
    let corner = |corner: u32| {
        let turn = std::f64::consts::TAU * f64::from(corner) / f64::from(corners);
        (
            middle.0 + radius * turn.cos(),
            middle.1 + radius * turn.sin(),
        )
    };
    (0..corners).map(corner).collect()
}

/// Returns the seeds at the places and on the paths to neighbours.
fn seeds(board: &Board, places: &[Point], usual: f64) -> Vec<LandSeed> {
    let near = PointIndex::of(places, usual);
    let far = radii(board, places, usual, &near);
    let mut seeds: Vec<LandSeed> = (0..places.len())
        .map(|of| LandSeed {
            of,
            at: places[of],
            far: far[of],
        })
        .collect();
    for (from, to) in ways(board, places, usual) {
        let (a, b) = (places[from], places[to]);
        let far = (usual * 0.33).min(distance(a, b) * 0.42);
        let point = |share: f64| (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share);
        let shares = [0.16, 0.28, 0.4, 0.49];
        let is_free = |at: Point| {
            let mut others = near.around(at).filter(|&&of| of != from && of != to);
            others.all(|&of| distance(places[of], at) > far * 1.25)
        };
        if shares
            .iter()
            .all(|&share| is_free(point(share)) && is_free(point(1.0 - share)))
        {
            for share in shares {
                let seed = |of, share| LandSeed {
                    of,
                    at: point(share),
                    far,
                };
                seeds.extend([seed(from, share), seed(to, 1.0 - share)]);
            }
        }
    }
    seeds
}

/// Returns the reach of the land around each place. The reach is smaller if neighbours are near.
fn radii(board: &Board, places: &[Point], usual: f64, near: &PointIndex<usize>) -> Vec<f64> {
    let radius = |at: Territory| {
        let place = places[at.index()];
        let all = board.neighbours(at).iter().chain(board.sources(at));
        let mut lengths: Vec<f64> = all.map(|to| distance(place, places[to.index()])).collect();
        lengths.sort_by(f64::total_cmp);
        let middle = lengths.get(lengths.len() / 2).copied().unwrap_or(usual);
        let others = near.around(place).filter(|&&of| of != at.index());
        let nearest = others.map(|&of| distance(places[of], place));
        let nearest = nearest.fold(f64::MAX, f64::min);
        (middle * 0.6)
            .clamp(usual * 0.45, usual * 0.72)
            .min(nearest * 0.95)
    };
    board.territories().map(radius).collect()
}

/// Returns the borders that can become touching land: short borders that cross no shorter border.
fn ways(board: &Board, places: &[Point], usual: f64) -> Vec<(usize, usize)> {
    let mut all: Vec<(f64, usize, usize)> = Vec::new();
    for (from, to, _) in board.edges() {
        let abroad = board.continent(from) != board.continent(to);
        let most = if abroad { ABROAD } else { WITHIN };
        let long = distance(places[from.index()], places[to.index()]);
        if long <= usual * most && !is_abroad(board, from, to) {
            all.push((long, from.index(), to.index()));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut taken: PointIndex<(usize, usize)> = PointIndex::new(usual * WITHIN);
    let mut found = Vec::new();
    for (_, from, to) in all {
        let (a, b) = (places[from], places[to]);
        let middle = (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
        let crosses = |&(one, other): &(usize, usize)| {
            let apart = ![one, other].contains(&from) && ![one, other].contains(&to);
            apart && cross(a, b, places[one], places[other])
        };
        if taken.crowd(middle) < MOST_WAYS && !taken.around(middle).any(crosses) {
            taken.put(middle, (from, to));
            found.push((from, to));
        }
    }
    found
}

/// A claim on a square: the signed nearness and the seed. Lower is nearer, and 0 or more is out of
/// reach.
type LandClaim = (f64, Option<usize>);

struct LandGrid {
    /// The upper left corner.
    corner: Point,
    side: f64,
    columns: usize,
    rows: usize,
}

impl LandGrid {
    /// Returns the square of a point, but never a square at the rim.
    fn square(&self, at: Point) -> (usize, usize) {
        let square =
            |value: f64, most: usize| ((value / self.side).max(1.0) as usize).min(most - 2);
        (
            square(at.0 - self.corner.0, self.columns),
            square(at.1 - self.corner.1, self.rows),
        )
    }

    /// Assigns each square to the nearest seed or to the water.
    fn paint(&self, board: &Board, seeds: &[LandSeed], usual: f64) -> Vec<u32> {
        let nothing: (LandClaim, LandClaim) = ((0.0, None), (f64::MAX, None));
        // Slightly beyond its reach, a seed gets no land but keeps other land away.
        let beyond = usual * STRAIT;
        let mut claims = vec![nothing; self.columns * self.rows];
        for (index, seed) in seeds.iter().enumerate() {
            let reach = seed.far + beyond;
            let low = self.square((seed.at.0 - reach, seed.at.1 - reach));
            let high = self.square((seed.at.0 + reach, seed.at.1 + reach));
            for row in low.1..=high.1 {
                let y = self.corner.1 + (row as f64 + 0.5) * self.side - seed.at.1;
                for column in low.0..=high.0 {
                    let x = self.corner.0 + (column as f64 + 0.5) * self.side - seed.at.0;
                    let near = x * x + y * y - seed.far * seed.far;
                    let (first, second) = &mut claims[row * self.columns + column];
                    let of = |claim: &LandClaim| claim.1.map(|index| seeds[index].of);
                    if near < first.0 {
                        if first.1.is_some() && of(first) != Some(seed.of) {
                            *second = *first;
                        }
                        *first = (near, Some(index));
                    } else if near < second.0 && of(first) != Some(seed.of) {
                        *second = (near, Some(index));
                    }
                }
            }
        }
        let square = |&((near, first), (next, second)): &(LandClaim, LandClaim)| {
            let Some(first) = first.map(|index| seeds[index]) else {
                return WATER;
            };
            // Water separates islands and territories without a border.
            let is_channel = second.map(|index| seeds[index]).is_some_and(|other| {
                let apart = distance(first.at, other.at).max(1e-6);
                let wide = usual * water(board, first.of, other.of);
                (next - near) / apart < wide
            });
            if is_channel {
                WATER
            } else {
                first.of as u32 + 1
            }
        };
        claims.iter().map(square).collect()
    }

    fn beside(&self, at: usize) -> [usize; 4] {
        [at - 1, at + 1, at - self.columns, at + self.columns]
    }

    fn is_rim(&self, at: usize) -> bool {
        let (column, row) = (at % self.columns, at / self.columns);
        column == 0 || row == 0 || column + 1 == self.columns || row + 1 == self.rows
    }

    /// Reduces each territory to one piece around its place, and turns small water into land.
    fn settle(&self, board: &Board, squares: &mut [u32], places: &[Point], usual: f64) {
        let mut kept = vec![false; squares.len()];
        let mut queue = VecDeque::new();
        for (index, &place) in places.iter().enumerate() {
            let (column, row) = self.square(place);
            let at = row * self.columns + column;
            squares[at] = index as u32 + 1;
            kept[at] = true;
            queue.push_back(at);
        }
        while let Some(at) = queue.pop_front() {
            for next in self.beside(at) {
                if squares[next] == squares[at] && !kept[next] && !self.is_rim(next) {
                    kept[next] = true;
                    queue.push_back(next);
                }
            }
        }
        for (square, kept) in squares.iter_mut().zip(kept) {
            if *square != WATER && !kept {
                *square = FREE;
            }
        }
        self.ponds(board, squares, (usual / self.side).powi(2) * POND);
        self.fill(squares);
    }

    /// Marks enclosed water of fewer than `most` squares as `FREE`, except between islands.
    fn ponds(&self, board: &Board, squares: &mut [u32], most: f64) {
        let mut seen = vec![false; squares.len()];
        for start in 0..squares.len() {
            if squares[start] != WATER || seen[start] {
                continue;
            }
            seen[start] = true;
            let mut pond = vec![start];
            let mut next = 0;
            let mut is_open = false;
            let mut shore: Option<Territory> = None;
            while let Some(&at) = pond.get(next) {
                next += 1;
                if self.is_rim(at) {
                    is_open = true;
                }
                for beside in self.inner(at) {
                    let land = squares[beside];
                    if land != WATER && land != FREE {
                        let land = Territory::from_index(land as usize - 1);
                        is_open |= shore.is_some_and(|other| is_abroad(board, land, other));
                        shore = Some(land);
                    }
                    if squares[beside] == WATER && !seen[beside] {
                        seen[beside] = true;
                        pond.push(beside);
                    }
                }
            }
            if !is_open && (pond.len() as f64) < most {
                pond.into_iter().for_each(|at| squares[at] = FREE);
            }
        }
    }

    /// Returns the squares beside a square, including squares at the rim.
    fn inner(&self, at: usize) -> impl Iterator<Item = usize> {
        let (column, row) = (at % self.columns, at / self.columns);
        let (columns, rows) = (self.columns, self.rows);
        [(-1, 0), (1, 0), (0, -1), (0, 1)]
            .into_iter()
            .filter_map(move |(right, down)| {
                let column = column
                    .checked_add_signed(right)
                    .filter(|at| *at < columns)?;
                let row = row.checked_add_signed(down).filter(|at| *at < rows)?;
                Some(row * columns + column)
            })
    }

    /// Grows land over `FREE` squares. Unreachable squares become water.
    fn fill(&self, squares: &mut [u32]) {
        let is_land = |square: u32| square != WATER && square != FREE;
        let mut queue: VecDeque<usize> = (0..squares.len())
            .filter(|&at| is_land(squares[at]) && !self.is_rim(at))
            .filter(|&at| self.beside(at).iter().any(|&next| squares[next] == FREE))
            .collect();
        while let Some(at) = queue.pop_front() {
            for next in self.beside(at) {
                if squares[next] == FREE && !self.is_rim(next) {
                    squares[next] = squares[at];
                    queue.push_back(next);
                }
            }
        }
        for square in squares {
            if *square == FREE {
                *square = WATER;
            }
        }
    }
}
