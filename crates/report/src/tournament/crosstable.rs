//! The cross-table of a tournament's page, split into tables that fit on paper and phones.

use super::markup::{escaped, section, table};
use super::{name, points};
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
) -> String {
    let numbered = order.len() > MOST_NAMES;
    let row_name = |place: usize, bot: usize| {
        let name = escaped(name(tally, bot));
        if numbered {
            format!("{} {name}", place + 1)
        } else {
            name
        }
    };
    let table_of = |columns: &[usize], first: usize| {
        let mut heads = vec![String::new()];
        heads.extend(columns.iter().enumerate().map(|(index, &bot)| {
            let number = (first + index + 1).to_string();
            if numbered {
                number
            } else {
                escaped(name(tally, bot))
            }
        }));
        let row = |(place, &row): (usize, &usize)| {
            let cells = columns.iter().map(|&column| cell(results, row, column));
            [row_name(place, row)].into_iter().chain(cells).collect()
        };
        let rows: Vec<Vec<String>> = order.iter().enumerate().map(row).collect();
        table(&heads, &rows)
    };
    // The parts have about the same width.
    let parts = order.len().div_ceil(COLUMNS).max(1);
    let columns = order.len().div_ceil(parts).max(1);
    let tables: String = order
        .chunks(columns)
        .enumerate()
        .map(|(part, bots)| table_of(bots, part * columns))
        .collect();
    let numbers = if numbered {
        "Columns are numbered like the rows. "
    } else {
        ""
    };
    let note = format!(
        "<p class=\"dim\">Win share of the row's bot less that of the column's, in points, at \
         common tables, with the 95 % interval of each pair alone. {numbers}* significant, corrected \
         for the number of pairs.</p>"
    );
    section("Head to head", &format!("{tables}{note}"))
}

/// Shows the share of the row's bot minus that of the column's bot.
fn cell(results: &Results, row: usize, column: usize) -> String {
    if row == column {
        return "<td></td>".to_owned();
    }
    let ends = (row.min(column), row.max(column));
    let is_it = |pair: &&PairComparison| (pair.left, pair.right) == ends;
    let Some(pair) = results.pairs.iter().find(is_it) else {
        return "<td class=\"dim\">·</td>".to_owned();
    };
    let sign = if row < column { 1.0 } else { -1.0 };
    let mean = sign * pair.difference.mean;
    // A difference without limits stands alone, because a limit of 0 would be wrong.
    let half = pair.difference.interval.map_or_else(
        |_| String::new(),
        |limits| format!("<small>± {:.1}</small>", 100.0 * limits.half_width()),
    );
    let class = match (pair.sure, mean > 0.0) {
        (false, _) => "",
        (true, true) => " class=\"good\"",
        (true, false) => " class=\"bad\"",
    };
    let points = points(mean);
    if pair.sure {
        format!("<td{class}><b>{points} *</b>{half}</td>")
    } else {
        format!("<td>{points}{half}</td>")
    }
}
