//! Values of a position's file, each with what is wrong with it and where.

use super::failure;
use crate::load::diag::{Finding, LoadError, TextFile};
use crate::load::map::yaml::{Node, Value};
use crate::seed::Seed;
use risk_text::{escape_control, suggest};

/// The most findings that are kept.
const MOST_FINDINGS: usize = 50;

/// Reads values, and keeps what is wrong with them.
pub(super) struct Reading<'f> {
    file: &'f TextFile,
    findings: Vec<Finding>,
}

impl<'f> Reading<'f> {
    pub(super) const fn new(file: &'f TextFile) -> Self {
        Self {
            file,
            findings: Vec::new(),
        }
    }

    /// Nothing was wrong, or everything that was.
    pub(super) fn finish(self) -> Result<(), LoadError> {
        if self.findings.is_empty() {
            Ok(())
        } else {
            Err(failure(self.findings))
        }
    }

    pub(super) fn wrong(&mut self, node: &Node, text: impl Into<String>, help: impl Into<String>) {
        if self.findings.len() < MOST_FINDINGS {
            let text = escape_control(&text.into()).into_owned();
            // The whole document is no place.
            let len = node.len.min(60);
            let finding = Finding::error("position::value", text)
                .help(help)
                .at(self.file, node.start, len);
            self.findings.push(finding);
        }
    }

    fn expected(&mut self, node: &Node, what: &str, expected: &str) {
        let text = format!("{what} must be {expected}, and this is {}", node.kind());
        self.wrong(node, text, format!("write {expected}"));
    }

    /// The entries of a map with these keys alone.
    pub(super) fn entries<'n>(
        &mut self,
        node: &'n Node,
        what: &str,
        known: &[&str],
    ) -> Vec<(&'n str, &'n Node, &'n Node)> {
        let all = self.pairs(node, what);
        let mut found = Vec::new();
        for (key, place, value) in all {
            if known.contains(&key) {
                found.push((key, place, value));
            } else {
                let help = suggest::help(key, known.iter().copied());
                self.wrong(place, format!("{what} has no key `{key}`"), help);
            }
        }
        found
    }

    /// The entries of a map with any keys.
    pub(super) fn pairs<'n>(
        &mut self,
        node: &'n Node,
        what: &str,
    ) -> Vec<(&'n str, &'n Node, &'n Node)> {
        let Value::Map(entries) = &node.value else {
            self.expected(node, what, "keys with values");
            return Vec::new();
        };
        let mut found = Vec::new();
        for (key, value) in entries {
            match &key.value {
                Value::Text(name) => found.push((name.as_str(), key, value)),
                _ => self.expected(key, "a key", "a name, in quotes where it is a number"),
            }
        }
        found
    }

    pub(super) fn list<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        if let Value::List(list) = &node.value {
            list
        } else {
            self.expected(node, what, "a list");
            &[]
        }
    }

    pub(super) fn text(&mut self, node: &Node, what: &str) -> Option<String> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            _ => {
                self.expected(node, what, "a text, in quotes where it is a number");
                None
            }
        }
    }

    /// A whole number from `low` to `high`.
    pub(super) fn number(&mut self, node: &Node, what: &str, low: i64, high: i64) -> Option<i64> {
        match node.value {
            Value::Int(number) if (low..=high).contains(&number) => Some(number),
            Value::Int(number) => {
                let help = if low == high {
                    format!("write {low}")
                } else {
                    format!("write a number from {low} to {high}")
                };
                self.wrong(node, format!("{what} can't be {number}"), help);
                None
            }
            _ => {
                self.expected(node, what, "a whole number");
                None
            }
        }
    }

    /// A number of 64 bits; those that YAML has no number for are in quotes.
    pub(super) fn large(&mut self, node: &Node, what: &str) -> u64 {
        let number = match &node.value {
            Value::Int(number) => u64::try_from(*number).ok(),
            Value::Text(text) => text.parse().ok(),
            _ => None,
        };
        number.unwrap_or_else(|| {
            self.expected(node, what, "a whole number from 0 on");
            0
        })
    }

    /// The seed of a match: a text, or a number as such.
    pub(super) fn seed(&mut self, node: &Node) -> Seed {
        let read = match &node.value {
            Value::Int(number) => Seed::new(&number.to_string()),
            Value::Text(text) => Seed::new(text),
            _ => Err(String::new()),
        };
        read.unwrap_or_else(|_| {
            self.expected(
                node,
                "the seed",
                "1 to 64 letters, digits, `-`, `_` and `.`",
            );
            Seed::from(0)
        })
    }

    /// Names with values, as texts.
    pub(super) fn options(&mut self, node: &Node) -> Vec<(String, String)> {
        let mut options = Vec::new();
        for (name, _, value) in self.pairs(node, "the options") {
            let text = match &value.value {
                Value::Text(text) => text.clone(),
                Value::Int(number) => number.to_string(),
                Value::Bool(flag) => flag.to_string(),
                _ => {
                    self.expected(value, "an option", "a word or a whole number");
                    continue;
                }
            };
            options.push((name.to_owned(), text));
        }
        options
    }

    /// What is called so among these names.
    pub(super) fn named<'a>(
        &mut self,
        node: &Node,
        what: &str,
        name: &str,
        all: impl IntoIterator<Item = &'a str> + Clone,
    ) -> Option<usize> {
        let found = all.clone().into_iter().position(|other| other == name);
        if found.is_none() {
            let help = suggest::help(name, all);
            self.wrong(node, format!("there is no {what} `{name}`"), help);
        }
        found
    }
}
