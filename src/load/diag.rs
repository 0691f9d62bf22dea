//! Findings about input files, and how they are shown: one form for all of them.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, Severity,
    SourceCode,
};
use textwrap::{WordSeparator, WordSplitter};

use crate::script::ScriptFault;
use crate::text::{adopt, escape_control, escape_lines};

/// The longest line that is shown, in bytes.
const LONGEST_LINE: usize = 400;

/// A file's name and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// The name, as the user gave it.
    pub name: Arc<str>,
    /// The text.
    pub text: Arc<str>,
}

impl TextFile {
    /// A file.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
        }
    }
}

/// A place in a file: bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The file.
    pub file: TextFile,
    /// The first byte.
    pub start: usize,
    /// How many bytes.
    pub len: usize,
}

impl Span {
    /// The length of the longest line that would be shown around it.
    fn longest_line_shown(&self) -> usize {
        let (line, _) = self.line_column();
        let shown = self.file.text.lines().skip(line.saturating_sub(2)).take(3);
        shown.map(str::len).max().unwrap_or(0)
    }

    /// The place in a file that holds nothing but what can be shown.
    fn escaped(&self) -> Self {
        let (text, name) = (&self.file.text, escape_control(&self.file.name).into());
        if let Cow::Borrowed(_) = escape_lines(text) {
            return Self {
                file: TextFile {
                    name,
                    text: Arc::clone(text),
                },
                ..*self
            };
        }
        let (before, rest) = split(text, self.start);
        let (here, after) = split(rest, self.len);
        // A line end of two characters is one.
        let before = if rest.starts_with('\n') {
            before.strip_suffix('\r').unwrap_or(before)
        } else {
            before
        };
        let [before, here, after] = [before, here, after].map(escape_lines);
        let file = TextFile {
            name,
            text: format!("{before}{here}{after}").into(),
        };
        Self {
            file,
            start: before.len(),
            len: here.len(),
        }
    }

    /// The line and the column in characters, both from 1.
    #[must_use]
    pub fn line_column(&self) -> (usize, usize) {
        let before = &self.file.text[..self.start.min(self.file.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .map_or(0, |rest| rest.chars().count())
            + 1;
        (line, column)
    }
}

/// A text before and after this byte, or before the character that it is in.
fn split(text: &str, byte: usize) -> (&str, &str) {
    let at = (0..=byte.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at));
    text.split_at(at.unwrap_or(0))
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not reported.
    Allow,
    /// Reported.
    Warn,
    /// Reported, and the file is refused.
    Deny,
}

impl Level {
    /// The level in one word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }

    /// The level with this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        [Self::Allow, Self::Warn, Self::Deny]
            .into_iter()
            .find(|level| level.word() == word)
    }
}

/// Something found in a file, or about a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A short code for the kind of finding.
    pub code: String,
    /// How much it matters.
    pub level: Level,
    /// What it is, as a fragment without a full stop.
    pub text: String,
    /// What to do.
    pub help: Option<String>,
    /// Where it is.
    pub place: Option<Span>,
}

impl Finding {
    /// An error without a place.
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

    /// With what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With a place.
    #[must_use]
    pub fn at(mut self, file: &TextFile, start: usize, len: usize) -> Self {
        self.place = Some(Span {
            file: file.clone(),
            start,
            len,
        });
        self
    }
}

impl From<ScriptFault> for Finding {
    fn from(fault: ScriptFault) -> Self {
        let text = fault.to_string();
        let mut finding = Self::error(fault.code, text);
        finding.help = fault.help;
        if fault.warning {
            finding.level = Level::Warn;
        }
        if let Some(place) = fault.place {
            let file = TextFile {
                name: place.source.name,
                text: place.source.text,
            };
            let (start, len) = word_at(&file.text, place.line, place.column);
            finding.place = Some(Span { file, start, len });
        }
        finding
    }
}

