//! What one player may see. Bots get a [`View`], never the game.

use std::ops::Deref;
use std::sync::Arc;

use super::action::Action;
use super::board::Board;
use super::declare::{Declaration, Sight, SlotKind, Visibility};
use super::event::{Capture, Event, FightRound, PileOf, Status};
use super::id::{Card, Counter, MAX_PLAYERS, Pile, Player, PlayerSet, Territory, Unit};
use super::state::{Frame, GameState, Place};

/// A game that can be read and shared, not changed. The loop changes the game only while nobody
/// shares it, or changes a copy: facts that are kept stay as they were.
#[derive(Clone, Debug)]
pub struct Facts(Arc<GameState>);

impl Facts {
    /// Facts about a game.
    #[must_use]
    pub fn new(game: GameState) -> Self {
        Self(Arc::new(game))
    }

    #[inline]
    pub(super) fn change(&mut self) -> &mut GameState {
        Arc::make_mut(&mut self.0)
    }

    /// The game itself, copied if somebody still shares it.
    #[must_use]
    pub fn into_game(self) -> GameState {
        Arc::unwrap_or_clone(self.0)
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
    player: Player,
    /// No fog hides units.
    open: bool,
}

impl View {
    /// The game as `player` sees it.
    #[inline]
    #[must_use]
    pub fn new(facts: &Facts, player: Player) -> Self {
        Self {
            facts: facts.clone(),
            player,
            open: facts.decl().units_seen == Sight::All,
        }
    }

    /// The board that is played on, to be shared.
    #[must_use]
    pub fn shared_board(&self) -> &Arc<Board> {
        self.facts.board()
    }

    /// The player who looks.
    #[inline]
    #[must_use]
    pub const fn me(&self) -> Player {
        self.player
    }

    /// The other players of one's team.
    #[must_use]
    pub fn partners(&self) -> PlayerSet {
        self.facts.team(self.player).without(self.player)
    }

    /// The board that is played on.
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
        sight == Sight::All || in_sight(&self.facts, self.player, at, sight)
    }

    /// The owner of a territory; `None` when nobody owns it or fog hides
    /// it, see [`View::sees_owner`].
    #[inline]
    #[must_use]
    pub fn owner(&self, at: Territory) -> Option<Player> {
        self.facts
            .owner(at)
            .filter(|&owner| owner == self.player || self.sees_owner(at))
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
        self.facts.owns(self.player, at)
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

    /// The owners of all territories, and their units, each kind of a territory behind the other;
    /// `None` where fog may hide some of them.
    #[inline]
    pub fn open_land(&self) -> Option<(impl Iterator<Item = Option<Player>>, &[i32])> {
        let game = &*self.facts;
        let owner =
            |place: &Place| (place.owner != GameState::NOBODY).then_some(Player(place.owner));
        (self.open && self.decl().owners_seen == Sight::All)
            .then(|| (game.places.iter().map(owner), &game.units[..]))
    }

    /// The units of the first kind; `None` when fog hides them.
    #[inline]
    #[must_use]
    pub fn armies(&self, at: Territory) -> Option<i32> {
        self.units(at, Unit::FIRST)
    }

    /// The units of the first kind on land next to this one that is not mine, as far as I see
    /// them; `None` where all of it is mine.
    #[must_use]
    pub fn bordering_units(&self, at: Territory) -> Option<i64> {
        let game = &*self.facts;
        let places = &game.places[..];
        let units = &game.units[..];
        let mut borders = false;
        let mut units_there = 0;
        for &to in game.board().neighbours(at) {
            if places[to.index()].owner != self.player.0 {
                borders = true;
                let there = if self.open {
                    units[to.index() * game.kinds]
                } else {
                    self.armies(to).unwrap_or(0)
                };
                units_there += i64::from(there);
            }
        }
        borders.then_some(units_there)
    }

    /// My territories in file order.
    pub fn owned(&self) -> impl Iterator<Item = Territory> + '_ {
        self.facts.owned(self.player)
    }

