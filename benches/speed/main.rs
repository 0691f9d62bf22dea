//! The speed of games, as ratios within one run: `cargo bench`. A word after `--` chooses groups:
//! `cargo bench -- limit`. Each row of a group is timed in turns with the others, several times;
//! medians are shown. The machine may be noisy; ratios of one run are not.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

mod groups;
mod limit;
mod phases;

use std::time::Instant;

/// A row of a group: its name, and a function that does some work and returns its number of units.
pub(crate) struct Row {
    name: String,
    work: Box<dyn FnMut() -> u64>,
}

impl Row {
    pub(crate) fn new(name: impl Into<String>, work: impl FnMut() -> u64 + 'static) -> Self {
        Self {
            name: name.into(),
            work: Box::new(work),
        }
    }
}

const TIMES: usize = 7;
/// The shortest duration of a timing, in seconds.
const LEAST: f64 = 0.05;

/// Times the rows in turns and prints medians, and ratios to the first row.
pub(crate) fn compare(group: &str, unit: &str, mut rows: Vec<Row>) {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    if !chosen.is_empty() && !chosen.iter().any(|word| group.contains(word.as_str())) {
        return;
    }
    let mut times = vec![Vec::new(); rows.len()];
    for _ in 0..TIMES {
        for (row, times) in rows.iter_mut().zip(&mut times) {
            let start = Instant::now();
            let mut units = 0;
            while start.elapsed().as_secs_f64() < LEAST {
                units += (row.work)();
            }
            times.push(start.elapsed().as_secs_f64() * 1e9 / units.max(1) as f64);
        }
    }
    let medians: Vec<f64> = times
        .iter_mut()
        .map(|times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        })
        .collect();
    println!("\n{group}, nanoseconds for each {unit}");
    for (row, &median) in rows.iter().zip(&medians) {
        println!(
            "  {:<44} {median:>12.1}  × {:.2}",
            row.name,
            median / medians[0]
        );
    }
}

/// Memory is counted as in the program, because counting costs time.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();

fn main() {
    groups::bounds_of();
    groups::games();
    groups::sizes();
    groups::kernel();
    phases::empty_loop();
    phases::standard_phases();
    phases::hooks();
    groups::scripts();
    groups::threads();
}