/// The bytes of the word that begins in this line and column.
fn word_at(text: &str, line: usize, column: usize) -> (usize, usize) {
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
            let one = rest
                .chars()
                .next()
                .filter(|c| !c.is_control())
                .map_or(0, char::len_utf8);
            return (start + offset, word.max(one));
        }
        start += content.len();
    }
    (text.len(), 0)
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Finding {}

/// A finding as miette shows it.
#[derive(Debug)]
struct Shown<'a> {
    finding: &'a Finding,
    source: Option<NamedSource<Arc<str>>>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.finding.text)
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        Some(Box::new(&self.finding.code))
    }

    fn severity(&self) -> Option<Severity> {
        Some(if self.finding.level == Level::Deny {
            Severity::Error
        } else {
            Severity::Warning
        })
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.finding.help.as_ref().map(|help| Box::new(help) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.finding.place.as_ref()?;
        let label = LabeledSpan::new(Some("here".to_owned()), span.start, span.len);
        Some(Box::new(std::iter::once(label)))
    }
}

/// Why something could not be loaded: everything that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The findings; at least one is an error.
    pub findings: Vec<Finding>,
}

impl Failure {
    /// One error.
    #[must_use]
    pub fn one(finding: Finding) -> Self {
        Self {
            findings: vec![finding],
        }
    }
}

impl From<Vec<ScriptFault>> for Failure {
    fn from(faults: Vec<ScriptFault>) -> Self {
        Self {
            findings: faults.into_iter().map(Finding::from).collect(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = self
            .findings
            .iter()
            .map(|finding| finding.text.as_str())
            .collect();
        f.write_str(&texts.join("; "))
    }
}

impl std::error::Error for Failure {}

/// Findings as text, in miette's form; for an [`Outlet`](crate::text::Outlet).
#[must_use]
pub fn render(findings: &[Finding], colour: bool, width: usize) -> String {
    let theme = if colour {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    // Lines break at blanks alone, so that names and commands stay whole.
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(width)
        .with_context_lines(1)
        .with_links(false)
        .with_word_separator(WordSeparator::AsciiSpace)
        .with_word_splitter(WordSplitter::NoHyphenation);
    let mut text = String::new();
    for finding in findings {
        let mut finding = finding.clone();
        finding.text = escape_lines(&finding.text).into_owned();
        // A line that is no line for people is named and not shown.
        if let Some(span) = finding
            .place
            .take_if(|span| span.longest_line_shown() > LONGEST_LINE)
        {
            let (line, column) = span.line_column();
            finding.text = format!(
                "{} ({}:{line}:{column})",
                finding.text,
                escape_control(&span.file.name)
            );
        }
        finding.place = finding.place.map(|span| span.escaped());
        let source = finding
            .place
            .as_ref()
            .map(|span| NamedSource::new(&*span.file.name, Arc::clone(&span.file.text)));
        finding.help = finding.help.map(|help| escape_lines(&help).into_owned());
        // Writing to a string can't fail.
        let _ = handler.render_report(
            &mut text,
            &Shown {
                finding: &finding,
                source,
            },
        );
    }
    adopt(&text)
}

/// Findings in the order of one file, a line each.
#[must_use]
pub fn brief(findings: &[&Finding]) -> String {
    let (mut at, mut line, mut lines) = (0, 1, Vec::new());
    for finding in findings {
        let Some(place) = &finding.place else {
            continue;
        };
        let start = place.start.min(place.file.text.len());
        // Counting on from the last place keeps this quick in a large file.
        let Some(between) = place.file.text.get(at..start) else {
            continue;
        };
        line += between.matches('\n').count();
        at = start;
        let column = place.file.text[..start]
            .rsplit('\n')
            .next()
            .map_or(0, |rest| rest.chars().count())
            + 1;
        let mark = if finding.level == Level::Deny {
            "×"
        } else {
            "⚠"
        };
        let (name, text) = (
            escape_control(&place.file.name),
            escape_control(&finding.text),
        );
        lines.push(format!(
            "  {mark} {name}:{line}:{column}: {text} [{}]",
            finding.code
        ));
    }
    lines.join("\n")
}
