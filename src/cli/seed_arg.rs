//! The seed of a command.

use clap::Args;

use risk_engine::Seed;

/// The `--seed` option of commands that print a randomly drawn seed.
#[derive(Args, Clone, Debug)]
pub(super) struct SeedArg {
    /// Seed for all random numbers (default: a random seed, which is printed)
    #[arg(long, short, value_name = "S")]
    pub(super) seed: Option<Seed>,
}

impl SeedArg {
    /// Returns the given seed, or one from [`any_seed`].
    pub(super) fn or_any(&self) -> Seed {
        self.seed.clone().unwrap_or_else(any_seed)
    }
}

/// Draws a seed of 128 bits from the system's random source.
pub(super) fn any_seed() -> Seed {
    Seed::from_bits(risk_arena::random::bits())
}
