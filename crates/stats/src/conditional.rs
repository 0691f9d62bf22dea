//! A model of the winner by covariates: P(a wins) = exp(Σ β x_a)/Σ exp(Σ β x), with clustered
//! variances.
//!
//! This is the conditional logit of McFadden (1974) with each player's covariates and the winner.
//! Covariates are scaled to a standard deviation of 1 within games before the fit. The scaled
//! coefficients have the penalty N(0, 3²), which keeps the fit finite if a covariate always
//! predicts the winner. The returned coefficients are per unit of the unscaled covariate. The
//! variances come from the cluster sandwich estimator in [`ratings`](crate::ratings).

use crate::MIN_BLOCKS;
use crate::choice::Choices;
use crate::error::{StatsError, checked_alpha, enough_blocks, same_length, within};
use crate::moments::{count, sum, t_limits};
use crate::newton::{maximise, sandwich};
use crate::ratings::{Contrast, PRECISION};
use crate::winner::check_credit;

/// The players of a game, with their covariates and the winner.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceSet {
    /// The covariates of each player. All players have the same number of covariates.
    pub covariates: Vec<Vec<f64>>,
    /// Each player's part of the win. The sum is 1, or 0 if there is no winner.
    pub credit: Vec<f64>,
}

/// Returns the coefficient of each covariate, in nats per unit.
///
/// `clusters` are the blocks of games, or single games if games are independent.
///
/// # Errors
/// Returns an error if there are fewer than [`MIN_BLOCKS`] clusters, if a covariate is constant or
/// a linear combination of others ([`StatsError::Singular`]), if a game is ill-formed, or if
/// `alpha` is not from 1e-9 to .5.
pub fn fit_covariates(
    clusters: &[Vec<ChoiceSet>],
    alpha: f64,
) -> Result<Vec<Contrast>, StatsError> {
    checked_alpha(alpha)?;
    let scales = scales(clusters)?;
    enough_blocks(clusters.len(), MIN_BLOCKS)?;
    let choices = scaled_choices(clusters, &scales);
    let fit = maximise(scales.len(), |at| choices.likelihood(at, PRECISION))?;
    let covariance = sandwich(&fit.information, &choices.scores(&fit.parameters))?;
    let freedom = count(clusters.len()) - 1.0;
    let effect = |index: usize| {
        let nats = fit.parameters[index] / scales[index];
        let variance = covariance.get(index, index);
        if variance < 1e-15 {
            return Err(StatsError::NoVariation);
        }
        let standard_error = libm::sqrt(variance) / scales[index];
        Ok(Contrast {
            nats,
            standard_error,
            interval: t_limits(nats, standard_error, freedom, alpha)?,
            p_value: crate::distributions::t_two_sided(nats / standard_error, freedom)?,
        })
    };
    (0..scales.len()).map(effect).collect()
}

fn scaled_choices(clusters: &[Vec<ChoiceSet>], scales: &[f64]) -> Choices {
    let mut choices = Choices::new(scales.len(), scales.len());
    let mut terms = Vec::with_capacity(scales.len());
    for cluster in clusters {
        for game in cluster.iter().filter(|game| decided(game)) {
            for (player, credit) in game.covariates.iter().zip(&game.credit) {
                terms.clear();
                let scaled = player.iter().zip(scales).map(|(x, scale)| x / scale);
                terms.extend(scaled.enumerate());
                choices.add_alternative(&terms, *credit);
            }
            choices.end_choice();
        }
        choices.end_block();
    }
    choices
}

/// Reports whether the game has a winner. Other games provide no information.
fn decided(game: &ChoiceSet) -> bool {
    game.credit.iter().any(|credit| *credit > 0.0)
}

/// Returns the standard deviation of each covariate within games, after checking all games.
fn scales(clusters: &[Vec<ChoiceSet>]) -> Result<Vec<f64>, StatsError> {
    let games: Vec<&ChoiceSet> = clusters.iter().flatten().collect();
    let width = games
        .first()
        .and_then(|game| game.covariates.first())
        .map_or(0, Vec::len);
    within("covariates", count(width), 1.0, 100.0)?;
    for game in &games {
        check_credit(&game.covariates, &game.credit)?;
        for player in &game.covariates {
            same_length("covariates of two players", width, player.len())?;
            for x in player {
                within("a covariate", *x, -1e12, 1e12)?;
            }
        }
    }
    (0..width).map(|index| scale(&games, index)).collect()
}

fn scale(games: &[&ChoiceSet], index: usize) -> Result<f64, StatsError> {
    let mut squares = 0.0;
    let mut players = 0.0;
    for game in games.iter().filter(|game| decided(game)) {
        let number = count(game.covariates.len());
        let middle = sum(game.covariates.iter().map(|player| player[index])) / number;
        for player in &game.covariates {
            let apart = player[index] - middle;
            squares += apart * apart;
        }
        players += number;
    }
    if squares <= 0.0 {
        return Err(StatsError::Singular);
    }
    Ok(libm::sqrt(squares / players))
}
