//! The map in the protocol's words: what it is, and how it stands.

use std::fmt::Write;

use super::vocabulary::{Vocabulary, name, region};
use risk_engine::matches::TimeControl;
use risk_kernel::board::{Board, Datum};
use risk_kernel::id::{Continent, Pile, Player, Territory};
use risk_kernel::view::View;

/// What is in the challenge's time bank, in milliseconds. Where no clock is real, it is announced
/// and nothing is taken from it.
pub(super) const BANK: u128 = 10_000;
/// What comes back into it with each move, in milliseconds.
const PER_MOVE: u128 = 500;

/// Super regions and regions, and which of them are neighbours.
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
        // Each border stands once, under the first of its two regions.
        let later = board.neighbours(at).iter().filter(|&&next| next > at);
        let later: Vec<String> = later.map(|&next| region(next).to_string()).collect();
        if !later.is_empty() {
            let _ = write!(lines, " {} {}", region(at), later.join(","));
        }
    }
    lines.push('\n');
}

/// What is said before anything else in the second challenge.
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

/// Who is who.
pub(super) fn name_lines(me: Player, lines: &mut String) {
    let _ = writeln!(lines, "settings your_bot {}", name(me));
    let _ = writeln!(lines, "settings opponent_bot {}", name(Player(1 - me.0)));
}

/// The territories of the cards on a pile.
pub(super) fn territories(view: &View, pile: Pile, of: Option<Player>) -> Vec<Territory> {
    let cards = view.pile(pile, of).unwrap_or_default();
    let territories = cards.iter().map(|card| view.decl().cards[card.index()].at);
    territories.flatten().collect()
}

/// Regions behind a word.
pub(super) fn region_line(words: &str, territories: &[Territory], lines: &mut String) {
    *lines += words;
    for &at in territories {
        let _ = write!(lines, " {}", region(at));
    }
    lines.push('\n');
}

/// What may be picked, by super region; several of one in the order of the map.
pub(super) fn by_super_region(view: &View, mut territories: Vec<Territory>) -> Vec<Territory> {
    let of = |at: Territory| {
        view.board()
            .continent(at)
            .map_or(usize::MAX, Continent::index)
    };
    territories.sort_by_key(|&at| (of(at), at));
    territories
}

/// Owners and armies of what the player sees: own regions first, then their neighbours as they are
/// found, then what else is seen.
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

/// How many rounds the game has at most: the ruleset's option, or what the engine says without one.
pub(super) fn rounds(view: &View) -> i64 {
    let given = match view.decl().options.get("rounds") {
        Some(Datum::Number(rounds)) => *rounds,
        _ => 0,
    };
    let usual = (5 * view.board().len() as i64 / 2).max(60);
    if given > 0 { given } else { usual }
}

/// Wastelands, and what may be picked.
pub(super) fn start_lines(vocabulary: &Vocabulary, view: &View, lines: &mut String) {
    let mut waste = territories(view, vocabulary.wastelands, None);
    waste.sort_unstable();
    region_line("setup_map wastelands", &waste, lines);
    // One who is asked later, or was started again, hears of what was picked already too.
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
