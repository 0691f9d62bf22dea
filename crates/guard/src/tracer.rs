//! Records how scripts run: the functions that ran, their costs, and their debug output.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rhai::Engine;
use rhai::debugger::{DebuggerCommand, DebuggerEvent};

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
        self.0.as_ref().map(|watch| {
            watch
                .readings
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        })
    }

    /// Removes and returns the texts that scripts have written since the last call.
    #[must_use]
    pub fn take_texts(&self) -> Vec<DebugText> {
        self.readings()
            .map(|mut readings| std::mem::take(&mut readings.texts))
            .unwrap_or_default()
    }

    /// Records a call of a hook and its cost.
    pub fn called(&self, script: &str, hook: &str, operations: u64) {
        if let Some(mut readings) = self.readings() {
            readings
                .hooks
                .entry((script.to_owned(), hook.to_owned()))
                .or_default()
                .add(operations);
        }
    }

    /// Connects this tracer to an engine. If the current call is to be traced, `spent` returns the
    /// call's number and the operations that the call has used so far.
    pub fn attach(&self, engine: &mut Engine, spent: impl Fn() -> Option<(u64, u64)> + 'static) {
        let Some(watch) = &self.0 else { return };
        if watch.debug {
            let tracer = self.clone();
            engine
                .on_debug(move |text, source, position| tracer.hear(text, source, position.line()));
        }
        if watch.lines {
            attach_lines(self.clone(), engine, spent);
        }
    }

    fn hear(&self, text: &str, source: Option<&str>, line: Option<usize>) {
        let Some(mut readings) = self.readings() else {
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

impl Readings {
    fn spend(&mut self, cursor: &TraceCursor, operations: u64) {
        if operations == 0 || cursor.line == 0 {
            return;
        }
        let line = (cursor.script.clone(), cursor.line);
        *self.lines.entry(line).or_default() += operations;
        let function = (cursor.script.clone(), cursor.function.clone());
        self.functions.entry(function).or_default().operations += operations;
    }
}

#[derive(Default)]
struct TraceCursor {
    call: u64,
    script: String,
    line: usize,
    function: String,
    spent: u64,
}

/// Traces lines. The engine stops at every node of a script, and the operations since the previous
/// stop belong to the previous node.
fn attach_lines(
    tracer: Tracer,
    engine: &mut Engine,
    spent: impl Fn() -> Option<(u64, u64)> + 'static,
) {
    let cursor = Rc::new(RefCell::new(TraceCursor::default()));
    #[expect(
        deprecated,
        reason = "the interface may change, but the version of Rhai is fixed"
    )]
    engine.register_debugger(
        |_, debugger| debugger,
        move |mut context, event, _, source, position| {
            let mut cursor = cursor.borrow_mut();
            let Some((call, now)) = spent() else {
                return Ok(DebuggerCommand::StepInto);
            };
            let stack = context
                .global_runtime_state_mut()
                .debugger_mut()
                .call_stack();
            let function = stack.last().map_or("", |frame| frame.fn_name.as_str());
            if call != cursor.call {
                // The operations up to the first stop belong to the call itself.
                (cursor.call, cursor.spent) = (call, 0);
                source.unwrap_or_default().clone_into(&mut cursor.script);
                function.clone_into(&mut cursor.function);
                cursor.line = position.line().unwrap_or(0);
            }
            if let Some(mut readings) = tracer.readings() {
                readings.spend(&cursor, now.saturating_sub(cursor.spent));
                // Every call ends exactly once, regardless of how it was made.
                if matches!(
                    event,
                    DebuggerEvent::FunctionExitWithValue(..)
                        | DebuggerEvent::FunctionExitWithError(..)
                ) {
                    let of = (source.unwrap_or_default().to_owned(), function.to_owned());
                    readings.functions.entry(of).or_default().calls += 1;
                }
            }
            source.unwrap_or_default().clone_into(&mut cursor.script);
            if let Some(line) = position.line() {
                cursor.line = line;
            }
            function.clone_into(&mut cursor.function);
            cursor.spent = now;
            Ok(DebuggerCommand::StepInto)
        },
    );
}
