//! Actions in Python: as words, values and numbers.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use risk_engine::{Action, SlotKind};

use crate::errors::{self, IllegalAction, guarded, reduced};
use crate::integers::Int;
use crate::kit;
use crate::names::Names;

/// One action of a game.
#[pyclass(frozen, name = "Action", module = "risk_cli", skip_from_py_object)]
pub(crate) struct PyAction {
    names: Arc<Names>,
    pub(crate) action: Action,
}

impl PyAction {
    pub(crate) fn new(names: &Arc<Names>, action: Action) -> Self {
        Self {
            names: Arc::clone(names),
            action,
        }
    }
}

#[pymethods]
impl PyAction {
    /// The verb.
    #[getter]
    fn verb(&self) -> &str {
        &self.names.decl.verbs[self.action.verb.index()].name
    }

    /// The values of the verb's parameters: words, and numbers for counts and for players from 0.
    #[getter]
    fn args<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let slots = &self.names.decl.verbs[self.action.verb.index()].slots;
        let values = slots.iter().zip(self.action.args());
        let values = values.map(|(slot, &value)| self.names.value(py, slot.1, value));
        PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    /// The verb and its parameters as numbers.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let verb = [i32::from(self.action.verb.0)];
        PyTuple::new(py, [&verb, self.action.args()].concat())
    }

    /// An action never changes, so it needs no copy.
    fn __copy__(slf: &Bound<'_, Self>) -> Py<Self> {
        slf.clone().unbind()
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf.clone().unbind()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Some(spec) = &self.names.spec else {
            let text = "an action of a match can't be pickled: pickle its words, str(action)";
            return Err(PyTypeError::new_err(text));
        };
        let spec = errors::saved(spec)?;
        reduced(py, "action", (spec, self.numbers(py)?))
    }

    /// Restores an action from its pickled parts.
    #[staticmethod]
    fn _restored(py: Python<'_>, spec: &str, numbers: &Bound<'_, PyAny>) -> PyResult<Self> {
        let spec = errors::restored(spec, "action")?;
        let names = py.detach(|| guarded(|| kit::names(Some(spec))))?;
        Ok(Self::new(&names, read(&names, numbers)?))
    }

    fn __str__(&self) -> String {
        self.names.words().action(self.action)
    }

    fn __repr__(&self) -> String {
        format!("Action('{}')", self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().action == self.action)
    }

    fn __hash__(&self) -> u64 {
        let args = self.action.args().iter();
        args.fold(u64::from(self.action.verb.0), |hash, &arg| {
            (hash.rotate_left(13) ^ arg as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }
}

/// Parses an action from an `Action`, its words, or a list that begins with the verb.
pub(crate) fn read(names: &Names, value: &Bound<'_, PyAny>) -> PyResult<Action> {
    guarded(|| read_value(names, value))
}

fn read_value(names: &Names, value: &Bound<'_, PyAny>) -> PyResult<Action> {
    if let Ok(action) = value.cast::<PyAction>() {
        return Ok(action.get().action);
    }
    if let Ok(words) = value.cast::<PyString>() {
        return parse(names, words.to_str()?);
    }
    let values = sequence(value)?;
    let Some((verb, rest)) = values.split_first() else {
        return Err(IllegalAction::new_err(format!(
            "invalid action {}: write 'attack alaska kamchatka 3', or a list of the same values",
            value.repr()?
        )));
    };
    if let Ok(number) = verb.extract::<u8>() {
        let args = rest
            .iter()
            .map(|value| {
                let number = value.extract::<Int>()?.0;
                let none = |_| IllegalAction::new_err(format!("no action has the number {number}"));
                i32::try_from(number).map_err(none)
            })
            .collect::<PyResult<Vec<_>>>()?;
        let known = names.decl.verbs.get(usize::from(number));
        if known.is_none_or(|verb| verb.slots.len() != args.len()) {
            return Err(IllegalAction::new_err(format!(
                "no verb {number} with {} parameters",
                args.len()
            )));
        }
        return Ok(Action::new(risk_engine::Verb(number), &args));
    }
    let mut words = verb.str()?.to_string();
    let slots = names
        .decl
        .verb(&words)
        .map(|verb| &names.decl.verbs[verb.index()].slots);
    for (index, value) in rest.iter().enumerate() {
        let kind = slots.and_then(|slots| slots.get(index)).map(|slot| slot.1);
        words.push(' ');
        // Players are counted from 1 in words and from 0 in numbers.
        match (kind, value.extract::<i64>()) {
            (Some(SlotKind::Player), Ok(player)) => words += &player.saturating_add(1).to_string(),
            _ => words += &value.str()?.to_string(),
        }
    }
    parse(names, &words)
}

/// Returns the items of a sequence, of an array or of a tensor. Returns nothing for other values.
fn sequence<'py>(value: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let list = if value.hasattr("tolist")? {
        value.call_method0("tolist")?
    } else {
        value.clone()
    };
    if list.is_instance_of::<PyList>() || list.is_instance_of::<PyTuple>() {
        return list.extract();
    }
    Ok(Vec::new())
}

fn parse(names: &Names, words: &str) -> PyResult<Action> {
    names
        .words()
        .parse(words)
        .map_err(|error| IllegalAction::new_err(error.to_string()))
}
