//! The key below a picture: numbers with their names, and the meaning of colours and lines.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::coast::LineKind;
use super::ink::INK;
use super::layout::Point;
use super::{NamedGame, Picture, UnplacedTexts, fill_of, labels, with_bonus};
use risk_kernel::event::Status;
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_text::plural::counted;
use risk_text::{escape_control, xml};

/// The height of a line of text, in pixels.
const LINE: f64 = 18.0;
/// The height of a colour of the key with one line of text, in pixels.
const ROW: f64 = 24.0;

/// A sample of a line or an arrow, drawn around a point at the left.
struct LineSample {
    svg: String,
    text: &'static str,
    /// Whether the key shows it on land, because its colour is the same in every theme.
    on_land: bool,
}

impl Picture<'_> {
    /// Draws the names that numbers replace on the map, and the continents without room there.
    /// Returns the size of the drawing to the right and below.
    pub(super) fn legend(
        &self,
        body: &mut String,
        unplaced: &UnplacedTexts,
        top: f64,
    ) -> (f64, f64) {
        let names = unplaced.names.iter().enumerate();
        let names = names.map(|(index, name)| {
            let number = index + 1;
            (
                format!(" data-number=\"{number}\""),
                format!("{number}  {name}"),
            )
        });
        let continents = unplaced.continents.iter();
        let continents = continents.map(|text| (String::new(), text.clone()));
        // Groups that may overlap have no place of their own on the map.
        let continent_count = self.board.continents().len();
        let groups = self.board.groups().iter().skip(continent_count);
        let groups = groups.map(|info| (String::new(), with_bonus(self.style, info)));
        let omitted = (unplaced.omitted > 0).then(|| {
            let names = counted(unplaced.omitted, "more name");
            (
                String::new(),
                format!("no room for {names}: draw the map wider"),
            )
        });
        let entries: Vec<(String, String)> = names
            .chain(continents)
            .chain(groups)
            .chain(omitted)
            .collect();
        if entries.is_empty() {
            return (0.0, 0.0);
        }
        let room = self.width - 40.0;
        let widths = entries.iter().map(|(_, text)| labels::width(text, 12.0));
        let widest = widths.fold(0.0, f64::max) + 24.0;
        let columns = (room / widest).floor().max(1.0) as usize;
        let rows = entries.len().div_ceil(columns);
        let mut low = 0.0_f64;
        for (column, entries) in entries.chunks(rows).enumerate() {
            let x = 20.0 + column as f64 * widest;
            let mut y = 12.0;
            for (mark, text) in entries {
                let look = format!("{mark} font-size=\"12\" fill=\"{INK}\"");
                let lines = labels::wrapped(text, 12.0, room);
                y = text_lines(body, &look, &lines, (x, top + y)) - top;
            }
            low = low.max(y);
        }
        (widest.min(room) + 20.0, low)
    }

    /// Returns the colours of the key, each with the name of its continent or player.
    fn entries(&self, held: Option<&NamedGame<'_>>) -> Vec<(String, String)> {
        match held {
            None => {
                let continents = self.board.continents().iter().enumerate();
                let entry = |(index, info): (usize, &GroupInfo)| {
                    (self.colour(index), with_bonus(self.style, info))
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
                    let name = escape_control(&names[player.index()]);
                    let text = format!("{name}  {count}{status}");
                    (fill_of(player.index()), text)
                };
                game.seats().map(entry).collect()
            }
        }
    }

    /// Draws the meaning of colours and lines. Returns the size of the drawing to the right and
    /// below.
    pub(super) fn key(&self, body: &mut String, held: Option<&NamedGame<'_>>) -> (f64, f64) {
        let entries = self.entries(held);
        let room = self.width - 40.0;
        let widths = entries.iter().map(|(_, text)| labels::width(text, 13.0));
        let widest = widths.fold(0.0, f64::max) + 50.0;
        let columns = (room / widest).floor().max(1.0) as usize;
        let mut y = self.height;
        for row in entries.chunks(columns) {
            let mut next = y + ROW;
            for (column, (fill, text)) in row.iter().enumerate() {
                let x = 20.0 + column as f64 * widest;
                let _ = write!(
                    body,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"16\" height=\"16\" rx=\"3\" \
                     fill=\"{fill}\" stroke=\"#22303c\" stroke-width=\"0.5\"/>"
                );
                let look = " font-size=\"13\" fill=\"#22303c\"";
                let lines = labels::wrapped(text, 13.0, room - 24.0);
                let low = text_lines(body, look, &lines, (x + 24.0, y + 12.5));
                next = next.max(low + ROW - LINE - 12.5);
            }
            y = next;
        }
        let bottom = y + 12.0 - self.height;
        let game = held.map(|held| held.game);
        let (lines_wide, rows) = self.lines_key(body, game, self.height + bottom);
        (lines_wide.max(widest.min(room) + 20.0), bottom + rows)
    }

    /// Returns the lines and arrows on the map, each with its meaning.
    fn samples(&self, game: Option<&GameState>) -> Vec<LineSample> {
        let kinds = self.coast.kinds().into_iter();
        let mut samples: Vec<LineSample> = kinds
            .map(|kind| {
                let mut svg = String::new();
                super::line(&mut svg, (0.0, 0.0), (28.0, 0.0), kind);
                LineSample {
                    svg,
                    text: kind.meaning(),
                    // Lines on land are dark in every theme.
                    on_land: kind.class().is_empty(),
                }
            })
            .collect();
        if self.board.edges().any(|(_, _, one_way)| one_way) {
            let mut svg = String::new();
            super::arrow(&mut svg, (0.0, 0.0), (34.0, 0.0));
            samples.push(LineSample {
                svg,
                text: "a border in one direction",
                on_land: true,
            });
        }
        let marks = self.map_marks(game).into_iter().map(|(mark, _)| mark);
        samples.extend(BTreeSet::from_iter(marks).into_iter().map(|mark| {
            let mut svg = String::new();
            mark.draw(&mut svg, (14.0, 0.0));
            LineSample {
                svg,
                text: mark.meaning(),
                on_land: true,
            }
        }));
        let mut pairs = self.coast.shores.common();
        if pairs.any(|((from, to), _)| !self.joined(from, to)) {
            let svg = "<line x1=\"0\" y1=\"0\" x2=\"28\" y2=\"0\" stroke=\"#22303c\" \
                       stroke-width=\"5\" stroke-linecap=\"round\"/>\n";
            samples.push(LineSample {
                svg: svg.to_owned(),
                text: "impassable",
                on_land: true,
            });
        }
        samples
    }

    /// Draws the meaning of lines. Returns the size of the drawing to the right and below.
    fn lines_key(&self, body: &mut String, game: Option<&GameState>, top: f64) -> (f64, f64) {
        let samples = self.samples(game);
        if samples.is_empty() {
            return (0.0, 0.0);
        }
        let room = self.width - 20.0;
        let (mut x, mut y, mut most) = (20.0, top, 0.0_f64);
        let mut next = y;
        for LineSample { svg, text, on_land } in samples {
            let wide = 36.0 + labels::width(text, 12.0);
            if x > 20.0 && x + wide > room {
                (x, y) = (20.0, next);
            }
            let _ = write!(body, "<g transform=\"translate({x:.1} {y:.1})\">");
            if on_land {
                body.push_str(
                    "<rect x=\"-3\" y=\"-6\" width=\"34\" height=\"12\" rx=\"3\" \
                     fill=\"#b9c4b0\"/>",
                );
            }
            let _ = write!(body, "{}</g>", svg.trim_end());
            let look = " font-size=\"12\" fill=\"#5a6a78\"";
            let lines = labels::wrapped(text, 12.0, room - x - 36.0);
            next = text_lines(body, look, &lines, (x + 36.0, y + 4.0)) - 2.0;
            x += wide + 26.0;
            most = most.max(x);
        }
        (most.min(self.width), next - top + 2.0)
    }
}

