//! The functions that change the game, on the object `Game`.

use rhai::{Array, Dynamic, Engine, INT, ImmutableString};

use super::{
    ActionValue, GameHandle, NativeResult, array, card, counter, fail, find_player, holder,
    look_next_to, number, phase, pile, rule, somebody, territory, unit, whole,
};
use crate::script::meter;
use risk_kernel::event::FightRound;
use risk_kernel::id::{Card, Player, PlayerSet, Unit};
use risk_kernel::phases::deals::{self, MOST_SCATTERED};
use risk_kernel::state::GameState;

pub(super) fn register(engine: &mut Engine) {
    territory_writes(engine);
    deals(engine);
    kept_writes(engine);
    card_writes(engine);
    chance(engine);
    flow(engine);
    story(engine);
}

fn change<T>(
    handle: &GameHandle,
    change: impl FnOnce(&mut GameState) -> NativeResult<T>,
) -> NativeResult<T> {
    change(&mut handle.0.borrow_mut())
}

fn territory_writes(engine: &mut Engine) {
    engine.register_fn("give", |g: &mut GameHandle, at: INT, player: INT| {
        change(g, |game| {
            let at = territory(game.board(), at)?;
            let player = somebody(game.players(), player)?;
            look_next_to(game.board(), at);
            game.set_owner(at, player);
            Ok(())
        })
    });
    engine.register_fn("add_armies", |g: &mut GameHandle, at: INT, armies: INT| {
        change(g, |game| {
            let at = territory(game.board(), at)?;
            rule(game.add_units(at, Unit::FIRST, number(armies)?))
        })
    });
    engine.register_fn(
        "add_units",
        |g: &mut GameHandle, at: INT, kind: INT, units: INT| {
            change(g, |game| {
                let at = territory(game.board(), at)?;
                let kind = unit(game.decl(), kind)?;
                rule(game.add_units(at, kind, number(units)?))
            })
        },
    );
    engine.register_fn(
        "move_armies",
        |g: &mut GameHandle, from: INT, to: INT, armies: INT| {
            change(g, |game| {
                let from = territory(game.board(), from)?;
                let to = territory(game.board(), to)?;
                rule(game.move_units(from, to, Unit::FIRST, number(armies)?))
            })
        },
    );
    engine.register_fn(
        "move_units",
        |g: &mut GameHandle, from: INT, to: INT, kind: INT, units: INT| {
            change(g, |game| {
                let from = territory(game.board(), from)?;
                let to = territory(game.board(), to)?;
                let kind = unit(game.decl(), kind)?;
                rule(game.move_units(from, to, kind, number(units)?))
            })
        },
    );
    engine.register_fn(
        "capture",
        |g: &mut GameHandle, from: INT, to: INT, armies: INT| {
            change(g, |game| {
                let from = territory(game.board(), from)?;
                let to = territory(game.board(), to)?;
                look_next_to(game.board(), to);
                rule(game.capture(from, to, Unit::FIRST, number(armies)?))
            })
        },
    );
}

fn deals(engine: &mut Engine) {
    // Deals all free territories to the players in random order, with one army on each.
    engine.register_fn("deal", |g: &mut GameHandle| {
        change(g, |game| {
            let board = game.board();
            meter::afford((8 * board.len()).max(board.directed_borders()) as u64)?;
            rule(deals::deal(game, Unit::FIRST))
        })
    });
    // Adds armies one by one to random territories of each player until each player has `each`
    // armies.
    engine.register_fn("scatter", |g: &mut GameHandle, each: INT| {
        change(g, |game| {
            let each = number(each)?;
            scatters(game, each, game.players())?;
            rule(deals::scatter_all(game, Unit::FIRST, each))
        })
    });
    // Adds armies one by one to random territories of a player.
    engine.register_fn("scatter", |g: &mut GameHandle, player: INT, armies: INT| {
        change(g, |game| {
            let player = find_player(game.players(), player)?;
            let armies = number(armies)?;
            scatters(game, armies, 1)?;
            rule(deals::scatter(game, player, Unit::FIRST, armies))
        })
    });
}

/// Charges for armies that are scattered one by one. A number that is rejected costs nothing.
fn scatters(game: &GameState, armies: i32, players: usize) -> NativeResult<()> {
    let each = u64::try_from(armies)
        .ok()
        .filter(|&armies| armies <= MOST_SCATTERED as u64)
        .unwrap_or(0);
    meter::afford(each * players as u64 + 8 * game.board().len() as u64)
}

