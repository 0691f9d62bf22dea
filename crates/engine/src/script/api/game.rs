//! The functions that change the game, on the object `Game`.

use rhai::{Array, Dynamic, INT, ImmutableString};

use super::calls::{Answer as _, Functions};
use super::{
    ActionValue, GameHandle, NativeResult, array, card, fail, find_player, index, int,
    look_next_to, number, rule, whole,
};
use crate::script::meter;
use rhai_guard::Natives;
use risk_kernel::event::FightRound;
use risk_kernel::id::{Card, Counter, Mark, Phase, Pile, Player, PlayerSet, Territory, Unit};
use risk_kernel::phases::deals::{self, MOST_SCATTERED};
use risk_kernel::state::GameState;

type GameFunctions<'e> = Functions<'e, GameHandle>;

pub(super) fn register(engine: &mut Natives) {
    let to = &mut GameFunctions::new(engine);
    territory_writes(to);
    deals(to);
    kept_writes(to);
    card_writes(to);
    chance(to);
    orders(to);
    phases(to);
    borders(to);
    turns(to);
    endings(to);
    story(to);
}

fn territory_writes(to: &mut GameFunctions<'_>) {
    to.change2("give", |game, at: Territory, player: Option<Player>| {
        look_next_to(game.board(), at);
        game.set_owner(at, player);
    });
    to.change2("add_armies", |game, at: Territory, armies: i32| {
        rule(game.add_units(at, Unit::FIRST, armies))
    });
    to.change3(
        "add_units",
        |game, at: Territory, kind: Unit, units: i32| rule(game.add_units(at, kind, units)),
    );
    to.change3(
        "move_armies",
        |game, from: Territory, to: Territory, armies: i32| {
            rule(game.move_units(from, to, Unit::FIRST, armies))
        },
    );
    to.change4(
        "move_units",
        |game, from: Territory, to: Territory, kind: Unit, units: i32| {
            rule(game.move_units(from, to, kind, units))
        },
    );
    to.change3(
        "capture",
        |game, from: Territory, to: Territory, armies: i32| {
            look_next_to(game.board(), to);
            rule(game.capture(from, to, Unit::FIRST, armies))
        },
    );
}

