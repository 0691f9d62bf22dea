//! The places of territories, either from the map or from a force-directed layout.

use std::collections::BTreeMap;

use risk_kernel::board::Board;
use risk_kernel::id::Territory;

/// A point: its distances from the left and from the top.
pub(super) type Point = (f64, f64);

/// Returns a place for each territory, either from the map or computed from the borders. The same
/// map always gets the same places.
pub(super) fn places(board: &Board) -> Vec<Point> {
    let given: Vec<Option<Point>> = board
        .territories()
        .map(|at| board.info(at).at.map(|(x, y)| (f64::from(x), f64::from(y))))
        .collect();
    let known: Vec<Point> = given.iter().copied().flatten().collect();
    let spread = known.iter().any(|point| *point != known[0]);
    if !spread {
        return settle(board);
    }
    if known.len() == given.len() {
        return apart(known);
    }
    // Territories without a place are put between their neighbours.
    let middle = mean(known.iter().copied()).unwrap_or_default();
    let place = |at: Territory| {
        let near = board
            .neighbours(at)
            .iter()
            .filter_map(|to| given[to.index()]);
        given[at.index()].or_else(|| mean(near)).unwrap_or(middle)
    };
    apart(board.territories().map(place).collect())
}

/// Values at points, indexed by squares of equal size.
pub(super) struct PointIndex<T> {
    side: f64,
    squares: BTreeMap<(i64, i64), Vec<T>>,
}

impl<T> PointIndex<T> {
    pub(super) const fn new(side: f64) -> Self {
        Self {
            side,
            squares: BTreeMap::new(),
        }
    }

    fn square(&self, at: Point) -> (i64, i64) {
        let square = |value: f64| (value / self.side).floor() as i64;
        (square(at.0), square(at.1))
    }

    /// Returns the number of values in the square of a point.
    pub(super) fn crowd(&self, at: Point) -> usize {
        self.squares.get(&self.square(at)).map_or(0, Vec::len)
    }

    pub(super) fn put(&mut self, at: Point, value: T) {
        let square = self.square(at);
        self.squares.entry(square).or_default().push(value);
    }

