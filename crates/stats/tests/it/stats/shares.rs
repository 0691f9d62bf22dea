//! Shares, differences, Elo, Holm, ranks and adjusted shares; odd figures come from scipy.

use risk_stats::adjusted::adjusted_share;
use risk_stats::moments::{mean, mean_with_limits};
use risk_stats::multiple::{Pair, RankRange, bonferroni, holm, rank_ranges};
use risk_stats::shares::{difference, elo, elo_limits, share, share_of_counts};
use risk_stats::{Interval, StatsError};

use super::small_random::SplitMix;

const BLOCKS: [f64; 12] = [
    0.25, 0.5, 0.0, 0.25, 0.75, 0.25, 0.0, 0.5, 0.25, 0.25, 0.5, 0.0,
];

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-10, "{found}, not {expected}");
}

#[test]
fn a_share_with_its_design_effect() {
    let found = share(&BLOCKS, 4, 0.05).unwrap();
    close(found.share, 0.2916666666666667);
    close(found.design_effect, 1.0634071810542398);
    let limits = found.interval.unwrap();
    close(limits.low, 0.16892032114578678);
    close(limits.high, 0.4547967988938926);
    let wins: Vec<f64> = BLOCKS.iter().map(|mean| mean * 4.0).collect();
    let counted = share_of_counts(&wins, &[4.0; 12], 0.05).unwrap();
    close(counted.design_effect, found.design_effect);
    close(counted.interval.unwrap().low, limits.low);
}

#[test]
fn shares_at_the_edges() {
    let never = share(&[0.0; 20], 4, 0.05).unwrap();
    assert_eq!((never.share, never.design_effect), (0.0, 1.0));
    let limits = never.interval.unwrap();
    assert_eq!(limits.low, 0.0);
    assert!((0.04..0.07).contains(&limits.high), "{limits:?}");
    let always = share(&[1.0; 20], 4, 0.05).unwrap().interval.unwrap();
    assert_eq!(always.high, 1.0);
    close(always.low, 1.0 - limits.high);
    for blocks in 10..100 {
        let found = |value: f64| share(&vec![value; blocks], 3, 0.05).unwrap();
        assert_eq!(found(0.0).interval.unwrap().low, 0.0);
        assert_eq!(found(1.0).interval.unwrap().high, 1.0);
        // Twins: no variance, though 1/3 is no binary number.
        let twins = found(1.0 / 3.0);
        assert_eq!(twins.design_effect, 1.0, "{blocks} blocks");
        assert!(twins.interval.unwrap().half_width() > 0.04);
    }
}

#[test]
fn shares_that_say_why_there_are_none() {
    let few = share(&BLOCKS[..9], 4, 0.05).unwrap();
    let why = few.interval.unwrap_err();
    assert_eq!(
        why,
        StatsError::TooFewBlocks {
            blocks: 9,
            needed: 10
        }
    );
    let text = why.to_string();
    assert!(text.contains('9') && text.contains("10"), "{text}");
    close(few.share, 2.75 / 9.0);
    assert_eq!(share(&[], 4, 0.05), Err(StatsError::NoData));
    assert!(share(&[f64::NAN; 12], 4, 0.05).is_err());
    assert!(share(&[1.5; 12], 4, 0.05).is_err());
    assert!(share(&BLOCKS, 4, 0.0).is_err());
    assert_eq!(mean(&[]), Err(StatsError::NoData));
    assert!(mean(&[1.0, f64::INFINITY]).is_err());
}

#[test]
fn a_difference_of_two_bots() {
    let other = [
        0.5, 0.25, 0.25, 0.0, 0.0, 0.25, 0.5, 0.25, 0.25, 0.5, 0.0, 0.0,
    ];
    let found = difference(&BLOCKS, &other, 0.05).unwrap();
    close(found.mean, 0.0625);
    let limits = found.interval.unwrap();
    close(limits.low, -0.16340984890680277);
    close(limits.high, 0.28840984890680277);
    close(found.p_value.unwrap(), 0.5549427659576156);
    assert!(difference(&BLOCKS, &other[1..], 0.05).is_err());
}

#[test]
fn blocks_that_are_all_alike_have_no_limits() {
    let twins = difference(&BLOCKS, &BLOCKS, 0.05).unwrap();
    assert_eq!((twins.mean, twins.p_value), (0.0, Ok(1.0)));
    assert_eq!(twins.interval, Err(StatsError::NoVariation));
    let ahead = difference(&[1.0; 12], &[0.0; 12], 0.05).unwrap();
    // The sign test: all twelve on one side.
    assert_eq!(ahead.p_value, Ok(1.0 / 2048.0));
    assert!(mean_with_limits(&[0.5; 9], 0.05).unwrap().p_value.is_err());
}

