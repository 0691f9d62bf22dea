//! Pictures as files: their style and their format.

use std::path::Path;

use clap::{Args, ValueEnum};

use super::{Error, save};
use risk_report::picture::{Style, Theme};

/// How a picture is to look.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct StyleArgs {
    /// Colours: an SVG follows its reader by default, and a PNG is light
    #[arg(long, value_enum, value_name = "THEME")]
    pub(super) theme: Option<ThemeArg>,
    /// How wide the picture is, in pixels. Letters keep their size; numbers stand for names that
    /// have no room
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(240..=4096))]
    pub(super) width: Option<u16>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ThemeArg {
    /// As the reader of an SVG has it; light for a PNG
    Auto,
    /// Dark letters on a light sea
    Light,
    /// Light letters on a dark sea
    Dark,
}

impl StyleArgs {
    pub(super) fn style(self) -> Style {
        Style {
            theme: match self.theme {
                None | Some(ThemeArg::Auto) => Theme::Auto,
                Some(ThemeArg::Light) => Theme::Light,
                Some(ThemeArg::Dark) => Theme::Dark,
            },
            width: self.width,
            names: true,
        }
    }
}

/// Writes a picture as SVG or PNG, by the file's extension. `width` is in pixels, for PNG.
#[cfg_attr(
    not(feature = "pictures"),
    expect(unused_variables, reason = "an SVG has no pixels")
)]
pub(super) fn draw(path: &Path, svg: &str, width: Option<u16>, force: bool) -> Result<(), Error> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => save(path, svg.as_bytes(), force),
        #[cfg(feature = "pictures")]
        Some("png") => {
            let pixels = risk_report::picture::png::png(svg, width).map_err(|widest| {
                let text = "the picture would have more than 32 million pixels";
                let help = format!("take --width {widest} at most, or write an SVG");
                Error::input("cli::width", text, help)
            })?;
            save(path, &pixels, force)
        }
        _ => {
            let text = format!("{} ends in neither .svg nor .png", path.display());
            let help = if cfg!(feature = "pictures") {
                "name the picture map.svg or map.png, for example"
            } else {
                "name the picture map.svg, for example: this program was built without PNG"
            };
            Err(Error::input("cli::picture", text, help))
        }
    }
}
