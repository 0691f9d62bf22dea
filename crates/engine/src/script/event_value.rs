//! The events that scripts receive.

use risk_kernel::event::Event;
use risk_kernel::event::table::{EVENTS, FieldValue};
use risk_kernel::view::View;
use risk_kernel::words::Words;

/// A value in an event that a script receives.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventValue {
    /// An integer: a territory, a player (-1 for none), a card (-1 for a hidden card) or an amount.
    Number(i64),
    /// True or false.
    Flag(bool),
    /// A string: a status, an action in words, or a reason.
    Words(String),
    /// A list of integers: winners, dice or cards.
    Numbers(Vec<i64>),
}

pub(super) fn keys() -> Vec<&'static str> {
    let fields = EVENTS.iter().flat_map(|kind| kind.fields);
    let keys = fields.map(|(name, _)| *name);
    std::iter::once("kind").chain(keys).collect()
}

/// Returns an event for scripts: its `kind` and its fields.
#[must_use]
pub fn values(view: &View, event: &Event) -> Vec<(&'static str, EventValue)> {
    let (kind, values) = event.fields();
    let names = kind.fields.iter().map(|(name, _)| *name);
    let values = values.into_iter().map(|field| value(view, field));
    std::iter::once(("kind", EventValue::Words(kind.name.to_owned())))
        .chain(names.zip(values))
        .collect()
}

fn value(view: &View, field: FieldValue<'_>) -> EventValue {
    let decl = view.decl();
    let words = |text: &str| EventValue::Words(text.to_owned());
    let numbers = |all: &mut dyn Iterator<Item = i64>| EventValue::Numbers(all.collect());
    match field {
        FieldValue::Player(player) => {
            EventValue::Number(player.map_or(-1, |player| player.0.into()))
        }
        FieldValue::Territory(at) => EventValue::Number(at.0.into()),
        FieldValue::Unit(unit) => words(&decl.units[unit.index()]),
        FieldValue::Phase(phase) => words(&decl.phases[phase.index()].name),
        FieldValue::Counter(counter) => words(&decl.counters[counter.index()].name),
        FieldValue::Pile(pile) => words(&decl.piles[pile.index()].name),
        FieldValue::Card(card) => EventValue::Number(card.map_or(-1, |card| card.0.into())),
        FieldValue::Cards(cards) => {
            numbers(&mut cards.unwrap_or_default().iter().map(|card| card.0.into()))
        }
        FieldValue::Number(number) => EventValue::Number(number),
        FieldValue::Flag(flag) => EventValue::Flag(flag),
        FieldValue::Action(action) => {
            EventValue::Words(Words::new(view.board(), decl).action(action))
        }
        FieldValue::Dice(dice) => numbers(&mut dice.values().iter().map(|&die| die.into())),
        FieldValue::Players(players) => numbers(&mut players.iter().map(|player| player.0.into())),
        FieldValue::Text(text) => words(text),
    }
}
