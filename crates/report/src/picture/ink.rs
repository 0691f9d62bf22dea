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
/// The limits of the lightness and the chroma of land in Oklab.
const LIGHTNESS: (f64, f64) = (0.6, 0.83);
const CHROMA: f64 = 0.12;

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

/// Softens a colour that a map requests: land is neither glaring nor white, and ink is readable on
/// it. The hue stays. Uses Oklab by Björn Ottosson, "A perceptual color space for image processing"
/// (2020).
pub(super) fn tamed(colour: &str) -> String {
    let Some(asked) = channels(colour) else {
        return colour.to_owned();
    };
    let [light, green_red, blue_yellow] = oklab(asked.map(linear));
    let light = light.clamp(LIGHTNESS.0, LIGHTNESS.1);
    let share = (CHROMA / green_red.hypot(blue_yellow).max(1e-9)).min(1.0);
    let [red, green, blue] = rgb([light, green_red * share, blue_yellow * share])
        .map(|value| (encoded(value.clamp(0.0, 1.0)) * 255.0).round() as u8);
    readable(&format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// Returns linear red, green and blue in Oklab.
fn oklab([red, green, blue]: [f64; 3]) -> [f64; 3] {
    let [long, medium, short] = [
        0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue,
        0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue,
        0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue,
    ]
    .map(f64::cbrt);
    [
        0.210_454_255_3 * long + 0.793_617_785_0 * medium - 0.004_072_046_8 * short,
        1.977_998_495_1 * long - 2.428_592_205_0 * medium + 0.450_593_709_9 * short,
        0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766_0 * short,
    ]
}

/// Returns a colour of Oklab as linear red, green and blue.
fn rgb([light, green_red, blue_yellow]: [f64; 3]) -> [f64; 3] {
    let [long, medium, short] = [
        light + 0.396_337_777_4 * green_red + 0.215_803_757_3 * blue_yellow,
        light - 0.105_561_345_8 * green_red - 0.063_854_172_8 * blue_yellow,
        light - 0.089_484_177_5 * green_red - 1.291_485_548_0 * blue_yellow,
    ]
    .map(|value| value.powi(3));
    [
        4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
    ]
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
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Returns a channel from 0 to 255 as linear light from 0 to 1.
fn linear(value: f64) -> f64 {
    let share = value / 255.0;
    if share <= 0.04045 {
        share / 12.92
    } else {
        ((share + 0.055) / 1.055).powf(2.4)
    }
}

/// Returns linear light from 0 to 1 as a channel from 0 to 1.
fn encoded(light: f64) -> f64 {
    if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    }
}

/// Returns a colour of a palette, or a shade of it for an index beyond the palette.
pub(super) fn shaded(palette: &[&str], index: usize) -> String {
    let colour = palette[index % palette.len()];
    let shade = index / palette.len() % 3;
    let toward = [None, Some(0x18), Some(0xf4)][shade];
    let channel = |at: usize| {
        let value = u32::from_str_radix(&colour[at..at + 2], 16).unwrap_or_default();
        toward.map_or(value, |toward| (value * 5 + toward * 4) / 9)
    };
    readable(&format!(
        "#{:02x}{:02x}{:02x}",
        channel(1),
        channel(3),
        channel(5)
    ))
}
