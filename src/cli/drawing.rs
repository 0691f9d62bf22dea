//! Pictures as files: style and format.

use std::path::Path;

use clap::{Args, ValueEnum};

#[cfg(feature = "pictures")]
use super::print_findings;
use super::{Error, save};
use risk_report::picture::{Style, Theme};
#[cfg(feature = "pictures")]
use risk_text::diag::{Finding, Level};
#[cfg(feature = "pictures")]
use risk_text::escape_control;

/// The style of a picture.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct StyleArgs {
    /// Colours of the picture (default: auto)
    #[arg(long, value_enum, value_name = "THEME")]
    pub(super) theme: Option<ThemeArg>,
    /// Width of the picture, in pixels. Letters keep their size; numbers replace names that don't
    /// fit
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(240..=4096))]
    pub(super) width: Option<u16>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ThemeArg {
    /// The viewer's theme for an SVG, light for a PNG
    Auto,
    /// Dark letters on a light sea
    Light,
    /// Light letters on a dark sea
    Dark,
}

impl StyleArgs {
    /// Returns the style of a picture in a file.
    pub(super) fn style(self, path: &Path) -> Style {
        Style {
            pixels: path.extension().is_some_and(|ending| ending == "png"),
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

/// Writes a picture as SVG or PNG, depending on the file's extension. `width` is the width of a PNG
/// in pixels; a warning names the letters of the SVG and of the players' names that it can't show.
#[cfg_attr(
    not(feature = "pictures"),
    expect(unused_variables, reason = "an SVG has no pixels")
)]
pub(super) fn draw(
    path: &Path,
    svg: &str,
    players: &[String],
    width: Option<u16>,
    force: bool,
) -> Result<(), Error> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => save(path, svg.as_bytes(), force),
        #[cfg(feature = "pictures")]
        Some("png") => {
            let pixels = risk_report::picture::png::png(svg, width).map_err(|widest| {
                let text = "the picture exceeds 32 million pixels";
                let help = format!("use --width {widest} or less, or write an SVG");
                Error::input("cli::width", text, help)
            })?;
            save(path, &pixels, force)?;
            warn_of_letters(&[svg, &players.concat()].concat());
            Ok(())
        }
        _ => Err(unknown_format(path)),
    }
}

/// Warns if pictures as pixels can't show letters of a text.
#[cfg(feature = "pictures")]
pub(super) fn warn_of_letters(text: &str) {
    /// The maximum number of letters that are named.
    const MOST: usize = 8;
    let missing = risk_report::picture::png::missing_letters(text);
    if missing.is_empty() {
        return;
    }
    let named = missing
        .iter()
        .take(MOST)
        .map(|c| format!("`{}`", escape_control(&c.to_string())));
    let mut named = named.collect::<Vec<_>>().join(", ");
    if missing.len() > MOST {
        named += &format!(" and {} more", missing.len() - MOST);
    }
    let text = format!(
        "no font of the program has {named}; ids and numbers replace names with such letters"
    );
    let help = "write an SVG or a page, which show all letters";
    let finding = Finding::error("picture::letters", text).level(Level::Warn);
    print_findings(&[finding.help(help)]);
}

/// Returns the error for a picture's file with another extension.
fn unknown_format(path: &Path) -> Error {
    let (formats, help) = if cfg!(feature = "pictures") {
        (".svg or .png", "write map.svg or map.png, for example")
    } else {
        let help = "write map.svg, for example; the program was built without the feature \
                    `pictures`, which .png requires";
        (".svg", help)
    };
    let text = format!("expected a {formats} file, found {}", path.display());
    Error::input("cli::picture", text, help)
}
