//! Errors and length of the sequential test, and coverage of the limits after it.

use risk_stats::Interval;
use risk_stats::confidence::{limits, sequence};
use risk_stats::moments::mean_with_limits;
use risk_stats::sequential::{Hypotheses, SequentialTest, Verdict};

use crate::random::{RunStream, average, percent, runs};

const SIGNED: Interval = Interval {
    low: -1.0,
    high: 1.0,
};

struct Distribution {
    name: &'static str,
    seed: u64,
    d1: f64,
    mean: f64,
    block: fn(&mut RunStream) -> f64,
}

/// 1, 0 or −1.
fn decided(random: &mut RunStream, won: f64, lost: f64) -> f64 {
    1.0 - random.pick(&[won, 1.0 - won - lost, lost]) as f64
}

/// Eight games; half the blocks have the same end in all of them.
fn overdispersed(random: &mut RunStream, won: f64, lost: f64) -> f64 {
    if random.unit() < 0.5 {
        return decided(random, won, lost);
    }
    let sum: f64 = (0..8).map(|_| decided(random, won, lost)).sum();
    sum / 8.0
}

/// Four swapped pairs, each played alike by both with a chance of .7, so that it gives 0.
fn swapped(random: &mut RunStream, won: f64, lost: f64) -> f64 {
    let pair = |random: &mut RunStream| {
        if random.unit() < 0.7 {
            0.0
        } else {
            decided(random, won, lost) + decided(random, won, lost)
        }
    };
    let sum: f64 = (0..4).map(|_| pair(random)).sum();
    sum / 8.0
}

fn laws() -> Vec<Distribution> {
    let law = |name, seed, d1, mean, block| Distribution {
        name,
        seed,
        d1,
        mean,
        block,
    };
    vec![
        law("wins .35, losses .35, at d0", 201, 0.05, 0.0, |r| {
            decided(r, 0.35, 0.35)
        }),
        law("wins .375, losses .325, at d1", 202, 0.05, 0.05, |r| {
            decided(r, 0.375, 0.325)
        }),
        law("overdispersed (ρ = .5), at d0", 203, 0.05, 0.0, |r| {
            overdispersed(r, 0.35, 0.35)
        }),
        law("overdispersed (ρ = .5), at d1", 204, 0.05, 0.05, |r| {
            overdispersed(r, 0.375, 0.325)
        }),
        law("rare wins .06, losses .01, at d1", 205, 0.05, 0.05, |r| {
            decided(r, 0.06, 0.01)
        }),
        law("skewed: −1 or .25, at d0", 206, 0.05, 0.0, |r| {
            if r.unit() < 0.2 { -1.0 } else { 0.25 }
        }),
        law("rare win 1, small loss .05, at d1", 207, 0.05, 0.05, |r| {
            if r.unit() < 0.1 / 1.05 { 1.0 } else { -0.05 }
        }),
        law("twins, 94 % zero, at d1", 208, 0.05, 0.05, |r| {
            decided(r, 0.055, 0.005)
        }),
        law("twins, 98 % zero, d1 = .01, at d1", 209, 0.01, 0.01, |r| {
            decided(r, 0.015, 0.005)
        }),
        law("swapped pairs, 70 % alike, at d0", 210, 0.05, 0.0, |r| {
            swapped(r, 0.35, 0.35)
        }),
        law("swapped pairs, 70 % alike, at d1", 211, 0.05, 0.05, |r| {
            swapped(r, 0.35 + 1.0 / 12.0, 0.35 - 1.0 / 12.0)
        }),
        law("halfway, wins .3625, losses .3375", 212, 0.05, 0.025, |r| {
            decided(r, 0.3625, 0.3375)
        }),
    ]
}

struct TestRun {
    verdict: Verdict,
    blocks: f64,
    held: bool,
    t_held: bool,
}

