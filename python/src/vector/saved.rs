//! Many games as text for `pickle`.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use super::lane::{LaneConfig, SavedRow};
use super::{MOST_GAMES, MOST_THREADS, VectorGames};
use crate::errors::{self, wrong};

/// Games for `pickle`.
#[derive(Serialize, Deserialize)]
struct SavedGames {
    plan: LaneConfig,
    threads: usize,
    rows: Vec<SavedRow>,
    sampler_seed: Option<u64>,
    /// Whether each step draws samples.
    wanted: bool,
    /// The samples that have not been taken.
    drawn: Option<Vec<i32>>,
}

impl VectorGames {
    /// Returns the text of the games for `pickle`.
    pub(super) fn save(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| {
            let drawn = self.lock()?;
            let mut rows = vec![SavedRow::default(); self.games];
            let sampler_seed = Mutex::new(None);
            self.each(self.rows_mut(&mut rows, 1), |lane, rows| {
                let seed = lane.save(rows)?;
                *sampler_seed.lock().unwrap_or_else(PoisonError::into_inner) = seed;
                Ok(())
            })?;
            let saved = SavedGames {
                plan: self.plan.clone(),
                threads: self.pool.current_num_threads(),
                rows,
                sampler_seed: sampler_seed.into_inner().unwrap_or_default(),
                wanted: drawn.wanted,
                drawn: drawn.ready.then(|| drawn.numbers.clone()),
            };
            errors::saved(&saved)
        })
    }

    /// Restores games from their text.
    pub(super) fn restore(text: &str) -> PyResult<Self> {
        let saved: SavedGames = errors::restored(text, "games")?;
        if !(1..=MOST_GAMES).contains(&saved.plan.games)
            || !(1..=MOST_THREADS).contains(&saved.threads)
        {
            return Err(wrong("invalid games: too many games or threads"));
        }
        let games = Self::start(saved.plan, saved.threads)?;
        let fits = |numbers: &Vec<i32>| numbers.len() == games.games * games.sizes.factors;
        if saved.rows.len() != games.games || !saved.drawn.iter().all(fits) {
            return Err(wrong("invalid games: the number of rows is wrong"));
        }
        games.each(games.rows_of(&saved.rows, 1), |lane, rows| {
            lane.restore(rows, saved.sampler_seed)
        })?;
        let mut drawn = games.lock()?;
        drawn.wanted = saved.wanted;
        if let Some(numbers) = saved.drawn {
            drawn.numbers = numbers;
            drawn.ready = true;
        }
        drop(drawn);
        Ok(games)
    }
}
