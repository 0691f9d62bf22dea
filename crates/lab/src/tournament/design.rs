//! Designs, which consist of the tables of a tournament and the seatings of a block.

use std::fmt;

/// The maximum number of tables for which the default design plays all tables. With more tables,
/// the default design is balanced.
const USUAL_TABLES: u64 = 100;
/// The maximum number of candidates for an exhaustive search of a cycle's first table. With more
/// candidates, the table is built bot by bot.
const MOST_CANDIDATES: u64 = 200_000;

/// The tables of a tournament, block by block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    tables: TableSelection,
    /// The bots that are at every table.
    named: Vec<usize>,
    /// The bots that take turns at the tables.
    rest: Vec<usize>,
    seatings: Seatings,
    /// The team of each seat, if two bots meet as teams.
    teams: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TableSelection {
    /// All sets of `size` bots, in lexicographic order.
    All { size: usize, count: u64 },
    /// Cycles with these first tables. The other tables of a cycle are translates of its first
    /// table.
    Balanced { bases: Vec<Vec<usize>> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seatings {
    /// All rotations of one order.
    Rotations,
    /// All rotations, each played twice. The first two bots exchange seats for the second game.
    Swapped,
    /// All rotations, each played twice. The second bot replaces the first in the second game.
    Replaced,
    /// One game per team. The first bot plays all seats of the team, and the second bot plays all
    /// other seats.
    Teams,
    /// One game. If `rotates`, bots shift by one seat in each block.
    Single { rotates: bool },
}

/// The reason that a design is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignFault {
    /// The number of blocks is not a multiple of the cycle length.
    #[error("`blocks` must be a multiple of {cycle}, so that all tables are played equally often")]
    RaggedCycle {
        /// The number of blocks in a cycle.
        cycle: u64,
        /// The next number of blocks that is a multiple of the cycle length.
        least: u64,
    },
    /// A gauntlet leaves no seats for the other bots, or there are no other bots.
    #[error("the gauntlet leaves no seats for other bots, or there are no other bots")]
    NoSeatLeft,
}

impl Design {
    /// Returns [`all`](Self::all) if it has at most 100 tables, or otherwise
    /// [`balanced`](Self::balanced).
    ///
    /// # Errors
    /// Returns an error if the number of blocks is not a multiple of the cycle length.
    pub fn usual(bots: usize, seats: usize, blocks: u64) -> Result<Self, DesignFault> {
        if choose(bots, seats) <= USUAL_TABLES {
            Self::all(bots, seats, blocks)
        } else {
            Self::balanced(bots, seats, blocks)
        }
    }

    /// Returns the usual design for whole cycles of at least `least` blocks, and its number of
    /// blocks.
    #[must_use]
    pub fn whole_cycles(bots: usize, seats: usize, least: u64) -> (Self, u64) {
        let blocks = match Self::usual(bots, seats, least) {
            Err(DesignFault::RaggedCycle { least, .. }) => least,
            _ => least,
        };
        let design = Self::usual(bots, seats, blocks);
        (design.expect("the cycles are whole"), blocks)
    }

    /// Returns a design in which every set of `seats` bots is a table, in lexicographic order.
    ///
    /// # Errors
    /// Returns an error if the number of blocks is not a multiple of the cycle length.
    pub fn all(bots: usize, seats: usize, blocks: u64) -> Result<Self, DesignFault> {
        let count = choose(bots, seats);
        Self::new(TableSelection::All { size: seats, count }, Vec::new(), bots).whole(blocks)
    }

    /// Returns a design in which pairs of bots meet about equally often. The number of tables in a
    /// cycle equals the number of bots. Each table is derived from the previous table by replacing
    /// every bot with the next bot. The first table of a cycle makes all differences of two bots as
    /// equally frequent as possible. For 7 bots at tables of 3, 13 at tables of 4, 21 at tables of
    /// 5, and 31 at tables of 6, each pair meets exactly once per cycle.
    ///
    /// # Errors
    /// Returns an error if the number of blocks is not a multiple of the cycle length.
    pub fn balanced(bots: usize, seats: usize, blocks: u64) -> Result<Self, DesignFault> {
        if bots == seats {
            return Self::all(bots, seats, blocks);
        }
        ragged(bots as u64, blocks)?;
        let bases = bases(bots, seats, blocks / bots as u64);
        Ok(Self::new(
            TableSelection::Balanced { bases },
            Vec::new(),
            bots,
        ))
    }

    /// Returns a design with the bots `named` at every table while the other bots take turns. The
    /// design plays all sets of the other bots, or balanced tables if there are more than 100 sets.
    ///
    /// # Errors
    /// Returns an error if no seat is left, or if the number of blocks is not a multiple of the
    /// cycle length.
    pub fn gauntlet(
        named: &[usize],
        bots: usize,
        seats: usize,
        blocks: u64,
    ) -> Result<Self, DesignFault> {
        let others = bots - named.len();
        let free = seats.checked_sub(named.len()).filter(|&free| free > 0);
        let free = free
            .filter(|&free| others >= free)
            .ok_or(DesignFault::NoSeatLeft)?;
        let beside = Self::usual(others, free, blocks)?;
        Ok(Self::new(beside.tables, named.to_vec(), bots))
    }

    /// Returns a design with bots 0 and 1 at one table with fillers. Bots 0 and 1 exchange seats in
    /// every second game.
    #[must_use]
    pub fn swap(bots: usize) -> Self {
        Self {
            seatings: Seatings::Swapped,
            ..Self::one_table(bots)
        }
    }

    /// Returns a design in which bots 0 and 1 take turns in the same seat at a table with fillers.
    #[must_use]
    pub fn replace(bots: usize) -> Self {
        Self {
            seatings: Seatings::Replaced,
            ..Self::one_table(bots)
        }
    }

    /// Returns a design of one game in each block, for copies of one bot in all seats. With
    /// `rotates`, bots shift by one seat in each block, as in [`Seats::Rotate`].
    ///
    /// [`Seats::Rotate`]: risk_engine::Seats::Rotate
    #[must_use]
    pub fn single(bots: usize, rotates: bool) -> Self {
        Self {
            seatings: Seatings::Single { rotates },
            ..Self::one_table(bots)
        }
    }

    /// Returns a design of two bots for games with teams. For each team in turn, bot 0 and its
    /// copies play all seats of the team. Bot 1 and its copies play all other seats. Each seat has
    /// a separate bot. [`Design::bots_of`] returns the number of bots on each side.
    #[must_use]
    pub fn teams(teams: Vec<usize>) -> Self {
        let mut design = Self {
            seatings: Seatings::Teams,
            teams,
            ..Self::one_table(0)
        };
        design.rest = (0..design.bots_of().iter().sum()).collect();
        design
    }

    /// Returns the index of the compared bot that a bot is or is a copy of. Returns `None` for a
    /// filler.
    #[must_use]
    pub fn side(&self, bot: usize) -> Option<usize> {
        match self.seatings {
            Seatings::Teams if bot > 1 => Some(usize::from(bot > self.bots_of()[0])),
            _ => (bot < 2).then_some(bot),
        }
    }

    /// Returns the number of bots on each side if two bots meet as teams.
    #[must_use]
    pub fn bots_of(&self) -> [usize; 2] {
        let sizes = self.each_team().map(|team| {
            let members = self.teams.iter().filter(|&&other| other == team);
            members.count()
        });
        let (least, most) = sizes.fold((usize::MAX, 0), |(least, most), size| {
            (size.min(least), size.max(most))
        });
        [most, self.teams.len().saturating_sub(least)]
    }

    fn each_team(&self) -> impl Iterator<Item = usize> + '_ {
        let seats = self.teams.iter().copied().enumerate();
        let firsts = seats.filter(|&(seat, team)| !self.teams[..seat].contains(&team));
        firsts.map(|(_, team)| team)
    }

    /// Returns the bots by seat if the first bot plays this team.
    fn as_team(&self, team: usize) -> Vec<usize> {
        let [own, _] = self.bots_of();
        let mut next = [std::iter::once(0).chain(2..own + 1).collect::<Vec<_>>(), {
            let others = own + 1..self.rest.len();
            std::iter::once(1).chain(others).collect()
        }]
        .map(Vec::into_iter);
        let sides = self.teams.iter().map(|&other| usize::from(other != team));
        sides.filter_map(|side| next[side].next()).collect()
    }

    fn one_table(bots: usize) -> Self {
        let tables = TableSelection::All {
            size: bots,
            count: 1,
        };
        Self::new(tables, Vec::new(), bots)
    }

    fn new(tables: TableSelection, named: Vec<usize>, bots: usize) -> Self {
        let rest = (0..bots).filter(|bot| !named.contains(bot)).collect();
        Self {
            tables,
            named,
            rest,
            seatings: Seatings::Rotations,
            teams: Vec::new(),
        }
    }

    fn whole(self, blocks: u64) -> Result<Self, DesignFault> {
        ragged(self.cycle(), blocks)?;
        Ok(self)
    }

    /// Returns the bots that are at every table of a gauntlet, in ascending order.
    #[must_use]
    pub fn named(&self) -> &[usize] {
        &self.named
    }

    /// Returns the number of blocks in a cycle, in which every table is played equally often.
    #[must_use]
    pub fn cycle(&self) -> u64 {
        match &self.tables {
            TableSelection::All { count, .. } => *count,
            TableSelection::Balanced { .. } => self.rest.len() as u64,
        }
    }

    /// Returns the bots at the table of a block, in ascending order.
    #[must_use]
    pub fn table(&self, block: u64) -> Vec<usize> {
        let count = self.rest.len();
        let beside = match &self.tables {
            TableSelection::All { size, count: all } => combination(count, *size, block % all),
            TableSelection::Balanced { bases } => {
                let cycle = (block / count as u64) as usize % bases.len();
                let shift = (block % count as u64) as usize;
                bases[cycle]
                    .iter()
                    .map(|bot| (bot + shift) % count)
                    .collect()
            }
        };
        let beside = beside.into_iter().map(|bot| self.rest[bot]);
        let mut table: Vec<usize> = self.named.iter().copied().chain(beside).collect();
        table.sort_unstable();
        table
    }

    /// Returns the bots by seat in each game of a block. `draw` shuffles the order of the bots
    /// around the table.
    #[must_use]
    pub fn block(&self, block: u64, mut draw: impl FnMut(&mut [usize])) -> Vec<Vec<usize>> {
        if self.seatings == Seatings::Teams {
            return self.each_team().map(|team| self.as_team(team)).collect();
        }
        let mut circle = self.table(block);
        if let Seatings::Single { rotates } = self.seatings {
            let shift = if rotates {
                block % circle.len().max(1) as u64
            } else {
                0
            };
            circle.rotate_left(shift as usize);
            return vec![circle];
        }
        if self.seatings == Seatings::Replaced {
            circle.retain(|&bot| bot != 1);
        }
        draw(&mut circle);
        let mut games = Vec::new();
        for _ in 0..circle.len() {
            games.push(circle.clone());
            if self.seatings != Seatings::Rotations {
                let exchanged = |&bot: &usize| match bot {
                    0 => 1,
                    1 => 0,
                    other => other,
                };
                games.push(circle.iter().map(exchanged).collect());
            }
            circle.rotate_left(1);
        }
        games
    }

    /// Returns the number of games in a block.
    #[must_use]
    pub fn games_per_block(&self) -> usize {
        let size = match &self.tables {
            TableSelection::All { size, .. } => *size,
            TableSelection::Balanced { bases } => bases.first().map_or(0, Vec::len),
        };
        let seats = size + self.named.len();
        match self.seatings {
            Seatings::Rotations => seats,
            Seatings::Swapped => 2 * seats,
            Seatings::Replaced => 2 * (seats - 1),
            Seatings::Teams => self.each_team().count(),
            Seatings::Single { .. } => 1,
        }
    }
}

