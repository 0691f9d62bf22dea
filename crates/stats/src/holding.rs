//! The worth of holding a thing: how often its holder wins, both raw and adjusted for covariates.
//!
//! A player who holds more things wins more often, so the raw share means little. The adjusted
//! effect of thing t is the coefficient τ_t in P(win) ∝ exp(Σ β·covariates + τ_t·holds t). It is
//! fitted for one t at a time with a conditional logit ([`conditional`](crate::conditional)).
//! Holm's correction applies to all things together.

use crate::conditional::{ChoiceSet, fit_covariates};
use crate::error::{StatsError, checked_alpha, enough_wins, same_length, within};
use crate::moments::count;
use crate::multiple::holm;
use crate::ratings::Contrast;
use crate::shares::{Share, share_of_counts};

/// A game with the players, the winner, and the holders of things.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldGame {
    /// The covariates and the credit of each player.
    pub players: ChoiceSet,
    /// The holder of each thing, as the index of a player; `None` if no player held the thing.
    pub holders: Vec<Option<usize>>,
}

/// The worth of one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldingEffect {
    /// The holder's share of wins, among games that have a winner and in which a player held the
    /// thing.
    pub raw: Result<Share, StatsError>,
    /// The effect τ of holding the thing, with equal covariates, in nats, or the reason why it is
    /// unknown.
    pub effect: Result<Contrast, StatsError>,
    /// The p-value of τ, with Holm's correction over all things with an effect; `None` for a thing
    /// without an effect.
    pub adjusted_p: Option<f64>,
}

/// Returns the effect of each thing, computed from clusters of games (blocks or single games).
///
/// The effect of a thing is not computed if its holders won or lost fewer than
/// [`MIN_WINS`](crate::MIN_WINS) games.
///
/// # Errors
/// Returns an error if there are no games, if games differ in the number of things, if a holder is
/// not a player, or if `alpha` is not from 1e-9 to .5.
pub fn holding_effects(
    clusters: &[Vec<HeldGame>],
    alpha: f64,
) -> Result<Vec<HoldingEffect>, StatsError> {
    checked_alpha(alpha)?;
    let things = things(clusters)?;
    let mut found: Vec<HoldingEffect> = (0..things)
        .map(|thing| {
            let tally = tally(clusters, thing);
            let effect = tally.enough().and_then(|()| effect(clusters, thing, alpha));
            HoldingEffect {
                raw: share_of_counts(&tally.wins, &tally.games, alpha),
                effect,
                adjusted_p: None,
            }
        })
        .collect();
    let known: Vec<usize> = (0..things)
        .filter(|thing| found[*thing].effect.is_ok())
        .collect();
    let raw: Vec<f64> = found
        .iter()
        .filter_map(|thing| thing.effect.ok())
        .map(|effect| effect.p_value)
        .collect();
    for (thing, p) in known.into_iter().zip(holm(&raw)?) {
        found[thing].adjusted_p = Some(p);
    }
    Ok(found)
}

fn things(clusters: &[Vec<HeldGame>]) -> Result<usize, StatsError> {
    let mut games = clusters.iter().flatten();
    let first = games.next().ok_or(StatsError::NoData)?;
    let things = first.holders.len();
    for game in clusters.iter().flatten() {
        same_length("things held in two games", things, game.holders.len())?;
        let players = game.players.credit.len();
        same_length(
            "credits of the players",
            game.players.covariates.len(),
            players,
        )?;
        for holder in game.holders.iter().flatten() {
            within("a holder", count(*holder), 0.0, count(players) - 1.0)?;
        }
    }
    Ok(things)
}

/// The number of games in which a thing has a holder and there is a winner, and the number of these
/// games that the holder won, by cluster.
struct ClusterTally {
    wins: Vec<f64>,
    games: Vec<f64>,
}

impl ClusterTally {
    fn enough(&self) -> Result<(), StatsError> {
        let wins: f64 = crate::moments::sum(self.wins.iter().copied());
        let games: f64 = crate::moments::sum(self.games.iter().copied());
        let fewer = if wins < games - wins {
            wins
        } else {
            games - wins
        };
        enough_wins(fewer)
    }
}

fn tally(clusters: &[Vec<HeldGame>], thing: usize) -> ClusterTally {
    let mut tally = ClusterTally {
        wins: Vec::with_capacity(clusters.len()),
        games: Vec::with_capacity(clusters.len()),
    };
    for cluster in clusters {
        let mut wins = 0.0;
        let mut games = 0.0;
        for game in cluster {
            let credit = &game.players.credit;
            let decided = credit.iter().any(|part| *part > 0.0);
            if let Some(holder) = game.holders[thing].filter(|_| decided) {
                wins += credit[holder];
                games += 1.0;
            }
        }
        tally.wins.push(wins);
        tally.games.push(games);
    }
    tally
}

fn effect(clusters: &[Vec<HeldGame>], thing: usize, alpha: f64) -> Result<Contrast, StatsError> {
    let with_thing: Vec<Vec<ChoiceSet>> = clusters
        .iter()
        .map(|cluster| cluster.iter().map(|game| extended(game, thing)).collect())
        .collect();
    let mut effects = fit_covariates(&with_thing, alpha)?;
    effects.pop().ok_or(StatsError::NoData)
}

/// Returns the players with an additional covariate, which is whether they hold the thing.
fn extended(game: &HeldGame, thing: usize) -> ChoiceSet {
    let mut players = game.players.clone();
    for (index, covariates) in players.covariates.iter_mut().enumerate() {
        let holds = game.holders[thing] == Some(index);
        covariates.push(if holds { 1.0 } else { 0.0 });
    }
    players
}
