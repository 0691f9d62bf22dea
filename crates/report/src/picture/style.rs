//! How a picture is to look: its theme, its width, with names or without.

use super::ink::DARK;

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As its reader has it, where the picture is shown by what knows that; light elsewhere.
    #[default]
    Auto,
    /// Light everywhere.
    Light,
    /// Dark everywhere.
    Dark,
}

impl Theme {
    /// A style sheet for pictures of this theme, as an element of SVG; empty for light ones.
    pub(super) fn css(self) -> String {
        let rules = self.rules();
        if rules.is_empty() {
            return rules;
        }
        format!("<style>{rules}</style>\n")
    }

    /// What is in the sheet.
    pub(super) fn rules(self) -> String {
        match self {
            Self::Auto => format!("@media (prefers-color-scheme: dark) {{ {DARK} }}"),
            Self::Light => String::new(),
            Self::Dark => DARK.to_owned(),
        }
    }
}

/// How a picture is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Light or dark.
    pub theme: Theme,
    /// How wide the map is, in pixels; as wide as names have room by default. Letters keep their
    /// size, and on a narrow picture numbers stand for the names for which there is no room.
    pub width: Option<u16>,
    /// Are the names of territories on the picture?
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
