//! Walks over the elements of a drawing and collects the shapes that are drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr as _;

use kurbo::{Affine, Rect};
use roxmltree::{Document, Node};
use svgtypes::{Length, LengthUnit, Transform};

use super::super::draft::{Diagnostics, Extent};
use super::super::shape;
use super::super::shores::{Point, area};
use super::MOST_PATHS;
use super::style::{Style, Styles};
use risk_text::diag::TextFile;
use risk_text::plural::counted;

const DEEPEST: usize = 64;
/// The maximum number of elements, including those that `use` draws again, and of hundreds of bytes
/// in their attributes.
const MOST_VISITS: usize = 400_000;
/// The maximum number of elements of one kind that a finding names.
const MOST_NAMED: usize = 4;
/// The maximum number of texts that can name shapes, and of nodes in one text or bytes in a node.
const MOST_TEXTS: usize = 2_000;
const MOST_PARTS: usize = 200;
/// The maximum number of layers that an error lists.
const MOST_LAYERS: usize = 40;
const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";
const XLINK: &str = "http://www.w3.org/1999/xlink";
const SHAPES: [&str; 6] = ["path", "polygon", "polyline", "rect", "circle", "ellipse"];

pub(super) const UNFILLED: &str = "without fill";
pub(super) const WITHOUT_AREA: &str = "without area";

/// A shape that is drawn, in the coordinates of the drawing.
pub(super) struct Shape<'a> {
    pub(super) node: Node<'a, 'a>,
    /// The name that the author gave to the shape or to its group.
    pub(super) name: Option<&'a str>,
    /// A text on the shape, if it has no name.
    pub(super) text: Option<String>,
    pub(super) layer: Option<(&'a str, Extent)>,
    pub(super) colour: Option<String>,
    pub(super) is_filled: bool,
    pub(super) rings: Vec<Vec<Point>>,
    pub(super) bounds: Rect,
    pub(super) place: Extent,
}

impl Shape<'_> {
    /// Reports whether the shape may mark a place on a territory, such as a town.
    pub(super) fn is_mark(&self) -> bool {
        matches!(self.node.tag_name().name(), "rect" | "circle" | "ellipse")
    }
}

/// The shapes, texts and lines of a drawing.
pub(super) struct Walk<'a, 'f, 't> {
    pub(super) finder: &'f mut Diagnostics<'t>,
    chosen: &'f [String],
    styles: Styles<'a>,
    ids: BTreeMap<&'a str, Node<'a, 'a>>,
    /// The ids of elements that `use` draws.
    used: BTreeSet<&'a str>,
    visits: usize,
    corners: usize,
    /// The layers of Inkscape, and other groups.
    layers: [BTreeSet<&'a str>; 2],
    names: BTreeSet<&'a str>,
    left_out: BTreeMap<(&'a str, &'static str), LeftOut<'a>>,
    pub(super) shapes: Vec<Shape<'a>>,
    pub(super) texts: Vec<(String, Point)>,
    /// The ends of lines in a graph by Graphviz.
    pub(super) links: Vec<(&'a str, &'a str, Extent)>,
}

/// The number of elements, the names of the first, and the place of the first.
type LeftOut<'a> = (usize, Vec<&'a str>, Extent);

/// The values that an element inherits from the elements that contain it.
#[derive(Clone, Copy)]
struct Inherited<'a> {
    style: Style<'a>,
    matrix: Affine,
    layer: Option<(&'a str, Extent)>,
    is_chosen: bool,
    /// The name of a `use`, or of a group with a single shape.
    name: Option<&'a str>,
    /// Whether the group is an edge of a graph, which becomes a border.
    is_line: bool,
    /// The place of a `use`.
    place: Option<Extent>,
    depth: usize,
}

