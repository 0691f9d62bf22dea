//! A map on a grid of terminal cells: its territories, and the positions of numbers and names.

use super::layout::{Point, extent};
use super::{Picture, Style};
use risk_kernel::board::Board;
use risk_kernel::id::Territory;

/// The approximate ratio of a terminal cell's height to its width.
const HIGH: f64 = 2.0;
/// The maximum ratio between the horizontal and the vertical scale when a map fills the space.
const STRETCH: f64 = 1.45;
/// The minimum width and height of a map, in pixels of its picture.
const LEAST: f64 = 24.0;
/// The maximum distance of a number from its territory's place, in columns and in rows.
const AWAY: (i64, i64) = (9, 3);

/// The outlines of a map, which can be drawn on grids of any size.
#[derive(Clone, Debug)]
pub struct Outlines {
    /// The rings of each territory.
    lands: Vec<Vec<Vec<Point>>>,
    places: Vec<Point>,
    /// Borders over water.
    lanes: Vec<(Point, Point)>,
    low: Point,
    high: Point,
}

#[derive(Clone, Debug)]
pub(super) struct Chart {
    pub(super) columns: usize,
    pub(super) rows: usize,
    cells: Vec<Option<Territory>>,
    /// Whether a cell is water under a border.
    lanes: Vec<bool>,
    /// The cell of each territory's place.
    spots: Vec<(usize, usize)>,
}

impl Outlines {
    /// Computes the outlines of a map.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let picture = Picture::new(board, Style::default());
        let ring = |index| picture.coast.shores.outline(index).to_vec();
        let lands: Vec<Vec<Vec<Point>>> = (0..board.len()).map(ring).collect();
        let places = picture.coast.places.clone();
        let mut lanes = Vec::new();
        let lane = |from, to, _| lanes.push((from, to));
        picture.coast.lines(picture.width, lane);
        let points = lands.iter().flatten().flatten().chain(&places);
        let (low, high) = extent(points).expect("a map has at least one territory");
        Self {
            lands,
            places,
            lanes,
            low,
            high,
        }
    }

    /// Draws the map as large as possible in at most `columns` columns and `rows` rows.
    pub(super) fn chart(&self, columns: usize, rows: usize) -> Chart {
        let wide = (self.high.0 - self.low.0).max(LEAST);
        let high = (self.high.1 - self.low.1).max(LEAST);
        let (across, down) = (columns as f64 / wide, rows as f64 * HIGH / high);
        let least = across.min(down);
        let across = across.min(least * STRETCH);
        let down = down.min(least * STRETCH) / HIGH;
        let columns = ((wide * across).round() as usize).clamp(1, columns.max(1));
        let rows = ((high * down).round() as usize).clamp(1, rows.max(1));
        let mut chart = Chart {
            columns,
            rows,
            cells: vec![None; columns * rows],
            lanes: vec![false; columns * rows],
            spots: Vec::new(),
        };
        let to_cell = |(x, y): Point| ((x - self.low.0) * across, (y - self.low.1) * down);
        for (index, rings) in self.lands.iter().enumerate() {
            let rings: Vec<Vec<Point>> = rings
                .iter()
                .map(|ring| ring.iter().map(|&point| to_cell(point)).collect())
                .collect();
            chart.fill(Territory::from_index(index), &rings);
        }
        for (index, &place) in self.places.iter().enumerate() {
            let (x, y) = to_cell(place);
            let spot = (
                (x.max(0.0) as usize).min(columns - 1),
                (y.max(0.0) as usize).min(rows - 1),
            );
            // A territory smaller than a cell gets one cell.
            chart.cells[spot.1 * columns + spot.0] = Some(Territory::from_index(index));
            chart.spots.push(spot);
        }
        for &(from, to) in &self.lanes {
            chart.lane(to_cell(from), to_cell(to));
        }
        chart
    }
}

impl Chart {
    pub(super) fn at(&self, column: usize, row: usize) -> Option<Territory> {
        self.cells[row * self.columns + column]
    }

    pub(super) fn is_lane(&self, column: usize, row: usize) -> bool {
        self.lanes[row * self.columns + column]
    }

