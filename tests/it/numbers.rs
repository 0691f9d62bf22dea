//! What an isolated process is told is numbers: any numbers are taken or refused, and those that are taken come
//! back as they were. Shared with the fuzz target `numbers`.

use std::sync::Arc;

use risk_cli::arena::{Seats, Setup, Worker};
use risk_cli::kernel::action::Options;
use risk_cli::kernel::board::Board;
use risk_cli::kernel::declare::Declaration;
use risk_cli::kernel::view::View;
use risk_cli::load;
use risk_cli::load::entrant::Entrant;
use risk_cli::load::lint::Levels;
use risk_cli::script::Terms;

/// What is played: small, with cards, counters and hidden things.
fn played() -> (Arc<Board>, Arc<Declaration>) {
    let ruleset = load::ruleset("hasbro").expect("it is built in");
    let board = load::map("grid:2x2", &Levels::default()).expect("it can be made");
    let entrants = ["random", "random", "random"].map(|bot| Entrant::parse(bot).expect("it is built in")).to_vec();
    let options = ruleset.options(&[]).expect("the defaults fit");
    let (seed, seats, terms) = (1, Seats::Rotate, Terms::default());
    let setup = Setup { ruleset, board: Arc::clone(&board), options, entrants, seed, seats, terms, strikes: None };
    let worker = Worker::new(&setup).expect("it can be played");
    (board, Arc::clone(worker.decl()))
}

thread_local! {
    static PLAYED: (Arc<Board>, Arc<Declaration>) = played();
}

/// Takes bytes as numbers, small ones above all: a byte each, or after 255 the next eight as one.
fn numbers(bytes: &[u8]) -> Vec<i64> {
    let (mut found, mut rest) = (Vec::new(), bytes);
    while let [first, more @ ..] = rest {
        rest = more;
        match (first, more) {
            (255, [a, b, c, d, e, f, g, h, after @ ..]) => {
                found.push(i64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]));
                rest = after;
            }
            (small, _) => found.push(i64::from(*small as i8)),
        }
    }
    found
}

/// Reads bytes as options and as a view.
pub(crate) fn read(bytes: &[u8]) {
    let numbers = numbers(bytes);
    if let Ok(options) = Options::from_numbers(&numbers) {
        let again = options.numbers();
        assert_eq!(Options::from_numbers(&again).expect("they were taken before").numbers(), again);
    }
    PLAYED.with(|(board, decl)| {
        if let Ok(view) = View::from_numbers(board, decl, &numbers) {
            let again = view.numbers();
            assert_eq!(View::from_numbers(board, decl, &again).expect("they were taken before").numbers(), again);
        }
    });
}

/// A view's and some options' numbers, to begin with.
#[cfg(test)]
fn seeds() -> Vec<Vec<u8>> {
    let bytes = |numbers: &[i64]| {
        let byte = |&number: &i64| match i8::try_from(number) {
            Ok(small) if small != -1 => vec![small as u8],
            _ => [&[255][..], &number.to_le_bytes()].concat(),
        };
        numbers.iter().flat_map(byte).collect::<Vec<u8>>()
    };
    let taken = |numbers: Vec<i64>| {
        let taken = PLAYED.with(|(board, decl)| View::from_numbers(board, decl, &numbers).is_ok());
        taken.then(|| bytes(&numbers))
    };
    // A view of zeros, as long as it must be: player 0 of 3.
    let view = (5..400).find_map(|length| {
        let mut numbers = vec![0; length];
        numbers[1] = 3;
        taken(numbers)
    });
    let mut seeds = vec![view.expect("a view of this length is whole")];
    for options in [&[0, 0, 0][..], &[0, 1, 0, 1, 0, 5, 0, 0], &[1, 1, 0, 0, 1, 2, 1, 1, 3, 2, 0, 2, 1, 1, 7, 8]] {
        seeds.push(bytes(options));
    }
    seeds
}

#[test]
fn any_numbers_are_taken_or_refused() {
    use risk_cli::kernel::rng::{Purpose, Stream};
    let mut luck = Stream::new(14, 0, Purpose::Setup);
    let seeds = seeds();
    for seed in &seeds {
        read(seed);
        for _ in 0..4_000 {
            let mut bytes = seed.clone();
            for _ in 0..=luck.below(6) {
                let at = luck.below(bytes.len() as u64 + 1) as usize;
                match luck.below(3) {
                    0 if at < bytes.len() => bytes[at] = luck.below(256) as u8,
                    1 => bytes.insert(at, luck.below(256) as u8),
                    _ => bytes.truncate(at.max(bytes.len().saturating_sub(2))),
                }
            }
            read(&bytes);
        }
    }
}