impl<'a, 'f, 't> Walk<'a, 'f, 't> {
    /// Returns all that is drawn, or nothing if the drawing is too complex.
    pub(super) fn over(
        document: &'a Document<'a>,
        chosen: &'f [String],
        finder: &'f mut Diagnostics<'t>,
    ) -> Option<Self> {
        let with_id = |node: Node<'a, 'a>| Some((node.attribute("id")?, node));
        let mut walk = Self {
            finder,
            chosen,
            styles: Styles::new(document),
            ids: document.descendants().filter_map(with_id).collect(),
            used: document.descendants().filter_map(target).collect(),
            visits: 0,
            corners: 0,
            layers: [BTreeSet::new(), BTreeSet::new()],
            names: BTreeSet::new(),
            left_out: BTreeMap::new(),
            shapes: Vec::new(),
            texts: Vec::new(),
            links: Vec::new(),
        };
        let above = Inherited {
            style: Style::DEFAULT,
            matrix: Affine::IDENTITY,
            layer: None,
            is_chosen: chosen.is_empty(),
            name: None,
            is_line: false,
            place: None,
            depth: 0,
        };
        let root = document.root_element();
        walk.element(root, above)?;
        let known = |layer: &&String| walk.names.contains(layer.as_str());
        if let Some(unknown) = chosen.iter().find(|layer| !known(layer)) {
            let [layers, groups] = &walk.layers;
            let all = if layers.is_empty() { groups } else { layers };
            let mut list: Vec<&str> = all.iter().copied().take(MOST_LAYERS).collect();
            list.extend((all.len() > MOST_LAYERS).then_some("…"));
            let text = format!("no layer named `{unknown}`");
            let help = match list.as_slice() {
                [] => "the drawing has no layers: leave out --layers".to_owned(),
                list => format!("the drawing has the layers {}", list.join(", ")),
            };
            walk.finder
                .find_with("value", text, Some(help), place_of(root));
            return None;
        }
        Some(walk)
    }

    fn element(&mut self, node: Node<'a, 'a>, mut above: Inherited<'a>) -> Option<()> {
        let tag = node.tag_name().name();
        let place = above.place.unwrap_or_else(|| place_of(node));
        // With `use`, an element of any length can be drawn again and again.
        let bytes = node.attributes().map(|attribute| attribute.value().len());
        let length = bytes.sum::<usize>() + node.children().count();
        self.visits += 1 + length / 100;
        above.depth += 1;
        let style = self.styles.of(node, above.style);
        let limit = if above.depth > DEEPEST {
            Some(format!(
                "groups must be nested at most {DEEPEST} levels deep"
            ))
        } else if self.visits > MOST_VISITS {
            Some("the drawing is too long, including what `use` draws".to_owned())
        } else {
            let text =
                "`<style>` must have at most 50,000 bytes, and fewer rules for many elements";
            style.is_none().then(|| text.to_owned())
        };
        if let Some(text) = limit {
            self.finder.find("value", text, place);
            return None;
        }
        above.style = style?;
        match node.attribute("transform").map(Transform::from_str) {
            Some(Err(_)) => {
                let text = format!("invalid transform of the {tag} `{}`", shown(node));
                self.finder.find("shape-data", text, place);
                return Some(());
            }
            Some(Ok(Transform { a, b, c, d, e, f })) => {
                above.matrix *= Affine::new([a, b, c, d, e, f]);
            }
            None => {}
        }
        match tag {
            "g" | "svg" | "symbol" | "a" | "switch" => return self.group(node, above),
            "use" => return self.reference(node, above),
            "text" => self.text(node, &above),
            "line" | "image" => self.leave_out(node, ""),
            "defs" | "clipPath" | "mask" | "pattern" | "marker" if above.place.is_none() => {
                self.definitions(node);
            }
            _ if is_shape(&node) => return self.shape(node, &above, place),
            _ => {}
        }
        Some(())
    }

