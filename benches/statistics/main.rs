//! Simulates what the statistics promise, with fixed seeds: `cargo bench --bench statistics [--
//! [RUNS] [PART]…]`.
//!
//! RUNS is the number of tournaments in each row, 10,000 by default; the parts are `coverage`,
//! `sequential`, `luck`, `families` and `played`, all by default. `played` has 200 runs by default,
//! and with the name of a ruleset only that ruleset's rows. The tables are Markdown, the same on
//! every machine and with any number of threads.

#![allow(clippy::print_stdout, reason = "a program that shows what it found")]

mod coverage;
mod families;
mod luck;
mod played;
mod random;
mod tests_in_sequence;

use std::env;

/// Scripts run only where their memory is counted.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();

fn main() {
    let mut words: Vec<String> = env::args().skip(1).collect();
    let mut numbers = words.iter().filter_map(|word| word.parse().ok());
    let asked = numbers.next();
    let number = asked.unwrap_or(10_000);
    // Cargo passes `--bench` to a benchmark.
    words.retain(|word| word.parse::<usize>().is_err() && word != "--bench");
    let wanted = |part: &str| words.is_empty() || words.iter().any(|word| word == part);
    if wanted("coverage") {
        coverage::report(number);
    }
    if wanted("sequential") {
        tests_in_sequence::report(number);
    }
    if wanted("luck") {
        luck::report(number);
    }
    if wanted("families") {
        families::report(number);
    }
    if wanted("played") {
        let named = |ruleset: &str| words.iter().any(|word| word == ruleset);
        let any = ["codelab", "hasbro"].iter().any(|ruleset| named(ruleset));
        played::report(asked.unwrap_or(200), |ruleset| !any || named(ruleset));
    }
}
