//! The functions that find paths on the map, for every surface.

use rhai::{Array, INT};

use super::calls::{Functions, GameAccess, Scope};
use super::{NativeResult, territories, territory, whole};
use crate::script::meter;
use rhai_guard::Natives;
use risk_kernel::board::Board;
use risk_kernel::id::Territory;
use risk_kernel::routes::{self, Region};

/// The work of a search for each territory and border that it may examine.
const SEARCH: u64 = 8;
/// The work for each territory and border in a search that builds a graph.
const BUILD: u64 = 48;

pub(super) fn register<T: GameAccess>(engine: &mut Natives) {
    let to = &mut Functions::<T>::new(engine);
    to.read2("distance", |game, from: Territory, to: Territory| {
        Ok(path(game, from, to, None)?.len() as INT - 1)
    });
    to.read3(
        "distance",
        |game, from: Territory, to: Territory, through: Array| {
            Ok(path(game, from, to, Some(&through))?.len() as INT - 1)
        },
    );
    to.read2("path", |game, from: Territory, to: Territory| {
        Ok(territories(path(game, from, to, None)?))
    });
    to.read3(
        "path",
        |game, from: Territory, to: Territory, through: Array| {
            Ok(territories(path(game, from, to, Some(&through))?))
        },
    );
    to.read2("component", |game, at: Territory, within: Array| {
        let within = region(game.board(), &within)?;
        look_around(game.board(), SEARCH)?;
        Ok(territories(routes::component(
            game.board(),
            |from| game.borders_from(from),
            at,
            &within,
        )))
    });
    to.read1("cuts", |game, within: Array| {
        let within = region(game.board(), &within)?;
        look_around(game.board(), BUILD)?;
        Ok(territories(routes::cuts(
            game.board(),
            |from| game.borders_from(from),
            &within,
        )))
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
    game: &impl Scope,
    from: Territory,
    to: Territory,
    through: Option<&Array>,
) -> NativeResult<Vec<Territory>> {
    let board = game.board();
    let through = match through {
        Some(list) => region(board, list)?,
        None => Region::all(board),
    };
    look_around(board, SEARCH)?;
    Ok(routes::path(board, |at| game.borders_from(at), from, to, &through).unwrap_or_default())
}
