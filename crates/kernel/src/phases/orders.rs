//! `standard("orders")`: all players give orders, one at a time, until each player ends the phase.
//!
//! The parameter `orders` lists the possible orders in the sequence in which they are offered. Each
//! entry has the verb, `to`, and the counter that it `spends`. The verb's parameters determine the
//! options:
//!
//! | the verb takes | `to` | what is offered |
//! |---|---|---|
//! | a territory and a count | "own" | armies that remain in the counter |
//! | two territories and a count | "foes", "friends", "own" | spare armies, to neighbours that may be attacked, to own neighbours, or to any own territory |
//! | a territory | "own", "reach" | any own territory; any foreign territory next to an own territory |
//! | a player | | the other active players |
//! | nothing | | the verb itself |
//!
//! Armies that were ordered away can be ordered again only with `again: true`. Placed armies can
//! always be ordered. With `distinct: true`, a player can give at most one order for each pair of
//! origin and destination. With `guard: true`, the default, one army stays. An order is stored for
//! a phase that executes it. With `at_once: true`, the hook `PHASE_play` executes the order
//! immediately instead. After an order with `peace: true`, which names a player, none against this
//! player's territories is offered in the phase, because peace comes before all fights. After an
//! order with `last: true`, which names an own territory, none that needs this territory is.

mod offers;

use std::collections::BTreeSet;

use super::{Asked, BindError, Param, PhaseBinder, PhaseRules, Turn, on_board};
use crate::action::{Action, Bounds, LegalAction, Options};
use crate::declare::SlotKind;
use crate::fault::RuleResult;
use crate::id::{Counter, Player, PlayerSet, Territory, Verb};
use crate::state::GameState;

pub(super) struct Orders {
    kinds: Vec<OrderKind>,
    done: Verb,
    stay: i32,
    again: bool,
    distinct: bool,
}

#[derive(Clone, Copy, Debug)]
struct OrderKind {
    verb: Verb,
    what: OrderTarget,
    spends: Option<Counter>,
    at_once: bool,
    peace: bool,
    last: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OrderTarget {
    /// Up to as many armies as the counter contains, on the player's own territories.
    Place,
    /// Armies that move to neighbours that may be attacked.
    ToFoes,
    ToFriends,
    ToOwn,
    Own,
    /// Any foreign territory with a neighbour that the player owns.
    Reach,
    Player,
    Bare,
}

impl OrderTarget {
    const fn moves(self) -> bool {
        matches!(self, Self::ToFoes | Self::ToFriends | Self::ToOwn)
    }

    fn find(slots: &[SlotKind], to: Option<&str>) -> Option<Self> {
        use SlotKind::{Count, Territory};
        Some(match (slots, to) {
            ([Territory, Count], None | Some("own")) => Self::Place,
            ([Territory, Territory, Count], Some("foes")) => Self::ToFoes,
            ([Territory, Territory, Count], Some("friends")) => Self::ToFriends,
            ([Territory, Territory, Count], Some("own")) => Self::ToOwn,
            ([Territory], None | Some("own")) => Self::Own,
            ([Territory], Some("reach")) => Self::Reach,
            ([SlotKind::Player], None) => Self::Player,
            ([], None) => Self::Bare,
            _ => return None,
        })
    }
}

const LIST: &str = "a list with each verb once: [#{ verb: \"place\", spends: \"reserve\" }, …]";

impl Orders {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        let wrong = BindError::Value("orders", LIST);
        let Some(Param::List(list)) = bind.param("orders") else {
            return Err(wrong);
        };
        let mut kinds: Vec<OrderKind> = Vec::new();
        for entry in list {
            let kind = OrderKind::bind(bind, entry)?;
            if kinds.iter().any(|known| known.verb == kind.verb) {
                return Err(wrong);
            }
            kinds.push(kind);
        }
        Ok(Self {
            kinds,
            done: bind.verb("done", &[])?,
            stay: i32::from(bind.flag("guard", true)?),
            again: bind.flag("again", false)?,
            distinct: bind.flag("distinct", false)?,
        })
    }

    fn kind(&self, verb: Verb) -> Option<OrderKind> {
        self.kinds.iter().copied().find(|kind| kind.verb == verb)
    }
}

const TO: &str = "\"own\", \"foes\", \"friends\" or \"reach\", as the verb's parameters allow";

