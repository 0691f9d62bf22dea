//! The events that scripts receive.

use std::collections::BTreeMap;

use rhai::{Dynamic, Map};

use rhai_guard::memory;
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

/// A map of each kind of event that a script heard. To copy a map and replace its values takes less
/// time than to build one.
#[derive(Default)]
pub(super) struct EventMaps(BTreeMap<String, Map>);

impl EventMaps {
    /// Returns the map for an event, whose first entry is its kind. All events of a kind have the
    /// same keys.
    pub(super) fn filled(&mut self, event: Vec<(impl AsRef<str>, EventValue)>) -> Map {
        let kind = match event.first() {
            Some((_, EventValue::Words(kind))) => kind.as_str(),
            _ => "",
        };
        let mut map = match self.0.get(kind) {
            Some(known) => known.clone(),
            // Later games use this map as well, so its memory counts for none of them.
            None => memory::uncounted(|| {
                let keys = event.iter().map(|(key, _)| key.as_ref().into());
                let map: Map = keys.map(|key| (key, Dynamic::UNIT)).collect();
                self.0.insert(kind.to_owned(), map.clone());
                map
            }),
        };
        for (key, value) in event {
            if let Some(place) = map.get_mut(key.as_ref()) {
                *place = value.into();
            }
        }
        map
    }
}

impl From<EventValue> for Dynamic {
    fn from(value: EventValue) -> Self {
        match value {
            EventValue::Number(number) => Self::from_int(number),
            EventValue::Flag(flag) => Self::from_bool(flag),
            EventValue::Words(words) => words.into(),
            EventValue::Numbers(numbers) => {
                Self::from_array(numbers.into_iter().map(Self::from_int).collect())
            }
        }
    }
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
        FieldValue::Mark(mark) => words(&decl.marks[mark.index()].name),
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
