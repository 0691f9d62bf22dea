//! Newtypes for indices, so that indices of different kinds can't be confused.

macro_rules! id {
    ($(#[$meta:meta])* $name:ident($inner:ty)) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl $name {
            /// Returns the id as an index into its table.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the id of a table's entry. The index must be within the id's range.
            #[inline]
            #[must_use]
            pub const fn from_index(index: usize) -> Self {
                debug_assert!(index <= <$inner>::MAX as usize);
                Self(index as $inner)
            }

            /// Returns the id as an integer for scripts and actions.
            #[inline]
            #[must_use]
            pub const fn number(self) -> i32 {
                self.0 as i32
            }
        }
    };
}

id!(
    /// A territory of the board, numbered in the order of the map file.
    Territory(u16)
);
id!(
    /// A continent or another group of territories of the board, numbered in the order of the map
    /// file. The continents come first.
    Group(u16)
);
id!(
    /// A player, numbered by seat from 0. Users see seats numbered from 1.
    Player(u8)
);
id!(
    /// A verb that the ruleset declares: `attack`, `place` …
    Verb(u8)
);
id!(
    /// A phase that the ruleset declares.
    Phase(u8)
);
id!(
    /// A counter that the ruleset declares. It has one value for each player and one for the table.
    Counter(u8)
);
id!(
    /// A mark that the ruleset declares. It has one value for each territory.
    Mark(u8)
);
id!(
    /// A pile of cards that the ruleset declares. There is one for each player and one for the
    /// table.
    Pile(u8)
);
id!(
    /// A kind of unit that the ruleset declares.
    Unit(u8)
);
id!(
    /// A card of the ruleset's deck.
    Card(u16)
);

impl Unit {
    /// The first kind that the ruleset declares, which is the default if no kind is named.
    pub const FIRST: Self = Self(0);
}

/// The maximum number of players in a game, because a [`PlayerSet`] has 32 bits.
pub const MAX_PLAYERS: usize = 32;

/// A set of players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlayerSet(pub u32);

impl PlayerSet {
    /// Returns the set of one player.
    #[inline]
    #[must_use]
    pub const fn one(player: Player) -> Self {
        Self(1 << player.0)
    }

    /// Reports whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of players in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Reports whether `player` is in the set.
    #[inline]
    #[must_use]
    pub const fn has(self, player: Player) -> bool {
        self.0 & (1 << player.0) != 0
    }

    /// Returns the set without `player`.
    #[inline]
    #[must_use]
    pub const fn without(self, player: Player) -> Self {
        Self(self.0 & !(1 << player.0))
    }

    /// Returns the set with `player`.
    #[inline]
    #[must_use]
    pub const fn with(self, player: Player) -> Self {
        Self(self.0 | (1 << player.0))
    }

    /// Returns the players who are in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the players in seat order.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let seat = rest.trailing_zeros();
                rest &= rest - 1;
                Player(seat as u8)
            })
        })
    }
}