impl OrderKind {
    fn bind(bind: &PhaseBinder<'_>, entry: &Param) -> Result<Self, BindError> {
        let Param::Map(entry) = entry else {
            return Err(BindError::Value("orders", LIST));
        };
        const KNOWN: [&str; 6] = ["verb", "to", "spends", "at_once", "peace", "last"];
        if let Some(unknown) = entry.keys().find(|key| !KNOWN.contains(&key.as_str())) {
            return Err(BindError::Param(unknown.clone(), KNOWN.to_vec()));
        }
        let word = |key: &'static str| match entry.get(key) {
            None => Ok(None),
            Some(Param::Word(word)) => Ok(Some(word.as_str())),
            Some(_) => Err(BindError::Value(key, "a string")),
        };
        let name = word("verb")?.ok_or(BindError::Value("orders", LIST))?;
        let (verb, slots) = bind.any_verb(name)?;
        let what = OrderTarget::find(&slots, word("to")?).ok_or(BindError::Value("to", TO))?;
        let spends = word("spends")?.map(|name| bind.counter(name)).transpose()?;
        if what == OrderTarget::Place && spends.is_none() {
            return Err(BindError::Value(
                "orders",
                "a list in which each verb that places armies `spends` a counter",
            ));
        }
        let flag = |key: &'static str| match entry.get(key) {
            None => Ok(false),
            Some(Param::Flag(flag)) => Ok(*flag),
            Some(_) => Err(BindError::Value(key, "true or false")),
        };
        let at_once = flag("at_once")?;
        let peace = flag("peace")?;
        if peace && (what != OrderTarget::Player || at_once) {
            let help = "true only for a stored order that names a player";
            return Err(BindError::Value("peace", help));
        }
        let last = flag("last")?;
        if last && (what != OrderTarget::Own || at_once) {
            let help = "true only for a stored order that names an own territory";
            return Err(BindError::Value("last", help));
        }
        if at_once {
            bind.played(name)?;
        }
        Ok(Self {
            verb,
            what,
            spends,
            at_once,
            peace,
            last,
        })
    }

    fn paid(self, game: &GameState, player: Player) -> i32 {
        self.spends.map_or(i32::MAX, |counter| {
            game.counter(counter, Some(player)).max(0) as i32
        })
    }
}

impl PhaseRules for Orders {
    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let Asked { game, player, .. } = asked;
        let mut offering = offers::OrderOffers::new(self, game, player, out);
        let mut kinds = &self.kinds[..];
        while let [kind, rest @ ..] = kinds {
            // Consecutive kinds of orders that move armies are offered together, territory by
            // territory.
            let moving = kinds.iter().take_while(|kind| kind.what.moves()).count();
            if moving > 0 {
                offering.moves(&kinds[..moving])?;
                kinds = &kinds[moving..];
            } else {
                offering.other(*kind)?;
                kinds = rest;
            }
        }
        out.offer(self.done, &[]);
        Ok(())
    }

    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let Asked { game, player, .. } = asked;
        if verb == self.done {
            return Ok(Bounds::OFFERED);
        }
        let Some(kind) = self.kind(verb) else {
            return Ok(Bounds::NONE);
        };
        let paid = kind.paid(game, player);
        if paid < 1 {
            return Ok(Bounds::NONE);
        }
        let own =
            |number: i32| on_board(game, number).filter(|&territory| game.owns(player, territory));
        let high = match (kind.what, given) {
            (OrderTarget::Bare, []) => 1,
            (OrderTarget::Place, &[to]) if own(to).is_some() => paid,
            (OrderTarget::ToFoes | OrderTarget::ToFriends | OrderTarget::ToOwn, &[from, to]) => {
                match own(from).zip(on_board(game, to)) {
                    Some((from, to))
                        if self.leads(game, player, kind.what, from, to)
                            && !self.closed(game, player).contains(&from)
                            && self.taken_ways(game, player).all(|way| way != (from, to)) =>
                    {
                        self.spare_at(game, player, from)
                    }
                    _ => 0,
                }
            }
            (OrderTarget::Own | OrderTarget::Reach | OrderTarget::Player, _) => {
                return Ok(Bounds::Unknown);
            }
            _ => 0,
        };
        Ok(Bounds::up_to(high))
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let Turn { game, player, .. } = turn;
        let Some(kind) = self.kind(action.verb) else {
            game.leave(player);
            return Ok(());
        };
        if let Some(counter) = kind.spends {
            let cost = match (kind.what, action.args()) {
                (OrderTarget::Place, &[_, armies]) => armies,
                _ => 1,
            };
            game.add_counter(counter, Some(player), -i64::from(cost))?;
        }
        if kind.at_once {
            let phase = turn.frame.phase;
            turn.hooks.play(game, phase, player, action.action(), None)
        } else {
            game.store(player, action.action())
        }
    }
}