    /// My territories in file order, from this one on.
    pub fn owned_from(&self, start: Territory) -> impl Iterator<Item = Territory> + '_ {
        self.facts.owned(self.player).from(start)
    }

    /// How many territories a player owns; `None` when fog hides some of the board's
    /// owners from me.
    #[must_use]
    pub fn territory_count(&self, player: Player) -> Option<u32> {
        let open = player == self.player || self.facts.decl().owners_seen == Sight::All;
        open.then(|| self.facts.territory_count(player))
    }

    /// A counter; `None` when it is hidden from me.
    #[must_use]
    pub fn counter(&self, counter: Counter, of: Option<Player>) -> Option<i64> {
        let seen = self.facts.decl().counters[counter.index()].seen;
        may_see(seen, of, self.player).then(|| self.facts.counter(counter, of))
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
        may_see(seen, of, self.player).then(|| self.facts.pile(pile, of))
    }

    /// My orders that are stored and not yet executed, the oldest first.
    pub fn orders(&self) -> impl Iterator<Item = &Action> + '_ {
        let own = self.facts.book().iter();
        own.filter(|order| order.player == self.player)
            .map(|order| &order.action)
    }

    /// A player's status.
    #[must_use]
    pub fn status(&self, player: Player) -> Status {
        self.facts.status(player)
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

    /// Whose turn it is.
    #[must_use]
    pub fn mover(&self) -> Option<Player> {
        self.facts.mover()
    }

    /// A player's faults so far.
    #[must_use]
    pub fn strikes(&self, player: Player) -> u32 {
        self.facts.strikes(player)
    }

    /// Who was eliminated, in order, and in which round.
    pub fn eliminated(&self) -> impl Iterator<Item = (Player, u32)> + '_ {
        let rounds = self.facts.out_rounds.iter().copied();
        self.facts.out_order.iter().copied().zip(rounds)
    }

    /// The open phases, the one being decided last.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        self.facts.stack()
    }

    /// The frame I am asked in, with the numbers it was opened with.
    #[must_use]
    pub fn frame(&self) -> Option<&Frame> {
        self.facts.frame()
    }

    /// An event as I see it: whole, with what is hidden taken out, or not at all.
    #[must_use]
    pub fn redact_for(&self, event: &Event) -> Option<Event> {
        redact_for(&self.facts, self.player, event)
    }
}

/// Nobody sits there, so nothing is this player's own.
const ASIDE: Player = Player(MAX_PLAYERS as u8);

/// An event as somebody sees it who does not play: without anything that is hidden from any player.
#[must_use]
pub fn in_public(game: &GameState, event: &Event) -> Option<Event> {
    redact_for(game, ASIDE, event)
}

impl GameState {
    /// Does a player see who owns this territory, or that nobody does?
    #[must_use]
    pub fn sees_owner(&self, player: Player, at: Territory) -> bool {
        in_sight(self, player, at, self.decl.owners_seen)
    }

    /// Does a player see the units on this territory?
    #[must_use]
    pub fn sees_units(&self, player: Player, at: Territory) -> bool {
        in_sight(self, player, at, self.decl.units_seen)
    }
}

/// What somebody sees who does not play: nothing that is hidden from any player.
#[must_use]
pub fn view_in_public(facts: &Facts) -> View {
    View::new(facts, ASIDE)
}

/// The same game with nothing hidden, to be read by [`view_in_public`] and [`in_public`] and not
/// played on.
#[must_use]
pub fn revealed(game: &GameState) -> GameState {
    let mut decl = (*game.decl).clone();
    decl.owners_seen = Sight::All;
    decl.units_seen = Sight::All;
    for declared in decl.counters.iter_mut().chain(&mut decl.piles) {
        declared.seen = Visibility::All;
    }
    for phase in &mut decl.phases {
        phase.secret = false;
    }
    let mut game = game.clone();
    game.decl = Arc::new(decl);
    game
}

/// Is the board open: does everybody see all land and all units?
#[must_use]
pub fn is_open(decl: &Declaration) -> bool {
    decl.owners_seen == Sight::All && decl.units_seen == Sight::All
}

pub(super) const fn may_see(seen: Visibility, of: Option<Player>, player: Player) -> bool {
    match (seen, of) {
        (Visibility::All, _) => true,
        (Visibility::Owner, Some(owner)) => owner.0 == player.0,
        (Visibility::Owner, None) | (Visibility::Nobody, _) => false,
    }
}

fn in_sight(game: &GameState, player: Player, at: Territory, sight: Sight) -> bool {
    match sight {
        Sight::All => true,
        Sight::Own => game.owns(player, at),
        Sight::Near => {
            game.owns(player, at)
                || game
                    .board()
                    .neighbours(at)
                    .iter()
                    .any(|&next| game.owns(player, next))
        }
    }
}

