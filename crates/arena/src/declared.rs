//! What a match has besides land and armies, by what its ruleset declares: counters, cards, kinds
//! of units, orders that wait. What players do not all see is left out until the match is over.

use serde_json::{Value, json};

use risk_kernel::declare::{CounterDecl, Visibility};
use risk_kernel::id::{Card, Counter, Pile, Player, Unit};
use risk_kernel::state::GameState;

/// Everything that the ruleset declares, as it stands; `over` says whether the match is.
pub(super) fn declared(game: &GameState, over: bool) -> Value {
    let decl = game.decl();
    let sees = |info: &CounterDecl| over || info.seen == Visibility::All;
    let counters = decl.counters.iter().enumerate();
    let counters = counters.filter(|(_, info)| sees(info));
    let piles = decl.piles.iter().enumerate();
    json!({
        "units": decl.units,
        "counters": counters
            .map(|(index, info)| counter(game, Counter::from_index(index), info))
            .collect::<Vec<_>>(),
        "piles": piles
            .map(|(index, info)| pile(game, Pile::from_index(index), info, sees(info)))
            .collect::<Vec<_>>(),
        "orders": orders(game),
    })
}

/// Of each territory, how many units of each kind are there; empty where there is one kind.
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
    let players = game
        .seats()
        .map(|player| game.counter(counter, Some(player)));
    json!({
        "name": info.name,
        "table": game.counter(counter, None),
        "players": players.collect::<Vec<_>>(),
    })
}

fn pile(game: &GameState, pile: Pile, info: &CounterDecl, seen: bool) -> Value {
    let decl = game.decl();
    let name = |card: &Card| decl.cards[card.index()].name.as_str();
    let held = |of: Option<Player>| {
        let cards = game.pile(pile, of);
        let names = seen.then(|| cards.iter().map(name).collect::<Vec<_>>());
        json!({ "count": cards.len(), "cards": names })
    };
    let players = game.seats().map(|player| held(Some(player)));
    json!({ "name": info.name, "table": held(None), "players": players.collect::<Vec<_>>() })
}

/// How many orders of each player wait: what they are, only that player knows.
fn orders(game: &GameState) -> Vec<usize> {
    let of = |player: Player| {
        let all = game.book().iter();
        all.filter(|order| order.player == player).count()
    };
    game.seats().map(of).collect()
}
