//! Places as successive choices: first the winner, then the best of the rest, and so on.
//!
//! This is the model of Plackett (1975) and Luce (1959) with a term for each seat. Bots that share
//! a place are each chosen from the same rest. It uses more of a game than the winner does, but its
//! ratings only supplement those of winners: bots that survive long need not win. The misfit
//! measures this: a bot's share of wins less the one that the model implies, in standard errors;
//! beyond 3, places do not measure winning here.

use crate::choice::Choices;
use crate::error::{StatsError, same_length, within};
use crate::moments::{count, mean_with_limits, sum};
use crate::ratings::{Ratings, Seating, rate, seats_of};
use crate::winner::check_credit;

/// The bot in each seat of a game, their places, and the winner.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedGame {
    /// The bot in each seat, from 0.
    pub bots: Vec<usize>,
    /// The place of each seat: 1 is the best, equal ones are shared.
    pub places: Vec<u32>,
    /// Each seat's part of the win, as in [`SeatedGame`](crate::winner::SeatedGame).
    pub credit: Vec<f64>,
}

/// Ratings from places, and how badly they predict winners.
#[derive(Clone, Debug)]
pub struct PlaceRatings {
    /// The ratings; a bot's "wins" count how often it came before another bot.
    pub ratings: Ratings,
    /// For each bot the mean over its blocks of (wins − implied wins), in standard errors, or why
    /// there is none.
    pub misfit: Vec<Result<f64, StatsError>>,
}

/// Returns the ratings of `bots` bots from their places, as [`rate_winners`] does from the winners.
///
/// [`rate_winners`]: crate::winner::rate_winners
///
/// # Errors
/// As `rate_winners`.
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

/// Adds the choices of one game: for each place taken, its bots from those not before it.
fn add_game(choices: &mut Choices, chosen: &mut [f64], bots: usize, game: &PlacedGame) {
    let mut places = game.places.clone();
    places.sort_unstable();
    places.dedup();
    for place in places {
        let rest: Vec<usize> = (0..game.bots.len())
            .filter(|seat| game.places[*seat] >= place)
            .collect();
        // The last bot is no choice.
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
            // A game without a winner has none to imply.
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
