//! A whole state as plain values: what a game can be begun from.

use std::sync::Arc;

use super::board::Board;
use super::declare::Declaration;
use super::event::Status;
use super::id::{Card, MAX_PLAYERS, Phase, Player, PlayerSet, Unit};
use super::mutators::{MOST_FRAMES, MOST_ORDERS};
use super::rng::{GameKey, Purpose, SecretStream};
use super::state::{Frame, GameState, MOST, Order};

/// The most random words that a position may have drawn of one stream: they are drawn again.
pub const MOST_DRAWN: u64 = 100_000_000;

/// A whole state, at rest before a decision. Its ids are those of one board and one declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The owner of each territory.
    pub owners: Vec<Option<Player>>,
    /// Units by territory and kind.
    pub units: Vec<i32>,
    /// Counters by counter and holder, the table last.
    pub counters: Vec<i64>,
    /// Piles by pile and holder, the table last; the top card is the last.
    pub piles: Vec<Vec<Card>>,
    /// The book of stored orders, oldest first.
    pub orders: Vec<Order>,
    /// Whether each player is in the game, by seat.
    pub status: Vec<Status>,
    /// Faults so far, by seat.
    pub strikes: Vec<u32>,
    /// Who was eliminated, in order, and in which round.
    pub out: Vec<(Player, u32)>,
    /// The open phases, the one being decided last.
    pub frames: Vec<Frame>,
    /// The round, 0 during the set-up.
    pub round: u32,
    /// The player-turn, 0 during the set-up.
    pub turn: u32,
    /// Whose turn it is.
    pub mover: Option<Player>,
    /// How many answers were given.
    pub answers: u64,
    /// How many rounds of fights were rolled.
    pub battle_rounds: u64,
    /// How many words were drawn of dice, decks and set-up.
    pub drawn: [u64; 3],
}

impl Frame {
    /// A phase that is not opened yet, of one player or of several, who decide in it.
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

    /// With the numbers that it is opened with.
    #[must_use]
    pub const fn with_args(mut self, args: [i32; 3]) -> Self {
        self.args = args;
        self
    }

    /// A phase as a position has it: `entered` says that the rules have opened it already.
    #[must_use]
    pub const fn entered(mut self, entered: bool) -> Self {
        self.entered = entered;
        self
    }

    /// Have the rules opened it already?
    #[must_use]
    pub const fn is_entered(&self) -> bool {
        self.entered
    }
}

