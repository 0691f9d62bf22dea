//! What frames of pages reveal.

use std::collections::BTreeSet;

use risk_kernel::declare::{Declaration, Sight, Visibility};
use risk_kernel::view::is_open;
use serde_json::Value;

/// Returns what the frames of a game reveal that is hidden from a player.
#[must_use]
pub fn leak(frames: &[Value], decl: &Declaration, in_secret: &BTreeSet<u64>) -> Option<String> {
    let changed = |frame: &Value, key: &str| frame[key].as_array().cloned().unwrap_or_default();
    // The first frame is complete, and has each pile of each player and of the table.
    let holders = changed(&frames[0], "p").len() / decl.piles.len().max(1);
    for frame in frames {
        for land in changed(frame, "l") {
            let owner = land[1].as_i64() != Some(-1) && decl.owners_seen != Sight::All;
            let units = land[2].as_i64() != Some(-1) && decl.units_seen != Sight::All;
            if owner || units {
                return Some(format!("land: {land}"));
            }
        }
        for pile in changed(frame, "p") {
            let index = pile[0].as_u64().unwrap() as usize / holders;
            if pile[1].is_array() && decl.piles[index].seen != Visibility::All {
                return Some(format!("cards: {pile}"));
            }
        }
        if frame.get("s").is_some() {
            return Some("who sees what".to_owned());
        }
        // Texts about actions name places, numbers and cards.
        for text in changed(frame, "t").iter().filter(|text| text[0] != -1) {
            let said = text[1].as_str().unwrap();
            let is_known = ["draws a card", "fault ", "resigns"]
                .iter()
                .any(|known| said.starts_with(known));
            let is_hidden = !is_open(decl) && text[2].is_null() && !is_known;
            let names_a_card = said.starts_with("draws ") && !said.starts_with("draws a card");
            if is_hidden || names_a_card || said.starts_with("chooses ") {
                return Some(format!("text: {text}"));
            }
        }
        let answers = frame["w"][0].as_u64();
        if let Some(answers) = answers.filter(|it| in_secret.contains(it)) {
            return Some(format!("decision {answers}, which is secret"));
        }
    }
    None
}
