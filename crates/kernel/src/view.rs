//! The parts of a game that one player may see. Bots get a [`View`], never the game.

use std::ops::Deref;
use std::sync::Arc;

use super::action::Action;
use super::board::Board;
use super::declare::{Declaration, Sight, SlotKind, Visibility};
use super::event::{Capture, Event, FightRound, PileOf, Status};
use super::event_filter::EventFilter;
use super::id::{Card, Counter, MAX_PLAYERS, Pile, Player, PlayerSet, Territory, Unit};
use super::rng::{GameKey, Purpose, SecretStream};
use super::state::{Frame, GameState, Order, TerritoryState};

/// A game that can be read and shared but not changed. The loop changes a game only while it is not
/// shared, or changes a copy. Shared facts therefore never change.
#[derive(Clone, Debug)]
pub struct Facts(Arc<GameState>);

impl Facts {
    /// Creates facts from a game.
    #[must_use]
    pub fn new(game: GameState) -> Self {
        Self(Arc::new(game))
    }

    #[inline]
    pub(super) fn change(&mut self) -> &mut GameState {
        Arc::make_mut(&mut self.0)
    }

    /// Returns the game, or a copy if the game is still shared.
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

/// The game as one player sees it. A view never changes.
#[derive(Clone, Debug)]
pub struct View {
    pub(super) facts: Facts,
    player: Player,
    open: bool,
}

impl View {
    /// Creates the view of `player`.
    #[inline]
    #[must_use]
    pub fn new(facts: &Facts, player: Player) -> Self {
        Self {
            facts: facts.clone(),
            player,
            open: facts.decl().units_seen == Sight::All,
        }
    }

    /// Returns the shared board.
    #[must_use]
    pub fn shared_board(&self) -> &Arc<Board> {
        self.facts.board()
    }

    /// Returns the player who sees this view.
    #[inline]
    #[must_use]
    pub const fn me(&self) -> Player {
        self.player
    }

    /// Returns the other players of the viewing player's team.
    #[must_use]
    pub fn partners(&self) -> PlayerSet {
        self.facts.team(self.player).without(self.player)
    }

    /// Returns the board.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        self.facts.board()
    }

    /// Returns the declarations of the ruleset.
    #[inline]
    #[must_use]
    pub fn decl(&self) -> &Arc<Declaration> {
        self.facts.decl()
    }

    /// Returns the number of players at the start.
    #[must_use]
    pub fn players(&self) -> usize {
        self.facts.players()
    }

    #[inline]
    fn in_sight(&self, at: Territory, sight: Sight) -> bool {
        sight == Sight::All || in_sight(self.board(), |at| self.mine(at), at, sight)
    }

    /// Returns the owner of a territory; `None` if the territory has no owner or fog hides the
    /// owner ([`View::sees_owner`]).
    #[inline]
    #[must_use]
    pub fn owner(&self, at: Territory) -> Option<Player> {
        self.facts
            .owner(at)
            .filter(|&owner| owner == self.player || self.sees_owner(at))
    }

    /// Reports whether the viewing player sees who owns this territory.
    #[inline]
    #[must_use]
    pub fn sees_owner(&self, at: Territory) -> bool {
        self.in_sight(at, self.facts.decl().owners_seen)
    }

    /// Reports whether the viewing player owns this territory.
    #[inline]
    #[must_use]
    pub fn mine(&self, at: Territory) -> bool {
        self.facts.owns(self.player, at)
    }

    /// Reports whether the viewing player owns this territory but not all of its neighbours.
    #[inline]
    #[must_use]
    pub fn is_front(&self, at: Territory) -> bool {
        self.mine(at) && self.facts.is_front(at)
    }

    /// Returns the units of a kind on a territory; `None` if fog hides them.
    #[inline]
    #[must_use]
    pub fn units(&self, at: Territory, unit: Unit) -> Option<i32> {
        (self.open || self.in_sight(at, self.facts.decl().units_seen))
            .then(|| self.facts.units(at, unit))
    }

