//! Events as scripts see them.

use crate::kernel::event::Event;
use crate::kernel::id::Player;
use crate::kernel::view::View;
use crate::kernel::words::Words;

/// A value in an event as scripts see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A number: a territory, a player, an amount.
    Number(i64),
    /// Words.
    Words(String),
    /// Numbers.
    Numbers(Vec<i64>),
}

/// The kinds of events, with their keys besides `kind` and what is to know of them.
pub const EVENTS: [(&str, &[&str], &str); 10] = [
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
        &["at", "by", "now"],
        "the armies of a territory changed by so many, and are so many now",
    ),
    (
        "card",
        &["card", "from", "to"],
        "a card changed hands: -1 if it is hidden, and whose piles these are",
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
pub fn told(view: &View, event: &Event) -> Vec<(&'static str, Told)> {
    let seat = |who: Option<Player>| Told::Number(who.map_or(-1, |who| who.0.into()));
    let int = |value: i64| Told::Number(value);
    let (kind, values) = match event {
        Event::TurnBegan { who, turn, round } => (
            "turn",
            vec![seat(*who), int((*turn).into()), int((*round).into())],
        ),
        Event::Answered { who, action, .. } => {
            let words = Words::new(view.board(), view.decl()).action(*action);
            ("answer", vec![seat(Some(*who)), Told::Words(words)])
        }
        Event::Captured {
            from,
            to,
            by,
            loser,
            moved,
            ..
        } => {
            let from = int(from.0.into());
            let to = int(to.0.into());
            (
                "capture",
                vec![
                    seat(Some(*by)),
                    seat(*loser),
                    from,
                    to,
                    int((*moved).into()),
                ],
            )
        }
        Event::Fought {
            from,
            to,
            attacker_lost,
            defender_lost,
            ..
        } => {
            let lost = [*attacker_lost, *defender_lost].map(|lost| int(lost.into()));
            (
                "fight",
                [int(from.0.into()), int(to.0.into())]
                    .into_iter()
                    .chain(lost)
                    .collect(),
            )
        }
        Event::Units { at, by, now, .. } => (
            "armies",
            vec![int(at.0.into()), int((*by).into()), int((*now).into())],
        ),
        Event::Status { who, now } => (
            "status",
            vec![seat(Some(*who)), Told::Words(now.word().to_owned())],
        ),
        Event::Card { card, from, to, .. } => (
            "card",
            vec![
                int(card.map_or(-1, |card| card.0.into())),
                seat(from.1),
                seat(to.1),
            ],
        ),
        Event::Ended { reason, winners } => {
            let winners = winners.iter().map(|who| i64::from(who.0)).collect();
            (
                "end",
                vec![Told::Words(reason.clone()), Told::Numbers(winners)],
            )
        }
        Event::Said { who, text } => ("said", vec![seat(*who), Told::Words(text.clone())]),
        _ => ("other", Vec::new()),
    };
    let keys = EVENTS
        .iter()
        .find(|(known, _, _)| *known == kind)
        .map_or(&[][..], |(_, keys, _)| keys);
    debug_assert_eq!(keys.len(), values.len(), "the keys of {kind}");
    let named = keys.iter().copied().zip(values);
    std::iter::once(("kind", Told::Words(kind.to_owned())))
        .chain(named)
        .collect()
}
