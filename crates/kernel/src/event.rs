//! Events, one for each mutation. A game's events are sufficient to rebuild its state.

pub mod table;

use super::action::Action;
use super::fault::{Exchange, FaultKind};
use super::id::{Card, Counter, Mark, Phase, Pile, Player, PlayerSet, Territory, Unit};

/// Up to 7 dice, in the order in which they were rolled. A roll of more dice is several events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dice {
    count: u8,
    values: [u8; 7],
}

impl Dice {
    /// The maximum number of dice in one event.
    pub const MOST: usize = 7;

    /// Creates dice with these values.
    ///
    /// # Panics
    /// Panics with more than [`Dice::MOST`] values.
    #[must_use]
    pub fn new(values: &[u8]) -> Self {
        let mut all = [0; Self::MOST];
        all[..values.len()].copy_from_slice(values);
        Self {
            count: values.len() as u8,
            values: all,
        }
    }

    /// Returns the attacker's and the defender's dice of a throw: see
    /// [`super::state::GameState::throw`].
    #[must_use]
    pub fn of_throw(mut throw: u64, sides: u32, attack: usize, defend: usize) -> (Self, Self) {
        let mut values = [0; Self::MOST];
        for value in &mut values[..attack + defend] {
            *value = (throw % u64::from(sides)) as u8 + 1;
            throw /= u64::from(sides);
        }
        (
            Self::new(&values[..attack]),
            Self::new(&values[attack..attack + defend]),
        )
    }

    /// Returns the same dice in descending order.
    #[must_use]
    pub fn highest_first(mut self) -> Self {
        self.values[..self.count as usize].sort_unstable_by(|a, b| b.cmp(a));
        self
    }

    /// Returns the numbers on the dice, in order.
    #[must_use]
    pub fn values(&self) -> &[u8] {
        &self.values[..self.count as usize]
    }
}

risk_text::named! {
    /// The status of a player, which determines whether the player still makes decisions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Status {
        /// The player makes decisions.
        Playing = "playing",
        /// The player makes no more decisions but keeps territories and cards.
        Neutral = "neutral",
        /// The player is neutral and ranked last.
        Forfeited = "forfeited",
        /// The player is out of the game.
        Eliminated = "eliminated",
    }
}

/// A pile and its owner; `None` for the table's pile.
pub type PileOf = (Pile, Option<Player>);

/// The capture of a territory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The territory that the units came from.
    pub from: Territory,
    /// The captured territory.
    pub to: Territory,
    /// The player who captured it.
    pub by: Player,
    /// The player who lost it; `None` if it had no owner.
    pub loser: Option<Player>,
    /// The kind of unit that moved in.
    pub unit: Unit,
    /// The number of units of that kind on `to` that died in the capture.
    pub killed: i32,
    /// The number of units that moved in.
    pub moved: i32,
}

/// A round of a fight. The numbers of units do not include the losses of the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FightRound {
    /// The attacking territory.
    pub from: Territory,
    /// The attacked territory.
    pub to: Territory,
    /// The number of attackers: the units on `from` that were sent or that may be lost.
    pub attackers: i32,
    /// The number of units on `from` that can fight, including the attackers. In standard phases,
    /// these are armies: units of the first kind.
    pub standing: i32,
    /// The number of defending units.
    pub defenders: i32,
    /// The attacker's losses.
    pub attacker_lost: i32,
    /// The defender's losses.
    pub defender_lost: i32,
}

