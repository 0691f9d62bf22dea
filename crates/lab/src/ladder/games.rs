//! The latest games of a ladder: all of them, or those of one bot.

use crate::tournament::GameLine;

/// A played game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The number of the game, counted from 1.
    pub game: u64,
    /// The bots by seat.
    pub seats: Vec<String>,
    /// The places by seat, counted from 1. Tied bots share a place.
    pub places: Vec<u32>,
    /// The winners. Several winners share the win.
    pub winners: Vec<String>,
    /// The reason for the end of the game.
    pub reason: String,
    /// The number of rounds begun.
    pub rounds: u32,
    /// The number of faults by seat.
    pub faults: Vec<u32>,
    /// The end of the game's block, in seconds since 1970-01-01 UTC. `None` for blocks of earlier
    /// versions of the program, which did not store it.
    pub ended: Option<u64>,
    /// Whether the game's record still exists.
    pub has_record: bool,
}

impl PlayedGame {
    pub(super) fn new(game: u64, line: &GameLine, ended: Option<u64>) -> Self {
        let winners = line.winners.iter();
        Self {
            game,
            winners: winners.map(|seat| line.seats[seat - 1].clone()).collect(),
            seats: line.seats.clone(),
            places: line.places.clone(),
            reason: line.reason.clone(),
            rounds: line.rounds,
            faults: line.faults.clone(),
            ended,
            has_record: false,
        }
    }

    /// Returns the result for a bot, or `None` if the bot did not play.
    #[must_use]
    pub fn outcome_of(&self, bot: &str) -> Option<GameOutcome> {
        let is_bot = |name: &String| name == bot;
        if !self.seats.iter().any(is_bot) {
            return None;
        }
        Some(if self.winners.is_empty() {
            GameOutcome::Undecided
        } else if self.winners.iter().any(is_bot) {
            GameOutcome::Won
        } else {
            GameOutcome::Lost
        })
    }
}

risk_text::named! {
    /// The result of a game for one of its bots.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum GameOutcome {
        /// The bot won, alone or together with others.
        Won = "won",
        /// Another bot won.
        Lost = "lost",
        /// The game has no winner.
        Undecided = "undecided",
    }
}

impl GameOutcome {
    /// Returns the result with this word, or `None` if there is none.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::from_name(word)
    }
}

/// The games to list. The default lists all games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Only games before the game with this number.
    pub before: Option<u64>,
    /// Only games of this bot.
    pub bot: Option<String>,
    /// Only games with this result for the bot. Without a bot, it has no effect.
    pub outcome: Option<GameOutcome>,
}

impl GameFilter {
    pub(super) fn admits(&self, game: &PlayedGame) -> bool {
        let fits = |bot: &String| {
            let found = game.outcome_of(bot);
            found.is_some_and(|found| self.outcome.is_none_or(|wanted| wanted == found))
        };
        self.before.is_none_or(|before| game.game < before) && self.bot.as_ref().is_none_or(fits)
    }
}

/// A page of the latest games, starting with the newest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The games, starting with the newest.
    pub games: Vec<PlayedGame>,
    /// The start of the next page, if there are more games.
    pub before: Option<u64>,
}
