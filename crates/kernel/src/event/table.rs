//! The kinds of events, with their fields and the players who see them, in one table for scripts,
//! wire protocols and other outputs.

use super::{Capture, Dice, Event, FightRound};
use crate::action::Action;
use crate::id::{Card, Counter, Phase, Pile, Player, PlayerSet, Territory, Unit};

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventKind {
    /// The name of the kind.
    pub name: &'static str,
    /// A description of what happened.
    pub about: &'static str,
    /// A description of the players who see the event.
    pub heard_by: &'static str,
    /// The names and kinds of its fields.
    pub fields: &'static [(&'static str, FieldKind)],
}

/// The type of an event's field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A player.
    Player,
    /// A player, or none. None means all players or the table.
    MaybePlayer,
    /// A territory.
    Territory,
    /// A kind of unit.
    Unit,
    /// A phase.
    Phase,
    /// A counter.
    Counter,
    /// A pile of cards.
    Pile,
    /// A card, or none if it is hidden.
    Card,
    /// Cards, the top card last, or none if they are hidden.
    Cards,
    /// An integer.
    Number,
    /// True or false.
    Flag,
    /// An action.
    Action,
    /// Dice, in the order of the rolls.
    Dice,
    /// Several players.
    Players,
    /// A word that the program defines, such as a status or a kind of fault.
    Word,
    /// A string that the ruleset defines.
    Text,
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldValue<'a> {
    /// A [`FieldKind::Player`] or [`FieldKind::MaybePlayer`].
    Player(Option<Player>),
    /// A [`FieldKind::Territory`].
    Territory(Territory),
    /// A [`FieldKind::Unit`].
    Unit(Unit),
    /// A [`FieldKind::Phase`].
    Phase(Phase),
    /// A [`FieldKind::Counter`].
    Counter(Counter),
    /// A [`FieldKind::Pile`].
    Pile(Pile),
    /// A [`FieldKind::Card`].
    Card(Option<Card>),
    /// A [`FieldKind::Cards`].
    Cards(Option<&'a [Card]>),
    /// A [`FieldKind::Number`].
    Number(i64),
    /// A [`FieldKind::Flag`].
    Flag(bool),
    /// A [`FieldKind::Action`].
    Action(Action),
    /// A [`FieldKind::Dice`].
    Dice(&'a Dice),
    /// A [`FieldKind::Players`].
    Players(PlayerSet),
    /// A [`FieldKind::Word`] or [`FieldKind::Text`].
    Text(&'a str),
}

const fn kind(
    name: &'static str,
    about: &'static str,
    heard_by: &'static str,
    fields: &'static [(&'static str, FieldKind)],
) -> EventKind {
    EventKind {
        name,
        about,
        heard_by,
        fields,
    }
}

const ALL: &str = "all players";
const OWN: &str = "only the player";
const SEEN: &str = "players who see the territories";
const OPEN: &str = "all players if there is no fog";

