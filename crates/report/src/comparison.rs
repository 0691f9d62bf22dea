//! The course of a sequential test: the capital of its two bettors after each block.

use maud::{Markup, html};

use crate::page::{document, plain, section};
use risk_stats::sequential::{Capitals, SequentialTest};
use risk_text::signed;

/// Returns at most `points` evenly spaced points of a test's path: the number of blocks and the
/// logarithms of both capitals. The last block is always included.
#[must_use]
pub fn path(test: &SequentialTest, points: usize) -> Vec<(usize, Capitals)> {
    let path = test.path();
    let step = path.len().div_ceil(points.max(1)).max(1);
    let ends_here = |block: usize| (path.len() - block).is_multiple_of(step);
    let numbered = path.iter().enumerate().map(|(index, at)| (index + 1, *at));
    numbered.filter(|(block, _)| ends_here(*block)).collect()
}

/// Formats the path as one line.
#[must_use]
pub fn path_line(test: &SequentialTest) -> String {
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

/// The texts of a comparison's page.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonTexts<'a> {
    /// The heading, which is the verdict.
    pub verdict: &'a str,
    /// The names of the two bots.
    pub bots: [&'a str; 2],
    /// What the verdict means for readers without statistics.
    pub reading: &'a str,
    /// The ruleset, the map and the seed.
    pub setup: &'a str,
    /// The sentences about the result, without the verdict.
    pub lines: &'a [String],
    /// The difference between the two bots.
    pub difference: ShareDifference,
}

/// The difference between the shares of two bots, each from -1 to 1.
#[derive(Clone, Copy, Debug)]
pub struct ShareDifference {
    /// The difference in the games that were played.
    pub found: f64,
    /// The lower limit of the confidence interval.
    pub low: f64,
    /// The upper limit of the confidence interval.
    pub high: f64,
    /// The difference that the verdict is about.
    pub bound: f64,
}

impl ShareDifference {
    /// Draws the difference as a dot with its limits on an axis of percentage points.
    fn picture(self) -> Markup {
        const WIDTH: f64 = 480.0;
        const MARGIN: f64 = 30.0;
        let all = [self.low, self.high, self.bound, self.found, 0.0];
        let widest = all.map(f64::abs).into_iter().fold(0.05, f64::max) * 1.1;
        let x = |share: f64| {
            let at = MARGIN + (WIDTH - 2.0 * MARGIN) * (share / widest + 1.0) / 2.0;
            format!("{at:.1}")
        };
        let points = |share: f64| signed(100.0 * share, 1);
        let limits = format!("from {} to {}", points(self.low), points(self.high));
        html! {
            svg viewBox=(format!("0 0 {WIDTH} 74")) role="img" aria-label=(limits) {
                line.axis x1=(x(0.0)) x2=(x(0.0)) y1="8" y2="44" {}
                line.even x1=(x(self.bound)) x2=(x(self.bound)) y1="8" y2="44" {}
                line.mark x1=(x(self.low)) x2=(x(self.high)) y1="26" y2="26" {}
                circle.mark cx=(x(self.found)) cy="26" r="5" {}
                text.dim x=(x(0.0)) y="58" text-anchor="middle" { "0" }
                text.dim x=(x(self.low)) y="18" text-anchor="middle" { (points(self.low)) }
                text.dim x=(x(self.high)) y="18" text-anchor="middle" { (points(self.high)) }
                @if self.bound != 0.0 {
                    text.dim x=(x(self.bound)) y="58" text-anchor="middle" { (points(self.bound)) }
                }
                text x=(x(self.found)) y="72" text-anchor="middle" { (points(self.found)) }
            }
        }
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

/// Returns an HTML page with the result, and with charts of the path and both thresholds.
#[must_use]
pub fn page(texts: &ComparisonTexts<'_>, test: &SequentialTest) -> String {
    let [a, b] = texts.bots;
    let better = format!("Evidence that {a} is better than {b}");
    let not_better = format!("Evidence that {a} is not better");
    let charts = [
        (better, test.bound_up(), true),
        (not_better, test.bound_down(), false),
    ]
    .map(|(heading, bound, up)| section(&heading, &picture(&heading, test, bound, up)));
    let body = html! {
        header {
            h1 { (plain(texts.verdict)) }
            p.dim { (plain(texts.setup)) }
        }
        main {
            p.lead { (plain(texts.reading)) }
            @for line in texts.lines { p { (plain(&sentence(line))) } }
            (section("Difference", &texts.difference.picture()))
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
    document(texts.verdict, &body)
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
