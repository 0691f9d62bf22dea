//! The properties of elements that say whether and how they are drawn, from attributes, from
//! `<style>` and from `style`, in this order.

use std::cell::Cell;
use std::str::FromStr as _;

use roxmltree::{Document, Node};
use simplecss::{AttributeOperator, PseudoClass, StyleSheet};
use svgtypes::Color;

/// The maximum number of comparisons of rules with elements.
const MOST_COMPARED: u64 = 5_000_000;
/// The maximum length of all style sheets. The work of their reader grows quadratically.
const MOST_BYTES: usize = 50_000;

const PROPERTIES: [&str; 5] = ["fill", "fill-opacity", "display", "visibility", "opacity"];

pub(super) struct Styles<'a> {
    sheet: StyleSheet<'a>,
    left: Cell<u64>,
}

/// The style of an element, including the properties that it inherits.
#[derive(Clone, Copy)]
pub(super) struct Style<'a> {
    fill: &'a str,
    see_through: bool,
    visible: bool,
    removed: bool,
}

impl<'a> Styles<'a> {
    pub(super) fn new(document: &'a Document<'a>) -> Self {
        let mut sheet = StyleSheet::new();
        let styles = document
            .descendants()
            .filter(|node| node.tag_name().name() == "style");
        let texts: Vec<&str> = styles.filter_map(|node| node.text()).collect();
        let fits = texts.iter().map(|text| text.len()).sum::<usize>() <= MOST_BYTES;
        if fits {
            texts.iter().for_each(|text| sheet.parse_more(text));
        }
        let left = Cell::new(if fits { MOST_COMPARED } else { 0 });
        Self { sheet, left }
    }

    /// Returns the style of an element, or nothing if the style sheet is too complex.
    pub(super) fn of(&self, node: Node<'a, 'a>, above: Style<'a>) -> Option<Style<'a>> {
        let mut found = PROPERTIES.map(|name| node.attribute(name));
        let mut declare = |name: &str, value: &'a str| {
            if let Some(at) = PROPERTIES.iter().position(|of| *of == name) {
                found[at] = Some(value);
            }
        };
        let element = Element(node, &self.left);
        for rule in &self.sheet.rules {
            element.count(1 + rule.declarations.len() as u64)?;
            if rule.selector.matches(&element) {
                let all = rule.declarations.iter();
                all.for_each(|by| declare(by.name, by.value));
            }
        }
        // The reader of style sheets would take quadratic time here.
        for declaration in node.attribute("style").unwrap_or_default().split(';') {
            element.count(1)?;
            if let Some((name, value)) = declaration.split_once(':') {
                declare(name.trim(), value.trim_end_matches("!important"));
            }
        }
        element.count(0)?;
        let [fill, fill_opacity, display, visibility, opacity] =
            found.map(|value| value.map(str::trim).filter(|value| *value != "inherit"));
        let zero = |text: &str| text.trim_end_matches('%').parse() == Ok(0.0);
        Some(Style {
            fill: fill.unwrap_or(above.fill),
            see_through: fill_opacity.map_or(above.see_through, zero),
            visible: visibility.map_or(above.visible, |value| value == "visible"),
            removed: above.removed || display == Some("none") || opacity.is_some_and(zero),
        })
    }
}

impl Style<'_> {
    pub(super) const DEFAULT: Self = Self {
        fill: "",
        see_through: false,
        visible: true,
        removed: false,
    };

    pub(super) const fn is_hidden(&self) -> bool {
        self.removed || !self.visible
    }

    pub(super) fn is_filled(&self) -> bool {
        let clear = Color::from_str(self.fill).is_ok_and(|colour| colour.alpha == 0);
        !self.see_through && !clear && self.fill != "none"
    }

    /// Returns the colour as `#rrggbb`, unless it is a pattern or the default.
    pub(super) fn colour(&self) -> Option<String> {
        let colour = Color::from_str(self.fill).ok()?;
        let Color {
            red, green, blue, ..
        } = colour;
        Some(format!("#{red:02x}{green:02x}{blue:02x}"))
    }
}

/// An element with the number of comparisons that are left. At 0, nothing matches any more.
struct Element<'a, 's>(Node<'a, 'a>, &'s Cell<u64>);

impl Element<'_, '_> {
    fn count(&self, work: u64) -> Option<()> {
        self.1.set(self.1.get().saturating_sub(work));
        (self.1.get() > 0).then_some(())
    }
}

impl simplecss::Element for Element<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.count(1)?;
        Some(Self(self.0.parent_element()?, self.1))
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let before = self.0.prev_siblings().skip(1);
        let mut before = before.take_while(|_| self.count(1).is_some());
        Some(Self(before.find(Node::is_element)?, self.1))
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.count(1).is_some() && self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        let value = self.count(1).and_then(|()| self.0.attribute(name));
        value.is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        matches!(class, PseudoClass::FirstChild) && self.prev_sibling_element().is_none()
    }
}