    /// Returns the owners of all territories, and the units by territory and kind; `None` if fog
    /// may hide some of them.
    #[inline]
    pub fn open_land(&self) -> Option<(impl Iterator<Item = Option<Player>>, &[i32])> {
        let game = &*self.facts;
        let owner = |place: &TerritoryState| {
            (place.owner != GameState::NOBODY).then_some(Player(place.owner))
        };
        (self.open && self.decl().owners_seen == Sight::All)
            .then(|| (game.places.iter().map(owner), &game.units[..]))
    }

    /// Returns the units of the first kind on a territory; `None` if fog hides them.
    #[inline]
    #[must_use]
    pub fn armies(&self, at: Territory) -> Option<i32> {
        self.units(at, Unit::FIRST)
    }

    /// Returns the visible units of the first kind on neighbours that the viewing player does not
    /// own; `None` if the player owns all neighbours.
    #[must_use]
    pub fn bordering_units(&self, at: Territory) -> Option<i64> {
        let game = &*self.facts;
        let places = &game.places[..];
        let units = &game.units[..];
        let mut borders = false;
        let mut units_there = 0;
        // Bots ask this most often of all: `for_each` asks once whether all borders are open.
        game.attack_borders(self.player, at).for_each(|to| {
            if places[to.index()].owner != self.player.0 {
                borders = true;
                let there = if self.open {
                    units[to.index() * game.kinds]
                } else {
                    self.armies(to).unwrap_or(0)
                };
                units_there += i64::from(there);
            }
        });
        borders.then_some(units_there)
    }

