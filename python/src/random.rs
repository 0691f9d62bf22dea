//! Random numbers from the library's own streams or from any Python generator.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use risk_engine::{Purpose, Stream};

use crate::errors::wrong;
use crate::integers::{Int, U64};

/// A stream of random numbers. The same seed gives the same numbers on every machine and in every
/// version.
#[pyclass(frozen, module = "risk_cli")]
pub(crate) struct Random(Mutex<Stream>);

#[pymethods]
impl Random {
    #[new]
    #[pyo3(signature = (seed = Int(0), stream = Int(0)), text_signature = "(seed=0, stream=0)")]
    fn new(seed: Int, stream: Int) -> PyResult<Self> {
        let stream = stream.within("stream", U64)?;
        Ok(Self::seeded(seed.within("seed", U64)?, stream))
    }

    fn __copy__(&self) -> Self {
        Self(Mutex::new(self.numbers().clone()))
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    /// Returns an integer from 0 to `bound - 1`.
    fn below(&self, bound: Int) -> PyResult<u64> {
        Ok(self.draw(bound.within("bound", 1..=*U64.end())?))
    }

    /// Returns a number from 0 (inclusive) to 1 (exclusive).
    fn random(&self) -> f64 {
        self.draw(1 << 53) as f64 / (1_u64 << 53) as f64
    }
}

impl Random {
    pub(crate) fn seeded(seed: u64, stream: u64) -> Self {
        Self(Mutex::new(Stream::new(seed, stream, Purpose::Player(0))))
    }

    fn numbers(&self) -> MutexGuard<'_, Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn draw(&self, bound: u64) -> u64 {
        self.numbers().below(bound)
    }
}

/// Draws an integer below `bound` from a [`Random`], or from any object with a `random()` method,
/// such as `random.Random` and NumPy's generators.
pub(crate) fn below(source: &Bound<'_, PyAny>, bound: u64) -> PyResult<u64> {
    if let Ok(own) = source.cast::<Random>() {
        return Ok(own.get().draw(bound));
    }
    let unit = || -> PyResult<f64> {
        let unit: f64 = source.call_method0("random")?.extract()?;
        if (0.0..1.0).contains(&unit) {
            Ok(unit)
        } else {
            Err(wrong(format!(
                "random() must return a number from 0 to 1, found {unit}"
            )))
        }
    };
    let bits = (unit()? * (1_u64 << 53) as f64) as u64;
    if bound <= 1 << 32 {
        return Ok(((u128::from(bits) * u128::from(bound)) >> 53) as u64);
    }
    let more = (unit()? * (1_u64 << 53) as f64) as u64;
    let wide = u128::from(bits) << 53 | u128::from(more);
    // Only 64 of the 106 random bits are used, so their product with the bound fits into 128 bits.
    Ok((((wide >> 42) * u128::from(bound)) >> 64) as u64)
}
