//! The cross-table of a tournament's page, split into tables that fit on paper and phones.

use maud::{Markup, html};

use super::{name, points};
use crate::page::{Cell, section, table};
use risk_lab::tournament::results::{PairComparison, Results, TournamentTally};

/// The maximum number of bots with names in the column headers. More bots get numbers instead.
const MOST_NAMES: usize = 4;
/// The maximum number of columns on a page.
const COLUMNS: usize = 10;

/// Shows the difference in shares of each pair of bots at the tables where both played.
pub(super) fn section_of_pairs(
    tally: &TournamentTally<'_>,
    results: &Results,
    order: &[usize],
) -> Markup {
    const HEADING: &str = "Head to head";
    let numbered = order.len() > MOST_NAMES;
    let row_name = |place: usize, bot: usize| {
        if numbered {
            Cell::from(format!("{} {}", place + 1, name(tally, bot)))
        } else {
            Cell::from(name(tally, bot))
        }
    };
    // The parts have about the same width.
    let parts = order.len().div_ceil(COLUMNS).max(1);
    let columns = order.len().div_ceil(parts).max(1);
    let table_of = |(part, bots): (usize, &[usize])| {
        let mut heads = vec![Cell::from("bot")];
        heads.extend(bots.iter().enumerate().map(|(index, &bot)| {
            if numbered {
                Cell::from((part * columns + index + 1).to_string())
            } else {
                Cell::from(name(tally, bot))
            }
        }));
        let row = |(place, &row): (usize, &usize)| {
            let cells = bots.iter().map(|&column| cell(results, row, column));
            [row_name(place, row)].into_iter().chain(cells).collect()
        };
        let rows: Vec<Vec<Cell>> = order.iter().enumerate().map(row).collect();
        let caption = if parts > 1 {
            format!("{HEADING}, part {} of {parts}", part + 1)
        } else {
            HEADING.to_owned()
        };
        table(&caption, &heads, &rows)
    };
    let body = html! {
        @for part in order.chunks(columns).enumerate() { (table_of(part)) }
        p.dim {
            "Win share of the row's bot less that of the column's, in points, at common tables, "
            "with the 95 % interval of each pair alone. "
            @if numbered { "Columns are numbered like the rows. " }
            "* significant, corrected for the number of pairs."
        }
    };
    section(HEADING, &body)
}

/// Shows the share of the row's bot minus that of the column's bot.
fn cell(results: &Results, row: usize, column: usize) -> Cell {
    if row == column {
        return Cell::default();
    }
    let ends = (row.min(column), row.max(column));
    let is_it = |pair: &&PairComparison| (pair.left, pair.right) == ends;
    let Some(pair) = results.pairs.iter().find(is_it) else {
        return Cell::from("·").class("dim");
    };
    let sign = if row < column { 1.0 } else { -1.0 };
    let mean = sign * pair.difference.mean;
    // A difference without limits stands alone, because a limit of 0 would be wrong.
    let half = pair.difference.interval.ok();
    let half = half.map(|limits| format!("± {:.1}", 100.0 * limits.half_width()));
    let points = points(mean);
    let text = html! {
        @if pair.sure { b { (points) " *" } } @else { (points) }
        @if let Some(half) = half { small { (half) } }
    };
    match (pair.sure, mean > 0.0) {
        (false, _) => Cell::from(text),
        (true, true) => Cell::from(text).class("good"),
        (true, false) => Cell::from(text).class("bad"),
    }
}
