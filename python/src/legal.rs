//! The legal actions of a player, as Cartesian products that are never expanded.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyRange};
use risk_engine::{Domain, Offer, Options, SlotKind};

use crate::action::{self, PyAction};
use crate::errors::{guarded, wrong};
use crate::integers::Int;
use crate::names::Names;
use crate::random;

/// The maximum number of actions in a list.
const MOST_LISTED: u64 = 1_000_000;

/// The legal actions at one decision.
#[pyclass(frozen, module = "risk_cli")]
pub(crate) struct Legal {
    pub(crate) names: Arc<Names>,
    pub(crate) options: Options,
}

impl Legal {
    fn action(&self, number: u64) -> PyAction {
        PyAction::new(&self.names, self.options.nth(number))
    }

    fn domain<'py>(
        &self,
        py: Python<'py>,
        kind: SlotKind,
        domain: Domain,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let (SlotKind::Count, Domain::Span { low, high }) = (kind, domain) {
            return Ok(PyRange::new(py, low as isize, high as isize + 1)?.into_any());
        }
        let size = self.options.size(domain);
        let values = (0..size).map(|index| {
            self.names
                .value(py, kind, self.options.value(domain, index))
        });
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_bound_py_any(py)
    }

    fn offer<'py>(&self, py: Python<'py>, offer: &Offer) -> PyResult<Bound<'py, PyDict>> {
        let verb = &self.names.decl.verbs[offer.verb.index()];
        let dict = PyDict::new(py);
        dict.set_item("verb", &verb.name)?;
        let parameters = PyDict::new(py);
        for ((name, kind), &domain) in verb.slots.iter().zip(offer.slots()) {
            parameters.set_item(name, self.domain(py, *kind, domain)?)?;
        }
        dict.set_item("parameters", parameters)?;
        dict.set_item("count", self.options.offer_len(offer))?;
        Ok(dict)
    }
}

#[pymethods]
impl Legal {
    /// The number of legal actions.
    #[getter]
    fn count(&self) -> u64 {
        self.options.len()
    }

    fn __len__(&self) -> PyResult<usize> {
        usize::try_from(self.options.len())
            .map_err(|_| wrong("too many actions for len(): use count"))
    }

    /// Returns the action with this index. Negative indices count from the end.
    fn nth(&self, number: Int) -> PyResult<PyAction> {
        let (number, len) = (number.0, self.options.len());
        let from_end = if number < 0 { i128::from(len) } else { 0 };
        let place = u64::try_from(number.saturating_add(from_end)).ok();
        let place = place.filter(|&place| place < len).ok_or_else(|| {
            PyIndexError::new_err(format!(
                "no action {number} in the list of {len} legal actions"
            ))
        })?;
        guarded(|| Ok(self.action(place)))
    }

    fn __getitem__(&self, number: Int) -> PyResult<PyAction> {
        self.nth(number)
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let action = action::read(&self.names, value)?;
        guarded(|| Ok(self.options.admit(action).is_ok()))
    }

    /// Draws an action uniformly. `rng` is a `risk_cli.Random` or any object with a `random()`
    /// method.
    fn sample(&self, rng: &Bound<'_, PyAny>) -> PyResult<PyAction> {
        if self.options.is_empty() {
            return Err(wrong("no legal action to draw"));
        }
        let number = random::below(rng, self.options.len())?;
        guarded(|| Ok(self.action(number)))
    }

    /// Returns all actions.
    fn to_list(&self) -> PyResult<Vec<PyAction>> {
        let len = self.options.len();
        if len > MOST_LISTED {
            return Err(wrong(format!(
                "too many actions for a list ({len}): use sample()"
            )));
        }
        guarded(|| Ok((0..len).map(|number| self.action(number)).collect()))
    }

    /// The verbs of the legal actions.
    #[getter]
    fn verbs(&self) -> Vec<&str> {
        let mut verbs: Vec<&str> = Vec::new();
        for offer in self.options.offers() {
            let name = self.names.decl.verbs[offer.verb.index()].name.as_str();
            if !verbs.contains(&name) {
                verbs.push(name);
            }
        }
        verbs
    }

    /// Returns the products, each as a verb with the possible values of its parameters.
    fn offers<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let offers = self.options.offers().iter();
        guarded(|| offers.map(|offer| self.offer(py, offer)).collect())
    }

    fn __repr__(&self) -> String {
        format!(
            "<{} legal actions: {}>",
            self.options.len(),
            self.verbs().join(", ")
        )
    }
}
