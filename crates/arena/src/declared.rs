//! The parts of a match that its ruleset declares: counters, cards, kinds of units and pending
//! orders. Parts that are hidden from a player are omitted until the match is over.

use serde_json::{Value, json};

use risk_kernel::declare::{CounterDecl, Visibility};
use risk_kernel::id::{Card, Counter, Pile, Player, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::Words;

/// Returns all declared parts in their current state, with their titles: `null` for a part that
/// screens don't show. `over` says whether the match is over.
pub(super) fn declared(game: &GameState, over: bool) -> Value {
    let decl = game.decl();
    let sees = |info: &CounterDecl| over || info.seen == Visibility::All;
    let counters = decl.counters.iter().enumerate();
    let counters = counters.filter(|(_, info)| sees(info));
    let piles = decl.piles.iter().enumerate();
    let words = Words::new(game.board(), decl);
    let units = (0..decl.units.len()).map(|unit| words.unit(Unit::from_index(unit), 2));
    json!({
        "units": units.collect::<Vec<_>>(),
        "counters": counters
            .map(|(index, info)| counter(game, Counter::from_index(index), info))
            .collect::<Vec<_>>(),
        "piles": piles
            .map(|(index, info)| pile(game, Pile::from_index(index), info, sees(info)))
            .collect::<Vec<_>>(),
        "orders": orders(game),
    })
}

/// Returns the number of units of each kind by territory, or an empty list if there is only one
/// kind.
pub(super) fn stacks(game: &GameState) -> Vec<Vec<i32>> {
    let kinds = game.decl().units.len();
    if kinds < 2 {
        return Vec::new();
    }
    let stack = |at| {
        let units = (0..kinds).map(|unit| game.units(at, Unit::from_index(unit)));
        units.collect()
    };
    game.board().territories().map(stack).collect()
}

fn counter(game: &GameState, counter: Counter, info: &CounterDecl) -> Value {
    let title = Words::new(game.board(), game.decl()).counter_title(counter);
    let players = game
        .seats()
        .map(|player| game.counter(counter, Some(player)));
    json!({
        "name": info.name,
        "title": title,
        "table": game.counter(counter, None),
        "players": players.collect::<Vec<_>>(),
    })
}

fn pile(game: &GameState, pile: Pile, info: &CounterDecl, seen: bool) -> Value {
    let words = Words::new(game.board(), game.decl());
    let title = words.pile(pile);
    let name = |card: &Card| &game.decl().cards[card.index()].name;
    let held = |of: Option<Player>| {
        let cards = game.pile(pile, of);
        let names = seen.then(|| cards.iter().map(name).collect::<Vec<_>>());
        let titles = cards.iter().map(|&card| words.card(card));
        let titles = seen.then(|| titles.collect::<Vec<_>>());
        json!({ "count": cards.len(), "cards": names, "titles": titles })
    };
    let players = game.seats().map(|player| held(Some(player)));
    json!({
        "name": info.name,
        "title": title,
        "table": held(None),
        "players": players.collect::<Vec<_>>(),
    })
}

/// Returns the number of pending orders by player. Only the player knows the orders themselves.
fn orders(game: &GameState) -> Vec<usize> {
    let of = |player: Player| {
        let all = game.book().iter();
        all.filter(|order| order.player == player).count()
    };
    game.seats().map(of).collect()
}
