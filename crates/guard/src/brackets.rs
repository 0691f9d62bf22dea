//! Finds brackets without a partner in a script's text. The parser reports them only where it gives
//! up, often at the end of the file.

use super::sizes::MOST_DEPTH;

/// A bracket that is open.
struct OpenBracket {
    kind: char,
    /// The line and the column in characters, counted from 1.
    place: (usize, usize),
    /// The number of blanks before the first character of the line.
    indent: usize,
    /// Whether it is the `{` of a `${…}` in a string, after which the string continues.
    in_string: bool,
}

/// Returns the opening bracket that lacks its partner, with its line and column in characters,
/// counted from 1. Returns `None` if all opening brackets have partners, or if a string or a
/// comment doesn't end.
///
/// If a closing bracket at the start of a line is further left than the line of its partner, but
/// aligned with the line of a bracket further out, then the inner bracket lacks its partner.
pub(crate) fn unclosed(text: &str) -> Option<(char, (usize, usize))> {
    let mut scanner = Scanner::new(text);
    scanner.scan()?;
    let last = scanner.open.pop()?;
    let found = scanner.misaligned.map_or(last, |(inner, _)| inner);
    Some((found.kind, found.place))
}

struct Scanner {
    text: Vec<char>,
    at: usize,
    line: usize,
    /// The index of the first character of the line.
    line_start: usize,
    /// The number of blanks before the first other character of the line.
    indent: usize,
    open: Vec<OpenBracket>,
    /// The first bracket whose closing bracket seems to belong to another one, which is still open,
    /// and the index of the other one.
    misaligned: Option<(OpenBracket, usize)>,
}

impl Scanner {
    fn new(text: &str) -> Self {
        Self {
            text: text.chars().collect(),
            at: 0,
            line: 1,
            line_start: 0,
            indent: 0,
            open: Vec::new(),
            misaligned: None,
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek(0)?;
        self.at += 1;
        if next == '\n' {
            self.line += 1;
            self.line_start = self.at;
            self.indent = 0;
        } else if [' ', '\t'].contains(&next) && self.at - self.line_start == self.indent + 1 {
            self.indent += 1;
        }
        Some(next)
    }

    /// Reads the whole text, or up to a bracket that is closed by one of another kind. Returns
    /// `None` if the text ends in a string or a comment, or has too many closing brackets.
    fn scan(&mut self) -> Option<()> {
        while let Some(next) = self.next() {
            match (next, self.peek(0)) {
                ('/', Some('/')) => self.skip_line(),
                ('/', Some('*')) => self.skip_comment()?,
                ('"', _) => self.skip_string('"')?,
                ('\'', _) => self.skip_string('\'')?,
                ('`', _) => self.skip_template()?,
                ('#', Some('"' | '#')) => self.skip_raw()?,
                ('(' | '[' | '{', _) => self.open(next, false),
                (')' | ']' | '}', _) if self.close(next)? => return Some(()),
                _ => {}
            }
        }
        Some(())
    }

    /// Opens the bracket before the current place.
    fn open(&mut self, kind: char, in_string: bool) {
        self.open.push(OpenBracket {
            kind,
            place: (self.line, self.at - self.line_start),
            indent: self.indent,
            in_string,
        });
    }

    /// Closes a bracket. Returns true if another kind of bracket is open, and `None` if no bracket
    /// of this kind is open.
    fn close(&mut self, closing: char) -> Option<bool> {
        let kind = match closing {
            ')' => '(',
            ']' => '[',
            _ => '{',
        };
        let last = self.open.last()?;
        if last.kind != kind {
            let mut others = self.open.iter();
            return others.any(|other| other.kind == kind).then_some(true);
        }
        let indent = self.indent;
        let is_first = self.at - 1 - self.line_start == indent;
        let is_misaligned = is_first && last.indent > indent && last.place.0 < self.line;
        let last = self.open.pop()?;
        let others = self.open.iter().enumerate().rev().take(MOST_DEPTH);
        let mut others = others.filter(|_| is_misaligned);
        let is_aligned = |other: &OpenBracket| other.kind == kind && other.indent == indent;
        let partner = others.find(|(_, other)| is_aligned(other));
        let partner = partner.map(|(index, _)| index);
        // If the other bracket is closed as well, the alignment meant nothing.
        let open = self.open.len();
        self.misaligned.take_if(|(_, other)| open <= *other);
        if last.in_string {
            self.skip_template()?;
        } else if let Some(other) = partner
            && self.misaligned.is_none()
        {
            self.misaligned = Some((last, other));
        }
        Some(false)
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|next| next != '\n') {}
    }

    /// Skips a comment, which may contain others.
    fn skip_comment(&mut self) -> Option<()> {
        self.next();
        let mut depth = 1;
        while depth > 0 {
            match (self.next()?, self.peek(0)) {
                ('/', Some('*')) => {
                    self.next();
                    depth += 1;
                }
                ('*', Some('/')) => {
                    self.next();
                    depth -= 1;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Skips a string. A doubled quote is part of the string.
    fn skip_string(&mut self, quote: char) -> Option<()> {
        loop {
            match self.next()? {
                '\\' => {
                    self.next()?;
                }
                next if next == quote => {
                    if self.peek(0) != Some(quote) {
                        return Some(());
                    }
                    self.next();
                }
                _ => {}
            }
        }
    }

    /// Skips a string in back-ticks, or opens the next `${` in it.
    fn skip_template(&mut self) -> Option<()> {
        loop {
            match (self.next()?, self.peek(0)) {
                ('`', Some('`')) => {
                    self.next();
                }
                ('`', _) => return Some(()),
                ('$', Some('{')) => {
                    self.next();
                    self.open('{', true);
                    return Some(());
                }
                _ => {}
            }
        }
    }

    /// Skips a string such as `#"…"#`, after its first `#`.
    fn skip_raw(&mut self) -> Option<()> {
        let mut hashes = 1;
        while self.peek(0) == Some('#') {
            self.next();
            hashes += 1;
        }
        if self.next()? != '"' {
            return None;
        }
        loop {
            if self.next()? == '"' {
                let ends = (0..hashes).all(|ahead| self.peek(ahead) == Some('#'));
                if ends {
                    (0..hashes).for_each(|_| {
                        self.next();
                    });
                    return Some(());
                }
            }
        }
    }
}
