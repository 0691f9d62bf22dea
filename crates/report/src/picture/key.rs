//! The key below a picture: numbers with their names, and the meaning of colours and lines.

use std::fmt::Write as _;

use super::coast::LineKind;
use super::ink::{COVER, INK};
use super::{NamedGame, Picture, colour_of, labels};
use risk_kernel::board::ContinentInfo;
use risk_kernel::event::Status;
use risk_kernel::id::Player;
use risk_text::plural::counted;
use risk_text::{escape_control, xml};

impl Picture<'_> {
    /// Draws the names that numbers replace on the map. Returns the size of the drawing to the
    /// right and below.
    pub(super) fn legend(&self, body: &mut String, names: &[String], top: f64) -> (f64, f64) {
        if names.is_empty() {
            return (0.0, 0.0);
        }
        let entries: Vec<String> = names
            .iter()
            .enumerate()
            .map(|(index, name)| format!("{}  {name}", index + 1))
            .collect();
        let widest = entries
            .iter()
            .map(|text| labels::width(text, 12.0))
            .fold(0.0, f64::max)
            + 24.0;
        let columns = ((self.width - 40.0) / widest).floor().max(1.0) as usize;
        let rows = entries.len().div_ceil(columns);
        for (index, text) in entries.iter().enumerate() {
            let x = 20.0 + (index / rows) as f64 * widest;
            let y = top + 12.0 + (index % rows) as f64 * 18.0;
            let _ = writeln!(
                body,
                "<text class=\"over\" data-number=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" \
                 font-size=\"12\" fill=\"{INK}\">{}</text>",
                index + 1,
                xml(text)
            );
        }
        (widest + 20.0, rows as f64 * 18.0 + 12.0)
    }

    /// Returns the colours of the key, each with the name of its continent or player.
    fn entries(&self, held: Option<&NamedGame<'_>>) -> Vec<(String, String)> {
        match held {
            None => {
                let continents = self.board.continents().iter().enumerate();
                let entry = |(index, info): (usize, &ContinentInfo)| {
                    let text = format!("{}  +{}", info.name, info.bonus);
                    (self.colour(index), text.replace("+-", "-"))
                };
                continents.map(entry).collect()
            }
            Some(NamedGame { names, game }) => {
                let entry = |player: Player| {
                    let count = counted(game.territory_count(player), "territory");
                    let status = match game.status(player) {
                        Status::Playing => String::new(),
                        status => format!(", {}", status.as_str()),
                    };
                    let text = format!("{}  {count}{status}", names[player.index()]);
                    (colour_of(player.index()), text)
                };
                game.seats().map(entry).collect()
            }
        }
    }

    /// Draws the meaning of colours and lines. Returns the size of the drawing to the right and
    /// below.
    pub(super) fn key(&self, body: &mut String, held: Option<&NamedGame<'_>>) -> (f64, f64) {
        let entries = self.entries(held);
        let mut bottom: f64 = 10.0;
        let widest = entries
            .iter()
            .map(|(_, text)| labels::width(text, 13.0))
            .fold(0.0, f64::max)
            + 50.0;
        let columns = ((self.width - 40.0) / widest).floor().max(1.0) as usize;
        for (index, (colour, text)) in entries.iter().enumerate() {
            let x = 20.0 + (index % columns) as f64 * widest;
            let y = self.height + (index / columns) as f64 * 24.0;
            bottom = bottom.max(y + 36.0 - self.height);
            let _ = writeln!(
                body,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"16\" height=\"16\" rx=\"3\" \
                 fill=\"{colour}\" fill-opacity=\"{COVER}\" stroke=\"#22303c\" \
                 stroke-width=\"0.5\"/><text class=\"over\" x=\"{:.1}\" y=\"{:.1}\" \
                 font-size=\"13\" fill=\"#22303c\">{}</text>",
                x + 24.0,
                y + 12.5,
                xml(&escape_control(text))
            );
        }
        let (lines_wide, rows) = self.lines_key(body, self.height + bottom);
        (lines_wide.max(widest + 20.0), bottom + rows)
    }

    /// Draws the meaning of lines. Returns the size of the drawing to the right and below.
    fn lines_key(&self, body: &mut String, top: f64) -> (f64, f64) {
        let kinds = self.coast.kinds().into_iter();
        let mut samples: Vec<(String, &str)> = kinds
            .map(|kind| {
                let look = format!("stroke=\"{INK}\" {}{}", kind.look(), kind.class());
                (look, kind.meaning())
            })
            .collect();
        let mut pairs = self.coast.shores.common();
        if pairs.any(|((from, to), _)| !self.joined(from, to)) {
            let look = "stroke=\"#22303c\" stroke-width=\"5\" stroke-linecap=\"round\"";
            samples.push((look.to_owned(), "impassable"));
        }
        if samples.is_empty() {
            return (0.0, 0.0);
        }
        let (mut x, mut y, mut most) = (20.0, top, 0.0_f64);
        for (look, text) in samples {
            let wide = 34.0 + labels::width(text, 12.0);
            if x > 20.0 && x + wide > self.width - 20.0 {
                (x, y) = (20.0, y + 20.0);
            }
            // Lines on land are dark in every theme, so the key shows them on land.
            if !look.contains("class") {
                let (left, top) = (x - 3.0, y - 6.0);
                let _ = writeln!(
                    body,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"34\" height=\"12\" rx=\"3\" \
                     fill=\"#b9c4b0\"/>"
                );
            }
            let _ = writeln!(
                body,
                "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" {look}/><text class=\"over\" x=\"{:.1}\" y=\"{:.1}\" \
                 font-size=\"12\" fill=\"#5a6a78\">{text}</text>",
                x + 28.0,
                x + 36.0,
                y + 4.0
            );
            x += wide + 26.0;
            most = most.max(x);
        }
        (most, y - top + 22.0)
    }
}

impl LineKind {
    /// Returns the width and the dashes as SVG attributes.
    pub(super) const fn look(self) -> &'static str {
        match self {
            Self::Dashed => "stroke-width=\"1.6\" stroke-dasharray=\"6 5\"",
            Self::Corner => "stroke-width=\"1.8\" stroke-linecap=\"round\"",
            Self::Lane => "stroke-width=\"2\"",
        }
    }

    /// Returns the class of lines over water. Their colour changes with the theme.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Dashed | Self::Lane => " class=\"dash\"",
            Self::Corner => "",
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Dashed => "a border between distant territories",
            Self::Corner => "a border across a corner",
            Self::Lane => "a border",
        }
    }
}
