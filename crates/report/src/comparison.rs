//! The report of `compare`: the verdict, the difference between both bots, and the course of the
//! sequential test.

use std::collections::BTreeSet;

use maud::{Markup, html};
use serde_json::{Value, json};

use crate::json::{FORMAT, round};
use crate::page::{document, plain, section};
use crate::tournament::warnings;
use risk_lab::tournament::TournamentPlan;
use risk_lab::tournament::compare::Comparison;
use risk_stats::sequential::{Capitals, Hypotheses, SequentialTest, Verdict};
use risk_stats::{Interval, StatsError};
use risk_text::paint::Paint;
use risk_text::plural::counted;
use risk_text::signed;

/// The result of a comparison, to be printed as text, as HTML or as JSON.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonReport<'a> {
    plan: &'a TournamentPlan,
    comparison: &'a Comparison,
    tested: Hypotheses,
    /// The limits of the difference in shares.
    interval: Interval,
}

impl<'a> ComparisonReport<'a> {
    /// Prepares the report of the blocks that were compared.
    ///
    /// # Errors
    /// Returns the same errors as [`Comparison::interval`].
    pub fn new(plan: &'a TournamentPlan, comparison: &'a Comparison) -> Result<Self, StatsError> {
        Ok(Self {
            plan,
            comparison,
            tested: comparison.test().hypotheses(),
            interval: comparison.interval()?,
        })
    }