impl Position {
    /// A position in which nothing stands anywhere and nothing was decided yet.
    #[must_use]
    pub fn empty(board: &Board, decl: &Declaration, players: usize) -> Self {
        let holders = players + 1;
        Self {
            owners: vec![None; board.len()],
            units: vec![0; board.len() * decl.units.len()],
            counters: vec![0; decl.counters.len() * holders],
            piles: vec![Vec::new(); decl.piles.len() * holders],
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

    /// The position of a game that is at rest before a decision.
    ///
    /// # Panics
    /// When the game is not at rest: it is over, or a hook of its rules is not through.
    #[must_use]
    pub fn from_game(game: &GameState) -> Self {
        let is_at_rest = game.ending.is_none() && game.pending.is_empty();
        assert!(is_at_rest, "a position is of a game before a decision");
        let places = game.out_order.iter().zip(&game.out_rounds);
        Self {
            owners: game.board.territories().map(|at| game.owner(at)).collect(),
            units: game.units.clone(),
            counters: game.numbers[..game.members_at].to_vec(),
            piles: game.piles.to_vec(),
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

    /// The game in this position. With `drawn` its streams of random words are those of the
    /// key behind the words that the position has drawn; without, they begin anew.
    ///
    /// # Errors
    /// What does not fit together, as a fragment.
    ///
    /// # Panics
    /// When its tables have not the lengths that board and declaration want, or an id is of none of
    /// them.
    pub fn game(
        &self,
        board: &Arc<Board>,
        decl: &Arc<Declaration>,
        key: GameKey,
        drawn: bool,
    ) -> Result<GameState, String> {
        self.check(decl)?;
        let players = self.status.len();
        let mut game = GameState::new(Arc::clone(board), Arc::clone(decl), players, key);
        game.wanted = super::event::EventFilter::Nothing;
        for (at, &owner) in board.territories().zip(&self.owners) {
            game.set_owner(at, owner);
        }
        game.units.copy_from_slice(&self.units);
        game.numbers[..self.counters.len()].copy_from_slice(&self.counters);
        game.piles = Arc::new(self.piles.clone());
        game.book.clone_from(&self.orders);
        game.status[..players].copy_from_slice(&self.status);
        game.strikes[..players].copy_from_slice(&self.strikes);
        (game.out_order, game.out_rounds) = self.out.iter().copied().unzip();
        game.stack.clone_from(&self.frames);
        game.round = self.round;
        game.turn = self.turn;
        game.mover = self.mover;
        game.answers = self.answers;
        game.rolls = self.battle_rounds;
        if drawn {
            let [dice, decks, setup] = self.drawn;
            game.dice = SecretStream::behind(key, Purpose::Dice, dice);
            game.decks = SecretStream::behind(key, Purpose::Decks, decks);
            game.setup = SecretStream::behind(key, Purpose::Setup, setup);
        }
        game.fallen.clear();
        game.events.clear();
        game.event_count = 0;
        game.sum_tables();
        Ok(game)
    }

    /// Does it hold together?
    fn check(&self, decl: &Declaration) -> Result<(), String> {
        self.check_numbers()?;
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
                return Err(format!("the {what} is {number}, and {most} is the most"));
            }
        }
        if let Some(drawn) = self.drawn.iter().find(|&&drawn| drawn > MOST_DRAWN) {
            return Err(format!(
                "{drawn} random words were drawn, and {MOST_DRAWN} are the most"
            ));
        }
        if let Some(units) = self.units.iter().find(|&&units| units < 0) {
            return Err(format!("{units} units can't stand anywhere"));
        }
        if let Some(value) = self.counters.iter().find(|value| value.abs() > MOST) {
            return Err(format!("a counter can't hold {value}: it goes to {MOST}"));
        }
        if self.orders.len() > MOST_ORDERS {
            let orders = self.orders.len();
            return Err(format!(
                "{orders} orders are stored, and {MOST_ORDERS} are the most"
            ));
        }
        Ok(())
    }

    fn check_cards(&self, decl: &Declaration) -> Result<(), String> {
        let mut used = vec![false; decl.cards.len()];
        for card in self.piles.iter().flatten() {
            if std::mem::replace(&mut used[card.index()], true) {
                let name = &decl.cards[card.index()].name;
                return Err(format!("the card {name} is on two piles, or twice on one"));
            }
        }
        Ok(())
    }

    fn check_players(&self) -> Result<(), String> {
        assert!(
            (1..=MAX_PLAYERS).contains(&self.status.len()),
            "a game has 1 to 32 players"
        );
        for (seat, &status) in self.status.iter().enumerate() {
            let player = Player::from_index(seat);
            let times = self.out.iter().filter(|(out, _)| *out == player).count();
            let number = seat + 1;
            if times != usize::from(status == Status::Eliminated) {
                return Err(format!(
                    "the player on seat {number} must be out once if eliminated, and else not"
                ));
            }
            if status == Status::Eliminated && self.owners.contains(&Some(player)) {
                return Err(format!(
                    "the player on seat {number} is eliminated, and owns land"
                ));
            }
        }
        if !self.status.contains(&Status::Playing) {
            return Err("nobody plays on".to_owned());
        }
        Ok(())
    }

    fn check_frames(&self, decl: &Declaration) -> Result<(), String> {
        if self.frames.is_empty() {
            return Err("no phase is open".to_owned());
        }
        if self.frames.len() > MOST_FRAMES {
            return Err(format!("more than {MOST_FRAMES} phases are open"));
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
                    "the phase {} asks a player who does not play on",
                    phase.name
                ));
            }
            if !phase.asks && !frame.players.is_empty() {
                return Err(format!("nobody decides in the phase {}", phase.name));
            }
        }
        Ok(())
    }

    /// The units of one kind on a territory, by its place on the board.
    #[must_use]
    pub fn units_of(&self, at: usize, unit: Unit) -> i32 {
        let kinds = self.units.len() / self.owners.len().max(1);
        self.units[at * kinds + unit.index()]
    }
}
