//! Shores: the common lines of shapes that touch, and lines over water between shapes.

use std::cell::Cell;
use std::collections::BTreeMap;

use risk_kernel::board::Board;
use risk_kernel::id::Territory;

/// A point, as distances to the right and downwards.
pub type Point = (f64, f64);

/// The maximum distance between two lines that count as one.
const NEAR: f64 = 2.0;
/// The minimum length of a common line of two territories.
const TOUCH: f64 = 3.0;
/// The maximum number of sides that are compared for a map. Beyond this number, a map is drawn as
/// if it had no shapes.
const BUDGET: u64 = 20_000_000;
/// The maximum number of pieces into which the lines of a map are cut for comparison.
const PIECES: f64 = 200_000.0;
/// The share of a picture's width beyond which a line over water runs around the world.
pub const AROUND: f64 = 0.6;
/// The maximum number of borders over water for which a good line is searched for.
const MOST_LINKS: usize = 2_000;
/// The maximum number of points on a coast at which lines may begin.
const STARTS: usize = 90;
/// The maximum number of lines that are tried, starting with the shortest.
const TRIES: usize = 400;

/// The outlines of all territories of a map, with their common lines.
#[derive(Debug)]
pub struct Shores {
    outlines: Vec<Vec<Vec<Point>>>,
    /// The common lines of each pair of territories, with the lower number first.
    common: BTreeMap<(usize, usize), Vec<Vec<Point>>>,
    grid: Grid,
    budget: Cell<u64>,
}

/// A line from one territory to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The end on the first territory.
    pub from: Point,
    /// The end on the second territory.
    pub to: Point,
    /// Whether the line crosses no land.
    pub clear: bool,
}

#[derive(Clone, Copy, Debug)]
struct OutlineSide {
    of: usize,
    from: Point,
    to: Point,
}

/// An index of sides by the squares that they cross.
#[derive(Debug)]
struct Grid {
    square: f64,
    sides: Vec<OutlineSide>,
    squares: BTreeMap<(i32, i32), Vec<u32>>,
}

impl Grid {
    fn new(sides: Vec<OutlineSide>, square: f64) -> Self {
        let mut squares: BTreeMap<(i32, i32), Vec<u32>> = BTreeMap::new();
        for (index, side) in sides.iter().enumerate() {
            for (low, high) in boxes(side.from, side.to, square) {
                for key in keys(low, high, square) {
                    let there = squares.entry(key).or_default();
                    if there.last() != Some(&(index as u32)) {
                        there.push(index as u32);
                    }
                }
            }
        }
        Self {
            square,
            sides,
            squares,
        }
    }

    /// Returns the sides near a box. Some sides may appear more than once.
    fn within(&self, low: Point, high: Point) -> impl Iterator<Item = OutlineSide> + '_ {
        keys(low, high, self.square)
            .filter_map(|key| self.squares.get(&key))
            .flatten()
            .map(|&index| self.sides[index as usize])
    }
}

/// Returns boxes along a line. No box is much larger than a square.
fn boxes(from: Point, to: Point, square: f64) -> impl Iterator<Item = (Point, Point)> {
    let steps = (distance(from, to) / square).ceil().max(1.0);
    (0..steps as u32).map(move |step| {
        let one = between(from, to, f64::from(step) / steps);
        let next = between(from, to, f64::from(step + 1) / steps);
        let low = (one.0.min(next.0), one.1.min(next.1));
        (low, (one.0.max(next.0), one.1.max(next.1)))
    })
}

fn keys(low: Point, high: Point, square: f64) -> impl Iterator<Item = (i32, i32)> {
    let cell = move |value: f64| (value / square).floor() as i32;
    (cell(low.0)..=cell(high.0))
        .flat_map(move |column| (cell(low.1)..=cell(high.1)).map(move |row| (column, row)))
}

