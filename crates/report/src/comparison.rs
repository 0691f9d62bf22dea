//! The report of `compare`: the verdict, the difference between both bots, and the course of the
//! sequential test.

#[cfg(feature = "pages")]
mod html;

use serde_json::{Value, json};

use crate::json::{FORMAT, round};
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
        let mut lines = paint.indented(&self.difference_text());
        lines.extend(paint.indented(&text));
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
        lines.extend(paint.painted(&path_line(self.comparison.test()), Paint::dim));
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
