//! Finals, in which the best bots of a tournament play new games that did not affect their
//! selection.
//!
//! The best of many bots is usually both good and lucky, so the first stage overstates the winners'
//! strength. Finals use their own seed and ignore the first stage. The selection therefore does not
//! distort their intervals.

use std::ops::RangeInclusive;

use serde::Serialize;

use super::design::{Design, DesignFault};
use super::spec::{FinalsSpec, MOST_BLOCKS, wrong};
use risk_engine::{Seed, Setup};
use risk_text::diag::Finding;
use risk_text::plural::range as range_of;

/// The settings of finals, regardless of the finalists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finals {
    /// The number of finalists.
    pub best: usize,
    /// The number of seats at a table.
    pub seats: usize,
    /// The number of blocks.
    pub blocks: u64,
    /// The seed of all random numbers, which always differs from the seed of the first stage.
    pub seed: Seed,
    #[serde(skip)]
    design: Design,
}

/// Returns the default seed for finals.
fn usual_seed(first: &Seed) -> Seed {
    // A seed of the maximum length can't be extended.
    Seed::new(&format!("{first}-finals")).unwrap_or_else(|_| first.of_match(1))
}

/// Returns the number of seats at a table of the finals.
fn seats(
    spec: &FinalsSpec,
    first_seats: usize,
    range: RangeInclusive<usize>,
) -> Result<usize, Finding> {
    let best = spec.best;
    let seats = spec.seats.unwrap_or(first_seats.min(best));
    let least = (*range.start()).max(2);
    let most = (*range.end()).min(best);
    if (least..=most).contains(&seats) {
        return Ok(seats);
    }
    let (text, help) = if least > most {
        let text = format!("the ruleset needs at least {least} players, found {best}");
        (text, "raise `best` of the finals")
    } else {
        let allowed = range_of(least, most);
        let text = format!("finals of {best} bots need {allowed} seats at a table, found {seats}");
        (text, "correct `seats` or `best` of the finals")
    };
    Err(wrong("finals-seats", text, help))
}

impl Finals {
    /// Checks a file's finals against the first stage. `range` is the number of players that the
    /// ruleset supports.
    pub(super) fn new(
        spec: &FinalsSpec,
        first: &Setup,
        first_seats: usize,
        range: RangeInclusive<usize>,
    ) -> Result<Self, Finding> {
        let bots = first.bots.len();
        if bots < 3 {
            let text = format!("finals need at least 3 bots, found {bots}");
            return Err(wrong("finals-best", text, "add bots, or remove `finals`"));
        }
        if spec.best < 2 || spec.best >= bots {
            let text = format!(
                "`best` of the finals must be {}, found {}",
                range_of(2, bots - 1),
                spec.best
            );
            let help = "choose at least two bots for the finals, but not all bots";
            return Err(wrong("finals-best", text, help));
        }
        let seats = seats(spec, first_seats, range)?;
        let seed = spec.seed.clone();
        let seed = seed.unwrap_or_else(|| usual_seed(&first.seed));
        if seed == first.seed {
            let text = format!("the finals have the same seed as the first stage: {seed}");
            let help = "write another `seed` under `finals`, or leave it out";
            return Err(wrong("finals-seed", text, help));
        }
        if !(1..=MOST_BLOCKS).contains(&spec.blocks) {
            let text = format!(
                "`blocks` of the finals must be from 1 to {}, found {}",
                MOST_BLOCKS, spec.blocks
            );
            return Err(wrong("finals-blocks", text, "correct the number"));
        }
        let design = Design::usual(spec.best, seats, spec.blocks).map_err(|fault| {
            let help = match &fault {
                DesignFault::RaggedCycle { cycle, least } => {
                    format!("write `blocks: {least}`, or another multiple of {cycle}")
                }
                DesignFault::NoSeatLeft => "correct `seats` of the finals".to_owned(),
            };
            wrong("ragged-cycle", format!("in the finals, {fault}"), help)
        })?;
        Ok(Self {
            best: spec.best,
            seats,
            blocks: spec.blocks,
            seed,
            design,
        })
    }

    /// Returns the design of the finals.
    #[must_use]
    pub const fn design(&self) -> &Design {
        &self.design
    }
}
