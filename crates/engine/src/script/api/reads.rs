//! The functions that read the whole game, on the objects `Facts` and `Game`.

use rhai::{Engine, INT, Map};

use super::{
    GameAccess, NativeResult, array, card, continent, counter, fail, find_player, holder, int, ok,
    pile, seat, territories, territory, unit,
};
use crate::script::meter;
use risk_kernel::event::Status;
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::phases;
use risk_kernel::state::GameState;
use risk_kernel::words::Words;

pub(super) fn register<T: GameAccess>(engine: &mut Engine) {
    territory_reads::<T>(engine);
    kept_reads::<T>(engine);
    engine.register_get("round", |it: &mut T| it.game(|game| int(game.round())));
    engine.register_get("turn", |it: &mut T| it.game(|game| int(game.turn())));
    engine.register_get("mover", |it: &mut T| it.game(|game| seat(game.mover())));
    engine.register_fn("arg", |it: &mut T, number: INT| {
        it.game(|game| match (usize::try_from(number), game.frame()) {
            (Ok(number @ 1..=3), Some(frame)) => Ok(int(frame.args[number - 1])),
            _ => fail("`arg(n)` expects 1, 2 or 3"),
        })
    });
    // Returns the territories of others next to a player's territories, without duplicates.
    engine.register_fn("reach", |it: &mut T, player: INT| {
        it.game(|game| {
            let player = find_player(game.players(), player)?;
            super::look_along_borders(game.board());
            let near = |at: &Territory| {
                game.board()
                    .neighbours(*at)
                    .iter()
                    .any(|&next| game.owns(player, next))
            };
            ok(territories(
                game.board()
                    .territories()
                    .filter(|at| !game.owns(player, *at) && near(at)),
            ))
        })
    });
    player_reads::<T>(engine);
    order_reads::<T>(engine);
}

fn player_reads<T: GameAccess>(engine: &mut Engine) {
    engine.register_fn("playing", |it: &mut T, player: INT| {
        it.game(|game| ok(game.status(find_player(game.players(), player)?) == Status::Playing))
    });
    engine.register_fn("standing", |it: &mut T, player: INT| {
        it.game(|game| ok(game.status(find_player(game.players(), player)?) != Status::Eliminated))
    });
    engine.register_fn("partners", |it: &mut T, player: INT| {
        it.game(|game| {
            let player = find_player(game.players(), player)?;
            let partners = game.team(player).without(player);
            ok(array(partners.iter().map(|partner| partner.0)))
        })
    });
    engine.register_get("players", |it: &mut T| {
        it.game(|game| array(game.seats().map(|player| player.0)))
    });
    engine.register_get("active", |it: &mut T| {
        it.game(|game| array(game.playing().iter().map(|player| player.0)))
    });
}

fn order_reads<T: GameAccess>(engine: &mut Engine) {
    engine.register_get("orders", |it: &mut T| {
        it.game(|game| game.book().len() as INT)
    });
    // Returns for each territory the number of its armies, plus the armies that a player's stored
    // orders with the verbs `bring` add, minus those that orders with the verbs `take` remove,
    // minus `stay`. Each verb is mapped to the parameter that names the territory.
    engine.register_fn(
        "armies_after",
        |it: &mut T, player: INT, stay: INT, bring: Map, take: Map| {
            it.game(|game| {
                let player = find_player(game.players(), player)?;
                super::look_at(game.board());
                // Each verb is looked up by name, and then its stored orders are looked up.
                let each = 2 * (game.book().len() + game.decl().verbs.len());
                meter::afford((each * (bring.len() + take.len())) as u64)?;
                let armies = |at| int(game.armies(at)).saturating_sub(stay);
                let mut sums: Vec<i64> = game.board().territories().map(armies).collect();
                add_booked(game, player, &bring, 1, &mut sums)?;
                add_booked(game, player, &take, -1, &mut sums)?;
                ok(array(sums))
            })
        },
    );
    engine.register_fn("words", |it: &mut T, order: super::ActionValue| {
        it.game(|game| {
            let words = Words::new(game.board(), game.decl()).sentence(order.action());
            meter::charge(words.len() as u64);
            words
        })
    });
    engine.register_fn("order_of", |it: &mut T, index: INT| {
        it.game(|game| {
            ok(int(game.book()
                [super::index(index, game.book().len(), "order")?]
            .player
            .0))
        })
    });
    engine.register_fn(
        "order",
        |it: &mut T, index: INT| -> NativeResult<super::ActionValue> {
            it.game(|game| {
                let order = game.book()[super::index(index, game.book().len(), "order")?];
                Ok(super::ActionValue::new(order.action, game.decl()))
            })
        },
    );
}