    /// Returns the viewing player's territories in file order.
    pub fn owned(&self) -> impl Iterator<Item = Territory> + '_ {
        self.facts.owned(self.player)
    }

    /// Returns the viewing player's territories in file order, starting at `start`.
    pub fn owned_from(&self, start: Territory) -> impl Iterator<Item = Territory> + '_ {
        self.facts.owned(self.player).from(start)
    }

    /// Returns the number of a player's territories; `None` if fog may hide some of them.
    #[must_use]
    pub fn territory_count(&self, player: Player) -> Option<u32> {
        let open = player == self.player || self.facts.decl().owners_seen == Sight::All;
        open.then(|| self.facts.territory_count(player))
    }

    /// Returns the value of a counter; `None` if the counter is hidden.
    #[inline]
    #[must_use]
    pub fn counter(&self, counter: Counter, of: Option<Player>) -> Option<i64> {
        let seen = self.facts.decl().counters[counter.index()].seen;
        may_see(seen, of, self.player).then(|| self.facts.counter(counter, of))
    }

    /// Returns the facts that the player sees as a game with this key. It is the game of the
    /// player's [`View::position`], which does not sum its digest. Each part is either visible to
    /// everyone and shared or copied as it is, or left out here.
    pub(super) fn seen_game(&self, key: GameKey) -> GameState {
        let facts = &*self.facts;
        let mut game = GameState {
            board: Arc::clone(&facts.board),
            decl: Arc::clone(&facts.decl),
            players: facts.players,
            places: facts.places.clone(),
            units: facts.units.clone(),
            kinds: facts.kinds,
            marks: Vec::new(),
            numbers: facts.numbers.clone(),
            members_at: facts.members_at,
            territories_at: facts.territories_at,
            piles: Arc::clone(&facts.piles),
            closed: Arc::clone(&facts.closed),
            plain_borders: facts.plain_borders,
            book: self
                .orders()
                .map(|&action| self.own_order(action))
                .collect(),
            status: facts.status,
            strikes: facts.strikes,
            out_order: facts.out_order.clone(),
            out_rounds: facts.out_rounds.clone(),
            stack: facts.stack.clone(),
            round: facts.round,
            turn: facts.turn,
            mover: facts.mover,
            answers: facts.answers,
            rolls: 0,
            ending: None,
            dice: SecretStream::new(key, Purpose::Dice),
            decks: SecretStream::new(key, Purpose::Decks),
            setup: SecretStream::new(key, Purpose::Setup),
            fingerprint: 0,
            dealt: Vec::new(),
            territories: facts.territories,
            is_summed: false,
            table_sum: 0,
            book_summed: 0,
            pending: Vec::new(),
            fallen: Vec::new(),
            events: Vec::new(),
            event_count: 0,
            wanted: EventFilter::Nothing,
            drew: false,
        };
        self.hide_land(&mut game);
        self.hide_holdings(&mut game);
        game
    }

    /// Returns an order of the viewing player.
    pub(super) const fn own_order(&self, action: Action) -> Order {
        let player = self.player;
        Order { player, action }
    }

    /// Removes the owners and units that fog hides from the player from a copy of the game.
    fn hide_land(&self, game: &mut GameState) {
        let board = Arc::clone(&self.facts.board);
        if self.facts.decl.owners_seen != Sight::All {
            let hidden = |at: &Territory| self.owner(*at) != self.facts.owner(*at);
            for at in board.territories().filter(hidden) {
                game.set_owner(at, None);
            }
            game.fallen.clear();
            game.event_count = 0;
        }
        if !self.open {
            let sight = self.facts.decl.units_seen;
            let hidden = |at: &Territory| !self.in_sight(*at, sight);
            for at in board.territories().filter(hidden) {
                game.units[at.index() * game.kinds..][..game.kinds].fill(0);
            }
        }
    }

    /// Removes the marks, counters and cards that are hidden from the player from a copy of the
    /// game.
    fn hide_holdings(&self, game: &mut GameState) {
        game.marks = self.seen_marks();
        let holders = game.players + 1;
        let hides = |seen, holder| {
            let of = (holder < holders - 1).then(|| Player::from_index(holder));
            !may_see(seen, of, self.player)
        };
        for (counter, info) in self.facts.decl.counters.iter().enumerate() {
            for holder in (0..holders).filter(|&holder| hides(info.seen, holder)) {
                game.numbers[counter * holders + holder] = 0;
            }
        }
        for (pile, info) in self.facts.decl.piles.iter().enumerate() {
            for holder in (0..holders).filter(|&holder| hides(info.seen, holder)) {
                Arc::make_mut(&mut game.piles)[pile * holders + holder].fill(Card::from_index(0));
            }
        }
    }

    /// Returns the number of cards on a pile.
    #[must_use]
    pub fn pile_len(&self, pile: Pile, of: Option<Player>) -> usize {
        self.facts.pile(pile, of).len()
    }

    /// Returns the cards of a pile, the top card last; `None` if they are hidden.
    #[must_use]
    pub fn pile(&self, pile: Pile, of: Option<Player>) -> Option<&[Card]> {
        let seen = self.facts.decl().piles[pile.index()].seen;
        may_see(seen, of, self.player).then(|| self.facts.pile(pile, of))
    }

    /// Returns the viewing player's stored orders that have not been executed yet, the oldest
    /// first.
    pub fn orders(&self) -> impl Iterator<Item = &Action> + '_ {
        let own = self.facts.book().iter();
        own.filter(|order| order.player == self.player)
            .map(|order| &order.action)
    }

    /// Returns a player's status.
    #[must_use]
    pub fn status(&self, player: Player) -> Status {
        self.facts.status(player)
    }

    /// Returns the number of the round, 0 during the set-up.
    #[must_use]
    pub fn round(&self) -> u32 {
        self.facts.round()
    }

    /// Returns the number of the player-turn, 0 during the set-up.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.facts.turn()
    }

    /// Returns the number of answers so far. If answers are secret, only complete passes count, so
    /// the number does not reveal who has answered.
    #[must_use]
    pub fn answers(&self) -> u64 {
        self.facts.answers()
    }

    /// Returns the player whose turn it is.
    #[must_use]
    pub fn mover(&self) -> Option<Player> {
        self.facts.mover()
    }

    /// Returns the number of a player's faults so far.
    #[must_use]
    pub fn strikes(&self, player: Player) -> u32 {
        self.facts.strikes(player)
    }

    /// Returns the eliminated players in order, each with the round of the elimination.
    pub fn eliminated(&self) -> impl Iterator<Item = (Player, u32)> + '_ {
        let rounds = self.facts.out_rounds.iter().copied();
        self.facts.out_order.iter().copied().zip(rounds)
    }

    /// Returns the open frames. The frame being decided comes last.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        self.facts.stack()
    }

    /// Returns the frame being decided, with the numbers that it was opened with.
    #[must_use]
    pub fn frame(&self) -> Option<&Frame> {
        self.facts.frame()
    }

    /// Returns an event as the viewing player sees it: complete, or without its hidden parts.
    /// Returns `None` if the player does not see the event.
    #[must_use]
    pub fn redact_for(&self, event: &Event) -> Option<Event> {
        let (game, player) = (&*self.facts, self.player);
        Onlooker { game, player }.redact(event)
    }
}

