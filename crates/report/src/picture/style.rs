//! The style of a picture: its theme, its width, and whether it shows names.

use super::ink::DARK;

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
}

impl Default for Style {
    fn default() -> Self {
        Self {
            theme: Theme::Auto,
            width: None,
            names: true,
        }
    }
}