impl fmt::Display for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (&self.tables, self.seatings) {
            (_, Seatings::Swapped) => "two bots among fillers, seats exchanged",
            (_, Seatings::Replaced) => "two bots in each other's place",
            (_, Seatings::Teams) => "two bots as teams",
            (_, Seatings::Single { .. }) => "one game in each block",
            (TableSelection::All { .. }, Seatings::Rotations) => "all tables",
            (TableSelection::Balanced { .. }, Seatings::Rotations) => "balanced tables",
        })?;
        if !self.teams.is_empty() {
            let teams = self.teams.iter().map(|team| (team + 1).to_string());
            let teams: Vec<String> = teams.collect();
            write!(f, " in seats of the teams {}", teams.join(" "))?;
        }
        if !self.named.is_empty() {
            let named: Vec<String> = self.named.iter().map(|bot| (bot + 1).to_string()).collect();
            write!(f, ", a gauntlet of {}", named.join(" and "))?;
        }
        Ok(())
    }
}

/// Checks that the number of blocks is a multiple of the cycle length.
fn ragged(cycle: u64, blocks: u64) -> Result<(), DesignFault> {
    if blocks > 0 && blocks.is_multiple_of(cycle) {
        return Ok(());
    }
    let least = blocks.div_ceil(cycle).max(1).saturating_mul(cycle);
    Err(DesignFault::RaggedCycle { cycle, least })
}

