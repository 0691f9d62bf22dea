//! The functions that read the map, for every surface: borders, names, continents.

use rhai::{Array, Dynamic, Engine, INT, ImmutableString};

use super::{BoardAccess, NativeResult, array, continent, int, ok, territories, territory, whole};
use crate::script::meter;
use risk_kernel::board::Datum;

pub(super) fn register<T: BoardAccess>(engine: &mut Engine) {
    borders::<T>(engine);
    continents::<T>(engine);
    marks::<T>(engine);
    cards::<T>(engine);
}

fn borders<T: BoardAccess>(engine: &mut Engine) {
    engine.register_fn("neighbours", |it: &mut T, at: INT| {
        it.with_board(|board, _| {
            ok(territories(
                board.neighbours(territory(board, at)?).iter().copied(),
            ))
        })
    });
    engine.register_fn("borders", |it: &mut T, from: INT, to: INT| {
        it.with_board(|board, _| {
            let from = territory(board, from)?;
            let to = territory(board, to)?;
            let seen = board.neighbours(from).len().min(board.sources(to).len());
            meter::charge(seen as u64);
            ok(board.borders(from, to))
        })
    });
    engine.register_fn("name", |it: &mut T, at: INT| {
        it.with_board(|board, _| {
            ok(ImmutableString::from(
                board.info(territory(board, at)?).id.as_str(),
            ))
        })
    });
    engine.register_fn("find", |it: &mut T, id: &str| {
        it.with_board(|board, _| match board.find(id) {
            Some(at) => {
                super::look_at(board);
                Ok(int(at.0))
            }
            None => {
                let ids: Vec<&str> = board
                    .territories()
                    .map(|at| board.info(at).id.as_str())
                    .collect();
                Err(super::unknown(id, "territory", &ids))
            }
        })
    });
    engine.register_fn("title", |it: &mut T, at: INT| {
        it.with_board(|board, _| {
            ok(ImmutableString::from(
                board.info(territory(board, at)?).name.as_str(),
            ))
        })
    });
}

fn continents<T: BoardAccess>(engine: &mut Engine) {
    engine.register_fn("continent", |it: &mut T, at: INT| {
        it.with_board(|board, _| {
            ok(board
                .info(territory(board, at)?)
                .continent
                .map_or(-1, |continent| int(continent.0)))
        })
    });
    engine.register_fn("members", |it: &mut T, number: INT| {
        it.with_board(|board, _| {
            ok(territories(
                board.members(continent(board, number)?).iter().copied(),
            ))
        })
    });
    engine.register_fn("bonus_of", |it: &mut T, number: INT| {
        it.with_board(|board, _| {
            ok(int(
                board.continents()[continent(board, number)?.index()].bonus
            ))
        })
    });
    engine.register_fn("continent_title", |it: &mut T, number: INT| {
        it.with_board(|board, _| {
            let number = continent(board, number)?.index();
            ok(ImmutableString::from(
                board.continents()[number].name.as_str(),
            ))
        })
    });
    engine.register_get("continents", |it: &mut T| {
        it.with_board(|board, _| array((0..board.continents().len()).map(|index| index as i64)))
    });
}

fn marks<T: BoardAccess>(engine: &mut Engine) {
    engine.register_fn("data", |it: &mut T, at: INT, key: &str| {
        it.with_board(|board, _| {
            ok(board
                .info(territory(board, at)?)
                .data
                .get(key)
                .map_or(Dynamic::UNIT, datum))
        })
    });
    // `marked` returns all territories with this data, `unmarked` those of a list without it.
    engine.register_fn("marked", |it: &mut T, key: &str| {
        it.with_board(|board, _| {
            look_up(board.len(), key);
            territories(
                board
                    .territories()
                    .filter(|&at| board.info(at).data.contains_key(key)),
            )
        })
    });
    engine.register_fn("unmarked", |it: &mut T, some: Array, key: &str| {
        it.with_board(|board, _| {
            meter::afford(4 * some.len() as u64)?;
            look_up(some.len(), key);
            let mut left = Array::with_capacity(some.len());
            for at in some {
                let number = whole(&at, "territories")?;
                if !board.info(territory(board, number)?).data.contains_key(key) {
                    left.push(at);
                }
            }
            ok(left)
        })
    });
}

fn cards<T: BoardAccess>(engine: &mut Engine) {
    engine.register_fn("cards_of_kind", |it: &mut T, kind: INT| {
        it.with_board(|_, decl| {
            let cards = decl.cards.iter().enumerate();
            array(
                cards
                    .filter(|(_, card)| INT::from(card.kind) == kind)
                    .map(|(index, _)| index as i64),
            )
        })
    });
    engine.register_fn("card_kind", |it: &mut T, card: INT| {
        it.with_board(|_, decl| ok(int(decl.cards[super::card(decl, card)?.index()].kind)))
    });
    engine.register_fn("card_land", |it: &mut T, card: INT| {
        it.with_board(|_, decl| {
            ok(decl.cards[super::card(decl, card)?.index()]
                .at
                .map_or(-1, |at| int(at.0)))
        })
    });
    engine.register_fn("card_data", |it: &mut T, card: INT, key: &str| {
        it.with_board(|_, decl| {
            ok(decl.cards[super::card(decl, card)?.index()]
                .data
                .get(key)
                .map_or(Dynamic::UNIT, datum))
        })
    });
    engine.register_fn(
        "card_name",
        |it: &mut T, card: INT| -> NativeResult<ImmutableString> {
            it.with_board(|_, decl| {
                Ok(decl.cards[super::card(decl, card)?.index()]
                    .name
                    .as_str()
                    .into())
            })
        },
    );
}

/// Charges for searching a key in the data of territories. Short keys cost nothing extra.
fn look_up(territories: usize, key: &str) {
    meter::charge((territories * (key.len() / 32)) as u64);
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
    }
}
