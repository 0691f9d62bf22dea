//! What one player sees, as plain numbers: to hand a view to another process, which
//! learns nothing else.

use crate::rng::GameKey;
use std::sync::Arc;

use super::action::Action;
use super::board::Board;
use super::declare::Declaration;
use super::event::{EventFilter, Status};
use super::id::{Card, Counter, Phase, Pile, Player, PlayerSet, Unit, Verb};
use super::mutators::MOST_FRAMES;
use super::numbers::NumberReader;
use super::state::{Frame, GameState, Order};
use super::view::{Facts, View};

fn status(number: i64) -> Result<Status, String> {
    let found = usize::try_from(number)
        .ok()
        .and_then(|index| Status::ALL.get(index).copied());
    found.ok_or_else(|| format!("{number} is not a status"))
}

impl View {
    /// The view as numbers. What is hidden is left out: land is nobody's, units and counters are 0,
    /// of piles there is the number of cards alone, and of stored orders there are only the
    /// player's.
    #[must_use]
    pub fn numbers(&self) -> Vec<i64> {
        let board = self.board();
        let decl = self.decl();
        let players = self.players();
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
                all.push(frame.opened_for.map_or(-1, |player| i64::from(player.0)));
                all.extend(frame.args.map(i64::from));
            }
            None => all.push(0),
        }
        all.extend(
            board
                .territories()
                .map(|at| self.owner(at).map_or(-1, |player| i64::from(player.0))),
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
        all.extend(seats().map(|player| self.status(player) as i64));
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
        all.push(self.orders().count() as i64);
        for order in self.orders() {
            all.push(i64::from(order.verb.0));
            all.extend(order.args().iter().map(|&arg| i64::from(arg)));
        }
        self.add_course(&mut all);
        all
    }

    /// As much of the game as the player sees, and nothing else.
    ///
    /// # Panics
    /// Never: a view's numbers are those of a view.
    #[must_use]
    pub fn seen(&self) -> Facts {
        let numbers = self.numbers();
        let read = Facts::from_numbers(self.facts().board(), self.decl(), &numbers);
        read.expect("they are a view's numbers").0
    }

    /// What everybody knows of the game's course: whose turn it is, the faults of each player, who
    /// is out and since when, and the frames below the one being decided.
    fn add_course(&self, all: &mut Vec<i64>) {
        let game = self.facts();
        all.push(game.mover.map_or(-1, |player| i64::from(player.0)));
        all.extend(game.seats().map(|player| i64::from(game.strikes(player))));
        all.push(game.out_order.len() as i64);
        for (player, &round) in game.out_order.iter().zip(&game.out_rounds) {
            all.extend([i64::from(player.0), i64::from(round)]);
        }
        let below = game.stack.split_last().map_or(&[][..], |(_, below)| below);
        all.push(below.len() as i64);
        for frame in below {
            all.extend([i64::from(frame.phase.0), i64::from(frame.players.0)]);
            all.push(frame.opened_for.map_or(-1, |player| i64::from(player.0)));
            all.extend(frame.args.map(i64::from));
            all.push(frame.entered.into());
        }
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
        let (facts, player) = Facts::from_numbers(board, decl, numbers)?;
        Ok(Self::new(&facts, player))
    }
}

impl Facts {
    /// As much of a game as the numbers of a view tell, and whose view it is.
    ///
    /// # Errors
    /// As [`View::from_numbers`].
    pub fn from_numbers(
        board: &Arc<Board>,
        decl: &Arc<Declaration>,
        numbers: &[i64],
    ) -> Result<(Self, Player), String> {
        let mut from = NumberReader::new(numbers, "a view");
        let player: u8 = from.next()?;
        let players: usize = from.next()?;
        if !(1..=super::id::MAX_PLAYERS).contains(&players) || usize::from(player) >= players {
            return Err(format!("player {player} of {players} has no view"));
        }
        let mut game = GameState::new(
            Arc::clone(board),
            Arc::clone(decl),
            players,
            GameKey::of_numbers(0, 0),
        );
        game.wanted = EventFilter::Nothing;
        game.round = from.next()?;
        game.turn = from.next()?;
        game.answers = from.next()?;
        read_frame(&mut game, &mut from)?;
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
        for cell in &mut game.numbers[..game.members_at] {
            *cell = from.next()?;
        }
        for seat in 0..players {
            game.status[seat] = status(from.next()?)?;
        }
        read_piles(&mut game, &mut from, numbers.len())?;
        read_orders(&mut game, &mut from, Player(player))?;
        read_course(&mut game, &mut from)?;
        if !from.is_empty() {
            let left = from.len();
            return Err(format!("the numbers of a view have {left} too many"));
        }
        game.fallen.clear();
        game.sum_tables();
        Ok((Self::new(game), Player(player)))
    }
}

