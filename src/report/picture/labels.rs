//! Names that do not lie on each other.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::layout::Point;
use crate::load::map::write::xml;

/// A box: left, top, right, bottom.
type Area = (f64, f64, f64, f64);

/// Boxes that are taken, by coarse squares, so that looking is quick.
#[derive(Default)]
struct Taken(BTreeMap<(i64, i64), Vec<Area>>);

const SQUARE: f64 = 120.0;

impl Taken {
    fn squares((left, top, right, bottom): Area) -> impl Iterator<Item = (i64, i64)> {
        let cell = |value: f64| (value / SQUARE).floor() as i64;
        (cell(left)..=cell(right)).flat_map(move |column| (cell(top)..=cell(bottom)).map(move |row| (column, row)))
    }

    fn is_free(&self, area: Area) -> bool {
        let meets = |other: &Area| area.0 < other.2 && other.0 < area.2 && area.1 < other.3 && other.1 < area.3;
        Self::squares(area).all(|square| !self.0.get(&square).is_some_and(|taken| taken.iter().any(meets)))
    }

    fn take(&mut self, area: Area) {
        for square in Self::squares(area) {
            self.0.entry(square).or_default().push(area);
        }
    }
}

/// Writes a name beside each place, where it lies on no other name and on no place. A name for which there
/// is no room is left to the picture's own titles.
pub(super) fn place(texts: &[(Point, &str)], gap: f64, width: f64, body: &mut String) {
    let mut taken = Taken::default();
    for &((x, y), _) in texts {
        taken.take((x - gap, y - gap, x + gap, y + gap));
    }
    for &((x, y), name) in texts {
        let found = [12.0, 11.0, 10.0, 9.0, 8.0].into_iter().find_map(|size| {
            let forms = [vec![name.to_owned()], in_two(name)];
            forms.into_iter().find_map(|lines| {
                let area = room((x, y), &lines, size, gap, width).into_iter().find(|area| taken.is_free(*area))?;
                Some((lines, size, area))
            })
        });
        let Some((lines, size, area)) = found else { continue };
        taken.take(area);
        let middle = f64::midpoint(area.0, area.2);
        for (index, line) in lines.iter().enumerate() {
            let base = area.1 + size * (0.95 + 1.15 * index as f64);
            let _ = writeln!(
                body,
                "<text x=\"{middle:.1}\" y=\"{base:.1}\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"#16202a\" stroke=\"#ffffff\" stroke-width=\"2.4\" stroke-opacity=\"0.7\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</text>",
                xml(line)
            );
        }
    }
}

/// Boxes for some lines around a place, the best first: below, above, beside.
fn room((x, y): Point, lines: &[String], size: f64, gap: f64, width: f64) -> Vec<Area> {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (wide, high) = (longest as f64 * size * 0.58 + 4.0, lines.len() as f64 * size * 1.15 + 2.0);
    let at = |left: f64, top: f64| (left, top, left + wide, top + high);
    let beside = y - high / 2.0;
    let all = vec![
        at(x - wide / 2.0, y + gap),
        at(x - wide / 2.0, y - gap - high),
        at(x + gap + 2.0, beside),
        at(x - gap - 2.0 - wide, beside),
        at(x + gap, y + gap),
        at(x - gap - wide, y + gap),
        at(x + gap, y - gap - high),
        at(x - gap - wide, y - gap - high),
    ];
    all.into_iter().filter(|area| area.0 >= 2.0 && area.2 <= width - 2.0).collect()
}

/// A name in two lines, cut at the blank nearest to its middle.
fn in_two(name: &str) -> Vec<String> {
    let blanks = name.match_indices([' ', '-']).map(|(at, _)| at);
    let Some(at) = blanks.min_by_key(|at| at.abs_diff(name.len() / 2)) else { return vec![name.to_owned()] };
    let (first, rest) = name.split_at(at + 1);
    vec![first.trim_end().to_owned(), rest.to_owned()]
}
