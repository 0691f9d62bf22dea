//! Registers functions whose parameters are read from the values of scripts: numbers become
//! territories, players, cards and so on.

use std::marker::PhantomData;
use std::sync::Arc;

use rhai::{Array, Dynamic, FLOAT, INT, ImmutableString, Map, Variant};

use super::{
    ActionValue, GameHandle, NativeResult, card, find_player, index, number, optional_player, seat,
    territory, unit,
};
use rhai_guard::Natives;
use risk_kernel::board::Board;
use risk_kernel::borders::OpenBorders;
use risk_kernel::declare::Declaration;
use risk_kernel::id::{Card, Counter, Group, Mark, Phase, Pile, Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::view::Facts;

/// What the numbers of a script refer to.
pub(super) trait Scope {
    fn board(&self) -> &Board;
    /// Returns the ends of the borders from a territory that the script may count on.
    fn borders_from(&self, from: Territory) -> OpenBorders<'_>;
    fn decl(&self) -> &Arc<Declaration>;
    fn players(&self) -> usize;
}

impl Scope for GameState {
    fn board(&self) -> &Board {
        self.board()
    }

    fn borders_from(&self, from: Territory) -> OpenBorders<'_> {
        self.open_borders(from)
    }

    fn decl(&self) -> &Arc<Declaration> {
        self.decl()
    }

    fn players(&self) -> usize {
        self.players()
    }
}

/// An object of a script that shows a game.
pub(super) trait GameAccess: Clone + 'static {
    type Scope: Scope;

    fn with<R>(&self, read: impl FnOnce(&Self::Scope) -> R) -> R;
}

impl GameAccess for Facts {
    type Scope = GameState;

    fn with<R>(&self, read: impl FnOnce(&GameState) -> R) -> R {
        read(self)
    }
}

impl GameAccess for GameHandle {
    type Scope = GameState;

    fn with<R>(&self, read: impl FnOnce(&GameState) -> R) -> R {
        read(&self.0.borrow())
    }
}

/// A parameter of a function.
pub(super) trait Parameter: Sized + 'static {
    /// The type in scripts.
    type Raw: Variant + Clone;

    fn read(scope: &impl Scope, raw: Self::Raw) -> NativeResult<Self>;
}

macro_rules! numbers {
    ($($of:ty: |$scope:ident, $raw:ident| $read:expr;)*) => {$(
        impl Parameter for $of {
            type Raw = INT;

            fn read($scope: &impl Scope, $raw: INT) -> NativeResult<Self> {
                $read
            }
        }
    )*};
}

numbers! {
    Territory: |it, raw| territory(it.board(), raw);
    Group: |it, raw| index(raw, it.board().groups().len(), "continent").map(Group::from_index);
    Player: |it, raw| find_player(it.players(), raw);
    // A player, or `None` for nobody (NOBODY, -1) or the table (TABLE, -1).
    Option<Player>: |it, raw| optional_player(it.players(), raw);
    Card: |it, raw| card(it.decl(), raw);
    Counter: |it, raw| index(raw, it.decl().counters.len(), "counter").map(Counter::from_index);
    Mark: |it, raw| index(raw, it.decl().marks.len(), "mark").map(Mark::from_index);
    Phase: |it, raw| index(raw, it.decl().phases.len(), "phase").map(Phase::from_index);
    Pile: |it, raw| index(raw, it.decl().piles.len(), "pile").map(Pile::from_index);
    Unit: |it, raw| unit(it.decl(), raw);
    i32: |_it, raw| number(raw);
}

/// The result of a function, which may be an error.
pub(super) trait Answer: 'static {
    /// The type in scripts.
    type Value: Variant + Clone;

    fn answer(self) -> NativeResult<Self::Value>;
}

impl<T: Variant + Clone> Answer for NativeResult<T> {
    type Value = T;

    fn answer(self) -> Self {
        self
    }
}

macro_rules! answers {
    ($($of:ty as $value:ty: |$it:ident| $answer:expr;)*) => {$(
        impl Answer for $of {
            type Value = $value;

            fn answer(self) -> NativeResult<$value> {
                let $it = self;
                Ok($answer)
            }
        }
    )*};
}

answers! {
    i32 as INT: |it| it.into();
    u32 as INT: |it| it.into();
    usize as INT: |it| it as INT;
    Option<Player> as INT: |it| seat(it);
    Option<Card> as INT: |it| it.map_or(-1, |card| card.0.into());
    Option<Group> as INT: |it| it.map_or(-1, |continent| continent.0.into());
    Option<Territory> as INT: |it| it.map_or(-1, |at| at.0.into());
    Option<i32> as INT: |it| it.map_or(-1, INT::from);
}

macro_rules! unchanged {
    ($($of:ty),*) => {
        $(impl Parameter for $of {
            type Raw = Self;

            fn read(_: &impl Scope, raw: Self) -> NativeResult<Self> {
                Ok(raw)
            }
        })*
        answers! { $($of as Self: |it| it;)* }
    };
}

unchanged!(
    INT,
    FLOAT,
    bool,
    (),
    Array,
    Map,
    Dynamic,
    ImmutableString,
    ActionValue
);

/// The functions of one object of scripts.
pub(super) struct Functions<'e, T> {
    engine: &'e mut Natives,
    of: PhantomData<T>,
}

impl<'e, T: GameAccess> Functions<'e, T> {
    pub(super) const fn new(engine: &'e mut Natives) -> Self {
        let of = PhantomData;
        Self { engine, of }
    }

    /// Registers a property.
    pub(super) fn get<R: Answer>(
        &mut self,
        name: &str,
        read: impl Fn(&T::Scope) -> R + Clone + 'static,
    ) {
        let get = move |it: &mut T| -> NativeResult<R::Value> { it.with(&read).answer() };
        self.engine.register_get(name, get);
    }
}

/// Defines for each number of parameters a method that registers a function that reads the game,
/// and one for a function that changes it.
macro_rules! registers {
    ($($read:ident $change:ident($($raw:ident: $of:ident),*);)*) => {
        #[expect(dead_code, reason = "not every number of parameters occurs")]
        impl<T: GameAccess> Functions<'_, T> {$(
            pub(super) fn $read<$($of: Parameter,)* R: Answer>(
                &mut self,
                name: &str,
                read: impl Fn(&T::Scope, $($of),*) -> R + Clone + 'static,
            ) {
                let call = move |it: &mut T, $($raw: $of::Raw),*| -> NativeResult<R::Value> {
                    it.with(|game| read(game, $($of::read(game, $raw)?),*).answer())
                };
                self.engine.register_fn(name, call);
            }
        )*}

        impl Functions<'_, GameHandle> {$(
            pub(super) fn $change<$($of: Parameter,)* R: Answer>(
                &mut self,
                name: &str,
                change: impl Fn(&mut GameState, $($of),*) -> R + Clone + 'static,
            ) {
                let call = move |it: &mut GameHandle, $($raw: $of::Raw),*| {
                    let game = &mut *it.0.borrow_mut();
                    $(let $raw = $of::read(game, $raw)?;)*
                    change(game, $($raw),*).answer()
                };
                self.engine.register_fn(name, call);
            }
        )*}
    };
}

registers! {
    read0 change0();
    read1 change1(a: A);
    read2 change2(a: A, b: B);
    read3 change3(a: A, b: B, c: C);
    read4 change4(a: A, b: B, c: C, d: D);
    read5 change5(a: A, b: B, c: C, d: D, e: E);
    read6 change6(a: A, b: B, c: C, d: D, e: E, f: F);
}
