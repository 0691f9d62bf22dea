//! The kinds of events, with their fields and the players who see them, in one table for scripts,
//! wire protocols and other outputs.

use super::{Capture, Dice, Event, FightRound};
use crate::action::Action;
use crate::id::{Card, Counter, Mark, Phase, Pile, Player, PlayerSet, Territory, Unit};

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    /// A mark.
    Mark,
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
    /// A [`FieldKind::Mark`].
    Mark(Mark),
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

const ALL: &str = "all players";
const OWN: &str = "only the player";
const SEEN: &str = "players who see the territories";
const OPEN: &str = "all players if there is no fog";

/// Converts a reference to a field into its value.
macro_rules! value {
    (Player, $field:ident) => {
        FieldValue::Player(Some(*$field))
    };
    (MaybePlayer, $field:ident) => {
        FieldValue::Player(*$field)
    };
    (Cards, $field:ident) => {
        FieldValue::Cards($field.as_deref())
    };
    (Number, $field:ident) => {
        FieldValue::Number(*$field as i64)
    };
    (Dice, $field:ident) => {
        FieldValue::Dice($field)
    };
    (Word, $field:ident) => {
        FieldValue::Text($field.as_str())
    };
    (Text, $field:ident) => {
        FieldValue::Text($field)
    };
    ($kind:ident, $field:ident) => {
        FieldValue::$kind(*$field)
    };
}

/// Defines [`EVENTS`] and [`Event::fields`]. A row contains the name, the description, who sees the
/// event, a pattern that binds the fields, and the kinds of the fields.
macro_rules! events {
    (
        $($name:literal, $about:literal, $heard_by:expr,
        $event:pat => $($field:ident: $kind:ident),+;)*
    ) => {
        /// All kinds of events, in the order of [`Event`].
        pub const EVENTS: [EventKind; [$($name),*].len()] = [$(EventKind {
            name: $name,
            about: $about,
            heard_by: $heard_by,
            fields: &[$((stringify!($field), FieldKind::$kind)),+],
        }),*];

        impl Event {
            /// Returns the event's kind and the values of its fields, in the order of the kind's
            /// fields.
            #[must_use]
            pub fn fields(&self) -> (&'static EventKind, Vec<FieldValue<'_>>) {
                match self {
                    $($event => {
                        let kind = &EventKind {
                            name: $name,
                            about: $about,
                            heard_by: $heard_by,
                            fields: &[$((stringify!($field), FieldKind::$kind)),+],
                        };
                        (kind, vec![$(value!($kind, $field)),+])
                    })*
                }
            }
        }
    };
}

events! {
    "phase", "a phase began for one or several players", ALL,
    Self::PhaseBegan { phase, seat: player } => phase: Phase, player: MaybePlayer;

    "turn", "a player's turn began, or a round that all players play at once", ALL,
    Self::TurnBegan { player, turn, round } =>
        player: MaybePlayer, turn: Number, round: Number;

    "answer", "a player answered, or the fault policy answered for the player",
    "players who see the territories of the action; in secret phases only the player",
    Self::Answered { player, phase, action, chosen, .. } =>
        player: Player, phase: Phase, action: Action, chosen: Flag;

    "fault", "a player committed a fault", ALL,
    Self::Faulted { player, kind: code, strikes, .. } =>
        player: Player, code: Word, strikes: Number;

    "owner", "a territory changed hands without a fight", SEEN,
    Self::Owner { at, from, to } => at: Territory, from: MaybePlayer, to: MaybePlayer;

    "units", "the number of units on a territory changed: the difference, and the new number", SEEN,
    Self::Units { at, unit, by, now } => at: Territory, unit: Unit, by: Number, now: Number;

    "moved", "units moved from one territory to another", SEEN,
    Self::Moved { from, to, unit, count } =>
        from: Territory, to: Territory, unit: Unit, count: Number;

    "captured", "a territory was captured: the number of units killed, and the number moved in",
    "players who see the territories, and the two players involved",
    Self::Captured(Capture { from, to, by: player, loser, unit, killed, moved }) =>
        from: Territory, to: Territory, player: Player, loser: MaybePlayer, unit: Unit,
        killed: Number, moved: Number;

    "counter", "a counter changed: the difference, and the new value",
    "players who see the counter",
    Self::Counter { counter, of: player, by, now } =>
        counter: Counter, player: MaybePlayer, by: Number, now: Number;

    "mark", "a mark of a territory changed: the difference, and the new value",
    "players who see the mark",
    Self::Mark { at, mark, by, now } => at: Territory, mark: Mark, by: Number, now: Number;

    "filled", "a pile was filled; its cards are hidden from players who can't see them", ALL,
    Self::Filled { pile: (pile, player), cards, count } =>
        pile: Pile, player: MaybePlayer, count: Number, cards: Cards;

    "card", "a card moved; it is hidden from players who see neither pile", ALL,
    Self::Card { card, from: (from, from_player), to: (to, to_player), .. } =>
        card: Card, from: Pile, from_player: MaybePlayer, to: Pile, to_player: MaybePlayer;

    "shuffled", "a pile was shuffled; its cards are hidden from players who can't see them", ALL,
    Self::Shuffled { pile: (pile, player), cards } =>
        pile: Pile, player: MaybePlayer, cards: Cards;

    "border", "a rule opened or closed the borders between two territories", ALL,
    Self::Border { from, to, open } => from: Territory, to: Territory, open: Flag;

    "status", "a player's status changed: playing, neutral, forfeited or eliminated", ALL,
    Self::Status { player, now } => player: Player, now: Word;

    "rolled", "the attacker and the defender rolled dice", OPEN,
    Self::Rolled { attack, defend } => attack: Dice, defend: Dice;

    "tried", "a percentage chance was tried several times", OPEN,
    Self::Tried { tries, percent, successes: hits } =>
        tries: Number, percent: Number, hits: Number;

    "executed", "a stored order was executed", "players who see the territories of the order",
    Self::Executed { player, action } => player: Player, action: Action;

    "fought", "a round of a fight took place: the armies that fought, and their losses", SEEN,
    Self::Fought(FightRound { from, to, attackers, defenders, attacker_lost, defender_lost, .. }) =>
        from: Territory, to: Territory, attackers: Number, defenders: Number,
        attacker_lost: Number, defender_lost: Number;

    "stored", "an order was stored", OWN,
    Self::Stored { player, action } => player: Player, action: Action;

    "unstored", "a stored order was removed because it was undone or executed", OWN,
    Self::Unstored { player, action, .. } => player: Player, action: Action;

    "said", "the ruleset wrote a note", "all players; in fog only the player concerned",
    Self::Said { player, text } => player: MaybePlayer, text: Text;

    "ended", "the game is over", ALL,
    Self::Ended { reason, winners } => reason: Text, winners: Players;
}
