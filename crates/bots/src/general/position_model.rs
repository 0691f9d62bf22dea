//! The board in plain numbers, as the player sees it.

use risk_kernel::board::Board;
use risk_kernel::borders::OpenBorders;
use risk_kernel::event::Status;
use risk_kernel::id::{Group, MAX_PLAYERS, Player, Territory};
use risk_kernel::view::View;

/// The owner of free territories, which is not the number of any player.
pub(super) const NOBODY: usize = MAX_PLAYERS;
pub(super) const SEATS: usize = NOBODY + 1;

/// The assumed number of armies on a territory in fog.
const HIDDEN: i32 = 2;
/// The number of rounds before a crowded board makes players impatient. Games may begin with many
/// armies.
const PATIENT: u32 = 15;
/// The number of rounds after which three players no longer keep each other in balance.
const LATE: u32 = 40;
/// The average number of armies on a territory that makes a board crowded, at first and in the end.
const CROWD: f32 = 8.0;
const LEAST_CROWD: f32 = 3.0;
/// The maximum for bonuses and for values of sets.
const MOST: i32 = 10_000;

/// The position on the board. A territory counts as free if fog hides its owner.
pub struct PositionModel<'a> {
    pub(super) view: &'a View,
    pub(super) board: &'a Board,
    pub(super) me: usize,
    pub(super) players: usize,
    pub(super) round: u32,
    pub(super) rivals: Vec<usize>,
    owner: Vec<u8>,
    armies: Vec<i32>,
    /// The number of territories, by seat.
    pub territories: [i32; SEATS],
    /// The armies on the board, by seat.
    pub strength: [i64; SEATS],
    /// The number of cards, by seat.
    pub cards: [i32; SEATS],
    /// Whether the player still makes decisions, by seat.
    pub decides: [bool; SEATS],
    /// The number of territories owned in each group, by seat.
    members: Vec<[u16; SEATS]>,
    /// Whether the player has taken a territory in this turn, or conquests bring no cards.
    pub(super) has_conquered: bool,
    /// The armies for the next set of cards, or 0 if there are no cards.
    pub set_value: i32,
    /// The impatience of the player; 0 until armies crowd the board.
    pub(super) eagerness: f32,
    /// Whether the game has lasted so long that all players turn against the weakest player.
    pub(super) is_late: bool,
}

impl<'a> PositionModel<'a> {
    /// Reads the position that a player sees.
    #[must_use]
    pub fn new(view: &'a View) -> Self {
        let board = view.board();
        let mut scene = Self {
            view,
            board,
            me: view.me().index(),
            players: view.players(),
            round: view.round(),
            rivals: Vec::new(),
            owner: vec![NOBODY as u8; board.len()],
            armies: vec![0; board.len()],
            territories: [0; SEATS],
            strength: [0; SEATS],
            cards: [0; SEATS],
            decides: [false; SEATS],
            members: vec![[0; SEATS]; board.groups().len()],
            has_conquered: false,
            set_value: 0,
            eagerness: 0.0,
            is_late: view.round() > LATE,
        };
        for at in board.territories() {
            let owner = view.owner(at).map_or(NOBODY, Player::index);
            let armies = view.armies(at).unwrap_or(HIDDEN);
            scene.owner[at.index()] = owner as u8;
            scene.armies[at.index()] = armies;
            scene.territories[owner] += 1;
            scene.strength[owner] += i64::from(armies);
            for group in board.groups_around(at) {
                scene.members[group.index()][owner] += 1;
            }
        }
        scene.read_players(view);
        scene.read_cards(view);
        scene.eagerness = scene.eagerness(view.round());
        scene
    }

    /// Returns the impatience of players in a round, which ensures that games end.
    fn eagerness(&self, round: u32) -> f32 {
        let waited = round.saturating_sub(PATIENT) as f32;
        if waited == 0.0 {
            return 0.0;
        }
        let all: i64 = self.strength.iter().sum();
        let crowd = all as f32 / self.board.len().max(1) as f32;
        let crowded = (CROWD - waited / 10.0).max(LEAST_CROWD);
        ((crowd / crowded - 1.0) * (1.0 + waited / 30.0)).clamp(0.0, 20.0)
    }