impl Shores {
    /// Returns the shores of a map if all of its territories have shapes that can be compared
    /// within the budget. `place` converts corners of the map to the picture.
    #[must_use]
    pub fn new(board: &Board, place: impl Fn(Point) -> Point) -> Option<Self> {
        let outline = |at: Territory| {
            let rings = board.info(at).shape.iter();
            let point = |&(x, y): &(i32, i32)| place((f64::from(x), f64::from(y)));
            rings.map(|ring| ring.iter().map(point).collect()).collect()
        };
        Self::from_outlines(board.territories().map(outline).collect())
    }

    /// Returns the shores of outlines. Each outline consists of closed rings.
    #[must_use]
    pub fn from_outlines(outlines: Vec<Vec<Vec<Point>>>) -> Option<Self> {
        if outlines.iter().any(Vec::is_empty) {
            return None;
        }
        let (mut shores, length) = Self::apart(outlines);
        shores.compare((length / PIECES).max(3.0))?;
        Some(shores)
    }

    /// Returns the shores of outlines whose common lines are known. The keys of `common` are pairs
    /// of territories, with the lower number first.
    #[must_use]
    pub fn with_common(
        outlines: Vec<Vec<Vec<Point>>>,
        common: BTreeMap<(usize, usize), Vec<Vec<Point>>>,
    ) -> Self {
        let (shores, _) = Self::apart(outlines);
        Self { common, ..shores }
    }

    /// Creates shores without common lines, and returns them with the total length of the outlines.
    fn apart(outlines: Vec<Vec<Vec<Point>>>) -> (Self, f64) {
        let sides: Vec<OutlineSide> = outlines
            .iter()
            .enumerate()
            .flat_map(|(of, rings)| {
                let sides = rings.iter().flat_map(|ring| sides_of(ring));
                sides.map(move |(from, to)| OutlineSide { of, from, to })
            })
            .collect();
        let length: f64 = sides.iter().map(|side| distance(side.from, side.to)).sum();
        let square = (length / 4_000.0).max(8.0);
        let shores = Self {
            outlines,
            common: BTreeMap::new(),
            grid: Grid::new(sides, square),
            budget: Cell::new(BUDGET),
        };
        (shores, length)
    }

    /// Returns the outline of a territory as closed rings.
    #[must_use]
    pub fn outline(&self, of: usize) -> &[Vec<Point>] {
        &self.outlines[of]
    }

    /// Returns the common lines of all pairs of territories, with the lower number first.
    pub fn common(&self) -> impl Iterator<Item = ((usize, usize), &[Vec<Point>])> {
        self.common
            .iter()
            .map(|(&pair, lines)| (pair, lines.as_slice()))
    }

    /// Reports whether two territories have a common line.
    #[must_use]
    pub fn touch(&self, one: usize, other: usize) -> bool {
        self.common.contains_key(&(one.min(other), one.max(other)))
    }

    /// Returns the distance from the left end to the right end of all land.
    #[must_use]
    pub fn width(&self) -> f64 {
        let points = || self.outlines.iter().flatten().flatten();
        let all = || points().map(|point| point.0);
        all().fold(0.0, f64::max) - all().fold(f64::INFINITY, f64::min)
    }

    /// Reports whether a point is on the land of a territory.
    #[must_use]
    pub fn holds(&self, of: usize, point: Point) -> bool {
        inside(&self.outlines[of], point)
    }

