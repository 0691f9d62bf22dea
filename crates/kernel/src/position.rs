//! A complete state as plain values, from which a game can begin.

use std::sync::Arc;

use super::action::Action;
use super::board::Board;
use super::declare::{Declaration, SlotKind};
use super::error::KernelError;
use super::event::Status;
use super::event_filter::EventFilter;
use super::id::{Card, Counter, MAX_PLAYERS, Phase, Pile, Player, PlayerSet, Territory, Unit};
use super::mutators::{MOST_FRAMES, MOST_ORDERS};
use super::rng::{GameKey, Purpose, SecretStream};
use super::state::{Frame, GameState, MOST, Order};
use super::view::{Facts, View};
use risk_text::plural::counted;

/// The maximum number of random words that a position may have drawn from one stream.
pub const MOST_DRAWN: u64 = 100_000_000;

/// A complete state before a decision. Its ids belong to one board and one declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The owner of each territory.
    pub owners: Vec<Option<Player>>,
    /// The units by territory and kind.
    pub units: Vec<i32>,
    /// The values of marks, by territory and mark.
    pub marks: Vec<i32>,
    /// The counter values by counter and holder, the table last.
    pub counters: Vec<i64>,
    /// The piles by pile and holder, the table last. The top card of a pile is the last one.
    pub piles: Vec<Vec<Card>>,
    /// The pairs of territories between which rules closed the borders.
    pub closed: Vec<(Territory, Territory)>,
    /// The stored orders, the oldest first.
    pub orders: Vec<Order>,
    /// The status of each player, by seat.
    pub status: Vec<Status>,
    /// The number of each player's faults so far, by seat.
    pub strikes: Vec<u32>,
    /// The eliminated players in order, each with the round of the elimination.
    pub out: Vec<(Player, u32)>,
    /// The open frames. The frame being decided comes last.
    pub frames: Vec<Frame>,
    /// The number of the round, 0 during the set-up.
    pub round: u32,
    /// The number of the player-turn, 0 during the set-up.
    pub turn: u32,
    /// The player whose turn it is.
    pub mover: Option<Player>,
    /// The number of answers.
    pub answers: u64,
    /// The number of dice rolls and tried chances.
    pub battle_rounds: u64,
    /// The numbers of random words drawn for dice, decks and set-up.
    pub drawn: [u64; 3],
}

impl Frame {
    /// Creates a frame that the rules have not entered. `players` decide in it.
    #[must_use]
    pub const fn new(phase: Phase, players: PlayerSet, opened_for: Option<Player>) -> Self {
        Self {
            phase,
            players,
            opened_for,
            args: [0; 3],
            entered: false,
        }
    }

    /// Returns the frame with the numbers that it was opened with.
    #[must_use]
    pub const fn with_args(mut self, args: [i32; 3]) -> Self {
        self.args = args;
        self
    }

    /// Returns the frame marked as entered by the rules or not.
    #[must_use]
    pub const fn entered(mut self, entered: bool) -> Self {
        self.entered = entered;
        self
    }

    /// Reports whether the rules have entered the frame.
    #[must_use]
    pub const fn is_entered(&self) -> bool {
        self.entered
    }
}

impl Position {
    /// Creates a position with empty tables before any decision.
    #[must_use]
    pub fn empty(board: &Board, decl: &Declaration, players: usize) -> Self {
        let holders = players + 1;
        Self {
            owners: vec![None; board.len()],
            units: vec![0; board.len() * decl.units.len()],
            marks: vec![0; board.len() * decl.marks.len()],
            counters: vec![0; decl.counters.len() * holders],
            piles: vec![Vec::new(); decl.piles.len() * holders],
            closed: Vec::new(),
            orders: Vec::new(),
            status: vec![Status::Playing; players],
            strikes: vec![0; players],
            out: Vec::new(),
            frames: Vec::new(),
            round: 1,
            turn: 1,
            mover: None,
            answers: 0,
            battle_rounds: 0,
            drawn: [0; 3],
        }
    }

