//! Maps drawn as SVG, for example in Inkscape. A shape is a territory, a layer or a group is a
//! continent, and shapes that touch share a border.

mod attributes;
mod style;
mod walk;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use kurbo::{Affine, Rect};
use roxmltree::{Document, ParsingOptions};

use super::CheckSettings;
use super::draft::{Diagnostics, Draft, Extent, TerritoryDraft};
use super::sections::Ids;
use super::shape;
use super::shores::{Point, Shores, area, inside, middle};
use risk_kernel::board::TerritoryInfo;
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::Group;
use risk_text::diag::{TextFile, word_at};
use walk::{Shape, UNFILLED, WITHOUT_AREA, Walk};

/// The maximum number of elements and texts in a drawing.
const MOST_NODES: u32 = 200_000;
/// The maximum number of territories in a map. A drawing with more paths is refused.
const MOST_PATHS: usize = 10_000;
/// The maximum number of corners that are compared with texts and marks.
const MOST_COMPARED: usize = 50_000_000;
/// The length of the longest side of the land, in the map's units.
const LONGEST: f64 = 1_600.0;
/// The lints that are warnings in an import: borders over water and continents are added later.
const UNFINISHED: [&str; 3] = [
    "disconnected-map",
    "disconnected-continent",
    "territory-without-continent",
];

pub(super) fn read(
    file: &TextFile,
    stem: &str,
    settings: &CheckSettings,
    finder: &mut Diagnostics<'_>,
) -> Option<Draft> {
    if settings.is_import {
        finder.warn_of(&UNFINISHED);
    }
    let text = match attributes::check(&file.text) {
        Ok(text) => text,
        Err((text, place)) => {
            finder.find("syntax", text, place);
            return None;
        }
    };
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = match Document::parse_with_options(&text, options) {
        Ok(document) => document,
        Err(error) => {
            let at = error.pos();
            let place = word_at(&file.text, at.row as usize, at.col as usize);
            finder.find("syntax", format!("invalid SVG: {error}"), place);
            return None;
        }
    };
    let mut walk = Walk::over(&document, &settings.layers, finder)?;
    choose(&mut walk);
    let shapes = fit(&mut walk);
    walk.report(file);
    let Walk { finder, links, .. } = walk;
    if shapes.is_empty() {
        let text = "the drawing has no shapes with fill".to_owned();
        finder.find(
            "no-territories",
            text,
            walk::place_of(document.root_element()),
        );
        return None;
    }
    let layers: BTreeSet<&str> = shapes.iter().filter_map(|of| Some(of.layer?.0)).collect();
    if !finder.fits(shapes.len(), layers.len()) {
        return None;
    }
    let mut draft = draft(stem, shapes, finder);
    lines(&mut draft, links, finder);
    borders(&mut draft, finder);
    Some(draft)
}

/// Leaves out the background, marks on territories, and outlines if other shapes have fill.
fn choose(walk: &mut Walk<'_, '_, '_>) {
    let mut shapes: VecDeque<Shape<'_>> = std::mem::take(&mut walk.shapes).into();
    let is_sea = |shapes: &VecDeque<Shape<'_>>| {
        let first = shapes[0].bounds;
        let wide = first.inflate(first.width() / 100.0, first.height() / 100.0);
        let is_rectangle =
            shapes[0].rings.len() == 1 && area(&shapes[0].rings[0]) > 0.99 * first.area();
        is_rectangle && shapes.iter().all(|of| wide.contains_rect(of.bounds))
    };
    while shapes.len() > 2 && is_sea(&shapes) {
        let sea = shapes.pop_front();
        sea.iter()
            .for_each(|sea| walk.leave_out(sea.node, "as background"));
    }
    let some_filled = shapes.iter().any(|of| of.is_filled);
    if !some_filled && let Some(first) = shapes.front() {
        let text = "no shape has fill, so outlines are territories".to_owned();
        walk.finder.find("svg-left-out", text, first.place);
    }
    let mut left = MOST_COMPARED;
    for shape in shapes {
        let middle = shape.bounds.center().into();
        let mut land = walk.shapes.iter().filter(|of| !of.is_mark());
        if some_filled && !shape.is_filled {
            walk.leave_out(shape.node, UNFILLED);
        } else if shape.is_mark() && land.any(|of| is_on(of, middle, &mut left)) {
            walk.leave_out(shape.node, "on other territories");
        } else {
            walk.shapes.push(shape);
        }
    }
    for (text, at) in &walk.texts {
        let mut shapes = walk.shapes.iter_mut().rev();
        if let Some(shape) = shapes.find(|of| is_on(of, *at, &mut left)) {
            shape.text.get_or_insert_with(|| text.clone());
        }
    }
}

/// Reports whether a point is on a shape. `left` is the number of corners that may be compared.
fn is_on(shape: &Shape<'_>, point: Point, left: &mut usize) -> bool {
    if !shape.bounds.contains(point) {
        return false;
    }
    *left = left.saturating_sub(shape.rings.iter().map(Vec::len).sum());
    *left > 0 && inside(&shape.rings, point)
}

