//! The colours of terminal text. They come from the part of the 256-colour palette that looks the
//! same in every theme. Their contrast on white and on black is at least 4.5:1.

use std::borrow::Cow;

/// The colours of players, by seat.
pub const SEATS: [u8; 6] = [TEAL, MAGENTA, BLUE, RED, VIOLET, 243];
/// The colour for good results.
pub const GOOD: u8 = TEAL;
/// The colour for bad results.
pub const BAD: u8 = RED;
/// White, for text on players' territories.
pub const LIGHT: u8 = 231;
/// Black, for text and lines on territories.
pub const DARK: u8 = 16;
/// Grey, for the background of unowned territories.
pub const NOBODY: u8 = 250;

const TEAL: u8 = 29;
const BLUE: u8 = 63;
const VIOLET: u8 = 98;
const RED: u8 = 131;
const MAGENTA: u8 = 163;

/// The maximum length of a style code, in bytes.
pub(super) const LONGEST_CODE: usize = 32;

/// Returns the style code for text in a colour.
#[must_use]
pub fn letters(colour: u8) -> String {
    format!("38;5;{colour}")
}

/// Returns the style code for text in one colour on a background in another colour.
#[must_use]
pub fn letters_on(colour: u8, ground: u8) -> String {
    format!("38;5;{colour};48;5;{ground}")
}

/// Replaces the 16 theme colours in another library's style code, because text in these colours may
/// be illegible, such as yellow on white.
pub(super) fn readable(code: &str) -> Cow<'_, str> {
    // The numbers after 38 and 48 are not theme colours.
    if code.split(';').any(|part| part == "38" || part == "48") {
        return Cow::Borrowed(code);
    }
    let ours = |part: &str| match part {
        "31" | "91" => letters(BAD),
        "32" | "92" => letters(GOOD),
        "33" | "93" => letters(MAGENTA),
        "34" | "36" | "94" | "96" => letters(BLUE),
        "35" | "95" => letters(VIOLET),
        // Black and white become the terminal's default colour.
        "30" | "37" | "90" | "97" => "39".to_owned(),
        other => other.to_owned(),
    };
    let parts: Vec<String> = code.split(';').map(ours).collect();
    let joined = parts.join(";");
    if joined.len() > LONGEST_CODE {
        return Cow::Borrowed(code);
    }
    Cow::Owned(joined)
}
