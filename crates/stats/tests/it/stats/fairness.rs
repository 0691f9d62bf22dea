//! The fairness of seats, and Hotelling's test.

use std::cmp::Ordering;

use risk_stats::StatsError;
use risk_stats::distributions::binomial_sf;
use risk_stats::fairness::{
    Fairness, fairness_of_blocks, fairness_of_counts, hotelling, uneven_seats,
};
use risk_stats::shares::wilson;
use risk_stats::slope::{Measurement, slope};

use super::small_random::SplitMix;

#[test]
fn hotelling_as_scipy_has_it() {
    let rows = [
        [-0.11, -0.16, -0.05],
        [0.13, 0.33, 0.02],
        [-0.06, -0.06, 0.15],
        [0.38, 0.15, -0.25],
        [-0.14, 0.42, 0.04],
        [-0.3, 0.08, -0.23],
        [-0.08, 0.0, -0.14],
        [0.16, 0.09, -0.12],
        [0.13, 0.27, -0.33],
        [-0.0, -0.1, -0.03],
        [-0.21, 0.1, -0.01],
        [-0.01, -0.11, -0.08],
        [-0.17, -0.17, 0.04],
        [-0.17, 0.33, 0.14],
    ]
    .map(|row| row.to_vec());
    let p = hotelling(&rows).unwrap();
    assert!((p - 0.13759797096095178).abs() < 1e-12, "{p}");
    let few = hotelling(&rows[..9]);
    assert!(matches!(few, Err(StatsError::TooFewBlocks { .. })));
    let alike = vec![vec![0.1, 0.2]; 20];
    assert_eq!(hotelling(&alike), Err(StatsError::Singular));
}

#[test]
fn verdicts_of_counts() {
    // 4 × 1,300 games tell ±.03 apart; 400 don't.
    for (wins, fairness) in [
        ([1310.0, 1290.0, 1305.0, 1295.0], Fairness::Fair),
        ([100.0, 98.0, 103.0, 99.0], Fairness::CannotTell),
        ([160.0, 80.0, 80.0, 80.0], Fairness::Unfair),
        // One limit alone is beyond the tolerance, the lower one of the first seat.
        ([705.0, 765.0, 765.0, 765.0], Fairness::CannotTell),
        // Significantly uneven, but within the tolerance.
        ([25_600.0, 24_800.0, 24_800.0, 24_800.0], Fairness::Fair),
    ] {
        let found = fairness_of_counts(&wins, 0.05, 0.03).unwrap();
        assert_eq!(found.fairness, fairness, "{found:?}");
    }
    let uneven = fairness_of_counts(&[25_600.0, 24_800.0, 24_800.0, 24_800.0], 0.05, 0.03);
    assert!(uneven.unwrap().seats[0].uneven);
    let lopsided = fairness_of_counts(&[160.0, 80.0, 80.0, 80.0], 0.05, 0.03).unwrap();
    // Chi-square is 48 with 3 degrees of freedom.
    let p = lopsided.omnibus.unwrap();
    assert!((p / 2.1276e-10 - 1.0).abs() < 1e-3, "{p:e}");
    // Each seat's limits are at 1 − .05/4, so that all are right simultaneously.
    let each = wilson(0.4, 400.0, 399.0, 0.0125).unwrap();
    assert_eq!(lopsided.seats[0].interval, each);
    assert!(fairness_of_counts(&[3.0, 4.0], 0.05, 0.03).is_err());
    assert!(fairness_of_counts(&[300.0], 0.05, 0.03).is_err());
    assert!(fairness_of_counts(&[300.0, -1.0], 0.05, 0.03).is_err());
}

#[test]
fn verdicts_of_blocks() {
    let mut random = SplitMix::new(4);
    let mut blocks = |weights: [f64; 3]| -> Vec<Vec<f64>> {
        let mut block = || {
            let mut wins = vec![0.0; 3];
            for _ in 0..3 {
                // One game in ten has no winner.
                if random.unit() > 0.1 {
                    wins[random.pick(&weights)] += 1.0;
                }
            }
            wins
        };
        (0..2000).map(|_| block()).collect()
    };
    let even = fairness_of_blocks(&blocks([1.0, 1.0, 1.0]), 0.05, 0.04).unwrap();
    assert_eq!(even.fairness, Fairness::Fair);
    assert!(even.omnibus.unwrap() > 0.01);
    let mut longer = blocks([1.0, 1.0, 1.0]);
    let short = fairness_of_blocks(&longer, 0.05, 0.04).unwrap();
    longer.extend(vec![vec![0.0; 3]; 500]);
    assert_eq!(fairness_of_blocks(&longer, 0.05, 0.04), Ok(short));
    let uneven = fairness_of_blocks(&blocks([1.3, 1.0, 1.0]), 0.05, 0.04).unwrap();
    assert_eq!(uneven.fairness, Fairness::Unfair);
    assert!(uneven.omnibus.unwrap() < 1e-6);
    let total: f64 = uneven.seats.iter().map(|seat| seat.share).sum();
    assert!((total - 1.0).abs() < 1e-12, "games without winner count");
}

