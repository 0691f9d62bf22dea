//! Events as scripts see them.

use risk_kernel::event::{Capture, Event, FightRound};
use risk_kernel::id::{Pile, Player};
use risk_kernel::view::View;
use risk_kernel::words::Words;

/// A value in an event as scripts see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventValue {
    /// A number: a territory, a player, an amount.
    Number(i64),
    /// A text: a status, an action in words, a reason.
    Words(String),
    /// Several numbers: the winners.
    Numbers(Vec<i64>),
}

/// The kinds of events, with their keys besides `kind` and what is to know of them.
pub const EVENTS: [(&str, &[&str], &str); 13] = [
    ("turn", &["who", "turn", "round"], "a turn began"),
    (
        "answer",
        &["who", "action"],
        "a player answered; the action is in words",
    ),
    (
        "fight",
        &["from", "to", "attacker_lost", "defender_lost"],
        "the losses of an attack or a round of dice",
    ),
    (
        "capture",
        &["who", "loser", "from", "to", "armies"],
        "a territory was taken, and so many armies moved in",
    ),
    (
        "armies",
        &["at", "by", "now", "unit"],
        "the units of a kind on a territory changed by so many, and are so many now",
    ),
    (
        "moved",
        &["from", "to", "count", "unit"],
        "so many units of a kind moved",
    ),
    (
        "owner",
        &["at", "who", "loser"],
        "a territory changed hands without a fight",
    ),
    (
        "counter",
        &["counter", "who", "by", "now"],
        "a counter, by its name, changed by so much, and is so much now",
    ),
    (
        "card",
        &["card", "from", "to", "from_pile", "to_pile"],
        "a card moved: -1 if it is hidden, whose piles these are, and their names",
    ),
    (
        "status",
        &["who", "now"],
        "a player is in the game, eliminated or neutral now",
    ),
    ("said", &["who", "text"], "the ruleset says something"),
    ("end", &["reason", "winners"], "the game is over"),
    ("other", &[], "something else happened"),
];

/// Every key of an event.
pub(super) fn keys() -> Vec<&'static str> {
    std::iter::once("kind")
        .chain(EVENTS.iter().flat_map(|(_, keys, _)| keys.iter().copied()))
        .collect()
}

/// An event as scripts see it: its `kind`, and the values that belong to it.
#[must_use]
pub fn values(view: &View, event: &Event) -> Vec<(&'static str, EventValue)> {
    let (kind, values) = kind_and_values(view, event);
    named(kind, values)
}

/// The values of an event of this kind, in the order of its keys in [`EVENTS`], with their names.
#[must_use]
pub fn named(kind: &str, values: Vec<EventValue>) -> Vec<(&'static str, EventValue)> {
    let keys = EVENTS
        .iter()
        .find(|(known, _, _)| *known == kind)
        .map_or(&[][..], |(_, keys, _)| keys);
    debug_assert_eq!(keys.len(), values.len(), "the keys of {kind}");
    let named = keys.iter().copied().zip(values);
    std::iter::once(("kind", EventValue::Words(kind.to_owned())))
        .chain(named)
        .collect()
}

fn int(value: impl Into<i64>) -> EventValue {
    EventValue::Number(value.into())
}

/// A player's number, -1 for nobody.
fn seat(player: Option<Player>) -> EventValue {
    player.map_or(EventValue::Number(-1), |player| int(player.0))
}

/// The kind of an event, and its values in the order of the keys in [`EVENTS`].
fn kind_and_values(view: &View, event: &Event) -> (&'static str, Vec<EventValue>) {
    match event {
        Event::TurnBegan {
            player,
            turn,
            round,
        } => ("turn", vec![seat(*player), int(*turn), int(*round)]),
        Event::Answered { player, action, .. } => {
            let words = Words::new(view.board(), view.decl()).action(*action);
            (
                "answer",
                vec![seat(Some(*player)), EventValue::Words(words)],
            )
        }
        Event::Captured(Capture {
            from,
            to,
            by,
            loser,
            moved,
            ..
        }) => {
            let players = [seat(Some(*by)), seat(*loser)];
            let numbers = [int(from.0), int(to.0), int(*moved)];
            ("capture", players.into_iter().chain(numbers).collect())
        }
        Event::Fought(FightRound {
            from,
            to,
            attacker_lost,
            defender_lost,
            ..
        }) => {
            let territories = [int(from.0), int(to.0)];
            let lost = [int(*attacker_lost), int(*defender_lost)];
            ("fight", territories.into_iter().chain(lost).collect())
        }
        Event::Status { player, now } => {
            let status = EventValue::Words(now.as_str().to_owned());
            ("status", vec![seat(Some(*player)), status])
        }
        Event::Ended { reason, winners } => {
            let winners = winners.iter().map(|player| i64::from(player.0)).collect();
            let reason = EventValue::Words(reason.clone());
            ("end", vec![reason, EventValue::Numbers(winners)])
        }
        Event::Said { player, text } => {
            ("said", vec![seat(*player), EventValue::Words(text.clone())])
        }
        _ => changed(view, event),
    }
}

/// The same for events that are a change of the board, of counters or of piles.
fn changed(view: &View, event: &Event) -> (&'static str, Vec<EventValue>) {
    let decl = view.decl();
    let words = |name: &str| EventValue::Words(name.to_owned());
    match event {
        Event::Units { at, unit, by, now } => {
            let numbers = [int(at.0), int(*by), int(*now)];
            let unit = words(&decl.units[unit.index()]);
            ("armies", numbers.into_iter().chain([unit]).collect())
        }
        Event::Moved {
            from,
            to,
            unit,
            count,
        } => {
            let numbers = [int(from.0), int(to.0), int(*count)];
            let unit = words(&decl.units[unit.index()]);
            ("moved", numbers.into_iter().chain([unit]).collect())
        }
        Event::Owner { at, from, to } => ("owner", vec![int(at.0), seat(*to), seat(*from)]),
        Event::Counter {
            counter,
            of,
            by,
            now,
        } => {
            let counter = words(&decl.counters[counter.index()].name);
            ("counter", vec![counter, seat(*of), int(*by), int(*now)])
        }
        Event::Card { card, from, to, .. } => {
            let card = card.map_or(EventValue::Number(-1), |card| int(card.0));
            let pile = |pile: Pile| words(&decl.piles[pile.index()].name);
            let players = [seat(from.1), seat(to.1)];
            let piles = [pile(from.0), pile(to.0)];
            let values = [card].into_iter().chain(players).chain(piles);
            ("card", values.collect())
        }
        _ => ("other", Vec::new()),
    }
}