fn territory_reads<T: GameAccess>(engine: &mut Engine) {
    engine.register_fn("owner", |it: &mut T, at: INT| {
        it.game(|game| ok(seat(game.owner(territory(game.board(), at)?))))
    });
    engine.register_get("free", |it: &mut T| {
        it.game(|game| {
            territories(
                game.board()
                    .territories()
                    .filter(|&at| game.owner(at).is_none()),
            )
        })
    });
    sights::<T>(engine);
    near_reads::<T>(engine);
    armies_reads::<T>(engine);
    own_reads::<T>(engine);
}

fn armies_reads<T: GameAccess>(engine: &mut Engine) {
    engine.register_fn("armies", |it: &mut T, at: INT| {
        it.game(|game| ok(int(game.armies(territory(game.board(), at)?))))
    });
    engine.register_fn("units", |it: &mut T, at: INT, kind: INT| {
        it.game(|game| {
            ok(int(game.units(
                territory(game.board(), at)?,
                unit(game.decl(), kind)?,
            )))
        })
    });
    engine.register_fn("strength", |it: &mut T, player: INT| {
        it.game(|game| {
            let kinds = game.decl().units.len();
            meter::charge((game.board().len() * (1 + kinds)) as u64);
            ok(game.strength(find_player(game.players(), player)?))
        })
    });
    engine.register_fn("all_units", |it: &mut T, at: INT| {
        it.game(|game| {
            let at = territory(game.board(), at)?;
            ok((0..game.decl().units.len())
                .map(|kind| int(game.units(at, Unit::from_index(kind))))
                .sum::<INT>())
        })
    });
    engine.register_fn("kinds_at", |it: &mut T, at: INT| {
        it.game(|game| {
            let at = territory(game.board(), at)?;
            let kinds = (0..game.decl().units.len()).map(Unit::from_index);
            let there = kinds.filter(|&kind| game.units(at, kind) > 0);
            ok(array(there.map(|kind| kind.index() as INT)))
        })
    });
    engine.register_fn("total", |it: &mut T, kind: INT| {
        it.game(|game| {
            let kind: Unit = unit(game.decl(), kind)?;
            super::look_at(game.board());
            ok(game
                .board()
                .territories()
                .map(|at| int(game.units(at, kind)))
                .sum::<INT>())
        })
    });
}

fn own_reads<T: GameAccess>(engine: &mut Engine) {
    engine.register_fn("owned", |it: &mut T, player: INT| {
        it.game(|game| {
            super::look_at(game.board());
            let player = find_player(game.players(), player)?;
            ok(territories(game.owned(player)))
        })
    });
    engine.register_fn("territories", |it: &mut T, player: INT| {
        it.game(|game| {
            let player = find_player(game.players(), player)?;
            ok(int(game.territory_count(player)))
        })
    });
    engine.register_fn("bonus", |it: &mut T, player: INT| {
        it.game(|game| {
            super::look_at(game.board());
            meter::charge(game.board().continents().len() as u64);
            ok(phases::bonus(game, find_player(game.players(), player)?))
        })
    });
    engine.register_fn("holds", |it: &mut T, player: INT, number: INT| {
        it.game(|game| {
            let number = continent(game.board(), number)?;
            meter::charge(game.board().members(number).len() as u64);
            ok(game.holds(find_player(game.players(), player)?, number))
        })
    });
    engine.register_fn("fronts", |it: &mut T, player: INT| {
        it.game(|game| {
            let player = find_player(game.players(), player)?;
            super::look_along_borders(game.board());
            ok(territories(
                game.owned(player).filter(|&at| is_front(game, player, at)),
            ))
        })
    });
    // Returns the player's territories with more than one army and a neighbour that is free or
    // belongs to another player.
    engine.register_fn("attackers", |it: &mut T, player: INT| {
        it.game(|game| {
            let player = find_player(game.players(), player)?;
            super::look_along_borders(game.board());
            ok(territories(game.owned(player).filter(|&at| {
                game.armies(at) > 1 && is_front(game, player, at)
            })))
        })
    });
    engine.register_fn("owned_with", |it: &mut T, player: INT, kind: INT| {
        it.game(|game| {
            let player = find_player(game.players(), player)?;
            let kind = unit(game.decl(), kind)?;
            super::look_at(game.board());
            ok(territories(
                game.owned(player).filter(|&at| game.units(at, kind) > 0),
            ))
        })
    });
}