    /// Returns all values within the width of a square, and some farther values.
    pub(super) fn around(&self, at: Point) -> impl Iterator<Item = &T> {
        let (column, row) = self.square(at);
        let keys = (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
        keys.filter_map(|key| self.squares.get(&key)).flatten()
    }
}

impl PointIndex<usize> {
    /// Returns the places' indices.
    pub(super) fn of(places: &[Point], side: f64) -> Self {
        let mut index = Self::new(side);
        for (at, place) in places.iter().enumerate() {
            index.put(*place, at);
        }
        index
    }
}

pub(super) fn mean(points: impl Iterator<Item = Point>) -> Option<Point> {
    let (count, x, y) = points.fold((0, 0.0, 0.0), |(count, x, y), point| {
        (count + 1, x + point.0, y + point.1)
    });
    (count > 0).then(|| (x / f64::from(count), y / f64::from(count)))
}

/// Moves territories with the same place slightly apart.
fn apart(mut places: Vec<Point>) -> Vec<Point> {
    let span = places
        .iter()
        .fold(1.0_f64, |most, (x, y)| most.max(x.abs()).max(y.abs()));
    let step = span / 40.0;
    let mut seen: BTreeMap<(i64, i64), u32> = BTreeMap::new();
    for place in &mut places {
        let count = seen
            .entry(((place.0 * 10.0) as i64, (place.1 * 10.0) as i64))
            .or_insert(0);
        if *count > 0 {
            let turn = f64::from(*count) * 2.4;
            *place = (place.0 + step * turn.cos(), place.1 + step * turn.sin());
        }
        *count += 1;
    }
    places
}

/// Moves places apart that are closer together than `least`, so they can be distinguished.
pub(super) fn push_apart(places: &mut [Point], least: f64) {
    const ROUNDS: usize = 60;
    for _ in 0..ROUNDS {
        let near = PointIndex::of(places, least);
        let mut moved = false;
        for index in 0..places.len() {
            let around = near.around(places[index]).copied();
            for other in around.filter(|&other| other > index) {
                let dx = places[other].0 - places[index].0;
                let dy = places[other].1 - places[index].1;
                let length = dx.hypot(dy);
                if length >= least {
                    continue;
                }
                // Two points at the same place move apart sideways.
                let (dx, dy) = if length < 1e-6 {
                    (1.0, 0.0)
                } else {
                    (dx / length, dy / length)
                };
                let step = (least - length) / 2.0 + 0.1;
                places[index] = (places[index].0 - dx * step, places[index].1 - dy * step);
                places[other] = (places[other].0 + dx * step, places[other].1 + dy * step);
                moved = true;
            }
        }
        if !moved {
            return;
        }
    }
}

/// Returns the distance from each place to the nearest other place, at most `most`.
pub(super) fn nearest(places: &[Point], most: f64) -> Vec<f64> {
    let near = PointIndex::of(places, most);
    let nearest = |(index, place): (usize, &Point)| {
        let others = near.around(*place).filter(|&&other| other != index);
        let lengths = others.map(|&other| distance(places[other], *place));
        lengths.fold(most, f64::min)
    };
    places.iter().enumerate().map(nearest).collect()
}

/// Lets borders pull and territories push until they rest. This is the Fruchterman–Reingold
/// algorithm, with pushes only between nearby territories.
fn settle(board: &Board) -> Vec<Point> {
    let count = board.len();
    let side = (count as f64).sqrt();
    let mut places = rings(board);
    let rounds = if count > 1_500 { 80 } else { 300 };
    for round in 0..rounds {
        let heat = side * 0.08 * (1.0 - f64::from(round) / f64::from(rounds)) + 0.01;
        let mut forces = vec![(0.0, 0.0); count];
        push(&places, &mut forces);
        for at in board.territories() {
            for &to in board.neighbours(at) {
                let from = at.index();
                let to = to.index();
                let dx = places[to].0 - places[from].0;
                let dy = places[to].1 - places[from].1;
                let length = dx.hypot(dy).max(0.01);
                let pull = length * 0.5;
                forces[from] = (
                    forces[from].0 + dx / length * pull * length,
                    forces[from].1 + dy / length * pull * length,
                );
                forces[to] = (
                    forces[to].0 - dx / length * pull * length,
                    forces[to].1 - dy / length * pull * length,
                );
            }
        }
        for (place, (fx, fy)) in places.iter_mut().zip(forces) {
            let strength = fx.hypot(fy).max(1e-9);
            let step = strength.min(heat);
            *place = (
                place.0 + fx / strength * step,
                place.1 + fy / strength * step,
            );
        }
    }
    places
}

/// Adds the forces between nearby territories.
fn push(places: &[Point], forces: &mut [Point]) {
    const REACH: f64 = 3.0;
    let near = PointIndex::of(places, REACH);
    for (index, place) in places.iter().enumerate() {
        let around = near.around(*place).copied();
        for other in around.filter(|other| *other != index) {
            let dx = place.0 - places[other].0;
            let dy = place.1 - places[other].1;
            let length = dx.hypot(dy);
            // Two points at the same place move in different directions, by their indices.
            let (dx, dy) = if length < 1e-6 {
                (if index < other { 0.01 } else { -0.01 }, 0.003)
            } else {
                (dx, dy)
            };
            let length = length.max(0.01);
            let strength = (1.0 / length).min(20.0);
            forces[index] = (
                forces[index].0 + dx / length * strength,
                forces[index].1 + dy / length * strength,
            );
        }
    }
}

/// Returns the initial places: rings around a central territory. Each territory is near its
/// neighbours in the ring before.
fn rings(board: &Board) -> Vec<Point> {
    let count = board.len();
    let far = |from: usize| {
        let mut steps = vec![usize::MAX; count];
        let mut order = vec![from];
        steps[from] = 0;
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            let at = Territory::from_index(at);
            for to in board.neighbours(at).iter().chain(board.sources(at)) {
                if steps[to.index()] == usize::MAX {
                    steps[to.index()] = steps[at.index()] + 1;
                    order.push(to.index());
                }
            }
        }
        (steps, order)
    };
    // The middle of the longest path is a good centre.
    let end = far(0).1.last().copied().unwrap_or(0);
    let (steps, order) = far(end);
    let length = order.last().map_or(0, |&last| steps[last]);
    let centre = order.iter().find(|&&at| steps[at] == length / 2);
    let centre = centre.copied().unwrap_or(0);
    let (steps, order) = far(centre);
    let mut places = vec![(0.0, 0.0); count];
    let mut by_step: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let rest = (0..count).filter(|at| steps[*at] == usize::MAX);
    for at in order.iter().copied().chain(rest) {
        by_step.entry(steps[at].min(count)).or_default().push(at);
    }
    for (ring, (_, members)) in by_step.into_iter().enumerate() {
        for (index, at) in members.iter().enumerate() {
            let turn = std::f64::consts::TAU * (index as f64 + 0.5 * (ring % 2) as f64)
                / members.len() as f64;
            places[*at] = (ring as f64 * turn.cos(), ring as f64 * turn.sin());
        }
    }
    places
}

pub(super) fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Returns the minimum and the maximum coordinates of the points.
pub(super) fn extent<'a>(points: impl Iterator<Item = &'a Point>) -> Option<(Point, Point)> {
    points.fold(None, |extent, &point| {
        let (low, high) = extent.unwrap_or((point, point));
        Some((
            (low.0.min(point.0), low.1.min(point.1)),
            (high.0.max(point.0), high.1.max(point.1)),
        ))
    })
}
