//! What one player may see. Bots get a [`View`], never the game.

use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use super::action::Action;
use super::board::Board;
use super::declare::{Declaration, Sight, SlotKind, Visibility};
use super::event::{Event, PileOf, Status};
use super::id::{Card, Counter, MAX_PLAYERS, Pile, Player, Territory, Unit};
use super::state::{Frame, GameState};

/// A game that can be read and shared, not changed. The loop changes the game only while nobody
/// shares it, or changes a copy: facts that are kept stay as they were.
#[derive(Clone, Debug)]
pub struct Facts(Rc<GameState>);

impl Facts {
    /// Facts about a game.
    #[must_use]
    pub fn new(game: GameState) -> Self {
        Self(Rc::new(game))
    }

    #[inline]
    pub(super) fn change(&mut self) -> &mut GameState {
        Rc::make_mut(&mut self.0)
    }

    /// The game itself, copied if somebody still shares it.
    #[must_use]
    pub fn into_game(self) -> GameState {
        Rc::unwrap_or_clone(self.0)
    }
}

impl Deref for Facts {
    type Target = GameState;
    #[inline]
    fn deref(&self) -> &GameState {
        &self.0
    }
}

/// The game as one player sees it. A view that is kept stays as it was.
#[derive(Clone, Debug)]
pub struct View {
    facts: Facts,
    who: Player,
    /// No fog hides units.
    open: bool,
}

impl View {
    /// The game as `who` sees it.
    #[inline]
    #[must_use]
    pub fn new(facts: &Facts, who: Player) -> Self {
        Self {
            facts: facts.clone(),
            who,
            open: facts.decl().units_seen == Sight::All,
        }
    }

    /// Who looks.
    #[inline]
    #[must_use]
    pub const fn me(&self) -> Player {
        self.who
    }

    /// The board.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        self.facts.board()
    }

    /// What the ruleset declares.
    #[inline]
    #[must_use]
    pub fn decl(&self) -> &Arc<Declaration> {
        self.facts.decl()
    }

    /// How many players sat down.
    #[must_use]
    pub fn players(&self) -> usize {
        self.facts.players()
    }

    #[inline]
    fn in_sight(&self, at: Territory, sight: Sight) -> bool {
        sight == Sight::All || in_sight(&self.facts, self.who, at, sight)
    }

    /// The owner of a territory; `None` when nobody owns it or fog hides it, see
    /// [`View::sees_owner`].
    #[inline]
    #[must_use]
    pub fn owner(&self, at: Territory) -> Option<Player> {
        self.facts
            .owner(at)
            .filter(|&owner| owner == self.who || self.sees_owner(at))
    }

    /// Is the owner of this territory in sight?
    #[inline]
    #[must_use]
    pub fn sees_owner(&self, at: Territory) -> bool {
        self.in_sight(at, self.facts.decl().owners_seen)
    }

    /// Do I own it?
    #[inline]
    #[must_use]
    pub fn mine(&self, at: Territory) -> bool {
        self.facts.owns(self.who, at)
    }

    /// Is there land next to this one of mine that is not mine?
    #[inline]
    #[must_use]
    pub fn is_front(&self, at: Territory) -> bool {
        self.mine(at) && self.facts.is_front(at)
    }

    /// The units of a kind on a territory; `None` when fog hides them.
    #[inline]
    #[must_use]
    pub fn units(&self, at: Territory, unit: Unit) -> Option<i32> {
        (self.open || self.in_sight(at, self.facts.decl().units_seen))
            .then(|| self.facts.units(at, unit))
    }

    /// The units of the first kind; `None` when fog hides them.
    #[inline]
    #[must_use]
    pub fn armies(&self, at: Territory) -> Option<i32> {
        self.units(at, Unit(0))
    }

    /// My territories in file order.
    pub fn owned(&self) -> impl Iterator<Item = Territory> + '_ {
        self.facts.owned(self.who)
    }

    /// My territories in file order, from this one on.
    pub fn owned_from(&self, start: Territory) -> impl Iterator<Item = Territory> + '_ {
        self.facts.owned(self.who).from(start)
    }

    /// How many territories a player owns; `None` when fog hides some of the board's owners from
    /// me.
    #[must_use]
    pub fn territory_count(&self, who: Player) -> Option<u32> {
        let open = who == self.who || self.facts.decl().owners_seen == Sight::All;
        open.then(|| self.facts.territory_count(who))
    }

    /// A counter; `None` when it is hidden from me.
    #[must_use]
    pub fn counter(&self, counter: Counter, of: Option<Player>) -> Option<i64> {
        let seen = self.facts.decl().counters[counter.index()].seen;
        may_see(seen, of, self.who).then(|| self.facts.counter(counter, of))
    }

    /// How many cards are on a pile.
    #[must_use]
    pub fn pile_len(&self, pile: Pile, of: Option<Player>) -> usize {
        self.facts.pile(pile, of).len()
    }

    /// The cards of a pile, the top one last; `None` when they are hidden from me.
    #[must_use]
    pub fn pile(&self, pile: Pile, of: Option<Player>) -> Option<&[Card]> {
        let seen = self.facts.decl().piles[pile.index()].seen;
        may_see(seen, of, self.who).then(|| self.facts.pile(pile, of))
    }

    /// A player's status.
    #[must_use]
    pub fn status(&self, who: Player) -> Status {
        self.facts.status(who)
    }

    /// The number of the round, 0 during the set-up.
    #[must_use]
    pub fn round(&self) -> u32 {
        self.facts.round()
    }

    /// The number of the player-turn, 0 during the set-up.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.facts.turn()
    }

    /// How many answers were given so far. While answers are secret this counts whole passes alone,
    /// so it tells nothing of who has answered.
    #[must_use]
    pub fn answers(&self) -> u64 {
        self.facts.answers()
    }

    /// The frame I am asked in, with the numbers it was opened with.
    #[must_use]
    pub fn frame(&self) -> Option<&Frame> {
        self.facts.frame()
    }

    /// An event as I see it: whole, with what is hidden taken out, or not at all.
    #[must_use]
    pub fn redact_for(&self, event: &Event) -> Option<Event> {
        redact_for(&self.facts, self.who, event)
    }
}