    fn group(&mut self, node: Node<'a, 'a>, mut above: Inherited<'a>) -> Option<()> {
        let mut inside = node.children().filter(Node::is_element);
        match node.tag_name().name() {
            "g" => {
                let name = given_name(node);
                let class = node.attribute("class");
                let title = name.filter(|_| class == Some("edge"));
                let mut ends = ["--", "->"].into_iter();
                // Graphviz draws a line as a group with the title `a--b` or `a->b`.
                if let Some((from, to)) = ends.find_map(|line| title?.split_once(line)) {
                    self.links.push((from, to, place_of(node)));
                    return Some(());
                }
                self.enter(node, name, &mut above);
            }
            "symbol" if above.place.is_none() => {
                self.definitions(node);
                return Some(());
            }
            _ if above.depth > 1 && node.has_attribute("viewBox") => {
                self.leave_out(node, "with a `viewBox` of its own");
                return Some(());
            }
            _ => {}
        }
        inside.try_for_each(|node| self.element(node, above))
    }

    /// Takes the name of a group for a layer, or for the only shape in it if that has none.
    fn enter(&mut self, node: Node<'a, 'a>, name: Option<&'a str>, above: &mut Inherited<'a>) {
        let id = node.attribute("id");
        let is_layer = node.attribute((INKSCAPE, "groupmode")) == Some("layer");
        for known in [name, id].into_iter().flatten() {
            above.is_chosen |= self.chosen.iter().any(|layer| layer == known);
            self.names.insert(known);
        }
        if let Some(label) = name.or(id) {
            self.layers[usize::from(!is_layer)].insert(label);
        }
        let drawn =
            |node: &Node<'_, '_>| is_shape(node) || matches!(node.tag_name().name(), "g" | "use");
        let mut drawn = node.children().filter(drawn);
        let first = drawn.next().filter(is_shape);
        let alone = first.filter(|_| drawn.next().is_none());
        // A line by draw.io comes before its arrowheads.
        let cell = node
            .parent_element()
            .is_some_and(|cell| cell.has_attribute("data-cell-id"));
        above.is_line = cell && first.is_some_and(|line| line.attribute("fill") == Some("none"));
        let is_nameless = alone.is_some_and(|shape| given_name(shape).is_none());
        above.name = name.filter(|_| is_nameless && !is_layer);
        let fallback = id.filter(|_| is_layer || above.layer.is_none());
        if above.name.is_none()
            && let Some(label) = name.or(fallback)
        {
            above.layer = Some((label, place_of(node)));
        }
    }

    fn reference(&mut self, node: Node<'a, 'a>, mut above: Inherited<'a>) -> Option<()> {
        let Some(&to) = target(node).and_then(|id| self.ids.get(id)) else {
            self.leave_out(node, "of unknown elements");
            return Some(());
        };
        let shift = |name| number(node, name).unwrap_or_default();
        above.matrix *= Affine::translate((shift("x"), shift("y")));
        above.name = given_name(node).or(above.name);
        above.place = above.place.or_else(|| Some(place_of(node)));
        self.element(to, above)
    }

