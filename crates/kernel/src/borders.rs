//! The borders that are open to a player now. Rules, bots and chances ask here, not the map, which
//! lists all borders that there may be.

use std::iter::Copied;
use std::slice::Iter;

use super::board::Board;
pub use super::board::{BorderInfo, Holding};
use super::declare::Declaration;
use super::id::{Player, Territory, Unit};
use super::state::GameState;
use super::view::View;

/// The territories at the other ends of open borders, in the order of the map.
#[derive(Clone, Debug)]
pub struct OpenBorders<'a> {
    ends: Copied<Iter<'a, Territory>>,
    /// The question for each border; `None` if all are open.
    filter: Option<Filter<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct Filter<'a> {
    game: &'a GameState,
    /// The view that limits what is known about the player.
    view: Option<&'a View>,
    /// The player; `None` for borders that are open to any player.
    player: Option<Player>,
    at: Territory,
    /// The number of the border behind the last end of the list; `None` if borders lead to `at`.
    stop: Option<usize>,
    use_of: Use,
}

/// The use of a border, which may be open for one and not for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Attack,
    Move,
}

impl Iterator for OpenBorders<'_> {
    type Item = Territory;

    #[inline]
    fn next(&mut self) -> Option<Territory> {
        match self.filter {
            None => self.ends.next(),
            Some(filter) => loop {
                let left = self.ends.len();
                let end = self.ends.next()?;
                if filter.passes(end, left) {
                    return Some(end);
                }
            },
        }
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Territory> {
        match self.filter {
            None => self.ends.nth(n),
            Some(_) => (0..=n).map_while(|_| self.next()).nth(n),
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, Territory) -> B>(self, first: B, mut add: F) -> B {
        let (filter, mut left) = (self.filter, self.ends.len() + 1);
        // There is one call of `add`, so that the compiler puts its code here.
        self.ends.fold(first, |sum, end| {
            left -= 1;
            match filter {
                Some(filter) if !filter.passes(end, left) => sum,
                _ => add(sum, end),
            }
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.ends.len()))
    }
}

impl Filter<'_> {
    /// Reports whether the border to or from an end is open. `left` is the number of ends from this
    /// one to the last.
    fn passes(self, end: Territory, left: usize) -> bool {
        let board = self.game.board();
        let border = match self.stop {
            Some(stop) => Some(stop - left),
            None => board.border_index(end, self.at),
        };
        let Some(border) = border else {
            return false;
        };
        if self.game.closed.get(border) == Some(&true) {
            return false;
        }
        let entered = if self.stop.is_some() { end } else { self.at };
        if self.game.decl.bars(entered, Unit::FIRST) {
            return false;
        }
        let Some(info) = board.border_at(border) else {
            return true;
        };
        !(info.is_bombard && self.use_of == Use::Move)
            && info.open_if.is_none_or(|holding| self.holds(holding))
    }

    fn holds(self, holding: Holding) -> bool {
        let Some(player) = self.player else {
            return true;
        };
        match (holding, self.view) {
            (Holding::Territory(at), None) => self.game.owns(player, at),
            (Holding::Territory(at), Some(view)) => view.owner(at) == Some(player),
            (Holding::Group(group), None) => self.game.holds(player, group),
            (Holding::Group(group), Some(view)) => {
                let owns = |at| view.owner(at) == Some(player);
                view.board().is_held_by(group, owns)
            }
        }
    }
}

impl GameState {
    /// Reports whether all borders of the map are open to all players, for attacks and for moves.
    #[inline]
    pub(super) const fn has_plain_borders(&self) -> bool {
        self.plain_borders
    }

    /// Reports whether all borders are open to all players as long as no rule closes one.
    pub(super) fn begins_plain(board: &Board, decl: &Declaration) -> bool {
        let mut kinds = decl.unit_rules.iter().take(1);
        board.has_plain_borders() && kinds.all(|rules| rules.barred.is_empty())
    }

