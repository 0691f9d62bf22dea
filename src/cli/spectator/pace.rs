//! The speed at which a game is shown.

use std::time::{Duration, Instant};

use super::keys::Key;

/// The speeds, in decisions per second.
const SPEEDS: [u16; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
/// The minimum time between two pictures: neither eyes nor terminals can follow faster changes.
const PICTURE: Duration = Duration::from_millis(33);

pub(super) struct Pace {
    /// The speed, in decisions per second.
    pub(super) speed: u16,
    pub(super) is_paused: bool,
    /// The turn to skip without pictures.
    pub(super) turn: Option<u32>,
    /// The time at which the next decision is shown.
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

    /// Handles a key. Returns whether the game continues for at least one decision.
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

    /// Reports whether this moment is drawn.
    pub(super) fn is_shown(&mut self, turn: u32) -> bool {
        if self.turn.is_some_and(|from| from == turn) {
            return false;
        }
        self.turn = None;
        let now = Instant::now();
        let step = Duration::from_secs(1) / u32::from(self.speed);
        let recent = self.drawn.is_some_and(|drawn| now < drawn + PICTURE);
        let behind = self.due + step < now;
        // After a delay, the game doesn't speed up to catch up.
        self.due = if behind { now + step } else { self.due + step };
        let is_shown = self.is_paused || !recent || self.due >= now + PICTURE;
        if is_shown {
            self.drawn = Some(now);
        }
        is_shown
    }

    /// Returns how long to wait for the next decision; `None` while paused.
    pub(super) fn wait(&self) -> Option<Duration> {
        (!self.is_paused).then(|| self.due.saturating_duration_since(Instant::now()))
    }

    pub(super) fn text(&self) -> String {
        format!("+ - speed {}/s", self.speed)
    }
}

/// Returns the first speed that fits, or else the last speed.
fn next<'a>(mut speeds: impl Iterator<Item = &'a u16> + Clone, fits: impl Fn(u16) -> bool) -> u16 {
    let last = speeds.clone().last().copied().unwrap_or(1);
    speeds.find(|&&speed| fits(speed)).copied().unwrap_or(last)
}
