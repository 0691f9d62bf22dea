//! The functions that read the map, for every surface: borders, names, continents.

use std::collections::BTreeMap;

use rhai::{Array, Dynamic, INT, ImmutableString};

use super::calls::{Functions, GameAccess, Scope as _};
use super::{NativeResult, array, fail, int, look_at, territories, territory, unknown, whole};
use crate::script::meter;
use rhai_guard::Natives;
use risk_kernel::board::{Board, Datum};
use risk_kernel::borders::BorderInfo;
use risk_kernel::id::{Card, Group, Territory};

pub(super) fn register<T: GameAccess>(engine: &mut Natives) {
    let to = &mut Functions::<T>::new(engine);
    borders(to);
    continents(to);
    marks(to);
    cards(to);
}

fn borders<T: GameAccess>(to: &mut Functions<'_, T>) {
    to.read1("neighbours", |game, at: Territory| {
        territories(game.borders_from(at))
    });
    to.read2("borders", |game, from: Territory, to: Territory| {
        let board = game.board();
        meter::charge(board.degree(from).min(board.degree_to(to)) as u64);
        game.borders_from(from).any(|near| near == to)
    });
    to.read2("is_bombard", |game, from: Territory, to: Territory| {
        let border = border(game.board(), from, to)?;
        Ok(border.is_some_and(|info| info.is_bombard))
    });
    to.read3(
        "border_data",
        |game, from: Territory, to: Territory, key: ImmutableString| {
            let border = border(game.board(), from, to)?;
            Ok(border.map_or(Dynamic::UNIT, |info| found(&info.data, &key)))
        },
    );
    to.read1("name", |game, at: Territory| {
        text(&game.board().info(at).id)
    });
    to.read1("find", |game, id: ImmutableString| {
        let board = game.board();
        let Some(at) = board.find(&id) else {
            let ids = board.territories().map(|at| board.info(at).id.as_str());
            return Err(unknown(&id, "territory", &ids.collect::<Vec<_>>()));
        };
        look_at(board);
        Ok(int(at.0))
    });
    to.read1("title", |game, at: Territory| {
        text(&game.board().info(at).name)
    });
}

/// Returns what the map says about a border, if it says anything.
fn border(board: &Board, from: Territory, to: Territory) -> NativeResult<Option<&BorderInfo>> {
    meter::charge(board.degree(from) as u64);
    if !board.borders(from, to) {
        let [from, to] = [from, to].map(|at| &*board.info(at).id);
        return fail(format!("no border leads from {from} to {to}"));
    }
    Ok(board.border(from, to))
}

fn continents<T: GameAccess>(to: &mut Functions<'_, T>) {
    to.read1("continent", |game, at: Territory| {
        game.board().info(at).continent
    });
    to.read1("members", |game, number: Group| {
        territories(game.board().members(number).iter().copied())
    });
    to.read1("bonus_of", |game, number: Group| {
        game.board().group(number).bonus
    });
    to.read1("needed", |game, number: Group| {
        game.board().group(number).needed()
    });
    to.read1("continent_title", |game, number: Group| {
        text(&game.board().group(number).name)
    });
    to.get("groups", |game| {
        array((0..game.board().groups().len()).map(|index| index as i64))
    });
    to.read1("groups", |game, at: Territory| {
        array(game.board().groups_around(at).iter().map(|group| group.0))
    });
    to.get("continents", |game| {
        array((0..game.board().continents().len()).map(|index| index as i64))
    });
}

fn marks<T: GameAccess>(to: &mut Functions<'_, T>) {
    to.read2("data", |game, at: Territory, key: ImmutableString| {
        found(&game.board().info(at).data, &key)
    });
    to.read2("group_data", |game, number: Group, key: ImmutableString| {
        found(&game.board().group(number).data, &key)
    });
    to.read1("map_data", |game, key: ImmutableString| {
        found(game.board().data(), &key)
    });
    // `marked` returns all territories with this data, `unmarked` those of a list without it.
    to.read1("marked", |game, key: ImmutableString| {
        let board = game.board();
        look_up(board.len(), &key);
        territories(
            board
                .territories()
                .filter(|&at| board.info(at).data.contains_key(&*key)),
        )
    });
    to.read2("unmarked", |game, some: Array, key: ImmutableString| {
        meter::afford(4 * some.len() as u64)?;
        look_up(some.len(), &key);
        let board = game.board();
        let mut left = Array::with_capacity(some.len());
        for at in some {
            let number = whole(&at, "territories")?;
            if !board
                .info(territory(board, number)?)
                .data
                .contains_key(&*key)
            {
                left.push(at);
            }
        }
        Ok(left)
    });
}

fn cards<T: GameAccess>(to: &mut Functions<'_, T>) {
    to.read1("cards_of_kind", |game, kind: INT| {
        let cards = game.decl().cards.iter().enumerate();
        let cards = cards.filter(|(_, card)| INT::from(card.kind) == kind);
        array(cards.map(|(index, _)| index as i64))
    });
    to.read1("card_kind", |game, card: Card| {
        int(game.decl().cards[card.index()].kind)
    });
    to.read1("card_land", |game, card: Card| {
        game.decl().cards[card.index()].at
    });
    to.read2("card_data", |game, card: Card, key: ImmutableString| {
        found(&game.decl().cards[card.index()].data, &key)
    });
    to.read1("card_name", |game, card: Card| {
        text(&game.decl().cards[card.index()].name)
    });
}

fn text(text: &str) -> ImmutableString {
    text.into()
}

/// Charges for searching a key in the data of territories. Short keys cost nothing extra.
fn look_up(territories: usize, key: &str) {
    meter::charge((territories * (key.len() / 32)) as u64);
}

/// Returns the value of a key, or `()` if there is none.
fn found(data: &BTreeMap<String, Datum>, key: &str) -> Dynamic {
    data.get(key).map_or(Dynamic::UNIT, datum)
}

fn datum(value: &Datum) -> Dynamic {
    match value {
        Datum::Bool(flag) => (*flag).into(),
        Datum::Number(number) => (*number).into(),
        Datum::Text(text) => {
            meter::charge(text.len() as u64);
            text.clone().into()
        }
        Datum::List(list) => {
            meter::charge(8 * list.len() as u64);
            list.iter().map(datum).collect::<rhai::Array>().into()
        }
        Datum::Map(map) => {
            meter::charge(map.keys().map(|key| 64 + key.len() as u64).sum());
            let entries = map.iter().map(|(key, value)| (key.into(), datum(value)));
            entries.collect::<rhai::Map>().into()
        }
    }
}
