//! The map in the terms of the protocol, with its regions and their state.

use std::fmt::Write;

use super::vocabulary::{WarlightVocabulary, name, region};
use risk_engine::TimeControl;
use risk_kernel::board::{Board, Datum};
use risk_kernel::id::{Group, Pile, Player, Territory};
use risk_kernel::view::View;

/// The challenge's time bank, in milliseconds. If the bot has no clock, the bank is announced, but
/// no time is deducted from it.
pub(super) const BANK: u128 = 10_000;
/// The time added to the bank with each move, in milliseconds.
const PER_MOVE: u128 = 500;

/// Writes the super regions, the regions and their neighbours.
pub(super) fn map_lines(board: &Board, lines: &mut String) {
    *lines += "setup_map super_regions";
    for (index, continent) in board.continents().iter().enumerate() {
        let _ = write!(lines, " {} {}", index + 1, continent.bonus);
    }
    *lines += "\nsetup_map regions";
    for at in board.territories() {
        let of = board.continent(at).map_or(0, |of| of.index() + 1);
        let _ = write!(lines, " {} {of}", region(at));
    }
    *lines += "\nsetup_map neighbors";
    for at in board.territories() {
        // Each border is listed once, under the first of its two regions.
        let later = board.neighbours(at).iter().filter(|&&next| next > at);
        let later: Vec<String> = later.map(|&next| region(next).to_string()).collect();
        if !later.is_empty() {
            let _ = write!(lines, " {} {}", region(at), later.join(","));
        }
    }
    lines.push('\n');
}

/// Writes the first lines of the second challenge.
pub(super) fn settings_lines(
    me: Player,
    rounds: i64,
    control: Option<TimeControl>,
    lines: &mut String,
) {
    let bank = control.map_or(BANK, |control| control.bank.as_millis());
    let per_move = control.map_or(PER_MOVE, |control| control.per_move.as_millis());
    let _ = writeln!(lines, "settings timebank {bank}");
    let _ = writeln!(lines, "settings time_per_move {per_move}");
    let _ = writeln!(lines, "settings max_rounds {rounds}");
    name_lines(me, lines);
}

pub(super) fn name_lines(me: Player, lines: &mut String) {
    let _ = writeln!(lines, "settings your_bot {}", name(me));
    let _ = writeln!(lines, "settings opponent_bot {}", name(Player(1 - me.0)));
}

/// Returns the territories of the cards in a pile.
pub(super) fn territories(view: &View, pile: Pile, of: Option<Player>) -> Vec<Territory> {
    let cards = view.pile(pile, of).unwrap_or_default();
    let territories = cards.iter().map(|card| view.decl().cards[card.index()].at);
    territories.flatten().collect()
}

/// Writes a line of words followed by regions.
pub(super) fn region_line(words: &str, territories: &[Territory], lines: &mut String) {
    *lines += words;
    for &at in territories {
        let _ = write!(lines, " {}", region(at));
    }
    lines.push('\n');
}

/// Sorts territories by super region. Within a super region, they keep the order of the map.
pub(super) fn by_super_region(view: &View, mut territories: Vec<Territory>) -> Vec<Territory> {
    let of = |at: Territory| view.board().continent(at).map_or(usize::MAX, Group::index);
    territories.sort_by_key(|&at| (of(at), at));
    territories
}

/// Writes the owners and armies of the visible regions. The player's own regions come first,
/// followed by their neighbours in order of discovery, and then the other regions.
pub(super) fn update_line(view: &View, lines: &mut String) {
    let board = view.board();
    let mut seen: Vec<Territory> = view.owned().collect();
    let mut is_there = vec![false; board.len()];
    for &at in &seen {
        is_there[at.index()] = true;
    }
    let own = seen.clone();
    let near = own.iter().flat_map(|&at| board.neighbours(at)).copied();
    for at in near.chain(board.territories()) {
        if !is_there[at.index()] && view.armies(at).is_some() {
            is_there[at.index()] = true;
            seen.push(at);
        }
    }
    *lines += "update_map";
    for at in seen {
        let owner = view.owner(at).map_or("neutral", name);
        let armies = view.armies(at).unwrap_or_default();
        let _ = write!(lines, " {} {owner} {armies}", region(at));
    }
    lines.push('\n');
}

/// Returns the maximum number of rounds, from the ruleset's option or from the engine's formula if
/// the option is unset.
pub(super) fn rounds(view: &View) -> i64 {
    let given = match view.decl().options.get("rounds") {
        Some(Datum::Number(rounds)) => *rounds,
        _ => 0,
    };
    let usual = (5 * view.board().len() as i64 / 2).max(60);
    if given > 0 { given } else { usual }
}

/// Writes the wastelands and the regions available for picking.
pub(super) fn start_lines(vocabulary: &WarlightVocabulary, view: &View, lines: &mut String) {
    let mut waste = territories(view, vocabulary.wastelands, None);
    waste.sort_unstable();
    region_line("setup_map wastelands", &waste, lines);
    // A bot that is asked later or was restarted also receives the regions that are already picked.
    let mut open = territories(view, vocabulary.pickable, None);
    let picked =
        [Player(0), Player(1)].map(|player| territories(view, vocabulary.picked, Some(player)));
    let picked = picked.concat();
    open.extend(&picked);
    let open = by_super_region(view, open);
    region_line("settings starting_regions", &open, lines);
    let left = view.counter(vocabulary.picks, None).unwrap_or_default();
    let picks = (left + picked.len() as i64) / 2;
    let _ = writeln!(lines, "settings starting_pick_amount {picks}");
}
