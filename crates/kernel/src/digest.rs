//! The digest of a state: a sum with one term for each value that is not 0. Changing a value
//! subtracts the old term and adds the new term, without reading any other value.
//!
//! The terms are part of the record format (docs/records.md describes them). A change to the terms
//! changes every digest and requires a new format.

use super::rng::mix;
use super::state::{Ending, Frame, GameState, Order};

/// The kind of a value in a state. The number is part of the record format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum CellKind {
    /// By territory: the seat of the territory's owner, from 1.
    Owner = 1,
    /// By kind of unit and territory: the number of units.
    Units = 2,
    /// By counter and holder (0 for the table, otherwise the seat from 1): the counter's value.
    Counter = 3,
    /// By pile × 64 + holder, and by depth counted from 0 at the bottom: the card's number, from 1.
    Pile = 4,
    /// By player, from 0: 1 for neutral, 2 for forfeited, 3 for eliminated.
    Status = 5,
    /// By player, from 0: the number of faults so far.
    Strikes = 6,
    /// By index in the book, from 0, and part: the seat from 1, the verb from 1, the number of
    /// parameters, the parameters.
    Book = 7,
    /// By index in the order of elimination, from 0: the seat, from 1.
    Eliminated = 8,
    /// By index on the stack, from 0 at the bottom, and part: the phase from 1; the players who
    /// still decide, as bits; the seat that the frame was opened for (from 1; 0 for several
    /// players); three numbers; 1 if the frame was entered.
    Frame = 9,
    /// The same as [`CellKind::Frame`], for frames that open when the decision is complete.
    Pending = 10,
    /// The round, the turn, the seat whose turn it is (from 1), the number of answers, the number
    /// of rounds of fights.
    Progress = 11,
    /// 1 if the game is over, a hash of the reason, the winners as bits.
    Ending = 12,
    /// By stream (1 dice, 2 decks, 3 set-up): the number of words drawn. At 0: the fingerprint of
    /// the game's key. No value depends on a word that has not been drawn yet.
    Stream = 13,
    /// By border, from 0, in the order of the territories and then of their borders: 1 if a rule
    /// closed it.
    Closed = 14,
    /// By mark and territory: the mark's value.
    Mark = 15,
}

/// The place of one value in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateCell {
    /// The kind of the value.
    pub kind: CellKind,
    /// The first coordinate, below 2²⁴.
    pub a: u32,
    /// The second coordinate.
    pub b: u32,
}

impl StateCell {
    #[inline]
    pub(super) const fn new(kind: CellKind, a: usize, b: usize) -> Self {
        debug_assert!(
            a < 1 << 24 && b <= u32::MAX as usize,
            "a cell's indices fit into 24 and 32 bits"
        );
        Self {
            kind,
            a: a as u32,
            b: b as u32,
        }
    }

    #[inline]
    const fn key(self) -> u64 {
        mix((self.kind as u64) << 56 | (self.a as u64) << 32 | self.b as u64)
    }

    /// Returns the cell's term for this value; 0 for the value 0.
    #[inline]
    #[must_use]
    pub const fn term(self, value: i64) -> u64 {
        if value == 0 {
            0
        } else {
            mix(self.key().wrapping_add(value as u64))
        }
    }

    /// Returns the change of the digest if the value changes from `was` to `now`.
    #[inline]
    #[must_use]
    pub const fn change(self, was: i64, now: i64) -> u64 {
        self.term(now).wrapping_sub(self.term(was))
    }
}

fn text_value(text: &str) -> i64 {
    let step =
        |hash: u64, byte: u8| mix(hash.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ u64::from(byte));
    text.bytes().fold(text.len() as u64, step) as i64
}

/// Visits the values of a frame as the record format defines them, independently of the layout of
/// [`Frame`].
fn frame_cells(
    kind: CellKind,
    depth: usize,
    frame: &Frame,
    visit: &mut impl FnMut(StateCell, i64),
) {
    let Frame {
        phase,
        players,
        opened_for,
        args,
        entered,
    } = *frame;
    let [first, second, third] = args.map(i64::from);
    let parts = [
        i64::from(phase.0) + 1,
        i64::from(players.0),
        opened_for.map_or(0, |player| i64::from(player.0) + 1),
        first,
        second,
        third,
        entered.into(),
    ];
    for (part, value) in parts.into_iter().enumerate() {
        visit(StateCell::new(kind, depth, part), value);
    }
}

