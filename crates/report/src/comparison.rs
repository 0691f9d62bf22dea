//! The course of a sequential test: the capital of its two bettors after each block.

use crate::tournament::markup::{STYLE, escaped, section};
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

/// Returns an HTML page with a text and with charts of the path and both thresholds.
#[must_use]
pub fn page(title: &str, text: &str, test: &SequentialTest) -> String {
    let title = escaped(title);
    let lines: String = text
        .lines()
        .map(|line| format!("<p>{}</p>\n", escaped(line.trim())))
        .collect();
    let pictures = [
        ("Better", test.bound_up(), true),
        ("Not better", test.bound_down(), false),
    ]
    .map(|(heading, bound, up)| section(heading, &picture(heading, test, bound, up)))
    .concat();
    let note = "<p class=\"dim\">Evidence after each block: the logarithm of a bettor's capital; \
                the test decides at the broken line.</p>";
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{lines}{pictures}{note}\n</body></html>\n"
    )
}

fn picture(heading: &str, test: &SequentialTest, bound: f64, up: bool) -> String {
    const WIDTH: f64 = 480.0;
    const HEIGHT: f64 = 150.0;
    const LEFT: f64 = 40.0;
    let points: Vec<(usize, f64)> = path(test, 400)
        .iter()
        .map(|(block, at)| (*block, if up { at.up } else { at.down }))
        .collect();
    let low = points.iter().fold(-1.0, |low: f64, point| low.min(point.1));
    let high = points
        .iter()
        .fold(bound, |high: f64, point| high.max(point.1));
    let last = points.last().map_or(1, |point| point.0).max(1);
    let x = |block: usize| LEFT + (WIDTH - LEFT - 10.0) * block as f64 / last as f64;
    let y = |value: f64| 10.0 + (HEIGHT - 35.0) * (high - value) / (high - low);
    let line: Vec<String> = [(0, 0.0)]
        .iter()
        .chain(&points)
        .map(|&(block, value)| format!("{:.1},{:.1}", x(block), y(value)))
        .collect();
    let axis = |class: &str, value: f64| {
        format!(
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/><text \
             class=\"dim\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value:.1}</text>",
            WIDTH - 10.0,
            y(value),
            y(value),
            LEFT - 6.0,
            y(value) + 4.0
        )
    };
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"evidence for \
         {}\">{}{}<polyline class=\"mark\" style=\"fill:none\" stroke-width=\"2\" \
         points=\"{}\"/><text class=\"dim\" x=\"{:.1}\" y=\"{HEIGHT}\" text-anchor=\"end\">{last} \
         blocks</text></svg>",
        heading.to_lowercase(),
        axis("axis", 0.0),
        axis("even", bound),
        line.join(" "),
        WIDTH - 10.0
    )
}
