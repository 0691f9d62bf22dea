//! The models: winners and places.

use risk_stats::StatsError;
use risk_stats::places::{PlacedGame, rate_places};
use risk_stats::winner::{SeatedGame, rate_winners};

use super::small_random::SplitMix;

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

fn won(bots: &[usize], winner: usize) -> SeatedGame {
    let mut credit = vec![0.0; bots.len()];
    credit[winner] = 1.0;
    SeatedGame::of(bots, credit)
}

/// Four bots, three seats, 40 blocks, winners by a formula.
fn formula_blocks() -> Vec<Vec<SeatedGame>> {
    let tables = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    let game = |block: usize, k: usize| {
        let table = tables[block % 4];
        let bots = [0, 1, 2].map(|seat| table[(seat + k) % 3]);
        let winner = (block * block + k * k + block / 3 + bots[0] * bots[1]) % 3;
        won(&bots, winner)
    };
    (0..40)
        .map(|block| (0..3).map(|k| game(block, k)).collect())
        .collect()
}

#[test]
fn winners_as_numpy_rates_them() {
    let found = rate_winners(4, &formula_blocks(), None, 0.05).unwrap();
    let wins: Vec<f64> = found.bots.iter().map(|bot| bot.wins).collect();
    assert_eq!((found.anchor, wins), (1, vec![31.0, 32.0, 30.0, 27.0]));
    for (bot, nats, standard_error) in [
        (0, -0.036065352567667186, 0.26082795470526726),
        (2, -0.07297423512774748, 0.26584907032805716),
        (3, -0.18962679831946716, 0.28993053101400373),
    ] {
        let row = found.bots[bot].against_anchor.unwrap();
        close(row.nats, nats);
        close(row.standard_error, standard_error);
        // t with 39 degrees of freedom.
        close(row.interval.high, nats + 2.022690920036762 * standard_error);
    }
    close(found.seats[0].unwrap().nats, -0.02469000670369335);
    let both = found.compare(2, 3).unwrap();
    close(both.nats, -0.07297423512774748 + 0.18962679831946716);
    let chances = found.chances(&[0, 1, 2]).unwrap();
    close(chances.iter().sum(), 1.0);
    assert!(found.chances(&[0, 1, 4]).is_err() && found.compare(0, 4).is_err());
}

#[test]
fn an_order_of_blocks_and_a_game_without_winner_change_nothing() {
    let mut blocks = formula_blocks();
    let before = rate_winners(4, &blocks, Some(0), 0.05).unwrap();
    blocks.reverse();
    for block in &mut blocks {
        block.push(SeatedGame::of(&[0, 1, 2], vec![0.0; 3]));
    }
    let after = rate_winners(4, &blocks, Some(0), 0.05).unwrap();
    for (left, right) in before.bots.iter().zip(&after.bots) {
        let left = left.against_anchor.unwrap();
        let right = right.against_anchor.unwrap();
        close(left.nats, right.nats);
        close(left.standard_error, right.standard_error);
    }
}

/// Two bots and one without a rating, each in each seat equally often: seats are worth nothing
/// then, and the best fit of d = θ₀ − θ₁ solves wins₀ − (wins₀ + wins₁)·σ(d) = d/18.
#[test]
fn bots_without_a_rating_change_nothing_among_the_others() {
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let rated_of = |wins: [usize; 3]| {
        let all: usize = wins.iter().sum();
        let block = |number: usize| {
            let winner = match number {
                first if first < wins[0] => 0,
                second if second < wins[0] + wins[1] => 1,
                _ => 2,
            };
            let game = |order: &[usize; 3]| {
                let credit = order.map(|bot| if bot == winner { 1.0 } else { 0.0 });
                let bots = order.map(|bot| (bot < 2).then_some(bot));
                SeatedGame {
                    bots: bots.to_vec(),
                    credit: credit.to_vec(),
                }
            };
            orders.iter().map(game).collect()
        };
        let blocks: Vec<Vec<SeatedGame>> = (0..all).map(block).collect();
        rate_winners(2, &blocks, Some(1), 0.05).unwrap()
    };
    for wins in [[12, 5, 0], [12, 5, 9], [12, 5, 90], [6, 6, 3]] {
        let found = rated_of(wins);
        let [first, second] = [wins[0], wins[1]].map(|wins| 6.0 * wins as f64);
        let of_bots: Vec<f64> = found.bots.iter().map(|bot| bot.wins).collect();
        assert_eq!(of_bots, [first, second]);
        let nats = found.bots[0]
            .against_anchor
            .map_or(f64::NAN, |row| row.nats);
        let expected = 1.0 / (1.0 + (-nats).exp());
        close(first - (first + second) * expected, nats / 18.0);
    }
}

