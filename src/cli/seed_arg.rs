//! The seed of a command.

use clap::Args;

use risk_engine::Seed;

/// The option `--seed` of commands that print the seed that they draw.
#[derive(Args, Clone, Debug)]
pub(super) struct SeedArg {
    /// Seed of everything random; by default a random one, which is printed
    #[arg(long, short, value_name = "S")]
    pub(super) seed: Option<Seed>,
}

impl SeedArg {
    /// Returns the given seed, or [`any_seed`].
    pub(super) fn or_any(&self) -> Seed {
        self.seed.clone().unwrap_or_else(any_seed)
    }
}

/// Draws a seed of 128 bits from the system's random source.
pub(super) fn any_seed() -> Seed {
    Seed::from_bits(risk_arena::random::bits())
}
