//! The state of an execution of orders: the armies that can still move, and the players at peace.

use rhai::INT;

use super::{GameHandle, NativeResult, fail, find_player, int, number, territory};
use rhai_guard::Natives;
use risk_kernel::phases::ExecutionState;

pub(super) fn register(engine: &mut Natives) {
    engine.register_fn("ready", |g: &mut GameHandle, at: INT| {
        let at = territory(g.0.borrow().board(), at)?;
        with(g, |now| int(now.ready(at)))
    });
    engine.register_fn("set_ready", |g: &mut GameHandle, at: INT, armies: INT| {
        let at = territory(g.0.borrow().board(), at)?;
        let armies = number(armies)?;
        with(g, |now| now.set_ready(at, armies))
    });
    engine.register_fn("at_peace", |g: &mut GameHandle, one: INT, other: INT| {
        let players = g.0.borrow().players();
        // Nobody is at peace with free territories (-1).
        if one == -1 || other == -1 {
            return with(g, |_| false);
        }
        let one = find_player(players, one)?;
        let other = find_player(players, other)?;
        with(g, |now| now.at_peace(one, other))
    });
    engine.register_fn("make_peace", |g: &mut GameHandle, one: INT, other: INT| {
        let players = g.0.borrow().players();
        let one = find_player(players, one)?;
        let other = find_player(players, other)?;
        with(g, |now| now.make_peace(one, other))
    });
}

fn with<T>(g: &GameHandle, read: impl FnOnce(&mut ExecutionState) -> T) -> NativeResult<T> {
    match g.1.borrow_mut().as_mut() {
        Some(now) => Ok(read(now)),
        None => fail("only the hook `PHASE_play` of a standard execution can call this function"),
    }
}
