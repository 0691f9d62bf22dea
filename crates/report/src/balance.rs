//! The report of `balance`: the winning share of each seat and its fairness.

use serde_json::{Value, json};

use super::json::{FORMAT, round};
use risk_lab::tournament::balance::{BalanceCell, advantage};
use risk_stats::fairness::Fairness;
use risk_text::paint::Paint;
use risk_text::plural::counted;
use risk_text::signed;

/// Returns the words for a verdict.
#[must_use]
pub const fn word(verdict: Fairness) -> &'static str {
    match verdict {
        Fairness::Fair => "fair",
        Fairness::Unfair => "unfair",
        Fairness::CannotTell => "can't tell",
    }
}

fn label(cell: &BalanceCell) -> String {
    let parts = cell
        .label
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    parts.collect::<Vec<_>>().join(" ")
}

/// Formats one cell for a terminal.
#[must_use]
pub fn text(cell: &BalanceCell, paint: Paint) -> String {
    let mut lines = Vec::new();
    if !cell.label.is_empty() {
        lines.push(paint.bold(&label(cell)));
    }
    let seats = match &cell.seats {
        Ok(seats) => seats,
        Err(why) => {
            let text = format!(
                "can't tell from {}, {} of them without a winner: {why}",
                counted(cell.games, "game"),
                cell.undecided
            );
            lines.extend(paint.indented(&text));
            return lines.join("\n");
        }
    };
    let even = 1.0 / seats.seats.len() as f64;
    lines.push(paint.dim("  seat   share  95 % interval for all seats at once"));
    for (index, seat) in seats.seats.iter().enumerate() {
        let line = format!(
            "  {:<4} {:>6.1}%  {:>5.1} – {:>5.1}%{}",
            index + 1,
            100.0 * seat.share,
            100.0 * seat.interval.low,
            100.0 * seat.interval.high,
            if seat.uneven {
                "  not an equal share"
            } else {
                ""
            }
        );
        lines.push(line);
    }
    if let Some(first) = seats.seats.first() {
        lines.push(format!(
            "  first player: {} points, from {} to {}",
            signed(100.0 * (first.share - even), 1),
            signed(100.0 * (first.interval.low - even), 1),
            signed(100.0 * (first.interval.high - even), 1)
        ));
    }
    let mut text = format!("{} in {}", word(cell.verdict), counted(cell.games, "game"));
    if cell.undecided > 0 {
        text += &format!(", {} of them without a winner", cell.undecided);
    }
    if let Ok(p) = &seats.omnibus {
        text += &format!("; equal seats: p = {p:.4}");
    }
    lines.push(match cell.verdict {
        Fairness::Fair => paint.good(&format!("  {text}")),
        Fairness::Unfair => paint.bad(&format!("  {text}")),
        Fairness::CannotTell => format!("  {text}"),
    });
    lines.join("\n")
}

/// Describes how the first player's advantage changes with each numeric option in the sweep.
#[must_use]
pub fn slopes(cells: &[BalanceCell], swept: &[&str], alpha: f64) -> Vec<String> {
    let text = swept.iter().filter_map(|option| {
        let slope = advantage(cells, option, alpha)?.ok()?;
        Some(format!(
            "  first player, per unit of {option}: {} points, from {} to {}",
            signed(100.0 * slope.slope, 3),
            signed(100.0 * slope.interval.low, 3),
            signed(100.0 * slope.interval.high, 3)
        ))
    });
    text.collect()
}

fn slope_values(cells: &[BalanceCell], swept: &[&str], alpha: f64) -> Value {
    // Slopes of small options are small.
    let round = |value: f64| (value * 1e9).round() / 1e9 + 0.0;
    let values = swept.iter().filter_map(|option| {
        let value = match advantage(cells, option, alpha)? {
            Ok(slope) => json!({
                "slope": round(slope.slope),
                "interval": [round(slope.interval.low), round(slope.interval.high)],
                "p_value": round(slope.p_value),
            }),
            Err(why) => json!({ "missing": why.to_string() }),
        };
        Some(((*option).to_owned(), value))
    });
    Value::Object(values.collect())
}

/// Returns all cells as one JSON document.
#[must_use]
pub fn document(cells: &[BalanceCell], alpha: f64, tolerance: f64, swept: &[&str]) -> Value {
    let cell = |cell: &BalanceCell| {
        let options: serde_json::Map<String, Value> = cell
            .label
            .iter()
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect();
        let seats = cell.seats.as_ref().map_or_else(
            |why| json!({ "missing": why.to_string() }),
            |seats| {
                let seats = seats.seats.iter().map(|seat| {
                    json!({
                        "share": round(seat.share),
                        "interval": [round(seat.interval.low), round(seat.interval.high)],
                        "uneven": seat.uneven,
                    })
                });
                seats.collect()
            },
        );
        json!({
            "options": options,
            "games": cell.games,
            "undecided": cell.undecided,
            "seats": seats,
            "p_value": cell.omnibus().map(round),
            "verdict": word(cell.verdict),
        })
    };
    json!({
        "type": "balance",
        "format": FORMAT,
        "alpha": alpha,
        "tolerance": tolerance,
        "advantage": slope_values(cells, swept, alpha),
        "cells": cells.iter().map(cell).collect::<Vec<_>>(),
    })
}
