//! Coverage of the limits of shares and ratings: how often they hold the truth.

use risk_lab::tournament::Design;
use risk_stats::moments::mean_with_limits;
use risk_stats::shares::{ELO_PER_NAT, share, wilson};
use risk_stats::winner::{SeatedGame, rate_winners};

use crate::random::{RunStream, average, percent, runs};

#[derive(Clone, Copy)]
enum Kind {
    All,
    Balanced,
    GauntletOfBot0,
}

/// The number of blocks from which the truth is computed, with chances instead of draws.
const TRUTH: usize = 105_000;

/// Bots, seats and effects that differ from block to block.
struct Scenario {
    name: &'static str,
    seed: u64,
    kind: Kind,
    seats: usize,
    blocks: usize,
    theta: &'static [f64],
    bot_sd: f64,
    seat_sd: f64,
}

const FOUR: &[f64] = &[0.5, 0.2, -0.1, -0.6];
const EIGHT: &[f64] = &[0.6, 0.4, 0.2, 0.0, 0.0, -0.2, -0.4, -0.6];
const LOPSIDED: &[f64] = &[0.0, -1.85, -3.0, -6.0];
const GAMMA: [f64; 6] = [0.3, 0.1, 0.0, -0.1, -0.1, -0.2];

fn model(name: &'static str, seed: u64, seats: usize, blocks: usize) -> Scenario {
    Scenario {
        name,
        seed,
        kind: Kind::All,
        seats,
        blocks,
        theta: FOUR,
        bot_sd: 0.8,
        seat_sd: 0.5,
    }
}

fn models() -> Vec<Scenario> {
    let balanced = |name, seed, blocks| Scenario {
        kind: Kind::Balanced,
        theta: EIGHT,
        ..model(name, seed, 4, blocks)
    };
    vec![
        model("4,4,25", 101, 4, 25),
        model("4,4,50", 102, 4, 50),
        model("4,4,100", 103, 4, 100),
        model("4,4,200", 104, 4, 200),
        Scenario {
            bot_sd: 1.6,
            ..model("4,4,100, bot sd 1.6", 105, 4, 100)
        },
        Scenario {
            theta: LOPSIDED,
            ..model("4,4,100, lopsided", 106, 4, 100)
        },
        Scenario {
            theta: &[0.2, -0.2],
            ..model("2,2,50", 107, 2, 50)
        },
        Scenario {
            theta: &[0.5, 0.3, 0.1, -0.1, -0.3, -0.5],
            ..model("6,6,50", 108, 6, 50)
        },
        balanced("8,4,40 balanced", 109, 40),
        balanced("8,4,80 balanced", 110, 80),
        Scenario {
            kind: Kind::GauntletOfBot0,
            theta: EIGHT,
            ..model("8,4,70 gauntlet of bot 0", 111, 4, 70)
        },
    ]
}

impl Scenario {
    fn design(&self) -> Design {
        let bots = self.theta.len();
        let blocks = self.blocks as u64;
        let made = match self.kind {
            Kind::All => Design::all(bots, self.seats, blocks),
            Kind::Balanced => Design::balanced(bots, self.seats, blocks),
            Kind::GauntletOfBot0 => Design::gauntlet(&[0], bots, self.seats, blocks),
        };
        made.expect("blocks are whole cycles")
    }

    /// Returns the games of a block with the chance of each seat.
    fn chances(&self, table: &[usize], random: &mut RunStream) -> Vec<(Vec<usize>, Vec<f64>)> {
        let bots: Vec<f64> = table
            .iter()
            .map(|bot| self.theta[*bot] + self.bot_sd * random.normal())
            .collect();
        let seats: Vec<f64> = (0..self.seats)
            .map(|seat| GAMMA[seat] + self.seat_sd * random.normal())
            .collect();
        let order = drawn_order(self.seats, |n| random.below(n));
        let places: Vec<usize> = (0..self.seats).collect();
        rotations(&places, &order)
            .into_iter()
            .map(|seating| {
                let mut weights: Vec<f64> = seating
                    .iter()
                    .zip(&seats)
                    .map(|(at, seat)| libm::exp(bots[*at] + seat))
                    .collect();
                let total: f64 = weights.iter().sum();
                for weight in &mut weights {
                    *weight /= total;
                }
                (seating.iter().map(|at| table[*at]).collect(), weights)
            })
            .collect()
    }

    /// Returns the shares and ratings that endless blocks would give.
    fn truth(&self) -> (Vec<f64>, Vec<f64>) {
        let design = self.design();
        let whole = self.blocks;
        let mut random = RunStream::new(self.seed, usize::MAX);
        let mut sums = vec![0.0; self.theta.len()];
        let mut games = vec![0.0; self.theta.len()];
        let mut blocks = Vec::new();
        for block in 0..TRUTH / whole * whole {
            let table = design.table((block % whole) as u64);
            let played = self.chances(&table, &mut random);
            for (bots, chances) in &played {
                for (bot, chance) in bots.iter().zip(chances) {
                    sums[*bot] += chance;
                    games[*bot] += 1.0;
                }
            }
            let seated = played.into_iter();
            blocks.push(
                seated
                    .map(|(bots, credit)| SeatedGame::of(&bots, credit))
                    .collect(),
            );
        }
        let shares = sums.iter().zip(&games).map(|(sum, games)| sum / games);
        let ratings = rate_winners(self.theta.len(), &blocks, Some(0), 0.05).expect("a fit");
        let nats = ratings.bots.iter();
        (
            shares.collect(),
            nats.map(|bot| bot.against_anchor.map_or(0.0, |contrast| contrast.nats))
                .collect(),
        )
    }
}

