//! The charts of a tournament's page: SVG with the colours of the page.

use maud::{Markup, html};

use super::{name, percent};
use crate::page::{plain, section};
use risk_lab::tournament::results::{ALPHA, Results, TournamentTally};
use risk_stats::Interval;
use risk_stats::confidence::{points, sequence};

/// The width of a chart, narrow enough for text to be readable on a phone.
const WIDTH: f64 = 480.0;
/// The maximum number of bots in a chart over blocks. More lines would be unreadable.
const MOST_LINES: usize = 6;

fn svg(height: f64, label: &str, body: &Markup) -> Markup {
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {height:.0}")) role="img" aria-label=(plain(label)) {
            (body)
        }
    }
}

/// Formats a coordinate.
fn at(value: f64) -> String {
    format!("{value:.1}")
}

/// Shortens a name in the middle because long names often differ only in their last letters.
fn short(name: &str, most: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= most {
        return name.to_owned();
    }
    let last = most / 2;
    let first: String = letters[..most - last - 1].iter().collect();
    let last: String = letters[letters.len() - last..].iter().collect();
    format!("{first}…{last}")
}

/// Draws each bot's share with its interval on one axis, in pictures that fit on a page.
pub(super) fn shares(tally: &TournamentTally<'_>, results: &Results, order: &[usize]) -> Markup {
    const MOST_ROWS: usize = 35;
    let parts = order.len().div_ceil(MOST_ROWS).max(1);
    let rows = order.len().div_ceil(parts).max(1);
    let even = 1.0 / tally.plan().seats as f64;
    let highest = results
        .shares
        .iter()
        .flatten()
        .map(|share| share.interval.map_or(share.share, |limits| limits.high))
        .fold(even, f64::max);
    let top = ((highest * 10.0).ceil() / 10.0).clamp(0.1, 1.0);
    let body = html! {
        @for bots in order.chunks(rows) { (shares_of(tally, results, bots, top)) }
        p.dim { "Share of wins with its 95 % interval; the broken line is an equal share." }
    };
    section("Shares", &body)
}

/// Draws the shares of some bots on an axis that ends with `top`.
fn shares_of(tally: &TournamentTally<'_>, results: &Results, bots: &[usize], top: f64) -> Markup {
    const LEFT: f64 = 150.0;
    const ROW: f64 = 26.0;
    let x = |share: f64| LEFT + (WIDTH - LEFT - 25.0) * share / top;
    let bottom = ROW * bots.len() as f64 + 10.0;
    let even = at(x(1.0 / tally.plan().seats as f64));
    let row = |(row, &bot): (usize, &usize)| {
        let middle = ROW * (row as f64 + 0.5) + 4.0;
        let y = at(middle);
        let name = name(tally, bot);
        let share = results.shares[bot].as_ref().ok();
        let limits = share.and_then(|share| share.interval.ok());
        html! {
            text x=(at(LEFT - 12.0)) y=(at(middle + 4.0)) text-anchor="end" {
                (plain(&short(name, 16)))
            }
            @if let Some(limits) = limits {
                line.mark stroke-width="3" x1=(at(x(limits.low))) x2=(at(x(limits.high)))
                    y1=(y) y2=(y) {}
            }
            @if let Some(share) = share {
                circle.mark cx=(at(x(share.share))) cy=(y) r="5" {
                    title { (plain(name)) " " (percent(share.share)) }
                }
            }
        }
    };
    let body = html! {
        (axis_of_shares(top, bottom, x))
        line.even x1=(even) x2=(even) y1="0" y2=(at(bottom)) {}
        @for bot in bots.iter().enumerate() { (row(bot)) }
    };
    svg(bottom + 26.0, "shares of wins with 95 % intervals", &body)
}

/// Draws lines at every tenth, or at every fifth on a long axis.
fn axis_of_shares(top: f64, bottom: f64, x: impl Fn(f64) -> f64) -> Markup {
    let steps = (top * 10.0).round() as usize;
    let shown = (0..=steps).filter(|step| steps <= 4 || step % 2 == 0);
    let shares = shown.map(|step| step as f64 / 10.0);
    html! {
        @for share in shares {
            @let here = at(x(share));
            line.axis x1=(here) x2=(here) y1="0" y2=(at(bottom)) {}
            text.dim x=(here) y=(at(bottom + 18.0)) text-anchor="middle" {
                (format!("{:.0} %", 100.0 * share))
            }
        }
    }
}

