//! Designs: the tables of a tournament, and the seatings of a block.

use std::fmt;

/// The most tables for which the default design plays all of them; with more it is balanced.
const USUAL_TABLES: u64 = 100;
/// The most candidates for an exhaustive search of a cycle's base; with more it grows bot by bot.
const MOST_CANDIDATES: u64 = 200_000;

/// The tables of a tournament, block by block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    tables: Tables,
    /// Bots at every table.
    named: Vec<usize>,
    /// The bots that take turns.
    rest: Vec<usize>,
    seatings: Seatings,
    /// The team of each seat, where two bots meet as teams.
    teams: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Tables {
    /// All sets of `size` bots, in lexicographic order.
    All { size: usize, count: u64 },
    /// The first table of each cycle; the others are its translates.
    Balanced { bases: Vec<Vec<usize>> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seatings {
    /// Each rotation of one order.
    Rotations,
    /// Each rotation twice: with the first two bots, and with their seats exchanged.
    Swapped,
    /// Each rotation twice: without the second bot, and with it in the first one's seat.
    Replaced,
    /// Once for each team: the first bot in all its seats, the second in all others.
    Teams,
}

/// The reason why a design is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesignFault {
    /// The blocks are no whole number of cycles.
    #[error("`blocks` must be a multiple of {cycle}, so that all tables are played equally often")]
    RaggedCycle {
        /// The number of blocks in a cycle.
        cycle: u64,
        /// The next number of blocks that is a whole number of cycles.
        least: u64,
    },
    /// A gauntlet leaves no seat for the others, or there are no others.
    #[error("the gauntlet leaves no seats or no bots for the rest of the table")]
    NoSeatLeft,
}

impl Design {
    /// Returns [`all`](Self::all) if it has at most 100 tables, and [`balanced`](Self::balanced) if
    /// not.
    ///
    /// # Errors
    /// When the blocks are no whole number of cycles.
    pub fn usual(bots: usize, seats: usize, blocks: u64) -> Result<Self, DesignFault> {
        if choose(bots, seats) <= USUAL_TABLES {
            Self::all(bots, seats, blocks)
        } else {
            Self::balanced(bots, seats, blocks)
        }
    }

    /// Returns a design in which every set of `seats` bots is a table, in lexicographic order.
    ///
    /// # Errors
    /// When the blocks are no whole number of cycles.
    pub fn all(bots: usize, seats: usize, blocks: u64) -> Result<Self, DesignFault> {
        let count = choose(bots, seats);
        Self::new(Tables::All { size: seats, count }, Vec::new(), bots).whole(blocks)
    }

    /// Returns tables in cycles of as many as there are bots: each the one before with every bot
    /// replaced by the next. A cycle's first table makes all differences of two bots as equally
    /// frequent as possible, so that pairs meet about equally often; for 7 bots at tables of 3, 13
    /// of 4, 21 of 5 and 31 of 6 exactly once in each cycle.
    ///
    /// # Errors
    /// When the blocks are no whole number of cycles.
    pub fn balanced(bots: usize, seats: usize, blocks: u64) -> Result<Self, DesignFault> {
        if bots == seats {
            return Self::all(bots, seats, blocks);
        }
        ragged(bots as u64, blocks)?;
        let bases = bases(bots, seats, blocks / bots as u64);
        Ok(Self::new(Tables::Balanced { bases }, Vec::new(), bots))
    }

    /// Returns a design with these bots at every table while the others take turns: all sets of
    /// them, or balanced tables if there are more than 100.
    ///
    /// # Errors
    /// When no seat is left, or the blocks are no whole number of cycles.
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

    /// Returns a design of two bots among fillers, with their seats exchanged in every second game:
    /// bots 0 and 1 at one table with all others.
    #[must_use]
    pub fn swap(bots: usize) -> Self {
        Self {
            seatings: Seatings::Swapped,
            ..Self::one_table(bots)
        }
    }

    /// Returns a design of two bots that take turns in the same seat among the same fillers: bot 0
    /// at one table with all others but bot 1, and bot 1 in its place.
    #[must_use]
    pub fn replace(bots: usize) -> Self {
        Self {
            seatings: Seatings::Replaced,
            ..Self::one_table(bots)
        }
    }

    /// Returns a design of two bots where players play in teams, by seat: bot 0 and bots like it in
    /// all seats of one team, bot 1 and bots like it in all others, for each team in turn. Each
    /// seat has its own bot: [`Design::bots_of`] returns the number on each side.
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

    /// Returns the compared bot that a bot is, or is like; `None` for a filler.
    #[must_use]
    pub fn side(&self, bot: usize) -> Option<usize> {
        match self.seatings {
            Seatings::Teams if bot > 1 => Some(usize::from(bot > self.bots_of()[0])),
            _ => (bot < 2).then_some(bot),
        }
    }

    /// Returns the number of bots on each side where two bots meet as teams.
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

    /// Returns the bots by seat with the first bot in this team.
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
        let tables = Tables::All {
            size: bots,
            count: 1,
        };
        Self::new(tables, Vec::new(), bots)
    }

    fn new(tables: Tables, named: Vec<usize>, bots: usize) -> Self {
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

    /// Returns the number of blocks in a cycle, after which every table came up equally often.
    #[must_use]
    pub fn cycle(&self) -> u64 {
        match &self.tables {
            Tables::All { count, .. } => *count,
            Tables::Balanced { .. } => self.rest.len() as u64,
        }
    }

    /// Returns the bots at the table of a block, in ascending order.
    #[must_use]
    pub fn table(&self, block: u64) -> Vec<usize> {
        let count = self.rest.len();
        let beside = match &self.tables {
            Tables::All { size, count: all } => combination(count, *size, block % all),
            Tables::Balanced { bases } => {
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

    /// Returns the bots by seat in each game of a block. `draw` shuffles the circle in which a
    /// table sits.
    #[must_use]
    pub fn block(&self, block: u64, mut draw: impl FnMut(&mut [usize])) -> Vec<Vec<usize>> {
        if self.seatings == Seatings::Teams {
            return self.each_team().map(|team| self.as_team(team)).collect();
        }
        let mut circle = self.table(block);
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
            Tables::All { size, .. } => *size,
            Tables::Balanced { bases } => bases.first().map_or(0, Vec::len),
        };
        let seats = size + self.named.len();
        match self.seatings {
            Seatings::Rotations => seats,
            Seatings::Swapped => 2 * seats,
            Seatings::Replaced => 2 * (seats - 1),
            Seatings::Teams => self.each_team().count(),
        }
    }
}

impl fmt::Display for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (&self.tables, self.seatings) {
            (_, Seatings::Swapped) => "two bots among fillers, seats exchanged",
            (_, Seatings::Replaced) => "two bots in each other's place",
            (_, Seatings::Teams) => "two bots as teams",
            (Tables::All { .. }, Seatings::Rotations) => "all tables",
            (Tables::Balanced { .. }, Seatings::Rotations) => "balanced tables",
        })?;
        if !self.teams.is_empty() {
            let teams: Vec<String> = self
                .teams
                .iter()
                .map(|team| (team + 1).to_string())
                .collect();
            write!(f, " in seats of the teams {}", teams.join(" "))?;
        }
        if !self.named.is_empty() {
            let named: Vec<String> = self.named.iter().map(|bot| (bot + 1).to_string()).collect();
            write!(f, ", a gauntlet of {}", named.join(" and "))?;
        }
        Ok(())
    }
}

