//! A map as a picture: the places and outlines of territories, and lines between territories that
//! don't touch.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::contours::Contours;
use super::land::circle;
use super::layout::{Point, distance, extent};
use super::{land, lattice, layout};
use risk_kernel::board::{Board, Look, TerritoryInfo};
use risk_kernel::id::Territory;
use risk_maps::map::shores::{AROUND, Link, Shores, middle};

/// The margin of sea around all land: pixels, and a share of the width for narrow pictures.
const MARGIN: f64 = 44.0;
const NARROW: f64 = 0.03;
/// The minimum width of a picture, unless a width is requested.
const NARROWEST: f64 = 420.0;
/// The maximum length of a picture's sides, in pixels.
const LARGEST: f64 = 12_000.0;
/// The length of the longer side of land with shapes, in pixels: `EACH` times the square root of
/// the number of territories, at least `LEAST`.
const EACH: f64 = 236.0;
const LEAST: f64 = 720.0;
/// The usual distance between two neighbours, in pixels.
const STEP: f64 = 96.0;
/// The minimum distance between the places of two territories, in pixels.
const APART: f64 = 16.0;
/// The minimum length of a visible line over water, in pixels.
const SEEN: f64 = 15.0;
/// The reach of a line across a corner, as a share of the distance between the places.
const CORNER: f64 = 0.05;
/// The distance within which outlines share a corner, as a share of the distance between the
/// places.
const NEAR: f64 = 0.07;
/// The colour of water near land.
const SHALLOWS: &str = "#d3e3ee";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LineKind {
    /// A line over water, or from one part of the map to another.
    Dashed,
    /// A line across a corner that two fields share.
    Corner,
    /// Lines across a corner in both directions.
    Crossing,
    /// A line from one disc to another.
    Lane,
}

pub(super) struct Coast {
    pub(super) shores: Shores,
    /// The places of armies and names, by territory.
    pub(super) places: Vec<Point>,
    /// The width and the height of the land and the surrounding sea.
    pub(super) size: Point,
    /// Borders between territories that don't touch, each with its line.
    links: Vec<((usize, usize), Link, LineKind)>,
    ground: OutlineSource,
}

/// The source of outlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutlineSource {
    /// The map.
    Shapes,
    /// The places, for land or fields with known common lines.
    Made,
    /// The places, for discs that don't touch.
    Discs,
}

/// Outlines before they are placed on the picture.
struct RawOutlines {
    outlines: Contours,
    places: Vec<Point>,
    /// The factor by which to multiply all points.
    scale: f64,
    ground: OutlineSource,
}

impl Coast {
    /// Creates the land below a title of this height, in the requested or the default width.
    pub(super) fn new(board: &Board, title: f64, width: Option<f64>) -> Self {
        let shaped = RawOutlines::shaped(board)
            .filter(|_| board.look() != Look::Discs)
            .and_then(|outlined| outlined.onto(board, title, width));
        shaped.unwrap_or_else(|| {
            let made = RawOutlines::made(board);
            made.onto(board, title, width)
                .expect("generated outlines have an extent")
        })
    }

    pub(super) fn is_discs(&self) -> bool {
        self.ground == OutlineSource::Discs
    }

    /// Returns the path data of a territory's outline.
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

    /// Draws shallow water around all land.
    pub(super) fn water(&self, body: &mut String) {
        let all: String = (0..self.places.len()).map(|of| self.path(of)).collect();
        let _ = writeln!(
            body,
            "<path class=\"shallows\" d=\"{all}\" fill=\"none\" stroke=\"{SHALLOWS}\" \
             stroke-width=\"9\" stroke-linejoin=\"round\"/>"
        );
    }

    /// Draws lines between territories that don't touch. A line around the world leaves at the
    /// sides.
    pub(super) fn lines(&self, width: f64, mut line: impl FnMut(Point, Point, LineKind)) {
        for &((from, to), link, kind) in &self.links {
            let a = self.places[from];
            let b = self.places[to];
            if self.around(from, to, width) == 0.0 {
                line(link.from, link.to, kind);
                continue;
            }
            let (left, right) = if a.0 < b.0 { (from, to) } else { (to, from) };
            let west = self.end(left, |one, other| one.0.total_cmp(&other.0));
            let east = self.end(right, |one, other| other.0.total_cmp(&one.0));
            line(west, (0.0, west.1), kind);
            line(east, (width, east.1), kind);
        }
    }

    /// Returns how far beside its place a territory is, seen from another around the world. Returns
    /// 0 if a line between them does not leave at the sides.
    pub(super) fn around(&self, from: usize, to: usize, width: f64) -> f64 {
        let far = self.places[from].0 - self.places[to].0;
        let is_around = !self.is_discs() && far.abs() > width * AROUND;
        if is_around { width.copysign(far) } else { 0.0 }
    }

