//! Who meets whom next on a ladder: bots come and go, so that no design can be made beforehand.
//!
//! The bot with the fewest blocks sits down first; then, one by one, whoever has met those at the
//! table least, as the balanced designs of tournaments do it. Of equals the one with fewer blocks
//! is taken, and of those one by lot.

use risk_engine::Seed;
use risk_kernel::rng::Purpose;

/// Lots are drawn from another seed than all that happens in games.
const LOT: u64 = 0x6c61_6464_6572;

/// How often bots played and met, those of blocks that are under way included.
#[derive(Clone, Debug)]
pub(super) struct Meetings {
    bots: usize,
    blocks: Vec<u32>,
    /// For each two bots, by row.
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

    /// These bots have a block together.
    pub(super) fn add(&mut self, table: &[usize]) {
        for &bot in table {
            self.blocks[bot] += 1;
            for &other in table {
                self.met[bot * self.bots + other] += 1;
            }
        }
    }

    /// How many blocks the bot has that has fewest.
    pub(super) fn fewest(&self) -> u32 {
        self.blocks.iter().copied().min().unwrap_or(0)
    }

    /// The table of the next block, with one bot at most of each owner, whom numbers tell apart:
    /// nobody helps another bot of one's own. Nothing if there are too few owners.
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