    /// Creates the position of a game that is waiting for a decision.
    ///
    /// # Panics
    /// Panics if the game is not waiting for a decision because it is over or in the middle of a
    /// hook.
    #[must_use]
    pub fn from_game(game: &GameState) -> Self {
        let is_at_rest = game.ending.is_none() && game.pending.is_empty();
        assert!(
            is_at_rest,
            "only a game waiting for a decision has a position"
        );
        let places = game.out_order.iter().zip(&game.out_rounds);
        Self {
            owners: game.board.territories().map(|at| game.owner(at)).collect(),
            units: game.units.clone(),
            marks: game.marks.clone(),
            counters: game.numbers[..game.members_at].to_vec(),
            piles: game.piles.to_vec(),
            closed: game.closed_borders().collect(),
            orders: game.book.clone(),
            status: game.status[..game.players].to_vec(),
            strikes: game.strikes[..game.players].to_vec(),
            out: places.map(|(&player, &round)| (player, round)).collect(),
            frames: game.stack.clone(),
            round: game.round,
            turn: game.turn,
            mover: game.mover,
            answers: game.answers,
            battle_rounds: game.rolls,
            drawn: [&game.dice, &game.decks, &game.setup].map(SecretStream::drawn),
        }
    }

    /// Creates the game in this position. If `drawn` is true, the game's random streams are the
    /// streams of the key after the words that the position has drawn. If false, the streams start
    /// from the beginning.
    ///
    /// # Errors
    /// Returns an error if the position is inconsistent. The error is a sentence fragment.
    ///
    /// # Panics
    /// Panics if the position's tables do not have the lengths that the board and the declaration
    /// require.
    pub fn game(
        &self,
        board: &Arc<Board>,
        decl: &Arc<Declaration>,
        key: GameKey,
        drawn: bool,
    ) -> Result<GameState, KernelError> {
        self.check(board, decl).map_err(KernelError::Position)?;
        let mut game = self.clone().assemble(board, decl, key);
        if drawn {
            let [dice, decks, setup] = self.drawn;
            game.dice = SecretStream::behind(key, Purpose::Dice, dice);
            game.decks = SecretStream::behind(key, Purpose::Decks, decks);
            game.setup = SecretStream::behind(key, Purpose::Setup, setup);
        }
        game.sum_tables();
        Ok(game)
    }

    /// Returns the facts for a player who sees this position. Hidden parts need not be consistent,
    /// and no phase need be open.
    ///
    /// # Errors
    /// Returns an error if a number is impossible in a game. The error is a sentence fragment.
    ///
    /// # Panics
    /// Panics in the same cases as [`Position::game`].
    pub fn facts(self, board: &Arc<Board>, decl: &Arc<Declaration>) -> Result<Facts, KernelError> {
        let checked = self
            .check_numbers()
            .and_then(|()| self.check_ids(board, decl));
        checked.map_err(KernelError::Position)?;
        let mut game = self.assemble(board, decl, GameKey::of_numbers(0, 0));
        game.sum_tables();
        Ok(Facts::new(game))
    }

    /// Creates the game without computing the sum for the digest.
    fn assemble(self, board: &Arc<Board>, decl: &Arc<Declaration>, key: GameKey) -> GameState {
        let players = self.status.len();
        let mut game = GameState::new(Arc::clone(board), Arc::clone(decl), players, key);
        let lengths = [
            self.owners.len(),
            self.piles.len(),
            self.units.len(),
            self.marks.len(),
        ];
        let wanted = [
            game.places.len(),
            game.piles.len(),
            game.units.len(),
            game.marks.len(),
        ];
        assert_eq!(
            lengths, wanted,
            "the tables fit the board and the declaration"
        );
        game.wanted = EventFilter::Nothing;
        for (at, owner) in board.territories().zip(self.owners) {
            game.set_owner(at, owner);
        }
        for (from, to) in self.closed {
            let closed = game.set_open(from, to, false);
            closed.expect("the borders were checked");
        }
        game.units = self.units;
        game.marks = self.marks;
        game.numbers[..game.members_at].copy_from_slice(&self.counters);
        game.piles = Arc::new(self.piles);
        game.book = self.orders;
        game.status[..players].copy_from_slice(&self.status);
        game.strikes[..players].copy_from_slice(&self.strikes);
        (game.out_order, game.out_rounds) = self.out.into_iter().unzip();
        game.stack = self.frames;
        game.round = self.round;
        game.turn = self.turn;
        game.mover = self.mover;
        game.answers = self.answers;
        game.rolls = self.battle_rounds;
        game.fallen.clear();
        game.events.clear();
        game.event_count = 0;
        game
    }

    fn check(&self, board: &Board, decl: &Declaration) -> Result<(), String> {
        self.check_numbers()?;
        self.check_ids(board, decl)?;
        self.check_cards(decl)?;
        self.check_players()?;
        self.check_frames(decl)
    }

