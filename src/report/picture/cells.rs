//! The land of each territory: what is nearer to its place than to any other, and not too far away.

use std::collections::BTreeMap;

use super::layout::{Point, distance};
use crate::kernel::board::Board;

/// How many corners the land of a territory has that is alone.
const ROUND: usize = 28;

/// The land of a territory.
pub(super) struct Cell {
    pub(super) place: Point,
    pub(super) corners: Corners,
}

impl Cell {
    /// Land that has a shape of its own.
    pub(super) const fn at(place: Point) -> Self {
        Self {
            place,
            corners: Vec::new(),
        }
    }

    /// Its corners, as SVG has them.
    pub(super) fn points(&self) -> String {
        let corners = self.corners.iter();
        let points = corners.map(|((x, y), _)| format!("{x:.1},{y:.1}"));
        points.collect::<Vec<_>>().join(" ")
    }

    /// The sides that are shared with a territory of a higher number.
    pub(super) fn sides<'l>(
        &'l self,
        all: &'l [Self],
        from: usize,
    ) -> impl Iterator<Item = (usize, Point, Point)> + 'l {
        let count = self.corners.len();
        (0..count).filter_map(move |index| {
            let (start, behind) = self.corners[index];
            let (end, _) = self.corners[(index + 1) % count];
            let to = behind.filter(|to| *to > from && distance(start, end) > 1.0)?;
            all[to].has_side(from).then_some((to, start, end))
        })
    }

    pub(super) fn touches(&self, all: &[Self], from: usize, to: usize) -> bool {
        self.has_side(to) && all[to].has_side(from)
    }

    fn has_side(&self, to: usize) -> bool {
        let count = self.corners.len();
        (0..count).any(|index| {
            let (start, behind) = self.corners[index];
            let (end, _) = self.corners[(index + 1) % count];
            behind == Some(to) && distance(start, end) > 4.0
        })
    }
}

/// The corners of a piece of land in order, each with the territory behind the side
/// that begins there.
type Corners = Vec<(Point, Option<usize>)>;

/// The land of all territories.
pub(super) fn cells(board: &Board, places: &[Point]) -> Vec<Cell> {
    let Radii { usual, own } = Radii::new(board, places);
    // Only those nearby can cut a piece off.
    let reach = usual * 1.8;
    let cell = |point: Point| {
        (
            (point.0 / reach).floor() as i64,
            (point.1 / reach).floor() as i64,
        )
    };
    let mut cells: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
    for (index, place) in places.iter().enumerate() {
        cells.entry(cell(*place)).or_default().push(index);
    }
    let cell = |index: usize| {
        let place = places[index];
        let (column, row) = cell(place);
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
        let mut near: Vec<usize> = around
            .filter_map(|key| cells.get(&key))
            .flatten()
            .copied()
            .collect();
        near.retain(|&other| other != index && distance(places[other], place) > 1e-6);
        near.sort_by(|a, b| {
            distance(places[*a], place)
                .total_cmp(&distance(places[*b], place))
                .then(a.cmp(b))
        });
        let corners = near
            .into_iter()
            .fold(circle(place, own[index]), |corners, other| {
                cut(&corners, place, other, places[other])
            });
        Cell { place, corners }
    };
    (0..places.len()).map(cell).collect()
}

/// How far the land of territories goes from their places.
struct Radii {
    /// The median length of a border.
    usual: f64,
    /// By territory; the nearer its neighbours, the smaller.
    own: Vec<f64>,
}

impl Radii {
    fn new(board: &Board, places: &[Point]) -> Self {
        let mut lengths: Vec<Vec<f64>> = vec![Vec::new(); places.len()];
        for (from, to, _) in board.edges() {
            let from = from.index();
            let to = to.index();
            let length = distance(places[from], places[to]);
            lengths[from].push(length);
            lengths[to].push(length);
        }
        let all = lengths.iter().flatten().copied().collect();
        let usual = middle(all).unwrap_or(100.0).max(1.0);
        let radius = |own| {
            let middle = middle(own).unwrap_or(usual);
            (middle * 0.62).clamp(usual * 0.42, usual * 0.85)
        };
        Self {
            usual,
            own: lengths.into_iter().map(radius).collect(),
        }
    }
}

fn middle(mut lengths: Vec<f64>) -> Option<f64> {
    lengths.sort_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied()
}

/// Land that nothing has cut yet.
fn circle(place: Point, radius: f64) -> Corners {
    let corner = |corner: usize| {
        let turn = std::f64::consts::TAU * corner as f64 / ROUND as f64;
        let at = (place.0 + radius * turn.cos(), place.1 + radius * turn.sin());
        (at, None)
    };
    (0..ROUND).map(corner).collect()
}

/// What is nearer to one place than to another.
fn cut(corners: &[(Point, Option<usize>)], here: Point, other: usize, there: Point) -> Corners {
    let middle = (
        f64::midpoint(here.0, there.0),
        f64::midpoint(here.1, there.1),
    );
    let side = |point: Point| {
        (point.0 - middle.0) * (there.0 - here.0) + (point.1 - middle.1) * (there.1 - here.1)
    };
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (index, &(from, behind)) in corners.iter().enumerate() {
        let (to, _) = corners[(index + 1) % corners.len()];
        let a = side(from);
        let b = side(to);
        let crossing = || {
            let share = a / (a - b);
            (
                from.0 + (to.0 - from.0) * share,
                from.1 + (to.1 - from.1) * share,
            )
        };
        match (a <= 0.0, b <= 0.0) {
            (true, true) => kept.push((from, behind)),
            (true, false) => kept.extend([(from, behind), (crossing(), Some(other))]),
            (false, true) => kept.push((crossing(), behind)),
            (false, false) => {}
        }
    }
    kept
}
