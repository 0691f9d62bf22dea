//! Events: what happened, one for each mutation, enough to rebuild the state, and who may see what.

pub mod table;

use super::action::Action;
use super::fault::{Exchange, FaultKind};
use super::id::{Card, Counter, Phase, Pile, Player, PlayerSet, Territory, Unit};

/// Up to seven dice, in the order rolled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dice {
    count: u8,
    values: [u8; 7],
}

impl Dice {
    /// The most dice in one roll.
    pub const MOST: usize = 7;

    /// Dice with these values.
    ///
    /// # Panics
    /// With more than [`Dice::MOST`].
    #[must_use]
    pub fn new(values: &[u8]) -> Self {
        let mut all = [0; Self::MOST];
        all[..values.len()].copy_from_slice(values);
        Self {
            count: values.len() as u8,
            values: all,
        }
    }

    /// The dice of a throw: attacker's and defender's, see [`super::state::GameState::throw`].
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

    /// The same dice, the highest first.
    #[must_use]
    pub fn highest_first(mut self) -> Self {
        self.values[..self.count as usize].sort_unstable_by(|a, b| b.cmp(a));
        self
    }

    /// The numbers that came up, in the order of the dice.
    #[must_use]
    pub fn values(&self) -> &[u8] {
        &self.values[..self.count as usize]
    }
}

/// Whether a player decides, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// In the game.
    Playing,
    /// Land and cards stay; no decisions any more.
    Neutral,
    /// As neutral, and ranked last.
    Forfeited,
    /// Out of the game.
    Eliminated,
}

impl Status {
    /// All of them, as they are numbered.
    pub const ALL: [Self; 4] = [
        Self::Playing,
        Self::Neutral,
        Self::Forfeited,
        Self::Eliminated,
    ];

    /// The status with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// The status in one word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Playing => "playing",
            Self::Neutral => "neutral",
            Self::Forfeited => "forfeited",
            Self::Eliminated => "eliminated",
        }
    }
}

/// A pile: which, and whose (`None` is the table's).
pub type PileOf = (Pile, Option<Player>);

/// A territory that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Where the units came from.
    pub from: Territory,
    /// What was taken.
    pub to: Territory,
    /// The player who took it.
    pub by: Player,
    /// The player who lost it; `None` where it was nobody's.
    pub loser: Option<Player>,
    /// Which kind moved in.
    pub unit: Unit,
    /// How many of that kind fell there with the capture.
    pub killed: i32,
    /// How many moved in.
    pub moved: i32,
}

/// A round of a fight. The numbers are those before its losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FightRound {
    /// The territory that attacks.
    pub from: Territory,
    /// The territory that is attacked.
    pub to: Territory,
    /// How many attacked: of those that stand there, as many as were sent or may fall.
    pub attackers: i32,
    /// How many units stood where they came from, the attackers among them.
    pub standing: i32,
    /// How many units stood against them.
    pub defenders: i32,
    /// The attacker's losses.
    pub attacker_lost: i32,
    /// The defender's losses.
    pub defender_lost: i32,
}