    fn check_numbers(&self) -> Result<(), String> {
        let most = MOST as u64;
        let progress = [
            ("round", u64::from(self.round)),
            ("turn", u64::from(self.turn)),
            ("number of decisions", self.answers),
            ("number of fight rounds", self.battle_rounds),
        ];
        for (what, number) in progress {
            if number > most {
                return Err(format!("the {what} must be at most {most}, found {number}"));
            }
        }
        if let Some(drawn) = self.drawn.iter().find(|&&drawn| drawn > MOST_DRAWN) {
            return Err(format!(
                "at most {MOST_DRAWN} random words can be drawn, found {drawn}"
            ));
        }
        if let Some(units) = self.units.iter().find(|&&units| units < 0) {
            return Err(format!(
                "a territory must have at least 0 units, found {units}"
            ));
        }
        if let Some(value) = self.counters.iter().find(|value| value.abs() > MOST) {
            return Err(format!(
                "a counter must be -{MOST} to {MOST}, found {value}"
            ));
        }
        if self.orders.len() > MOST_ORDERS {
            let orders = self.orders.len();
            return Err(format!(
                "at most {MOST_ORDERS} orders can be stored, found {orders}"
            ));
        }
        if self.frames.len() > MOST_FRAMES {
            let open = self.frames.len();
            return Err(format!(
                "at most {MOST_FRAMES} phases can be open, found {open}"
            ));
        }
        Ok(())
    }

    fn check_ids(&self, board: &Board, decl: &Declaration) -> Result<(), String> {
        let players = self.status.len();
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err(format!(
                "expected 1 to {MAX_PLAYERS} players, found {players}"
            ));
        }
        let owners = self.owners.iter().flatten();
        let opened_for = self.frames.iter().filter_map(|frame| frame.opened_for);
        let all = owners
            .copied()
            .chain(self.orders.iter().map(|order| order.player))
            .chain(self.out.iter().map(|&(player, _)| player))
            .chain(opened_for)
            .chain(self.mover);
        let sets = self.frames.iter().flat_map(|frame| frame.players.iter());
        if let Some(player) = all.chain(sets).find(|player| player.index() >= players) {
            let number = player.index() + 1;
            return Err(format!(
                "unknown seat {number}: the game has {}",
                counted(players, "player")
            ));
        }
        for (index, &value) in self.marks.iter().enumerate() {
            decl.marks[index % decl.marks.len()].check(value)?;
        }
        let mut cards = self.piles.iter().flatten();
        if let Some(card) = cards.find(|card| card.index() >= decl.cards.len()) {
            return Err(format!("unknown card number {}", card.0));
        }
        let mut frames = self.frames.iter();
        if let Some(frame) = frames.find(|frame| frame.phase.index() >= decl.phases.len()) {
            return Err(format!("unknown phase number {}", frame.phase.0));
        }
        let has_border = |&&(from, to): &&(Territory, Territory)| {
            let is_known = from.index().max(to.index()) < board.len();
            is_known && (board.borders(from, to) || board.borders(to, from))
        };
        if let Some(&(from, to)) = self.closed.iter().find(|pair| !has_border(pair)) {
            let (from, to) = (from.0, to.0);
            return Err(format!(
                "the map has no border between territories {from} and {to}"
            ));
        }
        self.orders
            .iter()
            .try_for_each(|order| check_order(board, decl, players, &order.action))
    }

    fn check_cards(&self, decl: &Declaration) -> Result<(), String> {
        let mut used = vec![false; decl.cards.len()];
        for card in self.piles.iter().flatten() {
            if std::mem::replace(&mut used[card.index()], true) {
                let name = &decl.cards[card.index()].name;
                return Err(format!("duplicate card {name} on the piles"));
            }
        }
        Ok(())
    }

    fn check_players(&self) -> Result<(), String> {
        for (seat, &status) in self.status.iter().enumerate() {
            let player = Player::from_index(seat);
            let times = self.out.iter().filter(|(out, _)| *out == player).count();
            let number = seat + 1;
            let wanted = usize::from(status == Status::Eliminated);
            if times != wanted {
                return Err(format!(
                    "the player on seat {number} must be eliminated {}, found {times}",
                    counted(wanted, "time")
                ));
            }
            if status == Status::Eliminated && self.owners.contains(&Some(player)) {
                return Err(format!(
                    "the player on seat {number} is eliminated, but owns a territory"
                ));
            }
        }
        if !self.status.contains(&Status::Playing) {
            return Err("expected at least one player in the game".to_owned());
        }
        Ok(())
    }

    fn check_frames(&self, decl: &Declaration) -> Result<(), String> {
        if self.frames.is_empty() {
            return Err("expected at least one open phase".to_owned());
        }
        let playing = self
            .status
            .iter()
            .enumerate()
            .filter(|(_, status)| **status == Status::Playing)
            .map(|(seat, _)| Player::from_index(seat))
            .fold(PlayerSet::default(), PlayerSet::with);
        for frame in &self.frames {
            let phase = &decl.phases[frame.phase.index()];
            if frame.players.and(playing) != frame.players {
                return Err(format!(
                    "the phase {} asks a player who is out of the game",
                    phase.name
                ));
            }
            if !phase.asks && !frame.players.is_empty() {
                let name = &phase.name;
                return Err(format!(
                    "the phase {name} asks players, but has no decisions"
                ));
            }
        }
        Ok(())
    }

    /// Returns the units of one kind on a territory, by its index on the board.
    #[must_use]
    pub fn units_of(&self, at: usize, unit: Unit) -> i32 {
        let kinds = self.units.len() / self.owners.len().max(1);
        self.units[at * kinds + unit.index()]
    }
}

