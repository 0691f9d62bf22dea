//! The standings of a ladder, computed like a tournament's from the latest blocks of each active
//! bot.
//!
//! Retired bots at the same tables count only as opponents. A new version therefore does not remove
//! blocks from the standings of other bots.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::tournament::results::{Results, TournamentTally};
use crate::tournament::unknown_pairs::UnknownPairs;
use crate::tournament::{TournamentPlan, log};
use risk_engine::bot_spec::BotSpec;
use risk_engine::{BotSource, BuiltIn, Setup};
use risk_stats::shares::{ELO_PER_NAT, elo};
use risk_stats::{Interval, StatsError};
use risk_text::diag::LoadError;

/// The number of a bot's latest blocks that count, or `enough` blocks if that number is greater.
pub(super) const LAST_BLOCKS: u64 = 500;

/// A bot in the standings.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StandingRow {
    /// The name under which the bot plays, for example `greedy@2`.
    pub id: String,
    /// The best and the worst possible rank that the bot may have.
    pub rank: (usize, usize),
    /// The number of counted games.
    pub games: u64,
    /// The number of games with this bot as the only winner.
    pub wins: u64,
    /// The bot's share of the wins, or `None` if it has not played any games.
    pub share: Option<f64>,
    /// The 95 % limits of the share, or the reason that they are unknown.
    pub interval: Result<(f64, f64), StatsError>,
    /// The bot's Elo rating against a table of equal opponents. `None` if the share is 0 or 1.
    pub elo: Option<f64>,
    /// The bot's Elo rating with 95 % limits. It comes from a model of the winners at each table,
    /// relative to the first bot with enough wins.
    pub rating: Option<(f64, f64, f64)>,
    /// The bot's mean place in its games.
    pub mean_place: f64,
    /// The number of faults in all games.
    pub faults: u64,
}

/// The standings at a given moment.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LadderStandings {
    /// The number of blocks that count for at least one active bot.
    pub blocks: u64,
    /// The number of games in these blocks.
    pub games: u64,
    /// The number of games without a winner.
    pub undecided: u64,
    /// A digest of all these games in order.
    pub digest: String,
    /// The bot to which ratings are relative.
    pub anchor: Option<String>,
    /// The reason why there are no ratings.
    pub no_ratings: Option<String>,
    /// The ids of bots that met the best bot in too few blocks to say which one is better.
    pub unknown: Vec<String>,
    /// How many blocks a statement about them needs.
    pub unknown_pairs: Option<UnknownPairs>,
    /// The bots, starting with the best.
    pub rows: Vec<StandingRow>,
}

#[derive(Clone)]
pub(super) struct CountedBots {
    pub(super) ids: Vec<String>,
    /// The number of each bot's early blocks that are too old to count.
    pub(super) old: BTreeMap<String, u64>,
    /// The length of the log, in blocks.
    pub(super) blocks: u64,
}

/// Returns the standings of the active bots from the blocks of a log.
pub(super) fn standings(
    base: &Setup,
    seats: usize,
    counted: &CountedBots,
    path: &Path,
) -> Result<LadderStandings, LoadError> {
    let ids = &counted.ids;
    let named = |id: &String| BotSpec {
        name: id.clone(),
        bot: id.clone(),
        // The bots do not play, because only their names are needed.
        source: BotSource::BuiltIn(BuiltIn::Random),
        clock: None,
    };
    let setup = base.with_bots(ids.iter().map(named));
    // The log contains the tables. Only the design's number of games per block is used.
    let plan = TournamentPlan::one_table(setup, seats);
    let mut tally = TournamentTally::new(&plan);
    tally.keep_seats();
    count(&mut tally, counted.clone(), path)?;
    // A new bot with few meetings must not remove the other bots' ratings.
    let rated = tally.largest_group();
    let results = tally.results_for(&rated);
    let ranking = results.ranking();
    let first = ranking.first().copied();
    // Old blocks leave the standings, so no number of blocks is surely enough.
    let unknown_pairs = results.unknown_pairs(first, tally.blocks);
    let unknown_pairs = unknown_pairs.map(|pairs| UnknownPairs {
        enough: None,
        ..pairs
    });
    Ok(LadderStandings {
        blocks: tally.blocks,
        games: tally.games,
        undecided: tally.undecided,
        digest: tally.digest(),
        anchor: match &results.model {
            Some(Ok(ratings)) => Some(ids[rated[ratings.anchor]].clone()),
            _ => None,
        },
        no_ratings: match &results.model {
            Some(Ok(_)) => None,
            Some(Err(why)) => Some(why.to_string()),
            None => {
                Some("all bots play at each table, so Elo against the table says all".to_owned())
            }
        },
        unknown: unknown(&results, ids),
        unknown_pairs,
        rows: (ranking.iter().copied())
            .map(|bot| row(&tally, &results, &rated, bot))
            .collect(),
    })
}

/// Returns the bots that met the best bot too seldom to say which one is better.
fn unknown(results: &Results, ids: &[String]) -> Vec<String> {
    let ranking = results.ranking();
    let Some((&first, others)) = ranking.split_first() else {
        return Vec::new();
    };
    let may_be_best = |bot: &&usize| results.ranks[**bot].best == 1;
    let unknown = others.iter().filter(may_be_best);
    let unknown = unknown.filter(|&&bot| !results.is_known(first, bot));
    unknown.map(|&bot| ids[bot].clone()).collect()
}

fn count(
    tally: &mut TournamentTally<'_>,
    mut counted: CountedBots,
    path: &Path,
) -> Result<(), LoadError> {
    let playing: BTreeSet<String> = counted.ids.into_iter().collect();
    log::read(path, |_, block| {
        if counted.blocks == 0 {
            return Ok(());
        }
        counted.blocks -= 1;
        let mut counts: BTreeSet<&str> = BTreeSet::new();
        for name in block.games.first().iter().flat_map(|game| &game.seats) {
            match counted.old.get_mut(name) {
                Some(left) if *left > 0 => *left -= 1,
                _ if playing.contains(name) => drop(counts.insert(name)),
                _ => {}
            }
        }
        if !counts.is_empty() {
            tally.add_for(&block, &|name| counts.contains(name));
        }
        Ok(())
    })
    .map(drop)
}

fn row(tally: &TournamentTally<'_>, results: &Results, rated: &[usize], bot: usize) -> StandingRow {
    let counted = &tally.bots[bot];
    let plan = tally.plan();
    let share = results.shares[bot].as_ref();
    let limits = |limits: Interval| (limits.low, limits.high);
    let rating = match &results.model {
        Some(Ok(ratings)) => (rated.iter())
            .position(|&other| other == bot)
            .and_then(|place| ratings.bots[place].against_anchor.as_ref().ok()),
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
            Ok(share) => share.interval.map(limits),
            Err(why) => Err(*why),
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
