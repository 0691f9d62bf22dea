//! Maps drawn as SVG, for example in Inkscape. A path is a territory, a layer or a group is a
//! continent, and shapes that touch share a border.

mod attributes;

use std::collections::BTreeMap;

use roxmltree::{Document, Node, ParsingOptions};

use super::draft::{Diagnostics, Draft, Extent, TerritoryDraft};
use super::sections::Ids;
use super::shape;
use super::shores::{Point, Shores, middle};
use crate::load::diag::TextFile;
use risk_kernel::board::{ContinentInfo, TerritoryInfo};
use risk_kernel::id::Continent;
use risk_text::plural::counted;

/// The maximum number of elements and texts in a drawing.
const MOST_NODES: u32 = 200_000;
const DEEPEST: usize = 64;
/// The maximum number of territories in a map. A drawing with more paths is refused.
const MOST_PATHS: usize = 10_000;
/// The maximum number of paths whose places in the file are searched for.
const MOST_PLACES: usize = 200;
/// The length of the longest side of the land, in the map's units.
const LONGEST: f64 = 1_600.0;
const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";

/// `[a, b, c, d, e, f]` as in SVG's `matrix`.
type Matrix = [f64; 6];

const SAME: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

struct SvgPath<'a> {
    name: &'a str,
    layer: Option<&'a str>,
    colour: Option<String>,
    rings: Vec<Vec<Point>>,
    place: Extent,
}

pub(super) fn read(file: &TextFile, stem: &str, finder: &mut Diagnostics<'_>) -> Option<Draft> {
    if let Err((text, place)) = attributes::check(&file.text) {
        finder.find(
            "syntax",
            format!("the drawing is too complex to read: {text}"),
            place,
        );
        return None;
    }
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = match Document::parse_with_options(&file.text, options) {
        Ok(document) => document,
        Err(error) => {
            finder.find("syntax", format!("invalid SVG: {error}"), (0, 0));
            return None;
        }
    };
    let mut drawn = paths(&document, file, finder)?;
    if drawn.is_empty() {
        let text = "the drawing has no paths".to_owned();
        finder.find("no-territories", text, (0, 0));
        return None;
    }
    let corners = drawn.iter().flat_map(|path| &path.rings).map(Vec::len);
    if corners.sum::<usize>() > shape::MOST_OF_MAP {
        let most = shape::MOST_OF_MAP;
        let text = format!("the shapes of a map must have at most {most} corners in total");
        finder.find("shape-data", text, (0, 0));
        return None;
    }
    let layers: Vec<&str> = drawn.iter().filter_map(|path| path.layer).collect();
    if !finder.fits(drawn.len(), layers.len().min(drawn.len())) {
        return None;
    }
    fit(&mut drawn);
    let mut draft = draft(stem, drawn, finder);
    let all = draft.territories.iter().all(|of| !of.info.shape.is_empty());
    if all {
        borders(&mut draft, finder);
    }
    Some(draft)
}

/// Returns all paths of a drawing, and ignores other elements.
fn paths<'a>(
    document: &'a Document<'_>,
    file: &TextFile,
    finder: &mut Diagnostics<'_>,
) -> Option<Vec<SvgPath<'a>>> {
    let mut drawn = Vec::new();
    let mut others: BTreeMap<&str, usize> = BTreeMap::new();
    for node in document.descendants().filter(Node::is_element) {
        match node.tag_name().name() {
            "path" | "polygon" => {
                if node.ancestors().nth(DEEPEST).is_some() {
                    let text = format!("groups must be nested at most {DEEPEST} levels deep");
                    finder.find("value", text, (0, 0));
                    return None;
                }
                // Too many paths cause an error below.
                if is_shown(node) && drawn.len() <= MOST_PATHS {
                    let place = place_of(node, file, drawn.len());
                    drawn.extend(path(node, place, finder));
                }
            }
            what @ ("rect" | "circle" | "ellipse" | "polyline" | "line" | "use" | "image"
            | "text") => *others.entry(what).or_default() += 1,
            _ => {}
        }
    }
    for (what, count) in others {
        let text = format!("ignored {} in the drawing", counted(count, what));
        finder.find("svg-left-out", text, (0, 0));
    }
    Some(drawn)
}

/// Reports whether a node is drawn. Definitions such as clips and patterns are not.
fn is_shown(node: Node<'_, '_>) -> bool {
    let hidden = ["defs", "clipPath", "mask", "pattern", "marker", "symbol"];
    !node
        .ancestors()
        .any(|above| hidden.contains(&above.tag_name().name()))
}