fn check_order(
    board: &Board,
    decl: &Declaration,
    players: usize,
    order: &Action,
) -> Result<(), String> {
    let verb = order.verb.index();
    let info = decl.verbs.get(verb);
    let slots = &info.ok_or("unknown verb in an order")?.slots;
    if slots.len() != order.args().len() {
        return Err(format!(
            "an order `{}` must have {}, found {}",
            decl.verbs[verb].name,
            counted(slots.len(), "parameter"),
            order.args().len()
        ));
    }
    for ((name, kind), &value) in slots.iter().zip(order.args()) {
        let known = match kind {
            SlotKind::Territory => board.len(),
            SlotKind::Continent => board.groups().len(),
            SlotKind::Player => players,
            SlotKind::Card => decl.cards.len(),
            SlotKind::Unit => decl.units.len(),
            SlotKind::Count => continue,
        };
        if usize::try_from(value).is_ok_and(|value| value < known) {
            continue;
        }
        return Err(format!(
            "unknown {} {value} in `{name}` of an order `{}`",
            crate::words::kind_word(*kind),
            decl.verbs[verb].name
        ));
    }
    Ok(())
}

impl View {
    /// Returns the position as the player sees it. Hidden owners are `None`, and hidden units and
    /// counters are 0. A hidden pile has the right number of cards, but not the right cards. Only
    /// the player's own orders are included. The numbers of random words are left out.
    #[must_use]
    pub fn position(&self) -> Position {
        let decl = self.decl();
        let board = self.board();
        let units = |at| (0..decl.units.len()).map(move |unit| (at, Unit::from_index(unit)));
        let (owners, units) = match self.open_land() {
            Some((owners, units)) => (owners.collect(), units.to_vec()),
            None => (
                board.territories().map(|at| self.owner(at)).collect(),
                (board.territories().flat_map(units))
                    .map(|(at, unit)| self.units(at, unit).unwrap_or(0))
                    .collect(),
            ),
        };
        let seats = || (0..self.players()).map(Player::from_index);
        let holders = || seats().map(Some).chain([None]);
        let counters = (0..decl.counters.len()).map(Counter::from_index);
        let piles = (0..decl.piles.len()).map(Pile::from_index);
        let cards = |pile, of| match self.pile(pile, of) {
            Some(cards) => cards.to_vec(),
            None => vec![Card::from_index(0); self.pile_len(pile, of)],
        };
        Position {
            owners,
            units,
            marks: self.seen_marks(),
            counters: counters
                .flat_map(|counter| holders().map(move |of| (counter, of)))
                .map(|(counter, of)| self.counter(counter, of).unwrap_or(0))
                .collect(),
            piles: piles
                .flat_map(|pile| holders().map(move |of| cards(pile, of)))
                .collect(),
            closed: self.facts.closed_borders().collect(),
            orders: (self.orders())
                .map(|&action| self.own_order(action))
                .collect(),
            status: seats().map(|player| self.status(player)).collect(),
            strikes: seats().map(|player| self.strikes(player)).collect(),
            out: self.eliminated().collect(),
            frames: self.frames().to_vec(),
            round: self.round(),
            turn: self.turn(),
            mover: self.mover(),
            answers: self.answers(),
            battle_rounds: 0,
            drawn: [0; 3],
        }
    }

    /// Returns only the facts that the player sees.
    #[must_use]
    pub fn seen(&self) -> Facts {
        Facts::new(self.seen_game(GameKey::of_numbers(0, 0)))
    }
}
