//! Names beside their places. No name is omitted, overlaps another, or is nearer to another place.
//!
//! A name that does not fit is made smaller, split into two or three lines, or joined to its place
//! by a line. As a last resort, a number replaces it and the legend contains the name. The plaques
//! of continents come last; the key contains those without room.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

use super::distance;
use super::ink::INK;
use super::layout::{Point, mean};
use risk_text::xml;

/// A box: left, top, right, bottom.
pub(super) type Area = (f64, f64, f64, f64);

/// The size of the smallest letters, in pixels.
pub(super) const SMALLEST: f64 = 11.0;
/// The sizes of names and of names joined by a line, in order of preference.
const SIZES: [f64; 3] = [13.0, 12.0, SMALLEST];
const LED: [f64; 2] = [12.0, SMALLEST];
/// The height of a continent's plaque, in pixels.
const PLAQUE: f64 = 18.0;
/// The maximum length of a plaque's text, in characters.
const LONGEST_PLAQUE: usize = 40;
/// The maximum number of spots tried for a plaque.
const SPOTS: usize = 400;
/// The maximum length of a name on the map, in characters.
const LONGEST: usize = 60;
/// The minimum by which a name is nearer to its own place than to any other, in pixels.
const CLEARLY: f64 = 1.0;
const SQUARE: f64 = 120.0;

fn squares(area: Area) -> impl Iterator<Item = (i64, i64)> {
    let cell = |value: f64| (value / SQUARE).floor() as i64;
    (cell(area.0)..=cell(area.2))
        .flat_map(move |column| (cell(area.1)..=cell(area.3)).map(move |row| (column, row)))
}

/// A place with its name.
pub(super) struct NamedPlace {
    pub(super) at: Point,
    pub(super) name: String,
    /// Half the width of the mark at the place, in pixels.
    pub(super) half: f64,
}

/// The occupied areas and the places, by coarse squares for fast lookup.
struct LabelGrid {
    taken: BTreeMap<(i64, i64), Vec<Area>>,
    places: BTreeMap<(i64, i64), Vec<(usize, Point)>>,
    points: Vec<Point>,
    /// The area for names.
    frame: Area,
    /// The distance of a name above or below its place.
    gap: f64,
}

impl LabelGrid {
    fn new(texts: &[NamedPlace], frame: Area, gap: f64) -> Self {
        let mut sheet = Self {
            taken: BTreeMap::new(),
            places: BTreeMap::new(),
            points: texts.iter().map(|text| text.at).collect(),
            frame,
            gap,
        };
        for (index, text) in texts.iter().enumerate() {
            let ((x, y), half) = (text.at, text.half);
            sheet.take((x - half, y - gap, x + half, y + gap));
            for square in squares((x, y, x, y)) {
                let places = sheet.places.entry(square).or_default();
                places.push((index, text.at));
            }
        }
        sheet
    }

    fn take(&mut self, area: Area) {
        for square in squares(area) {
            self.taken.entry(square).or_default().push(area);
        }
    }

    fn is_free(&self, area: Area) -> bool {
        let mut taken = squares(area).filter_map(|square| self.taken.get(&square));
        !taken.any(|taken| taken.iter().any(|&other| meet(area, other)))
    }

    /// Reports whether the name of a place fits into an area.
    fn fits(&self, area: Area, own: usize, place: Point) -> bool {
        self.is_inside(area) && self.is_free(area) && self.is_nearest(area, own, place)
    }

    fn is_inside(&self, area: Area) -> bool {
        let (left, top, right, bottom) = self.frame;
        area.0 >= left && area.1 >= top && area.2 <= right && area.3 <= bottom
    }

    /// Returns the territory whose place is nearest to a point.
    fn nearest(&self, point: Point) -> usize {
        let far = |&at: &usize| distance(self.points[at], point);
        (0..self.points.len())
            .min_by(|one, other| far(one).total_cmp(&far(other)))
            .unwrap_or_default()
    }

    /// Reports whether a box and its centre are nearer to their own place than to all others.
    fn is_nearest(&self, area: Area, own: usize, place: Point) -> bool {
        let middle = (f64::midpoint(area.0, area.2), f64::midpoint(area.1, area.3));
        let edge = gap_to(area, place) + CLEARLY;
        let centre = distance(middle, place) + CLEARLY;
        let wide = edge.max(centre);
        let around = (area.0 - wide, area.1 - wide, area.2 + wide, area.3 + wide);
        squares(around)
            .filter_map(|square| self.places.get(&square))
            .flatten()
            .all(|&(other, point)| {
                other == own || (gap_to(area, point) > edge && distance(middle, point) > centre)
            })
    }

