//! Places as successive choices: first the winner, then the best of the rest, and so on.
//!
//! This is the model of Plackett (1975) and Luce (1959) with a term for each seat. Bots that share
//! a place are each chosen from the same set of remaining bots. The model uses more information
//! from a game than the winner alone. However, its ratings only supplement the ratings from
//! winners, because bots that survive long need not win. The misfit measures this problem: it is a
//! bot's share of wins minus the share that the model implies, in standard errors. If the misfit is
//! beyond 3, places are not a valid measure of winning.

use crate::choice::Choices;
use crate::error::{StatsError, same_length, within};
use crate::moments::{count, mean_with_limits, sum};
use crate::ratings::{Ratings, Seating, rate, seats_of};
use crate::winner::check_credit;

/// The bot in each seat of a game, the place of each seat, and the winner.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedGame {
    /// The bot in each seat, from 0.
    pub bots: Vec<usize>,
    /// The place of each seat. Place 1 is the best, and several seats can share a place.
    pub places: Vec<u32>,
    /// Each seat's part of the win, as in [`SeatedGame`](crate::winner::SeatedGame).
    pub credit: Vec<f64>,
}

/// Ratings from places, with a measure of how well they predict winners.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlaceRatings {
    /// The ratings. A bot's "wins" are the number of times that it placed ahead of another bot.
    pub ratings: Ratings,
    /// The mean of (wins − implied wins) over each bot's blocks, in standard errors, or the reason
    /// why there is no mean.
    pub misfit: Vec<Result<f64, StatsError>>,
}

/// Returns the ratings of `bots` bots from their places. [`rate_winners`] does the same with
/// winners.
///
/// [`rate_winners`]: crate::winner::rate_winners
///
/// # Errors
/// Returns the same errors as `rate_winners`.
pub fn rate_places(
    bots: usize,
    blocks: &[Vec<PlacedGame>],
    anchor: Option<usize>,
    alpha: f64,
) -> Result<PlaceRatings, StatsError> {
    let games = blocks.iter().flatten();
    let seats = seats_of(
        bots,
        games.map(|game| Seating {
            seats: game.bots.len(),
            bots: game.bots.clone(),
        }),
    )?;
    let mut choices = Choices::new(bots + seats, 2);
    let mut chosen = vec![0.0; bots];
    for block in blocks {
        for game in block {
            check_credit(&game.bots, &game.credit)?;
            same_length("places of the seats", game.bots.len(), game.places.len())?;
            add_game(&mut choices, &mut chosen, bots, game);
        }
        choices.end_block();
    }
    let ratings = rate(&choices, chosen, seats, anchor, alpha)?;
    let misfit = misfits(bots, blocks, &ratings, alpha)?;
    Ok(PlaceRatings { ratings, misfit })
}

/// Adds the choices of one game. For each place, the bots in that place are chosen from the bots
/// not placed ahead of them.
fn add_game(choices: &mut Choices, chosen: &mut [f64], bots: usize, game: &PlacedGame) {
    let mut places = game.places.clone();
    places.sort_unstable();
    places.dedup();
    for place in places {
        let rest: Vec<usize> = (0..game.bots.len())
            .filter(|seat| game.places[*seat] >= place)
            .collect();
        // A single remaining bot is not a choice.
        if rest.len() < 2 {
            continue;
        }
        for seat in rest {
            let bot = game.bots[seat];
            let taken = if game.places[seat] == place { 1.0 } else { 0.0 };
            choices.add_alternative(&[(bot, 1.0), (bots + seat, 1.0)], taken);
            chosen[bot] += taken;
        }
        choices.end_choice();
    }
}

fn misfits(
    bots: usize,
    blocks: &[Vec<PlacedGame>],
    ratings: &Ratings,
    alpha: f64,
) -> Result<Vec<Result<f64, StatsError>>, StatsError> {
    let mut apart: Vec<Vec<f64>> = vec![Vec::new(); bots];
    for block in blocks {
        let mut sums = vec![(0.0, 0usize); bots];
        for game in block {
            // A game without a winner has no implied wins.
            if sum(game.credit.iter().copied()) == 0.0 {
                continue;
            }
            let implied = ratings.chances(&game.bots)?;
            for (seat, bot) in game.bots.iter().enumerate() {
                sums[*bot].0 += game.credit[seat] - implied[seat];
                sums[*bot].1 += 1;
            }
        }
        for (bot, (rest, games)) in sums.into_iter().enumerate() {
            if games > 0 {
                apart[bot].push(rest / count(games));
            }
        }
    }
    Ok(apart.iter().map(|rests| misfit(rests, alpha)).collect())
}

fn misfit(rests: &[f64], alpha: f64) -> Result<f64, StatsError> {
    let found = mean_with_limits(rests, alpha)?;
    found.interval?;
    within("a misfit", found.mean / found.standard_error, -1e9, 1e9)
}
