//! A player's view as one row of floats from 0 to 1, for nets. Players are counted from the viewer.

use risk_engine::{Board, Counter, Declaration, Pile, Sight, Unit, View};
use risk_kernel::event::Status;
use risk_kernel::id::Mark;

use super::observation::{Fields, Layout, Places, seen};

/// The numbers that [`Scale`] keeps at hand.
const KNOWN: usize = 1 << 10;

/// The scale of numbers: the binary logarithm of one more, a tenth for each doubling. It is 1 for
/// 1,023 and for all larger numbers.
#[derive(Clone, Debug)]
struct Scale(Vec<f32>);

impl Scale {
    fn new() -> Self {
        let share = |number: usize| (libm::log2(number as f64 + 1.0) / 10.0) as f32;
        Self((0..KNOWN).map(share).collect())
    }

    #[inline]
    fn of(&self, number: u64) -> f32 {
        let known = usize::try_from(number).ok();
        known.and_then(|it| self.0.get(it)).copied().unwrap_or(1.0)
    }

    /// Returns the place of a number of either sign; 0 is in the middle.
    fn signed(&self, number: i64) -> f32 {
        let part = self.of(number.unsigned_abs()) / 2.0;
        if number < 0 { 0.5 - part } else { 0.5 + part }
    }
}

/// The layout of the rows of one kind of game.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    scale: Scale,
    players: usize,
    kinds: usize,
    cards: usize,
    /// Whether a territory has a value for a hidden owner, and one for hidden units.
    hides: (bool, bool),
    pub(crate) fields: Fields,
    pub(crate) len: usize,
}

impl Features {
    pub(super) fn new(board: &Board, decl: &Declaration, players: usize) -> Self {
        let mut features = Self {
            scale: Scale::new(),
            players,
            kinds: decl.units.len(),
            cards: decl.cards.len(),
            hides: (
                decl.owners_seen != Sight::All,
                decl.units_seen != Sight::All,
            ),
            fields: Fields::default(),
            len: 0,
        };
        let columns = features.columns();
        let fields = &mut features.fields;
        fields.add("territories", board.len() * columns);
        fields.add("seat", players);
        fields.add("phase", 1 + decl.phases.len());
        fields.add("opened_for", 1 + players);
        for name in ["round", "turn", "arg_0", "arg_1", "arg_2"] {
            fields.add(name, 1);
        }
        fields.add("asked", players);
        fields.add("status", players * Status::ALL.len());
        fields.add_held(decl, board.len(), players, decl.cards.len());
        fields.add("orders", 1);
        features.len = features.fields.len();
        features
    }

    /// Returns the number of owners of a territory: none, each player, and a hidden one.
    fn owners(&self) -> usize {
        1 + self.players + usize::from(self.hides.0)
    }

    /// Returns the number of values of a territory: one for each owner, each kind of unit, and
    /// hidden units.
    pub(crate) fn columns(&self) -> usize {
        self.owners() + self.kinds + usize::from(self.hides.1)
    }

    /// Writes a view.
    pub(crate) fn write(&self, layout: &Layout, view: &View, row: &mut [f32]) {
        row.fill(0.0);
        let land = view.board().len() * self.columns();
        let (land, rest) = row.split_at_mut(land);
        self.write_land(layout, view, land);
        let mut out = Places { rest };
        self.write_head(layout, view, &mut out);
        let (me, decl) = (view.me(), view.decl());
        for counter in (0..decl.counters.len()).map(Counter::from_index) {
            for of in layout.holders(me) {
                out.put(self.scale.signed(view.counter(counter, of).unwrap_or(0)));
            }
        }
        for mark in (0..decl.marks.len()).map(Mark::from_index) {
            for at in view.board().territories() {
                out.put(
                    view.mark(at, mark)
                        .map_or(0.0, |it| self.scale.signed(it.into())),
                );
            }
        }
        for pile in (0..decl.piles.len()).map(Pile::from_index) {
            for of in layout.holders(me) {
                out.put(self.scale.of(view.pile_len(pile, of) as u64));
            }
        }
        for (index, pile) in decl.piles.iter().enumerate() {
            for of in layout.holders(me).take(seen(pile.seen, self.players)) {
                // A card that lies there several times counts for more each time.
                let places = out.take(self.cards);
                for card in view.pile(Pile::from_index(index), of).unwrap_or(&[]) {
                    let place = &mut places[card.index()];
                    *place = (1.0 + *place) / 2.0;
                }
            }
        }
        out.put(self.scale.of(view.orders().count() as u64));
    }

    fn write_land(&self, layout: &Layout, view: &View, land: &mut [f32]) {
        let me = view.me();
        let owners = self.owners();
        let columns = self.columns();
        let rows = land.chunks_exact_mut(columns);
        if let Some((owned, units)) = view.open_land() {
            if self.kinds == 1 {
                // As for integers, this is the fast path for the most common games.
                let places = owned.zip(units).zip((0..).step_by(columns));
                for ((owner, &units), start) in places {
                    land[start + layout.code(me, owner) as usize] = 1.0;
                    land[start + owners] = self.scale.of(units.unsigned_abs().into());
                }
                return;
            }
            for ((row, owner), units) in rows.zip(owned).zip(units.chunks_exact(self.kinds)) {
                row[layout.code(me, owner) as usize] = 1.0;
                for (cell, &units) in row[owners..].iter_mut().zip(units) {
                    *cell = self.scale.of(units.unsigned_abs().into());
                }
            }
            return;
        }
        for (at, row) in view.board().territories().zip(rows) {
            let owner = view.owner(at);
            let is_hidden = owner.is_none() && self.hides.0 && !view.sees_owner(at);
            let code = layout.code(me, owner) as usize;
            row[if is_hidden { owners - 1 } else { code }] = 1.0;
            for unit in 0..self.kinds {
                match view.units(at, Unit::from_index(unit)) {
                    Some(units) => row[owners + unit] = self.scale.of(units.unsigned_abs().into()),
                    None => row[owners + self.kinds] = 1.0,
                }
            }
        }
    }

    fn write_head(&self, layout: &Layout, view: &View, out: &mut Places<'_, f32>) {
        let me = view.me();
        let frame = view.frame();
        out.choose(self.players, me.index());
        let phase = frame.map_or(0, |frame| 1 + frame.phase.index());
        out.choose(1 + view.decl().phases.len(), phase);
        let opened = layout.code(me, frame.and_then(|frame| frame.opened_for));
        out.choose(1 + self.players, opened as usize);
        out.put(self.scale.of(view.round().into()));
        out.put(self.scale.of(view.turn().into()));
        for arg in frame.map_or([0; 3], |frame| frame.args) {
            out.put(self.scale.signed(arg.into()));
        }
        for player in layout.seats(me) {
            let is_asked = frame.is_some_and(|frame| frame.players.has(player));
            out.put(f32::from(u8::from(is_asked)));
        }
        for player in layout.seats(me) {
            out.choose(Status::ALL.len(), view.status(player) as usize);
        }
    }
}

impl Places<'_, f32> {
    /// Sets one of the next places to 1. All of them are 0.
    fn choose(&mut self, count: usize, place: usize) {
        self.take(count)[place] = 1.0;
    }
}
