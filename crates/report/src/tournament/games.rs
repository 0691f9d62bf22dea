//! The recorded games of a stage on a tournament's page: players, endings and links.

use maud::{Markup, html};

use crate::page::{Cell, heads, plain, section, table};
use risk_lab::tournament::RecordedGame;
use risk_text::plural::counted;

/// The links of a recorded game. Addresses are relative to the page and already encoded.
#[derive(Clone, Debug)]
pub struct GameLinks<'a> {
    /// The recorded game.
    pub game: &'a RecordedGame,
    /// The address of its record.
    pub record: String,
    /// The address of its page, or `None` if it has no page.
    pub replay: Option<String>,
    /// The reason why a requested page is missing.
    pub trouble: Option<String>,
}

/// Returns the section of a stage's recorded games, or nothing if there are none. `count` is the
/// number of games with records, and `command` creates a page from a record.
#[must_use]
pub fn games(links: &[GameLinks<'_>], count: u64, command: &str) -> Markup {
    const HEADING: &str = "Recorded games";
    if count == 0 {
        return Markup::default();
    }
    let rows: Vec<Vec<Cell>> = links.iter().map(row).collect();
    let mut columns: Vec<Cell> = ["game", "links", "players, in seat order", "ended"]
        .map(Cell::words)
        .into();
    columns.extend(heads(&["rounds", "decisions", "faults"]));
    let more = count - links.len() as u64;
    let which = if more > 0 {
        format!(
            "{} shown, those with faults first, then the longest; {more} more have records.",
            counted(links.len(), "game")
        )
    } else {
        "Games with faults come first, then the longest.".to_owned()
    };
    let body = html! {
        (table(HEADING, &columns, &rows))
        p.dim {
            (which) " To turn a record into a page, run this in the tournament's folder:"
            br;
            code { (plain(command)) }
        }
    };
    section(HEADING, &body)
}

fn row(links: &GameLinks<'_>) -> Vec<Cell> {
    let line = &links.game.line;
    let name = links.game.name();
    let link = |address: &str, text: &str| {
        html! { a href=(plain(address)) { (text) span.hidden { " of " (name) } } }
    };
    let addresses = html! {
        @if let Some(address) = &links.replay { (link(address, "replay")) ", " }
        (link(&links.record, "record"))
        @if let Some(text) = &links.trouble { small.bad { (plain(text)) } }
    };
    let seats = html! {
        @for (seat, name) in line.seats.iter().enumerate() {
            @if seat > 0 { ", " }
            @if line.winners.contains(&(seat + 1)) { b { (plain(name)) } } @else { (plain(name)) }
        }
    };
    let faults = line.faults.iter();
    let faults: u32 = faults.fold(0, |all, &it| all.saturating_add(it));
    vec![
        name.as_str().into(),
        Cell::from(addresses).class("words"),
        Cell::from(seats).class("words"),
        Cell::words(&line.reason),
        line.rounds.to_string().into(),
        line.decisions.to_string().into(),
        faults.to_string().into(),
    ]
}
