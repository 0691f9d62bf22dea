//! Errors as Python exceptions, with the library's messages.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::IntoPyObjectExt as _;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use risk_engine::{MatchFault, RuleFault, StepError};
use serde::{Deserialize, Serialize};

/// Declares exceptions, and the function that adds them to the module.
macro_rules! exceptions {
    ($($name:ident($base:ty): $doc:literal,)*) => {
        $(create_exception!(risk_cli, $name, $base, $doc);)*

        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            let py = module.py();
            $(module.add(stringify!($name), py.get_type::<$name>())?;)*
            // The attribute must also exist on errors raised by Python code.
            py.get_type::<LoadError>().setattr("codes", PyList::empty(py))
        }
    };
}

exceptions! {
    RiskError(PyException): "The base class of all exceptions of this package.",
    LoadError(RiskError): "A ruleset, a map, a bot or an option can't be loaded. `codes` lists the codes of the \
        findings.",
    IllegalAction(RiskError): "An action is not legal for this player now. The game is unchanged.",
    GameOver(IllegalAction): "An action came after the end of the game.",
    RulesetFault(RiskError): "The ruleset failed. The game can't continue.",
    OpponentFault(RiskError): "A bot that plays against you failed, so that its game says nothing about \
        your play.",
    WrongThread(RiskError): "A game with bots was used on a thread that did not create it.",
}

pub(crate) fn wrong(text: impl Into<String>) -> PyErr {
    RiskError::new_err(text.into())
}

/// Locks a value without waiting. If it is in use, the error is `busy`.
pub(crate) fn try_lock<'a, T>(value: &'a Mutex<T>, busy: &str) -> PyResult<MutexGuard<'a, T>> {
    match value.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(wrong(busy)),
    }
}

/// Returns the slice of an array, unless the array is not contiguous.
pub(crate) fn contiguous<T>(slice: Result<T, numpy::AsSliceError>) -> PyResult<T> {
    slice.map_err(|_| wrong("the arrays must be contiguous, in C order"))
}

/// Returns a value as text for `pickle`.
pub(crate) fn saved(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| wrong(error.to_string()))
}

/// Reads a value from its text. An error names it as `what`.
pub(crate) fn restored<'a, T: Deserialize<'a>>(text: &'a str, what: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| wrong(format!("invalid {what}: {error}")))
}

/// Returns what `__reduce__` returns: a function that makes a value again, and its arguments.
pub(crate) fn reduced<'py>(
    py: Python<'py>,
    function: &str,
    args: impl IntoPyObject<'py, Error: Into<PyErr>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let make = py.import("risk_cli._pickle")?.getattr(function)?;
    PyTuple::new(py, [make, args.into_bound_py_any(py)?])
}

/// Calls `work`. Returns a panic as an exception, with its message.
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// Returns the exception for a panic.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    wrong(format!(
        "an error in the engine, which you should report: {}",
        text.unwrap_or("no message")
    ))
}

/// Returns all findings, one per line, with their location and help. The attribute `codes` contains
/// their codes.
pub(crate) fn load(failure: &risk_engine::LoadError) -> PyErr {
    let mut lines = Vec::new();
    for finding in &failure.findings {
        let mut line = String::new();
        if let Some(place) = &finding.place {
            let (row, column) = place.line_column();
            line = format!("{}:{row}:{column}: ", place.file.name);
        }
        line += &finding.text;
        if let Some(help) = &finding.help {
            line += &format!(" ({})", in_python(help));
        }
        lines.push(line);
    }
    let error = LoadError::new_err(lines.join("\n"));
    let codes = failure.findings.iter().map(|finding| finding.code.clone());
    let codes: Vec<String> = codes.collect();
    let set = Python::attach(|py| error.value(py).setattr("codes", codes));
    set.map_or_else(|failed| failed, |()| error)
}

/// Returns a text that names the options of the command line with the arguments of Python.
fn in_python(help: &str) -> String {
    let arguments = [
        ("--bot", "bots"),
        ("--map", "map"),
        ("--option", "options"),
        ("--players", "players"),
        ("--ruleset", "ruleset"),
    ];
    // In an example of a command, an option stays what it is.
    let parts = help.split('`').enumerate().map(|(number, part)| {
        let (option, value) = part.split_once(' ').unwrap_or((part, ""));
        let known = arguments.iter().find(|(name, _)| *name == option);
        match known.filter(|_| number % 2 == 1) {
            Some((_, argument)) if value.is_empty() => (*argument).to_owned(),
            Some((_, argument)) => format!("{argument}='{value}'"),
            None => part.to_owned(),
        }
    });
    parts.collect::<Vec<_>>().join("`")
}

pub(crate) fn rules(fault: &RuleFault) -> PyErr {
    RulesetFault::new_err(fault.to_string())
}

/// Returns the exception for a refused step.
pub(crate) fn step(error: &StepError) -> PyErr {
    match error {
        StepError::Refused(text) => IllegalAction::new_err(text.clone()),
        StepError::Rules(fault) => rules(fault),
    }
}

pub(crate) fn played(fault: &MatchFault) -> PyErr {
    match fault {
        MatchFault::Load(failure) => load(failure),
        MatchFault::Rules(..) => RulesetFault::new_err(fault.to_string()),
        MatchFault::Gone(..) | MatchFault::Broken(_) => wrong(fault.to_string()),
    }
}