    /// Assigns a territory the cells with a centre inside its rings.
    fn fill(&mut self, at: Territory, rings: &[Vec<Point>]) {
        for row in 0..self.rows {
            let y = row as f64 + 0.5;
            let mut crossings: Vec<f64> = Vec::new();
            for ring in rings {
                for (index, &(x1, y1)) in ring.iter().enumerate() {
                    let (x2, y2) = ring[(index + 1) % ring.len()];
                    if (y1 <= y) != (y2 <= y) {
                        crossings.push(x1 + (y - y1) / (y2 - y1) * (x2 - x1));
                    }
                }
            }
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let first = (pair[0] - 0.5).ceil().max(0.0) as usize;
                let end = ((pair[1] - 0.5).ceil().max(0.0) as usize).min(self.columns);
                for column in first..end {
                    self.cells[row * self.columns + column] = Some(at);
                }
            }
        }
    }

    fn lane(&mut self, from: Point, to: Point) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs() * HIGH);
        let steps = (steps.ceil() as usize).clamp(1, 4 * (self.columns + self.rows));
        for step in 0..=steps {
            let share = step as f64 / steps as f64;
            let x = from.0 + (to.0 - from.0) * share;
            let y = from.1 + (to.1 - from.1) * share;
            if x < 0.0 || y < 0.0 {
                continue;
            }
            let (column, row) = (x as usize, y as usize);
            if column < self.columns && row < self.rows && self.at(column, row).is_none() {
                self.lanes[row * self.columns + column] = true;
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlacedWord {
    pub(super) text: String,
    pub(super) at: Territory,
    pub(super) column: usize,
    pub(super) row: usize,
}

pub(super) struct WordPlacer<'a> {
    chart: &'a Chart,
    taken: Vec<bool>,
    pub(super) placed: Vec<PlacedWord>,
    /// The index of each territory's number in `placed`.
    numbers: Vec<Option<usize>>,
}

impl<'a> WordPlacer<'a> {
    /// Places the numbers of all territories, starting with the smallest, and then the names that
    /// fit. A number is never cut.
    pub(super) fn new(chart: &'a Chart, numbers: &[String], names: &[String]) -> Self {
        let mut words = Self {
            chart,
            taken: vec![false; chart.columns * chart.rows],
            placed: Vec::new(),
            numbers: vec![None; numbers.len()],
        };
        let mut sizes = vec![0_usize; numbers.len()];
        for at in chart.cells.iter().flatten() {
            sizes[at.index()] += 1;
        }
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|&index| (sizes[index], index));
        for &index in &order {
            words.number(Territory::from_index(index), &numbers[index]);
        }
        for &index in order.iter().rev() {
            words.name(Territory::from_index(index), &names[index]);
        }
        words
    }

    /// Returns the cost of a word at a position: zero on its own land, low on water, higher on
    /// other land. Returns `None` if the word does not fit.
    fn cost(&self, at: Territory, column: i64, row: i64, wide: usize) -> Option<i64> {
        let row = usize::try_from(row)
            .ok()
            .filter(|&row| row < self.chart.rows)?;
        let column = usize::try_from(column).ok()?;
        if column + wide > self.chart.columns {
            return None;
        }
        // Two adjacent numbers would read as a single number.
        let around = column.saturating_sub(1)..(column + wide + 1).min(self.chart.columns);
        let start = row * self.chart.columns;
        if around.into_iter().any(|column| self.taken[start + column]) {
            return None;
        }
        let cells = column..column + wide;
        let cost = cells.map(|column| match self.chart.at(column, row) {
            Some(there) if there == at => 0,
            None => 3,
            Some(there) => {
                let spot = self.chart.spots[there.index()];
                if spot == (column, row) { 40 } else { 8 }
            }
        });
        Some(cost.sum())
    }

    fn write(&mut self, at: Territory, column: usize, row: usize, text: &str) {
        let wide = risk_text::columns(text);
        let start = row * self.chart.columns + column;
        self.taken[start..start + wide].fill(true);
        self.placed.push(PlacedWord {
            text: text.to_owned(),
            at,
            column,
            row,
        });
    }

    /// Writes a number as near to its place as possible.
    fn number(&mut self, at: Territory, text: &str) {
        if text.is_empty() {
            return;
        }
        // The space for a second digit keeps the number from moving when it grows.
        let wide = risk_text::columns(text).max(2);
        let (x, y) = self.chart.spots[at.index()];
        let (x, y) = (x as i64 - (wide as i64 - 1) / 2, y as i64);
        let around =
            (-AWAY.1..=AWAY.1).flat_map(|down| (-AWAY.0..=AWAY.0).map(move |right| (right, down)));
        let best = around
            .filter_map(|(right, down)| {
                let cost = self.cost(at, x + right, y + down, wide)?;
                let far = right * right + 4 * down * down;
                Some((cost * 4 + far, x + right, y + down))
            })
            .min();
        if let Some((_, column, row)) = best {
            self.numbers[at.index()] = Some(self.placed.len());
            self.write(at, column as usize, row as usize, text);
        }
    }

    /// Writes a name on its own land or on water, beside, below or above its number.
    fn name(&mut self, at: Territory, name: &str) {
        let Some(number) = self.numbers[at.index()].map(|index| self.placed[index].clone()) else {
            return;
        };
        let wide = risk_text::columns(name);
        let end = (number.column + risk_text::columns(&number.text)) as i64;
        let (column, row) = (number.column as i64, number.row as i64);
        let middle = (column + end - wide as i64) / 2;
        let spots = [(end + 1, row), (column - 1 - wide as i64, row)].into_iter();
        let spots =
            spots.chain([1, -1].into_iter().flat_map(|down| {
                [0, 1, -1, 2, -2, 3, -3].map(|right| (middle + right, row + down))
            }));
        let best = spots
            .enumerate()
            .filter_map(|(order, (column, row))| {
                let cost = self.cost_of_name(at, column, row, wide)?;
                Some((cost, order, column, row))
            })
            .min();
        if let Some((_, _, column, row)) = best {
            self.write(at, column as usize, row as usize, name);
        }
    }

    /// Returns the cost of a name. It is that of a number, except `None` on other territories'
    /// land.
    fn cost_of_name(&self, at: Territory, column: i64, row: i64, wide: usize) -> Option<i64> {
        let cost = self.cost(at, column, row, wide)?;
        let start = usize::try_from(column).ok()?;
        let row = usize::try_from(row).ok()?;
        let is_free = |column| self.chart.at(column, row).is_none_or(|there| there == at);
        (start..start + wide).all(is_free).then_some(cost)
    }
}
