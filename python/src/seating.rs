//! The seats of the caller and of the bots in each game.

use pyo3::prelude::*;
use pyo3::types::PyList;
use risk_engine::Purpose;
use serde::{Deserialize, Serialize};

use crate::bots::PlayerArg;
use crate::errors::wrong;
use crate::seed::GameSeed;

/// The bots of which one plays in a seat of each game.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Candidates(pub(crate) Vec<PlayerArg>);

impl FromPyObject<'_, '_> for Candidates {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if !value.is_instance_of::<PyList>() {
            return Ok(Self(vec![value.extract()?]));
        }
        let bots: Vec<PlayerArg> = value.extract()?;
        if bots.is_empty() {
            return Err(wrong(
                "expected a bot or a list of bots for a seat, found []",
            ));
        }
        Ok(Self(bots))
    }
}

/// The seat that the caller plays in each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum OwnSeat {
    At(usize),
    /// The next seat in each game, by the game's number.
    Rotate,
    /// A seat drawn for each game.
    Random,
}

impl FromPyObject<'_, '_> for OwnSeat {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(seat) = value.extract() {
            return Ok(Self::At(seat));
        }
        match value.extract::<&str>() {
            Ok("rotate") => Ok(Self::Rotate),
            Ok("random") => Ok(Self::Random),
            _ => Err(wrong(format!(
                "`seat` must be a player's number, 'rotate' or 'random', found {}",
                value.repr()?
            ))),
        }
    }
}

/// The bot of each seat in one game, as an index; `None` for the caller's seats.
pub(crate) type Table = Vec<Option<usize>>;

/// The rule that seats the caller and the bots in each game.
pub(crate) struct Seating {
    own: Option<OwnSeat>,
    /// The candidates of each seat, as indices. The caller plays the seats without any.
    seats: Vec<Vec<usize>>,
}

impl Seating {
    /// Returns the seating of these players, and the bots that its indices mean. The caller plays
    /// the seats without candidates and, if given, the own seat.
    pub(crate) fn new(
        players: usize,
        candidates: &[Option<Candidates>],
        own: Option<OwnSeat>,
    ) -> PyResult<(Self, Vec<&PlayerArg>)> {
        if candidates.len() > players {
            return Err(wrong(format!(
                "expected at most {players} bots, found {}",
                candidates.len()
            )));
        }
        if let Some(OwnSeat::At(seat)) =
            own.filter(|own| matches!(own, OwnSeat::At(seat) if *seat >= players))
        {
            return Err(wrong(format!(
                "`seat` must be below the number of players, {players}, found {seat}"
            )));
        }
        let mut bots: Vec<&PlayerArg> = Vec::new();
        let mut seats = vec![Vec::new(); players];
        for (seat, candidates) in seats.iter_mut().zip(candidates) {
            for bot in candidates.iter().flat_map(|it| &it.0) {
                let known = bots.iter().position(|it| it.is_same(bot));
                seat.push(known.unwrap_or(bots.len()));
                if known.is_none() {
                    bots.push(bot);
                }
            }
        }
        Ok((Self { own, seats }, bots))
    }

    pub(crate) fn has_bots(&self) -> bool {
        self.seats.iter().any(|seat| !seat.is_empty())
    }

    /// Reports whether bots play every seat.
    pub(crate) fn is_full(&self) -> bool {
        self.own.is_none() && self.seats.iter().all(|seat| !seat.is_empty())
    }

    /// Returns the table of a game. It depends on the game's seed and number alone.
    pub(crate) fn table(&self, seed: &GameSeed) -> Table {
        let players = self.seats.len() as u64;
        // The engine itself draws no seats here, because those of these games are fixed.
        let mut draws = seed.key().stream(Purpose::Seats);
        let own = self.own.map(|own| match own {
            OwnSeat::At(seat) => seat,
            OwnSeat::Rotate => (seed.number % players) as usize,
            OwnSeat::Random => draws.below(players) as usize,
        });
        let seats = self.seats.iter().enumerate();
        let mut bot = |(seat, bots): (usize, &Vec<usize>)| {
            let plays = Some(seat) != own && !bots.is_empty();
            plays.then(|| bots[draws.below(bots.len() as u64) as usize])
        };
        seats.map(&mut bot).collect()
    }
}