fn sights<T: GameAccess>(engine: &mut Engine) {
    engine.register_fn("sees", |it: &mut T, player: INT, at: INT| {
        it.game(|game| {
            let at = territory(game.board(), at)?;
            super::look_next_to(game.board(), at);
            ok(game.sees_owner(find_player(game.players(), player)?, at))
        })
    });
    engine.register_fn("sees_armies", |it: &mut T, player: INT, at: INT| {
        it.game(|game| {
            let at = territory(game.board(), at)?;
            super::look_next_to(game.board(), at);
            ok(game.sees_units(find_player(game.players(), player)?, at))
        })
    });
}

fn near_reads<T: GameAccess>(engine: &mut Engine) {
    engine.register_fn("foes", |it: &mut T, player: INT, at: INT| {
        it.game(|game| {
            let player = find_player(game.players(), player)?;
            let at = territory(game.board(), at)?;
            ok(territories(
                game.board()
                    .neighbours(at)
                    .iter()
                    .copied()
                    .filter(|&to| !game.owns(player, to)),
            ))
        })
    });
    engine.register_fn("friends", |it: &mut T, player: INT, at: INT| {
        it.game(|game| {
            let player = find_player(game.players(), player)?;
            let at = territory(game.board(), at)?;
            ok(territories(
                game.board()
                    .neighbours(at)
                    .iter()
                    .copied()
                    .filter(|&to| game.owns(player, to)),
            ))
        })
    });
    engine.register_fn("enemies", |it: &mut T, player: INT, at: INT| {
        it.game(|game| {
            let player = find_player(game.players(), player)?;
            let at = territory(game.board(), at)?;
            let near = game.board().neighbours(at).iter().copied();
            ok(territories(near.filter(|&to| {
                game.owner(to).is_some_and(|owner| owner != player)
            })))
        })
    });
    // Returns the neighbours that are free or belong to the player.
    engine.register_fn("open", |it: &mut T, player: INT, at: INT| {
        it.game(|game| {
            let player = find_player(game.players(), player)?;
            let at = territory(game.board(), at)?;
            let near = game.board().neighbours(at).iter().copied();
            ok(territories(near.filter(|&to| {
                game.owner(to).is_none_or(|owner| owner == player)
            })))
        })
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
        let verb = super::verb_named(game.decl(), name)?;
        let slots = &game.decl().verbs[verb.index()].slots;
        let find =
            |name: &str| super::named(name, "parameter", slots.iter().map(|slot| slot.0.as_str()));
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
    game.board()
        .neighbours(at)
        .iter()
        .any(|&to| !game.owns(player, to))
}

fn kept_reads<T: GameAccess>(engine: &mut Engine) {
    engine.register_fn("get", |it: &mut T, kept: INT| {
        it.game(|game| ok(game.counter(counter(game.decl(), kept)?, None)))
    });
    engine.register_fn("get", |it: &mut T, player: INT, kept: INT| {
        it.game(|game| {
            ok(game.counter(counter(game.decl(), kept)?, holder(game.players(), player)?))
        })
    });
    engine.register_fn("count", |it: &mut T, on: INT| {
        it.game(|game| ok(game.pile(pile(game.decl(), on)?, None).len() as INT))
    });
    engine.register_fn("count", |it: &mut T, player: INT, on: INT| {
        it.game(|game| {
            ok(game
                .pile(pile(game.decl(), on)?, holder(game.players(), player)?)
                .len() as INT)
        })
    });
    engine.register_fn("cards", |it: &mut T, on: INT| {
        it.game(|game| {
            ok(array(
                game.pile(pile(game.decl(), on)?, None)
                    .iter()
                    .map(|card| card.0),
            ))
        })
    });
    engine.register_fn("cards", |it: &mut T, player: INT, on: INT| {
        it.game(|game| {
            ok(array(
                game.pile(pile(game.decl(), on)?, holder(game.players(), player)?)
                    .iter()
                    .map(|card| card.0),
            ))
        })
    });
    // Returns the top card of a pile, or -1 if the pile is empty.
    engine.register_fn("top", |it: &mut T, player: INT, on: INT| {
        it.game(|game| {
            let pile = game.pile(pile(game.decl(), on)?, holder(game.players(), player)?);
            ok(pile.last().map_or(-1, |card| int(card.0)))
        })
    });
    engine.register_fn(
        "has_card",
        |it: &mut T, player: INT, on: INT, which: INT| {
            it.game(|game| {
                let which = card(game.decl(), which)?;
                meter::charge(game.decl().cards.len() as u64 / 4);
                ok(game
                    .pile(pile(game.decl(), on)?, holder(game.players(), player)?)
                    .contains(&which))
            })
        },
    );
    engine.register_get("all_cards", |it: &mut T| {
        it.game(|game| array((0..game.decl().cards.len()).map(|card| card as i64)))
    });
}