pub(super) fn order_cells(index: usize, order: &Order, visit: &mut impl FnMut(StateCell, i64)) {
    let Order { player, action } = order;
    let head = [
        i64::from(player.0) + 1,
        i64::from(action.verb.0) + 1,
        action.args().len() as i64,
    ];
    let args = action.args().iter().map(|&arg| i64::from(arg));
    for (part, value) in head.into_iter().chain(args).enumerate() {
        visit(StateCell::new(CellKind::Book, index, part), value);
    }
}

impl GameState {
    /// Returns a fingerprint of the whole state, independent of the moves that led to it. The
    /// digest is the sum of the terms of all cells, see [`StateCell::term`].
    ///
    /// The mutators maintain the sum of the large tables. This function adds the terms of the stack
    /// and of the few numbers that change with every answer.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut sum = if self.is_summed {
            let rest = self.book_sum(self.book_summed..self.book.len());
            self.table_sum.wrapping_add(rest)
        } else {
            self.sum_of_tables()
        };
        self.moving_cells(&mut |cell, value| sum = sum.wrapping_add(cell.term(value)));
        sum
    }

    /// Returns every value in the digest that is not 0, with its cell. Two states differ in the
    /// cells that they don't share. This function is slow because it lists the whole state.
    #[must_use]
    pub fn cells(&self) -> Vec<(StateCell, i64)> {
        let mut all = Vec::new();
        let mut visit =
            |cell: StateCell, value: i64| all.extend((value != 0).then_some((cell, value)));
        self.table_cells(&mut visit);
        self.moving_cells(&mut visit);
        all
    }

    /// Recomputes the tables' sum for states that were not created by mutators.
    pub(super) fn sum_tables(&mut self) {
        self.is_summed = true;
        self.fingerprint = self.dice.fingerprint();
        self.table_sum = self.sum_of_tables();
        self.book_summed = self.book.len();
    }

    fn sum_of_tables(&self) -> u64 {
        let mut sum = 0_u64;
        self.table_cells(&mut |cell, value| sum = sum.wrapping_add(cell.term(value)));
        sum
    }

    /// Returns the cell of a card, by the index of its pile in the state.
    pub(super) const fn pile_cell(&self, holder: usize, depth: usize) -> StateCell {
        let pile = holder / (self.players + 1);
        let seat = holder % (self.players + 1);
        StateCell::new(CellKind::Pile, pile * 64 + self.holder_number(seat), depth)
    }

    /// Returns 0 for the table, or the seat, from 1, for a player.
    pub(super) const fn holder_number(&self, seat: usize) -> usize {
        if seat == self.players { 0 } else { seat + 1 }
    }

    fn table_cells(&self, visit: &mut impl FnMut(StateCell, i64)) {
        let Self {
            places,
            units,
            numbers,
            piles,
            closed,
            book,
            status,
            strikes,
            out_order,
            ..
        } = self;
        for (border, &is_closed) in closed.iter().enumerate() {
            let cell = StateCell::new(CellKind::Closed, 0, border);
            visit(cell, is_closed.into());
        }
        self.mark_cells(visit);
        for (at, place) in places.iter().enumerate() {
            let owned = place.owner != Self::NOBODY;
            let value = if owned { i64::from(place.owner) + 1 } else { 0 };
            visit(StateCell::new(CellKind::Owner, 0, at), value);
        }
        for (index, &count) in units.iter().enumerate() {
            let cell = StateCell::new(CellKind::Units, index % self.kinds, index / self.kinds);
            visit(cell, i64::from(count));
        }
        let holders = self.players + 1;
        for (index, &value) in numbers[..self.members_at].iter().enumerate() {
            let holder = self.holder_number(index % holders);
            visit(
                StateCell::new(CellKind::Counter, index / holders, holder),
                value,
            );
        }
        for (holder, cards) in piles.iter().enumerate() {
            for (depth, card) in cards.iter().enumerate() {
                visit(self.pile_cell(holder, depth), i64::from(card.0) + 1);
            }
        }
        for (index, order) in book.iter().enumerate() {
            order_cells(index, order, visit);
        }
        for seat in 0..self.players {
            visit(
                StateCell::new(CellKind::Status, 0, seat),
                status[seat] as i64,
            );
            visit(
                StateCell::new(CellKind::Strikes, 0, seat),
                i64::from(strikes[seat]),
            );
        }
        for (place, player) in out_order.iter().enumerate() {
            visit(
                StateCell::new(CellKind::Eliminated, 0, place),
                i64::from(player.0) + 1,
            );
        }
    }

    fn mark_cells(&self, visit: &mut impl FnMut(StateCell, i64)) {
        let kinds = self.decl.marks.len();
        for (index, &value) in self.marks.iter().enumerate() {
            let cell = StateCell::new(CellKind::Mark, index % kinds, index / kinds);
            visit(cell, i64::from(value));
        }
    }

    /// Visits all other values. A new field of [`GameState`] causes a compile error in this
    /// function until the field is added to the digest or explicitly left out.
    fn moving_cells(&self, visit: &mut impl FnMut(StateCell, i64)) {
        let Self {
            // These fields are visited below.
            stack: _,
            pending: _,
            round: _,
            turn: _,
            mover: _,
            answers: _,
            rolls: _,
            ending: _,
            dice: _,
            decks: _,
            setup: _,
            fingerprint: _,
            // These fields are visited in `table_cells`.
            places: _,
            units: _,
            marks: _,
            numbers: _,
            piles: _,
            closed: _,
            plain_borders: _,
            book: _,
            status: _,
            strikes: _,
            out_order: _,
            // These fields are the same in all states of a game.
            board: _,
            decl: _,
            players: _,
            kinds: _,
            // This field is only reported: nothing depends on it.
            out_rounds: _,
            // These fields are derived from the others.
            territories: _,
            members_at: _,
            territories_at: _,
            is_summed: _,
            table_sum: _,
            book_summed: _,
            // These fields are empty or meaningless between hooks.
            dealt: _,
            fallen: _,
            events: _,
            event_count: _,
            wanted: _,
            drew: _,
        } = self;
        self.frame_cells(visit);
        self.progress_cells(visit);
        if let Some(ending) = &self.ending {
            ending_cells(ending, visit);
        }
        self.stream_cells(visit);
    }

    fn stream_cells(&self, visit: &mut impl FnMut(StateCell, i64)) {
        for (index, stream) in [&self.dice, &self.decks, &self.setup]
            .into_iter()
            .enumerate()
        {
            let cell = |part| StateCell::new(CellKind::Stream, index + 1, part);
            visit(cell(0), stream.drawn() as i64);
        }
        let key = StateCell::new(CellKind::Stream, 0, 0);
        let fingerprint = if self.is_summed {
            self.fingerprint
        } else {
            self.dice.fingerprint()
        };
        visit(key, fingerprint as i64);
    }

    fn frame_cells(&self, visit: &mut impl FnMut(StateCell, i64)) {
        for (depth, frame) in self.stack.iter().enumerate() {
            frame_cells(CellKind::Frame, depth, frame, visit);
        }
        for (depth, frame) in self.pending.iter().enumerate() {
            frame_cells(CellKind::Pending, depth, frame, visit);
        }
    }

    fn progress_cells(&self, visit: &mut impl FnMut(StateCell, i64)) {
        let progress = [
            i64::from(self.round),
            i64::from(self.turn),
            self.mover.map_or(0, |player| i64::from(player.0) + 1),
            self.answers as i64,
            self.rolls as i64,
        ];
        for (part, value) in progress.into_iter().enumerate() {
            visit(StateCell::new(CellKind::Progress, 0, part), value);
        }
    }
}

fn ending_cells(ending: &Ending, visit: &mut impl FnMut(StateCell, i64)) {
    let Ending { reason, winners } = ending;
    let parts = [1, text_value(reason), i64::from(winners.0)];
    for (part, value) in parts.into_iter().enumerate() {
        visit(StateCell::new(CellKind::Ending, 0, part), value);
    }
}