/// Checks that the blocks are a whole number of cycles.
fn ragged(cycle: u64, blocks: u64) -> Result<(), DesignFault> {
    if blocks > 0 && blocks.is_multiple_of(cycle) {
        return Ok(());
    }
    let least = blocks.div_ceil(cycle).max(1).saturating_mul(cycle);
    Err(DesignFault::RaggedCycle { cycle, least })
}

/// Returns the number of sets of `size` out of `of`; `u64::MAX` if there are more.
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

/// Returns the set of `size` below `of` with this number, in lexicographic order.
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

/// Returns the first table of each cycle. Of all sets with bot 0 it is the one with the least sum
/// of squares of how often each difference of two bots has come up, including this cycle; of equals
/// the first in lexicographic order.
fn bases(bots: usize, seats: usize, cycles: u64) -> Vec<Vec<usize>> {
    // After this many cycles tables repeat: differences are as even as they get.
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
    let mut counter = Counter::new(bots, seen);
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
    let mut counter = Counter::new(bots, seen);
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

/// Weighs sets by the differences that have come up.
struct Counter<'a> {
    seen: &'a [u64],
    /// How often each difference comes up in a set; all 0 between calls.
    new: Vec<u64>,
}

impl<'a> Counter<'a> {
    fn new(bots: usize, seen: &'a [u64]) -> Self {
        Self {
            seen,
            new: vec![0; bots],
        }
    }

    /// Returns the increase by a set of the sum of squares of how often each difference has come
    /// up.
    fn cost(&mut self, set: &[usize]) -> u64 {
        let bots = self.new.len();
        let mut cost = 0;
        for difference in differences(bots, set) {
            let new = &mut self.new[difference];
            // Going from n to n + 1 raises the square by 2n + 1.
            cost += 2 * (self.seen[difference] + *new) + 1;
            *new += 1;
        }
        differences(bots, set).for_each(|difference| self.new[difference] = 0);
        cost
    }
}

/// Returns the differences of each two bots of a set.
fn differences(bots: usize, set: &[usize]) -> impl Iterator<Item = usize> + '_ {
    let from = move |a: usize| {
        let others = set.iter().filter(move |&&b| b != a);
        others.map(move |b| (a + bots - b) % bots)
    };
    set.iter().flat_map(move |&a| from(a))
}
