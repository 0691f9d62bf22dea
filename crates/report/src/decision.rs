//! One decision as text: the player's view and the options.

use risk_kernel::action::Options;
use risk_kernel::event::Status;
use risk_kernel::id::{Counter, Player, Territory};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_text::paint::{Paint, pad};
use risk_text::plural::counted;

/// The maximum number of options to list.
const SHOWN: u64 = 40;

/// Formats the board as the player sees it, followed by the options.
#[must_use]
pub fn text(view: &View, ask: &Options, names: &[String], paint: Paint) -> String {
    let mut lines = position(view, names, paint);
    let words = Words::new(view.board(), view.decl());
    lines.push(String::new());
    lines.push(paint.rule(&counted(ask.len(), "option")));
    let shown = (0..ask.len().min(SHOWN)).map(|number| words.action(ask.nth(number)));
    lines.extend(shown.map(|action| format!("  {action}")));
    if ask.len() > SHOWN {
        lines.push(paint.dim(&format!("  … and {} more", ask.len() - SHOWN)));
    }
    lines.join("\n")
}

/// Lists the territories by owner as the player sees them, with armies and counters.
#[must_use]
pub fn position(view: &View, names: &[String], paint: Paint) -> Vec<String> {
    let mut lines = Vec::new();
    let hidden: Vec<Territory> = view
        .board()
        .territories()
        .filter(|&at| !view.sees_owner(at))
        .collect();
    for seat in 0..view.players() {
        let player = Player::from_index(seat);
        let name = names.get(seat).map_or("?", String::as_str);
        let territories = |at: &Territory| view.owner(*at) == Some(player);
        let territories: Vec<Territory> = view.board().territories().filter(territories).collect();
        let in_sight = if hidden.is_empty() || player == view.me() {
            ""
        } else {
            " in sight"
        };
        let is_out = view.status(player) == Status::Eliminated;
        let known = if territories.is_empty() && !in_sight.is_empty() && !is_out {
            "territories and armies unknown".to_owned()
        } else {
            let count = counted(territories.len(), "territory");
            format!("{count}{in_sight}, {}", armies_of(view, &territories))
        };
        let mut line = format!("{}  {known}", pad(name, 14));
        for (index, kept) in view.decl().counters.iter().enumerate() {
            if let Some(value) = view
                .counter(Counter::from_index(index), Some(player))
                .filter(|&value| value != 0)
            {
                line.push_str(&format!(", {} {value}", kept.name));
            }
        }
        lines.push(paint.seat(seat, &line));
        lines.extend(listed(view, &territories, paint));
    }
    let free = |at: &Territory| view.sees_owner(*at) && view.owner(*at).is_none();
    let free: Vec<Territory> = view.board().territories().filter(free).collect();
    for (name, territories) in [("nobody", free), ("hidden", hidden)]
        .iter()
        .filter(|(_, territories)| !territories.is_empty())
    {
        lines.push(format!(
            "{}  {}, {}",
            pad(name, 14),
            counted(territories.len(), "territory"),
            armies_of(view, territories)
        ));
        lines.extend(listed(view, territories, paint));
    }
    lines
}

/// Sums up the visible armies of some territories.
fn armies_of(view: &View, territories: &[Territory]) -> String {
    let seen: Vec<i64> = territories
        .iter()
        .filter_map(|&at| view.armies(at))
        .map(i64::from)
        .collect();
    let sum: i64 = seen.iter().sum();
    match territories.len() - seen.len() {
        0 => counted(sum, "army"),
        _ if seen.is_empty() => "armies hidden".to_owned(),
        unseen => format!(
            "{}, plus hidden armies on {unseen} of them",
            counted(sum, "army")
        ),
    }
}

fn listed(view: &View, territories: &[Territory], paint: Paint) -> Vec<String> {
    let each = territories.iter().map(|&at| {
        let armies = view
            .armies(at)
            .map_or_else(|| "?".to_owned(), |armies| armies.to_string());
        format!("{} {armies}", view.board().info(at).id)
    });
    wrapped(each, paint.width)
}

fn wrapped(words: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() + 2 <= width => {
                line.push_str(", ");
                line.push_str(&word);
            }
            _ => lines.push(format!("    {word}")),
        }
    }
    lines
}
