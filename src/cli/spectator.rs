//! Shows a game in a terminal, with a map that is redrawn in place, at an adjustable speed.
//!
//! A spectator is a sink like all reports. While it shows a picture, the game waits.

#[cfg(unix)]
mod keys;
#[cfg(unix)]
mod pace;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod watching;

use std::io::{self, IsTerminal};

use clap::Args;

use super::Error;
use risk_kernel::id::Player;
use risk_text::plural::counted;

#[cfg(unix)]
pub(super) use watching::Spectator;

/// The highest speed, in decisions per second.
const FASTEST: u16 = 1_000;

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct WatchArgs {
    /// Watch the game on a map in the terminal. Space pauses and resumes, n or the right arrow
    /// steps, t skips to the next turn, + and - change the speed, and q leaves
    #[arg(long)]
    pub(super) watch: bool,
    /// With --watch: initial speed, in decisions per second
    #[arg(long, value_name = "N", requires = "watch", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=i64::from(FASTEST)))]
    speed: u16,
    /// With --watch: number of the seat whose view is shown, from 1 (default: everything is shown)
    #[arg(long, value_name = "N", requires = "watch", value_parser = clap::value_parser!(u8).range(1..))]
    seat: Option<u8>,
}

impl WatchArgs {
    /// Opens the spectator, if `--watch` is given. `names` are the players by seat.
    pub(super) fn begin(self, title: &str, names: &[String]) -> Result<Option<Spectator>, Error> {
        if !self.watch {
            return Ok(None);
        }
        let seat = match self.seat {
            Some(seat) if usize::from(seat) > names.len() => {
                return Err(no_seat("cli::seat", seat.into(), names.len()));
            }
            Some(seat) => Some(Player::from_index(usize::from(seat) - 1)),
            None => None,
        };
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(refused("found a pipe or a file"));
        }
        if std::env::var("TERM").is_ok_and(|term| term == "dumb") {
            return Err(refused("found TERM=dumb, which can't redraw lines"));
        }
        Spectator::begin(title, names, seat, self.speed)
            .map(Some)
            .map_err(|error| refused(&error.to_string()))
    }
}

/// Returns the error for an output that can't be drawn on, with alternatives.
/// Returns the error for an option that names a seat, counted from 1, which the game lacks.
pub(super) fn no_seat(code: &str, seat: usize, seats: usize) -> Error {
    let text = format!("no seat {seat}: the game has {}", counted(seats, "seat"));
    Error::input(code, text, format!("choose a seat from 1 to {seats}"))
}

fn refused(why: &str) -> Error {
    Error::input(
        "cli::terminal",
        format!("--watch requires a terminal: {why}"),
        "omit --watch to see the story; for a record, `risk-cli replay FILE --html game.html` \
         makes a page, and --animation an animated picture",
    )
}

/// A stand-in for systems without a terminal to draw on.
#[cfg(not(unix))]
pub(super) struct Spectator;

#[cfg(not(unix))]
impl Spectator {
    fn begin(_: &str, _: &[String], _: Option<Player>, _: u16) -> io::Result<Self> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }

    pub(super) const fn has_left(&self) -> bool {
        false
    }

    pub(super) fn end(self, _: &risk_kernel::state::GameState, _: &str) -> bool {
        false
    }
}

#[cfg(not(unix))]
impl risk_kernel::Sink for Spectator {
    fn event(&mut self, _: &risk_kernel::state::GameState, _: &risk_kernel::event::Event) {}
}