    /// Reports whether nothing crosses a line from a place to its name.
    fn is_clear(&self, from: Point, half: f64, to: Point) -> bool {
        let length = distance(from, to);
        let steps = (length / 3.0).ceil().max(1.0);
        (0..=steps as u32).all(|step| {
            let share = f64::from(step) / steps;
            let x = from.0 + (to.0 - from.0) * share;
            let y = from.1 + (to.1 - from.1) * share;
            let own = (x - from.0).abs() <= half && (y - from.1).abs() <= self.gap;
            own || self.is_free((x - 0.5, y - 0.5, x + 0.5, y + 0.5))
        })
    }
}

fn gap_to(area: Area, point: Point) -> f64 {
    distance(nearest(area, point), point)
}

/// Returns the point of a box that is nearest to another point.
fn nearest(area: Area, point: Point) -> Point {
    let x = point.0.clamp(area.0, area.2);
    let y = point.1.clamp(area.1, area.3);
    (x, y)
}

struct Label {
    lines: Vec<String>,
    size: f64,
    area: Area,
    led: bool,
}

/// The labels on a map, and the names that are not among them.
pub(super) struct PlacedLabels {
    /// The names that numbers replace, in order from 1.
    pub(super) numbered: Vec<String>,
    /// The number of names without even a number.
    pub(super) omitted: usize,
    sheet: LabelGrid,
}

/// Writes a name or a number beside each place, at a distance of `gap`, outside the areas that are
/// `taken`. On a `crowded` map, numbers that would cover others are omitted.
pub(super) fn place(
    texts: &[NamedPlace],
    gap: f64,
    frame: Area,
    taken: &[Area],
    crowded: bool,
    body: &mut String,
) -> PlacedLabels {
    let mut sheet = LabelGrid::new(texts, frame, gap);
    for &area in taken {
        sheet.take(area);
    }
    let mut order: Vec<usize> = (0..texts.len()).collect();
    // Short names go first because they leave the most space.
    order.sort_by_key(|&index| (texts[index].name.chars().count(), index));
    let mut numbers = Vec::new();
    for index in order {
        match named(&sheet, index, &texts[index]) {
            Some(label) => {
                sheet.take(label.area);
                label.write(index, texts[index].at, body);
            }
            None => numbers.push(index),
        }
    }
    numbers.sort_unstable();
    let mut placed = PlacedLabels {
        numbered: Vec::new(),
        omitted: 0,
        sheet,
    };
    let mut plates = Vec::new();
    for index in numbers {
        let place = &texts[index];
        let text = (placed.numbered.len() + 1).to_string();
        let lines = std::slice::from_ref(&text);
        if let Some(label) = beside(&placed.sheet, index, place, lines, SMALLEST) {
            placed.sheet.take(label.area);
            label.write(index, place.at, body);
        } else {
            let at_place = plate(place, &text, gap);
            let is_free = |plate: &Area| !plates.iter().any(|&other| meet(*plate, other));
            let plate = if crowded {
                moved(at_place).find(is_free)
            } else {
                Some(at_place)
            };
            let Some(plate) = plate else {
                placed.omitted += 1;
                continue;
            };
            plates.push(plate);
            on_place(index, plate, &text, body);
        }
        placed.numbered.push(place.name.clone());
    }
    placed
}

fn meet(one: Area, other: Area) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}

/// Returns the area of a number that fits only at its place: on the point, or on the rim of the
/// armies.
fn plate(place: &NamedPlace, number: &str, gap: f64) -> Area {
    let is_rim = gap > 10.0;
    let x = place.at.0 + if is_rim { place.half * 0.6 } else { 0.0 };
    let y = place.at.1 - if is_rim { gap * 0.6 } else { 0.0 };
    let half = ((width(number, SMALLEST) + 5.0) / 2.0).max(7.5);
    (x - half, y - 7.5, x + half, y + 7.5)
}

impl PlacedLabels {
    /// Writes the plaque of a continent in or beside it. `members` contains its territories.
    /// Returns `false` if there is no room.
    pub(super) fn plaque(&mut self, text: &str, members: &[usize], body: &mut String) -> bool {
        if text.chars().count() > LONGEST_PLAQUE {
            return false;
        }
        // Bold letters are wider.
        let wide = width(text, SMALLEST) * 1.06 + 12.0;
        let area = |(x, y): Point| {
            let (left, top) = (x - wide / 2.0, y - PLAQUE / 2.0);
            (left, top, left + wide, top + PLAQUE)
        };
        let sheet = &self.sheet;
        let places: Vec<Point> = members.iter().map(|&at| sheet.points[at]).collect();
        let Some((x, y)) = spots(&places).find(|&spot| {
            sheet.is_inside(area(spot))
                && sheet.is_free(area(spot))
                && members.contains(&sheet.nearest(spot))
        }) else {
            return false;
        };
        let (left, top, ..) = area((x, y));
        self.sheet.take(area((x, y)));
        let _ = writeln!(
            body,
            "<g class=\"plaque\"><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" \
             height=\"{PLAQUE}\" rx=\"4\" fill=\"#ffffff\" stroke=\"{INK}\" \
             stroke-width=\"0.8\"/><text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{SMALLEST}\" \
             font-weight=\"bold\" text-anchor=\"middle\" fill=\"{INK}\">{}</text></g>",
            y + SMALLEST * 0.36,
            xml(text)
        );
        true
    }
}

