//! Actions drawn by the logits of a policy.

use pyo3::PyResult;

use super::Lane;
use crate::errors::wrong;

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
        let mut weights = Vec::with_capacity(size);
        let rows = logits.chunks_exact(size).zip(mask.chunks_exact(size));
        for (index, (logits, mask)) in rows.enumerate() {
            weights.clear();
            let open = logits.iter().zip(mask).enumerate();
            let open = open.filter(|(_, (_, is_open))| **is_open);
            weights.extend(open.map(|(action, (&logit, _))| (action, logit)));
            let best = weights
                .iter()
                .map(|&(_, logit)| logit)
                .fold(f32::NEG_INFINITY, f32::max);
            if !best.is_finite() || weights.iter().any(|(_, logit)| logit.is_nan()) {
                let game = self.first + index;
                return Err(wrong(format!(
                    "game {game}: expected a legal action with a finite logit, and none that is NaN \
                     or infinite"
                )));
            }
            let mut total = 0.0;
            for (_, logit) in &mut weights {
                *logit -= best;
                // The same on every machine, unlike the functions of the system.
                total += f64::from(libm::expf(*logit));
            }
            let drawn = self.samplers[index].below(1 << 53) as f64 / (1_u64 << 53) as f64;
            let mut rest = drawn * total;
            let chosen = weights.iter().find(|(_, logit)| {
                rest -= f64::from(libm::expf(*logit));
                rest < 0.0
            });
            // Rounding may leave a rest after the last action that has a chance.
            let likely = |(_, logit): &&(usize, f32)| libm::expf(*logit) > 0.0;
            let chosen = chosen.or_else(|| weights.iter().rev().find(likely));
            let &(action, logit) = chosen.unwrap_or(&weights[0]);
            actions[index] = action as i32;
            log_probs[index] = logit - libm::log(total) as f32;
        }
        Ok(())
    }
}