/// Writes a text in lines of the key, from a point down. Returns the height of the next line.
pub(super) fn text_lines(body: &mut String, look: &str, lines: &[String], from: Point) -> f64 {
    let (x, mut y) = from;
    for (index, line) in lines.iter().enumerate() {
        let line = xml(line.trim_end());
        let _ = if index == 0 {
            write!(
                body,
                "<text class=\"over\"{look} x=\"{x:.1}\" y=\"{y:.1}\">{line}"
            )
        } else {
            write!(body, "<tspan x=\"{x:.1}\" y=\"{y:.1}\">{line}</tspan>")
        };
        y += LINE;
    }
    body.push_str("</text>\n");
    y
}

impl LineKind {
    /// Returns the width and the dashes as SVG attributes.
    pub(super) const fn look(self) -> &'static str {
        match self {
            Self::Dashed => "stroke-width=\"1.6\" stroke-dasharray=\"6 5\"",
            Self::Corner => "stroke-width=\"1.8\" stroke-linecap=\"round\"",
            Self::Crossing => "r=\"2.5\"",
            Self::Lane => "stroke-width=\"2\"",
        }
    }

    /// Returns the class of lines over water. Their colour changes with the theme.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Dashed | Self::Lane => " class=\"dash\"",
            Self::Corner | Self::Crossing => "",
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Dashed => "a border between distant territories",
            Self::Corner => "a border across a corner",
            Self::Crossing => "borders across a corner",
            Self::Lane => "a border",
        }
    }
}
