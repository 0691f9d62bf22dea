//! Limits on the log lines that clients cause: their number per minute and their length.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of lines per `STRETCH`.
const MOST: u32 = 20;
const STRETCH: Duration = Duration::from_secs(60);
/// The maximum length of a line, in characters.
const LONGEST: usize = 600;

/// A filter that drops lines over the limit.
#[derive(Debug, Default)]
pub struct LineLimiter {
    began: Option<Instant>,
    lines: u32,
    left_out: u64,
}

impl LineLimiter {
    /// Returns the lines to print for `line`: nothing if it exceeds the limit, and notes about
    /// lines that were omitted.
    pub fn lines(&mut self, line: &str, now: Instant) -> Vec<String> {
        let mut out = Vec::new();
        if self
            .began
            .is_none_or(|began| now.duration_since(began) >= STRETCH)
        {
            if self.left_out > 0 {
                out.push(format!(
                    "omitted {} more messages of this kind",
                    self.left_out
                ));
            }
            *self = Self {
                began: Some(now),
                ..Self::default()
            };
        }
        if self.lines >= MOST {
            self.left_out += 1;
            return out;
        }
        self.lines += 1;
        out.push(cut(line));
        if self.lines == MOST {
            out.push(format!(
                "reached {MOST} such messages; omitting more in this minute"
            ));
        }
        out
    }
}

fn cut(line: &str) -> String {
    let begun: String = line.chars().take(LONGEST).collect();
    if begun.len() < line.len() {
        begun + " …"
    } else {
        begun
    }
}

/// Passes lines to a function within the limits of [`LineLimiter`].
pub(super) struct BoundedLog<T> {
    print: T,
    state: Mutex<LineLimiter>,
}

impl<T: Fn(&str)> BoundedLog<T> {
    pub(super) fn new(print: T) -> Self {
        Self {
            print,
            state: Mutex::default(),
        }
    }

    pub(super) fn print(&self, line: &str) {
        let lines = self
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .lines(line, Instant::now());
        lines.iter().for_each(|line| (self.print)(line));
    }
}
