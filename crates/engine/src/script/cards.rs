//! Reads a ruleset's cards from the result of its hook `cards(g)`.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{Array, Dynamic, INT, Map};

use super::manifest;
use super::sizes::LONGEST_ARRAY;
use rhai_guard::ScriptFault;
use risk_kernel::board::{Board, Datum};
use risk_kernel::declare::CardInfo;
use risk_kernel::id::Territory;

/// The maximum length of a card's name, in characters. The maximum length of an array limits the
/// number of cards, so that a card's number fits its type.
const LONGEST_NAME: usize = 100;
const _: () = assert!(LONGEST_ARRAY <= u16::MAX as usize);

/// Reads an array of maps. Each map has the key `kind`, and `name` or `at` or both. A card with
/// `at` but without `name` is named after its territory. Scripts can read all other keys of a map,
/// like the data of territories.
pub(super) fn read(
    value: Dynamic,
    board: &Board,
    kinds: &[String],
) -> Result<Vec<CardInfo>, ScriptFault> {
    let cards = value
        .into_array()
        .map_err(|kind| wrong(format!("`cards(g)` must return an array, found {kind}")))?;
    let mut names = BTreeSet::new();
    let each = cards.into_iter().enumerate().map(|(index, card)| {
        let card = card
            .try_cast::<Map>()
            .ok_or_else(|| wrong(format!("card {index} must be a map")))?;
        let card = read_card(index, &card, board, kinds)?;
        if names.insert(card.name.clone()) {
            Ok(card)
        } else {
            Err(unnamed(index))
        }
    });
    each.collect()
}

fn wrong(text: String) -> ScriptFault {
    let help = "write each card as #{ name: \"peru\", kind: HORSE, at: 10 }; a card without \
                `name` takes the name of its territory `at`";
    ScriptFault::new("ruleset::cards", text).help(help)
}

fn unnamed(index: usize) -> ScriptFault {
    wrong(format!(
        "card {index} needs a unique name: one word of at most {LONGEST_NAME} characters"
    ))
}

fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.chars().count())
        && !name.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn read_card(
    index: usize,
    card: &Map,
    board: &Board,
    kinds: &[String],
) -> Result<CardInfo, ScriptFault> {
    let at_given = card.get("at").map(|at| at.as_int());
    let at = match at_given {
        None | Some(Ok(-1)) => None,
        Some(Ok(at)) if (0..board.len() as INT).contains(&at) => {
            Some(Territory::from_index(at as usize))
        }
        Some(_) => {
            return Err(wrong(format!(
                "`at` of card {index} must be a territory of the map"
            )));
        }
    };
    let name = match (card.get("name"), at) {
        // On a large map, a script's memory limit is too small for the names of all territories.
        (None, Some(at)) => board.info(at).id.clone(),
        (name, _) => name
            .and_then(|name| name.clone().into_string().ok())
            .filter(|name| is_name(name))
            .ok_or_else(|| unnamed(index))?,
    };
    let kind = card
        .get("kind")
        .and_then(|kind| kind.as_int().ok())
        .and_then(|kind| i32::try_from(kind).ok());
    let kind = kind.filter(|&kind| kind >= 0 && (kind as usize) < kinds.len());
    let kind = kind.ok_or_else(|| {
        wrong(format!(
            "`kind` of the card {name} must be a kind that `card_kinds` declares"
        ))
    })?;
    let mut data = BTreeMap::new();
    for (key, value) in card
        .iter()
        .filter(|(key, _)| !["name", "kind", "at", "title", "tell"].contains(&key.as_str()))
    {
        let value = datum(value).ok_or_else(|| {
            wrong(format!(
                "`{key}` of the card {name} must be an integer, a boolean, a string or an array \
                 of these"
            ))
        })?;
        data.insert(key.to_string(), value);
    }
    Ok(CardInfo {
        title: text(card, &name, "title", manifest::is_title)?,
        tell: text(card, &name, "tell", manifest::is_sentence)?,
        name,
        kind,
        at,
        data,
    })
}

/// Returns a text for people, if the card has one.
fn text(
    card: &Map,
    name: &str,
    key: &str,
    fits: fn(&str) -> bool,
) -> Result<Option<String>, ScriptFault> {
    let Some(value) = card.get(key) else {
        return Ok(None);
    };
    let text = value.clone().into_string().ok().filter(|text| fits(text));
    let text = text.ok_or_else(|| {
        wrong(format!(
            "`{key}` of the card {name} must be a string in one line: a title has 1 to 60 \
             characters, the sentence of `tell` 1 to 200"
        ))
    })?;
    Ok(Some(text))
}

fn datum(value: &Dynamic) -> Option<Datum> {
    if let Ok(flag) = value.as_bool() {
        return Some(Datum::Bool(flag));
    }
    if let Ok(number) = value.as_int() {
        return Some(Datum::Number(number));
    }
    if let Some(list) = value.read_lock::<Array>() {
        let data: Option<_> = list.iter().map(datum).collect();
        return data.map(Datum::List);
    }
    value.clone().into_string().ok().map(Datum::Text)
}