/// Draws a histogram of the game lengths, in rounds.
pub(super) fn lengths(tally: &TournamentTally<'_>) -> Markup {
    const BARS: u32 = 30;
    const HEIGHT: f64 = 130.0;
    let most = tally.rounds.keys().last().copied().unwrap_or(0);
    let size = most / BARS + 1;
    let mut counts = vec![0_u64; (most / size + 1) as usize];
    for (&rounds, &games) in &tally.rounds {
        counts[(rounds / size) as usize] += games;
    }
    let top = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
    let width = WIDTH / counts.len() as f64;
    let bar = |(index, &count): (usize, &u64)| {
        let height = (HEIGHT - 30.0) * count as f64 / top;
        let first = index as u32 * size;
        let range = if size == 1 {
            format!("{first}")
        } else {
            format!("{first}–{}", first + size - 1)
        };
        html! {
            rect.bar x=(at(width * index as f64 + 1.0)) y=(at(HEIGHT - 20.0 - height))
                width=(at((width - 2.0).max(1.0))) height=(at(height)) {
                title { (range) " rounds: " (count) " games" }
            }
        }
    };
    let middle = counts.len() / 2;
    let body = html! {
        @for count in counts.iter().enumerate() { (bar(count)) }
        text.dim x="0" y="10" { "up to " (top) " games" }
        text.dim x="0" y=(HEIGHT) { "0" }
        text.dim x=(at(width * middle as f64)) y=(HEIGHT) { (middle as u32 * size) }
        text.dim x=(WIDTH) y=(HEIGHT) text-anchor="end" { (most) " rounds" }
    };
    section(
        "Lengths of games",
        &svg(HEIGHT + 4.0, "number of rounds per game", &body),
    )
}

/// Draws the best bots' shares over blocks, with limits that hold at every block.
pub(super) fn over_blocks(tally: &TournamentTally<'_>, order: &[usize]) -> Markup {
    let best = order.iter().take(MOST_LINES);
    let pictures: Vec<Markup> = best.filter_map(|&bot| path(tally, bot)).collect();
    if pictures.is_empty() {
        return Markup::default();
    }
    let body = html! {
        @for picture in &pictures { (picture) }
        p.dim {
            "Share of wins by number of blocks, 0 to 100 %, with limits that hold for all numbers "
            "at once."
        }
    };
    section("Over blocks", &body)
}

fn path(tally: &TournamentTally<'_>, bot: usize) -> Option<Markup> {
    const HEIGHT: f64 = 90.0;
    const LEFT: f64 = 125.0;
    const RIGHT: f64 = WIDTH - 60.0;
    const RANGE: Interval = Interval {
        low: 0.0,
        high: 1.0,
    };
    let blocks = &tally.bots[bot].shares;
    if blocks.len() < 2 {
        return None;
    }
    let after = points(blocks.len(), 60);
    let limits = sequence(blocks, RANGE, ALPHA, &after).ok()?;
    let x = |number: usize| LEFT + (RIGHT - LEFT) * number as f64 / blocks.len() as f64;
    let y = |share: f64| 8.0 + (HEIGHT - 16.0) * (1.0 - share);
    let point = |(number, share): (usize, f64)| format!("{:.1},{:.1}", x(number), y(share));
    let sides = || after.iter().copied().zip(&limits);
    let above = sides().map(|(number, limits)| point((number, limits.high)));
    let below = sides()
        .rev()
        .map(|(number, limits)| point((number, limits.low)));
    let band: Vec<String> = above.chain(below).collect();
    let mut sum = 0.0;
    let mut means = Vec::with_capacity(blocks.len());
    for (index, share) in blocks.iter().enumerate() {
        sum += share;
        means.push(sum / (index as f64 + 1.0));
    }
    let line = after.iter();
    let line: Vec<String> = line
        .map(|&number| point((number, means[number - 1])))
        .collect();
    let last = means[blocks.len() - 1];
    let even = at(y(1.0 / tally.plan().seats as f64));
    let body = html! {
        text x="0" y=(at(HEIGHT / 2.0)) { (plain(&short(name(tally, bot), 14))) }
        text.dim x=(LEFT - 6.0) y="14" text-anchor="end" { "100 %" }
        text.dim x=(LEFT - 6.0) y=(at(HEIGHT - 4.0)) text-anchor="end" { "0 %" }
        line.even x1=(LEFT) x2=(RIGHT) y1=(even) y2=(even) {}
        polygon.band points=(band.join(" ")) {}
        polyline.mark points=(line.join(" ")) {}
        text.dim x=(WIDTH) y=(at(y(last) + 4.0)) text-anchor="end" { (percent(last)) }
    };
    let label = format!("share of {} over blocks", name(tally, bot));
    Some(svg(HEIGHT, &label, &body))
}
