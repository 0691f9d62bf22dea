//! The value net: a player's chance to win from the features of a position, learned from games.
//!
//! A small network scores each player by its own features, by the largest and the mean values of
//! its rivals, and by the common features. The chances are the softmax of the scores. The net
//! computes with integers, so chances are the same on every machine.

use super::turn_end::{COMMON, Features, OWN};

const INPUTS: usize = 3 * OWN + COMMON;
/// The number of units in each layer.
const LAYERS: [usize; 4] = [INPUTS, 32, 16, 1];
/// The number of fractional bits of inputs, weights and sums.
const BITS: u32 = 12;
const ONE: f32 = (1_u32 << BITS) as f32;
/// The weights of all layers as 16-bit integers with the low byte first. In each layer, the weights
/// from each input to all outputs come first, and then the biases. `benches/value-net` makes them.
const WEIGHTS: &[u8] = include_bytes!("value_net.bin");
const _: () = assert!(WEIGHTS.len() == 2 * weights());

const fn weights() -> usize {
    let mut sum = 0;
    let mut layer = 1;
    while layer < LAYERS.len() {
        sum += (LAYERS[layer - 1] + 1) * LAYERS[layer];
        layer += 1;
    }
    sum
}

/// Returns the chance of the player at a seat to win, from 0 to 1.
pub(super) fn chance(features: &Features, seat: usize) -> f32 {
    let scores = features.players.iter().enumerate();
    let scores: Vec<i64> = scores
        .map(|(index, _)| score(&inputs(features, index)))
        .collect();
    let best = scores.iter().copied().max().unwrap_or(0);
    let weight = |score: i64| exp(best - score);
    let all: u64 = scores.iter().map(|&score| weight(score)).sum();
    let own = features.players.iter().position(|&(at, _)| at == seat);
    own.map_or(0.0, |own| weight(scores[own]) as f32 / all as f32)
}

fn inputs(features: &Features, index: usize) -> [i64; INPUTS] {
    let players = &features.players;
    let rivals = players.iter().enumerate();
    let rivals = rivals.filter(|(other, _)| *other != index);
    let mut most = [0.0_f32; OWN];
    let mut mean = [0.0_f32; OWN];
    for (_, (_, rival)) in rivals {
        for (feature, &value) in rival.iter().enumerate() {
            most[feature] = most[feature].max(value);
            mean[feature] += value / (players.len() - 1) as f32;
        }
    }
    let all = players[index].1.iter().chain(&most).chain(&mean);
    let mut inputs = [0; INPUTS];
    for (input, value) in inputs.iter_mut().zip(all.chain(&features.common)) {
        *input = (value * ONE) as i64;
    }
    inputs
}

/// Returns the score of a player, with twice [`BITS`] fractional bits.
fn score(inputs: &[i64; INPUTS]) -> i64 {
    let mut weights = WEIGHTS
        .as_chunks()
        .0
        .iter()
        .map(|&two| i16::from_le_bytes(two));
    let mut values = inputs.to_vec();
    for (layer, &outputs) in LAYERS[1..].iter().enumerate() {
        let mut sums = vec![0_i64; outputs];
        for &value in &values {
            for (sum, weight) in sums.iter_mut().zip(&mut weights) {
                *sum += value * i64::from(weight);
            }
        }
        for (sum, bias) in sums.iter_mut().zip(&mut weights) {
            *sum += i64::from(bias) << BITS;
        }
        if layer + 2 < LAYERS.len() {
            for sum in &mut sums {
                *sum = (*sum).max(0) >> BITS;
            }
        }
        values = sums;
    }
    values[0]
}

/// Returns `exp(-x)` with 31 fractional bits, as the power `(1 - x / 2^12)^(2^12)`. `x` has twice
/// [`BITS`] fractional bits. The relative error is below `x * x / 2^13`.
fn exp(x: i64) -> u64 {
    let mut power = (1_u64 << 31).saturating_sub(x.unsigned_abs() >> 5);
    for _ in 0..12 {
        power = (power * power) >> 31;
    }
    power
}