/// An event as somebody sees it who does not play: without anything that is hidden from any player.
#[must_use]
pub fn in_public(game: &GameState, event: &Event) -> Option<Event> {
    // Nobody sits there, so nothing is this player's own.
    const ASIDE: Player = Player(MAX_PLAYERS as u8);
    redact_for(game, ASIDE, event)
}

/// Is the board open: does everybody see all land and all units?
#[must_use]
pub fn is_open(decl: &Declaration) -> bool {
    decl.owners_seen == Sight::All && decl.units_seen == Sight::All
}

const fn may_see(seen: Visibility, of: Option<Player>, who: Player) -> bool {
    match (seen, of) {
        (Visibility::All, _) => true,
        (Visibility::Owner, Some(owner)) => owner.0 == who.0,
        (Visibility::Owner, None) | (Visibility::Nobody, _) => false,
    }
}

fn in_sight(game: &GameState, who: Player, at: Territory, sight: Sight) -> bool {
    match sight {
        Sight::All => true,
        Sight::Own => game.owns(who, at),
        Sight::Near => {
            game.owns(who, at)
                || game
                    .board()
                    .neighbours(at)
                    .iter()
                    .any(|&next| game.owns(who, next))
        }
    }
}

fn redact_for(game: &GameState, who: Player, event: &Event) -> Option<Event> {
    let decl = game.decl();
    let owners = |at: Territory| in_sight(game, who, at, decl.owners_seen);
    let units = |at: Territory| in_sight(game, who, at, decl.units_seen);
    let pile = |(pile, of): PileOf| may_see(decl.piles[pile.index()].seen, of, who);
    // An action shows where armies are: in fog only those near see it.
    let action = |action: &Action| {
        let slots = decl.verbs[action.verb.index()]
            .slots
            .iter()
            .zip(action.args());
        let mut lands = slots.filter(|(slot, _)| slot.1 == SlotKind::Territory);
        lands.all(|(_, &at)| usize::try_from(at).is_ok_and(|at| units(Territory::from_index(at))))
    };
    let fog = decl.units_seen != Sight::All;
    let shown = match event {
        Event::Answered {
            who: actor, phase, ..
        } if decl.phases[phase.index()].secret => *actor == who,
        Event::Answered {
            who: actor,
            action: said,
            ..
        }
        | Event::Executed {
            who: actor,
            action: said,
        }
        | Event::Unstored {
            who: actor,
            action: said,
            ..
        } => *actor == who || action(said),
        // Dice and tries say how many fight, and the ruleset's words what about; the losses are
        // events of their own.
        Event::Rolled { .. } | Event::Hits { .. } => !fog,
        Event::Said {
            who: Some(about), ..
        } => !fog || *about == who,
        Event::Owner { at, .. } => owners(*at),
        Event::Units { at, .. } => units(*at),
        Event::Moved { from, to, .. } | Event::Fought { from, to, .. } => {
            units(*from) && units(*to)
        }
        Event::Captured {
            from,
            to,
            by,
            loser,
            ..
        } => *by == who || *loser == Some(who) || (owners(*to) && units(*from) && units(*to)),
        Event::Counter { counter, of, .. } => {
            may_see(decl.counters[counter.index()].seen, *of, who)
        }
        Event::Filled {
            pile: of, count, ..
        } if !pile(*of) => {
            return Some(Event::Filled {
                pile: *of,
                cards: None,
                count: *count,
            });
        }
        Event::Shuffled { pile: of, .. } if !pile(*of) => {
            return Some(Event::Shuffled {
                pile: *of,
                cards: None,
            });
        }
        Event::Card {
            from, to, under, ..
        } if !pile(*from) && !pile(*to) => {
            return Some(Event::Card {
                card: None,
                from: *from,
                to: *to,
                under: *under,
            });
        }
        Event::Stored { who: actor, .. } if *actor != who => {
            return Some(Event::Stored {
                who: *actor,
                action: None,
            });
        }
        Event::Faulted { who: actor, .. } if *actor != who => {
            let mut seen = event.clone();
            if let Event::Faulted { text, exchange, .. } = &mut seen {
                text.clear();
                *exchange = None;
            }
            return Some(seen);
        }
        _ => true,
    };
    shown.then(|| event.clone())
}