fn kept_writes(engine: &mut Engine) {
    engine.register_fn("set", |g: &mut GameHandle, kept: INT, value: INT| {
        change(g, |game| {
            let kept = counter(game.decl(), kept)?;
            rule(game.set_counter(kept, None, value))
        })
    });
    engine.register_fn(
        "set",
        |g: &mut GameHandle, player: INT, kept: INT, value: INT| {
            change(g, |game| {
                let player = holder(game.players(), player)?;
                let kept = counter(game.decl(), kept)?;
                rule(game.set_counter(kept, player, value))
            })
        },
    );
    engine.register_fn("add", |g: &mut GameHandle, kept: INT, by: INT| {
        change(g, |game| {
            let kept = counter(game.decl(), kept)?;
            rule(game.add_counter(kept, None, by))
        })
    });
    engine.register_fn(
        "add",
        |g: &mut GameHandle, player: INT, kept: INT, by: INT| {
            change(g, |game| {
                let player = holder(game.players(), player)?;
                let kept = counter(game.decl(), kept)?;
                rule(game.add_counter(kept, player, by))
            })
        },
    );
}

fn card_writes(engine: &mut Engine) {
    engine.register_fn(
        "deal_among",
        |g: &mut GameHandle, me: INT, player: INT, on: INT, cards: Array| {
            change(g, |game| deal_among(game, me, player, on, &cards))
        },
    );
    engine.register_fn("fill", |g: &mut GameHandle, on: INT, cards: Array| {
        change(g, |game| fill(game, on, -1, &cards))
    });
    engine.register_fn(
        "fill",
        |g: &mut GameHandle, player: INT, on: INT, cards: Array| {
            change(g, |game| fill(game, on, player, &cards))
        },
    );
    engine.register_fn("shuffle", |g: &mut GameHandle, on: INT| {
        change(g, |game| {
            let on = pile(game.decl(), on)?;
            meter::afford(2 * game.pile(on, None).len() as u64)?;
            game.shuffle(on, None);
            Ok(())
        })
    });
    engine.register_fn("shuffle", |g: &mut GameHandle, player: INT, on: INT| {
        change(g, |game| {
            let player = holder(game.players(), player)?;
            let on = pile(game.decl(), on)?;
            meter::afford(2 * game.pile(on, player).len() as u64)?;
            game.shuffle(on, player);
            Ok(())
        })
    });
    card_moves(engine);
}

fn card_moves(engine: &mut Engine) {
    // Moves the top card of a table's pile to a player's pile or another pile of the table. Returns
    // the card, or -1 if the pile is empty.
    engine.register_fn(
        "draw",
        |g: &mut GameHandle, player: INT, from: INT, to: INT| {
            change(g, |game| {
                let player = holder(game.players(), player)?;
                let from = pile(game.decl(), from)?;
                let to = pile(game.decl(), to)?;
                if player.is_none() && from == to {
                    return fail("can't move cards between a pile and itself");
                }
                Ok(rule(game.draw((from, None), (to, player)))?
                    .map_or(-1, |card| INT::from(card.0)))
            })
        },
    );
    engine.register_fn(
        "move_card",
        |g: &mut GameHandle, which: INT, from_who: INT, from: INT, to_who: INT, to: INT| {
            change(g, |game| {
                move_card(game, which, (from_who, from), (to_who, to), false)
            })
        },
    );
    engine.register_fn(
        "move_card_under",
        |g: &mut GameHandle, which: INT, from_who: INT, from: INT, to_who: INT, to: INT| {
            change(g, |game| {
                move_card(game, which, (from_who, from), (to_who, to), true)
            })
        },
    );
    // Moves all cards of a pile onto another pile, top card first. Returns their number.
    engine.register_fn(
        "move_cards",
        |g: &mut GameHandle, from_who: INT, from: INT, to_who: INT, to: INT| {
            change(g, |game| {
                let from = (
                    pile(game.decl(), from)?,
                    somebody(game.players(), from_who)?,
                );
                let to = (pile(game.decl(), to)?, somebody(game.players(), to_who)?);
                if from == to {
                    return fail("can't move cards between a pile and itself");
                }
                meter::afford(16 * game.pile(from.0, from.1).len() as u64)?;
                let mut moved = 0;
                while rule(game.draw(from, to))?.is_some() {
                    moved += 1;
                }
                Ok::<INT, _>(moved)
            })
        },
    );
}

fn deal_among(
    game: &mut GameState,
    me: INT,
    player: INT,
    on: INT,
    cards: &Array,
) -> NativeResult<()> {
    let on = pile(game.decl(), on)?;
    let me = find_player(game.players(), me)?;
    let player = somebody(game.players(), player)?;
    let all = game.decl().cards.len() * (1 + cards.len());
    let piles = game.decl().piles.len() * (game.players() + 1);
    meter::afford((all + piles) as u64)?;
    let cards = cards
        .iter()
        .map(|value| card(game.decl(), whole(value, "cards")?));
    let cards: Vec<Card> = cards.collect::<NativeResult<_>>()?;
    rule(game.deal_among(me, on, player, &cards))
}