/// The frame that the player is asked in, if there is one.
fn read_frame(game: &mut GameState, from: &mut NumberReader<'_>) -> Result<(), String> {
    if from.next::<u8>()? == 1 {
        let frame = frame(game, from)?;
        game.stack.push(frame);
    }
    Ok(())
}

/// A frame that was entered.
fn frame(game: &GameState, from: &mut NumberReader<'_>) -> Result<Frame, String> {
    let phase: usize = from.next()?;
    let asked: u32 = from.next()?;
    if phase >= game.decl.phases.len() {
        return Err(format!("there is no phase {phase}"));
    }
    let opened_for: i32 = from.next()?;
    let args = [from.next()?, from.next()?, from.next()?];
    Ok(Frame {
        phase: Phase::from_index(phase),
        players: PlayerSet(asked),
        opened_for: u8::try_from(opened_for).ok().map(Player),
        args,
        entered: true,
    })
}

/// What everybody knows of the game's course.
fn read_course(game: &mut GameState, from: &mut NumberReader<'_>) -> Result<(), String> {
    game.mover = seat(game, from.next()?)?;
    for place in 0..game.players {
        game.strikes[place] = from.next()?;
    }
    let out: usize = from.next()?;
    if out > game.players {
        return Err(format!("{out} players are out, of {}", game.players));
    }
    for _ in 0..out {
        let player = seat(game, from.next()?)?.ok_or("nobody is out")?;
        game.out_order.push(player);
        game.out_rounds.push(from.next()?);
    }
    let below: usize = from.next()?;
    if below >= MOST_FRAMES {
        return Err(format!("{below} phases are open"));
    }
    let mut frames = Vec::new();
    for _ in 0..below {
        let mut frame = frame(game, from)?;
        frame.entered = from.next::<u8>()? == 1;
        frames.push(frame);
    }
    game.stack.splice(0..0, frames);
    Ok(())
}

/// The player of a seat; -1 is nobody.
fn seat(game: &GameState, number: i64) -> Result<Option<Player>, String> {
    if number == -1 {
        return Ok(None);
    }
    let seat = usize::try_from(number)
        .ok()
        .filter(|&seat| seat < game.players);
    let seat = seat.ok_or_else(|| format!("{number} is not a seat of {}", game.players))?;
    Ok(Some(Player::from_index(seat)))
}

/// The player's stored orders, if there are any.
fn read_orders(
    game: &mut GameState,
    from: &mut NumberReader<'_>,
    player: Player,
) -> Result<(), String> {
    let count: usize = from.next()?;
    for _ in 0..count {
        let verb: usize = from.next()?;
        let info = game.decl.verbs.get(verb);
        let slots = info.ok_or("an order is not one of the game")?.slots.len();
        let args = (0..slots)
            .map(|_| from.next())
            .collect::<Result<Vec<i32>, _>>()?;
        let action = Action::new(Verb::from_index(verb), &args);
        game.book.push(Order { player, action });
    }
    Ok(())
}

/// The cards of all piles, none of them with more than `most`.
fn read_piles(
    game: &mut GameState,
    from: &mut NumberReader<'_>,
    most: usize,
) -> Result<(), String> {
    for holder in 0..game.piles.len() {
        let len: usize = from.next()?;
        if len > most {
            return Err(format!("a pile has {len} cards"));
        }
        let cards = (0..len)
            .map(|_| from.next::<u16>().map(Card))
            .collect::<Result<Vec<_>, _>>()?;
        if cards
            .iter()
            .any(|card| card.index() >= game.decl.cards.len())
        {
            return Err("a card is not in the game".to_owned());
        }
        Arc::make_mut(&mut game.piles)[holder] = cards;
    }
    Ok(())
}
