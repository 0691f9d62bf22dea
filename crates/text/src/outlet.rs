//! The writer for all output, and the marks for colours in the output.
//!
//! Until it is written, a colour is a mark, not an escape sequence. The mark contains a random key
//! of the process, so that external text can't forge a mark.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::sync::OnceLock;

use unicode_width::UnicodeWidthStr;

use super::direction::isolated;
use super::escape::{is_control, is_layout};
use super::palette::{LONGEST_CODE, readable};

/// The start and the end of a mark. They are noncharacters, which Unicode reserves for internal
/// use.
const BEGIN: char = '\u{fdd0}';
const END: char = '\u{fdd1}';
/// The maximum length of a mark, in bytes.
const LONGEST: usize = 64;

fn key() -> &'static str {
    static KEY: OnceLock<String> = OnceLock::new();
    KEY.get_or_init(|| {
        format!(
            "{:016x};",
            RandomState::new().hash_one("a random name for this process")
        )
    })
}

fn mark(code: &str) -> String {
    format!("{BEGIN}{}{code}{END}", key())
}

/// Marks a text with a colour or a weight. `code` is a terminal code, such as 31 for red or 1 for
/// bold.
#[must_use]
pub fn style(code: &str, text: &str) -> String {
    format!("{}{text}{}", mark(code), mark("0"))
}

/// Returns the width of a text in columns. Marks for colours have no width.
#[must_use]
pub fn columns(text: &str) -> usize {
    let mut parts = text.split(BEGIN);
    let first = parts.next().unwrap_or_default().width();
    first
        + parts
            .map(|part| part.split_once(END).map_or(part, |(_, rest)| rest).width())
            .sum::<usize>()
}

/// Returns the text without the marks for colours.
#[must_use]
pub fn without_marks(text: &str) -> String {
    let mut parts = text.split(BEGIN);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once(END).map_or(part, |(_, rest)| rest));
    }
    plain
}

/// Replaces another library's colour sequences with marks, and theme colours with readable colours.
/// External text must already be escaped, because every colour sequence is assumed to come from the
/// library.
#[must_use]
pub fn adopt(coloured: &str) -> String {
    let mut adopted = String::with_capacity(coloured.len());
    let mut parts = coloured.split("\u{1b}[");
    adopted.push_str(parts.next().unwrap_or_default());
    for part in parts {
        match part.split_once('m').filter(|(code, _)| is_code(code)) {
            Some((code, rest)) => adopted.extend([&mark(&readable(code)), rest]),
            None => adopted.extend(["\u{1b}[", part]),
        }
    }
    adopted
}

fn is_code(code: &str) -> bool {
    code.len() <= LONGEST_CODE
        && code
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b';')
}

/// A writer that escapes all control characters except line endings and tabs. It converts marks to
/// colours, or removes them if colours are off.
#[derive(Debug)]
pub struct Outlet<W: Write> {
    out: W,
    colour: bool,
    /// The first bytes of an incomplete character.
    begun: Vec<u8>,
    /// The text of an incomplete mark.
    mark: Option<String>,
}

impl<W: Write> Outlet<W> {
    /// Creates an outlet for a writer. With colours, which are for terminals only, text from right
    /// to left is also [isolated].
    pub const fn new(out: W, colour: bool) -> Self {
        Self {
            out,
            colour,
            begun: Vec::new(),
            mark: None,
        }
    }

    /// Returns the inner writer. Text that has not been flushed is lost.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn put(&mut self, c: char, ready: &mut String) {
        match self.mark.take() {
            Some(mark) if c == END => self.end_mark(&mark, ready),
            Some(mut mark) if c != BEGIN && !is_control(c) && mark.len() < LONGEST => {
                mark.push(c);
                self.mark = Some(mark);
            }
            Some(mark) => {
                spell(BEGIN, ready);
                ready.push_str(&mark);
                self.put(c, ready);
            }
            None if c == BEGIN => self.mark = Some(String::new()),
            None if is_control(c) && !is_layout(c) => spell(c, ready),
            None => ready.push(c),
        }
    }

    fn end_mark(&self, mark: &str, ready: &mut String) {
        match mark.strip_prefix(key()).filter(|code| is_code(code)) {
            Some(code) if self.colour => ready.extend(["\u{1b}[", code, "m"]),
            Some(_) => {}
            None => {
                spell(BEGIN, ready);
                ready.push_str(mark);
                spell(END, ready);
            }
        }
    }
}

fn spell(c: char, ready: &mut String) {
    ready.extend(c.escape_default());
}

impl<W: Write> Write for Outlet<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut ready = String::with_capacity(all.len());
        for chunk in all.utf8_chunks() {
            chunk.valid().chars().for_each(|c| self.put(c, &mut ready));
            let bad = chunk.invalid();
            let at_end = bad.as_ptr_range().end == all.as_ptr_range().end;
            if at_end && may_go_on(bad) {
                self.begun = bad.to_vec();
            } else if !bad.is_empty() {
                self.put(char::REPLACEMENT_CHARACTER, &mut ready);
            }
        }
        let ready = if self.colour {
            isolated(&ready)
        } else {
            ready.into()
        };
        self.out.write_all(ready.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut ready = String::new();
        if let Some(mark) = self.mark.take() {
            spell(BEGIN, &mut ready);
            ready.push_str(&mark);
        }
        if !std::mem::take(&mut self.begun).is_empty() {
            ready.push(char::REPLACEMENT_CHARACTER);
        }
        self.out.write_all(ready.as_bytes())?;
        self.out.flush()
    }
}

/// Reports whether the bytes are the beginning of an incomplete character.
fn may_go_on(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}