/// Returns a random circular order of `n` places, with the first in its place.
fn drawn_order(n: usize, mut below: impl FnMut(usize) -> usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for last in (2..n).rev() {
        let other = 1 + below(last).min(last - 1);
        order.swap(last, other);
    }
    order
}

fn rotations(places: &[usize], order: &[usize]) -> Vec<Vec<usize>> {
    let count = order.len();
    let seat = |k: usize| {
        (0..count)
            .map(|seat| places[order[(seat + k) % count]])
            .collect()
    };
    (0..count).map(seat).collect()
}

/// The results of one tournament for one bot: whether limits hold, and half their widths.
#[derive(Clone, Copy, Default)]
struct LimitCoverage {
    wilson: bool,
    plain: bool,
    t: bool,
    half_share: f64,
    /// Against bot 0, if it has a rating.
    named: Option<(bool, f64)>,
    /// Against the bot with the most wins.
    usual: Option<bool>,
}

fn tournament(
    model: &Scenario,
    design: &Design,
    truth: &(Vec<f64>, Vec<f64>),
    random: &mut RunStream,
) -> Vec<LimitCoverage> {
    let bots = model.theta.len();
    let mut means: Vec<Vec<f64>> = vec![Vec::new(); bots];
    let mut blocks = Vec::with_capacity(model.blocks);
    for block in 0..model.blocks {
        let table = design.table(block as u64);
        let mut wins = vec![0.0; bots];
        let mut games = Vec::with_capacity(model.seats);
        for (seating, chances) in model.chances(&table, random) {
            let winner = random.pick(&chances);
            let mut credit = vec![0.0; model.seats];
            credit[winner] = 1.0;
            wins[seating[winner]] += 1.0;
            games.push(SeatedGame::of(&seating, credit));
        }
        for bot in table {
            means[bot].push(wins[bot] / model.seats as f64);
        }
        blocks.push(games);
    }
    let mut held: Vec<LimitCoverage> = means
        .iter()
        .zip(&truth.0)
        .map(|(means, truth)| share_holds(means, model.seats, *truth))
        .collect();
    let named = rate_winners(bots, &blocks, Some(0), 0.05);
    let usual = rate_winners(bots, &blocks, None, 0.05).expect("a fit");
    for (bot, held) in held.iter_mut().enumerate() {
        let exact = truth.1[bot];
        if let Some(Ok(row)) = named.as_ref().ok().map(|all| all.bots[bot].against_anchor) {
            held.named = Some((row.interval.contains(exact), row.interval.half_width()));
        }
        let exact = exact - truth.1[usual.anchor];
        if let Ok(row) = usual.bots[bot].against_anchor
            && bot != usual.anchor
        {
            held.usual = Some(row.interval.contains(exact));
        }
    }
    held
}

fn share_holds(means: &[f64], games: usize, truth: f64) -> LimitCoverage {
    let found = share(means, games, 0.05).expect("shares");
    let limits = found.interval.expect("enough blocks");
    let plain = wilson(found.share, found.games, 1e6, 0.05).expect("limits");
    let t = mean_with_limits(means, 0.05).expect("a mean").interval;
    LimitCoverage {
        wilson: limits.contains(truth),
        plain: plain.contains(truth),
        t: t.is_ok_and(|limits| limits.contains(truth)),
        half_share: limits.half_width(),
        named: None,
        usual: None,
    }
}

/// Returns the mean of widths in nats as Elo points.
fn elo(of: impl Iterator<Item = f64>) -> String {
    let widths: Vec<f64> = of.collect();
    if widths.is_empty() {
        return "–".to_owned();
    }
    format!("{:.0}", ELO_PER_NAT * average(widths.into_iter()))
}

pub(crate) fn report(number: usize) {
    println!("## Coverage of 95 % limits\n");
    println!("{number} tournaments per row; K, N, G are bots, seats and blocks.\n");
    println!(
        "| K,N,G | seed | bot | share | Wilson + deff | plain Wilson | t on block means | ± share | rated | anchored sandwich | ± Elo | anchor: most wins, all bots |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for model in models() {
        let design = model.design();
        let truth = model.truth();
        let all = runs(number, model.seed, |random| {
            tournament(&model, &design, &truth, random)
        });
        let usual = percent(all.iter().flatten().filter_map(|held| held.usual));
        for bot in 0..model.theta.len() {
            let of = || all.iter().map(|held| held[bot]);
            let named = || of().filter_map(|held| held.named);
            let (rated, sandwich, half) = if bot == 0 {
                ("anchor".to_owned(), "–".to_owned(), "–".to_owned())
            } else {
                (
                    format!("{} %", percent(of().map(|held| held.named.is_some()))),
                    percent(named().map(|(held, _)| held)),
                    elo(named().map(|(_, half)| half)),
                )
            };
            println!(
                "| {} | {} | {bot} | {:.4} | {} | {} | {} | {:.3} | {rated} | {sandwich} | {half} | {} |",
                model.name,
                model.seed,
                truth.0[bot],
                percent(of().map(|held| held.wilson)),
                percent(of().map(|held| held.plain)),
                percent(of().map(|held| held.t)),
                average(of().map(|held| held.half_share)),
                if bot == 0 { &usual } else { "" },
            );
        }
    }
    println!();
}
