//! Games with bots. They stay on their thread because their scripts can't move to another thread.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use risk_engine::HostedSeats;
use send_wrapper::SendWrapper;

type HostedMixedGame = risk_engine::MixedGame<HostedSeats>;
type SendGame = SendWrapper<Box<HostedMixedGame>>;

/// A game that only its own thread may use. Other threads may move and drop the value.
pub(super) struct ThreadGame(Option<SendGame>);

/// Games that were dropped on other threads.
static LEFT: Mutex<Vec<SendGame>> = Mutex::new(Vec::new());

fn left() -> MutexGuard<'static, Vec<SendGame>> {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ThreadGame {
    /// Wraps a game of this thread, and drops this thread's games in [`LEFT`].
    pub(super) fn new(game: HostedMixedGame) -> Self {
        let own: Vec<SendGame> = left().extract_if(.., |game| game.valid()).collect();
        drop(own);
        Self(Some(SendWrapper::new(Box::new(game))))
    }

    /// Reports whether the current thread is the game's own thread.
    pub(super) fn is_home(&self) -> bool {
        self.0.as_ref().is_some_and(SendWrapper::valid)
    }

    /// Returns the game. Panics on any other thread.
    pub(super) fn into_game(mut self) -> HostedMixedGame {
        let game = self.0.take().expect("the game exists until it is dropped");
        *game.take()
    }
}

impl Deref for ThreadGame {
    type Target = HostedMixedGame;

    fn deref(&self) -> &HostedMixedGame {
        self.0
            .as_ref()
            .expect("the game exists until it is dropped")
    }
}

impl DerefMut for ThreadGame {
    fn deref_mut(&mut self) -> &mut HostedMixedGame {
        self.0
            .as_mut()
            .expect("the game exists until it is dropped")
    }
}

impl Drop for ThreadGame {
    fn drop(&mut self) {
        if let Some(game) = self.0.take_if(|game| !game.valid()) {
            left().push(game);
        }
    }
}
