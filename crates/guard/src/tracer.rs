//! Records how scripts run: the functions that ran, their costs, and their debug output.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of `debug` texts that are stored until they are read.
const MOST_TEXTS: usize = 1_000;
/// The maximum length of a stored text, in characters.
const LONGEST_TEXT: usize = 500;
/// A recorder of script runs, which may be inactive. Clones share their readings.
#[derive(Clone, Debug, Default)]
pub struct Tracer(Option<Arc<Trace>>);

#[derive(Debug, Default)]
struct Trace {
    lines: bool,
    debug: bool,
    readings: Mutex<Readings>,
}

/// The recorded data of a tracer.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Readings {
    /// The costs of calls by the program, keyed by script and function.
    pub hooks: BTreeMap<(String, String), CallCost>,
    /// The costs of all calls, keyed by script and function; empty unless lines are traced. The
    /// operations exclude those of called functions.
    pub functions: BTreeMap<(String, String), CallCost>,
    /// The number of operations, keyed by script and line (counted from 1); empty unless lines are
    /// traced.
    pub lines: BTreeMap<(String, usize), u64>,
    /// The texts that scripts wrote with `debug`.
    pub texts: Vec<DebugText>,
    /// The number of further texts that were not stored.
    pub unheard: u64,
}

/// The number of calls of a function, and their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallCost {
    /// The number of calls.
    pub calls: u64,
    /// The total number of operations of all calls.
    pub operations: u64,
    /// The number of operations of the most expensive call.
    pub most: u64,
}

impl CallCost {
    fn add(&mut self, operations: u64) {
        self.calls += 1;
        self.operations += operations;
        self.most = self.most.max(operations);
    }
}

/// A text that a script wrote with `debug`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DebugText {
    /// The name of the script's file.
    pub script: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The text, shortened if it is too long.
    pub text: String,
}

impl Tracer {
    /// Creates a tracer that records calls and `debug` texts.
    #[must_use]
    pub fn new() -> Self {
        Self(Some(Arc::new(Trace {
            debug: true,
            ..Trace::default()
        })))
    }

    /// Creates a tracer that records calls and lines. It slows scripts down.
    #[must_use]
    pub fn with_lines() -> Self {
        Self(Some(Arc::new(Trace {
            lines: true,
            ..Trace::default()
        })))
    }

    /// Returns the data recorded so far, or `None` if the tracer is inactive.
    #[must_use]
    pub fn readings(&self) -> Option<MutexGuard<'_, Readings>> {
        let readings = self.0.as_ref()?.readings.lock();
        Some(readings.unwrap_or_else(PoisonError::into_inner))
    }

    /// Removes and returns the texts that scripts have written since the last call.
    #[must_use]
    pub fn take_texts(&self) -> Vec<DebugText> {
        let readings = self.readings();
        readings.map_or_else(Vec::new, |mut readings| std::mem::take(&mut readings.texts))
    }

    /// Records a call of a hook and its cost.
    pub fn called(&self, script: &str, hook: &str, operations: u64) {
        if let Some(mut readings) = self.readings() {
            let key = (script.to_owned(), hook.to_owned());
            readings.hooks.entry(key).or_default().add(operations);
        }
    }

    /// Reports whether lines are traced.
    pub(crate) fn has_lines(&self) -> bool {
        self.0.as_ref().is_some_and(|trace| trace.lines)
    }

    /// Records operations of a function, as the lines of their nodes.
    pub(crate) fn spent(&self, script: &str, function: &str, lines: &[u16]) {
        let Some(mut readings) = self.readings() else {
            return;
        };
        for line in lines.iter().filter(|line| **line > 0) {
            let line = (script.to_owned(), usize::from(*line));
            *readings.lines.entry(line).or_default() += 1;
        }
        let function = (script.to_owned(), function.to_owned());
        readings.functions.entry(function).or_default().operations += lines.len() as u64;
    }

    /// Records the end of a call of a function.
    pub(crate) fn ended(&self, script: &str, function: &str) {
        if let Some(mut readings) = self.readings() {
            let function = (script.to_owned(), function.to_owned());
            readings.functions.entry(function).or_default().calls += 1;
        }
    }

    pub(crate) fn hear(&self, text: &str, source: Option<&str>, line: Option<usize>) {
        let listens = self.0.as_ref().is_some_and(|trace| trace.debug);
        let Some(mut readings) = self.readings().filter(|_| listens) else {
            return;
        };
        if readings.texts.len() >= MOST_TEXTS {
            readings.unheard += 1;
            return;
        }
        let text = text.chars().take(LONGEST_TEXT).collect();
        readings.texts.push(DebugText {
            script: source.unwrap_or("?").to_owned(),
            line: line.unwrap_or(0),
            text,
        });
    }
}