#[test]
fn elo_against_the_table() {
    close(elo(0.25, 4).unwrap().unwrap(), 0.0);
    close(elo(10.0 / 11.0, 2).unwrap().unwrap(), 400.0);
    assert_eq!(elo(0.0, 4), Ok(None));
    let limits = elo_limits(
        Interval {
            low: 0.0,
            high: 0.5,
        },
        3,
    );
    let limits = limits.unwrap();
    assert_eq!(limits.low, None);
    close(limits.high.unwrap(), 120.41199826559248);
    assert!(elo(0.5, 1).is_err() && elo(1.5, 4).is_err());
}

#[test]
fn holm_in_the_order_given() {
    let found = holm(&[0.04, 0.01, 0.03, 0.5]).unwrap();
    for (p, expected) in found.into_iter().zip([0.09, 0.04, 0.09, 0.5]) {
        close(p, expected);
    }
    assert_eq!(holm(&[0.9, 0.8]), Ok(vec![1.0, 1.0]));
    assert!(holm(&[f64::NAN]).is_err());
    assert_eq!(holm(&[]), Ok(vec![]));
    close(bonferroni(0.05, 4).unwrap(), 0.0125);
}

#[test]
fn ranks_are_ranges() {
    let pair = |left, right, difference, p_value| Pair {
        left,
        right,
        difference,
        p_value,
    };
    let pairs = [
        pair(0, 1, 0.2, 0.001),
        pair(2, 0, -0.3, 0.0001),
        pair(1, 2, 0.1, 0.06),
    ];
    let range = |best, worst| RankRange { best, worst };
    assert_eq!(
        rank_ranges(3, &pairs, 0.05),
        Ok(vec![range(1, 1), range(2, 3), range(2, 3)])
    );
    // .03 alone would be significant; among three it is not.
    let weak = [
        pair(0, 1, 0.2, 0.03),
        pair(0, 2, 0.2, 0.9),
        pair(1, 2, 0.2, 0.9),
    ];
    assert_eq!(rank_ranges(3, &weak, 0.05), Ok(vec![range(1, 3); 3]));
    let twice = [pair(0, 1, 0.2, 0.9), pair(1, 0, -0.2, 0.9)];
    assert!(rank_ranges(3, &twice, 0.05).is_err());
    assert!(rank_ranges(3, &[pair(1, 1, 0.0, 1.0)], 0.05).is_err());
    assert!(rank_ranges(2, &[pair(0, 2, 0.2, 0.9)], 0.05).is_err());
}

#[test]
fn an_adjusted_share_is_the_constant_of_a_regression() {
    let luck = [
        0.3, -0.1, -0.4, 0.2, 0.5, -0.2, -0.6, 0.3, 0.1, 0.0, 0.2, -0.5,
    ];
    let found = adjusted_share(&BLOCKS, 4, &[&luck], 0.05).unwrap();
    close(found.raw, 0.2916666666666667);
    close(found.share, 0.3008104738154615);
    close(found.coefficients[0], 0.5486284289276812);
    close(found.standard_error, 0.041063212616969304);
    assert!(found.saved > 0.5 && found.interval.contains(0.3));
    let constant = [1.0; 12];
    let alike = adjusted_share(&BLOCKS, 4, &[&constant], 0.05);
    assert_eq!(alike, Err(StatsError::Singular));
    let twice = adjusted_share(&BLOCKS, 4, &[&luck, &luck], 0.05);
    assert_eq!(twice, Err(StatsError::Singular));
    let few = adjusted_share(&BLOCKS[..10], 4, &[&luck[..10]], 0.05);
    assert!(matches!(few, Err(StatsError::TooFewBlocks { .. })));
}

/// The coverage of Wilson's limits with the design effect, in a small run; `benches/statistics` has
/// the large one.
#[test]
fn limits_hold_as_often_as_they_say() {
    let mut random = SplitMix::new(11);
    let runs = 1000;
    let mut held = 0;
    for _ in 0..runs {
        let blocks: Vec<f64> = (0..40)
            .map(|_| {
                // Each block has a chance of its own, .25 on average.
                let chance = if random.unit() < 0.5 { 0.05 } else { 0.45 };
                let wins = (0..4).filter(|_| random.unit() < chance).count();
                wins as f64 / 4.0
            })
            .collect();
        let limits = share(&blocks, 4, 0.05).unwrap().interval.unwrap();
        held += usize::from(limits.contains(0.25));
    }
    assert!((925..=975).contains(&held), "{held} of {runs}");
}