/// An event as a player sees it.
fn redact_for(game: &GameState, player: Player, event: &Event) -> Option<Event> {
    Onlooker { game, player }.redact(event)
}

/// Somebody who hears of events.
#[derive(Clone, Copy)]
struct Onlooker<'a> {
    game: &'a GameState,
    player: Player,
}

impl Onlooker<'_> {
    fn sees_owner(self, at: Territory) -> bool {
        self.game.sees_owner(self.player, at)
    }

    fn sees_units(self, at: Territory) -> bool {
        self.game.sees_units(self.player, at)
    }

    fn sees_pile(self, pile: PileOf) -> bool {
        let seen = self.game.decl().piles[pile.0.index()].seen;
        may_see(seen, pile.1, self.player)
    }

    fn sees_counter(self, counter: Counter, of: Option<Player>) -> bool {
        may_see(
            self.game.decl().counters[counter.index()].seen,
            of,
            self.player,
        )
    }

    /// An action shows where armies are: in fog only those near see it.
    fn sees_action(self, actor: Player, action: &Action) -> bool {
        let slots = &self.game.decl().verbs[action.verb.index()].slots;
        let mut territories = slots
            .iter()
            .zip(action.args())
            .filter(|(slot, _)| slot.1 == SlotKind::Territory);
        let sees = |at: i32| {
            usize::try_from(at).is_ok_and(|at| self.sees_units(Territory::from_index(at)))
        };
        actor == self.player || territories.all(|(_, &at)| sees(at))
    }

    /// The event whole, with what is hidden taken out, or not at all.
    fn redact(self, event: &Event) -> Option<Event> {
        match self.without_hidden(event) {
            Some(redacted) => Some(redacted),
            None => self.sees(event).then(|| event.clone()),
        }
    }

    /// The event with a part taken out, if a part of it is hidden.
    fn without_hidden(self, event: &Event) -> Option<Event> {
        let hides = match event {
            Event::Filled { pile, .. } | Event::Shuffled { pile, .. } => !self.sees_pile(*pile),
            Event::Card { from, to, .. } => !self.sees_pile(*from) && !self.sees_pile(*to),
            Event::Faulted { player, .. } => *player != self.player,
            _ => false,
        };
        if !hides {
            return None;
        }
        let mut seen = event.clone();
        match &mut seen {
            Event::Filled { cards, .. } | Event::Shuffled { cards, .. } => *cards = None,
            Event::Card { card, .. } => *card = None,
            Event::Faulted { text, exchange, .. } => {
                text.clear();
                *exchange = None;
            }
            _ => {}
        }
        Some(seen)
    }

    /// Does the player hear of the event at all?
    fn sees(self, event: &Event) -> bool {
        let decl = self.game.decl();
        let fog = decl.units_seen != Sight::All;
        match event {
            Event::Answered { player, phase, .. } if decl.phases[phase.index()].secret => {
                *player == self.player
            }
            // How many orders others have given is as secret as what they are; what is executed is
            // told then.
            Event::Stored { player, .. } | Event::Unstored { player, .. } => *player == self.player,
            Event::Answered { player, action, .. } | Event::Executed { player, action } => {
                self.sees_action(*player, action)
            }
            // Dice and tries say how many fight, and the ruleset's words what about; the losses are
            // events of their own.
            Event::Rolled { .. } | Event::Tried { .. } => !fog,
            Event::Said { player, .. } => !fog || player.is_none_or(|about| about == self.player),
            Event::Owner { at, .. } => self.sees_owner(*at),
            Event::Units { at, .. } => self.sees_units(*at),
            Event::Moved { from, to, .. } | Event::Fought(FightRound { from, to, .. }) => {
                self.sees_units(*from) && self.sees_units(*to)
            }
            Event::Captured(Capture {
                from,
                to,
                by,
                loser,
                ..
            }) => {
                *by == self.player
                    || *loser == Some(self.player)
                    || (self.sees_owner(*to) && self.sees_units(*from) && self.sees_units(*to))
            }
            Event::Counter { counter, of, .. } => self.sees_counter(*counter, *of),
            Event::PhaseBegan { .. }
            | Event::TurnBegan { .. }
            | Event::Faulted { .. }
            | Event::Filled { .. }
            | Event::Card { .. }
            | Event::Shuffled { .. }
            | Event::Status { .. }
            | Event::Ended { .. } => true,
        }
    }
}