#[test]
fn bots_that_never_win_have_no_rating() {
    let blocks: Vec<Vec<SeatedGame>> = (0..40)
        .map(|block| vec![won(&[0, 1, 2], block % 2), won(&[1, 2, 0], 2)])
        .collect();
    let found = rate_winners(3, &blocks, None, 0.05).unwrap();
    assert!(found.bots[1].against_anchor.is_ok());
    let never = found.bots[2].against_anchor;
    assert_eq!(
        never,
        Err(StatsError::TooFewWins {
            wins: 0.0,
            needed: 10.0
        })
    );
    assert!(found.compare(0, 2).is_err());
    let why = StatsError::TooFewWins {
        wins: 28.0 / 3.0,
        needed: 10.0,
    };
    let text = why.to_string();
    assert!(text.contains("9.3") && !text.contains("9.33"), "{text}");
    let anchored = rate_winners(3, &blocks, Some(2), 0.05);
    assert!(matches!(anchored, Err(StatsError::AnchorTooFewWins { .. })));
    // A bot that wins all of 24,000 games stays finite.
    let always = vec![vec![won(&[0, 1, 2], 0); 3]; 8000];
    let found = rate_winners(3, &always, None, 0.05).unwrap();
    assert!(found.chances(&[0, 1, 2]).unwrap()[0] > 0.99);
}

#[test]
fn games_that_cannot_be_rated() {
    let blocks = |game: SeatedGame| vec![vec![game]; 12];
    let rate = |game| rate_winners(4, &blocks(game), None, 0.05).map(|_| ());
    assert_eq!(rate(won(&[0, 1], 0)), Err(StatsError::Disconnected));
    assert!(rate(won(&[0, 4], 0)).is_err());
    assert!(rate(won(&[0], 0)).is_err());
    let mut half = won(&[0, 1, 2, 3], 0);
    half.credit[0] = 0.5;
    assert!(rate(half).is_err());
    let few = rate_winners(2, &vec![vec![won(&[0, 1], 0); 3]; 9], None, 0.05);
    assert!(matches!(few, Err(StatsError::TooFewBlocks { .. })));
    let none = rate_winners(2, &[], None, 0.05);
    assert!(matches!(none, Err(StatsError::NoData)));
}

#[test]
fn places_of_two_are_winners() {
    let mut random = SplitMix::new(2);
    let mut winners = Vec::new();
    let mut places = Vec::new();
    for block in 0..60 {
        let table = [[0, 1], [1, 2], [2, 0]][block % 3];
        let mut won_games = Vec::new();
        let mut placed = Vec::new();
        for bots in [table, [table[1], table[0]]] {
            let winner = random.pick(&[1.0 + bots[0] as f64, 1.0 + bots[1] as f64]);
            let game = won(&bots, winner);
            placed.push(PlacedGame {
                bots: bots.to_vec(),
                places: vec![1 + winner as u32, 2 - winner as u32],
                credit: game.credit.clone(),
            });
            won_games.push(game);
        }
        winners.push(won_games);
        places.push(placed);
    }
    let by_winner = rate_winners(3, &winners, None, 0.05).unwrap();
    let by_place = rate_places(3, &places, None, 0.05).unwrap();
    for (left, right) in by_winner.bots.iter().zip(&by_place.ratings.bots) {
        assert_eq!(left, right);
    }
    // The model of winners can't misfit winners by much.
    for misfit in &by_place.misfit {
        assert!(misfit.unwrap().abs() < 1.0, "{misfit:?}");
    }
}

#[test]
fn a_bot_that_survives_but_does_not_win_misfits() {
    let mut random = SplitMix::new(5);
    let mut blocks = Vec::new();
    for _ in 0..60 {
        let mut block = Vec::new();
        for bots in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            // Bot 2 is second unless it wins, one game in ten; 0 and 1 take turns.
            let winner = random.pick(&[0.45, 0.45, 0.1]);
            let places: Vec<u32> = bots
                .iter()
                .map(|bot| match bot {
                    bot if *bot == winner => 1,
                    2 => 2,
                    bot if winner == 2 => 2 + *bot as u32,
                    _ => 3,
                })
                .collect();
            let credit = places.iter().map(|place| f64::from(*place == 1)).collect();
            block.push(PlacedGame {
                bots: bots.to_vec(),
                places,
                credit,
            });
        }
        blocks.push(block);
    }
    let found = rate_places(3, &blocks, Some(0), 0.05).unwrap();
    let misfit = found.misfit[2].unwrap();
    assert!(misfit < -6.0, "{misfit}: it is placed better than it wins");
    let winners = found.misfit[0].unwrap();
    assert!(winners > 2.0, "{winners}");
}

#[test]
fn shared_places_are_even() {
    let game = PlacedGame {
        bots: vec![0, 1, 2],
        places: vec![1, 1, 1],
        credit: vec![1.0 / 3.0; 3],
    };
    let mut turned = game.clone();
    turned.bots = vec![1, 2, 0];
    let blocks = vec![vec![game, turned]; 12];
    let found = rate_places(3, &blocks, Some(0), 0.05).unwrap();
    for bot in &found.ratings.bots[1..] {
        // All blocks are equal, so there is no variation.
        assert_eq!(bot.against_anchor, Err(StatsError::NoVariation));
        assert_eq!(bot.wins, 24.0);
    }
    for chance in found.ratings.chances(&[2, 1, 0]).unwrap() {
        close(chance, 1.0 / 3.0);
    }
}
