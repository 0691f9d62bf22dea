//! Findings about input files, in one form for all kinds.

use std::sync::Arc;

use crate::{escape_control, escape_unseen, unseen};

/// A file's name and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// The name as given.
    pub name: Arc<str>,
    /// The whole text. Places are byte offsets into it.
    pub text: Arc<str>,
}

impl TextFile {
    /// Creates a file in memory, without reading from disk.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
        }
    }

    /// Returns the line and the column in characters of a byte, both counted from 1.
    pub fn line_column(&self, start: usize) -> (usize, usize) {
        let span = Span {
            file: self.clone(),
            start,
            len: 0,
        };
        span.line_column()
    }
}

/// A range of bytes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The file, including its text for counting and showing lines.
    pub file: TextFile,
    /// The first byte.
    pub start: usize,
    /// The number of bytes.
    pub len: usize,
}

impl Span {
    /// Returns the line and the column in characters, both counted from 1.
    #[must_use]
    pub fn line_column(&self) -> (usize, usize) {
        LineCounter::default().line_column(self)
    }
}

/// Computes lines and columns, counting from the previous place. If the places are in order, this
/// takes a single pass over a large file.
#[derive(Default)]
pub struct LineCounter<'a> {
    text: &'a str,
    at: usize,
    lines: usize,
    column: usize,
}

impl<'a> LineCounter<'a> {
    /// Returns the line and the column in characters, both counted from 1.
    pub fn line_column(&mut self, place: &'a Span) -> (usize, usize) {
        let text: &str = &place.file.text;
        let start = place.start.min(text.len());
        if !std::ptr::eq(self.text, text) || start < self.at {
            *self = Self {
                text,
                ..Self::default()
            };
        }
        // A position inside a character is moved to the beginning of the character.
        while let Some(letter) = text[self.at..].chars().next()
            && self.at + letter.len_utf8() <= start
        {
            self.at += letter.len_utf8();
            if letter == '\n' {
                self.lines += 1;
                self.column = 0;
            } else {
                self.column += 1;
            }
        }
        (self.lines + 1, self.column + 1)
    }
}

crate::named! {
    /// The severity of a finding.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Level {
        /// Not reported.
        Allow = "allow",
        /// Reported, but the file is still used.
        Warn = "warn",
        /// Reported, and the file is refused.
        Deny = "deny",
    }
}

/// A finding about a file or a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
#[non_exhaustive]
pub struct Finding {
    /// A short code for the kind of finding.
    pub code: String,
    /// The severity.
    pub level: Level,
    /// The message, as a fragment without a full stop.
    pub text: String,
    /// Advice on how to fix the problem.
    pub help: Option<String>,
    /// The place in the file.
    pub place: Option<Span>,
}

impl Finding {
    /// Creates an error without a place.
    #[must_use]
    pub fn error(code: &str, text: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            level: Level::Deny,
            text: text.into(),
            help: None,
            place: None,
        }
    }

    /// Sets the severity.
    #[must_use]
    pub const fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a line to the help.
    #[must_use]
    pub fn add_help(mut self, line: &str) -> Self {
        self.help = Some(match self.help {
            Some(help) => format!("{help}\n{line}"),
            None => line.to_owned(),
        });
        self
    }

    /// Sets the place.
    #[must_use]
    pub fn at(mut self, file: &TextFile, start: usize, len: usize) -> Self {
        self.place = Some(Span {
            file: file.clone(),
            start,
            len,
        });
        self.reveal()
    }

    /// Shows characters that can't be seen, and names the first one on the lines of an error.
    fn reveal(mut self) -> Self {
        let Some(place) = self.place.as_ref().filter(|_| self.level == Level::Deny) else {
            return self;
        };
        let Some(advice) = unseen(around(place)) else {
            return self;
        };
        self.text = escape_unseen(&self.text).into_owned();
        self.help = self.help.map(|help| escape_unseen(&help).into_owned());
        if self.help.as_ref() == Some(&advice) {
            self
        } else {
            self.add_help(&advice)
        }
    }
}

/// Returns the lines of a place, or their part near it.
fn around(place: &Span) -> &str {
    const FAR: usize = 200;
    let text = &place.file.text;
    let bound = |at: usize| {
        (0..=at.min(text.len()))
            .rev()
            .find(|&at| text.is_char_boundary(at))
    };
    let at = |at: usize| bound(at).unwrap_or(0);
    let (start, end) = (at(place.start), at(place.start.saturating_add(place.len)));
    let before = &text[at(start.saturating_sub(FAR))..start];
    let after = &text[end..at(end + FAR)];
    let start = start - before.rsplit('\n').next().map_or(0, str::len);
    &text[start..end + after.split('\n').next().map_or(0, str::len)]
}

/// Returns the bytes of the word that begins at this line and column.
#[must_use]
pub fn word_at(text: &str, line: usize, column: usize) -> (usize, usize) {
    let mut start = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line {
            let offset: usize = content
                .chars()
                .take(column.saturating_sub(1))
                .map(char::len_utf8)
                .sum();
            let rest = &content[offset..];
            let word = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .map(char::len_utf8)
                .sum::<usize>();
            let one = rest.chars().next().filter(|c| !c.is_control());
            let one = one.map_or(0, char::len_utf8);
            return (start + offset, word.max(one));
        }
        start += content.len();
    }
    (text.len(), 0)
}

/// The error of a failed load, with all findings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", texts(.findings))]
pub struct LoadError {
    /// The findings; at least one is an error.
    pub findings: Vec<Finding>,
}

impl LoadError {
    /// Creates an error of one finding without a place.
    #[must_use]
    pub fn new(code: &str, text: impl Into<String>, help: impl Into<String>) -> Self {
        Self::one(Finding::error(code, text).help(help))
    }

    /// Like [`LoadError::new`], but returns it as the result.
    ///
    /// # Errors
    /// Always returns the error.
    pub fn refuse<T>(
        code: &str,
        text: impl Into<String>,
        help: impl Into<String>,
    ) -> Result<T, Self> {
        Err(Self::new(code, text, help))
    }

    /// Creates an error from one finding of level [`Level::Deny`].
    #[must_use]
    pub fn one(finding: Finding) -> Self {
        Self {
            findings: vec![finding],
        }
    }
}

impl<T: Into<Finding>> From<Vec<T>> for LoadError {
    fn from(findings: Vec<T>) -> Self {
        Self {
            findings: findings.into_iter().map(Into::into).collect(),
        }
    }
}

fn texts(findings: &[Finding]) -> String {
    let texts = findings.iter().map(|finding| finding.text.as_str());
    texts.collect::<Vec<_>>().join("; ")
}

/// Formats at most `most` findings, one per line. This is fast if the findings are in the order of
/// their file.
#[must_use]
pub fn brief(findings: &[&Finding], most: usize) -> String {
    let mut lines = Vec::new();
    let mut counter = LineCounter::default();
    for finding in findings.iter().take(most) {
        let place = finding.place.as_ref().map_or_else(String::new, |place| {
            let (line, column) = counter.line_column(place);
            format!("{}:{line}:{column}: ", escape_control(&place.file.name))
        });
        let mark = if finding.level == Level::Deny {
            "×"
        } else {
            "⚠"
        };
        let text = escape_control(&finding.text);
        lines.push(format!("  {mark} {place}{text} [{}]", finding.code));
    }
    if let Some(more) = findings.len().checked_sub(most)
        && more > 0
    {
        lines.push(format!("  and {more} more"));
    }
    lines.join("\n")
}