fn deals(to: &mut GameFunctions<'_>) {
    // Deals all free territories to the players in random order, with one army on each.
    to.change0("deal", |game| {
        let board = game.board();
        meter::afford((8 * board.len()).max(board.directed_borders()) as u64)?;
        rule(deals::deal(game, Unit::FIRST))
    });
    // Adds armies one by one to random territories of each player until each player has `each`
    // armies.
    to.change1("scatter", |game, each: i32| {
        scatters(game, each, game.players())?;
        rule(deals::scatter_all(game, Unit::FIRST, each))
    });
    // Adds armies one by one to random territories of a player.
    to.change2("scatter", |game, player: Player, armies: i32| {
        scatters(game, armies, 1)?;
        rule(deals::scatter(game, player, Unit::FIRST, armies))
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

fn kept_writes(to: &mut GameFunctions<'_>) {
    to.change2("set", |game, kept: Counter, value: INT| {
        rule(game.set_counter(kept, None, value))
    });
    to.change3(
        "set",
        |game, of: Option<Player>, kept: Counter, value: INT| {
            rule(game.set_counter(kept, of, value))
        },
    );
    to.change2("add", |game, kept: Counter, by: INT| {
        rule(game.add_counter(kept, None, by))
    });
    to.change3("add", |game, of: Option<Player>, kept: Counter, by: INT| {
        rule(game.add_counter(kept, of, by))
    });
    to.change3("set_mark", |game, at: Territory, mark: Mark, value: INT| {
        rule(game.set_mark(at, mark, value))
    });
    to.change3("add_mark", |game, at: Territory, mark: Mark, by: INT| {
        let now = i64::from(game.mark(at, mark)).saturating_add(by);
        rule(game.set_mark(at, mark, now))
    });
}

fn card_writes(to: &mut GameFunctions<'_>) {
    to.change4(
        "deal_among",
        |game, me, player: Option<Player>, on, cards: Array| {
            deal_among(game, me, player, on, &cards)
        },
    );
    to.change2("fill", |game, on: Pile, cards: Array| {
        fill(game, None, on, &cards)
    });
    to.change3(
        "fill",
        |game, of: Option<Player>, on: Pile, cards: Array| fill(game, of, on, &cards),
    );
    to.change1("shuffle", |game, on: Pile| shuffle(game, None, on));
    to.change2("shuffle", shuffle);
    card_moves(to);
}

fn card_moves(to: &mut GameFunctions<'_>) {
    // Moves the top card of a table's pile to a player's pile or another pile of the table. Returns
    // the card, or -1 if the pile is empty.
    to.change3("draw", |game, of: Option<Player>, from: Pile, to: Pile| {
        draw(game, (from, None), (to, of))?.answer()
    });
    to.change5(
        "move_card",
        |game, which: Card, of: Option<Player>, from: Pile, new: Option<Player>, to: Pile| {
            move_card(game, which, (from, of), (to, new), false)
        },
    );
    to.change5(
        "move_card_under",
        |game, which: Card, of: Option<Player>, from: Pile, new: Option<Player>, to: Pile| {
            move_card(game, which, (from, of), (to, new), true)
        },
    );
    // Moves all cards of a pile onto another pile, top card first. Returns their number.
    to.change4(
        "move_cards",
        |game, of: Option<Player>, from: Pile, new: Option<Player>, to: Pile| {
            let (from, to) = ((from, of), (to, new));
            meter::afford(16 * game.pile(from.0, from.1).len() as u64)?;
            let mut moved: INT = 0;
            while draw(game, from, to)?.is_some() {
                moved += 1;
            }
            Ok(moved)
        },
    );
}

type PileOf = (Pile, Option<Player>);

fn draw(game: &mut GameState, from: PileOf, to: PileOf) -> NativeResult<Option<Card>> {
    if from == to {
        return fail("can't move cards between a pile and itself");
    }
    rule(game.draw(from, to))
}

fn shuffle(game: &mut GameState, of: Option<Player>, on: Pile) -> NativeResult<()> {
    meter::afford(2 * game.pile(on, of).len() as u64)?;
    game.shuffle(on, of);
    Ok(())
}

fn deal_among(
    game: &mut GameState,
    me: Player,
    player: Option<Player>,
    on: Pile,
    cards: &Array,
) -> NativeResult<()> {
    let all = game.decl().cards.len() * (1 + cards.len());
    let piles = game.decl().piles.len() * (game.players() + 1);
    meter::afford((all + piles) as u64)?;
    let cards = card_list(game, cards)?;
    rule(game.deal_among(me, on, player, &cards))
}

fn fill(game: &mut GameState, player: Option<Player>, on: Pile, cards: &Array) -> NativeResult<()> {
    // Examines all cards and all piles, because no card may be in two piles.
    let piles = game.decl().piles.len() * (game.players() + 1);
    meter::afford((8 * cards.len() + game.decl().cards.len() + piles) as u64)?;
    let cards = card_list(game, cards)?;
    rule(game.fill(on, player, &cards))
}

fn card_list(game: &GameState, cards: &Array) -> NativeResult<Vec<Card>> {
    // A collected result would grow its list step by step.
    let mut list = Vec::with_capacity(cards.len());
    for value in cards {
        list.push(card(game.decl(), whole(value, "cards")?)?);
    }
    Ok(list)
}

fn move_card(
    game: &mut GameState,
    which: Card,
    from: PileOf,
    to: PileOf,
    under: bool,
) -> NativeResult<()> {
    // The digest is updated for each card whose position in its pile changes.
    let moved = if under { game.pile(to.0, to.1) } else { &[] };
    meter::charge((game.pile(from.0, from.1).len() + moved.len()) as u64);
    rule(game.move_card(which, from, to, under))
}

fn chance(to: &mut GameFunctions<'_>) {
    // Negative numbers of dice or sides become 0, which the kernel refuses.
    to.change2("roll", |game, sides: i32, dice: i32| {
        let (rolled, _) = rule(game.roll(sides.max(0) as u32, dice.max(0) as usize, 0))?;
        Ok(array(rolled))
    });
    // Returns the attack and defence dice of one round, each array in descending order.
    to.change3("roll", |game, sides: i32, attack: i32, defend: i32| {
        let [attack, defend] = [attack, defend].map(|dice| dice.max(0) as usize);
        let (attack, defend) = rule(game.roll(sides.max(0) as u32, attack, defend))?;
        let sorted = |mut dice: Vec<u8>| {
            dice.sort_unstable_by(|a, b| b.cmp(a));
            Dynamic::from_array(array(dice))
        };
        Ok::<Array, _>(vec![sorted(attack), sorted(defend)])
    });
    to.change2("hits", |game, tries: INT, percent: INT| {
        meter::afford(tries.clamp(0, 1_000_000) as u64)?;
        Ok(int(rule(
            game.try_chance(number(tries)?, number(percent)?),
        )?))
    });
    to.change1("random", |game, bound: INT| {
        Ok(rule(game.random(bound.max(0) as u64))? as INT)
    });
}

fn phases(to: &mut GameFunctions<'_>) {
    to.change2("push", |game, which: Phase, of: Option<Player>| {
        push(game, which, of, &[])
    });
    to.change3(
        "push",
        |game, which: Phase, of: Option<Player>, args: Array| push(game, which, of, &args),
    );
    to.change1("push_all", |game, which: Phase| {
        rule(game.push(which, game.playing(), None, [0; 3]))
    });
    to.change1("done", |game, player: Player| game.leave(player));
}

fn borders(to: &mut GameFunctions<'_>) {
    to.change2("bombard", |game, from: Territory, to: Territory| {
        game.bombard(from, to)
    });
    for (name, open) in [("open_border", true), ("close_border", false)] {
        to.change2(name, move |game, from: Territory, to: Territory| {
            meter::charge(game.board().directed_borders() as u64 / 16);
            rule(game.set_open(from, to, open))
        });
    }
}

fn turns(to: &mut GameFunctions<'_>) {
    to.change1("next_turn", |game, after: Option<Player>| {
        rule(game.next_turn(after))
    });
    to.change1("turn_of", |game, player: Player| rule(game.turn_of(player)));
    // Counts a round but opens no phases. Scripts open them with `push`.
    to.change0("new_round", |game| rule(game.new_round()));
    to.change0("next_round", |game| rule(game.next_round()));
}

fn endings(to: &mut GameFunctions<'_>) {
    to.change1("eliminate", |game, player: Player| game.eliminate(player));
    to.change1("neutralise", |game, player: Player| game.neutralise(player));
    to.change2("end", |game, reason: ImmutableString, winners: Array| {
        meter::afford(winners.len() as u64)?;
        let mut set = PlayerSet::default();
        for winner in winners {
            let Ok(winner) = winner.as_int() else {
                return fail("winners must be player numbers");
            };
            set = set.with(find_player(game.players(), winner)?);
        }
        let is_letter = |c: char| c.is_ascii_lowercase() || c == '-' || c == '_';
        if reason.is_empty() || reason.len() > 40 || !reason.chars().all(is_letter) {
            return fail("the reason for the end must be one short lower-case word");
        }
        game.end(&reason, set);
        Ok(())
    });
}

fn orders(to: &mut GameFunctions<'_>) {
    fn unstore(game: &mut GameState, number: INT) -> NativeResult<ActionValue> {
        let at = index(number, game.book().len(), "order")?;
        meter::charge(game.book().len() as u64 / 8);
        let order = rule(game.unstore(at))?;
        Ok(ActionValue::new(order.action, game.decl()))
    }
    to.change2("store", |game, player: Player, order: ActionValue| {
        rule(game.store(player, order.action()))
    });
    // Removes a stored order. `executes` announces its execution.
    to.change1("unbook", |game, number: INT| {
        unstore(game, number).map(drop)
    });
    to.change2("executes", |game, player: Player, order: ActionValue| {
        game.executes(player, order.action());
    });
    to.change1("unstore", unstore);
}

fn push(
    game: &mut GameState,
    which: Phase,
    player: Option<Player>,
    args: &[Dynamic],
) -> NativeResult<()> {
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
    let asked = player.map_or(PlayerSet::default(), PlayerSet::one);
    rule(game.push(which, asked, player, all))
}

/// Reports a round of a fight between two territories, with the losses of both sides. Without
/// `armies`, all units on the territories fight.
fn fought(
    game: &mut GameState,
    [from, to]: [Territory; 2],
    armies: Option<[i32; 2]>,
    [attacker_lost, defender_lost]: [i32; 2],
) {
    let all = || [game.all_units(from), game.all_units(to)];
    let [attackers, defenders] = armies.unwrap_or_else(all);
    game.fought(|game| FightRound {
        from,
        to,
        attackers,
        standing: game.all_units(from),
        defenders,
        attacker_lost,
        defender_lost,
    });
}

fn story(to: &mut GameFunctions<'_>) {
    to.change4(
        "fought",
        |game, from: Territory, to: Territory, lost: i32, killed: i32| {
            fought(game, [from, to], None, [lost, killed]);
        },
    );
    to.change6(
        "fought",
        |game, from: Territory, to: Territory, a: i32, d: i32, lost: i32, killed: i32| {
            fought(game, [from, to], Some([a, d]), [lost, killed]);
        },
    );
    to.change2(
        "say",
        |game, player: Option<Player>, text: ImmutableString| {
            meter::charge(text.len() as u64);
            game.say(player, &text);
        },
    );
}
