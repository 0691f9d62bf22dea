//! The colours of text on a terminal. They are of the 256 that look the same in every theme, and
//! those that can be read on white as well as on black: the contrast is at least 4.5 to 1 on both.

use std::borrow::Cow;

/// The colours of players, by seat.
pub const SEATS: [u8; 6] = [TEAL, MAGENTA, BLUE, RED, VIOLET, 243];
/// What is good.
pub const GOOD: u8 = TEAL;
/// What is bad.
pub const BAD: u8 = RED;
/// White: letters on land of the players.
pub const LIGHT: u8 = 231;
/// Black: letters and lines on land.
pub const DARK: u8 = 16;
/// Land that nobody has, behind dark letters.
pub const NOBODY: u8 = 250;

const TEAL: u8 = 29;
const BLUE: u8 = 63;
const VIOLET: u8 = 98;
const RED: u8 = 131;
const MAGENTA: u8 = 163;

/// The longest code that stays one.
pub(super) const LONGEST_CODE: usize = 32;

/// The code of letters in a colour.
#[must_use]
pub fn letters(colour: u8) -> String {
    format!("38;5;{colour}")
}

/// The code of letters in a colour on a ground of another.
#[must_use]
pub fn letters_on(colour: u8, ground: u8) -> String {
    format!("38;5;{colour};48;5;{ground}")
}

/// The code of another library: in place of the sixteen colours of themes, which may not be read
/// where it did not expect them, yellow on white, say, it has ours.
pub(super) fn readable(code: &str) -> Cow<'_, str> {
    // Behind these, numbers are no colours of themes.
    if code.split(';').any(|part| part == "38" || part == "48") {
        return Cow::Borrowed(code);
    }
    let ours = |part: &str| match part {
        "31" | "91" => letters(BAD),
        "32" | "92" => letters(GOOD),
        "33" | "93" => letters(MAGENTA),
        "34" | "36" | "94" | "96" => letters(BLUE),
        "35" | "95" => letters(VIOLET),
        // Black and white are those of the terminal.
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