/// A player index without a seat. This player owns nothing.
const ASIDE: Player = Player(MAX_PLAYERS as u8);

/// Returns an event as a spectator sees it: without the parts that are hidden from any player.
#[must_use]
pub fn in_public(game: &GameState, event: &Event) -> Option<Event> {
    let player = ASIDE;
    Onlooker { game, player }.redact(event)
}

impl GameState {
    /// Reports whether a player sees the owner of this territory, or sees that it has no owner.
    #[must_use]
    pub fn sees_owner(&self, player: Player, at: Territory) -> bool {
        let owns = |at| self.owns(player, at);
        in_sight(&self.board, owns, at, self.decl.owners_seen)
    }

    /// Reports whether a player sees the units on this territory.
    #[must_use]
    pub fn sees_units(&self, player: Player, at: Territory) -> bool {
        let owns = |at| self.owns(player, at);
        in_sight(&self.board, owns, at, self.decl.units_seen)
    }
}

/// Returns the view of a spectator, which excludes everything that is hidden from any player.
#[must_use]
pub fn view_in_public(facts: &Facts) -> View {
    View::new(facts, ASIDE)
}

/// Returns a copy in which nothing is hidden, for [`view_in_public`] and [`in_public`], not for
/// play.
#[must_use]
pub fn revealed(game: &GameState) -> GameState {
    let mut decl = (*game.decl).clone();
    decl.owners_seen = Sight::All;
    decl.units_seen = Sight::All;
    for declared in decl.counters.iter_mut().chain(&mut decl.piles) {
        declared.seen = Visibility::All;
    }
    for mark in &mut decl.marks {
        (mark.seen, mark.in_sight) = (Visibility::All, false);
    }
    for phase in &mut decl.phases {
        phase.secret = false;
    }
    let mut game = game.clone();
    game.decl = Arc::new(decl);
    game
}

/// Reports whether every player sees all owners and all units.
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

/// Reports whether a player who owns these territories sees a territory.
pub(super) fn in_sight(
    board: &Board,
    owns: impl Fn(Territory) -> bool,
    at: Territory,
    sight: Sight,
) -> bool {
    match sight {
        Sight::All => true,
        Sight::Own => owns(at),
        Sight::Near => owns(at) || board.neighbours(at).iter().any(|&next| owns(next)),
    }
}

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

    /// Reports whether the player sees an action. Fog may hide an action because it shows where
    /// armies are.
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

    fn redact(self, event: &Event) -> Option<Event> {
        match self.without_hidden(event) {
            Some(redacted) => Some(redacted),
            None => self.sees(event).then(|| event.clone()),
        }
    }

    /// Returns the event without its hidden parts; `None` if no part is hidden.
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

    fn sees(self, event: &Event) -> bool {
        let decl = self.game.decl();
        let fog = decl.units_seen != Sight::All;
        match event {
            Event::Answered { player, phase, .. } if decl.phases[phase.index()].secret => {
                *player == self.player
            }
            // The number of other players' orders is as secret as the orders. Execution reveals the
            // orders.
            Event::Stored { player, .. } | Event::Unstored { player, .. } => *player == self.player,
            Event::Answered { player, action, .. } | Event::Executed { player, action } => {
                self.sees_action(*player, action)
            }
            // Dice and tries reveal how many units fight, and the ruleset's messages can reveal
            // hidden facts. The losses have separate events.
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
            Event::Counter { counter, of, .. } => {
                may_see(decl.counters[counter.index()].seen, *of, self.player)
            }
            Event::Mark { at, mark, .. } => self.game.sees_mark(self.player, *at, *mark),
            Event::PhaseBegan { .. }
            | Event::TurnBegan { .. }
            | Event::Faulted { .. }
            | Event::Filled { .. }
            | Event::Card { .. }
            | Event::Shuffled { .. }
            | Event::Status { .. }
            | Event::Border { .. }
            | Event::Ended { .. } => true,
        }
    }
}
