//! A player's view as integer tensors: a row for each territory and a row for everything else.
//! Players are counted from the viewer.
//!
//! No value is rounded, scaled or truncated, so an observation can be converted back to a view.

use risk_engine::{Action, Board, Counter, Declaration, Pile, Player, Position, Unit, Visibility};
use risk_kernel::event::Status;
use risk_kernel::id::{Card, Mark, Phase, PlayerSet, Verb};
use risk_kernel::state::{Frame, Order};
use risk_kernel::view::View;

use super::MAX_SLOTS;
use crate::names::Names;

/// Named ranges of numbers: the name, the first index and the length of each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(pub(crate) Vec<(String, usize, usize)>);

impl Fields {
    pub(crate) fn len(&self) -> usize {
        self.0.last().map_or(0, |(_, start, len)| start + len)
    }

    pub(super) fn add(&mut self, name: impl Into<String>, len: usize) {
        self.0.push((name.into(), self.len(), len));
    }

    /// Adds the counters and the piles of the players and of the table, and the marks of the
    /// territories. Where a player sees the
    /// cards of a pile, there are `cards` places for them.
    pub(super) fn add_held(
        &mut self,
        decl: &Declaration,
        territories: usize,
        players: usize,
        cards: usize,
    ) {
        for counter in &decl.counters {
            self.add(format!("counter_{}", counter.name), players + 1);
        }
        for mark in &decl.marks {
            self.add(format!("mark_{}", mark.name), territories);
        }
        for pile in &decl.piles {
            self.add(format!("cards_{}", pile.name), players + 1);
        }
        for pile in decl
            .piles
            .iter()
            .filter(|pile| pile.seen != Visibility::Nobody)
        {
            let len = seen(pile.seen, players) * cards;
            self.add(format!("pile_{}", pile.name), len);
        }
    }
}

