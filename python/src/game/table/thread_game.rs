//! Games with bots. They stay on their thread because their scripts can't move to another thread.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use risk_engine::HostedSeats;
use send_wrapper::SendWrapper;

use crate::kit::{self, Bots};
use crate::seating::Table;

type HostedMixedGame = risk_engine::MixedGame<HostedSeats>;
/// A game, and the bots that wait for the next ones.
type SendGame = SendWrapper<Box<(HostedMixedGame, Bots)>>;

/// A game that only its own thread may use. Other threads may move and drop the value.
pub(super) struct ThreadGame(Option<SendGame>);

/// Games that were dropped on other threads.
static LEFT: Mutex<Vec<SendGame>> = Mutex::new(Vec::new());

fn left() -> MutexGuard<'static, Vec<SendGame>> {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ThreadGame {
    /// Wraps a game of this thread with its waiting bots, and drops this thread's games in [`LEFT`].
    pub(super) fn new(game: HostedMixedGame, spare: Bots) -> Self {
        let own: Vec<SendGame> = left().extract_if(.., |game| game.valid()).collect();
        drop(own);
        Self(Some(SendWrapper::new(Box::new((game, spare)))))
    }

    /// Reports whether the current thread is the game's own thread.
    pub(super) fn is_home(&self) -> bool {
        self.0.as_ref().is_some_and(SendWrapper::valid)
    }

    /// Returns all bots. Panics on any other thread.
    pub(super) fn into_bots(mut self, table: &Table) -> Bots {
        let game = self.0.take().expect("the game exists until it is dropped");
        let (game, mut bots) = *game.take();
        bots.extend(kit::unseated(game, table));
        bots
    }
}

impl Deref for ThreadGame {
    type Target = HostedMixedGame;

    fn deref(&self) -> &HostedMixedGame {
        let game = self.0.as_ref();
        &game.expect("the game exists until it is dropped").0
    }
}

impl DerefMut for ThreadGame {
    fn deref_mut(&mut self) -> &mut HostedMixedGame {
        let game = self.0.as_mut();
        &mut game.expect("the game exists until it is dropped").0
    }
}

impl Drop for ThreadGame {
    fn drop(&mut self) {
        if let Some(game) = self.0.take_if(|game| !game.valid()) {
            left().push(game);
        }
    }
}
