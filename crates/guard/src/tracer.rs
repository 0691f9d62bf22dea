//! Records how scripts run: the functions that ran, their costs, and their debug texts.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rhai::Engine;
use rhai::debugger::{DebuggerCommand, DebuggerEvent};

/// The most texts of `debug` that are kept until they are read.
const MOST_TEXTS: usize = 1_000;
/// The longest of these texts, in characters.
const LONGEST_TEXT: usize = 500;
/// A recorder of script runs, or none. Copies share their readings.
#[derive(Clone, Debug, Default)]
pub struct Tracer(Option<Arc<Trace>>);

#[derive(Debug, Default)]
struct Trace {
    lines: bool,
    debug: bool,
    readings: Mutex<Readings>,
}

/// The readings of a tracer so far.
#[derive(Debug, Default)]
pub struct Readings {
    /// Calls from outside, by script and function.
    pub hooks: BTreeMap<(String, String), CallCost>,
    /// All calls, by script and function; only with lines. The operations are those of the function
    /// itself.
    pub functions: BTreeMap<(String, String), CallCost>,
    /// Operations by script and line, from 1; only with lines.
    pub lines: BTreeMap<(String, usize), u64>,
    /// The texts that scripts wrote with `debug`.
    pub texts: Vec<DebugText>,
    /// The number of further texts, which were not kept.
    pub unheard: u64,
}

/// The number of calls of a function, and their cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallCost {
    /// The number of calls.
    pub calls: u64,
    /// The operations of all calls.
    pub operations: u64,
    /// The operations of the costliest call.
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
pub struct DebugText {
    /// The name of the script's file.
    pub script: String,
    /// The line, from 1.
    pub line: usize,
    /// The text; only its beginning if it is very long.
    pub text: String,
}

impl Tracer {
    /// Creates a tracer of calls and `debug`.
    #[must_use]
    pub fn new() -> Self {
        Self(Some(Arc::new(Trace {
            debug: true,
            ..Trace::default()
        })))
    }

    /// Creates a tracer of calls and lines. Slow.
    #[must_use]
    pub fn with_lines() -> Self {
        Self(Some(Arc::new(Trace {
            lines: true,
            ..Trace::default()
        })))
    }

    /// Returns the readings so far; `None` if nothing is traced.
    #[must_use]
    pub fn readings(&self) -> Option<MutexGuard<'_, Readings>> {
        self.0.as_ref().map(|watch| {
            watch
                .readings
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        })
    }

    /// Takes the texts that scripts have written since the last time.
    #[must_use]
    pub fn take_texts(&self) -> Vec<DebugText> {
        self.readings()
            .map(|mut readings| std::mem::take(&mut readings.texts))
            .unwrap_or_default()
    }

    /// Counts a call of a hook and its cost.
    pub fn called(&self, script: &str, hook: &str, operations: u64) {
        if let Some(mut readings) = self.readings() {
            readings
                .hooks
                .entry((script.to_owned(), hook.to_owned()))
                .or_default()
                .add(operations);
        }
    }

    /// Connects this tracer to an engine. `spent` returns the number of the call from outside that
    /// is under way, and the operations that it has taken so far, if the call is to be traced.
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
    fn spend(&mut self, cursor: &Cursor, operations: u64) {
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
struct Cursor {
    call: u64,
    script: String,
    line: usize,
    function: String,
    spent: u64,
}

/// Traces lines: the engine stops at every node of a script, and the operations since the last stop
/// belong to the node before.
fn attach_lines(
    tracer: Tracer,
    engine: &mut Engine,
    spent: impl Fn() -> Option<(u64, u64)> + 'static,
) {
    let cursor = Rc::new(RefCell::new(Cursor::default()));
    #[expect(
        deprecated,
        reason = "marked as an interface that may change: the version of rhai is fixed"
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
                // The operations of the call until here are its own.
                (cursor.call, cursor.spent) = (call, 0);
                source.unwrap_or_default().clone_into(&mut cursor.script);
                function.clone_into(&mut cursor.function);
                cursor.line = position.line().unwrap_or(0);
            }
            if let Some(mut readings) = tracer.readings() {
                readings.spend(&cursor, now.saturating_sub(cursor.spent));
                // Each call ends once, however it is made.
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