    fn verdict(&self) -> String {
        let [a, b] = self.comparison.names();
        match self.comparison.verdict() {
            Verdict::Better if self.tested.d0 == 0.0 => format!("{a} is better than {b}"),
            Verdict::Better => {
                let least = percentage_points(self.tested.d0);
                format!("{a} is better than {b} by more than {least}")
            }
            Verdict::NotBetter => {
                let least = percentage_points(self.tested.d1);
                format!("{a} is not better than {b} by {least} or more")
            }
            Verdict::Undecided | Verdict::Running => {
                format!("undecided whether {a} is better than {b}; raise --max-blocks to play on")
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

    /// Returns the difference between both bots' shares.
    fn difference(&self) -> f64 {
        let [of_a, of_b] = self.comparison.shares();
        of_a - of_b
    }

    /// Describes both bots' shares and the interval of their difference. Explains an interval that
    /// includes the bound of the verdict.
    fn difference_text(&self) -> String {
        let [a, b] = self.comparison.names();
        let [of_a, of_b] = self.comparison.shares();
        let Interval { low, high } = self.interval;
        let text = format!(
            "{a} wins {:.1}%, {b} {:.1}%: a difference of {}, from {} to {} with {:.0} % \
             confidence at any time",
            100.0 * of_a,
            100.0 * of_b,
            points(self.difference()),
            points(low),
            points(high),
            100.0 * (1.0 - self.tested.alpha)
        );
        let bound = match self.comparison.verdict() {
            Verdict::Better => self.tested.d0,
            Verdict::NotBetter => self.tested.d1,
            Verdict::Undecided | Verdict::Running => return text,
        };
        if bound < low || bound > high {
            return text;
        }
        format!(
            "{text}; the interval includes {}, because it is two-sided; the verdict comes from a \
             one-sided test, which needs fewer blocks",
            points(bound)
        )
    }

    fn setup(&self) -> String {
        let setup = &self.plan.setup;
        format!("{}, seed {}", setup.rules.title(), setup.seed)
    }

    /// Returns the sentences that follow the verdict.
    fn details(&self, paint: Paint) -> Vec<String> {
        let comparison = self.comparison;
        let mut text = format!(
            "{}, {}, {}; identical play in {} of {}",
            counted(comparison.blocks(), "block"),
            counted(comparison.games, "game"),
            self.plan.dice(),
            comparison.alike,
            counted(comparison.pairs, "pair"),
        );
        if comparison.undecided > 0 {
            text += &format!("; {} without a winner", comparison.undecided);
        }
        for (name, faults) in comparison.names().iter().zip(comparison.faults) {
            if faults > 0 {
                text += &format!("; {} of {name}", counted(faults, "fault"));
            }
        }
        let mut lines = paint.wrapped("  ", "  ", &self.difference_text());
        lines.extend(paint.wrapped("  ", "  ", &text));
        lines.extend(warnings(self.plan, paint));
        lines
    }

    /// Formats the result for a terminal.
    #[must_use]
    pub fn text(&self, paint: Paint) -> String {
        let line = self.verdict();
        let line = match self.comparison.verdict() {
            Verdict::Better => paint.good(&line),
            Verdict::NotBetter => paint.bad(&line),
            Verdict::Undecided | Verdict::Running => line,
        };
        let mut lines = vec![paint.bold(&self.setup()), format!("  {line}")];
        lines.extend(self.details(paint));
        let path = paint.wrapped("  ", "  ", &path_line(self.comparison.test()));
        lines.extend(path.iter().map(|line| paint.dim(line)));
        lines.join("\n")
    }

    /// Returns the result as a JSON document.
    #[must_use]
    pub fn document(&self) -> Value {
        let (plan, comparison, tested) = (self.plan, self.comparison, self.tested);
        let test = comparison.test();
        let capitals = test.capitals();
        let verdict = match comparison.verdict() {
            Verdict::Better => "better",
            Verdict::NotBetter => "not better",
            Verdict::Undecided | Verdict::Running => "undecided",
        };
        let path = path(test, 200).into_iter();
        json!({
            "type": "comparison",
            "format": FORMAT,
            "plan": plan.hash(),
            "parts": plan.parts,
            "reproducible": plan.setup.why_not_reproducible().is_none(),
            "timed": plan.setup.is_timed(),
            "unverified": plan.unverified(),
            "bots": comparison.names(),
            "verdict": verdict,
            "test": {
                "d0": tested.d0, "d1": tested.d1, "alpha": tested.alpha, "beta": tested.beta,
                "max_blocks": tested.max_blocks,
                "up": round(capitals.up), "down": round(capitals.down),
                "bound_up": round(test.bound_up()), "bound_down": round(test.bound_down()),
            },
            "blocks": comparison.blocks(),
            "games": comparison.games,
            "undecided_games": comparison.undecided,
            "shares": comparison.shares().map(round),
            "difference": round(self.difference()),
            "interval": [round(self.interval.low), round(self.interval.high)],
            "path": path
                .map(|(block, at)| json!([block, round(at.up), round(at.down)]))
                .collect::<Vec<_>>(),
            "pairs": comparison.pairs,
            "identical_pairs": comparison.alike,
            "faults": comparison.faults,
        })
    }

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
}

/// Formats a difference of shares in percentage points: `+5.0`.
fn points(share: f64) -> String {
    signed(100.0 * share, 1)
}

/// Returns a difference of shares in words: `5 percentage points`.
fn percentage_points(share: f64) -> String {
    let text = format!("{:.2}", 100.0 * share);
    let number = text.trim_end_matches('0').trim_end_matches('.');
    let noun = if number == "1" { "point" } else { "points" };
    format!("{number} percentage {noun}")
}

/// Returns at most `points` evenly spaced points of a test's path: the number of blocks and the
/// logarithms of both capitals. The last block is always included.
fn path(test: &SequentialTest, points: usize) -> Vec<(usize, Capitals)> {
    let path = test.path();
    let step = path.len().div_ceil(points.max(1)).max(1);
    let ends_here = |block: usize| (path.len() - block).is_multiple_of(step);
    let numbered = path.iter().enumerate().map(|(index, at)| (index + 1, *at));
    numbered.filter(|(block, _)| ends_here(*block)).collect()
}

/// Formats the path as one line.
fn path_line(test: &SequentialTest) -> String {
    const POINTS: usize = 5;
    let points: Vec<String> = path(test, POINTS)
        .iter()
        .map(|(block, at)| format!("{block}: {} and {}", signed(at.up, 1), signed(at.down, 1)))
        .collect();
    format!(
        "evidence for better and for not better by block, decisive at {:.1} and {:.1}: {}",
        test.bound_up(),
        test.bound_down(),
        points.join(", ")
    )
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
