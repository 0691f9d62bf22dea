//! The operations that scripts used, by function and by line.

use std::collections::BTreeMap;

use risk_engine::script::tracer::{CallCost, Readings};
use risk_text::escape_control;
use risk_text::paint::{Paint, pad};

/// The maximum number of functions, and of lines, to list.
const SHOWN: usize = 15;

/// Lists the most expensive functions and lines. `texts` contains the scripts' source by name.
#[must_use]
pub fn text(readings: &Readings, texts: &BTreeMap<String, String>, paint: Paint) -> String {
    let mut lines = vec![
        String::new(),
        paint.rule("cost of calls by the game, in operations"),
    ];
    lines.extend(calls(readings, paint));
    let total: u64 = readings.lines.values().sum();
    if total > 0 {
        lines.push(String::new());
        lines.push(paint.rule("functions, excluding their callees"));
        lines.extend(functions(readings, total, paint));
        lines.push(String::new());
        lines.push(paint.rule("lines"));
        lines.extend(costly_lines(readings, total, texts, paint));
    }
    lines.join("\n")
}

fn calls(readings: &Readings, paint: Paint) -> Vec<String> {
    let mut lines = vec![paint.dim(&format!(
        "  {:>12} {:>10} {:>9} {:>9}  function",
        "all", "calls", "a call", "most"
    ))];
    let mut hooks: Vec<_> = readings.hooks.iter().collect();
    hooks.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.operations));
    for ((script, function), tally) in hooks.into_iter().take(SHOWN) {
        lines.push(format!(
            "  {:>12} {:>10} {:>9} {:>9}  {function} {}",
            tally.operations,
            tally.calls,
            tally.operations / tally.calls.max(1),
            tally.most,
            paint.dim(script)
        ));
    }
    lines
}

fn functions(readings: &Readings, total: u64, paint: Paint) -> Vec<String> {
    let mut functions: Vec<_> = readings
        .functions
        .iter()
        .filter(|((_, name), _)| !name.is_empty())
        .collect();
    functions.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.operations));
    let text = |((script, function), tally): (&(String, String), &CallCost)| {
        format!(
            "  {:>12} {} {:>10} calls  {function} {}",
            tally.operations,
            share(tally.operations, total),
            tally.calls,
            paint.dim(script)
        )
    };
    functions.into_iter().take(SHOWN).map(text).collect()
}

fn costly_lines(
    readings: &Readings,
    total: u64,
    texts: &BTreeMap<String, String>,
    paint: Paint,
) -> Vec<String> {
    let mut by_line: Vec<_> = readings.lines.iter().collect();
    by_line.sort_by_key(|&(_, &operations)| std::cmp::Reverse(operations));
    let text = |((script, line), &operations): (&(String, usize), &u64)| {
        let source = texts
            .get(script)
            .and_then(|text| text.lines().nth(line - 1))
            .unwrap_or_default()
            .trim();
        let place = pad(&format!("{script}:{line}"), 24);
        let room = paint.width.saturating_sub(50).max(20);
        let shown: String = escape_control(source).chars().take(room).collect();
        format!(
            "  {operations:>12} {} {place} {}",
            share(operations, total),
            paint.dim(&shown)
        )
    };
    by_line.into_iter().take(SHOWN).map(text).collect()
}

fn share(part: u64, total: u64) -> String {
    format!("{:>5.1}%", part as f64 * 100.0 / total.max(1) as f64)
}
