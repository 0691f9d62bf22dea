//! The recorded games of a stage on a tournament's page: players, endings and links.

use super::markup::{escaped, heads, section, table, words};
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

/// Returns the section of a stage's recorded games, or an empty string if there are none. `count`
/// is the number of games with records, and `command` creates a page from a record.
#[must_use]
pub fn games(links: &[GameLinks<'_>], count: u64, command: &str) -> String {
    if count == 0 {
        return String::new();
    }
    let rows: Vec<Vec<String>> = links.iter().map(row).collect();
    let heads = heads(&[
        "game",
        "links",
        "players, in seat order",
        "ended",
        "rounds",
        "decisions",
        "faults",
    ]);
    let more = count - links.len() as u64;
    let which = if more > 0 {
        format!(
            "{} shown, those with faults first, then the longest; {more} more have records.",
            counted(links.len(), "game")
        )
    } else {
        "Games with faults come first, then the longest.".to_owned()
    };
    let how = "To turn a record into a page, run this in the tournament's folder:";
    let body = format!(
        "{}<p class=\"dim\">{which} {how}<br><code>{}</code></p>",
        table(&heads, &rows),
        escaped(command)
    );
    section("Recorded games", &body)
}

fn row(links: &GameLinks<'_>) -> Vec<String> {
    let line = &links.game.line;
    let link = |address: &str, text: &str, of: &str| {
        format!(
            "<a href=\"{}\">{text}<span class=\"hidden\"> of {of}</span></a>",
            escaped(address)
        )
    };
    let name = links.game.name();
    let seats = line.seats.iter().enumerate().map(|(seat, name)| {
        let name = escaped(name);
        if line.winners.contains(&(seat + 1)) {
            format!("<b>{name}</b>")
        } else {
            name
        }
    });
    let seats: Vec<String> = seats.collect();
    let replay = links.replay.as_ref();
    let replay = replay.map_or_else(String::new, |at| link(at, "replay", &name) + ", ");
    let trouble = links.trouble.as_ref().map_or_else(String::new, |text| {
        format!("<small class=\"bad\">{}</small>", escaped(text))
    });
    let record = link(&links.record, "record", &name);
    let faults: u32 = line
        .faults
        .iter()
        .fold(0, |all, &it| all.saturating_add(it));
    vec![
        name,
        format!("<td class=\"words\">{replay}{record}{trouble}</td>"),
        format!("<td class=\"words\">{}</td>", seats.join(", ")),
        words(&line.reason),
        line.rounds.to_string(),
        line.decisions.to_string(),
        faults.to_string(),
    ]
}
