//! The games of a lane for `pickle`: their seeds and the caller's actions, which are played again.

use pyo3::PyResult;
use risk_engine::{Action, Seed, Verb};
use risk_kernel::action::MAX_SLOTS;
use serde::{Deserialize, Serialize};

use super::{Lane, LaneGame};
use crate::errors::wrong;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct SavedRow {
    seed: Option<Seed>,
    number: u64,
    /// The verb and its parameters, for each action.
    actions: Vec<(u8, Vec<i32>)>,
    /// The digest of the state; `None` before the set-up.
    digest: Option<String>,
    over: bool,
    /// The number of words drawn from the row's sampler.
    sampled: u64,
}

impl Lane {
    /// Writes the games of all rows. Returns the seed of the samplers, if it is not the match's.
    pub(in super::super) fn save(&self, out: &mut [SavedRow]) -> PyResult<Option<u64>> {
        self.check_intact()?;
        for ((row, sampler), saved) in self.rows.iter().zip(&self.samplers).zip(out) {
            let actions = row.actions.actions();
            *saved = SavedRow {
                seed: Some(row.seed.clone()),
                number: row.number,
                actions: actions
                    .iter()
                    .map(|action| (action.verb.0, action.args().to_vec()))
                    .collect(),
                digest: row.digest(),
                over: row.over,
                sampled: sampler.drawn(),
            };
        }
        Ok(self.sampler_seed)
    }

    /// Restores the games of all rows.
    pub(in super::super) fn restore(
        &mut self,
        rows: &[SavedRow],
        sampler_seed: Option<u64>,
    ) -> PyResult<()> {
        self.seed_samplers(sampler_seed);
        for (index, saved) in rows.iter().enumerate() {
            self.samplers[index].skip(saved.sampled)?;
            let row = &mut self.rows[index];
            if let Some(seed) = &saved.seed {
                row.seed.clone_from(seed);
            }
            row.number = saved.number;
            let Some(digest) = &saved.digest else {
                row.play = LaneGame::Nothing;
                continue;
            };
            self.begin(index)?;
            for (verb, args) in &saved.actions {
                if args.len() > MAX_SLOTS {
                    return Err(wrong("invalid action in saved games"));
                }
                let action = Action::new(Verb(*verb), args);
                let number = self.first + index;
                let row = &mut self.rows[index];
                let player = row.decision(number)?.player;
                row.apply(&self.kit, player, action)?.map_err(wrong)?;
            }
            let row = &mut self.rows[index];
            row.over = saved.over;
            let found = row.digest();
            if found.as_ref() != Some(digest) {
                return Err(wrong(format!(
                    "game {}: expected the digest {digest}, found {}: its files have changed, or \
                     a bot answers differently",
                    self.first + index,
                    found.unwrap_or_default()
                )));
            }
        }
        Ok(())
    }
}
