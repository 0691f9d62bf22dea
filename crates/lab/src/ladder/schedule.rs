//! Chooses the next table of a ladder: bots come and go, so no design can be made beforehand.
//!
//! The bot with the fewest blocks is chosen first; then, one by one, the bot that has met those at
//! the table least, as in the balanced designs of tournaments. Ties go to the bot with fewer
//! blocks, and then by lot.

use risk_engine::Seed;
use risk_kernel::rng::Purpose;

/// Separates the lots from the random numbers of games.
const LOT: u64 = 0x6c61_6464_6572;

/// Counts of blocks and meetings, including unfinished blocks.
#[derive(Clone, Debug)]
pub(super) struct Meetings {
    bots: usize,
    blocks: Vec<u32>,
    /// By pair of bots, in rows.
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

    /// Returns the smallest number of blocks of a bot.
    pub(super) fn fewest(&self) -> u32 {
        self.blocks.iter().copied().min().unwrap_or(0)
    }

    /// Returns the table of the next block, with at most one bot of each owner, so that no bot
    /// helps another of the same owner. `owners` numbers each bot's owner. Returns `None` if there
    /// are too few owners.
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
