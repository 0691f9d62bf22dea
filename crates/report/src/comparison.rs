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
    /// The ruleset, the map and the seed.
    pub setup: &'a str,
    /// The sentences about the result, without the verdict.
    pub lines: &'a [String],
}

/// Returns an HTML page with the result, and with charts of the path and both thresholds.
#[must_use]
pub fn page(texts: &ComparisonTexts<'_>, test: &SequentialTest) -> String {
    let charts = [
        ("Better", test.bound_up(), true),
        ("Not better", test.bound_down(), false),
    ]
    .map(|(heading, bound, up)| section(heading, &picture(heading, test, bound, up)));
    let body = html! {
        header {
            h1 { (plain(texts.verdict)) }
            p.dim { (plain(texts.setup)) }
        }
        main {
            @for line in texts.lines { p { (plain(line)) } }
            @for chart in &charts { (chart) }
            p.dim {
                "Evidence after each block: the logarithm of a bettor's capital; the test decides "
                "at the broken line."
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
    let label = format!("evidence for {}", heading.to_lowercase());
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
            (axis("axis", 0.0))
            (axis("even", bound))
            polyline.mark points=(line.join(" ")) {}
            text.dim x=(RIGHT) y=(HEIGHT) text-anchor="end" { (last) " blocks" }
        }
    }
}
