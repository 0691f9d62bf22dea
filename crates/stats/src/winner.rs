//! The winner as a choice: P(the bot in seat s wins) = exp(θ_bot + γ_s)/Σ exp(θ + γ).
//!
//! For designs in which not all bots meet equally, and for predictions; in complete designs the
//! shares say more with less. A game without a winner says nothing here.
//!
//! Seats may be held by bots that are not rated. Under this model the chances of the others, given
//! that one of them wins, do not depend on who else plays (the choice axiom of Luce 1959), so each
//! game is a choice among the rated bots alone. A game won by an unrated bot says nothing.

use crate::choice::Choices;
use crate::error::{StatsError, same_length, within};
use crate::moments::sum;
use crate::ratings::{Ratings, Seating, rate, seats_of};

/// The bot in each seat of a game, and the winner.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatedGame {
    /// The bot in each seat, from 0; `None` for a bot that is not rated.
    pub bots: Vec<Option<usize>>,
    /// Each seat's part of the win: 1 for the winner, 1/k for each of k that share it, 0 everywhere
    /// if nobody won.
    pub credit: Vec<f64>,
}

impl SeatedGame {
    /// Makes a game whose bots are all rated.
    #[must_use]
    pub fn of(bots: &[usize], credit: Vec<f64>) -> Self {
        let bots = bots.iter().copied().map(Some).collect();
        Self { bots, credit }
    }

    /// Returns seat, bot and credit of each rated bot.
    fn rated(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let seats = self.bots.iter().zip(&self.credit).enumerate();
        seats.filter_map(|(seat, (bot, credit))| Some((seat, (*bot)?, *credit)))
    }
}

/// Returns the ratings of `bots` bots from the winners of the games, which come in blocks.
///
/// `anchor` is the bot to compare the others with; `None` takes the one with the most wins. Limits
/// are wrong with a chance of `alpha`. Bots with fewer than [`MIN_WINS`](crate::MIN_WINS) wins have
/// no rating.
///
/// # Errors
/// Returns an error if there are fewer than [`MIN_BLOCKS`](crate::MIN_BLOCKS) blocks, the anchor
/// has too few wins, some bots never met the others, a game is ill-formed, or the fit fails.
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
            // A single rated bot is no choice.
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

/// Checks that each seat has a credit, and that the credits sum to 1 or 0.
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
