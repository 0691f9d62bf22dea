//! The sequential test and the confidence sequence.

use risk_stats::confidence::{limits, points, sequence};
use risk_stats::sequential::{Hypotheses, SequentialTest, Verdict};
use risk_stats::{Interval, StatsError};

use super::small_random::SplitMix;

const USUAL: Hypotheses = Hypotheses {
    d0: 0.0,
    d1: 0.05,
    alpha: 0.05,
    beta: 0.05,
    max_blocks: 100_000,
};

/// Tests blocks in order, up to the verdict or the last block.
fn test_blocks(hypotheses: Hypotheses, blocks: &[f64]) -> Result<SequentialTest, StatsError> {
    let mut test = SequentialTest::new(hypotheses)?;
    for block in blocks {
        if test.push(*block)? != Verdict::Running {
            break;
        }
    }
    Ok(test)
}

const SIGNED: Interval = Interval {
    low: -1.0,
    high: 1.0,
};

#[test]
fn known_ends() {
    let rows: [(&[f64], Verdict, usize); 5] = [
        (&[1.0], Verdict::Better, 12),
        (&[-1.0], Verdict::NotBetter, 12),
        (&[0.0], Verdict::NotBetter, 67),
        (&[0.25], Verdict::Better, 17),
        (&[1.0, -1.0], Verdict::NotBetter, 2454),
    ];
    for (pattern, verdict, blocks) in rows {
        let xs: Vec<f64> = pattern.iter().copied().cycle().take(5000).collect();
        let test = test_blocks(USUAL, &xs).unwrap();
        assert_eq!(
            (test.verdict(), test.blocks()),
            (verdict, blocks),
            "{pattern:?}"
        );
    }
}

#[test]
fn the_verdict_is_a_function_of_the_blocks_before_it() {
    let mut xs = vec![0.25; 17];
    let short = test_blocks(USUAL, &xs).unwrap();
    xs.extend([-1.0; 100]);
    let long = test_blocks(USUAL, &xs).unwrap();
    assert_eq!(short, long);
    let mut pushed = SequentialTest::new(USUAL).unwrap();
    for x in &xs {
        pushed.push(*x).unwrap();
    }
    assert_eq!(pushed, long);
    assert_eq!(pushed.path().len(), 17);
    assert!(pushed.capitals().up >= pushed.bound_up());
    assert!(pushed.path()[15].up < pushed.bound_up());
}

#[test]
fn a_test_ends_undecided() {
    let hypotheses = Hypotheses {
        max_blocks: 12,
        ..USUAL
    };
    let running = test_blocks(hypotheses, &[0.0; 11]).unwrap();
    assert_eq!(running.verdict(), Verdict::Running);
    let ended = test_blocks(hypotheses, &[0.0; 30]).unwrap();
    assert_eq!((ended.verdict(), ended.blocks()), (Verdict::Undecided, 12));
}

#[test]
fn bad_hypotheses_are_refused() {
    let bad = [
        Hypotheses { d1: 0.0, ..USUAL },
        Hypotheses { d0: 0.1, ..USUAL },
        Hypotheses { d0: -1.0, ..USUAL },
        Hypotheses { d1: 1.0, ..USUAL },
        Hypotheses {
            d0: f64::NAN,
            ..USUAL
        },
        Hypotheses {
            alpha: 0.0,
            ..USUAL
        },
        Hypotheses {
            alpha: 0.5,
            ..USUAL
        },
        Hypotheses { beta: 0.7, ..USUAL },
        Hypotheses {
            max_blocks: 11,
            ..USUAL
        },
    ];
    for hypotheses in bad {
        let found = SequentialTest::new(hypotheses);
        assert!(
            matches!(found, Err(StatsError::OutOfRange { .. })),
            "{hypotheses:?}"
        );
    }
    let mut test = SequentialTest::new(USUAL).unwrap();
    assert!(test.push(1.5).is_err() && test.push(f64::NAN).is_err());
    assert_eq!(test.blocks(), 0);
}

/// The chance of a wrong verdict at d0, in a small run: rare wins that balance many small losses.
#[test]
fn errors_stay_below_alpha() {
    let mut random = SplitMix::new(7);
    let runs = 600;
    let mut wrong = 0;
    for _ in 0..runs {
        let mut test = SequentialTest::new(USUAL).unwrap();
        while test.verdict() == Verdict::Running {
            let x = if random.unit() < 0.2 { -1.0 } else { 0.25 };
            test.push(x).unwrap();
        }
        wrong += usize::from(test.verdict() == Verdict::Better);
    }
    assert!(wrong <= 46, "{wrong} of {runs}, 30 are the most expected");
}

#[test]
fn a_confidence_sequence_begins_wide_and_closes_in() {
    assert_eq!(limits(&[], SIGNED, 0.05), Ok(SIGNED));
    let mut random = SplitMix::new(3);
    let xs: Vec<f64> = (0..4000)
        .map(|_| random.pick(&[0.35, 0.30, 0.35]) as f64 - 1.0)
        .collect();
    let found = sequence(&xs, SIGNED, 0.05, &[10, 100, 1000, 4000]).unwrap();
    for pair in found.windows(2) {
        assert!(pair[1].half_width() < pair[0].half_width());
    }
    assert!(found.iter().all(|limits| limits.contains(0.0)));
    let all = limits(&xs, SIGNED, 0.05).unwrap();
    assert_eq!(all, found[3]);
    // 1.96·√(.7/4000) = .026 is the half width for a fixed number of blocks.
    assert!((0.026..0.047).contains(&all.half_width()), "{all:?}");
    // Negated values have negated limits.
    let turned: Vec<f64> = xs.iter().map(|x| -x).collect();
    let other = limits(&turned, SIGNED, 0.05).unwrap();
    assert!((other.low + all.high).abs() < 1e-9 && (other.high + all.low).abs() < 1e-9);
}

#[test]
fn limits_as_numpy_finds_them() {
    let block = |i: usize| ((i * i + i / 3) % 5) as f64 / 2.0 - 1.0;
    let xs: Vec<f64> = (0..120).map(block).collect();
    let found = limits(&xs, SIGNED, 0.05).unwrap();
    assert!(
        (found.low + 0.215_560_959_940_075).abs() < 1e-8,
        "{found:?}"
    );
    assert!(
        (found.high - 0.229_988_678_891_752).abs() < 1e-8,
        "{found:?}"
    );
}

#[test]
fn constant_blocks_have_narrow_limits_that_hold_them() {
    for x in [-1.0, 0.0, 0.3, 1.0] {
        let found = limits(&vec![x; 300], SIGNED, 0.05).unwrap();
        assert!(found.contains(x), "{found:?} does not hold {x}");
        assert!(found.half_width() < 0.06, "{found:?}");
        assert!(found.low >= -1.0 && found.high <= 1.0);
    }
    assert!(limits(&[2.0], SIGNED, 0.05).is_err());
}

#[test]
fn points_of_a_picture() {
    assert_eq!(points(3, 10), [1, 2, 3]);
    assert_eq!(points(100, 4), [25, 50, 75, 100]);
    assert_eq!(points(0, 4), Vec::<usize>::new());
    assert_eq!(points(5, 0), Vec::<usize>::new());
}
