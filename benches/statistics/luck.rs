//! Coverage of the limits of shares that are adjusted by controls: how often they hold the truth.

use risk_stats::adjusted::adjusted_share;
use risk_stats::shares::share;

use crate::random::{RunStream, average, percent, runs};

/// Blocks of four games whose chance of a win follows from luck.
struct Row {
    name: &'static str,
    seed: u64,
    blocks: usize,
    /// The log-odds with average luck.
    base: f64,
    /// The change of the log-odds with one standard deviation of each control.
    effects: [f64; 2],
    /// The variation between blocks beyond it.
    spread: f64,
}

fn rows() -> Vec<Row> {
    let row = |name, seed, blocks, base, effects, spread| Row {
        name,
        seed,
        blocks,
        base,
        effects,
        spread,
    };
    vec![
        row("luck without effect", 301, 25, -1.1, [0.0, 0.0], 0.5),
        row("one control", 302, 25, -1.2, [1.0, 0.0], 0.5),
        row("one control", 303, 100, -1.2, [1.0, 0.0], 0.5),
        row("two controls", 304, 50, -1.3, [1.0, 0.8], 0.5),
        row("strong luck", 305, 100, -1.8, [2.5, 0.0], 0.2),
        row("rare wins", 306, 100, -4.5, [1.0, 0.0], 0.5),
        row("nearly always", 307, 50, 3.5, [0.8, 0.8], 0.5),
    ]
}

impl Row {
    /// Draws the luck of a block, and its chance of a win.
    fn block(&self, random: &mut RunStream) -> ([f64; 2], f64) {
        let luck = [random.normal(), random.normal()];
        let odds = self.base
            + self.effects[0] * luck[0]
            + self.effects[1] * luck[1]
            + self.spread * random.normal();
        (luck, 1.0 / (1.0 + libm::exp(-odds)))
    }

    fn truth(&self) -> f64 {
        let mut random = RunStream::new(self.seed, usize::MAX);
        let blocks = (0..4_000_000).map(|_| self.block(&mut random).1);
        average(blocks)
    }
}

pub(crate) fn report(number: usize) {
    println!("## Shares adjusted by controls\n");
    println!("{number} runs per row, in blocks of four games.\n");
    println!(
        "| law | seed | blocks | share | raw limits hold | adjusted limits hold | width, adjusted/raw | variance saved |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for row in rows() {
        let truth = row.truth();
        let all = runs(number, row.seed, |random| {
            let mut means = Vec::with_capacity(row.blocks);
            let mut lucks = [Vec::new(), Vec::new()];
            for _ in 0..row.blocks {
                let (luck, chance) = row.block(random);
                let wins = (0..4).filter(|_| random.unit() < chance).count();
                means.push(wins as f64 / 4.0);
                lucks[0].push(luck[0]);
                lucks[1].push(luck[1]);
            }
            let controls: Vec<&[f64]> = if row.effects[1] == 0.0 {
                vec![&lucks[0]]
            } else {
                vec![&lucks[0], &lucks[1]]
            };
            let raw = share(&means, 4, 0.05).expect("a share").interval;
            let raw = raw.expect("limits");
            let found = adjusted_share(&means, 4, &controls, 0.05).expect("a share");
            (
                raw.contains(truth),
                found.interval.contains(truth),
                found.interval.half_width() / raw.half_width(),
                found.saved,
            )
        });
        println!(
            "| {} | {} | {} | {truth:.4} | {} | {} | {:.2} | {:.0} % |",
            row.name,
            row.seed,
            row.blocks,
            percent(all.iter().map(|run| run.0)),
            percent(all.iter().map(|run| run.1)),
            average(all.iter().map(|run| run.2)),
            100.0 * average(all.iter().map(|run| run.3)),
        );
    }
    println!();
}