    /// Returns the middle of the border between two territories in a picture of this width: of a
    /// line between them, of the longest line that they share, or of the way from one to the other.
    pub(super) fn middle(&self, from: usize, to: usize, width: f64) -> Point {
        let between = |a: Point, b: Point| (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
        let pair = (from.min(to), from.max(to));
        let mut links = self.links.iter();
        if let Some((_, link, _)) = links.find(|((a, b), ..)| ((*a).min(*b), (*a).max(*b)) == pair)
        {
            if self.around(from, to, width) == 0.0 {
                return between(link.from, link.to);
            }
            let is_left = self.places[from].0 < self.places[to].0;
            let left = if is_left { from } else { to };
            let west = self.end(left, |one, other| one.0.total_cmp(&other.0));
            return between(west, (0.0, west.1));
        }
        let shared = self.shores.common().filter(|(it, _)| *it == pair);
        let longest = shared
            .flat_map(|(_, lines)| lines)
            .max_by_key(|line| line.len());
        let middle = longest.and_then(|line| line.get(line.len() / 2).copied());
        middle.unwrap_or_else(|| between(self.places[from], self.places[to]))
    }

    pub(super) fn kinds(&self) -> BTreeSet<LineKind> {
        self.links.iter().map(|&(_, _, kind)| kind).collect()
    }

    /// Returns the first corner of a territory in the given order.
    fn end(&self, of: usize, before: impl Fn(&Point, &Point) -> std::cmp::Ordering) -> Point {
        let corners = self.shores.outline(of).iter().flatten();
        let first = corners.copied().min_by(before);
        first.unwrap_or(self.places[of])
    }

    /// Adds lines for borders between territories that don't touch.
    fn link(&mut self, apart: Vec<(usize, usize)>) {
        let mut far = Vec::new();
        for (from, to) in apart {
            let near = match self.ground {
                OutlineSource::Discs => self.lane(from, to).map(|link| (link, LineKind::Lane)),
                OutlineSource::Made => self.corner(from, to).map(|link| (link, LineKind::Corner)),
                OutlineSource::Shapes => None,
            };
            match near {
                Some((link, kind)) => self.links.push(((from, to), link, kind)),
                None => far.push((from, to)),
            }
        }
        let found = self.shores.links(&far, SEEN);
        let dashed = |(pair, link)| (pair, link, LineKind::Dashed);
        self.links.extend(far.into_iter().zip(found).map(dashed));
        self.join_crossings();
    }

    /// Replaces lines that cross each other at a corner by a single mark.
    fn join_crossings(&mut self) {
        let corner = |&(_, Link { from, to, .. }, kind): &((usize, usize), Link, LineKind)| {
            let tenth = |a: f64, b: f64| (f64::midpoint(a, b) * 10.0).round() as i64;
            (kind == LineKind::Corner).then(|| (tenth(from.0, to.0), tenth(from.1, to.1)))
        };
        let mut count: BTreeMap<(i64, i64), usize> = BTreeMap::new();
        for at in self.links.iter().filter_map(corner) {
            *count.entry(at).or_default() += 1;
        }
        let mut joined = BTreeSet::new();
        self.links.retain_mut(|link| match corner(link) {
            Some(at) if count[&at] > 1 => {
                link.2 = LineKind::Crossing;
                joined.insert(at)
            }
            _ => true,
        });
    }

    /// Returns a line from the rim of one disc to the rim of another, or `None` if they overlap.
    fn lane(&self, from: usize, to: usize) -> Option<Link> {
        let (a, b) = (self.places[from], self.places[to]);
        let long = distance(a, b);
        let rim = |of: usize| distance(self.places[of], self.shores.outline(of)[0][0]) / long;
        let at = |share: f64| (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share);
        (rim(from) + rim(to) < 1.0).then(|| Link {
            from: at(rim(from)),
            to: at(1.0 - rim(to)),
            clear: true,
        })
    }

    /// Returns a line across a corner that two territories share, exactly or nearly.
    fn corner(&self, from: usize, to: usize) -> Option<Link> {
        let corners = |of: usize| self.shores.outline(of).iter().flatten();
        let (a, b) = (self.places[from], self.places[to]);
        let most = distance(a, b) * NEAR;
        let mut nearest: Option<(f64, Point)> = None;
        for &one in corners(from) {
            for &other in corners(to) {
                let apart = distance(one, other);
                if apart < nearest.map_or(most, |(least, _)| least) {
                    let middle = (f64::midpoint(one.0, other.0), f64::midpoint(one.1, other.1));
                    nearest = Some((apart, middle));
                }
            }
        }
        let (_, (x, y)) = nearest?;
        let (right, down) = ((b.0 - a.0) * CORNER, (b.1 - a.1) * CORNER);
        Some(Link {
            from: (x - right, y - down),
            to: (x + right, y + down),
            clear: true,
        })
    }
}

impl RawOutlines {
    /// Returns the shapes of the map, or `None` if a territory lacks a shape.
    fn shaped(board: &Board) -> Option<Self> {
        let float = |&(x, y): &(i32, i32)| (f64::from(x), f64::from(y));
        let outline = |at: Territory| {
            let rings = board.info(at).shape.iter();
            let rings: Vec<Vec<Point>> =
                rings.map(|ring| ring.iter().map(float).collect()).collect();
            (!rings.is_empty()).then_some(rings)
        };
        let rings: Vec<Vec<Vec<Point>>> =
            board.territories().map(outline).collect::<Option<_>>()?;
        let (low, high) = extent(rings.iter().flatten().flatten())?;
        let span = (high.0 - low.0).max(high.1 - low.1).max(1.0);
        let longest = (EACH * (board.len() as f64).sqrt()).max(LEAST);
        let at = |info: &TerritoryInfo, outline: &[Vec<Point>]| {
            let given = info.at.as_ref().map(float);
            given.or_else(|| middle(outline)).unwrap_or(outline[0][0])
        };
        let places = board
            .territories()
            .map(|of| at(board.info(of), &rings[of.index()]))
            .collect();
        Some(Self {
            outlines: Contours::new(rings),
            places,
            scale: longest.min(LARGEST - 2.0 * MARGIN) / span,
            ground: OutlineSource::Shapes,
        })
    }

