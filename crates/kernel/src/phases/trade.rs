//! `standard("trade")`: a player trades sets of 3 cards for armies.
//!
//! The table `is_set(kind, kind, kind)` decides which kinds make a set. A set is worth
//! `set_value(traded)` armies, where `traded` is the number of sets that all players have already
//! traded in the game: the first set is worth `set_value(0)`. Beyond the end of the table, the
//! value grows by the parameter `set_step` with each set. Without that parameter, such a set is the
//! ruleset's fault. If the player owns the territory of a card in the set, that card comes first,
//! and its territory immediately receives `land_bonus` armies (a parameter; default: 2). An answer
//! may name the cards in any order. If the player owns several of the territories, the first card
//! named counts. With a hand of `limit` cards (default: 5) or more, the player can't pass. If the
//! phase is opened with the number 1, it only brings the hand below the limit. With `once: true`,
//! it ends after the first set. A table may depend on the order of the kinds. In that case, three
//! cards that form a set in any order may be traded, but the phase is skipped unless three cards
//! form a set in their order in the hand. The optional table `asks_set(kind, kind, kind)` decides
//! instead which three cards, in their order in the hand, keep the phase from being skipped. With
//! `always: true`, a player who may pass is asked even without a set.

use super::table::NumberTable;
use super::{Asked, BindError, PhaseBinder, PhaseRules, Turn};
use crate::action::{Domain, LegalAction, Options};
use crate::declare::SlotKind;
use crate::fault::RuleResult;
use crate::id::{Card, Counter, Pile, Player, Territory, Unit, Verb};
use crate::state::GameState;

pub(super) struct Trade {
    trade: Verb,
    pass: Verb,
    hand: Pile,
    discard: Pile,
    reserve: Counter,
    traded: Counter,
    set_value: NumberTable,
    is_set: NumberTable,
    /// The sets in the hand for which the player is asked, if not all sets count.
    asks_set: Option<NumberTable>,
    ordered: bool,
    /// The number of armies added for each set beyond the table; 0 if the ruleset declares none.
    set_step: i32,
    limit: i32,
    territory_bonus: i32,
    once: bool,
    always: bool,
}

