//! Findings rendered in miette's format, for people.

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, Severity,
    SourceCode,
};
use risk_text::diag::{Finding, Level, Span, TextFile};
use risk_text::{adopt, escape_control, escape_unseen};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use textwrap::{WordSeparator, WordSplitter};

/// The maximum length of a displayed line, in bytes.
const LONGEST_LINE: usize = 400;

/// Returns the length in bytes of the longest line that would be displayed around a span.
fn longest_line_shown(place: &Span) -> usize {
    let (line, _) = place.line_column();
    let shown = place.file.text.lines().skip(line.saturating_sub(2)).take(3);
    shown.map(str::len).max().unwrap_or(0)
}

/// Escapes the file of a span for display, and adjusts the span accordingly.
fn escaped(place: &Span) -> Span {
    let text = &place.file.text;
    let name = escape_control(&place.file.name).into();
    if let Cow::Borrowed(_) = escape_unseen(text) {
        return Span {
            file: TextFile {
                name,
                text: Arc::clone(text),
            },
            ..*place
        };
    }
    let (before, rest) = split(text, place.start);
    let (here, after) = split(rest, place.len);
    // Escaping turns CR LF into LF only if both characters are in the same part.
    let before = if rest.starts_with('\n') {
        before.strip_suffix('\r').unwrap_or(before)
    } else {
        before
    };
    let [before, here, after] = [before, here, after].map(escape_unseen);
    let file = TextFile {
        name,
        text: format!("{before}{here}{after}").into(),
    };
    Span {
        file,
        start: before.len(),
        len: here.len(),
    }
}

/// Splits a text at a byte. Inside a character, it splits before that character.
fn split(text: &str, byte: usize) -> (&str, &str) {
    let at = (0..=byte.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at));
    text.split_at(at.unwrap_or(0))
}

/// A finding as a miette diagnostic.
#[derive(Debug)]
struct FindingDiagnostic<'a> {
    finding: &'a Finding,
    source: Option<NamedSource<Arc<str>>>,
}

impl fmt::Display for FindingDiagnostic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.finding.text)
    }
}

impl std::error::Error for FindingDiagnostic<'_> {}

impl Diagnostic for FindingDiagnostic<'_> {
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

/// Renders findings in miette's format, for an [`Outlet`](risk_text::Outlet).
#[must_use]
pub fn render(findings: &[Finding], colour: bool, width: usize) -> String {
    let theme = if colour {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    // Lines break only at spaces, so names and commands stay whole.
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(width)
        .with_context_lines(1)
        .with_links(false)
        .with_word_separator(WordSeparator::AsciiSpace)
        .with_word_splitter(WordSplitter::NoHyphenation);
    let mut text = String::new();
    for finding in findings {
        let mut finding = finding.clone();
        finding.text = escape_unseen(&finding.text).into_owned();
        // Overlong lines are named but not displayed.
        if let Some(span) = finding
            .place
            .take_if(|span| longest_line_shown(span) > LONGEST_LINE)
        {
            let (line, column) = span.line_column();
            finding.text = format!(
                "{} ({}:{line}:{column})",
                finding.text,
                escape_control(&span.file.name)
            );
        }
        finding.place = finding.place.map(|span| escaped(&span));
        let source = finding
            .place
            .as_ref()
            .map(|span| NamedSource::new(&*span.file.name, Arc::clone(&span.file.text)));
        finding.help = finding.help.map(|help| escape_unseen(&help).into_owned());
        // Writing to a string can't fail.
        let _ = handler.render_report(
            &mut text,
            &FindingDiagnostic {
                finding: &finding,
                source,
            },
        );
    }
    adopt(&text)
}
