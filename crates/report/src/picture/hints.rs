//! What a ruleset's `board:` adds to a picture: badges of units, markers of territories, and
//! tracks.

use std::fmt::Write as _;

use super::ink::INK;
use super::key::text_lines;
use super::labels::Area;
use super::layout::{Point, distance, mean};
use super::{NamedGame, Picture, fill_of, labels};
use risk_kernel::declare::Declaration;
use risk_kernel::hints::{Marker, MarkerPlace, Track};
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::Words;
use risk_text::{escape_control, xml};

/// The colour of a marker in the middle of territories, and of passed spaces of the table's tracks.
const STEEL: &str = "#4d5963";
/// The smallest radius of a marker in the middle of territories, in pixels.
const SMALLEST_DISC: f64 = 16.0;
/// The side length of a space on a track with its gap, in pixels.
const SPACE: f64 = 27.0;

/// Returns the units of a territory as a short text: a number, or for several kinds the number of
/// each kind with its badge. The text is empty for a free territory without units.
pub(super) fn stack(game: &GameState, at: Territory) -> String {
    let is_free = game.owner(at).is_none();
    stack_of(game.decl(), is_free, |unit| game.units(at, unit))
}

/// Returns units as a short text, like [`stack`].
pub(super) fn stack_of(decl: &Declaration, is_free: bool, units: impl Fn(Unit) -> i32) -> String {
    let kinds = (0..decl.units.len()).map(|unit| (unit, units(Unit::from_index(unit))));
    let kinds: Vec<_> = kinds.filter(|(_, count)| *count != 0).collect();
    if kinds.is_empty() {
        return if is_free { "" } else { "0" }.to_owned();
    }
    if decl.units.len() < 2 {
        return kinds[0].1.to_string();
    }
    let badge = |unit: usize| decl.hints.badges.get(unit);
    let parts: Vec<String> = kinds
        .iter()
        .map(|&(unit, count)| match badge(unit) {
            Some(badge) => format!("{count}{}", escape_control(badge)),
            None => count.to_string(),
        })
        .collect();
    parts.join(if decl.hints.badges.is_empty() {
        "+"
    } else {
        " "
    })
}

