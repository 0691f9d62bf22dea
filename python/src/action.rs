//! Actions in Python: as words, values and numbers.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use risk_engine::{Action, Board, Declaration, SlotKind, Words};

use crate::errors::IllegalAction;

/// The board and the declarations that map a game's numbers to names.
pub(crate) struct Names {
    pub(crate) board: Arc<Board>,
    pub(crate) decl: Arc<Declaration>,
}

impl Names {
    pub(crate) fn words(&self) -> Words<'_> {
        Words::new(&self.board, &self.decl)
    }

    /// Returns a parameter's value: a word, or a number for counts and players.
    pub(crate) fn value<'py>(
        &self,
        py: Python<'py>,
        kind: SlotKind,
        value: i32,
    ) -> PyResult<Bound<'py, PyAny>> {
        match kind {
            SlotKind::Count | SlotKind::Player => value.into_bound_py_any(py),
            _ => self.words().value(kind, value).into_bound_py_any(py),
        }
    }
}

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
        let values = slots
            .iter()
            .zip(self.action.args())
            .map(|(slot, &value)| self.names.value(py, slot.1, value));
        PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    /// The verb and its parameters as numbers.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let verb = i32::from(self.action.verb.0);
        PyTuple::new(
            py,
            std::iter::once(verb)
                .chain(self.action.args().iter().copied())
                .collect::<Vec<_>>(),
        )
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
    if let Ok(action) = value.cast::<PyAction>() {
        return Ok(action.get().action);
    }
    if let Ok(words) = value.cast::<PyString>() {
        return parse(names, words.to_str()?);
    }
    let is_list = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
    let values: Vec<Bound<'_, PyAny>> = if is_list {
        value.extract()?
    } else {
        Vec::new()
    };
    let Some((verb, rest)) = values.split_first() else {
        return Err(IllegalAction::new_err(format!(
            "invalid action {}: write 'attack alaska kamchatka 3', or a list of the same values",
            value.repr()?
        )));
    };
    if let Ok(number) = verb.extract::<u8>() {
        let args = rest
            .iter()
            .map(|value| value.extract::<i32>())
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

fn parse(names: &Names, words: &str) -> PyResult<Action> {
    names
        .words()
        .parse(words)
        .map_err(|error| IllegalAction::new_err(error.to_string()))
}