/// Returns the place of a path's id in the file. Only the places of the first paths are searched
/// for.
fn place_of(node: Node<'_, '_>, file: &TextFile, before: usize) -> Extent {
    let id = node.attribute("id").filter(|_| before < MOST_PLACES);
    let found = id.and_then(|id| {
        let at = file.text.find(&format!("\"{id}\""))?;
        Some((at, id.len() + 2))
    });
    found.unwrap_or((0, 0))
}

fn path<'a>(
    node: Node<'a, '_>,
    place: Extent,
    finder: &mut Diagnostics<'_>,
) -> Option<SvgPath<'a>> {
    let label = |node: Node<'a, '_>| {
        node.attribute((INKSCAPE, "label"))
            .or_else(|| node.attribute("id"))
    };
    let name = label(node).unwrap_or("territory");
    let rings = outline(node, name, place, finder)?;
    let above = node.ancestors().skip(1);
    let layer = above.filter(|above| above.has_tag_name("g") || above.tag_name().name() == "g");
    Some(SvgPath {
        name,
        layer: layer.filter_map(label).next(),
        colour: node.ancestors().find_map(colour),
        rings,
        place,
    })
}

/// Returns the closed parts of a path, in the coordinates of the drawing.
fn outline(
    node: Node<'_, '_>,
    name: &str,
    place: Extent,
    finder: &mut Diagnostics<'_>,
) -> Option<Vec<Vec<Point>>> {
    let data = match node.attribute("d") {
        Some(data) => data.to_owned(),
        None => format!("M{}Z", node.attribute("points").unwrap_or_default()),
    };
    let mut rings = match shape::points(&data, false) {
        Ok(rings) => rings,
        Err(flaw) => {
            let text = format!("{} (byte {} of the path `{name}`)", flaw.text, flaw.at);
            finder.find("shape-data", text, place);
            return None;
        }
    };
    let matrix = node
        .ancestors()
        .filter_map(|above| above.attribute("transform"))
        .try_fold(SAME, |inner, text| Some(times(transform(text)?, inner)));
    let Some(matrix) = matrix else {
        let text = format!("invalid transform of the path `{name}`");
        finder.find("shape-data", text, place);
        return None;
    };
    for point in rings.iter_mut().flatten() {
        *point = moved(matrix, *point);
    }
    if rings.is_empty()
        || rings
            .iter()
            .flatten()
            .any(|(x, y)| !x.is_finite() || !y.is_finite())
    {
        finder.find(
            "shape-data",
            format!("the path `{name}` has no area"),
            place,
        );
        return None;
    }
    Some(rings)
}

/// Returns the fill colour of an element as `#rrggbb`.
fn colour(node: Node<'_, '_>) -> Option<String> {
    let style = node.attribute("style").unwrap_or_default();
    let styled = style
        .split(';')
        .find_map(|part| part.trim().strip_prefix("fill:"));
    let fill = styled.or_else(|| node.attribute("fill"))?.trim();
    let digits = fill.strip_prefix('#')?;
    let fits = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    fits.then(|| fill.to_lowercase())
}

fn transform(text: &str) -> Option<Matrix> {
    let mut all = SAME;
    for part in text
        .split(')')
        .map(|part| part.trim_matches([' ', ',', '\n', '\t', '\r']))
    {
        if part.is_empty() {
            continue;
        }
        let (name, numbers) = part.split_once('(')?;
        let numbers = numbers
            .split([',', ' ', '\n', '\t', '\r'])
            .filter(|text| !text.is_empty());
        let numbers: Vec<f64> = numbers
            .map(|text| text.parse().ok())
            .collect::<Option<_>>()?;
        let turn = |degrees: f64| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            [cos, sin, -sin, cos, 0.0, 0.0]
        };
        let shift = |x: f64, y: f64| [1.0, 0.0, 0.0, 1.0, x, y];
        let one = match (name.trim(), numbers.as_slice()) {
            ("matrix", &[a, b, c, d, e, f]) => [a, b, c, d, e, f],
            ("translate", &[x]) => shift(x, 0.0),
            ("translate", &[x, y]) => shift(x, y),
            ("scale", &[x]) => [x, 0.0, 0.0, x, 0.0, 0.0],
            ("scale", &[x, y]) => [x, 0.0, 0.0, y, 0.0, 0.0],
            ("rotate", &[degrees]) => turn(degrees),
            ("rotate", &[degrees, x, y]) => times(times(shift(x, y), turn(degrees)), shift(-x, -y)),
            ("skewX", &[degrees]) => [1.0, 0.0, degrees.to_radians().tan(), 1.0, 0.0, 0.0],
            ("skewY", &[degrees]) => [1.0, degrees.to_radians().tan(), 0.0, 1.0, 0.0, 0.0],
            _ => return None,
        };
        all = times(all, one);
    }
    Some(all)
}

