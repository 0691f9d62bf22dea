//! Where scripts spent their operations: by function and by line.

use std::collections::BTreeMap;

use super::paint::{Paint, pad};
use crate::script::tracer::Readings;
use crate::text::escape_control;

/// The most functions and lines that are shown.
const SHOWN: usize = 15;

/// The functions and the lines that cost most. `texts` has the scripts' texts by name.
#[must_use]
pub fn text(readings: &Readings, texts: &BTreeMap<String, String>, paint: Paint) -> String {
    let mut lines = vec![
        String::new(),
        paint.rule("what calls from the game cost, in operations"),
    ];
    lines.push(paint.dim(&format!(
        "  {:>12} {:>10} {:>9} {:>9}  function",
        "all", "calls", "a call", "most"
    )));
    let mut hooks: Vec<_> = readings.hooks.iter().collect();
    hooks.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.operations));
    for ((script, function), tally) in hooks.into_iter().take(SHOWN) {
        let mean = tally.operations / tally.calls.max(1);
        let all = tally.operations;
        let calls = tally.calls;
        let most = tally.most;
        lines.push(format!(
            "  {all:>12} {calls:>10} {mean:>9} {most:>9}  {function} {}",
            paint.dim(script)
        ));
    }
    let total: u64 = readings.lines.values().sum();
    if total == 0 {
        return lines.join("\n");
    }
    lines.push(String::new());
    lines.push(paint.rule("functions, without what they call"));
    let mut functions: Vec<_> = readings
        .functions
        .iter()
        .filter(|((_, name), _)| !name.is_empty())
        .collect();
    functions.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.operations));
    for ((script, function), tally) in functions.into_iter().take(SHOWN) {
        let share = share(tally.operations, total);
        let all = tally.operations;
        lines.push(format!(
            "  {all:>12} {share} {:>10} calls  {function} {}",
            tally.calls,
            paint.dim(script)
        ));
    }
    lines.push(String::new());
    lines.push(paint.rule("lines"));
    let mut by_line: Vec<_> = readings.lines.iter().collect();
    by_line.sort_by_key(|&(_, &operations)| std::cmp::Reverse(operations));
    for ((script, line), &operations) in by_line.into_iter().take(SHOWN) {
        let source = texts
            .get(script)
            .and_then(|text| text.lines().nth(line - 1))
            .unwrap_or_default()
            .trim();
        let place = pad(&format!("{script}:{line}"), 24);
        let room = paint.width.saturating_sub(50).max(20);
        let shown: String = escape_control(source).chars().take(room).collect();
        lines.push(format!(
            "  {operations:>12} {} {place} {}",
            share(operations, total),
            paint.dim(&shown)
        ));
    }
    lines.join("\n")
}

fn share(part: u64, total: u64) -> String {
    format!("{:>5.1}%", part as f64 * 100.0 / total.max(1) as f64)
}
