//! Simulates what the statistics promise, with fixed seeds:
//! `cargo bench --bench statistics [-- [RUNS] [PART]…]`.
//!
//! RUNS is how many tournaments each row has, 10,000 unless said; the parts are `coverage`,
//! `sequential`, `luck`, `families` and `played`, all unless said. `played` has 200 runs unless
//! said, and with the name of a ruleset the rows of it alone. The tables are Markdown, the same on
//! every machine and with any number of threads.

#![allow(clippy::print_stdout, reason = "a program that shows what it found")]

mod coverage;
mod families;
mod luck;
mod played;
mod random;
mod tests_in_sequence;

use std::env;

/// Without it no script runs: the memory that it holds is not counted.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator;

fn main() {
    let mut words: Vec<String> = env::args().skip(1).collect();
    let mut numbers = words.iter().filter_map(|word| word.parse().ok());
    let asked = numbers.next();
    let number = asked.unwrap_or(10_000);
    // Cargo says that this is a benchmark.
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