/// What happened. Numbers are those after the event unless said otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A frame was entered.
    PhaseBegan {
        /// The phase that the frame is of.
        phase: Phase,
        /// The player it was opened for, when it was opened for one.
        seat: Option<Player>,
    },
    /// A player's turn began, or a round of everybody's at once.
    TurnBegan {
        /// The player whose turn it is; `None` for everybody's.
        player: Option<Player>,
        /// The number of this player-turn, from 1.
        turn: u32,
        /// The number of the round, from 1.
        round: u32,
    },
    /// A player answered; what the answer does follows.
    Answered {
        /// The player who answered.
        player: Player,
        /// The phase in which that was.
        phase: Phase,
        /// The action that was chosen.
        action: Action,
        /// The number of this answer in the game, from 1.
        number: u64,
        /// Did the player choose it? Otherwise the fault policy did.
        chosen: bool,
    },
    /// A player made a fault.
    Faulted {
        /// The player who made it.
        player: Player,
        /// The kind, as records have it.
        kind: FaultKind,
        /// The fault in words; empty where it is hidden.
        text: String,
        /// Strikes so far.
        strikes: u32,
        /// The phase in which an answer was wanted.
        phase: Option<Phase>,
        /// The number that the answer would have had, from 1.
        number: u64,
        /// What was said, if the bot is elsewhere.
        exchange: Option<Box<Exchange>>,
    },
    /// Land changed hands without a fight.
    Owner {
        /// The territory that has a new owner.
        at: Territory,
        /// Whose it was.
        from: Option<Player>,
        /// Whose it is.
        to: Option<Player>,
    },
    /// Units came or went.
    Units {
        /// The territory they stand on.
        at: Territory,
        /// The kind that came or went.
        unit: Unit,
        /// How many more (negative: fewer).
        by: i32,
        /// How many are there now.
        now: i32,
    },
    /// Units moved from one territory to another.
    Moved {
        /// The territory they left.
        from: Territory,
        /// The territory they came to.
        to: Territory,
        /// The kind that moved.
        unit: Unit,
        /// How many of them moved, from 1.
        count: i32,
    },
    /// Land was taken: what stood there is gone, the conqueror's units moved in.
    Captured(Capture),
    /// A counter changed.
    Counter {
        /// The counter that changed.
        counter: Counter,
        /// Whose; `None` is the table's.
        of: Option<Player>,
        /// By how much.
        by: i64,
        /// What it is now.
        now: i64,
    },
    /// A pile was filled at the set-up.
    Filled {
        /// The pile that was filled.
        pile: PileOf,
        /// What came onto it, the top card last; `None` if hidden.
        cards: Option<Vec<Card>>,
        /// How many cards came onto it.
        count: usize,
    },
    /// A card moved from one pile onto another.
    Card {
        /// The card that moved; `None` if hidden.
        card: Option<Card>,
        /// The pile it was on.
        from: PileOf,
        /// The pile it is on now.
        to: PileOf,
        /// Under the pile instead of on top of it?
        under: bool,
    },
    /// A pile was shuffled.
    Shuffled {
        /// The pile that was shuffled.
        pile: PileOf,
        /// Its new order, the top card last; `None` if hidden.
        cards: Option<Vec<Card>>,
    },
    /// A player's status changed.
    Status {
        /// The player whose status it is.
        player: Player,
        /// The status from now on.
        now: Status,
    },
    /// Dice were rolled.
    Rolled {
        /// The attacker's dice, or all there were.
        attack: Dice,
        /// The defender's dice; none where there is no defender.
        defend: Dice,
    },
    /// So many chances in a hundred were tried so many times.
    Tried {
        /// How many times.
        tries: i32,
        /// The chance in percent.
        percent: i32,
        /// How often it came.
        successes: i32,
    },
    /// A stored order is executed; what it does follows. Tells the story; the book
    /// was changed before.
    Executed {
        /// The player who gave the order.
        player: Player,
        /// The action that was stored.
        action: Action,
    },
    /// A round of a fight was fought. Tells the story; the losses are events of their own. The
    /// numbers are those before the losses.
    Fought(FightRound),
    /// An order was put into the book. Only the player who gave it hears of it.
    Stored {
        /// The player who gave the order.
        player: Player,
        /// The action to be executed.
        action: Action,
    },
    /// An order left the book. Only the player who gave it hears of it.
    Unstored {
        /// Its index in the book.
        index: usize,
        /// The player who gave the order.
        player: Player,
        /// The action that was stored.
        action: Action,
    },
    /// The ruleset tells the story in its own words.
    Said {
        /// The player it is about; `None` for everybody.
        player: Option<Player>,
        /// The words of the ruleset.
        text: String,
    },
    /// The game is over.
    Ended {
        /// The reason in a word: `conquest`, `limit` …
        reason: String,
        /// Who won; several share a draw, none at all is a draw of all.
        winners: PlayerSet,
    },
}

/// Which events are wanted. Those that nobody wants are never made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventFilter {
    /// No event at all: nobody looks on.
    Nothing,
    /// Faults of players alone: [`Event::Faulted`].
    Faults,
    /// What a record holds as well: [`Event::Answered`], [`Event::TurnBegan`] and [`Event::Said`].
    Recorded,
    /// All of them.
    All,
}