    fn shape(&mut self, node: Node<'a, 'a>, above: &Inherited<'a>, place: Extent) -> Option<()> {
        let is_filled = above.style.is_filled();
        let data = data(node);
        let unclosed = !data.as_deref().unwrap_or("z").ends_with(['z', 'Z']);
        let reason = match &data {
            _ if !above.is_chosen => "in other layers",
            _ if above.style.is_hidden() => "hidden by `display`, `visibility` or `opacity`",
            _ if !is_filled && unclosed => UNFILLED,
            _ if above.is_line => "as arrowheads",
            None => "with sizes that are not plain numbers",
            Some(data) if data.is_empty() => WITHOUT_AREA,
            _ => "",
        };
        let Some(data) = data.filter(|_| reason.is_empty()) else {
            self.leave_out(node, reason);
            return Some(());
        };
        let rings = match shape::points(&data, false) {
            Ok(rings) => rings,
            Err(flaw) => {
                let (text, at) = (flaw.text, flaw.at);
                let text = format!("{text} (byte {at} of the path `{}`)", shown(node));
                self.finder.find("shape-data", text, place);
                return Some(());
            }
        };
        self.corners += rings.iter().map(Vec::len).sum::<usize>();
        if self.corners > shape::MOST_OF_MAP {
            let most = shape::MOST_OF_MAP;
            let text = format!("the shapes of a map must have at most {most} corners in total");
            self.finder.find("shape-data", text, place);
            return None;
        }
        let rings = placed(rings, above.matrix);
        let points = rings.iter().flatten().map(|&point| point.into());
        let points = points.map(|at: kurbo::Point| Rect::from_points(at, at));
        let Some(bounds) = points.reduce(|all, one| all.union(one)) else {
            self.leave_out(node, WITHOUT_AREA);
            return Some(());
        };
        // Too many shapes cause an error later.
        if self.shapes.len() <= MOST_PATHS {
            self.shapes.push(Shape {
                node,
                name: above.name.or_else(|| given_name(node)),
                text: None,
                layer: above.layer,
                colour: above.style.colour(),
                is_filled,
                rings,
                bounds,
                place,
            });
        }
        Some(())
    }

    fn text(&mut self, node: Node<'a, 'a>, above: &Inherited<'a>) {
        self.leave_out(node, "");
        let parts = node.descendants().take(MOST_PARTS);
        let mut places = parts.clone().filter(|part| part.has_attribute("x"));
        let place = places.next().unwrap_or(node);
        let [x, y] = ["x", "y"].map(|name| number(place, name).unwrap_or_default());
        let at = above.matrix * kurbo::Point::new(x, y);
        let words = parts.filter(Node::is_text).filter_map(|part| part.text());
        let words = words.filter(|text| text.len() <= MOST_PARTS);
        let text = words.collect::<Vec<_>>().join(" ");
        // Numbers of armies are no names.
        let is_name = text.contains(char::is_alphabetic);
        let is_shown = above.is_chosen && !above.style.is_hidden();
        if is_name && is_shown && self.texts.len() < MOST_TEXTS {
            self.texts.push((text, at.into()));
        }
    }

    /// Leaves out shapes in definitions, except those that `use` draws.
    fn definitions(&mut self, node: Node<'a, 'a>) {
        let mut inside = vec![node];
        while let Some(node) = inside.pop() {
            let id = node.attribute("id");
            if id.is_some_and(|id| self.used.contains(id)) {
                continue;
            }
            if is_shape(&node) {
                self.leave_out(node, "in definitions");
            }
            inside.extend(node.children());
        }
    }

    pub(super) fn leave_out(&mut self, node: Node<'a, 'a>, reason: &'static str) {
        let first = || (0, Vec::new(), place_of(node));
        let key = (node.tag_name().name(), reason);
        let (count, names, _) = self.left_out.entry(key).or_insert_with(first);
        *count += 1;
        if names.len() < MOST_NAMED {
            names.extend(given_name(node).or_else(|| node.attribute("id")));
        }
    }

    /// Reports what was left out. Nameless elements are reported by the place of the first.
    pub(super) fn report(&mut self, file: &TextFile) {
        let part = |(&(tag, reason), (count, names, place)): (&(&str, &str), &LeftOut<'a>)| {
            let mut which: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            if which.is_empty() {
                let (line, column) = file.line_column(place.0);
                which.push(format!("{line}:{column}"));
            }
            which.extend((*count > which.len()).then(|| "…".to_owned()));
            let space = if reason.is_empty() { "" } else { " " };
            let (what, which) = (counted(count, tag), which.join(", "));
            format!("{what}{space}{reason} ({which})")
        };
        let parts: Vec<String> = self.left_out.iter().map(part).collect();
        let places = self.left_out.values().map(|(_, _, place)| *place);
        if let Some(first) = places.min() {
            let text = format!("ignored {}", parts.join(", "));
            self.finder.find("svg-left-out", text, first);
        }
    }
}

