//! One decision as text: what the player sees, what is offered.

use super::paint::{Paint, pad};
use crate::kernel::action::Options;
use crate::kernel::id::{Counter, Player};
use crate::kernel::view::View;
use crate::kernel::words::Words;
use crate::text::plural::counted;

/// The most options that are written out.
const SHOWN: u64 = 40;

/// The board as the player sees it, and the options.
#[must_use]
pub fn text(view: &View, ask: &Options, names: &[String], paint: Paint) -> String {
    let mut lines = Vec::new();
    let name = |who: Player| names.get(who.index()).map_or("?", String::as_str);
    for seat in 0..view.players() {
        let who = Player::from_index(seat);
        let lands: Vec<_> = view.board().territories().filter(|&at| view.owner(at) == Some(who)).collect();
        let armies: i64 = lands.iter().map(|&at| i64::from(view.armies(at).unwrap_or(0))).sum();
        let mut line =
            format!("{}  {}, {}", pad(name(who), 14), counted(lands.len(), "territory"), counted(armies, "army"));
        for (index, kept) in view.decl().counters.iter().enumerate() {
            if let Some(value) = view.counter(Counter::from_index(index), Some(who)).filter(|&value| value != 0) {
                line.push_str(&format!(", {} {value}", kept.name));
            }
        }
        lines.push(paint.seat(seat, &line));
        let held = lands.iter().map(|&at| {
            let armies = view.armies(at).map_or_else(|| "?".to_owned(), |armies| armies.to_string());
            format!("{} {armies}", view.board().info(at).id)
        });
        lines.extend(wrapped(held, paint.width));
    }
    let words = Words::new(view.board(), view.decl());
    lines.push(String::new());
    lines.push(paint.rule(&format!("{} options", ask.len())));
    let shown = (0..ask.len().min(SHOWN)).map(|number| words.action(ask.nth(number)));
    lines.extend(shown.map(|action| format!("  {action}")));
    if ask.len() > SHOWN {
        lines.push(paint.dim(&format!("  … and {} more", ask.len() - SHOWN)));
    }
    lines.join("\n")
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