fn fill(game: &mut GameState, on: INT, player: INT, cards: &Array) -> NativeResult<()> {
    let on = pile(game.decl(), on)?;
    let player = somebody(game.players(), player)?;
    // Examines all cards and all piles, because no card may be in two piles.
    let piles = game.decl().piles.len() * (game.players() + 1);
    meter::afford((8 * cards.len() + game.decl().cards.len() + piles) as u64)?;
    let cards = cards
        .iter()
        .map(|value| card(game.decl(), whole(value, "cards")?));
    let cards: Vec<Card> = cards.collect::<NativeResult<_>>()?;
    rule(game.fill(on, player, &cards))
}

fn move_card(
    game: &mut GameState,
    which: INT,
    from: (INT, INT),
    to: (INT, INT),
    under: bool,
) -> NativeResult<()> {
    let which = card(game.decl(), which)?;
    let from = (
        pile(game.decl(), from.1)?,
        somebody(game.players(), from.0)?,
    );
    let to = (pile(game.decl(), to.1)?, somebody(game.players(), to.0)?);
    // The digest is updated for each card whose position in its pile changes.
    let moved = if under { game.pile(to.0, to.1) } else { &[] };
    meter::charge((game.pile(from.0, from.1).len() + moved.len()) as u64);
    rule(game.move_card(which, from, to, under))
}

/// Converts a number of dice or sides. Negative numbers become 0, which the kernel refuses.
fn at_least_0(value: INT) -> NativeResult<usize> {
    Ok(number(value)?.max(0) as usize)
}

fn chance(engine: &mut Engine) {
    engine.register_fn("roll", |g: &mut GameHandle, sides: INT, dice: INT| {
        change(g, |game| {
            let (rolled, _) = rule(game.roll(at_least_0(sides)? as u32, at_least_0(dice)?, 0))?;
            Ok(array(rolled))
        })
    });
    // Returns the attack and defence dice of one round, each array in descending order.
    engine.register_fn(
        "roll",
        |g: &mut GameHandle, sides: INT, attack: INT, defend: INT| {
            change(g, |game| {
                let counts = (at_least_0(attack)?, at_least_0(defend)?);
                let (attack, defend) =
                    rule(game.roll(at_least_0(sides)? as u32, counts.0, counts.1))?;
                let sorted = |mut dice: Vec<u8>| {
                    dice.sort_unstable_by(|a, b| b.cmp(a));
                    Dynamic::from_array(array(dice))
                };
                Ok::<Array, _>(vec![sorted(attack), sorted(defend)])
            })
        },
    );
    engine.register_fn("hits", |g: &mut GameHandle, tries: INT, percent: INT| {
        change(g, |game| {
            meter::afford(tries.clamp(0, 1_000_000) as u64)?;
            Ok(INT::from(rule(
                game.try_chance(number(tries)?, number(percent)?),
            )?))
        })
    });
    engine.register_fn("random", |g: &mut GameHandle, bound: INT| {
        change(g, |game| Ok(rule(game.random(bound.max(0) as u64))? as INT))
    });
}

fn flow(engine: &mut Engine) {
    orders(engine);
    phases(engine);
    turns(engine);
    endings(engine);
}

fn phases(engine: &mut Engine) {
    engine.register_fn("push", |g: &mut GameHandle, which: INT, player: INT| {
        change(g, |game| push(game, which, player, &[]))
    });
    engine.register_fn(
        "push",
        |g: &mut GameHandle, which: INT, player: INT, args: Array| {
            change(g, |game| push(game, which, player, &args))
        },
    );
    engine.register_fn("push_all", |g: &mut GameHandle, which: INT| {
        change(g, |game| {
            let which = phase(game.decl(), which)?;
            rule(game.push(which, game.playing(), None, [0; 3]))
        })
    });
    engine.register_fn("done", |g: &mut GameHandle, player: INT| {
        change(g, |game| {
            let player = find_player(game.players(), player)?;
            game.leave(player);
            Ok(())
        })
    });
}

fn turns(engine: &mut Engine) {
    engine.register_fn("next_turn", |g: &mut GameHandle, after: INT| {
        change(g, |game| {
            let after = somebody(game.players(), after)?;
            rule(game.next_turn(after))
        })
    });
    engine.register_fn("turn_of", |g: &mut GameHandle, player: INT| {
        change(g, |game| {
            let player = find_player(game.players(), player)?;
            rule(game.turn_of(player))
        })
    });
    // Counts a round but opens no phases. Scripts open them with `push`.
    engine.register_fn("new_round", |g: &mut GameHandle| {
        change(g, |game| {
            game.new_round();
            Ok(())
        })
    });
    engine.register_fn("next_round", |g: &mut GameHandle| {
        change(g, |game| rule(game.next_round()))
    });
}

