//! A model of the winner as a choice: P(the bot in seat s wins) = exp(θ_bot + γ_s)/Σ exp(θ + γ).
//!
//! Use this model for predictions and for designs in which not all bots meet equally often. In
//! complete designs, shares are simpler and more informative. Games without a winner are ignored.
//!
//! Some seats may have bots that are not rated. In this model, given that a rated bot wins, the
//! rated bots' chances do not depend on the other players (the choice axiom of Luce 1959). Each
//! game is therefore a choice among the rated bots alone. Games won by an unrated bot are ignored.

use crate::choice::Choices;
use crate::error::{StatsError, same_length, within};
use crate::moments::sum;
use crate::ratings::{Ratings, Seating, rate, seats_of};

/// The bot in each seat of a game, and the winner.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatedGame {
    /// The bot in each seat, from 0; `None` for a bot that is not rated.
    pub bots: Vec<Option<usize>>,
    /// Each seat's part of the win: 1 for the winner, or 1/k for each of k winners. All parts are 0
    /// if there is no winner.
    pub credit: Vec<f64>,
}

impl SeatedGame {
    /// Creates a game in which all bots are rated.
    #[must_use]
    pub fn of(bots: &[usize], credit: Vec<f64>) -> Self {
        let bots = bots.iter().copied().map(Some).collect();
        Self { bots, credit }
    }

    /// Returns the seat, bot and credit of each rated bot.
    fn rated(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let seats = self.bots.iter().zip(&self.credit).enumerate();
        seats.filter_map(|(seat, (bot, credit))| Some((seat, (*bot)?, *credit)))
    }
}

/// Returns the ratings of `bots` bots from the winners of games in blocks.
///
/// `anchor` is the bot to compare the others with. If it is `None`, the bot with the most wins is
/// the anchor. `alpha` is the probability that limits are wrong. Bots with fewer than
/// [`MIN_WINS`](crate::MIN_WINS) wins have no rating.
///
/// # Errors
/// Returns an error if there are fewer than [`MIN_BLOCKS`](crate::MIN_BLOCKS) blocks, if the anchor
/// has too few wins, if some bots never met the others, if a game is ill-formed, or if the fit
/// fails.
pub fn rate_winners(
    bots: usize,
    blocks: &[Vec<SeatedGame>],
    anchor: Option<usize>,
    alpha: f64,
) -> Result<Ratings, StatsError> {
    let games = blocks.iter().flatten();
    let seats = seats_of(
        bots,
        games.map(|game| Seating {
            seats: game.bots.len(),
            bots: game.rated().map(|(_, bot, _)| bot).collect(),
        }),
    )?;
    let mut choices = Choices::new(bots + seats, 2);
    let mut wins = vec![0.0; bots];
    for block in blocks {
        for game in block {
            check_credit(&game.bots, &game.credit)?;
            let won = sum(game.rated().map(|(_, _, credit)| credit)) > 0.0;
            // A single rated bot is not a choice.
            if !won || game.rated().count() < 2 {
                continue;
            }
            for (seat, bot, credit) in game.rated() {
                choices.add_alternative(&[(bot, 1.0), (bots + seat, 1.0)], credit);
                wins[bot] += credit;
            }
            choices.end_choice();
        }
        choices.end_block();
    }
    rate(&choices, wins, seats, anchor, alpha)
}

/// Checks that each seat has a credit and that the sum of the credits is 1 or 0.
pub(crate) fn check_credit<T>(seats: &[T], credit: &[f64]) -> Result<(), StatsError> {
    same_length("credits of the seats", seats.len(), credit.len())?;
    for part in credit {
        within("a credit", *part, 0.0, 1.0)?;
    }
    let all = sum(credit.iter().copied());
    if all == 0.0 {
        return Ok(());
    }
    within("the credit of a game", all, 1.0 - 1e-9, 1.0 + 1e-9)?;
    Ok(())
}
