//! Findings about position files, and readers for values that only such files contain.

use super::failure;
use crate::nodes::{Extent, Node, NodeReader, Value};
use crate::seed::{LONGEST_SEED, Seed};
use risk_text::diag::{Finding, LoadError, TextFile};
use risk_text::{escape_control, suggest};

const MOST_FINDINGS: usize = 50;

pub(super) struct PositionReader<'f> {
    file: &'f TextFile,
    findings: Vec<Finding>,
}

impl NodeReader for PositionReader<'_> {
    fn found(&mut self, _: &str, text: String, help: Option<String>, place: Extent) {
        if self.findings.len() < MOST_FINDINGS {
            let text = escape_control(&text);
            // A place should not cover the whole document.
            let mut finding =
                Finding::error("position::value", text).at(self.file, place.0, place.1.min(60));
            finding.help = help;
            self.findings.push(finding);
        }
    }
}

impl<'f> PositionReader<'f> {
    pub(super) const fn new(file: &'f TextFile) -> Self {
        Self {
            file,
            findings: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> Result<(), LoadError> {
        if self.findings.is_empty() {
            Ok(())
        } else {
            Err(failure(self.findings))
        }
    }

    pub(super) fn text(&mut self, node: &Node, what: &str) -> Option<String> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            _ => {
                let text = format!("{what} must be a string, found {}", node.kind());
                let help = "write a string, with quotes around a number";
                self.wrong(node, text, help);
                None
            }
        }
    }

    /// Reads a 64-bit number. Quotes are needed for numbers beyond YAML's integers.
    pub(super) fn large(&mut self, node: &Node, what: &str) -> u64 {
        let number = match &node.value {
            Value::Int(number) => u64::try_from(*number).ok(),
            Value::Text(text) => text.parse().ok(),
            _ => None,
        };
        number.unwrap_or_else(|| {
            let text = format!(
                "{what} must be an integer of 0 or more, found {}",
                node.shown()
            );
            self.wrong(node, text, "write an integer, for example 0");
            0
        })
    }

    pub(super) fn seed(&mut self, node: &Node) -> Seed {
        let read = match &node.value {
            Value::Int(number) => Seed::new(&number.to_string()).ok(),
            Value::Text(text) => Seed::new(text).ok(),
            _ => None,
        };
        read.unwrap_or_else(|| {
            let text = format!(
                "`seed` must be 1 to {LONGEST_SEED} letters, digits, `-`, `_` or `.`, found {}",
                node.shown()
            );
            self.wrong(node, text, "write an integer or a string, for example 7");
            Seed::from(0)
        })
    }

    pub(super) fn options(&mut self, node: &Node) -> Vec<(String, String)> {
        let mut options = Vec::new();
        for (name, _, value) in self.pairs(node, "`options`") {
            let text = match &value.value {
                Value::Text(text) => text.clone(),
                Value::Int(number) => number.to_string(),
                Value::Bool(flag) => flag.to_string(),
                _ => {
                    let expected = "true, false, an integer or a string";
                    self.expected(value, &format!("the option `{name}`"), expected);
                    continue;
                }
            };
            options.push((name.to_owned(), text));
        }
        options
    }

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
            self.wrong(node, format!("no {what} named `{name}`"), help);
        }
        found
    }
}
