//! The standings of a ladder: a tournament's, over the blocks in which all bots still play.

use std::path::Path;

use crate::tournament::results::{Results, TournamentTally};
use crate::tournament::{Design, TournamentPlan, log};
use risk_engine::load::bot_spec::BotSpec;
use risk_engine::load::diag::LoadError;
use risk_engine::matches::Setup;
use risk_engine::players::{BotSource, BuiltIn};
use risk_stats::moments::Interval;
use risk_stats::shares::{ELO_PER_NAT, elo};

/// A bot in the standings.
#[derive(Clone, Debug, PartialEq)]
pub struct StandingRow {
    /// The name under which it plays: `greedy@2`.
    pub id: String,
    /// The ranks that it may have, the best and the worst.
    pub rank: (usize, usize),
    /// Games that count.
    pub games: u64,
    /// Games that it won alone.
    pub wins: u64,
    /// Its share of the wins; nothing where it has played no game.
    pub share: Option<f64>,
    /// The 95 % limits of the share, or why there are none.
    pub interval: Result<(f64, f64), String>,
    /// Elo against a table of equals, where the share is neither none nor all.
    pub elo: Option<f64>,
    /// Elo by who won at which table, against the first bot with enough wins; with 95 % limits.
    pub rating: Option<(f64, f64, f64)>,
    /// Its place in a game on average.
    pub mean_place: f64,
    /// Faults in all games.
    pub faults: u64,
}

/// The standings at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LadderStandings {
    /// Blocks that count.
    pub blocks: u64,
    /// Games in them.
    pub games: u64,
    /// Games that nobody won.
    pub undecided: u64,
    /// A digest of all these games, in their order.
    pub digest: String,
    /// The bot with which ratings compare.
    pub anchor: Option<String>,
    /// The best first.
    pub rows: Vec<StandingRow>,
}

/// The standings of these bots, from the blocks of a log in which nobody else sits.
///
/// # Errors
/// When the log can't be read.
pub(super) fn standings(
    base: &Setup,
    seats: usize,
    ids: &[String],
    path: &Path,
) -> Result<LadderStandings, LoadError> {
    let named = |id: &String| BotSpec {
        name: id.clone(),
        bot: id.clone(),
        // Nobody plays here; what is counted are names.
        source: BotSource::BuiltIn(BuiltIn::Random),
        clock: None,
    };
    let setup = Setup {
        bots: ids.iter().map(named).collect(),
        ..base.clone()
    };
    // Who met whom is in the log; of the design only the games of a block count.
    let design = Design::all(seats, seats, 1).expect("one table is a whole cycle");
    let plan = TournamentPlan::new(setup, seats, 1, design);
    let mut tally = TournamentTally::new(&plan);
    log::read(path, |_, block| {
        let sits = |name: &String| ids.contains(name);
        if block.games.iter().all(|game| game.seats.iter().all(sits)) {
            tally.add(&block);
        }
        Ok(())
    })?;
    let results = tally.results();
    Ok(LadderStandings {
        blocks: tally.blocks,
        games: tally.games,
        undecided: tally.undecided,
        digest: tally.digest(),
        anchor: match &results.model {
            Some(Ok(ratings)) => Some(ids[ratings.anchor].clone()),
            _ => None,
        },
        rows: (results.ranking().into_iter())
            .map(|bot| row(&tally, &results, bot))
            .collect(),
    })
}

fn row(tally: &TournamentTally<'_>, results: &Results, bot: usize) -> StandingRow {
    let counted = &tally.bots[bot];
    let plan = tally.plan();
    let share = results.shares[bot].as_ref();
    let limits = |limits: Interval| (limits.low, limits.high);
    let rating = match &results.model {
        Some(Ok(ratings)) => ratings.bots[bot].against_anchor.as_ref().ok(),
        _ => None,
    };
    let range = results.ranks[bot];
    StandingRow {
        id: plan.setup.bots[bot].name.clone(),
        rank: (range.best, range.worst),
        games: counted.games,
        wins: counted.wins,
        share: share.ok().map(|share| share.share),
        interval: match share {
            Ok(share) => (share.interval).map(limits).map_err(|why| why.to_string()),
            Err(why) => Err(why.to_string()),
        },
        elo: share
            .ok()
            .and_then(|share| elo(share.share, plan.seats).ok()?),
        rating: rating.map(|rating| {
            let elo = |nats: f64| nats * ELO_PER_NAT;
            let (low, high) = limits(rating.interval);
            (elo(rating.nats), elo(low), elo(high))
        }),
        mean_place: counted.places as f64 / counted.games.max(1) as f64,
        faults: counted.faults,
    }
}