/// Returns spots for a plaque, from the middle of a continent outwards.
fn spots(places: &[Point]) -> impl Iterator<Item = Point> {
    let middle = mean(places.iter().copied()).unwrap_or_default();
    let far = places.iter().map(|&place| distance(place, middle));
    let step = (far.fold(0.0, f64::max) / 14.0).max(6.0);
    let ring = move |ring: u32| {
        let turns = (6 * ring).max(1);
        (0..turns).map(move |turn| {
            let (down, right) =
                (std::f64::consts::TAU * f64::from(turn) / f64::from(turns)).sin_cos();
            let reach = f64::from(ring) * step;
            // Plaques are wide, so the next free spot is more often above or below.
            (middle.0 + right * reach * 1.5, middle.1 + down * reach)
        })
    };
    (0..).flat_map(ring).take(SPOTS)
}

fn named(sheet: &LabelGrid, own: usize, place: &NamedPlace) -> Option<Label> {
    let NamedPlace { at, ref name, half } = *place;
    if name.chars().count() > LONGEST {
        return None;
    }
    let forms: Vec<Vec<String>> = (1..=3).map(|lines| in_lines(name, lines)).collect();
    let beside = |size| {
        let mut forms = forms.iter();
        forms.find_map(|lines| beside(sheet, own, place, lines, size))
    };
    SIZES.into_iter().find_map(beside).or_else(|| {
        LED.into_iter().find_map(|size| {
            forms.iter().find_map(|lines| {
                let fits = |area: &Area| {
                    sheet.fits(*area, own, at) && sheet.is_clear(at, half, nearest(*area, at))
                };
                let area = around(at, measure(lines, size), sheet.gap.max(half)).find(fits)?;
                Some(Label {
                    lines: lines.clone(),
                    size,
                    area,
                    led: true,
                })
            })
        })
    })
}

/// Returns a label beside its place without a line between them, if there is room.
fn beside(
    sheet: &LabelGrid,
    own: usize,
    place: &NamedPlace,
    lines: &[String],
    size: f64,
) -> Option<Label> {
    let spots = room(place.at, measure(lines, size), sheet.gap, place.half);
    let mut spots = spots.into_iter();
    let area = spots.find(|area| sheet.fits(*area, own, place.at))?;
    Some(Label {
        lines: lines.to_vec(),
        size,
        area,
        led: false,
    })
}

/// Returns an area, and areas up to a few pixels beside it.
fn moved(area: Area) -> impl Iterator<Item = Area> {
    let (left, top, right, bottom) = area;
    let steps = [
        (0, 0),
        (-1, 0),
        (1, 0),
        (0, -1),
        (0, 1),
        (-1, -1),
        (1, -1),
        (-1, 1),
        (1, 1),
    ];
    let by = [4.0, 8.0];
    let all = by
        .into_iter()
        .flat_map(move |far| steps.map(|(x, y)| (far * f64::from(x), far * f64::from(y))));
    all.map(move |(x, y)| (left + x, top + y, right + x, bottom + y))
}

/// Writes a number on its plate.
fn on_place(index: usize, plate: Area, number: &str, body: &mut String) {
    let (left, top, right, bottom) = plate;
    let _ = writeln!(
        body,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"15\" rx=\"7.5\" \
         fill=\"#ffffff\" stroke=\"{INK}\" stroke-width=\"0.8\"/><text data-land=\"{index}\" \
         x=\"{:.1}\" y=\"{:.1}\" font-size=\"{SMALLEST}\" text-anchor=\"middle\" \
         fill=\"{INK}\">{number}</text>",
        right - left,
        f64::midpoint(left, right),
        f64::midpoint(top, bottom) + SMALLEST * 0.36
    );
}

impl Label {
    fn write(&self, index: usize, place: Point, body: &mut String) {
        let area = self.area;
        let size = self.size;
        if self.led {
            let (x, y) = nearest(area, place);
            let _ = writeln!(
                body,
                "<line class=\"dash\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\" \
                 stroke=\"{INK}\" stroke-width=\"0.8\"/>",
                place.0, place.1
            );
        }
        let middle = f64::midpoint(area.0, area.2);
        for (line, text) in self.lines.iter().enumerate() {
            let base = area.1 + size * (0.95 + 1.15 * line as f64);
            let _ = writeln!(
                body,
                "<text class=\"name\" data-land=\"{index}\" x=\"{middle:.1}\" y=\"{base:.1}\" \
                 font-size=\"{size}\" text-anchor=\"middle\" fill=\"{INK}\" stroke=\"#ffffff\" \
                 stroke-width=\"2.4\" stroke-opacity=\"0.7\" stroke-linejoin=\"round\" \
                 paint-order=\"stroke\">{}</text>",
                xml(text)
            );
        }
    }
}

