//! The colours and patterns of players.

use std::fmt::Write as _;

use super::ink::{INK, shaded};

/// The colours of the first six players. Colour-blind people can tell them apart too, and ink is
/// readable on them: tests/it/palette.rs measures it.
const PLAYERS: [&str; 6] = [
    "#97d0fd", "#ef4b5f", "#ffb300", "#8e6ffc", "#f9edce", "#9d879b",
];
/// The side length of a pattern's tile, in pixels.
pub(super) const TILE: u32 = 14;
/// The lines and spots on land that identify players without colours. The first player has none.
const MARKS: [PlayerPattern; 8] = [
    PlayerPattern::new("", 0.0),
    PlayerPattern::new("M0 0L14 14M-4 10L4 18M10-4L18 4", 1.6),
    PlayerPattern::new("M7 7h.01", 6.0),
    PlayerPattern::new("M0 7H14", 1.6),
    PlayerPattern::new("M0 14L14 0M-4 4L4-4M10 18L18 10", 1.6),
    PlayerPattern::new("M7 0V14M0 7H14", 1.6),
    PlayerPattern::new("M7 0V14", 1.6),
    PlayerPattern::new("M3 3h.01M10 10h.01", 4.0),
];

/// A pattern of lines with round ends on a tile of 14 × 14 pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerPattern {
    /// The lines as SVG path data. It is empty for a plain colour.
    pub path: &'static str,
    /// The width of the lines, in pixels.
    pub width: f64,
}

impl PlayerPattern {
    const fn new(path: &'static str, width: f64) -> Self {
        Self { path, width }
    }
}

/// Returns the colour of a player, by seat. Seats beyond the palette get darker and then lighter
/// shades. Ink is readable on every colour.
#[must_use]
pub fn colour_of(seat: usize) -> String {
    shaded(&PLAYERS, seat)
}

/// Reports whether a player's land has a pattern in every picture, because colours alone can't
/// identify more than six players.
#[must_use]
pub const fn is_patterned(seat: usize) -> bool {
    seat >= PLAYERS.len()
}

/// Returns the pattern that identifies a player without colours. The first player's is empty.
#[must_use]
pub const fn pattern_of(seat: usize) -> PlayerPattern {
    if is_patterned(seat) {
        MARKS[1 + (seat - PLAYERS.len()) % (MARKS.len() - 1)]
    } else {
        MARKS[seat]
    }
}

/// Returns a player's colour, or a reference to the pattern that [`patterns`] defines.
pub(super) fn fill_of(seat: usize) -> String {
    if is_patterned(seat) {
        format!("url(#pattern-{seat})")
    } else {
        colour_of(seat)
    }
}

/// Returns the definitions of players' patterns, by seat, or an empty string without any.
pub(super) fn patterns(seats: impl Iterator<Item = usize>) -> String {
    let mut text = String::new();
    for seat in seats {
        let PlayerPattern { path, width } = pattern_of(seat);
        let _ = write!(
            text,
            "<pattern id=\"pattern-{seat}\" width=\"{TILE}\" height=\"{TILE}\" \
             patternUnits=\"userSpaceOnUse\"><rect width=\"{TILE}\" height=\"{TILE}\" \
             fill=\"{}\"/><path d=\"{path}\" fill=\"none\" stroke=\"{INK}\" stroke-opacity=\"0.55\" \
             stroke-width=\"{width}\" stroke-linecap=\"round\"/></pattern>",
            colour_of(seat)
        );
    }
    if text.is_empty() {
        return text;
    }
    format!("<defs id=\"patterns-of-players\">{text}</defs>\n")
}
