//! Pictures as pixels. The fonts are part of the program, so text looks the same on every machine.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};
use skrifa::charmap::Charmap;
use skrifa::{FontRef, MetadataProvider};

/// The maximum side length of a PNG without a requested width, in pixels.
const LARGEST: f32 = 4_096.0;
/// The maximum number of pixels in a picture.
const MOST: f32 = 32_000_000.0;
/// The fonts in the order in which a letter is looked up. The last two have the letters of most
/// alphabets and emoji, but not those of East and South Asia.
static FILES: LazyLock<[&[u8]; 3]> = LazyLock::new(|| {
    [
        epaint_default_fonts::UBUNTU_LIGHT,
        dejavu::sans::regular(),
        epaint_default_fonts::NOTO_EMOJI_REGULAR,
    ]
});
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for file in *FILES {
        fonts.load_font_data(file.to_vec());
    }
    Arc::new(fonts)
});
static LETTERS: LazyLock<Vec<Charmap<'static>>> = LazyLock::new(|| {
    let fonts = FILES.iter().filter_map(|file| FontRef::new(file).ok());
    fonts.map(|font| font.charmap()).collect()
});

/// Returns the letters of a text that pictures as pixels can't show, because no font has them.
#[must_use]
pub fn missing_letters(text: &str) -> BTreeSet<char> {
    let drawn = text
        .chars()
        .filter(|c| !c.is_control() && !c.is_whitespace());
    drawn
        .filter(|&c| LETTERS.iter().all(|font| font.map(c).is_none()))
        .collect()
}

/// Renders an SVG of this crate as a PNG. It is `width` pixels wide. Without a width, it has twice
/// the size of the SVG, but at most 4,096 pixels a side.
///
/// # Errors
/// Returns the maximum width as an error if the picture would have more than 32 million pixels.
pub fn png(svg: &str, width: Option<u16>) -> Result<Vec<u8>, u32> {
    let pixels = drawn(&parsed(svg), |wide, high| {
        let usual = (LARGEST / wide.max(high)).min(2.0);
        width.map_or(usual, |width| f32::from(width) / wide)
    });
    match width {
        Some(width) if pixels.width() < u32::from(width) => Err(pixels.width()),
        _ => Ok(pixels.encode_png().expect("memory suffices for a picture")),
    }
}

/// A picture as pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// The number of pixels in a row.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// The red, green and blue values of each pixel, row by row from the top.
    pub rgb: Vec<u8>,
}

/// Renders an SVG of this crate as pixels, at its own size unless that is too large.
#[must_use]
pub fn pixels(svg: &str) -> Pixels {
    colours(&drawn(&parsed(svg), |wide, high| {
        (LARGEST / wide.max(high)).min(1.0)
    }))
}

/// Renders an SVG of this crate as pixels, at its own size, for an animation. Returns the number of
/// pixels as an error if it exceeds `most`.
#[cfg(feature = "pictures")]
pub(super) fn pixels_within(svg: &str, most: usize) -> Result<Pixels, usize> {
    let tree = parsed(svg);
    let area = tree.size().width().round() * tree.size().height().round();
    let area = area as usize;
    if area > most {
        return Err(area);
    }
    Ok(colours(&drawn(&tree, |_, _| 1.0)))
}

fn colours(drawn: &Pixmap) -> Pixels {
    let colours = drawn.pixels().iter().map(|pixel| pixel.demultiply());
    Pixels {
        width: drawn.width() as usize,
        height: drawn.height() as usize,
        rgb: colours
            .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
            .collect(),
    }
}

fn parsed(svg: &str) -> Tree {
    let options = Options {
        fontdb: FONTS.clone(),
        ..Options::default()
    };
    // Beside a letter without a font, the renderer looks for no other fonts.
    let missing = missing_letters(svg);
    let boxed = |c| if missing.contains(&c) { '□' } else { c };
    let svg: String = svg.chars().map(boxed).collect();
    Tree::from_str(&svg, &options).expect("our own SVG is valid")
}

/// Renders a picture at the scale that `times` returns for its width and height, or at the largest
/// possible scale.
fn drawn(tree: &Tree, times: impl Fn(f32, f32) -> f32) -> Pixmap {
    let size = tree.size();
    let area = size.width() * size.height();
    let scale = times(size.width(), size.height()).min((MOST / area).sqrt());
    let width = (size.width() * scale).round() as u32;
    let height = (size.height() * scale).round() as u32;
    let mut pixels =
        Pixmap::new(width.max(1), height.max(1)).expect("the size is positive and not too large");
    resvg::render(
        tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels
}
