//! The output of the program. All text for people passes through this module.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, IsTerminal, StderrLock, StdoutLock, Write};
use std::process::ExitCode;

use serde::Serialize;

use super::Error;
use risk_text::diag::{self, Finding};
use risk_text::paint::{Paint, pad};
use risk_text::{Outlet, adopt, escape_control, escape_json, escape_lines};

/// Returns the style of a stream. The width is `COLUMNS`, else the terminal's, else 80 columns.
/// Only a terminal has colour.
pub(super) fn paint(stream: &impl IsTerminal) -> Paint {
    let terminal = stream.is_terminal();
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var("TERM").is_ok_and(|term| term == "dumb");
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse::<u16>().ok());
    let columns = columns.filter(|&columns| columns > 0).map(usize::from);
    let measured = || {
        let size = if terminal {
            terminal_size::terminal_size()
        } else {
            None
        };
        size.map_or(80, |(width, _)| usize::from(width.0))
    };
    let width = columns.unwrap_or_else(measured);
    Paint {
        colour: terminal && !plain,
        width: width.max(20),
    }
}

/// Returns a buffered output for long texts. The caller must flush it and check the result.
pub(super) fn output() -> Outlet<BufWriter<StdoutLock<'static>>> {
    Outlet::new(
        BufWriter::new(io::stdout().lock()),
        paint(&io::stdout()).colour,
    )
}

fn errors() -> Outlet<StderrLock<'static>> {
    Outlet::new(io::stderr().lock(), paint(&io::stderr()).colour)
}

/// A terminal that is redrawn in place, line by line.
#[cfg(unix)]
pub(super) struct Canvas {
    pub(super) colour: bool,
    size: (usize, usize),
    shown: Vec<String>,
}

#[cfg(unix)]
impl Canvas {
    pub(super) const fn new(colour: bool) -> Self {
        Self {
            colour,
            size: (0, 0),
            shown: Vec::new(),
        }
    }

    /// Returns the terminal's columns and lines.
    pub(super) fn size() -> (usize, usize) {
        let size = terminal_size::terminal_size();
        size.map_or((80, 24), |(wide, high)| (wide.0.into(), high.0.into()))
    }

    /// Draws the lines that have changed.
    pub(super) fn draw(&mut self, size: (usize, usize), lines: &[String]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.size != size {
            self.size = size;
            self.shown.clear();
            out.write_all(b"\x1b[2J")?;
        }
        for (row, line) in lines.iter().enumerate() {
            if self.shown.get(row) == Some(line) {
                continue;
            }
            // The line is cleared first: clearing after a full-width line would erase its last
            // letter.
            write!(out, "\x1b[{};1H\x1b[0m\x1b[K", row + 1)?;
            let mut outlet = Outlet::new(&mut out, self.colour);
            outlet.write_all(line.as_bytes())?;
            outlet.flush()?;
            out.write_all(b"\x1b[0m")?;
        }
        self.shown = lines.to_vec();
        out.flush()
    }
}

pub(super) fn say(text: &str) -> Result<(), Error> {
    let mut out = output();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// Prints a text after a head, and indents its further lines.
pub(super) fn hang(head: &str, text: &str) -> Result<(), Error> {
    say(&paint(&io::stdout()).hang(head, text).join("\n"))
}

/// Prints a text behind its name, in a column of names.
pub(super) fn row(name: &str, text: &str) -> Result<(), Error> {
    let name = paint(&io::stdout()).dim(&pad(name, 19));
    hang(&format!("  {name}  "), text)
}

/// Prints a text in dim letters.
pub(super) fn remark(text: &str) -> Result<(), Error> {
    let lines = paint(&io::stdout()).painted(text, Paint::dim);
    say(&lines.join("\n"))
}

pub(super) fn say_json(document: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(document).expect("a report always serializes");
    say(&escape_json(&text))
}

/// Prints a map, script or other text for programs. The text is escaped only on a terminal.
pub(super) fn hand_over(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        drop(out);
        return say(escape_lines(text).trim_end());
    }
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// The number of findings per code that are printed in full.
const IN_FULL: usize = 20;

pub(super) fn print_findings(findings: &[Finding]) {
    print_some_findings(findings, IN_FULL);
}

/// The lines that findings may take, so that a screen shows them and the line below them.
const SCREEN: usize = 23;
/// The lines of one finding in full, without its source.
const LEAST: usize = 4;

/// Prints findings to standard error, on one screen: the first `in_full` findings of each code in
/// full, the others in one line each. Errors come before warnings where there is no room.
pub(super) fn print_some_findings(findings: &[Finding], in_full: usize) {
    let paint = paint(&io::stderr());
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|&at| (findings[at].place.is_some(), Reverse(findings[at].level)));
    let mut full = BTreeMap::new();
    let mut brief = Vec::new();
    let mut lines = 0;
    for (done, &at) in order.iter().enumerate() {
        let finding = &findings[at];
        let count = seen.entry(&finding.code).or_default();
        *count += 1;
        let others = (brief.len() + findings.len() - done - 1).min(SCREEN / 2);
        if *count <= in_full && lines + LEAST + others <= SCREEN {
            let one = std::slice::from_ref(finding);
            let text = risk_report::findings::render(one, paint.colour, paint.width);
            let more = text.lines().count();
            if lines == 0 || lines + more + others <= SCREEN {
                lines += more;
                full.insert(at, text);
                continue;
            }
        }
        brief.push(finding);
    }
    // There is nowhere to report a failed write to standard error.
    let text: String = full.into_values().collect();
    let _ = write!(errors(), "{text}");
    if !brief.is_empty() {
        let most = SCREEN.saturating_sub(lines + 1).max(1);
        note(&diag::brief(&brief, most));
    }
}

/// Prints a line to standard error.
pub(super) fn note(text: &str) {
    // There is nowhere to report a failed write to standard error.
    let _ = writeln!(errors(), "{text}");
}

/// Prints a message from clap, and returns clap's exit code for it.
pub(super) fn end(error: clap::Error) -> Result<ExitCode, Error> {
    let code = ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    let stderr = error.use_stderr();
    let colour = if stderr {
        paint(&io::stderr()).colour
    } else {
        paint(&io::stdout()).colour
    };
    // The arguments that clap quotes are escaped first. After this, all control sequences in the
    // text are clap's own.
    let quoted =
        std::env::args_os().map(|word| escape_control(&word.to_string_lossy()).into_owned());
    let again = super::front::command().try_get_matches_from(quoted);
    let error = again.err().unwrap_or(error);
    let text = if colour {
        adopt(&error.render().ansi().to_string())
    } else {
        error.render().to_string()
    };
    if stderr {
        note(text.trim_end());
    } else {
        say(text.trim_end())?;
    }
    Ok(code)
}