/// Moves rings to their place in the drawing, and leaves out those without area.
fn placed(mut rings: Vec<Vec<Point>>, matrix: Affine) -> Vec<Vec<Point>> {
    for point in rings.iter_mut().flatten() {
        *point = (matrix * kurbo::Point::from(*point)).into();
    }
    rings.retain(|ring| area(ring) > 0.0 && area(ring).is_finite());
    rings
}

fn is_shape(node: &Node<'_, '_>) -> bool {
    SHAPES.contains(&node.tag_name().name())
}

pub(super) fn place_of(node: Node<'_, '_>) -> Extent {
    (node.range().start, 1 + node.tag_name().name().len())
}

/// Returns the name that the author gave to an element. Editors also give automatic ids such as
/// `path12-3`, and labels such as `#path12-3`.
fn given_name<'a>(node: Node<'a, 'a>) -> Option<&'a str> {
    let tag = node.tag_name().name();
    let is_automatic = |text: &str| {
        let number = text.trim_start_matches('#').strip_prefix(tag);
        number.is_some_and(|number| {
            number
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-')
        })
    };
    let title = || {
        node.children()
            .find(|node| node.tag_name().name() == "title")?
            .text()
    };
    let names = [
        node.attribute((INKSCAPE, "label")),
        node.attribute("data-name"),
        title(),
        node.attribute("id"),
    ];
    let mut names = names.into_iter().flatten().map(str::trim);
    names.find(|name| !name.is_empty() && !is_automatic(name))
}

/// Returns the id of the element that a `use` draws.
fn target<'a>(node: Node<'a, 'a>) -> Option<&'a str> {
    let to = node
        .attribute("href")
        .or_else(|| node.attribute((XLINK, "href")));
    to?.strip_prefix('#')
        .filter(|_| node.tag_name().name() == "use")
}

/// Returns a name for messages.
fn shown<'a>(node: Node<'a, 'a>) -> &'a str {
    let id = || node.attribute("id");
    given_name(node).or_else(id).unwrap_or("territory")
}

/// Returns a length in the units of the drawing.
fn number(node: Node<'_, '_>, name: &str) -> Option<f64> {
    let length = Length::from_str(node.attribute(name)?.trim()).ok()?;
    matches!(length.unit, LengthUnit::None | LengthUnit::Px).then_some(length.number)
}

/// Returns the path data of a shape, which is empty for a shape without a size.
fn data(node: Node<'_, '_>) -> Option<String> {
    let text = |name| node.attribute(name).unwrap_or_default().trim();
    let size = |name| match node.attribute(name) {
        None => Some(0.0),
        Some(_) => number(node, name),
    };
    let tag = node.tag_name().name();
    Some(match tag {
        "path" => text("d").to_owned(),
        "polygon" | "polyline" if text("points").is_empty() => String::new(),
        "polygon" => format!("M{}Z", text("points")),
        "polyline" => format!("M{}", text("points")),
        "rect" => {
            let [x, y, width, height] = ["x", "y", "width", "height"].map(size);
            format!(
                "M{} {}h{}v{height}H{}Z",
                x?,
                y?,
                width?,
                x?,
                height = height?
            )
        }
        _ => {
            let [x, y] = ["cx", "cy"].map(size);
            let [rx, ry] = if tag == "circle" {
                ["r", "r"]
            } else {
                ["rx", "ry"]
            }
            .map(size);
            let (x, y, rx, ry) = (x?, y?, rx?, ry?);
            let (from, to) = (x - rx, x + rx);
            format!("M{from} {y}A{rx} {ry} 0 1 0 {to} {y}A{rx} {ry} 0 1 0 {from} {y}Z")
        }
    })
}
