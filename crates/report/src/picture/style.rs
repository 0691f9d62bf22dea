//! The style of a picture: its theme, its width, and how it shows names.

use std::borrow::Cow;

use super::ink::DARK;
use risk_text::escape_control;

/// The theme of a picture, light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The reader's preference, or light if the displaying program does not know it.
    #[default]
    Auto,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Theme {
    /// Returns the style sheet of this theme as an SVG element, or an empty string for light
    /// pictures.
    pub(super) fn css(self) -> String {
        let rules = self.rules();
        if rules.is_empty() {
            return rules;
        }
        format!("<style>{rules}</style>\n")
    }

    pub(super) fn rules(self) -> String {
        match self {
            Self::Auto => format!("@media (prefers-color-scheme: dark) {{ {DARK} }}"),
            Self::Light => String::new(),
            Self::Dark => DARK.to_owned(),
        }
    }
}

/// The style of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The theme.
    pub theme: Theme,
    /// The width of the map in pixels. The default width has enough space for names. Letters keep
    /// their size, so on a narrow picture numbers replace the names that do not fit.
    pub width: Option<u16>,
    /// Whether the picture shows the names of territories.
    pub names: bool,
    /// Whether the picture becomes pixels. Ids of territories and numbers of players then replace
    /// names with letters that no font of the program has.
    pub pixels: bool,
}

impl Style {
    /// Returns a name, or `instead` if the picture can't show it.
    pub(super) fn name<'a>(self, name: &'a str, instead: impl FnOnce() -> String) -> Cow<'a, str> {
        #[cfg(feature = "png")]
        if self.pixels && !super::png::missing_letters(name).is_empty() {
            return Cow::Owned(instead());
        }
        let _ = instead;
        escape_control(name)
    }

    /// Returns the names of players, or the numbers of those that the picture can't show.
    pub(super) fn players(self, names: &[String]) -> Vec<String> {
        let all = names.iter().enumerate();
        all.map(|(seat, name)| {
            self.name(name, || format!("player {}", seat + 1))
                .into_owned()
        })
        .collect()
    }
}

impl Default for Style {
    fn default() -> Self {
        Self {
            theme: Theme::Auto,
            width: None,
            names: true,
            pixels: false,
        }
    }
}

/// Returns the names of players as pictures of pixels show them: numbers replace names with letters
/// that no font of the program has.
#[must_use]
pub fn names_in_pixels(names: &[String]) -> Vec<String> {
    let style = Style {
        pixels: true,
        ..Style::default()
    };
    style.players(names)
}
