//! Ratings from a model of choices: the fit, its sandwich variance, and contrasts between bots.
//!
//! The utility of a bot in a seat is θ_bot + γ_seat. All θ and γ have the penalty N(0, 3²). The
//! penalty keeps the ratings of bots that never win finite, and selects one of the solutions that
//! differ only by a constant. Ratings are contrasts with an anchor, never with the mean of all
//! bots, because a single bot with 2 wins would make every interval wrong. Variances come from the
//! cluster sandwich estimator (Liang & Zeger 1986) with blocks as clusters. Limits use t quantiles
//! with G−1 degrees of freedom.

use crate::choice::{Choices, softmax};
use crate::distributions::t_two_sided;
use crate::error::{StatsError, checked_alpha, enough_blocks, enough_wins, within};
use crate::interval::Interval;
use crate::matrix::SquareMatrix;
use crate::moments::{count, t_limits};
use crate::newton::{maximise, sandwich, variance_of};
use crate::{MIN_BLOCKS, MIN_WINS};

/// The precision of the penalty, 1/3², which is less than a quarter of the information in one game.
const PRECISION: f64 = 1.0 / 9.0;

/// The maximum number of bots and seats together. The time for the fit is cubic in this number.
const MOST_PARAMETERS: f64 = 1000.0;

/// A difference of parameters, in nats (multiply by [`ELO_PER_NAT`] for Elo points).
///
/// [`ELO_PER_NAT`]: crate::shares::ELO_PER_NAT
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contrast {
    /// The first parameter minus the second, in nats.
    pub nats: f64,
    /// The standard error of the difference.
    pub standard_error: f64,
    /// The t limits of the difference.
    pub interval: Interval,
    /// The two-sided p-value of "no difference".
    pub p_value: f64,
}

/// The rating of one bot.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rating {
    /// The number of times that the bot was chosen: its wins, or the number of times that it placed
    /// ahead of another bot.
    pub wins: f64,
    /// The contrast with the anchor, or the reason why the bot has no rating.
    pub against_anchor: Result<Contrast, StatsError>,
}

/// The ratings of all bots.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The bot that the others are compared with.
    pub anchor: usize,
    /// The rating of each bot against the anchor. The anchor's own contrast is 0.
    pub bots: Vec<Rating>,
    /// The contrast of each seat with the mean of all seats, or the reason why it is unknown.
    pub seats: Vec<Result<Contrast, StatsError>>,
    model: Model,
}

#[derive(Clone, Debug)]
struct Model {
    parameters: Vec<f64>,
    covariance: SquareMatrix,
    wins: Vec<f64>,
    freedom: f64,
    alpha: f64,
}

impl Ratings {
    /// Compares two bots, with a p-value, for ranks and crosstables.
    ///
    /// # Errors
    /// Returns an error if a bot does not exist or has too few wins, or if all blocks are equal.
    pub fn compare(&self, left: usize, right: usize) -> Result<Contrast, StatsError> {
        for bot in [left, right] {
            within("a bot", count(bot), 0.0, count(self.bots.len()) - 1.0)?;
            self.model.enough_wins(bot)?;
        }
        self.model.pair(left, right)
    }

    /// Returns the probability that each bot is chosen first. `seating[s]` is the bot in seat s.
    ///
    /// # Errors
    /// Returns an error if a bot or a seat does not exist.
    pub fn chances(&self, seating: &[usize]) -> Result<Vec<f64>, StatsError> {
        within("seats", count(seating.len()), 1.0, count(self.seats.len()))?;
        for bot in seating {
            within("a bot", count(*bot), 0.0, count(self.bots.len()) - 1.0)?;
        }
        let theta = &self.model.parameters;
        let utilities: Vec<f64> = seating
            .iter()
            .enumerate()
            .map(|(seat, bot)| theta[*bot] + theta[self.bots.len() + seat])
            .collect();
        Ok(softmax(&utilities))
    }
}

impl Model {
    fn enough_wins(&self, bot: usize) -> Result<(), StatsError> {
        enough_wins(self.wins[bot])
    }

    fn pair(&self, left: usize, right: usize) -> Result<Contrast, StatsError> {
        let mut weights = vec![0.0; self.parameters.len()];
        weights[left] += 1.0;
        weights[right] -= 1.0;
        if left == right {
            return Ok(Contrast {
                nats: 0.0,
                standard_error: 0.0,
                interval: Interval::around(0.0, 0.0),
                p_value: 1.0,
            });
        }
        self.contrast(&weights)
    }