fn play(law: &Distribution, random: &mut RunStream) -> TestRun {
    let mut test = SequentialTest::new(Hypotheses {
        d0: 0.0,
        d1: law.d1,
        alpha: 0.05,
        beta: 0.05,
        max_blocks: 200_000,
    })
    .expect("hypotheses");
    let mut blocks = Vec::new();
    while test.verdict() == Verdict::Running {
        let x = (law.block)(random);
        blocks.push(x);
        test.push(x).expect("a difference");
    }
    let limits = limits(&blocks, SIGNED, 0.05).expect("limits");
    let t = mean_with_limits(&blocks, 0.05).expect("a mean").interval;
    TestRun {
        verdict: test.verdict(),
        blocks: blocks.len() as f64,
        held: limits.contains(law.mean),
        t_held: t.is_ok_and(|limits| limits.contains(law.mean)),
    }
}

/// Wrong verdicts and blocks of each law, and misses of the limits after the end.
pub(crate) fn report(number: usize) {
    println!("## Sequential test, alpha = beta = .05, d0 = 0, d1 = .05\n");
    println!(
        "{number} runs per row. The standard error of 5 % is {:.2} %.\n",
        { 100.0 * libm::sqrt(0.05 * 0.95 / number as f64) }
    );
    println!(
        "| blocks | seed | better | not better | wrong | blocks, mean | confidence sequence misses | t limits miss |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for law in laws() {
        let all = runs(number, law.seed, |random| play(&law, random));
        let said = |verdict| percent(all.iter().map(|ended| ended.verdict == verdict));
        let wrong = if law.mean <= 0.0 {
            said(Verdict::Better)
        } else if law.mean >= law.d1 {
            said(Verdict::NotBetter)
        } else {
            "–".to_owned()
        };
        println!(
            "| {} | {} | {} | {} | {wrong} | {:.0} | {} | {} |",
            law.name,
            law.seed,
            said(Verdict::Better),
            said(Verdict::NotBetter),
            average(all.iter().map(|ended| ended.blocks)),
            percent(all.iter().map(|ended| !ended.held)),
            percent(all.iter().map(|ended| !ended.t_held)),
        );
    }
    println!();
    widths(number / 10);
}

/// Widths at fixed numbers of blocks against those of t limits, and misses at any of many times.
fn widths(number: usize) {
    const AT: [usize; 5] = [25, 100, 400, 1600, 6400];
    println!("## Confidence sequence over 6,400 blocks\n");
    println!(
        "{number} runs per row. The columns for 25 to 6,400 blocks show the width, relative to t limits \
         at a number of blocks fixed in advance. \"Misses\" is the percentage of runs in which the \
         limits miss at any of 60 times, spaced about evenly on a logarithmic scale.\n"
    );
    println!("| blocks | seed | 25 | 100 | 400 | 1,600 | 6,400 | misses |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut times: Vec<usize> = (0..60)
        .map(|step| libm::exp(f64::from(step) * libm::log(6400.0) / 59.0 + 1e-9) as usize)
        .collect();
    times.dedup();
    for law in laws() {
        let all = runs(number, law.seed + 1000, |random| {
            let blocks: Vec<f64> = (0..6400).map(|_| (law.block)(random)).collect();
            let spread = mean_with_limits(&blocks, 0.05)
                .expect("a mean")
                .standard_error
                * 80.0;
            let found = sequence(&blocks, SIGNED, 0.05, &AT).expect("limits");
            let widths: Vec<f64> = found
                .iter()
                .zip(AT)
                .map(|(limits, at)| limits.half_width() * libm::sqrt(at as f64) / (1.96 * spread))
                .collect();
            let path = sequence(&blocks, SIGNED, 0.05, &times).expect("limits");
            let missed = path.iter().any(|limits| !limits.contains(law.mean));
            (widths, missed)
        });
        print!("| {} | {} |", law.name, law.seed + 1000);
        for at in 0..AT.len() {
            print!(
                " {:.2} |",
                average(all.iter().map(|(widths, _)| widths[at]))
            );
        }
        println!(" {} |", percent(all.iter().map(|(_, missed)| *missed)));
    }
    println!();
}
