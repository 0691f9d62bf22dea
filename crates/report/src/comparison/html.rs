//! The report of `compare` as a page.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::{ComparisonReport, path, points};
use crate::page::{document, plain, section};
use risk_stats::Interval;
use risk_stats::sequential::{SequentialTest, Verdict};
use risk_text::paint::Paint;

impl ComparisonReport<'_> {
    /// Returns the result as an HTML page, with charts of the path and both thresholds.
    #[must_use]
    pub fn page(&self) -> String {
        let [a, b] = self.comparison.names();
        let test = self.comparison.test();
        let verdict = match self.comparison.verdict() {
            Verdict::Better | Verdict::NotBetter => self.verdict(),
            Verdict::Undecided | Verdict::Running => format!("Undecided: {a} or {b}"),
        };
        let unwrapped = Paint {
            colour: false,
            width: usize::MAX,
        };
        let lines = self.details(unwrapped);
        let better = format!("Evidence that {a} is better than {b}");
        let not_better = format!("Evidence that {a} is not better");
        let charts = [
            (better, test.bound_up(), true),
            (not_better, test.bound_down(), false),
        ]
        .map(|(heading, bound, up)| section(&heading, &picture(&heading, test, bound, up)));
        let body = html! {
            header {
                h1 { (plain(&verdict)) }
                p.dim { (plain(&self.setup())) (plain(&self.fillers())) }
            }
            main {
                p.lead { (plain(&self.reading())) }
                @for line in &lines { p { (plain(&sentence(line))) } }
                (section("Difference", &self.difference_picture()))
                p.dim {
                    "The dot is the difference between the shares of games that both bots won, in "
                    "percentage points. The line shows its limits, and the broken line the difference "
                    "that the verdict is about."
                }
                @for chart in &charts { (chart) }
                p.dim {
                    "After each block of games, the test adds to the evidence for each answer. The "
                    "test ends when one of them reaches its broken line."
                }
            }
        };
        document(&verdict, &body)
    }

    /// Returns the other bots at the table in words, or an empty string without any.
    fn fillers(&self) -> String {
        let bots = self.plan.setup.bots.iter().skip(2);
        let others: BTreeSet<&str> = bots.map(|bot| bot.name.as_str()).collect();
        if others.is_empty() {
            return String::new();
        }
        let others: Vec<&str> = others.into_iter().collect();
        format!("; also at the table: {}", others.join(", "))
    }

    /// Draws the difference as a dot with its limits on an axis of percentage points.
    fn difference_picture(&self) -> Markup {
        const WIDTH: f64 = 480.0;
        const MARGIN: f64 = 30.0;
        let Interval { low, high } = self.interval;
        let found = self.difference();
        let bound = match self.comparison.verdict() {
            Verdict::NotBetter => self.tested.d1,
            _ => self.tested.d0,
        };
        let all = [low, high, bound, found, 0.0];
        let widest = all.map(f64::abs).into_iter().fold(0.05, f64::max) * 1.1;
        let x = |share: f64| {
            let at = MARGIN + (WIDTH - 2.0 * MARGIN) * (share / widest + 1.0) / 2.0;
            format!("{at:.1}")
        };
        let limits = format!("from {} to {}", points(low), points(high));
        html! {
            svg viewBox=(format!("0 0 {WIDTH} 74")) role="img" aria-label=(limits) {
                line.axis x1=(x(0.0)) x2=(x(0.0)) y1="8" y2="44" {}
                line.even x1=(x(bound)) x2=(x(bound)) y1="8" y2="44" {}
                line.mark x1=(x(low)) x2=(x(high)) y1="26" y2="26" {}
                circle.mark cx=(x(found)) cy="26" r="5" {}
                text.dim x=(x(0.0)) y="58" text-anchor="middle" { "0" }
                text.dim x=(x(low)) y="18" text-anchor="middle" { (points(low)) }
                text.dim x=(x(high)) y="18" text-anchor="middle" { (points(high)) }
                @if bound != 0.0 {
                    text.dim x=(x(bound)) y="58" text-anchor="middle" { (points(bound)) }
                }
                text x=(x(found)) y="72" text-anchor="middle" { (points(found)) }
            }
        }
    }

    /// Says which bot is ahead, and whether that is certain.
    fn reading(&self) -> String {
        let [a, b] = self.comparison.names();
        let [of_a, of_b] = self.comparison.shares();
        let ahead = if of_a < of_b { b } else { a };
        if self.interval.low > 0.0 || self.interval.high < 0.0 {
            return format!("{ahead} is the better bot of the two.");
        }
        if of_a == of_b {
            return format!("{a} and {b} won equally many games.");
        }
        format!("{ahead} won more games, but chance may explain the difference.")
    }
}

/// Returns a line of a terminal as a sentence.
fn sentence(line: &str) -> String {
    let line = line.trim();
    let mut letters = line.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    // The names of bots keep their letters.
    let first = first.filter(|_| !line.contains(" wins "));
    match first {
        Some(first) => format!("{first}{}.", letters.as_str()),
        None => format!("{line}."),
    }
}

fn picture(heading: &str, test: &SequentialTest, bound: f64, up: bool) -> Markup {
    const WIDTH: f64 = 480.0;
    const HEIGHT: f64 = 150.0;
    const LEFT: f64 = 40.0;
    const RIGHT: f64 = WIDTH - 10.0;
    let points: Vec<(usize, f64)> = path(test, 400)
        .iter()
        .map(|(block, at)| (*block, if up { at.up } else { at.down }))
        .collect();
    let low = points.iter().fold(-1.0, |low: f64, point| low.min(point.1));
    let high = points
        .iter()
        .fold(bound, |high: f64, point| high.max(point.1));
    let last = points.last().map_or(1, |point| point.0).max(1);
    let x = |block: usize| LEFT + (RIGHT - LEFT) * block as f64 / last as f64;
    let y = |value: f64| 10.0 + (HEIGHT - 35.0) * (high - value) / (high - low);
    let line: Vec<String> = [(0, 0.0)]
        .iter()
        .chain(&points)
        .map(|&(block, value)| format!("{:.1},{:.1}", x(block), y(value)))
        .collect();
    let axis = |class: &str, value: f64| {
        let at = format!("{:.1}", y(value));
        html! {
            line class=(class) x1=(LEFT) x2=(RIGHT) y1=(at) y2=(at) {}
            text.dim x=(LEFT - 6.0) y=(format!("{:.1}", y(value) + 4.0)) text-anchor="end" {
                (format!("{value:.1}"))
            }
        }
    };
    let label = plain(heading);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
            (axis("axis", 0.0))
            (axis("even", bound))
            polyline.mark points=(line.join(" ")) {}
            text.dim x=(RIGHT) y=(HEIGHT) text-anchor="end" { (last) " blocks" }
        }
    }
}
