//! Selection of a ladder's next table. A fixed design is not possible, because bots come and go.
//!
//! The first bot is the bot with the fewest blocks. Each further bot is the bot that has met the
//! other bots at the table least often, as in the balanced designs of tournaments. Ties are
//! resolved in favour of the bot with fewer blocks, and then by drawing lots.

use risk_engine::Seed;
use risk_kernel::rng::Purpose;

/// A constant that keeps the lots separate from the random numbers of games.
const LOT: u64 = 0x6c61_6464_6572;

/// The numbers of blocks and meetings, including unfinished blocks.
#[derive(Clone, Debug)]
pub(super) struct Meetings {
    bots: usize,
    blocks: Vec<u32>,
    /// The number of meetings of each pair of bots, in rows.
    met: Vec<u32>,
}

impl Meetings {
    pub(super) fn new(bots: usize) -> Self {
        Self {
            bots,
            blocks: vec![0; bots],
            met: vec![0; bots * bots],
        }
    }

    pub(super) fn add(&mut self, table: &[usize]) {
        for &bot in table {
            self.blocks[bot] += 1;
            for &other in table {
                self.met[bot * self.bots + other] += 1;
            }
        }
    }

    /// Returns the smallest number of blocks that any bot has played.
    pub(super) fn fewest(&self) -> u32 {
        self.blocks.iter().copied().min().unwrap_or(0)
    }

    /// Returns the table of the next block, or `None` if there are too few owners. A table has at
    /// most one bot of each owner, so that bots of the same owner can't help each other. `owners`
    /// contains the number of each bot's owner.
    pub(super) fn next(
        &self,
        seats: usize,
        owners: &[usize],
        seed: &Seed,
        block: u64,
    ) -> Option<Vec<usize>> {
        let mut lot: Vec<usize> = (0..self.bots).collect();
        seed.of_match(LOT)
            .key(block)
            .stream(Purpose::Seats)
            .shuffle(&mut lot);
        let mut table: Vec<usize> = Vec::with_capacity(seats);
        while table.len() < seats {
            let met = |bot: usize| -> u32 {
                let with = table.iter().map(|&other| self.met[bot * self.bots + other]);
                with.sum()
            };
            let sits = |bot: usize| table.iter().any(|&other| owners[other] == owners[bot]);
            let free = lot.iter().copied().filter(|&bot| !sits(bot));
            let next = free.min_by_key(|&bot| (met(bot), self.blocks[bot]))?;
            table.push(next);
        }
        table.sort_unstable();
        Some(table)
    }
}
