//! The piles of cards.

use std::sync::Arc;

use super::fault;
use crate::event::Event;
use crate::event_filter::EventFilter;
use crate::fault::RuleResult;
use crate::id::{Card, Pile, Player};
use crate::state::GameState;

impl GameState {
    /// Returns the sum of the digest terms of a pile's cards, starting at depth `from`.
    fn pile_sum(&self, holder: usize, from: usize) -> u64 {
        let cards = self.piles[holder].iter().enumerate().skip(from);
        cards.fold(0, |sum, (depth, card)| {
            sum.wrapping_add(self.pile_cell(holder, depth).term(i64::from(card.0) + 1))
        })
    }

    /// Changes a pile starting at depth `from`, and updates the digest.
    fn change_pile(&mut self, holder: usize, from: usize, change: impl FnOnce(&mut Vec<Card>)) {
        if !self.is_summed {
            change(&mut Arc::make_mut(&mut self.piles)[holder]);
            return;
        }
        let was = self.pile_sum(holder, from);
        change(&mut Arc::make_mut(&mut self.piles)[holder]);
        let now = self.pile_sum(holder, from);
        self.table_sum = self.table_sum.wrapping_sub(was).wrapping_add(now);
    }

    /// Puts cards onto an empty pile during the set-up, the top card last.
    ///
    /// # Errors
    /// Returns an error if a card is already on a pile.
    pub fn fill(&mut self, pile: Pile, of: Option<Player>, cards: &[Card]) -> RuleResult {
        let mut used = vec![false; self.decl.cards.len()];
        for card in self.piles.iter().flatten().chain(cards) {
            if std::mem::replace(&mut used[card.index()], true) {
                let name = &self.decl.cards[card.index()].name;
                return Err(fault(format!("the card {name} is already on a pile")));
            }
        }
        let holder = self.holder(pile.index(), of);
        let len = self.piles[holder].len();
        self.change_pile(holder, len, |pile| pile.extend_from_slice(cards));
        self.push_event(|| Event::Filled {
            pile: (pile, of),
            cards: Some(cards.to_vec()),
            count: cards.len(),
        });
        Ok(())
    }

    /// Moves one card from a pile to the top or the bottom of another pile.
    ///
    /// # Errors
    /// Returns an error if the card is not on the first pile.
    pub fn move_card(
        &mut self,
        card: Card,
        from: (Pile, Option<Player>),
        to: (Pile, Option<Player>),
        under: bool,
    ) -> RuleResult {
        let source = self.holder(from.0.index(), from.1);
        let target = self.holder(to.0.index(), to.1);
        let Some(depth) = self.piles[source].iter().rposition(|&other| other == card) else {
            let card = &self.decl.cards[card.index()].name;
            let pile = &self.decl.piles[from.0.index()].name;
            return Err(fault(format!("the card {card} is not on the pile {pile}")));
        };
        self.change_pile(source, depth, |pile| _ = pile.remove(depth));
        let place = if under { 0 } else { self.piles[target].len() };
        self.change_pile(target, place, |pile| pile.insert(place, card));
        self.push_event(|| Event::Card {
            card: Some(card),
            from,
            to,
            under,
        });
        Ok(())
    }

    /// Moves the top card of a pile onto another pile. Returns the card; `None` if the pile is
    /// empty.
    ///
    /// # Errors
    /// Returns no errors in practice. The error type is that of [`GameState::move_card`].
    pub fn draw(
        &mut self,
        from: (Pile, Option<Player>),
        to: (Pile, Option<Player>),
    ) -> RuleResult<Option<Card>> {
        let top = self.pile(from.0, from.1).last().copied();
        if let Some(card) = top {
            self.move_card(card, from, to, false)?;
        }
        Ok(top)
    }

    /// Shuffles a pile.
    pub fn shuffle(&mut self, pile: Pile, of: Option<Player>) {
        let holder = self.holder(pile.index(), of);
        self.drew = true;
        let mut decks = self.decks.clone();
        self.change_pile(holder, 0, |pile| decks.shuffle(pile));
        self.decks = decks;
        let cards = (self.wanted == EventFilter::All).then(|| self.piles[holder].clone());
        self.push_event(|| Event::Shuffled {
            pile: (pile, of),
            cards,
        });
    }
}
