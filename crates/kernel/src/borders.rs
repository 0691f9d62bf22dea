//! The borders that are open to a player now. Rules, bots and chances ask here, not the map, which
//! lists all borders that there may be.

use std::iter::Copied;
use std::slice::Iter;

use super::id::{Player, Territory};
use super::state::GameState;
use super::view::View;

/// The territories at the other ends of open borders, in the order of the map.
#[derive(Clone, Debug)]
pub struct OpenBorders<'a>(Copied<Iter<'a, Territory>>);

impl<'a> OpenBorders<'a> {
    fn new(all: &'a [Territory]) -> Self {
        Self(all.iter().copied())
    }
}

impl Iterator for OpenBorders<'_> {
    type Item = Territory;

    #[inline]
    fn next(&mut self) -> Option<Territory> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl GameState {
    /// Returns the territories to which borders lead that are open, or are open to some players.
    #[inline]
    #[must_use]
    pub fn open_borders(&self, from: Territory) -> OpenBorders<'_> {
        OpenBorders::new(self.board.neighbours(from))
    }

    /// Returns the territories that borders which are open to `player` let armies on `from` attack,
    /// regardless of owners.
    #[inline]
    #[must_use]
    pub fn attack_borders(&self, _player: Player, from: Territory) -> OpenBorders<'_> {
        OpenBorders::new(self.board.neighbours(from))
    }

    /// Returns the territories that borders which are open to `player` let armies on `from` enter,
    /// regardless of owners.
    #[inline]
    #[must_use]
    pub fn move_borders(&self, _player: Player, from: Territory) -> OpenBorders<'_> {
        OpenBorders::new(self.board.neighbours(from))
    }

    /// Returns the territories from which borders that are open to `player` let armies attack `to`,
    /// regardless of owners.
    #[inline]
    #[must_use]
    pub fn attack_borders_to(&self, _player: Player, to: Territory) -> OpenBorders<'_> {
        OpenBorders::new(self.board.sources(to))
    }

    /// Reports whether a border that is open to `player` lets armies on `from` attack `to`.
    #[inline]
    #[must_use]
    pub fn can_attack_over(&self, _player: Player, from: Territory, to: Territory) -> bool {
        self.board.borders(from, to)
    }

    /// Reports whether a border that is open to `player` lets armies on `from` enter `to`.
    #[inline]
    #[must_use]
    pub fn can_move_over(&self, _player: Player, from: Territory, to: Territory) -> bool {
        self.board.borders(from, to)
    }
}

impl View {
    /// Returns the territories that borders which are open to the viewing player let armies on
    /// `from` attack, regardless of owners.
    #[inline]
    pub fn attack_borders(&self, from: Territory) -> OpenBorders<'_> {
        self.facts().attack_borders(self.me(), from)
    }

    /// Returns the territories that borders which are open to the viewing player let armies on
    /// `from` enter, regardless of owners.
    #[inline]
    pub fn move_borders(&self, from: Territory) -> OpenBorders<'_> {
        self.facts().move_borders(self.me(), from)
    }

    /// Returns the territories from which borders that are open to the viewing player let armies
    /// attack `to`, regardless of owners.
    #[inline]
    pub fn attack_borders_to(&self, to: Territory) -> OpenBorders<'_> {
        self.facts().attack_borders_to(self.me(), to)
    }

    /// Returns the territories from which another player may attack `to`, as far as the viewing
    /// player can tell which borders are open to it.
    #[inline]
    pub fn attack_borders_of(&self, player: Player, to: Territory) -> OpenBorders<'_> {
        self.facts().attack_borders_to(player, to)
    }
}