/// All kinds of events, in the order of [`Event`].
pub const EVENTS: [EventKind; 21] = {
    use FieldKind::{
        Action, Card, Cards, Counter, Dice, Flag, MaybePlayer, Number, Phase, Pile, Player,
        Players, Territory, Text, Unit, Word,
    };
    [
        kind(
            "phase",
            "a phase began for one or several players",
            ALL,
            &[("phase", Phase), ("player", MaybePlayer)],
        ),
        kind(
            "turn",
            "a player's turn began, or a round that all players play at once",
            ALL,
            &[("player", MaybePlayer), ("turn", Number), ("round", Number)],
        ),
        kind(
            "answer",
            "a player answered, or the fault policy answered for the player",
            "players who see the territories of the action; in secret phases only the player",
            &[
                ("player", Player),
                ("phase", Phase),
                ("action", Action),
                ("chosen", Flag),
            ],
        ),
        kind(
            "fault",
            "a player committed a fault",
            ALL,
            &[("player", Player), ("code", Word), ("strikes", Number)],
        ),
        kind(
            "owner",
            "a territory changed hands without a fight",
            SEEN,
            &[
                ("at", Territory),
                ("from", MaybePlayer),
                ("to", MaybePlayer),
            ],
        ),
        kind(
            "units",
            "the number of units on a territory changed: the difference, and the new number",
            SEEN,
            &[
                ("at", Territory),
                ("unit", Unit),
                ("by", Number),
                ("now", Number),
            ],
        ),
        kind(
            "moved",
            "units moved from one territory to another",
            SEEN,
            &[
                ("from", Territory),
                ("to", Territory),
                ("unit", Unit),
                ("count", Number),
            ],
        ),
        kind(
            "captured",
            "a territory was captured: the number of units killed, and the number moved in",
            "players who see the territories, and the two players involved",
            &[
                ("from", Territory),
                ("to", Territory),
                ("player", Player),
                ("loser", MaybePlayer),
                ("unit", Unit),
                ("killed", Number),
                ("moved", Number),
            ],
        ),
        kind(
            "counter",
            "a counter changed: the difference, and the new value",
            "players who see the counter",
            &[
                ("counter", Counter),
                ("player", MaybePlayer),
                ("by", Number),
                ("now", Number),
            ],
        ),
        kind(
            "filled",
            "a pile was filled; its cards are hidden from players who can't see them",
            ALL,
            &[
                ("pile", Pile),
                ("player", MaybePlayer),
                ("count", Number),
                ("cards", Cards),
            ],
        ),
        kind(
            "card",
            "a card moved; it is hidden from players who see neither pile",
            ALL,
            &[
                ("card", Card),
                ("from", Pile),
                ("from_player", MaybePlayer),
                ("to", Pile),
                ("to_player", MaybePlayer),
            ],
        ),
        kind(
            "shuffled",
            "a pile was shuffled; its cards are hidden from players who can't see them",
            ALL,
            &[("pile", Pile), ("player", MaybePlayer), ("cards", Cards)],
        ),
        kind(
            "status",
            "a player's status changed: playing, neutral, forfeited or eliminated",
            ALL,
            &[("player", Player), ("now", Word)],
        ),
        kind(
            "rolled",
            "the attacker and the defender rolled dice",
            OPEN,
            &[("attack", Dice), ("defend", Dice)],
        ),
        kind(
            "tried",
            "a percentage chance was tried several times",
            OPEN,
            &[("tries", Number), ("percent", Number), ("hits", Number)],
        ),
        kind(
            "executed",
            "a stored order was executed",
            "players who see the territories of the order",
            &[("player", Player), ("action", Action)],
        ),
        kind(
            "fought",
            "a round of a fight took place: the armies that fought, and their losses",
            SEEN,
            &[
                ("from", Territory),
                ("to", Territory),
                ("attackers", Number),
                ("defenders", Number),
                ("attacker_lost", Number),
                ("defender_lost", Number),
            ],
        ),
        kind(
            "stored",
            "an order was stored",
            OWN,
            &[("player", Player), ("action", Action)],
        ),
        kind(
            "unstored",
            "a stored order was removed because it was undone or executed",
            OWN,
            &[("player", Player), ("action", Action)],
        ),
        kind(
            "said",
            "the ruleset wrote a note",
            "all players; in fog only the player concerned",
            &[("player", MaybePlayer), ("text", Text)],
        ),
        kind(
            "ended",
            "the game is over",
            ALL,
            &[("reason", Text), ("winners", Players)],
        ),
    ]
};

impl Event {
    const fn index(&self) -> usize {
        match self {
            Self::PhaseBegan { .. } => 0,
            Self::TurnBegan { .. } => 1,
            Self::Answered { .. } => 2,
            Self::Faulted { .. } => 3,
            Self::Owner { .. } => 4,
            Self::Units { .. } => 5,
            Self::Moved { .. } => 6,
            Self::Captured(_) => 7,
            Self::Counter { .. } => 8,
            Self::Filled { .. } => 9,
            Self::Card { .. } => 10,
            Self::Shuffled { .. } => 11,
            Self::Status { .. } => 12,
            Self::Rolled { .. } => 13,
            Self::Tried { .. } => 14,
            Self::Executed { .. } => 15,
            Self::Fought(_) => 16,
            Self::Stored { .. } => 17,
            Self::Unstored { .. } => 18,
            Self::Said { .. } => 19,
            Self::Ended { .. } => 20,
        }
    }

