//! What one player sees, as plain numbers: to hand a view to another process, which learns nothing
//! else.

use std::sync::Arc;

use super::board::Board;
use super::declare::Declaration;
use super::event::Status;
use super::id::{Card, Counter, Phase, Pile, Player, PlayerSet, Unit};
use super::state::{Frame, GameState};
use super::view::{Facts, View};

/// Takes numbers one by one.
struct Numbers<'a>(std::slice::Iter<'a, i64>);

impl Numbers<'_> {
    fn next<T: TryFrom<i64>>(&mut self) -> Result<T, String> {
        let number = self
            .0
            .next()
            .copied()
            .ok_or("the numbers of a view end too early")?;
        T::try_from(number).map_err(|_| format!("{number} is out of place in a view"))
    }
}

fn status(number: i64) -> Result<Status, String> {
    let all = [
        Status::Playing,
        Status::Neutral,
        Status::Forfeited,
        Status::Eliminated,
    ];
    let found = usize::try_from(number)
        .ok()
        .and_then(|index| all.get(index).copied());
    found.ok_or_else(|| format!("{number} is no status"))
}

impl View {
    /// The view as numbers. What is hidden is left out: land is nobody's, units and counters are 0,
    /// and of piles there is the number of cards alone.
    #[must_use]
    pub fn numbers(&self) -> Vec<i64> {
        let (board, decl, players) = (self.board(), self.decl(), self.players());
        let mut all = vec![
            i64::from(self.me().0),
            players as i64,
            i64::from(self.round()),
            i64::from(self.turn()),
        ];
        all.push(self.answers() as i64);
        match self.frame() {
            Some(frame) => {
                all.extend([1, i64::from(frame.phase.0), i64::from(frame.players.0)]);
                all.extend(frame.args.map(i64::from));
            }
            None => all.push(0),
        }
        all.extend(
            board
                .territories()
                .map(|at| self.owner(at).map_or(-1, |who| i64::from(who.0))),
        );
        for at in board.territories() {
            all.extend(
                (0..decl.units.len())
                    .map(|unit| i64::from(self.units(at, Unit::from_index(unit)).unwrap_or(0))),
            );
        }
        let seats = || (0..players).map(Player::from_index);
        let holders = || seats().map(Some).chain([None]);
        for counter in (0..decl.counters.len()).map(Counter::from_index) {
            all.extend(holders().map(|of| self.counter(counter, of).unwrap_or(0)));
        }
        all.extend(seats().map(|who| self.status(who) as i64));
        for pile in (0..decl.piles.len()).map(Pile::from_index) {
            for of in holders() {
                let len = self.pile_len(pile, of);
                all.push(len as i64);
                match self.pile(pile, of) {
                    Some(cards) => all.extend(cards.iter().map(|card| i64::from(card.0))),
                    None => all.resize(all.len() + len, 0),
                }
            }
        }
        all
    }

    /// The view that these numbers tell of.
    ///
    /// # Errors
    /// When they do not fit this board and these declarations.
    pub fn from_numbers(
        board: &Arc<Board>,
        decl: &Arc<Declaration>,
        numbers: &[i64],
    ) -> Result<Self, String> {
        let mut from = Numbers(numbers.iter());
        let (me, players): (u8, usize) = (from.next()?, from.next()?);
        if !(1..=super::id::MAX_PLAYERS).contains(&players) || usize::from(me) >= players {
            return Err(format!("player {me} of {players} has no view"));
        }
        let mut game = GameState::new(Arc::clone(board), Arc::clone(decl), players, 0, 0);
        game.listening = false;
        (game.round, game.turn, game.answers) = (from.next()?, from.next()?, from.next()?);
        if from.next::<u8>()? == 1 {
            let (phase, asked) = (from.next::<usize>()?, from.next::<u32>()?);
            if phase >= decl.phases.len() {
                return Err(format!("there is no phase {phase}"));
            }
            let args = [from.next()?, from.next()?, from.next()?, from.next()?];
            game.stack.push(Frame {
                phase: Phase::from_index(phase),
                players: PlayerSet(asked),
                args,
                entered: true,
            });
        }
        for at in board.territories() {
            let owner: i64 = from.next()?;
            let owner = u8::try_from(owner)
                .ok()
                .filter(|&owner| usize::from(owner) < players);
            game.set_owner(at, owner.map(Player));
        }
        for cell in &mut game.units {
            *cell = from.next()?;
        }
        for cell in &mut game.counters {
            *cell = from.next()?;
        }
        for seat in 0..players {
            game.status[seat] = status(from.next()?)?;
        }
        for holder in 0..game.piles.len() {
            let len: usize = from.next()?;
            if len > numbers.len() {
                return Err(format!("a pile has {len} cards"));
            }
            let cards = (0..len)
                .map(|_| from.next::<u16>().map(Card))
                .collect::<Result<Vec<_>, _>>()?;
            if cards.iter().any(|card| card.index() >= decl.cards.len()) {
                return Err("a card is not in the game".to_owned());
            }
            game.piles[holder] = cards;
        }
        let left = from.0.len();
        if left > 0 {
            return Err(format!("the numbers of a view have {left} too many"));
        }
        game.fallen.clear();
        game.sum_tables();
        Ok(Self::new(&Facts::new(game), Player(me)))
    }
}
