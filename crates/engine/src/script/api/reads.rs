//! The functions that read the whole game, on the objects `Facts` and `Game`.

use rhai::{Array, INT, ImmutableString, Map};

use super::calls::{Functions, GameAccess};
use super::{
    ActionValue, NativeResult, array, fail, index, int, look_along_borders, look_at, look_next_to,
    named, territories, territory, verb_named,
};
use crate::script::meter;
use rhai_guard::Natives;
use risk_kernel::borders::OpenBorders;
use risk_kernel::event::Status;
use risk_kernel::id::{Card, Counter, Group, Mark, Pile, Player, Territory, Unit};
use risk_kernel::phases;
use risk_kernel::state::GameState;
use risk_kernel::words::Words;

pub(super) fn register<T: GameAccess<Scope = GameState>>(engine: &mut Natives) {
    let to = &mut Functions::<T>::new(engine);
    territory_reads(to);
    kept_reads(to);
    to.get("round", |game| game.round());
    to.get("turn", |game| game.turn());
    to.get("mover", |game| game.mover());
    to.read1("arg", |game, number: INT| {
        match (usize::try_from(number), game.frame()) {
            (Ok(number @ 1..=3), Some(frame)) => Ok(int(frame.args[number - 1])),
            _ => fail("`arg(n)` expects 1, 2 or 3"),
        }
    });
    // Returns the territories of others next to a player's territories, without duplicates.
    to.read1("reach", |game, player: Player| {
        look_along_borders(game.board());
        let near = |at| {
            let mut near = game.attack_borders(player, at);
            near.any(|next| game.owns(player, next))
        };
        let all = game.board().territories();
        territories(all.filter(|&at| !game.owns(player, at) && near(at)))
    });
    player_reads(to);
    order_reads(to);
}

fn player_reads<T: GameAccess<Scope = GameState>>(to: &mut Functions<'_, T>) {
    to.read1("playing", |game, player: Player| {
        game.status(player) == Status::Playing
    });
    to.read1("standing", |game, player: Player| {
        game.status(player) != Status::Eliminated
    });
    to.read1("partners", |game, player: Player| {
        let partners = game.team(player).without(player);
        array(partners.iter().map(|partner| partner.0))
    });
    to.get("players", |game| array(game.seats().map(|player| player.0)));
    to.get("active", |game| {
        array(game.playing().iter().map(|player| player.0))
    });
}

fn order_reads<T: GameAccess<Scope = GameState>>(to: &mut Functions<'_, T>) {
    to.get("orders", |game| game.book().len());
    // Returns for each territory the number of its armies, plus the armies that a player's stored
    // orders with the verbs `bring` add, minus those that orders with the verbs `take` remove,
    // minus `stay`. Each verb is mapped to the parameter that names the territory.
    to.read4(
        "armies_after",
        |game, player: Player, stay: INT, bring: Map, take: Map| {
            look_at(game.board());
            // Each verb is looked up by name, and then its stored orders are looked up.
            let each = 2 * (game.book().len() + game.decl().verbs.len());
            meter::afford((each * (bring.len() + take.len())) as u64)?;
            let armies = |at| int(game.armies(at)).saturating_sub(stay);
            let mut sums: Vec<i64> = game.board().territories().map(armies).collect();
            add_booked(game, player, &bring, 1, &mut sums)?;
            add_booked(game, player, &take, -1, &mut sums)?;
            Ok(array(sums))
        },
    );
    to.read1("words", |game, order: ActionValue| {
        let words = Words::new(game.board(), game.decl()).sentence(order.action());
        meter::charge(words.len() as u64);
        ImmutableString::from(words)
    });
    to.read1("order_of", |game, number: INT| {
        Ok(int(game.book()[index(number, game.book().len(), "order")?]
            .player
            .0))
    });
    to.read1("order", |game, number: INT| {
        let order = game.book()[index(number, game.book().len(), "order")?];
        Ok(ActionValue::new(order.action, game.decl()))
    });
}

fn territory_reads<T: GameAccess<Scope = GameState>>(to: &mut Functions<'_, T>) {
    to.read1("owner", |game, at: Territory| game.owner(at));
    to.get("free", |game| {
        let all = game.board().territories();
        territories(all.filter(|&at| game.owner(at).is_none()))
    });
    to.read2("sees", |game, player: Player, at: Territory| {
        look_next_to(game.board(), at);
        game.sees_owner(player, at)
    });
    to.read2("sees_armies", |game, player: Player, at: Territory| {
        look_next_to(game.board(), at);
        game.sees_units(player, at)
    });
    near_reads(to);
    armies_reads(to);
    own_reads(to);
}

fn armies_reads<T: GameAccess<Scope = GameState>>(to: &mut Functions<'_, T>) {
    fn kinds(game: &GameState) -> impl Iterator<Item = Unit> {
        (0..game.decl().units.len()).map(Unit::from_index)
    }
    to.read1("armies", |game, at: Territory| game.armies(at));
    to.read2("units", |game, at: Territory, kind: Unit| {
        game.units(at, kind)
    });
    to.read2("fight_class", |game, from: Territory, to: Territory| {
        meter::charge(game.board().degree(from) as u64);
        INT::from(game.fight_class(from, to))
    });
    to.read1("strength", |game, player: Player| {
        meter::charge((game.board().len() * (1 + game.decl().units.len())) as u64);
        game.strength(player)
    });
    to.read1("all_units", |game, at: Territory| {
        kinds(game)
            .map(|kind| int(game.units(at, kind)))
            .sum::<INT>()
    });
    to.read1("kinds_at", |game, at: Territory| {
        let there = kinds(game).filter(|&kind| game.units(at, kind) > 0);
        array(there.map(|kind| kind.index() as INT))
    });
    to.read1("total", |game, kind: Unit| {
        look_at(game.board());
        let all = game.board().territories();
        all.map(|at| int(game.units(at, kind))).sum::<INT>()
    });
}

