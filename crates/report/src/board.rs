//! A map as text: its continents, territories and borders.

use super::counts::counts;
use super::picture::overview;
use risk_kernel::board::Board;
use risk_kernel::id::{Continent, Territory};
use risk_text::paint::{Paint, pad};
use risk_text::plural::counted;

/// Formats the whole map.
#[must_use]
pub fn text(board: &Board, paint: Paint) -> String {
    let mut lines = vec![paint.bold(board.name())];
    if !board.about().is_empty() {
        lines.extend(paint.wrapped("", "", board.about()));
    }
    lines.push(paint.dim(&counts(board)));
    lines.push(String::new());
    lines.extend(overview(board, paint));
    for (index, continent) in board.continents().iter().enumerate() {
        let members = board.members(Continent::from_index(index));
        let ways_in = members.iter().filter(|&&at| leads_out(board, at)).count();
        lines.push(String::new());
        let title = format!(
            "{} — bonus {}, {}, {ways_in} to hold",
            continent.name,
            continent.bonus,
            counted(members.len(), "territory")
        );
        lines.push(paint.rule(&title));
        lines.extend(members.iter().flat_map(|&at| territory(board, at, paint)));
    }
    let loose: Vec<Territory> = board
        .territories()
        .filter(|&at| board.info(at).continent.is_none())
        .collect();
    if !loose.is_empty() {
        lines.push(String::new());
        lines.extend(loose.into_iter().flat_map(|at| territory(board, at, paint)));
    }
    lines.join("\n")
}

fn leads_out(board: &Board, at: Territory) -> bool {
    let here = board.info(at).continent;
    board
        .neighbours(at)
        .iter()
        .any(|&to| board.info(to).continent != here)
}

/// Formats a territory with its borders. Borders to other continents are dimmed, and one-way
/// borders get an arrow.
fn territory(board: &Board, at: Territory, paint: Paint) -> Vec<String> {
    let info = board.info(at);
    let border = |&to: &Territory| {
        let other = board.info(to);
        let arrow = if board.borders(to, at) { "" } else { "→" };
        if other.continent == info.continent {
            format!("{arrow}{}", other.id)
        } else {
            paint.dim(&format!("{arrow}{}", other.id))
        }
    };
    let borders: Vec<String> = board.neighbours(at).iter().map(border).collect();
    paint.hang(
        &format!(
            "  {} ",
            pad(&info.id, if paint.width < 60 { 14 } else { 24 })
        ),
        &borders.join(", "),
    )
}
