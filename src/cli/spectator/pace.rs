//! How fast a game goes by.

use std::time::{Duration, Instant};

use super::keys::Key;

/// Decisions a second.
const SPEEDS: [u16; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
/// How long a picture stands at least: eyes and terminals see no more.
const PICTURE: Duration = Duration::from_millis(33);

/// How fast a game goes by, and what it waits for.
pub(super) struct Pace {
    /// Decisions a second.
    pub(super) speed: u16,
    /// Does it stand still until somebody says so?
    pub(super) is_paused: bool,
    /// On to the turn after this one, without a picture.
    pub(super) turn: Option<u32>,
    /// When the next decision is due.
    due: Instant,
    drawn: Option<Instant>,
}

impl Pace {
    pub(super) fn new(speed: u16) -> Self {
        Self {
            speed,
            is_paused: false,
            turn: None,
            due: Instant::now(),
            drawn: None,
        }
    }

    /// Takes a key in. Says whether the game is to go on for one decision at least.
    pub(super) fn take(&mut self, key: Key, turn: u32) -> bool {
        match key {
            Key::Pause => self.is_paused = !self.is_paused,
            Key::Faster => self.speed = next(SPEEDS.iter(), |speed| speed > self.speed),
            Key::Slower => self.speed = next(SPEEDS.iter().rev(), |speed| speed < self.speed),
            Key::Step => {
                self.is_paused = true;
                return true;
            }
            Key::Turn => {
                self.turn = Some(turn);
                return true;
            }
            Key::Leave => return true,
        }
        false
    }

    /// Is a picture wanted of this moment, in this turn?
    pub(super) fn is_shown(&mut self, turn: u32) -> bool {
        if self.turn.is_some_and(|from| from == turn) {
            return false;
        }
        self.turn = None;
        let now = Instant::now();
        let step = Duration::from_secs(1) / u32::from(self.speed);
        let recent = self.drawn.is_some_and(|drawn| now < drawn + PICTURE);
        let behind = self.due + step < now;
        // What nobody saw is not waited for either.
        self.due = if behind { now + step } else { self.due + step };
        let is_shown = self.is_paused || !recent || self.due >= now + PICTURE;
        if is_shown {
            self.drawn = Some(now);
        }
        is_shown
    }

    /// How long to wait for the next decision; for ever while it stands still.
    pub(super) fn wait(&self) -> Option<Duration> {
        (!self.is_paused).then(|| self.due.saturating_duration_since(Instant::now()))
    }

    /// What is said of the speed.
    pub(super) fn text(&self) -> String {
        format!("+ - speed {}/s", self.speed)
    }
}

/// The first speed that fits, or else the last one.
fn next<'a>(mut speeds: impl Iterator<Item = &'a u16> + Clone, fits: impl Fn(u16) -> bool) -> u16 {
    let last = speeds.clone().last().copied().unwrap_or(1);
    speeds.find(|&&speed| fits(speed)).copied().unwrap_or(last)
}