impl Orders {
    fn leads(
        &self,
        game: &GameState,
        player: Player,
        what: OrderTarget,
        from: Territory,
        to: Territory,
    ) -> bool {
        match what {
            OrderTarget::ToOwn => {
                let is_kept = !self.closed(game, player).contains(&to);
                from != to && game.owns(player, to) && is_kept
            }
            OrderTarget::ToFriends => game.owns(player, to) && game.can_move_over(player, from, to),
            _ => {
                let peace = self.at_peace(game, player);
                is_target(game, player, to, peace) && game.can_attack_over(player, from, to)
            }
        }
    }

    /// Returns the players with whom the player's stored orders make peace.
    fn at_peace(&self, game: &GameState, player: Player) -> PlayerSet {
        let named = self.named(game, player, |kind| kind.peace);
        let seat = |number: i32| game.seats().find(|seat| seat.number() == number);
        named
            .filter_map(seat)
            .fold(PlayerSet::default(), PlayerSet::with)
    }

    /// Returns the territories for which the player has given the last order.
    fn closed(&self, game: &GameState, player: Player) -> BTreeSet<Territory> {
        let named = self.named(game, player, |kind| kind.last);
        named.filter_map(|number| on_board(game, number)).collect()
    }

    /// Returns what the player's stored orders of some kinds name.
    fn named<'a>(
        &'a self,
        game: &'a GameState,
        player: Player,
        is_such: fn(&OrderKind) -> bool,
    ) -> impl Iterator<Item = i32> + 'a {
        let book = match self.kinds.iter().any(is_such) {
            true => game.book(),
            false => &[],
        };
        let own = book.iter().filter(move |order| order.player == player);
        let such = own.filter(move |order| {
            self.kind(order.action.verb)
                .is_some_and(|kind| is_such(&kind))
        });
        such.filter_map(|order| order.action.args().first().copied())
    }

    fn change(&self, game: &GameState, order: &Action) -> Option<(Territory, i64)> {
        let kind = self.kind(order.verb)?;
        match (kind.what, order.args()) {
            (OrderTarget::Place, &[to, armies]) => Some((on_board(game, to)?, i64::from(armies))),
            (what, &[from, _, armies]) if what.moves() && !self.again => {
                Some((on_board(game, from)?, -i64::from(armies)))
            }
            _ => None,
        }
    }

    fn changes<'a>(
        &'a self,
        game: &'a GameState,
        player: Player,
    ) -> impl Iterator<Item = (Territory, i64)> + 'a {
        let own = game
            .book()
            .iter()
            .filter(move |order| order.player == player);
        own.filter_map(|order| self.change(game, &order.action))
    }

    /// Returns the pairs of origin and destination in the player's stored orders if each pair may
    /// be ordered only once. If not, returns no pairs.
    fn taken_ways<'a>(
        &'a self,
        game: &'a GameState,
        player: Player,
    ) -> impl Iterator<Item = (Territory, Territory)> + 'a {
        let book = if self.distinct { game.book() } else { &[] };
        let own = book.iter().filter(move |order| order.player == player);
        own.filter_map(|order| self.way(game, &order.action))
    }

    /// Returns the origin and destination of an order that moves armies.
    fn way(&self, game: &GameState, order: &Action) -> Option<(Territory, Territory)> {
        let kind = self.kind(order.verb)?;
        match order.args() {
            &[from, to, _] if kind.what.moves() => on_board(game, from).zip(on_board(game, to)),
            _ => None,
        }
    }

    fn spare_at(&self, game: &GameState, player: Player, from: Territory) -> i32 {
        let changes = self.changes(game, player);
        let by: i64 = changes
            .filter(|&(at, _)| at == from)
            .map(|(_, by)| by)
            .sum();
        spare(i64::from(game.armies(from)) - i64::from(self.stay) + by)
    }
}

/// Reports whether the player may order an attack on this territory, or another order against it.
fn is_target(game: &GameState, player: Player, to: Territory, peace: PlayerSet) -> bool {
    game.is_foe(player, to) && game.owner(to).is_none_or(|owner| !peace.has(owner))
}

fn spare(armies: i64) -> i32 {
    armies.clamp(0, 1 << 30) as i32
}