/// Combines two transforms. The transform `inner` is applied first.
fn times(outer: Matrix, inner: Matrix) -> Matrix {
    let [a, b] = [0, 2].map(|at| {
        let x = inner[at];
        let y = inner[at + 1];
        (outer[0] * x + outer[2] * y, outer[1] * x + outer[3] * y)
    });
    let (e, f) = moved(outer, (inner[4], inner[5]));
    [a.0, a.1, b.0, b.1, e, f]
}

fn moved(matrix: Matrix, point: Point) -> Point {
    let [a, b, c, d, e, f] = matrix;
    (a * point.0 + c * point.1 + e, b * point.0 + d * point.1 + f)
}

/// Moves and scales the land to map coordinates.
fn fit(drawn: &mut [SvgPath<'_>]) {
    let all = || drawn.iter().flat_map(|path| path.rings.iter().flatten());
    let low = all().fold((f64::INFINITY, f64::INFINITY), |low, point| {
        (low.0.min(point.0), low.1.min(point.1))
    });
    let high = all().fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |high, point| {
        (high.0.max(point.0), high.1.max(point.1))
    });
    let scale = LONGEST / (high.0 - low.0).max(high.1 - low.1).max(1e-9);
    for point in drawn
        .iter_mut()
        .flat_map(|path| path.rings.iter_mut().flatten())
    {
        *point = ((point.0 - low.0) * scale, (point.1 - low.1) * scale);
    }
}

fn draft(stem: &str, drawn: Vec<SvgPath<'_>>, finder: &mut Diagnostics<'_>) -> Draft {
    let mut draft = Draft {
        name: stem.to_owned(),
        mutual: true,
        ..Draft::default()
    };
    let mut ids = Ids::default();
    let mut continent_ids = Ids::default();
    let mut layers: BTreeMap<&str, usize> = BTreeMap::new();
    for path in drawn {
        let name = finder.readable(path.name, path.place);
        let continent = path.layer.map(|layer| {
            *layers.entry(layer).or_insert_with(|| {
                let name = finder.readable(layer, (0, 0));
                let info = ContinentInfo {
                    id: continent_ids.id(&name),
                    name,
                    bonus: 0,
                    colour: path.colour.clone(),
                };
                draft.continents.push((info, path.place));
                draft.continents.len() - 1
            })
        });
        let rings: Vec<_> = path
            .rings
            .iter()
            .filter_map(|ring| shape::whole(ring))
            .collect();
        let info = TerritoryInfo {
            id: ids.id(&name),
            name,
            continent: continent.map(Continent::from_index),
            at: middle(&path.rings).map(|(x, y)| (x.round() as i32, y.round() as i32)),
            shape: rings,
            ..TerritoryInfo::default()
        };
        if info.shape.is_empty() {
            let text = format!("the path `{}` has no area", info.name);
            finder.find("shape-data", text, path.place);
        }
        draft
            .territories
            .push(TerritoryDraft::new(info, path.place));
    }
    // The default bonus is half the number of territories.
    for (index, (info, _)) in draft.continents.iter_mut().enumerate() {
        let members = draft.territories.iter();
        let members = members.filter(|of| of.info.continent == Some(Continent::from_index(index)));
        info.bonus = (members.count() as i32 / 2).max(1);
    }
    draft
}

fn borders(draft: &mut Draft, finder: &mut Diagnostics<'_>) {
    let outlines = draft.territories.iter().map(|of| {
        let rings = of.info.shape.iter();
        let point = |&(x, y): &(i32, i32)| (f64::from(x), f64::from(y));
        rings.map(|ring| ring.iter().map(point).collect()).collect()
    });
    let Some(shores) = Shores::from_outlines(outlines.collect()) else {
        let text = "the shapes are too complex: too many edges are close together".to_owned();
        finder.find("shape-data", text, (0, 0));
        return;
    };
    for ((from, to), _) in shores.common() {
        let place = draft.territories[from].place;
        draft.territories[from].borders.push((to, place));
    }
}
