//! Wall times of bots. They are informative only and differ between runs and machines.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::{line_heads, name};
use crate::page::{Cell, heads, section, table};
use risk_lab::tournament::results::{Results, TournamentTally};
use risk_lab::tournament::timing::{WallTime, WallTimes};
use risk_text::paint::Paint;

const NOT_AGAIN: &str = "by the clocks of the machines that played; not reproducible";

fn duration(seconds: f64) -> String {
    if seconds >= 1.0 {
        format!("{seconds:.1} s")
    } else if seconds >= 1e-3 {
        format!("{:.1} ms", 1e3 * seconds)
    } else {
        format!("{:.1} µs", 1e6 * seconds)
    }
}

fn mean(time: &WallTime) -> f64 {
    time.seconds / time.answers.max(1) as f64
}

/// Returns the bots with measured times, the best first.
fn timed<'a>(
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
    let head = paint.wrapped("  ", "  ", &format!("wall time, {NOT_AGAIN}"));
    lines.extend(head.iter().map(|line| paint.dim(line)));
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

/// Formats wall times for the page.
#[must_use]
pub fn times_html(tally: &TournamentTally<'_>, results: &Results, times: &WallTimes) -> Markup {
    const HEADING: &str = "Wall time";
    let row = |(bot, time): (usize, &WallTime)| -> Vec<Cell> {
        let [mean, most, all] = [mean(time), time.most, time.seconds].map(duration);
        vec![
            name(tally, bot).into(),
            mean.into(),
            most.into(),
            all.into(),
        ]
    };
    let rows: Vec<Vec<Cell>> = timed(tally, results, times).into_iter().map(row).collect();
    let heads = heads(&["bot", "an answer", "at most", "in all"]);
    let note = NOT_AGAIN.replacen("by the", "By the", 1);
    let body = html! { (table(HEADING, &heads, &rows)) p.dim { (note) "." } };
    section(HEADING, &body)
}

/// Returns wall times as JSON.
#[must_use]
pub fn times_value(times: &WallTimes) -> Value {
    json!({ "reproducible": false, "bots": times })
}