impl Picture<'_> {
    /// Draws the ruleset's markers: a double line around each territory, or a disc in the middle.
    /// `is_gone` reports whether the marker of a territory is gone.
    pub(super) fn markers(
        &self,
        body: &mut String,
        decl: &Declaration,
        is_gone: impl Fn(&Marker, Territory) -> bool,
    ) {
        for (index, marker) in decl.hints.markers.iter().enumerate() {
            if let Some(((x, y), radius)) = self.middle(marker) {
                let _ = writeln!(
                    body,
                    "<circle class=\"middle\" data-marker=\"{index}\" cx=\"{x:.1}\" cy=\"{y:.1}\" \
                     r=\"{radius:.1}\" fill=\"{STEEL}\" stroke=\"{INK}\" stroke-width=\"2\"/>"
                );
                continue;
            }
            for at in marker.territories(self.board) {
                let gone = is_gone(marker, at);
                let land = at.index();
                let path = self.coast.path(land);
                let _ = writeln!(
                    body,
                    "<g class=\"marker{}\" data-marker=\"{index}\" data-land=\"{land}\">{}</g>",
                    if gone { " gone" } else { "" },
                    outline(&format!("<path d=\"{path}\""), gone)
                );
            }
        }
    }

    /// Returns the place and the radius of a marker in the middle of its territories, or `None` if
    /// it is drawn at each of them.
    fn middle(&self, marker: &Marker) -> Option<(Point, f64)> {
        if marker.place != MarkerPlace::Middle || !self.coast.is_discs() {
            return None;
        }
        let places = marker.territories(self.board);
        let places = places.map(|at| self.coast.places[at.index()]);
        let middle = mean(places)?;
        let outlines = (0..self.board.len()).flat_map(|of| self.coast.shores.outline(of));
        let nearest = outlines.flatten().map(|&corner| distance(corner, middle));
        let radius = nearest.fold(f64::INFINITY, f64::min) * 0.75;
        (radius.is_finite() && radius >= SMALLEST_DISC).then_some((middle, radius))
    }

    /// Returns the areas of markers in the middle of territories.
    pub(super) fn middles(&self, decl: &Declaration) -> Vec<Area> {
        let discs = decl.hints.markers.iter().filter_map(|it| self.middle(it));
        discs
            .map(|((x, y), radius)| (x - radius, y - radius, x + radius, y + radius))
            .collect()
    }

    /// Writes the titles of markers in the middle of territories.
    pub(super) fn names_of_markers(&self, body: &mut String, held: &NamedGame<'_>) {
        for marker in &held.game.decl().hints.markers {
            let Some(((x, y), radius)) = self.middle(marker) else {
                continue;
            };
            let lines = labels::wrapped(&marker.title, labels::SMALLEST, radius * 1.7);
            let top = y - (lines.len() as f64 - 1.0) * 7.0 + 4.0;
            for (row, line) in lines.iter().enumerate() {
                let _ = writeln!(
                    body,
                    "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{}\" font-weight=\"bold\" \
                     text-anchor=\"middle\" fill=\"#ffffff\">{}</text>",
                    top + row as f64 * 14.0,
                    labels::SMALLEST,
                    xml(line.trim_end())
                );
            }
        }
    }

    /// Draws the meaning of badges and markers, and the tracks, from `top` down. Returns the height
    /// of the drawing.
    pub(super) fn hints_key(&self, body: &mut String, held: &NamedGame<'_>, top: f64) -> f64 {
        let hints = &held.game.decl().hints;
        let words = Words::new(self.board, held.game.decl());
        let mut y = top;
        let line = |body: &mut String, left: f64, text: &str, y: &mut f64| {
            let look = " font-size=\"12\" fill=\"#5a6a78\"";
            let lines = labels::wrapped(&escape_control(text), 12.0, self.width - 20.0 - left);
            *y = text_lines(body, look, &lines, (left, *y + 12.0)) - 12.0;
        };
        for marker in &hints.markers {
            if self.middle(marker).is_some() || marker.territories(self.board).next().is_none() {
                continue;
            }
            let all = || marker.territories(self.board);
            for gone in [false, true] {
                if all().any(|at| is_gone(held.game, marker, at) == gone) {
                    let sample = format!(
                        "<rect x=\"23\" y=\"{:.1}\" width=\"14\" height=\"14\"",
                        y + 1.0
                    );
                    body.push_str(&outline(&sample, gone));
                    let state = if gone { ", gone" } else { "" };
                    line(body, 48.0, &format!("{}{state}", marker.title), &mut y);
                    y += 4.0;
                }
            }
        }
        if !hints.badges.is_empty() {
            let kinds = hints.badges.iter().enumerate();
            let kinds = kinds
                .map(|(unit, badge)| format!("{badge}: {}", words.unit(Unit::from_index(unit), 2)));
            line(body, 20.0, &kinds.collect::<Vec<_>>().join(", "), &mut y);
            y += 4.0;
        }
        for track in &hints.tracks {
            let of = if track.of_players {
                held.game.seats().map(Some).collect()
            } else {
                vec![None]
            };
            for of in of {
                line(body, 20.0, &track_text(track, held, of), &mut y);
                y = self.track(body, track, held.game, of, y + 4.0);
            }
        }
        if y > top { y - top + 6.0 } else { 0.0 }
    }

    /// Draws the spaces of a track. Returns the height below them.
    fn track(
        &self,
        body: &mut String,
        track: &Track,
        game: &GameState,
        of: Option<Player>,
        top: f64,
    ) -> f64 {
        let (passed, ahead) = standing(track, game, of);
        let fill = of.map_or_else(|| STEEL.to_owned(), |player| fill_of(player.index()));
        let columns = ((self.width - 40.0) / SPACE).floor().max(1.0) as usize;
        for (index, text) in track.spaces.iter().enumerate() {
            let x = 20.0 + (index % columns) as f64 * SPACE;
            let y = top + (index / columns) as f64 * SPACE;
            let number = index as i64;
            let (fill, ink) = match of {
                _ if number >= passed => ("#ffffff", INK),
                None => (fill.as_str(), "#ffffff"),
                Some(_) => (fill.as_str(), INK),
            };
            let is_ahead = number >= passed && number < passed.saturating_add(ahead);
            let _ = writeln!(
                body,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"24\" height=\"24\" rx=\"4\" \
                 fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"{}\"/><text x=\"{:.1}\" \
                 y=\"{:.1}\" font-size=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
                if is_ahead { 3.0 } else { 0.8 },
                x + 12.0,
                y + 16.0,
                labels::SMALLEST,
                xml(text)
            );
        }
        top + track.spaces.len().div_ceil(columns) as f64 * SPACE + 4.0
    }
}

/// Reports whether the marker of a territory is gone in a game.
pub(super) fn is_gone(game: &GameState, marker: &Marker, at: Territory) -> bool {
    marker.is_gone(at, |counter| game.counter(counter, None))
}

/// Returns the number of spaces passed, and the number of pieces on the next spaces.
fn standing(track: &Track, game: &GameState, of: Option<Player>) -> (i64, i64) {
    let ahead = track.ahead.map_or(0, |counter| game.counter(counter, of));
    (game.counter(track.counter, of), ahead)
}

/// Returns a track's title and state in words.
fn track_text(track: &Track, held: &NamedGame<'_>, of: Option<Player>) -> String {
    let (passed, ahead) = standing(track, held.game, of);
    let owner = of.map_or(String::new(), |player| {
        format!(", {}", held.names[player.index()])
    });
    let mut text = format!("{}{owner}: {passed} of {}", track.title, track.spaces.len());
    if let Some(counter) = track.ahead.filter(|_| ahead != 0) {
        let name = held.game.decl().counters[counter.index()]
            .name
            .replace('_', " ");
        let _ = write!(text, ", {ahead} {name} ahead");
    }
    text
}

/// Returns the two lines of a marker around a shape, whose element has begun. The marker of a
/// territory that is gone is a dashed line.
fn outline(shape: &str, gone: bool) -> String {
    if gone {
        return format!(
            "{shape} fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\" stroke-dasharray=\"3 4\"/>"
        );
    }
    format!(
        "{shape} fill=\"none\" stroke=\"{INK}\" stroke-width=\"6\"/>{shape} fill=\"none\" \
         stroke=\"#ffffff\" stroke-width=\"2\"/>"
    )
}
