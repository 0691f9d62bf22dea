//! What happens in a game, as acts: answers, executed orders, turns, phases and what the rules do,
//! each with its effects. Events are single changes; only this module puts them together to fights.

mod fight;
mod sight;
mod stream;

use risk_kernel::action::Action;
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::event::Event;
use risk_kernel::id::{Phase, Player, Territory, Unit};

pub use fight::{Fight, FightResult, Roll};
pub use sight::Eyes;
pub use stream::Acts;

/// Something that happened, with its effects in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// What led to the effects.
    pub cause: Cause,
    /// The phase; `None` before the first phase.
    pub phase: Option<Phase>,
    /// The effects, in the order in which they happened.
    pub effects: Vec<Effect>,
    /// Whether the act is one of several orders that were announced before their effects.
    pub is_batched: bool,
    /// The index of the last fight among the effects.
    last_fight: Option<usize>,
}

/// The cause of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The rules, before the first answer or between answers.
    Rules,
    /// The beginning of a player's turn, or of a round of all players. It has no effects.
    Turn {
        /// The player whose turn it is; `None` if all players play simultaneously.
        player: Option<Player>,
        /// The number of this player-turn, from 1.
        turn: u32,
        /// The number of the round, from 1.
        round: u32,
    },
    /// The beginning of the act's phase. It has no effects.
    Phase(Option<Player>),
    /// An answer of this player.
    Answer(Player, Action),
    /// An order that this player gave earlier and that is executed now.
    Order(Player, Action),
}

/// An effect of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A fight with its losses, and the units that moved in.
    Fight(Fight),
    /// Units moved from one territory to another.
    Moved(Move),
    /// The number of units changed, and no fight or move explains it.
    Units(UnitChange),
    /// A change that stands alone: a capture or a new owner without a fight, a counter, a card, a
    /// status, a fault, a message, the book of orders, or chance without a fight.
    Event(Event),
}

/// Units that moved between two territories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The territory that the units left.
    pub from: Territory,
    /// The territory that the units reached.
    pub to: Territory,
    /// The kind of unit.
    pub unit: Unit,
    /// The number of units, at least 1.
    pub count: i32,
    /// The owner of the territory that the units left, or else of the one that they reached.
    pub owner: Option<Player>,
}

/// A change of the units of one kind on a territory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitChange {
    /// The territory.
    pub at: Territory,
    /// The kind of unit.
    pub unit: Unit,
    /// The number of units before the change.
    pub before: i32,
    /// The number of units after the change.
    pub now: i32,
    /// The owner of the territory at that moment.
    pub owner: Option<Player>,
}

impl Act {
    fn new(cause: Cause, phase: Option<Phase>) -> Self {
        Self {
            cause,
            phase,
            effects: Vec::new(),
            is_batched: false,
            last_fight: None,
        }
    }

    /// Returns the player and the action of an answer or an order.
    #[must_use]
    pub const fn action(&self) -> Option<(Player, Action)> {
        match self.cause {
            Cause::Answer(player, action) | Cause::Order(player, action) => Some((player, action)),
            Cause::Rules | Cause::Turn { .. } | Cause::Phase(_) => None,
        }
    }

    /// Returns the values of the action's parameters of this kind.
    #[must_use]
    pub fn values(&self, decl: &Declaration, kind: SlotKind) -> Vec<i32> {
        let Some((_, action)) = self.action() else {
            return Vec::new();
        };
        let slots = &decl.verbs[action.verb.index()].slots;
        let values = slots.iter().zip(action.args());
        let values = values.filter(|(slot, _)| slot.1 == kind);
        values.map(|(_, &value)| value).collect()
    }

    /// Reports whether the action names this territory.
    #[must_use]
    pub fn names(&self, decl: &Declaration, at: Territory) -> bool {
        self.values(decl, SlotKind::Territory)
            .contains(&at.number())
    }

    fn fight(&mut self) -> Option<&mut Fight> {
        match self.effects.get_mut(self.last_fight?) {
            Some(Effect::Fight(fight)) => Some(fight),
            _ => None,
        }
    }

    /// Reports whether nothing has come of an order so far.
    fn is_bare(&self) -> bool {
        let mut effects = self.effects.iter();
        effects.all(|effect| matches!(effect, Effect::Event(Event::Unstored { .. })))
    }
}
