//! Games with bots. They stay on their thread because their scripts can't move to another thread.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use risk_engine::HostedSeats;
use send_wrapper::SendWrapper;

type Mixed = risk_engine::MixedGame<HostedSeats>;
type Game = SendWrapper<Box<Mixed>>;

/// A game that only its own thread may use. Other threads may move and drop the value.
pub(super) struct OfThread(Option<Game>);

/// Games that were dropped on other threads.
static LEFT: Mutex<Vec<Game>> = Mutex::new(Vec::new());

fn left() -> MutexGuard<'static, Vec<Game>> {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OfThread {
    /// Wraps a game of this thread, and drops this thread's games in [`LEFT`].
    pub(super) fn new(game: Mixed) -> Self {
        let own: Vec<Game> = left().extract_if(.., |game| game.valid()).collect();
        drop(own);
        Self(Some(SendWrapper::new(Box::new(game))))
    }

    /// Reports whether the current thread is the game's own thread.
    pub(super) fn is_home(&self) -> bool {
        self.0.as_ref().is_some_and(SendWrapper::valid)
    }

    /// Returns the game. Panics on any other thread.
    pub(super) fn into_game(mut self) -> Mixed {
        let game = self.0.take().expect("the game exists until it is dropped");
        *game.take()
    }
}

impl Deref for OfThread {
    type Target = Mixed;

    fn deref(&self) -> &Mixed {
        self.0
            .as_ref()
            .expect("the game exists until it is dropped")
    }
}

impl DerefMut for OfThread {
    fn deref_mut(&mut self) -> &mut Mixed {
        self.0
            .as_mut()
            .expect("the game exists until it is dropped")
    }
}

impl Drop for OfThread {
    fn drop(&mut self) {
        if let Some(game) = self.0.take_if(|game| !game.valid()) {
            left().push(game);
        }
    }
}
