//! The functions that find paths on the map, for every surface.

use rhai::{Array, Engine, INT};

use super::{BoardAccess, NativeResult, ok, territories, territory, whole};
use crate::script::meter;
use risk_kernel::board::Board;
use risk_kernel::id::Territory;
use risk_kernel::routes::{self, Region};

/// The work of a search for each territory and border that it may examine.
const SEARCH: u64 = 8;
/// The work for each territory and border in a search that builds a graph.
const BUILD: u64 = 48;

pub(super) fn register<T: BoardAccess>(engine: &mut Engine) {
    engine.register_fn("distance", |it: &mut T, from: INT, to: INT| {
        it.with_board(|board, _| steps(path(board, from, to, None)))
    });
    engine.register_fn(
        "distance",
        |it: &mut T, from: INT, to: INT, through: Array| {
            it.with_board(|board, _| steps(path(board, from, to, Some(&through))))
        },
    );
    engine.register_fn("path", |it: &mut T, from: INT, to: INT| {
        it.with_board(|board, _| ok(territories(path(board, from, to, None)?)))
    });
    engine.register_fn("path", |it: &mut T, from: INT, to: INT, through: Array| {
        it.with_board(|board, _| ok(territories(path(board, from, to, Some(&through))?)))
    });
    engine.register_fn("component", |it: &mut T, at: INT, within: Array| {
        it.with_board(|board, _| {
            let at = territory(board, at)?;
            let within = region(board, &within)?;
            look_around(board, SEARCH)?;
            ok(territories(routes::component(board, at, &within)))
        })
    });
    engine.register_fn("cuts", |it: &mut T, within: Array| {
        it.with_board(|board, _| {
            let within = region(board, &within)?;
            look_around(board, BUILD)?;
            ok(territories(routes::cuts(board, &within)))
        })
    });
}

fn look_around(board: &Board, work: u64) -> NativeResult<()> {
    meter::afford(work * (board.len() + board.directed_borders()) as u64)
}

fn region(board: &Board, list: &Array) -> NativeResult<Region> {
    meter::afford(4 * list.len() as u64 + board.len() as u64)?;
    let territories = list
        .iter()
        .map(|at| territory(board, whole(at, "territories")?));
    Ok(Region::from_territories(
        board,
        territories.collect::<NativeResult<Vec<_>>>()?,
    ))
}

/// Returns a shortest path, or an empty array if none exists.
fn path(
    board: &Board,
    from: INT,
    to: INT,
    through: Option<&Array>,
) -> NativeResult<Vec<Territory>> {
    let from = territory(board, from)?;
    let to = territory(board, to)?;
    let through = match through {
        Some(list) => region(board, list)?,
        None => Region::all(board),
    };
    look_around(board, SEARCH)?;
    Ok(routes::path(board, from, to, &through).unwrap_or_default())
}

fn steps(path: NativeResult<Vec<Territory>>) -> NativeResult<INT> {
    Ok(path?.len() as INT - 1)
}
