//! Rewrites `map.key = value` as `map["key"] = value`.
//!
//! Both forms have the same meaning. After the first form, Rhai checks the size of the whole map;
//! after the second form, it checks only the new entry. On a large map, the first form takes as
//! long as thousands of other operations, and this program can't charge for it. The compiled text
//! therefore contains only the second form. Positions in messages still refer to the original text.

use std::ops::Range;

use rhai::{AST, ASTFlags, ASTNode, Engine, Expr, Position, Stmt};

use super::limits;

/// The number of characters by which `["key"]` is longer than `.key`.
const LONGER: usize = 3;

/// The text of a script that is passed to the compiler.
#[derive(Debug)]
pub(crate) struct RewrittenText {
    /// The rewritten text; `None` if the original text is compiled.
    code: Option<Box<str>>,
    /// The rewritten keys, sorted by position.
    keys: Vec<RewrittenKey>,
}

/// A `["key"]` in the compiled text that replaces `.key` in the original text.
#[derive(Debug)]
struct RewrittenKey {
    line: usize,
    /// The columns in the compiled text from the opening bracket to the closing bracket.
    columns: Range<usize>,
    /// The number of columns by which the rest of the line is shifted to the right.
    by: usize,
}

impl RewrittenText {
    /// Rewrites the assignments in `text`. A text that can't be parsed remains unchanged, and the
    /// compiler reports the error.
    pub(crate) fn new(text: &str) -> Self {
        let mut indexed = Self {
            code: None,
            keys: Vec::new(),
        };
        let mut engine = Engine::new_raw();
        limits::watch(&mut engine);
        limits::as_written(&mut engine);
        let Ok(draft) = engine.compile(text) else {
            return indexed;
        };
        let lines = LineIndex::new(text);
        let mut sites: Vec<_> = assigned(&draft)
            .iter()
            .filter_map(|(key, position)| lines.site(key, *position))
            .collect();
        sites.sort_unstable_by_key(|site| site.dot);
        if !sites.is_empty() {
            indexed.write(text, &sites);
        }
        indexed
    }

    fn write(&mut self, text: &str, sites: &[Site<'_>]) {
        let mut code = String::with_capacity(text.len() + 3 * sites.len());
        let mut done = 0;
        for site in sites {
            code.push_str(&text[done..site.dot]);
            code.push_str("[\"");
            code.push_str(site.key);
            code.push_str("\"]");
            done = site.dot + 1 + site.key.len();
            let before = self.keys.last().filter(|last| last.line == site.line);
            let by = before.map_or(0, |last| last.by);
            let start = site.column - 1 + by;
            let by = by + LONGER;
            self.keys.push(RewrittenKey {
                line: site.line,
                columns: start..site.column + site.key.chars().count() + by,
                by,
            });
        }
        code.push_str(&text[done..]);
        self.code = Some(code.into());
    }

    pub(crate) fn code<'a>(&'a self, text: &'a str) -> &'a str {
        self.code.as_deref().unwrap_or(text)
    }

    /// Returns the line and column in the original text for a position in the compiled text.
    pub(crate) fn place(&self, position: Position) -> Option<(usize, usize)> {
        let line = position.line()?;
        let column = position.position().unwrap_or(1);
        let keys = self.keys_to(line, column);
        let key = keys.last().filter(|key| key.line == line);
        let column = match key {
            None => column,
            // A position inside the brackets refers to the key's name in the original text.
            Some(key) if key.columns.contains(&column) => key.columns.start + LONGER + 1 - key.by,
            Some(key) => column - key.by,
        };
        Some((line, column))
    }

    /// Reports whether a position in the compiled text belongs to a rewritten key.
    pub(crate) fn is_key(&self, position: Position) -> bool {
        let (Some(line), Some(column)) = (position.line(), position.position()) else {
            return false;
        };
        let keys = self.keys_to(line, column);
        keys.last()
            .is_some_and(|key| key.line == line && key.columns.contains(&column))
    }

    fn keys_to(&self, line: usize, column: usize) -> &[RewrittenKey] {
        let begins = |key: &RewrittenKey| (key.line, key.columns.start) <= (line, column);
        &self.keys[..self.keys.partition_point(begins)]
    }
}

struct Site<'t> {
    /// The byte offset of the dot.
    dot: usize,
    key: &'t str,
    line: usize,
    /// The key's column in characters, counted from 1.
    column: usize,
}

struct LineIndex<'t> {
    text: &'t str,
    /// The byte offsets at which lines begin.
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    fn new(text: &'t str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(ends).collect(),
        }
    }

    /// Returns the assignment to this key, or `None` if no dot precedes the key directly.
    fn site(&self, key: &str, position: Position) -> Option<Site<'t>> {
        let line = position.line()?;
        let column = position.position()?;
        let start = *self.starts.get(line - 1)?;
        let (at, _) = self.text[start..].char_indices().nth(column - 1)?;
        let at = start + at;
        let key = self
            .text
            .get(at..at + key.len())
            .filter(|found| *found == key)?;
        let dot = self.text[..at].strip_suffix('.')?.len();
        Some(Site {
            dot,
            key,
            line,
            column,
        })
    }
}

/// Returns the keys after a dot that a script assigns to, with their positions.
pub(crate) fn assigned(ast: &AST) -> Vec<(String, Position)> {
    let mut found = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(parts))) = path.last()
            && let Some((key, position)) = last_key(&parts.1.lhs)
        {
            found.push((key.to_owned(), position));
        }
        true
    });
    found
}

/// Returns the last key of a chain of `.` and `[…]`, or `None` if the chain does not end in a key.
fn last_key(mut chain: &Expr) -> Option<(&str, Position)> {
    loop {
        match chain {
            Expr::Dot(parts, ..) => chain = &parts.rhs,
            Expr::Index(parts, flags, _) if !flags.intersects(ASTFlags::BREAK) => {
                chain = &parts.rhs;
            }
            Expr::Property(key, position) => return Some((&key.2, *position)),
            _ => return None,
        }
    }
}
