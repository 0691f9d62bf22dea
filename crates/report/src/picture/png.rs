//! Pictures as pixels. The font is part of the program, so text looks the same on every machine.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// The maximum side length of a PNG without a requested width, in pixels.
const LARGEST: f32 = 4_096.0;
/// The maximum number of pixels in a picture.
const MOST: f32 = 32_000_000.0;
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    Arc::new(fonts)
});

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

/// Renders an SVG of this crate as pixels, at its own size.
///
/// # Errors
/// Returns the number of pixels as an error if it exceeds `most`.
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
    Tree::from_str(svg, &options).expect("our own SVG is valid")
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
