//! Actions drawn by the logits of a policy.

use pyo3::PyResult;

use super::Lane;
use crate::errors::wrong;

/// An action that the mask allows.
struct OpenAction {
    number: usize,
    logit: f32,
    weight: f64,
}

impl Lane {
    /// Draws an action for each game by the softmax of its logits over the actions in its mask.
    /// Writes the actions and the logarithms of their probabilities.
    pub(in super::super) fn sample_from(
        &mut self,
        (logits, mask): (&[f32], &[bool]),
        actions: &mut [i32],
        log_probs: &mut [f32],
    ) -> PyResult<()> {
        let size = self.sizes.mask;
        let mut open = Vec::with_capacity(size);
        let rows = logits.chunks_exact(size).zip(mask.chunks_exact(size));
        for (index, (logits, mask)) in rows.enumerate() {
            let best = find_open(logits, mask, &mut open);
            let Some(best) = best else {
                let game = self.first + index;
                return Err(wrong(format!(
                    "game {game}: expected a legal action with a finite logit, and none that is NaN \
                     or infinite"
                )));
            };
            let mut total = 0.0;
            for action in &mut open {
                action.logit -= best;
                // The same on every machine, unlike the functions of the system.
                action.weight = f64::from(libm::expf(action.logit));
                total += action.weight;
            }
            let drawn = self.samplers[index].below(1 << 53) as f64 / (1_u64 << 53) as f64;
            let mut rest = drawn * total;
            let chosen = open.iter().find(|action| {
                rest -= action.weight;
                rest < 0.0
            });
            // Rounding may leave a rest after the last action that has a chance.
            let last = || open.iter().rev().find(|action| action.weight > 0.0);
            let Some(chosen) = chosen.or_else(last) else {
                return Err(wrong("no action has a chance"));
            };
            actions[index] = chosen.number as i32;
            log_probs[index] = chosen.logit - libm::log(total) as f32;
        }
        Ok(())
    }
}

/// Lists the actions that a mask allows. Returns their greatest logit, or `None` if no logit is
/// finite or one is NaN or infinite.
fn find_open(logits: &[f32], mask: &[bool], open: &mut Vec<OpenAction>) -> Option<f32> {
    open.clear();
    let mut best = f32::NEG_INFINITY;
    let mut is_valid = true;
    for number in memchr::memchr_iter(1, bytemuck::cast_slice(mask)) {
        let logit = logits[number];
        is_valid &= logit < f32::INFINITY;
        best = best.max(logit);
        open.push(OpenAction {
            number,
            logit,
            weight: 0.0,
        });
    }
    (is_valid && best.is_finite()).then_some(best)
}