fn measure(lines: &[String], size: f64) -> (f64, f64) {
    let wide = lines
        .iter()
        .map(|line| width(line, size))
        .fold(0.0, f64::max);
    (wide + 4.0, lines.len() as f64 * size * 1.15 + 2.0)
}

/// Returns an upper bound for a text's width in the fonts that may display the picture.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let share = |c: char| match c {
        'i' | 'l' | 'j' | 'I' | '.' | ',' | '\'' | '|' | '!' | ':' | ';' => 0.32,
        'f' | 't' | 'r' | ' ' | '-' | '(' | ')' => 0.42,
        'm' | 'w' => 0.9,
        'M' | 'W' | '@' | '%' => 0.98,
        c if c.width() == Some(2) => 1.04,
        c if c.width() == Some(0) => 0.0,
        c if c.is_uppercase() => 0.72,
        _ => 0.59,
    };
    text.chars().map(share).sum::<f64>() * size
}

/// Returns the boxes around a place in order of preference: below, above, beside.
fn room(place: Point, size: (f64, f64), gap: f64, half: f64) -> Vec<Area> {
    let (x, y) = place;
    let (wide, high) = size;
    let at = |left: f64, top: f64| (left, top, left + wide, top + high);
    let beside = y - high / 2.0;
    vec![
        at(x - wide / 2.0, y + gap),
        at(x - wide / 2.0, y - gap - high),
        at(x + half + 2.0, beside),
        at(x - half - 2.0 - wide, beside),
        at(x + half, y + gap),
        at(x - half - wide, y + gap),
        at(x + half, y - gap - high),
        at(x - half - wide, y - gap - high),
        at(x - wide * 0.25, y + gap),
        at(x - wide * 0.75, y + gap),
        at(x - wide * 0.25, y - gap - high),
        at(x - wide * 0.75, y - gap - high),
    ]
}

/// Returns boxes farther away, for names joined to their place by a line.
fn around(place: Point, size: (f64, f64), gap: f64) -> impl Iterator<Item = Area> {
    const TURNS: u32 = 16;
    let (x, y) = place;
    let (wide, high) = size;
    [8.0, 14.0, 22.0, 32.0, 44.0]
        .into_iter()
        .flat_map(move |far| {
            (0..TURNS).map(move |turn| {
                let (down, right) =
                    (std::f64::consts::TAU * f64::from(turn) / f64::from(TURNS)).sin_cos();
                let reach = gap + far;
                let x = x + right * (reach + wide / 2.0);
                let y = y + down * (reach + high / 2.0);
                (
                    x - wide / 2.0,
                    y - high / 2.0,
                    x + wide / 2.0,
                    y + high / 2.0,
                )
            })
        })
}

/// Splits a text at spaces, and long words anywhere, into lines of at most `wide` pixels.
pub(super) fn wrapped(text: &str, size: f64, wide: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let line = lines.last().expect("there is always a line");
        if !line.is_empty() && width(line, size) + width(word.trim_end(), size) > wide {
            lines.push(String::new());
        }
        for c in word.chars() {
            let line = lines.last_mut().expect("there is always a line");
            let is_full = width(line, size) + width(&c.to_string(), size) > wide;
            if c != ' ' && !line.is_empty() && is_full {
                lines.push(c.to_string());
            } else {
                line.push(c);
            }
        }
    }
    lines
}

/// Shortens a text to at most `wide` pixels. The last character of a shortened text is `…`.
pub(super) fn shortened(text: &str, size: f64, wide: f64) -> String {
    if width(text, size) <= wide {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        short.push(c);
        if width(&short, size) + size > wide {
            short.pop();
            break;
        }
    }
    format!("{}…", short.trim_end())
}

/// Splits a name into at most `lines` lines of similar length, at spaces and hyphens.
fn in_lines(name: &str, lines: usize) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = name;
    for left in (1..=lines).rev() {
        let goal = rest.chars().count() / left;
        let cut = rest
            .char_indices()
            .enumerate()
            .filter(|&(_, (_, c))| left > 1 && (c == ' ' || c == '-'))
            .min_by_key(|&(count, _)| count.abs_diff(goal));
        let Some((_, (at, _))) = cut.filter(|&(_, (at, _))| at + 1 < rest.len()) else {
            parts.push(rest.to_owned());
            return parts;
        };
        let (first, after) = rest.split_at(at + 1);
        parts.push(first.trim_end().to_owned());
        rest = after;
    }
    parts
}
