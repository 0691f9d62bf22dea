//! Finals: the best bots of a tournament play on, in games that played no part in their selection.
//!
//! The first of many bots was good or lucky, mostly both, so the games of the first stage overstate
//! how good the winners are. Finals have a seed of their own and ignore the first stage; the
//! selection does not distort their intervals.

use std::ops::RangeInclusive;

use serde::Serialize;

use super::design::{Design, DesignFault};
use super::spec::{FinalsSpec, MOST_BLOCKS};
use risk_engine::Seed;
use risk_engine::load::diag::Finding;
use risk_engine::matches::Setup;

/// The settings of finals, for any finalists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finals {
    /// The number of bots that play on.
    pub best: usize,
    /// The number of seats at a table.
    pub seats: usize,
    /// The number of blocks.
    pub blocks: u64,
    /// The seed of everything random, always different from the first stage's.
    pub seed: Seed,
    #[serde(skip)]
    design: Design,
}

fn wrong(text: impl Into<String>, help: impl Into<String>) -> Finding {
    Finding::error("tournament::finals", text).help(help)
}

/// Returns the seed of finals without one of their own.
fn usual_seed(first: &Seed) -> Seed {
    // A seed of the maximum length can't be extended.
    Seed::new(&format!("{first}-finals")).unwrap_or_else(|_| first.of_match(1))
}

impl Finals {
    /// Checks a file's finals against the first stage; `range` is the number of players that the
    /// ruleset allows.
    pub(super) fn new(
        spec: &FinalsSpec,
        first: &Setup,
        first_seats: usize,
        range: RangeInclusive<usize>,
    ) -> Result<Self, Finding> {
        let bots = first.bots.len();
        if spec.best < 2 || spec.best >= bots {
            let text = format!(
                "{} of {bots} bots can't be in the finals: at least two are, and at least one is \
                 not",
                spec.best
            );
            return Err(wrong(text, "change best: in the finals"));
        }
        let seats = spec.seats.unwrap_or(first_seats.min(spec.best));
        if !((*range.start()).max(2)..=(*range.end()).min(spec.best)).contains(&seats) {
            let text = format!(
                "there are {seats} seats at a table of the finals, for the best {}; the ruleset \
                 is for {} to {} players",
                spec.best,
                range.start(),
                range.end()
            );
            return Err(wrong(text, "change seats: or best: in the finals"));
        }
        let seed = spec.seed.clone();
        let seed = seed.unwrap_or_else(|| usual_seed(&first.seed));
        if seed == first.seed {
            let text = format!("the finals have the seed of the first stage, {seed}");
            let help = "choose another: the games that chose the best must not come again";
            return Err(wrong(text, help));
        }
        if !(1..=MOST_BLOCKS).contains(&spec.blocks) {
            let text = format!(
                "blocks of the finals is {}, and must be 1 to {}",
                spec.blocks, MOST_BLOCKS
            );
            return Err(wrong(text, "change the number"));
        }
        let design = Design::usual(spec.best, seats, spec.blocks).map_err(|fault| {
            let help = match &fault {
                DesignFault::RaggedCycle { least, .. } => {
                    format!("write blocks: {least} in the finals, or a multiple")
                }
                DesignFault::NoSeatLeft => "change seats: in the finals".to_owned(),
            };
            wrong(format!("in the finals, {fault}"), help)
        })?;
        Ok(Self {
            best: spec.best,
            seats,
            blocks: spec.blocks,
            seed,
            design,
        })
    }

    /// Returns the design.
    #[must_use]
    pub const fn design(&self) -> &Design {
        &self.design
    }
}