/// Returns the number of holders with visible cards in a pile. The first holders are visible, and
/// the table is the last holder.
pub(super) fn seen(seen: Visibility, players: usize) -> usize {
    match seen {
        Visibility::All => players + 1,
        Visibility::Owner => 1,
        Visibility::Nobody => 0,
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Layout {
    players: usize,
    territories: usize,
    kinds: usize,
    /// The capacity for cards in a pile.
    cards: usize,
    /// The capacity for stored orders.
    orders: usize,
    pub(crate) fields: Fields,
    pub(crate) globals: usize,
    /// The codes of owners, by viewer and by the owner's byte.
    codes: Vec<[i32; 1 << u8::BITS]>,
    /// The holders of a counter or a pile, by viewer: the players from the viewer on, followed by
    /// the table.
    holders: Vec<Vec<Option<Player>>>,
}

/// The byte for no owner. Its code is 0.
const NOBODY: u8 = u8::MAX;

/// The names of the single numbers at the beginning.
const HEAD: [&str; 10] = [
    "seat",
    "players",
    "round",
    "turn",
    "answers",
    "phase",
    "opened_for",
    "arg_0",
    "arg_1",
    "arg_2",
];
/// The length of a stored order: its verb, plus the maximum number of parameters of a verb.
const ORDER: usize = 1 + MAX_SLOTS;

/// The maximum number of cards in a pile when an observation is read.
const MOST_CARDS: usize = 1 << 20;
/// The default capacity for orders if there is a secret phase: a number per territory, plus a
/// constant.
const ORDERS_EACH: usize = 8;
const ORDERS_MORE: usize = 64;

impl Layout {
    /// Returns the layout for games with this number of players. By default, piles have space for
    /// all cards. There is space for orders if the ruleset has a secret phase.
    pub(crate) fn new(
        names: &Names,
        players: usize,
        cards: Option<usize>,
        orders: Option<usize>,
    ) -> Self {
        let decl = &names.decl;
        let territories = names.board.len();
        let secret = decl.phases.iter().any(|phase| phase.secret);
        let usual = if secret {
            ORDERS_EACH * territories + ORDERS_MORE
        } else {
            0
        };
        let mut layout = Self {
            players,
            territories,
            kinds: decl.units.len(),
            cards: cards.unwrap_or(decl.cards.len()),
            orders: orders.unwrap_or(usual),
            fields: Fields::default(),
            globals: 0,
            codes: Vec::new(),
            holders: Vec::new(),
        };
        for me in 0..players {
            let seats = (me..players).chain(0..me).map(Player::from_index);
            layout.holders.push(seats.map(Some).chain([None]).collect());
            let mut codes = [0; 1 << u8::BITS];
            for (code, seat) in (1..).zip(layout.seats(Player::from_index(me))) {
                codes[seat.index()] = code;
            }
            layout.codes.push(codes);
        }
        for name in HEAD {
            layout.fields.add(name, 1);
        }
        layout.fields.add("asked", players);
        layout.fields.add("status", players);
        layout
            .fields
            .add_held(decl, territories, players, layout.cards);
        layout.fields.add("orders", 1 + layout.orders * ORDER);
        layout.globals = layout.fields.len();
        layout
    }

    /// Returns the number of values for each territory: its owner and each kind of unit.
    pub(crate) const fn columns(&self) -> usize {
        1 + self.kinds
    }

    pub(crate) const fn rows(&self) -> usize {
        self.territories
    }

    /// Returns all players, beginning with the viewer.
    pub(super) fn seats(&self, me: Player) -> impl Iterator<Item = Player> {
        self.holders[me.index()].iter().map_while(|&holder| holder)
    }

    /// Returns all holders of a counter or a pile: the players from the viewer on, followed by the
    /// table.
    pub(super) fn holders(&self, me: Player) -> impl Iterator<Item = Option<Player>> {
        self.holders[me.index()].iter().copied()
    }

    /// Returns a player's code: 1 for the viewer, 2 for the next seat, 0 for no player.
    #[inline]
    pub(super) fn code(&self, me: Player, player: Option<Player>) -> i32 {
        self.codes[me.index()][usize::from(player.map_or(NOBODY, |player| player.0))]
    }

    fn player(&self, me: usize, code: i32) -> Option<Player> {
        let step = usize::try_from(code).ok()?.checked_sub(1)?;
        Some(Player::from_index((me + step) % self.players))
    }

    pub(crate) fn write(
        &self,
        view: &View,
        land: &mut [i32],
        rest: &mut [i32],
    ) -> Result<(), String> {
        let me = view.me();
        self.write_land(view, land);
        let mut out = Places { rest };
        self.write_head(view, &mut out)?;
        let decl = view.decl();
        for counter in (0..decl.counters.len()).map(Counter::from_index) {
            for of in self.holders(me) {
                out.push(view.counter(counter, of).unwrap_or(0))?;
            }
        }
        for (index, mark) in decl.marks.iter().enumerate() {
            for at in view.board().territories() {
                // What is hidden is one less than any value.
                let value = view.mark(at, Mark::from_index(index));
                out.push(value.unwrap_or(mark.range.0 - 1).into())?;
            }
        }
        for pile in (0..decl.piles.len()).map(Pile::from_index) {
            for of in self.holders(me) {
                out.push(view.pile_len(pile, of) as i64)?;
            }
        }
        self.write_piles(view, &mut out)?;
        self.write_orders(view, &mut out)
    }

    fn write_land(&self, view: &View, land: &mut [i32]) {
        // The table is chosen once, and any byte is in it.
        let codes = &self.codes[view.me().index()];
        let code = |owner: Option<Player>| codes[usize::from(owner.map_or(NOBODY, |it| it.0))];
        if let Some((owners, all_units)) = view.open_land() {
            // This is the fast path for games with one kind of unit, which are the most common.
            if let (1, (pairs, [])) = (self.kinds, land.as_chunks_mut()) {
                for (([owner_cell, units_cell], owner), &units) in
                    pairs.iter_mut().zip(owners).zip(all_units)
                {
                    *owner_cell = code(owner);
                    *units_cell = units;
                }
                return;
            }
            let rows = land.chunks_exact_mut(self.columns());
            for ((row, owner), units) in rows.zip(owners).zip(all_units.chunks_exact(self.kinds)) {
                row[0] = code(owner);
                row[1..].copy_from_slice(units);
            }
            return;
        }
        let all_owners = view.decl().owners_seen == risk_engine::Sight::All;
        let rows = land.chunks_exact_mut(self.columns());
        for (at, row) in view.board().territories().zip(rows) {
            row[0] = match view.owner(at) {
                Some(owner) => code(Some(owner)),
                None if all_owners || view.sees_owner(at) => 0,
                None => -1,
            };
            for (unit, cell) in row[1..].iter_mut().enumerate() {
                *cell = view.units(at, Unit::from_index(unit)).unwrap_or(-1);
            }
        }
    }

    fn write_head(&self, view: &View, out: &mut Places<'_, i32>) -> Result<(), String> {
        let me = view.me();
        out.push(me.index() as i64)?;
        out.push(self.players as i64)?;
        out.push(i64::from(view.round()))?;
        out.push(i64::from(view.turn()))?;
        out.push(view.answers() as i64)?;
        let frame = view.frame();
        out.push(frame.map_or(0, |frame| 1 + i64::from(frame.phase.0)))?;
        out.push(frame.map_or(0, |frame| self.code(me, frame.opened_for).into()))?;
        for arg in frame.map_or([0; 3], |frame| frame.args) {
            out.push(arg.into())?;
        }
        for player in self.seats(me) {
            let asked = frame.is_some_and(|frame| frame.players.has(player));
            out.push(asked.into())?;
        }
        for player in self.seats(me) {
            out.push(view.status(player) as i64)?;
        }
        Ok(())
    }

    fn write_piles(&self, view: &View, out: &mut Places<'_, i32>) -> Result<(), String> {
        for (index, pile) in view.decl().piles.iter().enumerate() {
            for of in self.holders(view.me()).take(seen(pile.seen, self.players)) {
                let cards = view.pile(Pile::from_index(index), of).unwrap_or(&[]);
                if cards.len() > self.cards {
                    return Err(format!(
                        "the observation holds {} cards of a pile, and {} has {}: create the encoding with cards={}",
                        self.cards,
                        pile.name,
                        cards.len(),
                        cards.len()
                    ));
                }
                for card in cards {
                    out.push(1 + i64::from(card.0))?;
                }
                out.take(self.cards - cards.len()).fill(0);
            }
        }
        Ok(())
    }

    fn write_orders(&self, view: &View, out: &mut Places<'_, i32>) -> Result<(), String> {
        let count = view.orders().count();
        if count > self.orders {
            return Err(format!(
                "the observation holds {} orders, found {count}: create the encoding with orders={}",
                self.orders,
                count * 2
            ));
        }
        out.push(count as i64)?;
        for order in view.orders() {
            out.push(1 + i64::from(order.verb.0))?;
            for &arg in order.args() {
                out.push(arg.into())?;
            }
            out.take(MAX_SLOTS - order.args().len()).fill(0);
        }
        out.take((self.orders - count) * ORDER).fill(0);
        Ok(())
    }

    /// Returns the observed position and its viewer. An observation does not include the current
    /// player, faults or eliminations.
    pub(crate) fn position(
        &self,
        board: &Board,
        decl: &Declaration,
        land: &[i32],
        rest: &[i32],
    ) -> Result<(Player, Position), String> {
        if land.len() != self.territories * self.columns() || rest.len() != self.globals {
            return Err("the array sizes don't match an observation of this game".to_owned());
        }
        let mut from = Reader { rest };
        let me = usize::try_from(from.next())
            .ok()
            .filter(|&me| me < self.players);
        let me = me.ok_or("invalid seat in the observation")?;
        let mut position = Position::empty(board, decl, self.players);
        if from.next() != self.players as i32 {
            return Err("the observation has a different number of players".to_owned());
        }
        position.round = number(from.next())?;
        position.turn = number(from.next())?;
        position.answers = number(from.next())?;
        let phase = from.next();
        let opened_for = from.next();
        let args = [from.next(), from.next(), from.next()];
        let asked = from.take(self.players).iter().enumerate();
        let asked = asked.filter(|(_, asked)| **asked != 0);
        let seat = |step: usize| Player::from_index((me + step) % self.players);
        let asked = asked.fold(PlayerSet::default(), |set, (step, _)| set.with(seat(step)));
        if phase >= 1 {
            let phase = Phase(number(phase - 1)?);
            let frame = Frame::new(phase, asked, self.player(me, opened_for));
            position.frames.push(frame.with_args(args).entered(true));
        }
        let kinds = decl.units.len();
        for (at, row) in land.chunks_exact(self.columns()).enumerate() {
            position.owners[at] = self.player(me, row[0]);
            for (kind, &units) in row[1..=kinds].iter().enumerate() {
                position.units[at * kinds + kind] = units.max(0);
            }
        }
        let status = from.take(self.players);
        for held in position.counters.chunks_mut(self.players + 1) {
            let values = from.take(self.players + 1);
            for (holder, value) in held.iter_mut().enumerate() {
                *value = values[self.holder(me, holder)].into();
            }
        }
        for (index, mark) in decl.marks.iter().enumerate() {
            for (at, &value) in from.take(self.territories).iter().enumerate() {
                let value = if value < mark.range.0 { 0 } else { value };
                position.marks[at * decl.marks.len() + index] = value;
            }
        }
        for seat in 0..self.players {
            let status = usize::try_from(status[self.step(me, seat)]).ok();
            let status = status.and_then(|status| Status::ALL.get(status));
            position.status[seat] = *status.ok_or("invalid status in the observation")?;
        }
        self.read_piles(decl, me, &mut from, &mut position.piles)?;
        let orders = from.next();
        let orders = usize::try_from(orders)
            .ok()
            .filter(|&orders| orders <= self.orders);
        let orders = orders.ok_or("too many orders in the observation")?;
        let player = Player::from_index(me);
        for _ in 0..orders {
            let order = from.take(ORDER);
            let verb = usize::try_from(order[0] - 1).unwrap_or(usize::MAX);
            let info = decl
                .verbs
                .get(verb)
                .ok_or("invalid verb in an order in the observation")?;
            let args = &order[1..=info.slots.len()];
            let action = Action::new(Verb::from_index(verb), args);
            position.orders.push(Order { player, action });
        }
        Ok((player, position))
    }

    /// Returns the index of a holder's value. Players are counted from the viewer, and the table is
    /// last.
    const fn holder(&self, me: usize, holder: usize) -> usize {
        if holder == self.players {
            holder
        } else {
            self.step(me, holder)
        }
    }

    /// Returns the number of seats from the viewer to a seat.
    const fn step(&self, me: usize, seat: usize) -> usize {
        (seat + self.players - me) % self.players
    }

    fn read_piles(
        &self,
        decl: &Declaration,
        me: usize,
        from: &mut Reader<'_>,
        piles: &mut [Vec<Card>],
    ) -> Result<(), String> {
        let lens = decl.piles.iter().map(|_| from.take(self.players + 1));
        let lens: Vec<&[i32]> = lens.collect();
        let held = piles.chunks_mut(self.players + 1);
        for ((pile, lens), held) in decl.piles.iter().zip(lens).zip(held) {
            let seen = seen(pile.seen, self.players);
            let shown: Vec<&[i32]> = (0..seen).map(|_| from.take(self.cards)).collect();
            for (holder, pile) in held.iter_mut().enumerate() {
                let place = self.holder(me, holder);
                let len = usize::try_from(lens[place])
                    .ok()
                    .filter(|&len| len <= MOST_CARDS);
                let len = len.ok_or("a pile in the observation is too large")?;
                *pile = match shown.get(place) {
                    Some(cards) => cards.iter().take(len).map(|&code| card(code)).collect(),
                    None => Ok(vec![Card::from_index(0); len]),
                }?;
            }
        }
        Ok(())
    }
}

/// Returns the card with this code. Codes start at 1.
fn card(code: i32) -> Result<Card, String> {
    let index = u16::try_from(code)
        .ok()
        .and_then(|code| code.checked_sub(1));
    let index = index.ok_or("invalid card in the observation")?;
    Ok(Card::from_index(index.into()))
}

fn number<T: TryFrom<i32>>(given: i32) -> Result<T, String> {
    T::try_from(given).map_err(|_| format!("expected a count in the observation, found {given}"))
}

/// The places of a row that are not written yet.
pub(super) struct Places<'a, T> {
    pub(super) rest: &'a mut [T],
}

impl<'a, T> Places<'a, T> {
    #[inline]
    pub(super) fn take(&mut self, count: usize) -> &'a mut [T] {
        let (taken, rest) = std::mem::take(&mut self.rest).split_at_mut(count);
        self.rest = rest;
        taken
    }

    #[inline]
    pub(super) fn put(&mut self, value: T) {
        self.take(1)[0] = value;
    }
}

impl Places<'_, i32> {
    #[inline]
    fn push(&mut self, value: i64) -> Result<(), String> {
        let narrow = i32::try_from(value);
        self.put(narrow.map_err(|_| format!("{value} is out of range for an observation"))?);
        Ok(())
    }
}

struct Reader<'a> {
    rest: &'a [i32],
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> i32 {
        self.take(1)[0]
    }

    /// Takes the next `count` numbers. Invalid values are detected when the view is read.
    fn take(&mut self, count: usize) -> &'a [i32] {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }
}
