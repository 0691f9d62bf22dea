//! Groups of cards that mix: which cards a hidden pile may contain.

use std::sync::Arc;

use super::declare::Declaration;
use super::fault::RuleResult;
use super::id::{Card, Pile};
use super::rng::GameKey;
use super::state::GameState;

/// The groups of a ruleset's kinds of cards. Kinds that lie on one pile after the set-up are in one
/// group; kinds on no pile are in a group of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardGroups {
    /// The group of each kind.
    of_kind: Vec<usize>,
    /// The group of the cards on each pile after the set-up; `None` if the pile is empty then.
    of_pile: Vec<Option<usize>>,
    /// The group of the pile of the table with the most cards.
    deck: usize,
}

impl CardGroups {
    /// Sets up a game like this one, and looks at its piles.
    ///
    /// # Errors
    /// Returns the fault of the set-up.
    pub fn after_setup(
        game: &GameState,
        setup: impl FnOnce(&mut GameState) -> RuleResult,
    ) -> RuleResult<Self> {
        let decl = Arc::clone(&game.decl);
        let key = GameKey::of_numbers(0, 0);
        let board = Arc::clone(&game.board);
        let mut start = GameState::new(board, Arc::clone(&decl), game.players, key);
        setup(&mut start)?;
        let kind = |card: &Card| kind_of(&decl, *card);
        let mut of_kind: Vec<usize> = (0..decl.card_kinds.len()).collect();
        for pile in start.piles.iter() {
            let Some(first) = pile.first().map(|card| of_kind[kind(card)]) else {
                continue;
            };
            for card in pile {
                let joined = of_kind[kind(card)];
                for group in of_kind.iter_mut().filter(|group| **group == joined) {
                    *group = first;
                }
            }
        }
        let holders = game.players + 1;
        let group = |pile: &Vec<Card>| pile.first().map(|card| of_kind[kind(card)]);
        let piles = start.piles.chunks(holders);
        let of_pile = piles.map(|all| all.iter().find_map(group)).collect();
        let of_table = start.piles.iter().skip(holders - 1).step_by(holders);
        let deck = of_table.max_by_key(|pile| pile.len()).and_then(group);
        let deck = deck.unwrap_or(0);
        Ok(Self {
            of_kind,
            of_pile,
            deck,
        })
    }

    pub(super) fn is_single(&self) -> bool {
        let mut groups = self.of_kind.iter();
        groups.all(|&group| group == self.of_kind[0])
    }

    pub(super) fn of_card(&self, decl: &Declaration, card: Card) -> usize {
        self.of_kind[kind_of(decl, card)]
    }

    /// Returns the group of the cards on a pile. Cards on a pile that was empty after the set-up
    /// are like those of the deck.
    pub(super) fn of_pile(&self, pile: Pile) -> usize {
        self.of_pile[pile.index()].unwrap_or(self.deck)
    }
}

fn kind_of(decl: &Declaration, card: Card) -> usize {
    usize::try_from(decl.cards[card.index()].kind).unwrap_or(0)
}
