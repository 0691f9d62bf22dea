//! Watching a game in a terminal, where the map is redrawn in place at any speed.
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

#[cfg(unix)]
pub(super) use watching::Spectator;

/// The highest speed, in decisions a second.
const FASTEST: u16 = 1_000;

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct WatchArgs {
    /// Watch the game in the terminal: the map is redrawn in its place. Space pauses, n or the
    /// right arrow steps, t goes to the next turn, + and - change the speed, q leaves
    #[arg(long)]
    pub(super) watch: bool,
    /// With --watch: decisions a second to begin with
    #[arg(long, value_name = "N", requires = "watch", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=i64::from(FASTEST)))]
    speed: u16,
    /// With --watch: only what the player of this seat sees, from 1; everything when left out
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
                let text = format!("there is no seat {seat}: the game has {}", names.len());
                return Err(Error::input("cli::seat", text, "name another seat"));
            }
            Some(seat) => Some(Player::from_index(usize::from(seat) - 1)),
            None => None,
        };
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(refused("this is a pipe or a file"));
        }
        if std::env::var("TERM").is_ok_and(|term| term == "dumb") {
            return Err(refused("nothing can be redrawn on this one (TERM=dumb)"));
        }
        Spectator::begin(title, names, seat, self.speed)
            .map(Some)
            .map_err(|error| refused(&format!("this one can't be used: {error}")))
    }
}

/// Returns the error when nothing can be drawn, with the alternatives.
fn refused(why: &str) -> Error {
    Error::input(
        "cli::terminal",
        format!("--watch draws on a terminal, and {why}"),
        "leave it out and the game is told; `replay FILE --html game.html` makes a page of a \
         record, and --svg-animation a picture that moves",
    )
}

/// A stand-in on systems without a terminal to draw on.
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
