//! Colours, widths and bars for text.

use unicode_width::UnicodeWidthStr;

use super::palette::{self, BAD, GOOD, SEATS};
use super::{columns, style};

/// The width and the colours of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// Whether text may have colours.
    pub colour: bool,
    /// The maximum number of columns in a line.
    pub width: usize,
}

/// The minimum number of columns for a text beside its head.
const NARROW: usize = 30;
/// The maximum width of a rule with a title, in columns.
const WIDEST_RULE: usize = 100;

impl Paint {
    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour {
            style(code, text)
        } else {
            text.to_owned()
        }
    }

    /// Returns a text in the colour of a seat, if colours are on.
    #[must_use]
    pub fn seat(self, seat: usize, text: &str) -> String {
        self.wrap(&palette::letters(SEATS[seat % SEATS.len()]), text)
    }

    /// Returns a text in bold, if colours are on.
    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Returns a text in a faint style, if colours are on.
    #[must_use]
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// Returns a text in the colour for good results, if colours are on.
    #[must_use]
    pub fn good(self, text: &str) -> String {
        self.wrap(&palette::letters(GOOD), text)
    }

    /// Returns a text in the colour for bad results, if colours are on.
    #[must_use]
    pub fn bad(self, text: &str) -> String {
        self.wrap(&palette::letters(BAD), text)
    }

    /// Wraps a text after a head. Continuation lines are indented to the start of the text. If the
    /// page is too narrow, the whole text is put below the head.
    #[must_use]
    pub fn hang(self, head: &str, text: &str) -> Vec<String> {
        let beside = columns(head);
        if text.is_empty() {
            return vec![head.trim_end().to_owned()];
        }
        if self.width >= beside + NARROW || head.trim().is_empty() {
            return self.wrapped(head, &" ".repeat(beside), text);
        }
        let mut lines = vec![head.trim_end().to_owned()];
        lines.extend(self.wrapped("      ", "      ", text));
        lines
    }

    /// Wraps a text between words, with `first` before its first line and `rest` before all other
    /// lines.
    #[must_use]
    pub fn wrapped(self, first: &str, rest: &str, text: &str) -> Vec<String> {
        let width = self.width.max(20);
        let mut lines: Vec<String> = Vec::new();
        let mut line = first.to_owned();
        let mut empty = true;
        for word in text.split(' ') {
            if !empty && columns(&line) + 1 + columns(word) > width {
                lines.push(line.trim_end().to_owned());
                line = rest.to_owned();
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            // Spaces at the start of a continuation line are not words.
            empty = empty && word.is_empty() && !lines.is_empty();
        }
        lines.push(line.trim_end().to_owned());
        lines
    }

    /// Wraps a text, indented by two columns.
    #[must_use]
    pub fn indented(self, text: &str) -> Vec<String> {
        self.wrapped("  ", "  ", text)
    }

    /// Wraps a text, indented by two columns, in a style such as [`Paint::dim`].
    #[must_use]
    pub fn painted(self, text: &str, style: fn(Self, &str) -> String) -> Vec<String> {
        let lines = self.indented(text).into_iter();
        lines.map(|line| style(self, &line)).collect()
    }

    /// Returns a heading that spans the page.
    #[must_use]
    pub fn rule(self, title: &str) -> String {
        if title.width() + 4 > self.width {
            let lines = self.wrapped("── ", "   ", title);
            let lines: Vec<String> = lines.iter().map(|line| self.bold(line)).collect();
            return lines.join("\n");
        }
        let rest = self
            .width
            .min(WIDEST_RULE)
            .saturating_sub(title.width() + 4);
        format!(
            "{} {} {}",
            self.dim("──"),
            self.bold(title),
            self.dim(&"─".repeat(rest))
        )
    }
}

/// Returns a bar that fills `share` (from 0 to 1) of `width` columns, in eighths of a column.
#[must_use]
pub fn bar(share: f64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let text = format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8]);
    pad(&text, width)
}

/// Pads a text with spaces to `width` columns. Truncates longer text with an ellipsis.
#[must_use]
pub fn pad(text: &str, width: usize) -> String {
    let text = cut(text, width);
    let blanks = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(blanks))
}

/// Truncates a text that is wider than `width` columns with an ellipsis.
#[must_use]
pub fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if short.width() + c.to_string().width() + 1 > width {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}