    /// Cuts the sides into pieces, and finds the territories with sides close to each piece.
    fn compare(&mut self, step: f64) -> Option<()> {
        let mut common: BTreeMap<(usize, usize), Vec<Vec<Point>>> = BTreeMap::new();
        let mut looked = 0;
        for side in &self.grid.sides {
            let count = (distance(side.from, side.to) / step).ceil().max(1.0);
            for piece in 0..count as u32 {
                let from = between(side.from, side.to, f64::from(piece) / count);
                let to = between(side.from, side.to, f64::from(piece + 1) / count);
                let middle = between(from, to, 0.5);
                let low = (middle.0 - NEAR, middle.1 - NEAR);
                let high = (middle.0 + NEAR, middle.1 + NEAR);
                let near = self.grid.within(low, high).inspect(|_| looked += 1);
                // Of the two lines of a pair, use the line of the territory with the lower number.
                let mut others: Vec<usize> = near
                    .filter(|other| other.of > side.of)
                    .filter(|other| gap(middle, other.from, other.to) <= NEAR)
                    .map(|other| other.of)
                    .collect();
                others.sort_unstable();
                others.dedup();
                if looked > BUDGET {
                    return None;
                }
                for other in others {
                    let lines = common.entry((side.of, other)).or_default();
                    match lines.last_mut() {
                        Some(line) if line.last() == Some(&from) => line.push(to),
                        _ => lines.push(vec![from, to]),
                    }
                }
            }
        }
        let long = |lines: &[Vec<Point>]| {
            let lengths = lines.iter().flat_map(|line| line.windows(2));
            lengths.map(|ends| distance(ends[0], ends[1])).sum::<f64>() >= TOUCH
        };
        common.retain(|_, lines| long(lines));
        self.common = common;
        Some(())
    }

    /// Returns lines over water for borders between territories that do not touch, in the order of
    /// `pairs`. Each line is the shortest that is at least `least` long and crosses no land, if
    /// there is one.
    #[must_use]
    pub fn links(&self, pairs: &[(usize, usize)], least: f64) -> Vec<Link> {
        let many = pairs.len() > MOST_LINKS;
        let starts = |of: usize| self.starts(of, if many { 8 } else { STARTS });
        pairs
            .iter()
            .map(|&(one, other)| self.link(&starts(one), &starts(other), least, many))
            .collect()
    }

    /// Returns evenly spaced points on the coast of a territory.
    fn starts(&self, of: usize, most: usize) -> Vec<Point> {
        let rings = &self.outlines[of];
        let sides = || rings.iter().flat_map(|ring| sides_of(ring));
        let length: f64 = sides().map(|(from, to)| distance(from, to)).sum();
        let step = (length / most as f64).max(1.0);
        let mut found = Vec::with_capacity(most + 1);
        let mut gone = 0.0;
        for (from, to) in sides() {
            let long = distance(from, to);
            while gone < long {
                found.push(between(from, to, gone / long));
                gone += step;
            }
            gone -= long;
        }
        found
    }

    fn link(&self, from: &[Point], to: &[Point], least: f64, hurry: bool) -> Link {
        let mut all: Vec<(f64, Point, Point)> = from
            .iter()
            .flat_map(|&a| to.iter().map(move |&b| (distance(a, b), a, b)))
            .collect();
        // Lines that are too short to be visible come last.
        let rank = |long: f64| if long < least { 10_000.0 - long } else { long };
        all.sort_by(|a, b| rank(a.0).total_cmp(&rank(b.0)));
        let tries = all.iter().take(if hurry { 1 } else { TRIES });
        let clear = tries.clone().find(|(_, a, b)| self.is_water(*a, *b));
        let found = clear.or_else(|| all.first());
        found.map_or(
            Link {
                from: (0.0, 0.0),
                to: (0.0, 0.0),
                clear: false,
            },
            |&(_, from, to)| Link {
                from,
                to,
                clear: clear.is_some(),
            },
        )
    }

    /// Reports whether a line from coast to coast crosses no land. Returns false if the budget is
    /// used up.
    fn is_water(&self, from: Point, to: Point) -> bool {
        let long = distance(from, to).max(1e-9);
        let share = (0.6 / long).min(0.3);
        let a = between(from, to, share);
        let b = between(from, to, 1.0 - share);
        let mut looked = 1;
        let crosses = boxes(a, b, self.grid.square).any(|(low, high)| {
            let mut near = self.grid.within(low, high).inspect(|_| looked += 1);
            near.any(|side| cross(a, b, side.from, side.to))
        });
        let left = self.budget.get().saturating_sub(looked);
        self.budget.set(left);
        let corners = self.grid.sides.len() as u64;
        if crosses || left < corners {
            return false;
        }
        self.budget.set(left - corners);
        let middle = between(from, to, 0.5);
        !self.outlines.iter().any(|rings| inside(rings, middle))
    }
}

