//! Wall times of bots. They are informative only and differ between runs and machines.

use serde_json::{Value, json};

use super::{line_heads, name};
use risk_lab::tournament::results::{Results, TournamentTally};
use risk_lab::tournament::timing::{WallTime, WallTimes};
use risk_text::paint::Paint;

/// Says that wall times differ between runs.
pub(super) const NOT_AGAIN: &str = "by the clocks of the machines that played; not reproducible";

pub(super) fn duration(seconds: f64) -> String {
    if seconds >= 1.0 {
        format!("{seconds:.1} s")
    } else if seconds >= 1e-3 {
        format!("{:.1} ms", 1e3 * seconds)
    } else {
        format!("{:.1} µs", 1e6 * seconds)
    }
}

pub(super) fn mean(time: &WallTime) -> f64 {
    time.seconds / time.answers.max(1) as f64
}

/// Returns the bots with measured times, the best first.
pub(super) fn timed<'a>(
    tally: &'a TournamentTally<'_>,
    results: &Results,
    times: &'a WallTimes,
) -> Vec<(usize, &'a WallTime)> {
    let order = results.ranking().into_iter();
    order
        .filter_map(|bot| Some((bot, times.get(name(tally, bot))?)))
        .collect()
}

/// Formats wall times for a terminal.
#[must_use]
pub fn times_text(
    tally: &TournamentTally<'_>,
    results: &Results,
    times: &WallTimes,
    paint: Paint,
) -> String {
    let mut lines = vec![String::new()];
    lines.extend(paint.painted(&format!("wall time, {NOT_AGAIN}"), Paint::dim));
    let heads = line_heads(tally, paint);
    for (bot, time) in timed(tally, results, times) {
        let text = format!(
            "{} per answer, {} at most, {} in all",
            duration(mean(time)),
            duration(time.most),
            duration(time.seconds)
        );
        lines.extend(paint.hang(&heads[bot], &text));
    }
    lines.join("\n")
}

/// Returns wall times as JSON.
#[must_use]
pub fn times_value(times: &WallTimes) -> Value {
    json!({ "reproducible": false, "bots": times })
}
