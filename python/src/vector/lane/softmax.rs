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
        let (mut numbers, mut weights) = (Vec::new(), Vec::new());
        let rows = logits.chunks_exact(size).zip(mask.chunks_exact(size));
        for (index, (logits, mask)) in rows.enumerate() {
            find_open(mask, &mut numbers);
            weights.clear();
            weights.extend(numbers.iter().map(|&number| logits[number]));
            let best = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            if !best.is_finite() || weights.iter().any(|logit| logit.is_nan()) {
                let game = self.first + index;
                return Err(wrong(format!(
                    "game {game}: expected a legal action with a finite logit, and none that is NaN \
                     or infinite"
                )));
            }
            for weight in &mut weights {
                *weight = exp(*weight - best);
            }
            let total: f64 = weights.iter().copied().map(f64::from).sum();
            let drawn = self.samplers[index].below(1 << 53) as f64 / (1_u64 << 53) as f64;
            let mut rest = drawn * total;
            let chosen = weights.iter().position(|&weight| {
                rest -= f64::from(weight);
                rest < 0.0
            });
            // Rounding may leave a rest after the last action that has a chance.
            let last = || weights.iter().rposition(|&weight| weight > 0.0);
            let Some(chosen) = chosen.or_else(last) else {
                return Err(wrong("no action has a chance"));
            };
            let number = numbers[chosen];
            actions[index] = number as i32;
            log_probs[index] = logits[number] - best - libm::log(total) as f32;
        }
        Ok(())
    }
}

/// Lists the actions that a mask allows. Most parts of a mask are empty.
fn find_open(mask: &[bool], open: &mut Vec<usize>) {
    open.clear();
    let (parts, rest) = mask.as_chunks();
    for (part, start) in parts.iter().zip((0..).step_by(16)) {
        if *part != [false; 16] {
            open.extend((start..start + 16).filter(|&number| mask[number]));
        }
    }
    let start = mask.len() - rest.len();
    open.extend((start..mask.len()).filter(|&number| mask[number]));
}

/// Returns the exponential of a number up to 0, or 0 for less than -87. The result is the same on
/// every machine, as it takes sums and products alone; there are no branches, so that several are
/// computed at once.
fn exp(power: f32) -> f32 {
    // Adding this rounds a number to an integer, which is in the lowest bits of the sum.
    const ROUNDING: f32 = 12_582_912.0;
    // The natural logarithm of 2 in two parts, of which the first has few bits.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    let clamped = power.max(-87.0);
    let rounded = clamped * std::f32::consts::LOG2_E + ROUNDING;
    let doublings = rounded - ROUNDING;
    let rest = clamped - doublings * LN_2[0] - doublings * LN_2[1];
    let terms = [
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ];
    let series = terms.iter().fold(0.0, |sum, term| sum * rest + term);
    let scale = f32::from_bits((rounded.to_bits() << 23).wrapping_add(1.0_f32.to_bits()));
    if power < -87.0 { 0.0 } else { series * scale }
}