fn sides_of(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    (0..ring.len()).map(|index| (ring[index], ring[(index + 1) % ring.len()]))
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

fn between(a: Point, b: Point, share: f64) -> Point {
    (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
}

/// Returns the distance of a point from the line segment between two other points.
fn gap(point: Point, from: Point, to: Point) -> f64 {
    let dx = to.0 - from.0;
    let dy = to.1 - from.1;
    let square = dx * dx + dy * dy;
    let share = if square > 0.0 {
        ((point.0 - from.0) * dx + (point.1 - from.1) * dy) / square
    } else {
        0.0
    };
    distance(point, between(from, to, share.clamp(0.0, 1.0)))
}

/// Reports whether a point is inside these rings, by the even-odd rule.
pub(super) fn inside(rings: &[Vec<Point>], point: Point) -> bool {
    let crossed = rings
        .iter()
        .flat_map(|ring| sides_of(ring))
        .filter(|&(a, b)| (a.1 > point.1) != (b.1 > point.1))
        .filter(|&(a, b)| point.0 < a.0 + (point.1 - a.1) / (b.1 - a.1) * (b.0 - a.0));
    crossed.count() % 2 == 1
}

/// Reports whether the lines from `a` to `b` and from `c` to `d` cross.
#[must_use]
pub fn cross(a: Point, b: Point, c: Point, d: Point) -> bool {
    let turn = |p: Point, q: Point, r: Point| (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0);
    let sides = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b));
    (sides.0 > 0.0) != (sides.1 > 0.0) && (sides.2 > 0.0) != (sides.3 > 0.0)
}

/// Returns a point well inside the largest ring, where a name can be placed.
#[must_use]
pub fn middle(rings: &[Vec<Point>]) -> Option<Point> {
    const STEPS: u32 = 24;
    let ring = rings.iter().max_by(|a, b| area(a).total_cmp(&area(b)))?;
    let low = ring
        .iter()
        .fold((f64::INFINITY, f64::INFINITY), |low, point| {
            (low.0.min(point.0), low.1.min(point.1))
        });
    let high = ring
        .iter()
        .fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |high, point| {
            (high.0.max(point.0), high.1.max(point.1))
        });
    let deep = |point: Point| {
        let lines = rings.iter().flat_map(|ring| sides_of(ring));
        let near = lines
            .map(|(from, to)| gap(point, from, to))
            .fold(f64::INFINITY, f64::min);
        if inside(rings, point) { near } else { -near }
    };
    let mut best = (f64::NEG_INFINITY, ring[0]);
    let mut span = (high.0 - low.0, high.1 - low.1);
    let mut corner = low;
    for _ in 0..3 {
        for step in 0..(STEPS + 1) * (STEPS + 1) {
            let share = |step: u32| f64::from(step) / f64::from(STEPS);
            let x = corner.0 + span.0 * share(step % (STEPS + 1));
            let y = corner.1 + span.1 * share(step / (STEPS + 1));
            let depth = deep((x, y));
            if depth > best.0 {
                best = (depth, (x, y));
            }
        }
        span = (span.0 / 8.0, span.1 / 8.0);
        corner = (best.1.0 - span.0 / 2.0, best.1.1 - span.1 / 2.0);
    }
    (best.0 > 0.0).then_some(best.1)
}

pub(super) fn area(ring: &[Point]) -> f64 {
    let sum: f64 = sides_of(ring).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
    sum.abs() / 2.0
}