fn endings(engine: &mut Engine) {
    engine.register_fn("eliminate", |g: &mut GameHandle, player: INT| {
        change(g, |game| {
            let player = find_player(game.players(), player)?;
            game.eliminate(player);
            Ok(())
        })
    });
    engine.register_fn("neutralise", |g: &mut GameHandle, player: INT| {
        change(g, |game| {
            let player = find_player(game.players(), player)?;
            game.neutralise(player);
            Ok(())
        })
    });
    engine.register_fn("end", |g: &mut GameHandle, reason: &str, winners: Array| {
        change(g, |game| {
            meter::afford(winners.len() as u64)?;
            let mut set = PlayerSet::default();
            for winner in winners {
                let Ok(winner) = winner.as_int() else {
                    return fail("winners must be player numbers");
                };
                set = set.with(find_player(game.players(), winner)?);
            }
            if reason.is_empty()
                || reason.len() > 40
                || !reason
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c == '-' || c == '_')
            {
                return fail("the reason for the end must be one short lower-case word");
            }
            game.end(reason, set);
            Ok(())
        })
    });
}

fn orders(engine: &mut Engine) {
    engine.register_fn(
        "store",
        |g: &mut GameHandle, player: INT, order: ActionValue| {
            change(g, |game| {
                let player: Player = find_player(game.players(), player)?;
                rule(game.store(player, order.action()))
            })
        },
    );
    // Removes a stored order. `executes` announces its execution.
    engine.register_fn("unbook", |g: &mut GameHandle, index: INT| {
        change(g, |game| {
            let index = super::index(index, game.book().len(), "order")?;
            meter::charge(game.book().len() as u64 / 8);
            rule(game.unstore(index)).map(drop)
        })
    });
    engine.register_fn(
        "executes",
        |g: &mut GameHandle, player: INT, order: ActionValue| {
            change(g, |game| {
                let player = find_player(game.players(), player)?;
                game.executes(player, order.action());
                Ok(())
            })
        },
    );
    engine.register_fn("unstore", |g: &mut GameHandle, index: INT| {
        change(g, |game| {
            let index = super::index(index, game.book().len(), "order")?;
            meter::charge(game.book().len() as u64 / 8);
            let order = rule(game.unstore(index))?;
            Ok(ActionValue::new(order.action, game.decl()))
        })
    });
}

fn push(game: &mut GameState, which: INT, player: INT, args: &[Dynamic]) -> NativeResult<()> {
    let which = phase(game.decl(), which)?;
    let player = somebody(game.players(), player)?;
    if args.len() > 3 {
        return fail("`push` accepts at most 3 numbers");
    }
    let mut all = [0; 3];
    for (slot, value) in all.iter_mut().zip(args) {
        let Ok(value) = value.as_int() else {
            return fail("`push` accepts only integers");
        };
        *slot = number(value)?;
    }
    rule(game.push(
        which,
        player.map_or(PlayerSet::default(), PlayerSet::one),
        player,
        all,
    ))
}

/// Reports a round of a fight between two territories, with the losses of both sides. Without
/// `armies`, all units on the territories fight.
fn fought(
    game: &mut GameState,
    at: [INT; 2],
    armies: Option<[INT; 2]>,
    losses: [INT; 2],
) -> NativeResult<()> {
    let from = territory(game.board(), at[0])?;
    let to = territory(game.board(), at[1])?;
    let [attackers, defenders] = match armies {
        Some([attackers, defenders]) => [number(attackers)?, number(defenders)?],
        None => [game.all_units(from), game.all_units(to)],
    };
    let attacker_lost = number(losses[0])?;
    let defender_lost = number(losses[1])?;
    game.fought(|game| FightRound {
        from,
        to,
        attackers,
        standing: game.all_units(from),
        defenders,
        attacker_lost,
        defender_lost,
    });
    Ok(())
}

fn story(engine: &mut Engine) {
    engine.register_fn(
        "fought",
        |g: &mut GameHandle, from: INT, to: INT, lost: INT, killed: INT| {
            change(g, |game| fought(game, [from, to], None, [lost, killed]))
        },
    );
    engine.register_fn(
        "fought",
        |g: &mut GameHandle, from: INT, to: INT, a: INT, d: INT, lost: INT, killed: INT| {
            change(g, |game| {
                fought(game, [from, to], Some([a, d]), [lost, killed])
            })
        },
    );
    engine.register_fn(
        "say",
        |g: &mut GameHandle, player: INT, text: ImmutableString| {
            change(g, |game| {
                let player = somebody(game.players(), player)?;
                meter::charge(text.len() as u64);
                game.say(player, &text);
                Ok(())
            })
        },
    );
}