impl Trade {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        let card = SlotKind::Card;
        let trade = Self {
            trade: bind.verb(
                "trade",
                &[("first", card), ("second", card), ("third", card)],
            )?,
            pass: bind.verb("pass", &[])?,
            hand: bind.pile("hand", "owner")?,
            discard: bind.pile("discard", "all")?,
            reserve: bind.counter("reserve")?,
            traded: bind.counter("sets_traded")?,
            set_value: bind.table("set_value", "[0..=100]", 1)?,
            is_set: bind.table("is_set", "[0..=3, 0..=3, 0..=3]", 3)?,
            asks_set: bind.table_if_any("asks_set", 3),
            ordered: false,
            set_step: bind.number("set_step", 0, 0)?,
            limit: bind.number("limit", 5, 1)?,
            territory_bonus: bind.number("land_bonus", 2, 0)?,
            once: bind.flag("once", false)?,
            always: bind.flag("always", false)?,
        };
        Ok(Self {
            ordered: is_ordered(&trade.is_set),
            ..trade
        })
    }

    fn offer_set(
        &self,
        game: &GameState,
        player: Player,
        set: [Card; 3],
        out: &mut Options,
    ) -> RuleResult {
        let kinds = set.map(|card| kind(game, card));
        if self.is_set.get(&kinds)? == 0 && !(self.ordered && self.is_set_in_some_order(kinds)?) {
            return Ok(());
        }
        let owned: Vec<usize> = (0..3)
            .filter(|&index| territory(game, player, set[index]).is_some())
            .collect();
        let firsts = if owned.is_empty() { &[0][..] } else { &owned };
        for &first in firsts {
            let second = usize::from(first == 0);
            let third = 2 - usize::from(first == 2);
            out.offer(
                self.trade,
                &[first, second, third].map(|index| Domain::Is(set[index].number())),
            );
        }
        Ok(())
    }

    fn worth(&self, traded: i64) -> RuleResult<i64> {
        let last = i64::from(self.set_value.ranges()[0].1);
        let beyond = if self.set_step > 0 {
            (traded - last).max(0)
        } else {
            0
        };
        let tabulated = self.set_value.get(&[(traded - beyond) as i32])?;
        Ok(i64::from(tabulated) + beyond * i64::from(self.set_step))
    }

    fn is_set_in_some_order(&self, [a, b, c]: [i32; 3]) -> RuleResult<bool> {
        for order in [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
            if self.is_set.get(&order)? != 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reports whether the hand contains three cards that form a set in their order in the hand.
    fn holds_set(game: &GameState, hand: &[Card], is_set: &NumberTable) -> RuleResult<bool> {
        for (i, &a) in hand.iter().enumerate() {
            for (j, &b) in hand.iter().enumerate().skip(i + 1) {
                for &c in &hand[j + 1..] {
                    if is_set.get(&[a, b, c].map(|card| kind(game, card)))? != 0 {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}

fn is_ordered(is_set: &NumberTable) -> bool {
    let [a, b, c] = [0, 1, 2].map(|slot| is_set.ranges()[slot].0..=is_set.ranges()[slot].1);
    let value = |a, b, c| is_set.get(&[a, b, c]).ok();
    let differs = |a, b, c| {
        let own = value(a, b, c);
        [value(b, a, c), value(a, c, b)]
            .into_iter()
            .any(|other| other.is_some() && other != own)
    };
    a.into_iter()
        .any(|a| b.clone().any(|b| c.clone().any(|c| differs(a, b, c))))
}

fn kind(game: &GameState, card: Card) -> i32 {
    game.decl().cards[card.index()].kind
}

fn territory(game: &GameState, player: Player, card: Card) -> Option<Territory> {
    game.decl().cards[card.index()]
        .at
        .filter(|&territory| game.owns(player, territory))
}

impl PhaseRules for Trade {
    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let Asked { game, player, .. } = asked;
        let hand = game.pile(self.hand, Some(player));
        let below = (hand.len() as i32) < self.limit;
        if asked.frame.args[0] == 1 && below {
            return Ok(());
        }
        if self.always && below {
            out.offer(self.pass, &[]);
        }
        if hand.len() < 3 {
            return Ok(());
        }
        let asks_set = self.asks_set.as_ref();
        if let Some(is_set) = asks_set.or(self.ordered.then_some(&self.is_set))
            && !Self::holds_set(game, hand, is_set)?
        {
            return Ok(());
        }
        let mut sorted = hand.to_vec();
        sorted.sort_unstable();
        for (i, &a) in sorted.iter().enumerate() {
            for (j, &b) in sorted.iter().enumerate().skip(i + 1) {
                for &c in &sorted[j + 1..] {
                    self.offer_set(game, player, [a, b, c], out)?;
                }
            }
        }
        out.any_order(self.trade);
        if below && !self.always && !out.is_empty() {
            out.offer(self.pass, &[]);
        }
        Ok(())
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let Turn { game, player, .. } = turn;
        if action.verb == self.pass || self.once {
            game.leave(player);
        }
        if action.verb == self.pass {
            return Ok(());
        }
        for &card in action.args() {
            let card = Card::from_index(card as usize);
            game.move_card(card, (self.hand, Some(player)), (self.discard, None), false)?;
        }
        let sets = game.counter(self.traded, None);
        game.add_counter(self.traded, None, 1)?;
        let armies = self.worth(sets)?;
        game.add_counter(self.reserve, Some(player), armies)?;
        if let Some(territory) =
            territory(game, player, Card::from_index(action.args()[0] as usize))
        {
            let armies = self.territory_bonus.min(game.space(territory, Unit::FIRST));
            game.add_units(territory, Unit::FIRST, armies)?;
        }
        Ok(())
    }
}
