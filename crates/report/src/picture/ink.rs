//! Land colours on which text has the WCAG contrast of 4.5 : 1, for any colour that a map requests.

/// The colour of text and dashes.
pub(super) const INK: &str = "#16202a";
/// The colour of the sea, below all land.
pub(super) const SEA: &str = "#eaf1f6";
/// The colour of the sea in dark pictures.
pub(super) const DARK_SEA: &str = "#14202b";
/// The opacity of land over the sea.
pub(super) const COVER: f64 = 1.0;
/// The rules of a dark picture. They change the sea and the text on it, but not the land.
pub(super) const DARK: &str = ".sea { fill: #14202b } .shallows { stroke: #20384a } \
                               .over { fill: #dfe8ef } .dash { stroke: #d5e2ec } \
                               .land { fill-opacity: 1 } .name { fill: #f4f8fb; stroke: #14202b; \
                               stroke-opacity: 0.85 }";
/// The minimum contrast, slightly above the WCAG value to allow for rounding.
const LEAST: f64 = 4.55;
/// The number of steps from a colour to white.
const STEPS: u32 = 32;

/// Lightens a requested land colour until ink is readable on it.
pub(super) fn readable(colour: &str) -> String {
    let (Some(asked), Some(sea), Some(ink)) = (channels(colour), channels(SEA), channels(INK))
    else {
        return colour.to_owned();
    };
    let lighter =
        |step: u32| asked.map(|value| value + (255.0 - value) * f64::from(step) / f64::from(STEPS));
    let seen = |land: [f64; 3]| [0, 1, 2].map(|at| land[at] * COVER + sea[at] * (1.0 - COVER));
    let fits = |land: &[f64; 3]| contrast(seen(*land), ink) >= LEAST;
    let found = (0..=STEPS).map(lighter).find(fits).unwrap_or([255.0; 3]);
    let [red, green, blue] = found.map(|value| value.round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Parses a colour into red, green and blue, each from 0 to 255.
fn channels(colour: &str) -> Option<[f64; 3]> {
    let digits = colour
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    Some([16, 8, 0].map(|shift| f64::from(number >> shift & 0xff)))
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let a = luminance(a);
    let b = luminance(b);
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Returns the luminance of a colour, from 0 to 1.
fn luminance(colour: [f64; 3]) -> f64 {
    let [red, green, blue] = colour.map(|value| {
        let share = value / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}