fn own_reads<T: GameAccess<Scope = GameState>>(to: &mut Functions<'_, T>) {
    to.read1("owned", |game, player: Player| {
        look_at(game.board());
        territories(game.owned(player))
    });
    to.read1("territories", |game, player: Player| {
        game.territory_count(player)
    });
    to.read1("bonus", |game, player: Player| {
        meter::charge(game.board().all_group_work());
        phases::bonus(game, player)
    });
    to.read2("holds", |game, player: Player, number: Group| {
        meter::charge(game.board().group_work(number));
        game.holds(player, number)
    });
    to.read1("fronts", |game, player: Player| {
        look_along_borders(game.board());
        territories(game.owned(player).filter(|&at| is_front(game, player, at)))
    });
    // Returns the player's territories with more than one army and a neighbour that is free or
    // belongs to another player.
    to.read1("attackers", |game, player: Player| {
        look_along_borders(game.board());
        let can_attack = |&at: &Territory| game.armies(at) > 1 && is_front(game, player, at);
        territories(game.owned(player).filter(can_attack))
    });
    to.read2("owned_with", |game, player: Player, kind: Unit| {
        look_at(game.board());
        territories(game.owned(player).filter(|&at| game.units(at, kind) > 0))
    });
}

fn near_reads<T: GameAccess<Scope = GameState>>(to: &mut Functions<'_, T>) {
    /// Returns the territories next to a territory whose owners fit.
    fn near(
        game: &GameState,
        near: OpenBorders<'_>,
        fits: impl Fn(Option<Player>) -> bool,
    ) -> Array {
        territories(near.filter(|&to| fits(game.owner(to))))
    }
    to.read2("foes", |game, player: Player, at: Territory| {
        near(game, game.attack_borders(player, at), |owner| {
            owner != Some(player)
        })
    });
    to.read2("friends", |game, player: Player, at: Territory| {
        near(game, game.move_borders(player, at), |owner| {
            owner == Some(player)
        })
    });
    to.read2("enemies", |game, player: Player, at: Territory| {
        let is_other = |owner: Option<Player>| owner.is_some_and(|owner| owner != player);
        near(game, game.attack_borders(player, at), is_other)
    });
    to.read3(
        "leads",
        |game, player: Player, from: Territory, to: Territory| {
            meter::charge(game.board().degree(from) as u64);
            game.can_attack_over(player, from, to)
        },
    );
    // Returns the neighbours that are free or belong to the player.
    to.read2("open", |game, player: Player, at: Territory| {
        let is_open = |owner: Option<Player>| owner.is_none_or(|owner| owner == player);
        near(game, game.move_borders(player, at), is_open)
    });
}

fn add_booked(
    game: &GameState,
    player: Player,
    verbs: &Map,
    sign: i64,
    sums: &mut [i64],
) -> NativeResult<()> {
    for (name, slot) in verbs {
        let verb = verb_named(game.decl(), name)?;
        let slots = &game.decl().verbs[verb.index()].slots;
        let find = |name: &str| named(name, "parameter", slots.iter().map(|slot| slot.0.as_str()));
        let slot = slot
            .clone()
            .into_string()
            .or_else(|_| fail("the name of a parameter must be a string"))?;
        let by = find(&slot)?;
        let of = find("armies")?;
        for order in game
            .book()
            .iter()
            .filter(|order| order.player == player && order.action.verb == verb)
        {
            let at = territory(game.board(), int(order.action.args()[by]))?;
            sums[at.index()] += sign * int(order.action.args()[of]);
        }
    }
    Ok(())
}

fn is_front(game: &GameState, player: Player, at: Territory) -> bool {
    game.attack_borders(player, at)
        .any(|to| !game.owns(player, to))
}

fn kept_reads<T: GameAccess<Scope = GameState>>(to: &mut Functions<'_, T>) {
    fn cards(pile: &[Card]) -> Array {
        array(pile.iter().map(|card| card.0))
    }
    to.read1("get", |game, kept: Counter| game.counter(kept, None));
    to.read2("get", |game, of: Option<Player>, kept: Counter| {
        game.counter(kept, of)
    });
    to.read2("mark", |game, at: Territory, mark: Mark| {
        game.mark(at, mark)
    });
    to.read1("count", |game, on: Pile| game.pile(on, None).len());
    to.read2("count", |game, of: Option<Player>, on: Pile| {
        game.pile(on, of).len()
    });
    to.read1("cards", |game, on: Pile| cards(game.pile(on, None)));
    to.read2("cards", |game, of: Option<Player>, on: Pile| {
        cards(game.pile(on, of))
    });
    // Returns the top card of a pile, or -1 if the pile is empty.
    to.read2("top", |game, of: Option<Player>, on: Pile| {
        game.pile(on, of).last().copied()
    });
    to.read3(
        "has_card",
        |game, of: Option<Player>, on: Pile, which: Card| {
            meter::charge(game.decl().cards.len() as u64 / 4);
            game.pile(on, of).contains(&which)
        },
    );
    to.get("all_cards", |game| {
        array((0..game.decl().cards.len()).map(|card| card as i64))
    });
}
