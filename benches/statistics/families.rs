//! Rates of findings where there is nothing to find: seats, sweeps and ranks.

use risk_stats::fairness::{Fairness, SeatFairness, fairness_of_blocks, fairness_of_counts};
use risk_stats::multiple::{Pair, holm, rank_ranges};
use risk_stats::shares::difference;

use crate::random::{RunStream, percent, runs};

fn line(name: &str, seed: u64, what: &str, found: impl Iterator<Item = bool>) {
    println!("| {name} | {seed} | {what} | {} |", percent(found));
}

fn counts(games: usize, seats: usize, random: &mut RunStream) -> SeatFairness {
    let mut wins = vec![0.0; seats];
    for _ in 0..games {
        wins[random.below(seats)] += 1.0;
    }
    fairness_of_counts(&wins, 0.05, 0.03).expect("a verdict")
}

/// Simulates blocks of as many games as seats; the chances differ from block to block, but not on
/// average.
fn blocks(number: usize, seats: usize, random: &mut RunStream) -> SeatFairness {
    let mut block = || {
        let weights: Vec<f64> = (0..seats).map(|_| libm::exp(random.normal())).collect();
        let total: f64 = weights.iter().sum();
        let chances: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let mut wins = vec![0.0; seats];
        for _ in 0..seats {
            wins[random.pick(&chances)] += 1.0;
        }
        wins
    };
    let all: Vec<Vec<f64>> = (0..number).map(|_| block()).collect();
    fairness_of_blocks(&all, 0.05, 0.03).expect("a verdict")
}

fn seats(number: usize) {
    for (name, seed, games, seats) in [
        ("4 seats, 300 games", 401, 300, 4),
        ("4 seats, 1,000 games", 402, 1000, 4),
        ("6 seats, 1,000 games", 403, 1000, 6),
    ] {
        let all = runs(number, seed, |random| counts(games, seats, random));
        let uneven = |found: &SeatFairness| found.seats.iter().any(|seat| seat.uneven);
        line(name, seed, "some seat uneven", all.iter().map(uneven));
        let unfair = all.iter().map(|found| found.fairness == Fairness::Unfair);
        line(name, seed, "verdict \"unfair\"", unfair);
        let omnibus = all
            .iter()
            .map(|found| found.omnibus.is_ok_and(|p| p <= 0.05));
        line(name, seed, "chi-square, p ≤ .05", omnibus);
    }
    for (name, seed, number_of_blocks, seats) in [
        ("4 seats, 40 blocks", 404, 40, 4),
        ("4 seats, 200 blocks", 405, 200, 4),
        ("6 seats, 100 blocks", 406, 100, 6),
    ] {
        let all = runs(number, seed, |random| {
            blocks(number_of_blocks, seats, random)
        });
        let uneven = |found: &SeatFairness| found.seats.iter().any(|seat| seat.uneven);
        line(name, seed, "some seat uneven", all.iter().map(uneven));
        let omnibus = all
            .iter()
            .map(|found| found.omnibus.is_ok_and(|p| p <= 0.05));
        line(name, seed, "Hotelling, p ≤ .05", omnibus);
    }
    let sweeps = runs(number, 407, |random| {
        let cells: Vec<f64> = (0..20)
            .map(|_| counts(300, 4, random).omnibus.expect("a p-value"))
            .collect();
        let adjusted = holm(&cells).expect("p-values");
        (
            cells.iter().any(|p| *p <= 0.05),
            adjusted.iter().any(|p| *p <= 0.05),
        )
    });
    let name = "20 cells of 300 games";
    line(name, 407, "some p ≤ .05", sweeps.iter().map(|run| run.0));
    line(
        name,
        407,
        "some p ≤ .05 after Holm's correction",
        sweeps.iter().map(|run| run.1),
    );
}

fn ranks(number: usize) {
    for (name, seed, blocks) in [
        ("6 equal bots, 25 blocks", 408, 25),
        ("6 equal bots, 100 blocks", 409, 100),
    ] {
        let all = runs(number, seed, |random| {
            let mut shares = vec![Vec::new(); 6];
            for _ in 0..blocks {
                let mut wins = [0.0; 6];
                for _ in 0..6 {
                    wins[random.below(6)] += 1.0 / 6.0;
                }
                for (bot, share) in wins.into_iter().enumerate() {
                    shares[bot].push(share);
                }
            }
            let mut pairs = Vec::new();
            for left in 0..6 {
                for right in left + 1..6 {
                    let found = difference(&shares[left], &shares[right], 0.05).expect("a mean");
                    pairs.push(Pair {
                        left,
                        right,
                        difference: found.mean,
                        p_value: found.p_value.expect("enough blocks"),
                    });
                }
            }
            let ranges = rank_ranges(6, &pairs, 0.05).expect("ranks");
            ranges.iter().any(|range| range.best > 1 || range.worst < 6)
        });
        line(name, seed, "some bot surely better", all.into_iter());
    }
}

pub(crate) fn report(number: usize) {
    println!("## Families of statements where nothing is to be found\n");
    println!("{number} runs per row, alpha = .05.\n");
    println!("| family | seed | what | % |");
    println!("|---|---|---|---|");
    seats(number);
    ranks(number);
    println!();
}
