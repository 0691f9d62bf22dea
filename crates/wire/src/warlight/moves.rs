//! Parsing of a bot's answer in the same way as the challenges' engines. Invalid and impossible
//! moves are dropped, and the other moves are accepted.

use std::collections::{BTreeMap, BTreeSet};

use super::vocabulary::{WarlightVocabulary, name};
use risk_kernel::action::{Action, Bounds, Options};
use risk_kernel::id::Territory;
use risk_kernel::view::View;

/// The maximum number of moves in one answer. Further moves are dropped.
const MOST_MOVES: usize = 51;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Place(Territory, i64),
    Go(Territory, Territory, i64),
}

/// Returns the region with this number in the protocol.
pub(super) fn territory(view: &View, word: &str) -> Option<Territory> {
    let number: usize = word.parse().ok()?;
    (1..=view.board().len())
        .contains(&number)
        .then(|| Territory::from_index(number - 1))
}

/// Parses the moves of an answer. Stops at a move with too few words.
pub(super) fn read(view: &View, text: &str) -> Vec<Move> {
    if text.trim().chars().count() < 2 || text.trim().eq_ignore_ascii_case("no moves") {
        return Vec::new();
    }
    let mut moves = Vec::new();
    for part in text.split(',').take(MOST_MOVES) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let of = |index: usize| territory(view, words[index]);
        let count = |index: usize| words[index].parse::<i64>().ok();
        match words.as_slice() {
            [] => {}
            [who, "place_armies", _, _, ..] => {
                let read = of(2).zip(count(3));
                moves.extend(read.map(|(at, armies)| (*who, Move::Place(at, armies))));
            }
            [who, "attack/transfer", _, _, _, ..] => {
                let read = of(2).zip(of(3)).zip(count(4));
                moves.extend(read.map(|((from, to), armies)| (*who, Move::Go(from, to, armies))));
            }
            [_, "place_armies" | "attack/transfer", ..] | [_] => break,
            _ => {}
        }
    }
    let own = name(view.me());
    let mine = moves.into_iter().filter(|(who, _)| *who == own);
    mine.map(|(_, one)| one).collect()
}

/// Returns the placements among the moves, followed by the action that ends the placements. Limits
/// each placement to the armies left.
pub(super) fn placements(
    vocabulary: &WarlightVocabulary,
    view: &View,
    moves: &[Move],
) -> Vec<Action> {
    let mut left = view
        .counter(vocabulary.reserve, Some(view.me()))
        .unwrap_or_default();
    let mut steps = Vec::new();
    for one in moves {
        let Move::Place(at, armies) = *one else {
            continue;
        };
        let armies = armies.min(left);
        if armies < 1 || !view.mine(at) {
            continue;
        }
        left -= armies;
        steps.push(Action::new(vocabulary.place, &[at.number(), armies as i32]));
    }
    steps.push(Action::new(vocabulary.done, &[]));
    steps
}

/// Returns the attacks and transfers among the moves, followed by the action that ends them. Limits
/// each move to the armies that can still move.
pub(super) fn marches(
    vocabulary: &WarlightVocabulary,
    view: &View,
    options: &Options,
    moves: &[Move],
) -> Vec<Action> {
    let mut gone: BTreeMap<Territory, i64> = BTreeMap::new();
    let mut ways = BTreeSet::new();
    let mut steps = Vec::new();
    for one in moves {
        let Move::Go(from, to, armies) = *one else {
            continue;
        };
        let verb = if view.mine(to) {
            vocabulary.transfer
        } else {
            vocabulary.attack
        };
        let most = match options.bounds_of(verb, &[from.number(), to.number()]) {
            Bounds::Span { high, .. } => i64::from(high),
            _ => continue,
        };
        let sent = gone.entry(from).or_default();
        let armies = armies.min(most - *sent);
        if armies < 1 || !ways.insert((from, to)) {
            continue;
        }
        *sent += armies;
        steps.push(Action::new(
            verb,
            &[from.number(), to.number(), armies as i32],
        ));
    }
    steps.push(Action::new(vocabulary.done, &[]));
    steps
}