/// Worked out on paper: the weights are 1, 1 and 1/4, the means 5/3 and 16/9, Σw(x−x̄)² is 1 and
/// Σw(x−x̄)(y−ȳ) is 4/3.
#[test]
fn slopes_by_hand() {
    let point = |x, y, standard_error| Measurement {
        x,
        y,
        standard_error,
    };
    let points = [
        point(1.0, 1.0, 1.0),
        point(2.0, 2.0, 1.0),
        point(3.0, 4.0, 2.0),
    ];
    let found = slope(&points, 0.05).unwrap();
    assert!((found.slope - 4.0 / 3.0).abs() < 1e-12, "{found:?}");
    assert!((found.standard_error - 1.0).abs() < 1e-12, "{found:?}");
    assert!(
        (found.interval.half_width() - 1.959_963_984_540_054).abs() < 1e-9,
        "{found:?}"
    );
    assert!((found.p_value - 0.182_422_438_8).abs() < 1e-9, "{found:?}");
    assert_eq!(slope(&points[..1], 0.05), Err(StatsError::Singular));
    assert_eq!(slope(&[points[0]; 3], 0.05), Err(StatsError::Singular));
    assert!(slope(&[point(1.0, 1.0, 0.0), points[1]], 0.05).is_err());
}

/// Returns the verdict on the first of `seats` seats with this number of wins.
fn first_seat(won: u32, games: u32, seats: usize) -> Ordering {
    let mut wins = vec![0.0; seats];
    wins[0] = f64::from(won);
    wins[1] = f64::from(games - won);
    uneven_seats(&wins, 0.01).unwrap()[0]
}

/// Returns the probability that a seat with this chance in each game is said to win more than its
/// share, and that it is said to win less.
fn said(chance: f64, games: u32, seats: usize) -> (f64, f64) {
    let all = f64::from(games);
    let more = (0..=games).find(|&won| first_seat(won, games, seats) == Ordering::Greater);
    let more = more.map_or(0.0, |won| binomial_sf(f64::from(won), all, chance).unwrap());
    let less = (0..=games).rfind(|&won| first_seat(won, games, seats) == Ordering::Less);
    let less = less.map_or(0.0, |won| {
        1.0 - binomial_sf(f64::from(won + 1), all, chance).unwrap()
    });
    (more, less)
}

#[test]
fn fair_seats_are_called_uneven_in_one_percent_of_checks_at_most() {
    for games in [10, 37, 100, 400] {
        for seats in 2..=6 {
            let (more, less) = said(1.0 / seats as f64, games, seats);
            // With two seats, one wins less whenever the other wins more.
            let tests = if seats == 2 { 1.0 } else { seats as f64 };
            let any = tests * (more + less);
            assert!(any <= 0.01 + 1e-9, "{games} games, {seats} seats: {any}");
        }
    }
}

#[test]
fn an_advantage_of_60_to_40_is_found_in_400_games() {
    assert!(said(0.6, 400, 2).0 > 0.9);
    assert!(said(0.4, 400, 2).1 > 0.9);
}

/// P(X ≥ 3) of 5 tries with a chance of 1/4 is (10·9 + 5·3 + 1)/1024.
#[test]
fn binomial_tails_are_exact() {
    let tail = |wins, tries, chance| binomial_sf(wins, tries, chance).unwrap();
    assert!((tail(3.0, 5.0, 0.25) - 106.0 / 1024.0).abs() < 1e-14);
    assert!((tail(5.0, 5.0, 0.5) - 1.0 / 32.0).abs() < 1e-14);
    assert_eq!(tail(0.0, 5.0, 0.5), 1.0);
    // The middle of an odd number of fair tries.
    assert!((tail(5_001.0, 10_001.0, 0.5) - 0.5).abs() < 1e-9);
    assert!(binomial_sf(6.0, 5.0, 0.5).is_err());
    assert!(uneven_seats(&[5.0], 0.01).is_err());
    assert!(uneven_seats(&[0.0, 0.0], 0.01).is_err());
}
