//! Random numbers from the library's own streams or from any Python generator.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use risk_engine::{Purpose, Stream};
use risk_kernel::rng;
use serde::{Deserialize, Serialize};

use crate::errors::{self, reduced, wrong};

/// The maximum number of words that are drawn again to restore a stream.
const MOST_SKIPPED: u64 = 1 << 33;

/// A stream that counts its words, so it can be restored.
#[derive(Clone)]
pub(crate) struct CountedStream {
    stream: Stream,
    drawn: u64,
}

impl CountedStream {
    pub(crate) const fn new(stream: Stream) -> Self {
        Self { stream, drawn: 0 }
    }

    /// Returns the number of words drawn so far.
    pub(crate) const fn drawn(&self) -> u64 {
        self.drawn
    }

    /// Draws a number of words, up to that of an earlier stream. Returns an error if this would
    /// take too long.
    pub(crate) fn skip(&mut self, words: u64) -> PyResult<()> {
        if words > MOST_SKIPPED {
            return Err(wrong(format!(
                "expected a stream of at most {MOST_SKIPPED} random words, found {words}"
            )));
        }
        for _ in 0..words {
            self.stream.word();
        }
        self.drawn += words;
        Ok(())
    }

    /// Returns a uniform number below `bound`, like [`Stream::below`].
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        rng::below(
            || {
                self.drawn += 1;
                self.stream.word()
            },
            bound,
        )
    }
}

/// A stream of random numbers. The same seed gives the same numbers on every machine and in every
/// version.
#[pyclass(frozen, module = "risk_cli")]
pub(crate) struct Random {
    seed: u64,
    stream: u64,
    numbers: Mutex<CountedStream>,
}

/// A stream of random numbers for `pickle`: its seed, its number and the words drawn from it.
#[derive(Serialize, Deserialize)]
struct SavedRandom(u64, u64, u64);

#[pymethods]
impl Random {
    #[new]
    #[pyo3(signature = (seed = 0, stream = 0))]
    fn new(seed: u64, stream: u64) -> Self {
        let numbers = CountedStream::new(Stream::new(seed, stream, Purpose::Player(0)));
        Self {
            seed,
            stream,
            numbers: Mutex::new(numbers),
        }
    }

    fn __copy__(&self) -> Self {
        Self {
            seed: self.seed,
            stream: self.stream,
            numbers: Mutex::new(self.numbers().clone()),
        }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let saved = SavedRandom(self.seed, self.stream, self.numbers().drawn());
        reduced(py, "random", (errors::saved(&saved)?,))
    }

    /// Restores a stream from its pickled text.
    #[staticmethod]
    fn _restored(py: Python<'_>, text: &str) -> PyResult<Self> {
        let saved: SavedRandom = errors::restored(text, "stream")?;
        let restored = Self::new(saved.0, saved.1);
        py.detach(|| restored.numbers().skip(saved.2))?;
        Ok(restored)
    }

    /// Returns an integer from 0 to `bound - 1`.
    fn below(&self, bound: u64) -> PyResult<u64> {
        if bound == 0 {
            return Err(wrong("`below` needs a positive bound, found 0"));
        }
        Ok(self.draw(bound))
    }

    /// Returns a number from 0 (inclusive) to 1 (exclusive).
    fn random(&self) -> f64 {
        self.draw(1 << 53) as f64 / (1_u64 << 53) as f64
    }
}

impl Random {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self::new(seed, 0)
    }

    fn numbers(&self) -> MutexGuard<'_, CountedStream> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
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