/// Moves and scales the land to map coordinates.
fn fit<'a>(walk: &mut Walk<'a, '_, '_>) -> Vec<Shape<'a>> {
    let mut shapes = std::mem::take(&mut walk.shapes);
    let bounds = shapes
        .iter()
        .map(|of| of.bounds)
        .reduce(|all, one| all.union(one));
    let bounds = bounds.unwrap_or(Rect::ZERO);
    let scale = LONGEST / bounds.width().max(bounds.height()).max(1e-9);
    let matrix = Affine::scale(scale) * Affine::translate(-bounds.origin().to_vec2());
    shapes.retain_mut(|shape| {
        for point in shape.rings.iter_mut().flatten() {
            *point = (matrix * kurbo::Point::from(*point)).into();
        }
        shape
            .rings
            .retain(|ring| area(ring) >= 1.0 && shape::whole(ring).is_some());
        if shape.rings.is_empty() {
            walk.leave_out(shape.node, WITHOUT_AREA);
        }
        !shape.rings.is_empty()
    });
    shapes
}

fn draft(stem: &str, shapes: Vec<Shape<'_>>, finder: &mut Diagnostics<'_>) -> Draft {
    let mut draft = Draft {
        name: stem.to_owned(),
        mutual: true,
        ..Draft::default()
    };
    let mut ids = Ids::default();
    let mut continent_ids = Ids::default();
    let mut layers: BTreeMap<&str, usize> = BTreeMap::new();
    for (shape, number) in shapes.into_iter().zip(1..) {
        let id = || shape.node.attribute("id");
        let name = shape.name.or(shape.text.as_deref()).or_else(id);
        let name = name.map_or_else(|| format!("Territory {number}"), words);
        let name = finder.readable(&name, shape.place);
        let continent = shape.layer.map(|(layer, place)| {
            *layers.entry(layer).or_insert_with(|| {
                let name = finder.readable(&words(layer), place);
                let info = GroupInfo {
                    id: continent_ids.id(&name),
                    name,
                    bonus: 0,
                    colour: shape.colour.clone(),
                    ..GroupInfo::default()
                };
                draft.continents.push((info, place));
                draft.continents.len() - 1
            })
        });
        let rings = shape.rings.iter().filter_map(|ring| shape::whole(ring));
        let info = TerritoryInfo {
            id: ids.id(&name),
            name,
            continent: continent.map(Group::from_index),
            at: middle(&shape.rings).map(|(x, y)| (x.round() as i32, y.round() as i32)),
            shape: rings.collect(),
            ..TerritoryInfo::default()
        };
        if info.shape.iter().map(Vec::len).sum::<usize>() > shape::MOST_CORNERS {
            let most = shape::MOST_CORNERS;
            let text = format!(
                "the shape of `{}` must have at most {most} corners",
                info.name
            );
            let help = "simplify the path, for example with Path > Simplify in Inkscape";
            finder.find_with("shape-data", text, Some(help.to_owned()), shape.place);
        }
        draft
            .territories
            .push(TerritoryDraft::new(info, shape.place));
    }
    // The default bonus is half the number of territories.
    for (index, (info, _)) in draft.continents.iter_mut().enumerate() {
        let members = draft.territories.iter();
        let members = members.filter(|of| of.info.continent == Some(Group::from_index(index)));
        info.bonus = (members.count() as i32 / 2).max(1);
    }
    draft
}

/// Joins the words of a name, which may be on several lines.
fn words(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ")
}

/// Adds the lines of a graph as borders.
fn lines(draft: &mut Draft, links: Vec<(&str, &str, Extent)>, finder: &mut Diagnostics<'_>) {
    let named = |(at, of): (usize, &TerritoryDraft)| (of.info.name.clone(), at);
    let all: BTreeMap<String, usize> = draft.territories.iter().enumerate().map(named).collect();
    // A line may end at a part of a node, as in `a:left--b`.
    let find = |end: &str| {
        let whole = || all.get(&words(end.split(':').next()?));
        all.get(&words(end)).or_else(whole).copied()
    };
    for (from, to, place) in links {
        match (find(from), find(to)) {
            (Some(from), Some(to)) => draft.territories[from].borders.push((to, place)),
            _ => {
                let text = format!("ignored the line from `{from}` to `{to}`: no such territories");
                finder.find("svg-left-out", text, place);
            }
        }
    }
}

fn borders(draft: &mut Draft, finder: &mut Diagnostics<'_>) {
    let outlines = draft.territories.iter().map(|of| {
        let rings = of.info.shape.iter();
        let point = |&(x, y): &(i32, i32)| (f64::from(x), f64::from(y));
        rings.map(|ring| ring.iter().map(point).collect()).collect()
    });
    let Some(shores) = Shores::from_outlines(outlines.collect()) else {
        let text = "the shapes are too complex: too many edges are close together";
        finder.find("shape-data", text, (0, 0));
        return;
    };
    for ((from, to), _) in shores.common() {
        let place = draft.territories[from].place;
        draft.territories[from].borders.push((to, place));
    }
}