    /// Creates discs, fields of a board, or land around the places.
    fn made(board: &Board) -> Self {
        let mut places = layout::places(board);
        let usual = usual(board, &places);
        let span = extent(places.iter()).map_or(1.0, |(low, high)| {
            (high.0 - low.0).max(high.1 - low.1).max(1e-6)
        });
        let step = STEP.min((LARGEST - 2.0 * MARGIN) / (span / usual + 2.0));
        let scale = step / usual;
        for place in &mut places {
            *place = (place.0 * scale, place.1 * scale);
        }
        let is_discs = board.look() == Look::Discs;
        let fields = lattice::fields(board, &places).filter(|_| board.look() == Look::Land);
        let outlines = fields.unwrap_or_else(|| {
            layout::push_apart(&mut places, APART);
            if is_discs {
                Contours::new(discs(&places, step))
            } else {
                land::land(board, &places, step)
            }
        });
        Self {
            outlines,
            places,
            scale: 1.0,
            ground: if is_discs {
                OutlineSource::Discs
            } else {
                OutlineSource::Made
            },
        }
    }

    /// Places the outlines below a title. Returns `None` if the shapes are too intricate.
    fn onto(self, board: &Board, title: f64, width: Option<f64>) -> Option<Coast> {
        let corners = self.outlines.rings.iter().flatten().flatten();
        let (low, high) = extent(corners)?;
        let (wide, high) = ((high.0 - low.0).max(1e-6), (high.1 - low.1).max(1e-6));
        // A wide picture is an enlarged picture of the default width, including the letters.
        let usual = (wide * self.scale + 2.0 * MARGIN).max(NARROWEST);
        let width = width.filter(|width| *width < usual);
        let margin = width.map_or(MARGIN, |width| (width * NARROW).clamp(8.0, MARGIN));
        let scale = width.map_or(self.scale, |width| (width - 2.0 * margin) / wide);
        let scale = scale.min((LARGEST - 2.0 * margin) / wide.max(high));
        let size = (
            width.unwrap_or(usual.max(wide * scale + 2.0 * margin)),
            high * scale + 2.0 * margin + title,
        );
        let left = (size.0 - wide * scale) / 2.0;
        let place = |point: Point| {
            (
                (point.0 - low.0) * scale + left,
                (point.1 - low.1) * scale + margin + title,
            )
        };
        let mut outlines = self.outlines;
        let all = outlines.rings.iter_mut().flatten().flatten();
        let common = outlines.common.values_mut().flatten().flatten();
        all.chain(common).for_each(|point| *point = place(*point));
        let shores = if self.ground == OutlineSource::Shapes {
            Shores::from_outlines(outlines.rings)?
        } else {
            Shores::with_common(outlines.rings, outlines.common)
        };
        let apart = board
            .edges()
            .map(|(from, to, _)| (from.index(), to.index()))
            .filter(|&(from, to)| !shores.touch(from, to))
            .collect();
        let mut coast = Coast {
            shores,
            places: self.places.into_iter().map(place).collect(),
            size,
            links: Vec::new(),
            ground: self.ground,
        };
        coast.link(apart);
        Some(coast)
    }
}

/// Returns a disc around each place. The discs don't touch.
fn discs(places: &[Point], usual: f64) -> Vec<Vec<Vec<Point>>> {
    let near = layout::nearest(places, usual);
    let disc = |(&place, near): (&Point, f64)| {
        let radius = (usual * 0.36).min(near * 0.42).max(1.0);
        vec![circle(place, radius, 40)]
    };
    places.iter().zip(near).map(disc).collect()
}

/// Returns the median length of borders.
fn usual(board: &Board, places: &[Point]) -> f64 {
    let mut lengths: Vec<f64> = board
        .edges()
        .map(|(from, to, _)| distance(places[from.index()], places[to.index()]))
        .collect();
    lengths.sort_by(f64::total_cmp);
    let middle = lengths.get(lengths.len() / 2).copied();
    middle.unwrap_or(1.0).max(1e-6)
}