/// Returns the number of sets with `size` of `of` elements, or `u64::MAX` if the number is larger.
fn choose(of: usize, size: usize) -> u64 {
    let size = size.min(of.saturating_sub(size));
    let mut count: u128 = 1;
    for step in 0..size as u128 {
        count = count * (of as u128 - step) / (step + 1);
        if count > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    count as u64
}

/// Returns the set with this number in lexicographic order. The set has `size` elements, all below
/// `of`.
fn combination(of: usize, size: usize, mut number: u64) -> Vec<usize> {
    let mut set = Vec::with_capacity(size);
    let mut next = 0;
    while set.len() < size {
        let behind = choose(of - next - 1, size - set.len() - 1);
        if number < behind {
            set.push(next);
        } else {
            number -= behind;
        }
        next += 1;
    }
    set
}

/// Returns the first table of each cycle. It is the set with bot 0 that makes the differences
/// between bots most evenly distributed. The criterion is the smallest sum of the squared
/// frequencies of all differences, including the new cycle. Ties are resolved in lexicographic
/// order.
fn bases(bots: usize, seats: usize, cycles: u64) -> Vec<Vec<usize>> {
    // Tables repeat after this number of cycles, because more cycles would not make the differences
    // more even.
    const MOST_CYCLES: u64 = 64;
    let mut seen = vec![0_u64; bots];
    let mut bases = Vec::new();
    for _ in 0..cycles.min(MOST_CYCLES) {
        let base = if choose(bots - 1, seats - 1) <= MOST_CANDIDATES {
            best(bots, seats, &seen)
        } else {
            grown(bots, seats, &seen)
        };
        differences(bots, &base).for_each(|difference| seen[difference] += 1);
        bases.push(base);
    }
    bases
}

fn best(bots: usize, seats: usize, seen: &[u64]) -> Vec<usize> {
    let all = choose(bots - 1, seats - 1);
    let mut counter = MeetingCounter::new(bots, seen);
    let candidates = (0..all).map(|number| {
        let mut set = vec![0];
        let others = combination(bots - 1, seats - 1, number);
        set.extend(others.iter().map(|bot| bot + 1));
        set
    });
    let least = candidates.min_by_key(|set| counter.cost(set));
    least.unwrap_or_else(|| (0..seats).collect())
}

fn grown(bots: usize, seats: usize, seen: &[u64]) -> Vec<usize> {
    let mut counter = MeetingCounter::new(bots, seen);
    let mut base = vec![0];
    while base.len() < seats {
        let free = (1..bots).filter(|bot| !base.contains(bot));
        let with = |bot| base.iter().copied().chain([bot]).collect::<Vec<_>>();
        let sets = free.map(with);
        base = sets.min_by_key(|set| counter.cost(set)).unwrap_or(base);
    }
    base.sort_unstable();
    base
}

/// A counter that rates sets by the frequencies of their differences so far.
struct MeetingCounter<'a> {
    seen: &'a [u64],
    /// The frequency of each difference in the current set. All frequencies are 0 between calls.
    new: Vec<u64>,
}

impl<'a> MeetingCounter<'a> {
    fn new(bots: usize, seen: &'a [u64]) -> Self {
        Self {
            seen,
            new: vec![0; bots],
        }
    }

    /// Returns the increase in the sum of squared frequencies that a set would cause.
    fn cost(&mut self, set: &[usize]) -> u64 {
        let bots = self.new.len();
        let mut cost = 0;
        for difference in differences(bots, set) {
            let new = &mut self.new[difference];
            // An increase from n to n + 1 raises the square by 2n + 1.
            cost += 2 * (self.seen[difference] + *new) + 1;
            *new += 1;
        }
        differences(bots, set).for_each(|difference| self.new[difference] = 0);
        cost
    }
}

/// Returns the differences of every two bots in a set.
fn differences(bots: usize, set: &[usize]) -> impl Iterator<Item = usize> + '_ {
    let from = move |a: usize| {
        let others = set.iter().filter(move |&&b| b != a);
        others.map(move |b| (a + bots - b) % bots)
    };
    set.iter().flat_map(move |&a| from(a))
}