    fn read_players(&mut self, view: &View) {
        for seat in 0..view.players() {
            self.decides[seat] = view.status(Player::from_index(seat)) == Status::Playing;
            if seat != self.me && self.territories[seat] > 0 {
                self.rivals.push(seat);
            }
        }
    }

    fn read_cards(&mut self, view: &View) {
        let decl = view.decl();
        let counter = |name: &str, of| view.counter(decl.counter(name)?, of);
        self.has_conquered = counter("conquered", Some(view.me())).is_none_or(|count| count > 0);
        let Some(hand) = decl.pile("hand") else {
            return;
        };
        for seat in 0..view.players() {
            self.cards[seat] = view.pile_len(hand, Some(Player::from_index(seat))) as i32;
        }
        self.set_value = counter("sets_traded", None).map_or(0, set_value);
    }

    #[inline]
    pub(super) fn owner(&self, at: Territory) -> usize {
        self.owner[at.index()].into()
    }

    #[inline]
    pub(super) fn is_mine(&self, at: Territory) -> bool {
        self.owner(at) == self.me
    }

    #[inline]
    pub(super) fn armies(&self, at: Territory) -> i32 {
        self.armies[at.index()]
    }

    /// Returns the territories that the player may conquer from `at`, or enter if they are the
    /// player's.
    #[inline]
    pub(super) fn move_borders(&self, at: Territory) -> OpenBorders<'_> {
        self.view.move_borders(at)
    }

    /// Returns the territories from which their owners may attack `at`.
    #[inline]
    pub(super) fn threats_to(&self, at: Territory) -> impl Iterator<Item = Territory> + '_ {
        self.view.threats_to(at)
    }

    #[inline]
    pub(super) fn foes(&self, at: Territory) -> impl Iterator<Item = Territory> + '_ {
        let near = self.move_borders(at);
        near.filter(|&to| !self.is_mine(to))
    }

    pub(super) fn is_front(&self, at: Territory) -> bool {
        self.foes(at).next().is_some()
    }

    pub(super) fn mine(&self) -> impl Iterator<Item = Territory> + '_ {
        let all = self.board.territories();
        all.filter(|&at| self.is_mine(at))
    }

    pub(super) fn fronts(&self) -> impl Iterator<Item = Territory> + '_ {
        self.mine().filter(|&at| self.is_front(at))
    }

    #[inline]
    pub(super) fn members(&self, group: Group, seat: usize) -> usize {
        self.members[group.index()][seat].into()
    }

    /// Returns the armies that a group adds each turn to those of the groups that it overrides.
    #[inline]
    pub(super) fn bonus(&self, group: Group) -> f32 {
        let bonus = |group: Group| self.board.group(group).whole_bonus();
        let overrides = self.board.group(group).overrides.iter();
        let overridden: i64 = overrides.map(|&over| bonus(over)).sum();
        (bonus(group) - overridden).clamp(0, MOST.into()) as f32
    }

    /// Returns the number of territories that suffices to hold a group.
    #[inline]
    pub(super) fn needed(&self, group: Group) -> usize {
        self.board.territories_needed(group)
    }

    /// Returns the armies that a seat receives for its territories and groups each turn, according
    /// to the usual rules.
    pub fn income(&self, seat: usize) -> f32 {
        let all = (0..self.members.len()).map(Group::from_index);
        let whole = all.filter(|&group| {
            let needed = self.needed(group);
            needed > 0 && self.members(group, seat) >= needed
        });
        let bonus: f32 = whole.map(|group| self.bonus(group)).sum();
        (self.territories[seat] / 3).max(3) as f32 + bonus
    }
}

/// Returns the armies for a set after this many trades, according to the classic rules.
fn set_value(traded: i64) -> i32 {
    let armies = match traded {
        ..5 => 4 + 2 * traded.max(0),
        5 => 15,
        _ => traded.saturating_sub(2).saturating_mul(5),
    };
    armies.min(MOST.into()) as i32
}
