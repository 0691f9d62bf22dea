//! Offers of all possible orders.

use std::collections::BTreeSet;

use super::{OrderKind, OrderTarget, Orders, is_target, spare};
use crate::action::{Domain, Options};
use crate::fault::{RuleFault, RuleResult};
use crate::id::{Player, Territory, Verb};
use crate::state::GameState;

const MOST_LISTED: usize = 1 << 23;
const MOST_ACTIONS: u64 = (1 << 62) - 1;

pub(super) struct OrderOffers<'a> {
    orders: &'a Orders,
    game: &'a GameState,
    player: Player,
    out: &'a mut Options,
    listed: usize,
}

impl<'a> OrderOffers<'a> {
    pub(super) fn new(
        orders: &'a Orders,
        game: &'a GameState,
        player: Player,
        out: &'a mut Options,
    ) -> Self {
        Self {
            orders,
            game,
            player,
            out,
            listed: 0,
        }
    }

    pub(super) fn other(&mut self, kind: OrderKind) -> RuleResult {
        let game = self.game;
        let player = self.player;
        let paid = kind.paid(game, player);
        if paid < 1 {
            return Ok(());
        }
        match kind.what {
            OrderTarget::Place => {
                let to = self.list(game.owned(player).map(Territory::number))?;
                self.offer(kind.verb, &[to, Domain::up_to(paid)])
            }
            OrderTarget::Own => {
                let gone = self.orders.closed(game, player);
                let kept = game.owned(player).filter(|at| !gone.contains(at));
                let to = self.list(kept.map(Territory::number))?;
                self.offer(kind.verb, &[to])
            }
            OrderTarget::Reach => {
                let peace = self.orders.at_peace(game, player);
                let is_spared = |to| game.owner(to).is_some_and(|owner| peace.has(owner));
                let near = |to: &Territory| {
                    let is_other = !game.owns(player, *to) && !is_spared(*to);
                    is_other
                        && game
                            .attack_borders(player, *to)
                            .any(|next| game.owns(player, next))
                };
                let all = game.board().territories().filter(near);
                let to = self.list(all.map(Territory::number))?;
                self.offer(kind.verb, &[to])
            }
            OrderTarget::Player => {
                let others = game.playing().without(player).iter();
                let whom = self.list(others.map(Player::number))?;
                self.offer(kind.verb, &[whom])
            }
            OrderTarget::Bare => self.offer(kind.verb, &[]),
            OrderTarget::ToFoes | OrderTarget::ToFriends | OrderTarget::ToOwn => Ok(()),
        }
    }

    /// Offers armies that can be spared, by territory and then by these kinds of order.
    pub(super) fn moves(&mut self, kinds: &[OrderKind]) -> RuleResult {
        let game = self.game;
        let player = self.player;
        let mut changes = vec![0_i64; game.board().len()];
        for (at, by) in self.orders.changes(game, player) {
            changes[at.index()] += by;
        }
        let paid: Vec<OrderKind> = kinds
            .iter()
            .copied()
            .filter(|kind| kind.paid(game, player) > 0)
            .collect();
        let taken: BTreeSet<(Territory, Territory)> =
            self.orders.taken_ways(game, player).collect();
        let peace = self.orders.at_peace(game, player);
        let gone = self.orders.closed(game, player);
        for from in game.owned(player).filter(|at| !gone.contains(at)) {
            let armies = i64::from(game.armies(from)) - i64::from(self.orders.stay);
            let high = spare(armies + changes[from.index()]);
            if high < 1 {
                continue;
            }
            for kind in &paid {
                let is_free = |to: &Territory| !taken.contains(&(from, *to));
                let to = match kind.what {
                    OrderTarget::ToFoes => {
                        let near = game.attack_borders(player, from).filter(is_free);
                        let foes = near.filter(|&to| is_target(game, player, to, peace));
                        self.list(foes.map(Territory::number))
                    }
                    OrderTarget::ToFriends => {
                        let near = game.move_borders(player, from).filter(is_free);
                        let friends = near.filter(|&to| game.owns(player, to));
                        self.list(friends.map(Territory::number))
                    }
                    _ => {
                        let own = game.owned(player);
                        let own = own.filter(|to| *to != from && !gone.contains(to) && is_free(to));
                        self.list(own.map(Territory::number))
                    }
                }?;
                let from = Domain::Is(from.number());
                self.offer(kind.verb, &[from, to, Domain::up_to(high)])?;
            }
        }
        Ok(())
    }

    fn list(&mut self, values: impl Iterator<Item = i32>) -> RuleResult<Domain> {
        let list = self.out.among(values);
        self.listed += self.out.size(list) as usize;
        if self.listed > MOST_LISTED {
            return Err(too_much());
        }
        Ok(list)
    }

    #[inline(always)]
    fn offer(&mut self, verb: Verb, slots: &[Domain]) -> RuleResult {
        if self.out.offer_within(verb, slots, MOST_ACTIONS) {
            Ok(())
        } else {
            Err(too_much())
        }
    }
}

fn too_much() -> RuleFault {
    RuleFault::new("too many options at once")
}
