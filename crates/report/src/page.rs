//! The frame, the style and the tables of pages with results: reports of tournaments and
//! comparisons, and the pages of a ladder.
//!
//! All texts enter a page through [`maud`], which escapes them. Texts that people choose also pass
//! [`plain`], which shows their control characters.

use std::borrow::Cow;

use maud::{DOCTYPE, PreEscaped, html};
use risk_text::{escape_control, isolated_html};

pub use maud::Markup;

/// The style of these pages in light mode, dark mode and print.
pub const STYLE: &str = include_str!("page/report.css");

/// Escapes the control characters of a text for a page. The template escapes `<` and `&`.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    escape_control(text)
}

/// Returns a self-contained document with the title, the style and this content of its `<body>`.
#[must_use]
pub fn document(title: &str, body: &Markup) -> String {
    let style = html! { style { (PreEscaped(STYLE)) } };
    whole(title, &style, body) + "\n"
}

/// Returns a page of a server, with a style sheet at this path.
#[must_use]
pub fn served(title: &str, style: &str, body: &Markup) -> String {
    let links = html! {
        link rel="icon" href="data:,";
        link rel="stylesheet" href=(style);
    };
    whole(title, &links, body)
}

/// Returns a page. `more` is the rest of its head.
fn whole(title: &str, more: &Markup, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (plain(title)) }
                (more)
            }
            body { (body) }
        }
    };
    isolated_html(&page.into_string()).into_owned()
}

/// Returns a section with a heading of the second level.
#[must_use]
pub fn section(heading: &str, body: &Markup) -> Markup {
    html! { section { h2 { (plain(heading)) } (body) } }
}

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    content: Markup,
    class: Option<&'static str>,
    heat: Option<f64>,
}

impl Cell {
    /// Returns a cell with text that may wrap.
    #[must_use]
    pub fn words(text: &str) -> Self {
        Self::from(text).class("words")
    }

    /// Sets the cell's class, which the style defines.
    #[must_use]
    pub fn class(self, class: &'static str) -> Self {
        let class = Some(class);
        Self { class, ..self }
    }

    /// Colours the cell, from 0 (not at all) to 1 (as the style's mark).
    #[must_use]
    pub fn heat(self, heat: f64) -> Self {
        let heat = Some(heat);
        Self { heat, ..self }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        html! { (plain(text)) }.into()
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<Markup> for Cell {
    fn from(content: Markup) -> Self {
        Self {
            content,
            ..Self::default()
        }
    }
}

/// Returns a table that scrolls if it is wider than the page. The first cell of each row is its
/// header. Screen readers announce the caption.
#[must_use]
pub fn table(caption: &str, heads: &[Cell], rows: &[Vec<Cell>]) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label=(plain(caption)) {
            table {
                caption.hidden { (plain(caption)) }
                thead { tr { @for head in heads { (column(head)) } } }
                tbody { @for row in rows { (line(row)) } }
            }
        }
    }
}

fn column(head: &Cell) -> Markup {
    html! { th scope="col" class=[head.class] { (head.content) } }
}

fn line(row: &[Cell]) -> Markup {
    let Some((first, rest)) = row.split_first() else {
        return Markup::default();
    };
    html! {
        tr {
            th scope="row" { (first.content) }
            @for cell in rest { (data(cell)) }
        }
    }
}

fn data(cell: &Cell) -> Markup {
    let heat = cell.heat.map(|heat| format!("--heat:{:.0}%", 100.0 * heat));
    html! { td class=[cell.class] style=[heat] { (cell.content) } }
}

/// Returns the cells of a table's head.
#[must_use]
pub fn heads(heads: &[&str]) -> Vec<Cell> {
    heads.iter().copied().map(Cell::from).collect()
}
