//! A map as text: its continents, territories and borders.

use super::counts::counts;
use super::groups;
use super::picture::overview;
use risk_kernel::board::Board;
use risk_kernel::borders::Holding;
use risk_kernel::id::{Group, Territory};
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
        let members = board.members(Group::from_index(index));
        let ways_in = members.iter().filter(|&&at| leads_out(board, at)).count();
        lines.push(String::new());
        let title = format!(
            "{} — {}, {}, {ways_in} to hold",
            continent.name,
            groups::gains(board, Group::from_index(index)),
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
    for index in board.continents().len()..board.groups().len() {
        let group = Group::from_index(index);
        let (name, gains) = (&board.group(group).name, groups::gains(board, group));
        lines.push(String::new());
        lines.push(paint.rule(&format!("{name} — {gains}, {}", groups::size(board, group))));
        lines.extend(paint.wrapped("  ", "  ", &groups::members(board, group)));
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

/// Returns what a map says about a border, in words; `None` if it is open to everybody and for
/// everything.
#[must_use]
pub fn border_words(board: &Board, from: Territory, to: Territory) -> Option<String> {
    let info = board.border(from, to)?;
    let holds = info.open_if.map(|holding| match holding {
        Holding::Territory(at) => format!("open with {}", board.info(at).name),
        Holding::Group(group) => format!("open with {}", board.group(group).name),
    });
    let bombard = info.is_bombard.then(|| "bombard".to_owned());
    let strength = (info.strength > 0).then(|| format!("strength {}", info.strength));
    let words: Vec<String> = bombard.into_iter().chain(holds).chain(strength).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Formats a territory with its borders. Borders to other continents are dimmed, and one-way
/// borders get an arrow.
fn territory(board: &Board, at: Territory, paint: Paint) -> Vec<String> {
    let info = board.info(at);
    let border = |&to: &Territory| {
        let other = board.info(to);
        let arrow = if board.borders(to, at) { "" } else { "→" };
        let words = border_words(board, at, to);
        let words = words.map_or_else(String::new, |words| format!(" ({words})"));
        if other.continent == info.continent {
            format!("{arrow}{}{words}", other.id)
        } else {
            paint.dim(&format!("{arrow}{}{words}", other.id))
        }
    };
    let borders: Vec<String> = board.neighbours(at).iter().map(border).collect();
    let rules = groups::rules_of(board, at);
    let gap = if rules.is_empty() { "" } else { " · " };
    paint.hang(
        &format!(
            "  {} ",
            pad(&info.id, if paint.width < 60 { 14 } else { 24 })
        ),
        &format!("{}{gap}{}", borders.join(", "), rules.join(", ")),
    )
}