    /// Returns the event's kind and the values of its fields, in the order of the kind's fields.
    #[must_use]
    pub fn fields(&self) -> (&'static EventKind, Vec<FieldValue<'_>>) {
        use FieldValue::{Action, Dice, Flag, Phase, Player, Players, Text};
        let kind = &EVENTS[self.index()];
        let values = match self {
            Self::PhaseBegan { phase, seat } => vec![Phase(*phase), Player(*seat)],
            Self::TurnBegan {
                player,
                turn,
                round,
            } => vec![Player(*player), number(*turn), number(*round)],
            Self::Answered {
                player,
                phase,
                action,
                chosen,
                ..
            } => {
                let answer = [Action(*action), Flag(*chosen)];
                [[Player(Some(*player)), Phase(*phase)], answer].concat()
            }
            Self::Faulted {
                player,
                kind,
                strikes,
                ..
            } => vec![Player(Some(*player)), Text(kind.as_str()), number(*strikes)],
            Self::Status { player, now } => vec![Player(Some(*player)), Text(now.as_str())],
            Self::Rolled { attack, defend } => vec![Dice(attack), Dice(defend)],
            Self::Tried {
                tries,
                percent,
                successes,
            } => [*tries, *percent, *successes].map(number).to_vec(),
            Self::Executed { player, action }
            | Self::Stored { player, action }
            | Self::Unstored { player, action, .. } => {
                vec![Player(Some(*player)), Action(*action)]
            }
            Self::Fought(round) => fought(round),
            Self::Said { player, text } => vec![Player(*player), Text(text)],
            Self::Ended { reason, winners } => vec![Text(reason), Players(*winners)],
            _ => self.changes(),
        };
        debug_assert_eq!(
            kind.fields.len(),
            values.len(),
            "the fields of {}",
            kind.name
        );
        (kind, values)
    }

    fn changes(&self) -> Vec<FieldValue<'_>> {
        use FieldValue::{Card, Cards, Counter, Number, Pile, Player, Territory, Unit};
        match self {
            Self::Owner { at, from, to } => vec![Territory(*at), Player(*from), Player(*to)],
            Self::Units { at, unit, by, now } => {
                vec![Territory(*at), Unit(*unit), number(*by), number(*now)]
            }
            Self::Moved {
                from,
                to,
                unit,
                count,
            } => {
                let units = [Unit(*unit), number(*count)];
                [[Territory(*from), Territory(*to)], units].concat()
            }
            Self::Captured(capture) => captured(capture),
            Self::Counter {
                counter,
                of,
                by,
                now,
            } => vec![Counter(*counter), Player(*of), Number(*by), Number(*now)],
            Self::Filled { pile, cards, count } => {
                let cards = [Number(*count as i64), Cards(cards.as_deref())];
                [[Pile(pile.0), Player(pile.1)], cards].concat()
            }
            Self::Card { card, from, to, .. } => {
                let from = [Card(*card), Pile(from.0), Player(from.1)];
                [&from[..], &[Pile(to.0), Player(to.1)]].concat()
            }
            Self::Shuffled { pile, cards } => {
                vec![Pile(pile.0), Player(pile.1), Cards(cards.as_deref())]
            }
            _ => Vec::new(),
        }
    }
}

fn number<'a>(number: impl Into<i64>) -> FieldValue<'a> {
    FieldValue::Number(number.into())
}

fn captured(capture: &Capture) -> Vec<FieldValue<'static>> {
    vec![
        FieldValue::Territory(capture.from),
        FieldValue::Territory(capture.to),
        FieldValue::Player(Some(capture.by)),
        FieldValue::Player(capture.loser),
        FieldValue::Unit(capture.unit),
        FieldValue::Number(capture.killed.into()),
        FieldValue::Number(capture.moved.into()),
    ]
}

fn fought(round: &FightRound) -> Vec<FieldValue<'static>> {
    let numbers = [
        round.attackers,
        round.defenders,
        round.attacker_lost,
        round.defender_lost,
    ];
    let places = [round.from, round.to].map(FieldValue::Territory);
    let numbers = numbers.map(|number| FieldValue::Number(number.into()));
    places.into_iter().chain(numbers).collect()
}