    /// Returns the contrast of one seat with the mean of all seats.
    fn seat(&self, seat: usize, seats: usize) -> Result<Contrast, StatsError> {
        let mut weights = vec![0.0; self.parameters.len()];
        let first = self.parameters.len() - seats;
        for weight in &mut weights[first..] {
            *weight = -1.0 / count(seats);
        }
        weights[first + seat] += 1.0;
        self.contrast(&weights)
    }

    fn contrast(&self, weights: &[f64]) -> Result<Contrast, StatsError> {
        let nats = crate::matrix::dot(weights, &self.parameters);
        let variance = variance_of(&self.covariance, weights);
        // Rounding may turn a variance of 0 into up to 1e-17.
        if variance < 1e-15 {
            return Err(StatsError::NoVariation);
        }
        let standard_error = libm::sqrt(variance);
        Ok(Contrast {
            nats,
            standard_error,
            interval: t_limits(nats, standard_error, self.freedom, self.alpha)?,
            p_value: t_two_sided(nats / standard_error, self.freedom)?,
        })
    }
}

pub(crate) struct Seating {
    pub(crate) seats: usize,
    /// The rated bots.
    pub(crate) bots: Vec<usize>,
}

/// Returns the number of seats. First checks that all games have this number of seats, that all
/// bots are below `bots`, and that the games connect all bots.
pub(crate) fn seats_of(
    bots: usize,
    games: impl Iterator<Item = Seating>,
) -> Result<usize, StatsError> {
    let mut seats = 0;
    let mut groups: Vec<usize> = (0..bots).collect();
    for game in games {
        within("seats", count(game.seats), 2.0, MOST_PARAMETERS)?;
        within(
            "rated bots in a game",
            count(game.bots.len()),
            0.0,
            count(bots),
        )?;
        if seats != 0 && seats != game.seats {
            return Err(StatsError::LengthsDiffer {
                what: "seats of two games",
                left: seats,
                right: game.seats,
            });
        }
        seats = game.seats;
        for bot in &game.bots {
            within("a bot", count(*bot), 0.0, count(bots) - 1.0)?;
            join(&mut groups, game.bots[0], *bot);
        }
    }
    if seats == 0 {
        return Err(StatsError::NoData);
    }
    within("bots and seats", count(bots + seats), 0.0, MOST_PARAMETERS)?;
    if (1..bots).any(|bot| root(&groups, bot) != root(&groups, 0)) {
        return Err(StatsError::Disconnected);
    }
    Ok(seats)
}

fn root(groups: &[usize], mut bot: usize) -> usize {
    while groups[bot] != bot {
        bot = groups[bot];
    }
    bot
}

/// Merges the groups of two bots under the lower root.
fn join(groups: &mut [usize], left: usize, right: usize) {
    let left = root(groups, left);
    let right = root(groups, right);
    groups[left.max(right)] = left.min(right);
}

pub(crate) fn rate(
    choices: &Choices,
    wins: Vec<f64>,
    seats: usize,
    anchor: Option<usize>,
    alpha: f64,
) -> Result<Ratings, StatsError> {
    checked_alpha(alpha)?;
    let bots = wins.len();
    let anchor = match anchor {
        Some(bot) => bot,
        None => most(&wins),
    };
    within("the anchor", count(anchor), 0.0, count(bots) - 1.0)?;
    if wins[anchor] < MIN_WINS {
        return Err(StatsError::AnchorTooFewWins {
            wins: wins[anchor],
            needed: MIN_WINS,
        });
    }
    enough_blocks(choices.blocks(), MIN_BLOCKS)?;
    let fit = maximise(bots + seats, |at| choices.likelihood(at, PRECISION))?;
    let covariance = sandwich(&fit.information, &choices.scores(&fit.parameters))?;
    let model = Model {
        parameters: fit.parameters,
        covariance,
        wins,
        freedom: count(choices.blocks()) - 1.0,
        alpha,
    };
    let rows = (0..bots).map(|bot| Rating {
        wins: model.wins[bot],
        against_anchor: model
            .enough_wins(bot)
            .and_then(|()| model.pair(bot, anchor)),
    });
    Ok(Ratings {
        anchor,
        bots: rows.collect(),
        seats: (0..seats).map(|seat| model.seat(seat, seats)).collect(),
        model,
    })
}

/// Returns the bot with the most wins. In a tie, returns the first of these bots.
fn most(wins: &[f64]) -> usize {
    let mut best = 0;
    for (bot, number) in wins.iter().enumerate() {
        if *number > wins[best] {
            best = bot;
        }
    }
    best
}