/// An event. Numbers describe the state after the event unless the field's description says
/// otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A frame was entered.
    PhaseBegan {
        /// The phase of the frame.
        phase: Phase,
        /// The player that the frame was opened for; `None` if it was opened for several players or
        /// for none.
        seat: Option<Player>,
    },
    /// A player's turn began, or a round began that all players play simultaneously.
    TurnBegan {
        /// The player whose turn it is; `None` if all players play simultaneously.
        player: Option<Player>,
        /// The number of this player-turn, from 1.
        turn: u32,
        /// The number of the round, from 1.
        round: u32,
    },
    /// A player answered. The effects of the answer follow.
    Answered {
        /// The player who answered.
        player: Player,
        /// The phase of the decision.
        phase: Phase,
        /// The chosen action.
        action: Action,
        /// The number of this answer in the game, from 1.
        number: u64,
        /// Whether the player chose the action. If false, the fault policy chose it.
        chosen: bool,
    },
    /// A player committed a fault.
    Faulted {
        /// The player at fault.
        player: Player,
        /// The kind of fault.
        kind: FaultKind,
        /// The description of the fault; empty if it is hidden.
        text: String,
        /// The number of the player's strikes so far.
        strikes: u32,
        /// The phase in which the player had to answer, if any.
        phase: Option<Phase>,
        /// The number that the answer would have had, from 1.
        number: u64,
        /// The messages to and from the bot; `None` if the bot is not remote.
        exchange: Option<Box<Exchange>>,
    },
    /// A territory changed owner without a fight.
    Owner {
        /// The territory.
        at: Territory,
        /// The previous owner; `None` if the territory had no owner.
        from: Option<Player>,
        /// The new owner; `None` if the territory has no owner now.
        to: Option<Player>,
    },
    /// Units were added or removed.
    Units {
        /// The territory.
        at: Territory,
        /// The kind of unit.
        unit: Unit,
        /// The number of units added; negative if units were removed.
        by: i32,
        /// The number of units of this kind on the territory after the change.
        now: i32,
    },
    /// Units moved from one territory to another.
    Moved {
        /// The territory that the units left.
        from: Territory,
        /// The territory that the units reached.
        to: Territory,
        /// The kind of unit.
        unit: Unit,
        /// The number of units, at least 1.
        count: i32,
    },
    /// A territory was captured: its units died, and the conqueror's units moved in.
    Captured(Capture),
    /// A counter changed.
    Counter {
        /// The counter.
        counter: Counter,
        /// The counter's owner; `None` for the table's counter.
        of: Option<Player>,
        /// The change of the value.
        by: i64,
        /// The new value.
        now: i64,
    },
    /// A mark of a territory changed.
    Mark {
        /// The territory.
        at: Territory,
        /// The mark.
        mark: Mark,
        /// The change of the value.
        by: i32,
        /// The new value.
        now: i32,
    },
    /// A pile was filled during the set-up.
    Filled {
        /// The pile.
        pile: PileOf,
        /// The cards put onto the pile, the top card last; `None` if hidden.
        cards: Option<Vec<Card>>,
        /// The number of cards put onto the pile.
        count: usize,
    },
    /// A card moved from one pile to another.
    Card {
        /// The card; `None` if hidden.
        card: Option<Card>,
        /// The pile that the card left.
        from: PileOf,
        /// The pile that the card reached.
        to: PileOf,
        /// Whether the card was put under the pile instead of on top of it.
        under: bool,
    },
    /// A pile was shuffled.
    Shuffled {
        /// The pile.
        pile: PileOf,
        /// The new order of the pile, the top card last; `None` if hidden.
        cards: Option<Vec<Card>>,
    },
    /// A rule opened or closed the borders between two territories.
    Border {
        /// One of the territories.
        from: Territory,
        /// The other territory.
        to: Territory,
        /// True if the borders were opened, false if they were closed.
        open: bool,
    },
    /// A player's status changed.
    Status {
        /// The player.
        player: Player,
        /// The new status.
        now: Status,
    },
    /// Dice were rolled.
    Rolled {
        /// The attacker's dice, or all dice.
        attack: Dice,
        /// The defender's dice; empty if there is no defender.
        defend: Dice,
    },
    /// A chance in percent was tried.
    Tried {
        /// The number of tries.
        tries: i32,
        /// The chance in percent.
        percent: i32,
        /// The number of successes.
        successes: i32,
    },
    /// A stored order is executed. Its effects follow. This event is only an announcement: any
    /// change of the book comes before it.
    Executed {
        /// The player who gave the order.
        player: Player,
        /// The stored action.
        action: Action,
    },
    /// A round of a fight, with the numbers before its losses. The losses have separate events.
    Fought(FightRound),
    /// An order was stored in the book. Visible only to the player who gave it.
    Stored {
        /// The player who gave the order.
        player: Player,
        /// The stored action.
        action: Action,
    },
    /// An order left the book. Visible only to the player who gave it.
    Unstored {
        /// The order's index in the book.
        index: usize,
        /// The player who gave the order.
        player: Player,
        /// The stored action.
        action: Action,
    },
    /// The ruleset announced a message.
    Said {
        /// The player that the message is about; `None` for all players.
        player: Option<Player>,
        /// The message.
        text: String,
    },
    /// The game is over.
    Ended {
        /// The reason as one word: `conquest`, `limit` …
        reason: String,
        /// The winners. Several winners share a draw. An empty set is a draw of all players.
        winners: PlayerSet,
    },
}
