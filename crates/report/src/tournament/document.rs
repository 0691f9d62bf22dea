//! A tournament as a JSON document with every number of the report.

use serde_json::{Value, json};

use super::BlockCoverage;
use crate::json::{FORMAT, round};
use risk_lab::tournament::results::{Results, TournamentTally};
use risk_stats::shares::{ELO_PER_NAT, elo, elo_limits};
use risk_stats::{Interval, StatsError};

pub(crate) fn interval(limits: &Result<Interval, StatsError>) -> Value {
    match limits {
        Ok(limits) => json!([round(limits.low), round(limits.high)]),
        Err(_) => Value::Null,
    }
}

fn why(limits: &Result<Interval, StatsError>) -> Option<String> {
    limits.as_ref().err().map(ToString::to_string)
}

/// Returns the whole report as JSON.
#[must_use]
pub fn document(tally: &TournamentTally<'_>, results: &Results, extent: &BlockCoverage) -> Value {
    let plan = tally.plan();
    let gaps = extent.gaps.iter().map(|&(first, last)| [first, last]);
    let gaps: Vec<[u64; 2]> = gaps.collect();
    let order = results.ranking();
    let bots: Vec<Value> = order
        .iter()
        .map(|&bot| bot_value(tally, results, bot))
        .collect();
    let even = tally.seat_shares();
    let seats: Vec<Value> = tally
        .seat_means()
        .into_iter()
        .enumerate()
        .map(|(seat, mean)| {
            let limits = even.as_ref().map(|seats| seats[seat].interval);
            json!({
                "seat": seat + 1,
                "share": round(mean),
                "interval_at_once": interval(&limits.map_err(Clone::clone)),
                "uneven": even.as_ref().ok().map(|seats| seats[seat].uneven),
            })
        })
        .collect();
    let rounds: Vec<[u64; 2]> = tally
        .rounds
        .iter()
        .map(|(&rounds, &games)| [u64::from(rounds), games])
        .collect();
    json!({
        "type": "tournament",
        "format": FORMAT,
        "plan": plan.hash(),
        "parts": plan.parts,
        "reproducible": plan.setup.why_not_reproducible().is_none(),
        "timed": plan.setup.is_timed(),
        "unverified": plan.unverified(),
        "partial": extent.is_partial(),
        "missing_blocks": gaps,
        "blocks": tally.blocks,
        "shared_dice": tally.plan().shares_dice(),
        "games": tally.games,
        "undecided": tally.undecided,
        "digest": tally.digest(),
        "bots": bots,
        "pairs": pairs(tally, results),
        "model": model(tally, results),
        "seats": seats,
        "reasons": tally.reasons,
        "rounds": rounds,
        "decisions": tally.decisions,
    })
}

pub(crate) fn bot_value(tally: &TournamentTally<'_>, results: &Results, bot: usize) -> Value {
    let counted = &tally.bots[bot];
    let plan = tally.plan();
    let mut value = json!({
        "name": plan.setup.bots[bot].name,
        // The spec from the plan's file. The path to that file may differ each time.
        "bot": plan.bot_specs.get(bot).unwrap_or(&plan.setup.bots[bot].bot),
        "rank": [results.ranks[bot].best, results.ranks[bot].worst],
        "games": counted.games,
        "wins": counted.wins,
        "mean_place": round(counted.places as f64 / counted.games.max(1) as f64),
        "faults": counted.faults,
        "won_by": counted.won_by,
    });
    if let Ok(share) = &results.shares[bot] {
        value["share"] = json!(round(share.share));
        value["interval"] = interval(&share.interval);
        value["no_interval"] = json!(why(&share.interval));
        value["design_effect"] = json!(round(share.design_effect));
        value["elo_against_table"] = json!(elo(share.share, plan.seats).ok().flatten().map(round));
        let limits = share
            .interval
            .ok()
            .map(|limits| elo_limits(limits, plan.seats));
        if let Some(Ok(limits)) = limits {
            value["elo_against_table_interval"] =
                json!([limits.low.map(round), limits.high.map(round)]);
        }
    }
    let seats = counted.seats.iter().map(|&(games, share)| {
        json!({ "games": games, "share": (games > 0).then(|| round(share / games as f64)) })
    });
    value["seats"] = seats.collect();
    if let Some((block, game)) = counted.first_fault {
        value["first_fault"] =
            json!({ "block": block, "command": plan.command_at_home(block, game) });
    }
    if let Some(luck) = super::luck::value(tally, results, bot) {
        value["luck"] = luck;
    }
    if let Some(operations) = counted.operations {
        let answers = counted.answers.total();
        value["operations"] = json!({
            "all": operations,
            "answers": answers,
            "mean": round(operations as f64 / answers.max(1) as f64),
            "p99": counted.answers.quantile(0.99).ok().map(round),
            "most": counted.most,
            "budget": plan.setup.limits.budget.0,
        });
    }
    value
}

fn pairs(tally: &TournamentTally<'_>, results: &Results) -> Vec<Value> {
    let name = |bot: usize| &tally.plan().setup.bots[bot].name;
    let pair = results.pairs.iter().map(|pair| {
        json!({
            "bots": [name(pair.left), name(pair.right)],
            "blocks": pair.difference.blocks,
            "difference": round(pair.difference.mean),
            "interval": interval(&pair.difference.interval),
            "no_interval": why(&pair.difference.interval),
            "p_value": pair.difference.p_value.ok().map(round),
            "sure": pair.sure,
        })
    });
    pair.collect()
}

fn model(tally: &TournamentTally<'_>, results: &Results) -> Value {
    let name = |bot: usize| &tally.plan().setup.bots[bot].name;
    match &results.model {
        None => Value::Null,
        Some(Err(why)) => json!({ "missing": why.to_string() }),
        Some(Ok(ratings)) => {
            let bots = ratings.bots.iter().enumerate().map(|(bot, rating)| {
                let elo = |nats: f64| round(nats * ELO_PER_NAT);
                match &rating.against_anchor {
                    Ok(contrast) => json!({
                        "name": name(bot),
                        "elo_from_wins": elo(contrast.nats),
                        "interval": [elo(contrast.interval.low), elo(contrast.interval.high)],
                        "p_value": round(contrast.p_value),
                    }),
                    Err(why) => json!({ "name": name(bot), "missing": why.to_string() }),
                }
            });
            json!({ "anchor": name(ratings.anchor), "bots": bots.collect::<Vec<_>>() })
        }
    }
}
