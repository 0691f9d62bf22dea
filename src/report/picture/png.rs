//! Pictures in pixels. Letters come from a font in the program, so that they look alike everywhere.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// The longest side of a PNG, in pixels.
const LARGEST: f32 = 4_096.0;

/// An SVG of ours as PNG, at twice its size where that is not too large.
#[must_use]
pub fn png(svg: &str) -> Vec<u8> {
    let pixels = drawn(svg, 2.0);
    pixels.encode_png().expect("there is memory for a picture")
}

/// A picture as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// How many pixels a row has.
    pub width: usize,
    /// How many rows there are.
    pub height: usize,
    /// Red, green and blue of each pixel, row by row from the top.
    pub rgb: Vec<u8>,
}

/// The pixels of an SVG of ours, at its own size where that is not too large.
#[must_use]
pub fn pixels(svg: &str) -> Pixels {
    let drawn = drawn(svg, 1.0);
    let colours = drawn.pixels().iter().map(|pixel| pixel.demultiply());
    Pixels {
        width: drawn.width() as usize,
        height: drawn.height() as usize,
        rgb: colours
            .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
            .collect(),
    }
}

/// An SVG of ours, so many times as large where that is not too large.
fn drawn(svg: &str, most: f32) -> Pixmap {
    let mut fonts = Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let options = Options {
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).expect("the SVG is our own");
    let size = tree.size();
    let scale = (LARGEST / size.width().max(size.height())).min(most);
    let width = (size.width() * scale) as u32;
    let height = (size.height() * scale) as u32;
    let mut pixels = Pixmap::new(width.max(1), height.max(1))
        .expect("the size is neither nothing nor too large");
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels
}