    #[inline]
    fn from(&self, player: Option<Player>, at: Territory, use_of: Use) -> OpenBorders<'_> {
        OpenBorders {
            ends: self.board.neighbours(at).iter().copied(),
            filter: (!self.plain_borders).then(|| Filter {
                game: self,
                view: None,
                player,
                at,
                stop: Some(self.board.border_stop(at)),
                use_of,
            }),
        }
    }

    /// Returns the territories to which borders lead that are open, or are open to some players.
    #[inline]
    #[must_use]
    pub fn open_borders(&self, from: Territory) -> OpenBorders<'_> {
        self.from(None, from, Use::Attack)
    }

    /// Returns the territories that borders which are open to `player` let armies on `from` attack,
    /// regardless of owners.
    #[inline]
    #[must_use]
    pub fn attack_borders(&self, player: Player, from: Territory) -> OpenBorders<'_> {
        self.from(Some(player), from, Use::Attack)
    }

    /// Returns the territories that borders which are open to `player` let armies on `from` enter,
    /// regardless of owners.
    #[inline]
    #[must_use]
    pub fn move_borders(&self, player: Player, from: Territory) -> OpenBorders<'_> {
        self.from(Some(player), from, Use::Move)
    }

    #[inline]
    fn attack_borders_to<'a>(
        &'a self,
        view: Option<&'a View>,
        player: Player,
        to: Territory,
    ) -> OpenBorders<'a> {
        OpenBorders {
            ends: self.board.sources(to).iter().copied(),
            filter: (!self.plain_borders).then_some(Filter {
                game: self,
                view,
                player: Some(player),
                at: to,
                stop: None,
                use_of: Use::Attack,
            }),
        }
    }

    /// Reports whether a border that is open to `player` lets armies on `from` attack `to`.
    #[inline]
    #[must_use]
    pub fn can_attack_over(&self, player: Player, from: Territory, to: Territory) -> bool {
        if self.has_plain_borders() {
            return self.board.borders(from, to);
        }
        self.attack_borders(player, from).any(|end| end == to)
    }

    /// Reports whether a border that is open to `player` lets armies on `from` enter `to`.
    #[inline]
    #[must_use]
    pub fn can_move_over(&self, player: Player, from: Territory, to: Territory) -> bool {
        if self.has_plain_borders() {
            return self.board.borders(from, to);
        }
        self.move_borders(player, from).any(|end| end == to)
    }

    /// Reports whether a border is closed to `player` for armies that go to `to`, if it is the
    /// player's, or attack it. There may also be no border.
    pub(super) fn has_shut(&self, player: Player, from: Territory, to: Territory) -> bool {
        let is_open = || match self.owns(player, to) {
            true => self.can_move_over(player, from, to),
            false => self.can_attack_over(player, from, to),
        };
        !self.has_plain_borders() && self.board.borders(from, to) && !is_open()
    }

    /// Reports whether a territory has an open border to a territory of a different owner.
    #[inline]
    #[must_use]
    pub fn is_front(&self, at: Territory) -> bool {
        let place = self.places[at.index()];
        place.foes > 0 && (self.has_plain_borders() || self.has_open_front(at))
    }

    fn has_open_front(&self, at: Territory) -> bool {
        let owner = self.owner(at);
        let mut ends = self.from(owner, at, Use::Attack);
        ends.any(|end| self.owner(end) != owner)
    }

    /// Returns the number of territories of its owner that armies on a territory may enter.
    #[inline]
    #[must_use]
    pub fn own_near(&self, at: Territory) -> usize {
        if self.has_plain_borders() {
            return self.board.degree(at) - usize::from(self.places[at.index()].foes);
        }
        let owner = self.owner(at);
        let ends = self.from(owner, at, Use::Move);
        ends.filter(|&end| self.owner(end) == owner).count()
    }

    /// Reports whether the border from one territory to another is there and no rule closed it.
    #[must_use]
    pub fn is_open(&self, from: Territory, to: Territory) -> bool {
        let border = self.board.border_index(from, to);
        border.is_some_and(|border| self.closed.get(border) != Some(&true))
    }

    /// Returns the borders that rules closed, each once, in the order of the map.
    pub fn closed_borders(&self) -> impl Iterator<Item = (Territory, Territory)> + '_ {
        let all = self.board.edges().filter(|_| !self.closed.is_empty());
        all.filter(|&(from, to, _)| !self.is_open(from, to))
            .map(|(from, to, _)| (from, to))
    }
}

impl View {
    /// Returns the borders that rules closed, each once, in the order of the map.
    pub fn closed_borders(&self) -> impl Iterator<Item = (Territory, Territory)> + '_ {
        self.facts.closed_borders()
    }

    /// Returns the territories that borders which are open to the viewing player let armies on
    /// `from` attack, regardless of owners.
    #[inline]
    pub fn attack_borders(&self, from: Territory) -> OpenBorders<'_> {
        self.facts.attack_borders(self.me(), from)
    }

    /// Returns the territories that borders which are open to the viewing player let armies on
    /// `from` enter, regardless of owners.
    #[inline]
    pub fn move_borders(&self, from: Territory) -> OpenBorders<'_> {
        self.facts.move_borders(self.me(), from)
    }

    /// Returns the territories from which borders that are open to the viewing player let armies
    /// attack `to`, regardless of owners.
    #[inline]
    pub fn attack_borders_to(&self, to: Territory) -> OpenBorders<'_> {
        self.facts.attack_borders_to(None, self.me(), to)
    }

    /// Returns the territories from which borders let armies of their owners attack `to`, as far as
    /// the viewing player knows what the owners hold.
    pub fn threats_to(&self, to: Territory) -> impl Iterator<Item = Territory> + '_ {
        let is_plain = self.facts.has_plain_borders();
        let all = self.board().sources(to).iter().copied();
        all.filter(move |&from| is_plain || self.threatens(from, to))
    }

    /// Reports whether the map has a border that is closed to the owner of `from` for attacks on
    /// `to`, as far as the viewing player knows what the owner holds.
    #[must_use]
    pub fn is_shut(&self, from: Territory, to: Territory) -> bool {
        let game = &self.facts;
        !game.plain_borders && game.board.borders(from, to) && !self.threatens(from, to)
    }

    /// Reports whether a border lets armies of the owner of `from` attack `to`, as far as the
    /// viewing player knows what the owner holds.
    #[must_use]
    pub fn threatens(&self, from: Territory, to: Territory) -> bool {
        let owner = self.owner(from).unwrap_or(self.me());
        let game = &self.facts;
        let mut sources = game.attack_borders_to(Some(self), owner, to);
        sources.any(|source| source == from)
    }
}

impl Board {
    /// Returns the borders with what the map says about them, in the order of the map.
    pub fn special_borders(&self) -> impl Iterator<Item = (Territory, Territory, &BorderInfo)> {
        let all = self.territories().filter(|_| !self.has_plain_borders());
        all.flat_map(move |from| {
            let ends = self.neighbours(from).iter();
            ends.filter_map(move |&to| Some((from, to, self.border(from, to)?)))
        })
    }

    /// Returns what the map says about the border from one territory to another; `None` if there is
    /// no border, or no more to say about it.
    #[must_use]
    pub fn border(&self, from: Territory, to: Territory) -> Option<&BorderInfo> {
        self.border_at(self.border_index(from, to)?)
    }
}
