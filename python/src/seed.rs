//! The seed of a match, and the number of a game in it.

use pyo3::prelude::*;
use risk_engine::{GameKey, Seed};

use crate::errors::wrong;
use crate::integers::{Int, U64};

/// Returns the seed and the number of a game: the given values, those of the position, or 0.
pub(crate) fn chosen_seed(
    of_position: Option<GameSeed>,
    seed: Option<PySeed>,
    number: Option<u64>,
) -> GameSeed {
    let usual = of_position.unwrap_or_else(|| GameSeed {
        seed: Seed::default(),
        number: 0,
    });
    GameSeed {
        seed: seed.map_or(usual.seed, |it| it.0),
        number: number.unwrap_or(usual.number),
    }
}

/// The seed of a match, and the number of a game in it.
#[derive(Clone, Debug)]
pub(crate) struct GameSeed {
    pub(crate) seed: Seed,
    pub(crate) number: u64,
}

impl GameSeed {
    pub(crate) fn key(&self) -> GameKey {
        self.seed.key(self.number)
    }
}

impl PySeed {
    pub(crate) fn game(self, number: u64) -> GameSeed {
        GameSeed {
            seed: self.0,
            number,
        }
    }
}

/// A seed in Python: a non-negative integer or a string.
#[derive(Default)]
pub(crate) struct PySeed(pub(crate) Seed);

impl<'py> FromPyObject<'_, 'py> for PySeed {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = value.extract::<String>() {
            return Seed::new(&text).map(Self).map_err(wrong);
        }
        let number = value.extract::<Int>()?.within::<u64>("seed", U64);
        number.map(|number| Self(Seed::from(number)))
    }
}
