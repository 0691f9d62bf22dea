//! Land that has shapes: where it lies on the picture, its outlines, and lines over water.

use std::fmt::Write as _;

use super::layout::Point;
use crate::kernel::board::{Board, TerritoryInfo};
use crate::load::map::shores::{AROUND, Link, Shores, middle};

/// Around all land there is so much sea, in pixels.
const MARGIN: f64 = 44.0;
/// The longest side of the land, in pixels, by how many territories there are.
const EACH: f64 = 236.0;
const LEAST: f64 = 720.0;
/// Lines over water are at least so long that they are seen, in pixels.
const SEEN: f64 = 15.0;
/// Water near land is of this colour.
const SHALLOWS: &str = "#d3e3ee";

/// The land of a map with shapes.
pub(super) struct Coast {
    pub(super) shores: Shores,
    /// Where armies and names are, by territory.
    pub(super) places: Vec<Point>,
    /// Right and bottom end of the land and the sea around it.
    pub(super) size: Point,
    /// Borders between territories that do not touch, each with its line.
    links: Vec<((usize, usize), Link)>,
}

impl Coast {
    /// The land, below a title of this height; none where the map has no shapes.
    pub(super) fn new(board: &Board, title: f64, largest: f64) -> Option<Self> {
        if board
            .territories()
            .any(|at| board.info(at).shape.is_empty())
        {
            return None;
        }
        let corners = || {
            let shapes = board.territories().flat_map(|at| &board.info(at).shape);
            shapes.flatten().map(|&(x, y)| (f64::from(x), f64::from(y)))
        };
        let low = corners().fold((f64::INFINITY, f64::INFINITY), |low, point| {
            (low.0.min(point.0), low.1.min(point.1))
        });
        let high = corners().fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |high, point| {
            (high.0.max(point.0), high.1.max(point.1))
        });
        let span = (high.0 - low.0).max(high.1 - low.1).max(1.0);
        let longest = (EACH * (board.len() as f64).sqrt()).max(LEAST);
        let scale = longest.min(largest - 2.0 * MARGIN) / span;
        let place = |point: Point| {
            (
                (point.0 - low.0) * scale + MARGIN,
                (point.1 - low.1) * scale + MARGIN + title,
            )
        };
        let shores = Shores::new(board, place)?;
        let at = |info: &TerritoryInfo, outline: &[Vec<Point>]| {
            let given = info.at.map(|(x, y)| place((f64::from(x), f64::from(y))));
            given.or_else(|| middle(outline)).unwrap_or(outline[0][0])
        };
        let places = board
            .territories()
            .map(|territory| at(board.info(territory), shores.outline(territory.index())))
            .collect();
        let apart: Vec<(usize, usize)> = board
            .edges()
            .map(|(from, to, _)| (from.index(), to.index()))
            .filter(|&(from, to)| !shores.touch(from, to))
            .collect();
        let found = shores.links(&apart, SEEN);
        let end = place(high);
        Some(Self {
            links: apart.into_iter().zip(found).collect(),
            shores,
            places,
            size: (end.0 + MARGIN, end.1 + MARGIN),
        })
    }

    /// The path data of a territory's outline.
    pub(super) fn path(&self, of: usize) -> String {
        let mut data = String::new();
        for ring in self.shores.outline(of) {
            for (index, (x, y)) in ring.iter().enumerate() {
                let _ = write!(data, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
            }
            data.push('Z');
        }
        data
    }

    /// Shallow water around all land.
    pub(super) fn water(&self, body: &mut String) {
        let all: String = (0..self.places.len()).map(|of| self.path(of)).collect();
        let _ = writeln!(
            body,
            "<path class=\"shallows\" d=\"{all}\" fill=\"none\" stroke=\"{SHALLOWS}\" \
             stroke-width=\"9\" stroke-linejoin=\"round\"/>"
        );
    }

    /// Lines over water. One that runs around the world goes out at the sides of the picture.
    pub(super) fn lines(&self, width: f64, mut dashed: impl FnMut(Point, Point)) {
        for &((from, to), link) in &self.links {
            let a = self.places[from];
            let b = self.places[to];
            if (a.0 - b.0).abs() <= width * AROUND {
                dashed(link.from, link.to);
                continue;
            }
            let (left, right) = if a.0 < b.0 { (from, to) } else { (to, from) };
            let west = self.end(left, |one, other| one.0.total_cmp(&other.0));
            let east = self.end(right, |one, other| other.0.total_cmp(&one.0));
            dashed(west, (0.0, west.1));
            dashed(east, (width, east.1));
        }
    }

    /// The corner of a territory that comes first.
    fn end(&self, of: usize, before: impl Fn(&Point, &Point) -> std::cmp::Ordering) -> Point {
        let corners = self.shores.outline(of).iter().flatten();
        let first = corners.copied().min_by(before);
        first.unwrap_or(self.places[of])
    }
}
