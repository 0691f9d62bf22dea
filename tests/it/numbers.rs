//! What an isolated process is told is numbers: any numbers are taken or refused, and those that
//! are taken come back as they were. Shared with the fuzz target `numbers`.

use std::sync::Arc;

use risk_cli::kernel::action::{Bounds, Options};
use risk_cli::kernel::board::Board;
use risk_cli::kernel::declare::Declaration;
use risk_cli::kernel::view::View;
use risk_cli::matches::{MatchSpec, Worker};

/// What is played: small, with cards, counters and hidden things.
fn played() -> (Arc<Board>, Arc<Declaration>) {
    let spec = MatchSpec::new("hasbro").on("grid:2x2").bots(["random"; 3]);
    let setup = spec.load().expect("they are built in");
    let worker = Worker::new(&setup).expect("it can be played");
    (Arc::clone(&setup.board), Arc::clone(worker.decl()))
}

thread_local! {
    static PLAYED: (Arc<Board>, Arc<Declaration>) = played();
}

/// Takes bytes as numbers, small ones above all: a byte each, or after 255 the next eight as one.
fn numbers(bytes: &[u8]) -> Vec<i64> {
    let mut found = Vec::new();
    let mut rest = bytes;
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

/// Every number below the count is an action that is let through, and every plan is known again.
fn is_consistent(options: &Options) {
    let some = |count: u64| {
        [0, 1, count / 2, count.saturating_sub(1)]
            .into_iter()
            .filter(move |&one| one < count)
    };
    for action in some(options.len()).map(|number| options.nth(number)) {
        assert!(
            options.has(action.verb) && options.admit(action).is_ok(),
            "{action:?}"
        );
        let given = &action.args()[..action.args().len().saturating_sub(1)];
        assert_ne!(
            options.bounds_of(action.verb, given),
            Bounds::NONE,
            "{action:?}"
        );
    }
    for plan in some(options.plans()).map(|number| options.nth_plan(number)) {
        assert!(options.has_plan(&plan), "{plan:?}");
    }
}

/// Reads bytes as options and as a view.
pub(crate) fn read(bytes: &[u8]) {
    let numbers = numbers(bytes);
    if let Ok(options) = Options::from_numbers(&numbers) {
        let again = options.numbers();
        assert_eq!(
            Options::from_numbers(&again)
                .expect("they were taken before")
                .numbers(),
            again
        );
        is_consistent(&options);
    }
    PLAYED.with(|(board, decl)| {
        if let Ok(view) = View::from_numbers(board, decl, &numbers) {
            let again = view.numbers();
            assert_eq!(
                View::from_numbers(board, decl, &again)
                    .expect("they were taken before")
                    .numbers(),
                again
            );
        }
    });
}

/// The seeds of the fuzz target: what is told in a real game, and numbers that no game has.
#[cfg(test)]
fn seeds() -> Vec<Vec<u8>> {
    let all = std::fs::read_dir("fuzz/seeds/numbers").expect("seeds");
    let mut paths: Vec<_> = all.map(|entry| entry.expect("a seed").path()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| std::fs::read(path).expect("a seed"))
        .collect()
}

#[test]
fn any_numbers_are_taken_or_refused() {
    use risk_cli::kernel::rng::{Purpose, Stream};
    let seeds = seeds();
    let is_view = |seed: &&Vec<u8>| {
        PLAYED.with(|(board, decl)| View::from_numbers(board, decl, &numbers(seed)).is_ok())
    };
    let is_options = |seed: &&Vec<u8>| Options::from_numbers(&numbers(seed)).is_ok();
    assert!(
        seeds.iter().filter(is_view).count() >= 5 && seeds.iter().filter(is_options).count() >= 8
    );
    crate::by_case::each(0..seeds.len(), |&number| {
        let seed = &seeds[number];
        let mut luck = Stream::new(14, number as u64, Purpose::Setup);
        read(seed);
        for _ in 0..500 {
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
    });
}
