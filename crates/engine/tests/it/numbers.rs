//! What an isolated process is told is numbers: any numbers are taken or refused, and those that
//! are taken come back as they were. Shared with the fuzz target `numbers`.

use risk_testing::games::library;
use std::sync::Arc;

use risk_engine::matches::{MatchSpec, Worker};
use risk_kernel::action::{Bounds, Options};
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
#[cfg(test)]
use risk_kernel::id::{Player, Territory};
use risk_kernel::view::View;

/// What is played: small, with cards, counters and hidden things.
fn played() -> (Arc<Board>, Arc<Declaration>) {
    let spec = MatchSpec::new("hasbro").on("grid:2x2").bots(["random"; 3]);
    let setup = spec.load(library()).expect("they are built in");
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
    let all =
        std::fs::read_dir(risk_testing::by_case::root().join("fuzz/seeds/numbers")).expect("seeds");
    let mut paths: Vec<_> = all.map(|entry| entry.expect("a seed").path()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| std::fs::read(path).expect("a seed"))
        .collect()
}

#[test]
fn any_numbers_are_taken_or_refused() {
    use risk_kernel::rng::{Purpose, Stream};
    let seeds = seeds();
    let is_view = |seed: &&Vec<u8>| {
        PLAYED.with(|(board, decl)| View::from_numbers(board, decl, &numbers(seed)).is_ok())
    };
    let is_options = |seed: &&Vec<u8>| Options::from_numbers(&numbers(seed)).is_ok();
    assert!(
        seeds.iter().filter(is_view).count() >= 5 && seeds.iter().filter(is_options).count() >= 8
    );
    risk_testing::by_case::each(0..seeds.len(), |&number| {
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

/// The numbers of a game's first view, for the first of three seats, and where their parts begin.
#[cfg(test)]
struct EventValue {
    all: Vec<i64>,
    owners: usize,
    status: usize,
    piles: usize,
    /// Whose turn it is, a number for each player, who is out, and frames.
    course: usize,
}

/// Before the owners: me, players, round, turn, answers, and the frame with its phase.
#[cfg(test)]
const PHASE: usize = 6;

#[cfg(test)]
fn told(board: &Arc<Board>, decl: &Arc<Declaration>) -> EventValue {
    use risk_kernel::state::GameState;
    use risk_kernel::view::Facts;
    let game = GameState::new(
        Arc::clone(board),
        Arc::clone(decl),
        3,
        risk_kernel::rng::GameKey::of_numbers(0, 0),
    );
    let mut all = View::new(&Facts::new(game), Player(0)).numbers();
    assert_eq!(all[..PHASE], [0, 3, 0, 0, 0, 0], "a view without a frame");
    all.splice(PHASE - 1..PHASE, [1, 0, 1, -1, 7, 8, 9]);
    let course = all.len() - 6;
    let owners = PHASE + 6;
    let land = board.territories().count();
    let status = owners + land * (1 + decl.units.len()) + decl.counters.len() * 4;
    EventValue {
        all,
        owners,
        status,
        piles: status + 3,
        course,
    }
}

#[test]
fn numbers_of_no_view_are_refused_with_a_reason() {
    PLAYED.with(|(board, decl)| {
        let told = told(board, decl);
        let with = |at: usize, value: i64| {
            let mut all = told.all.clone();
            all[at] = value;
            View::from_numbers(board, decl, &all).map(|view| (view.numbers() == all, view))
        };
        let refused = |at: usize, value: i64| with(at, value).map(|_| ()).unwrap_err();
        let phases = decl.phases.len() as i64;
        let most = told.all.len() as i64;
        let rows = [
            (0, 3, "player 3 of 3 has no view".to_owned()),
            (0, 300, "300 is out of place in a view".to_owned()),
            (1, 0, "player 0 of 0 has no view".to_owned()),
            (1, 65, "player 0 of 65 has no view".to_owned()),
            (PHASE, phases, format!("there is no phase {phases}")),
            (told.status, 4, "4 is not a status".to_owned()),
            (told.status, -1, "-1 is not a status".to_owned()),
            (told.piles, most, "-1 is out of place in a view".to_owned()),
            (told.course, 3, "3 is not a seat of 3".to_owned()),
            (told.course, -2, "-2 is not a seat of 3".to_owned()),
            (told.course + 4, 4, "4 players are out, of 3".to_owned()),
            (
                told.course + 4,
                1,
                "the numbers of a view end too early".to_owned(),
            ),
            (told.course + 5, 1_000, "1000 phases are open".to_owned()),
            (
                told.piles,
                most + 1,
                format!("a pile has {} cards", most + 1),
            ),
            (
                told.piles,
                1 << 40,
                format!("a pile has {} cards", 1_u64 << 40),
            ),
        ];
        for (at, value, wanted) in rows {
            assert_eq!(refused(at, value), wanted, "{value} at {at}");
        }
        let taken = |at: usize, value: i64| {
            let (same, view) = with(at, value).unwrap();
            assert!(same, "{value} at {at}");
            view
        };
        assert_eq!(taken(0, 2).me(), Player(2));
        let frame = *taken(PHASE, phases - 1).frame().unwrap();
        assert_eq!(
            (i64::from(frame.phase.0), frame.opened_for, frame.args),
            (phases - 1, None, [7, 8, 9])
        );
        taken(told.status, 3);
        let first = Territory(0);
        assert_eq!(taken(told.owners, 2).owner(first), Some(Player(2)));
        let (same, view) = with(told.owners, 3).unwrap();
        assert!(
            !same && view.owner(first).is_none(),
            "seat 3 of 3 owns nothing"
        );
    });
}

#[test]
fn a_view_has_all_its_numbers_and_cards_of_the_game_alone() {
    PLAYED.with(|(board, decl)| {
        let told = told(board, decl);
        let read = |all: &[i64]| View::from_numbers(board, decl, all).map(|_| ());
        assert_eq!(read(&told.all), Ok(()));
        let early = "the numbers of a view end too early";
        assert_eq!(read(&told.all[..told.all.len() - 1]).unwrap_err(), early);
        let more = [told.all.as_slice(), &[0]].concat();
        assert_eq!(
            read(&more).unwrap_err(),
            "the numbers of a view have 1 too many"
        );
        let with_card = |card: i64| {
            let mut all = told.all.clone();
            all.splice(told.piles..=told.piles, [1, card]);
            read(&all)
        };
        let cards = decl.cards.len() as i64;
        assert_eq!(with_card(cards - 1), Ok(()));
        assert_eq!(with_card(cards).unwrap_err(), "a card is not in the game");
    });
}

#[test]
fn numbers_of_no_options_are_refused_with_a_reason() {
    let range = "a number of options is out of range";
    let early = "the numbers of options end too early";
    // Steps and offers; each with verb, number of parameters and three numbers for each; the ends
    // of the plans, with their number; then what is listed.
    let say = [7, 0];
    let low = i64::from(i32::MIN);
    let high = i64::from(i32::MAX);
    let widest = [&[0, 4][..], &[1, low, high].repeat(4)].concat();
    let rows: [(Vec<i64>, Result<(u64, u64), &str>); 17] = [
        (vec![0, 0, 0], Ok((0, 0))),
        ([&[0, 1], &say[..], &[0]].concat(), Ok((1, 0))),
        ([&[2, 0], &say[..], &say, &[2, 1, 2]].concat(), Ok((0, 2))),
        // Plans that end before they begin, or not where the steps do.
        ([&[2, 0], &say[..], &say, &[2, 3, 2]].concat(), Err(range)),
        ([&[2, 0], &say[..], &say, &[1, 1]].concat(), Err(range)),
        ([&[2, 0], &say[..], &say, &[0]].concat(), Err(range)),
        ([&[1, 0], &say[..], &[1, 2]].concat(), Err(range)),
        // Lists within the pool, and beyond it.
        (vec![0, 1, 0, 1, 2, 0, 2, 0, 5, 6], Ok((2, 0))),
        (vec![0, 1, 0, 1, 2, 1, 1, 0, 5, 6], Ok((1, 0))),
        (vec![0, 1, 0, 1, 2, 0, 3, 0, 5, 6], Err(range)),
        (vec![0, 1, 0, 1, 2, 1, 2, 0, 5, 6], Err(range)),
        // More of something than there are numbers, more parameters than four, an unknown kind.
        (vec![0, 3, 0], Err(early)),
        (vec![0, 4, 0], Err(range)),
        (vec![0, 1 << 40, 0], Err(range)),
        ([&[0, 1, 0, 5][..], &[0; 16]].concat(), Err(range)),
        (vec![0, 1, 0, 1, 3, 0, 0, 0], Err(range)),
        // More actions than can be counted.
        ([&[0, 1], &widest[..], &[0]].concat(), Err(range)),
    ];
    for (numbers, wanted) in rows {
        let read = Options::from_numbers(&numbers);
        let sizes = read.map(|options| (options.len(), options.plans()));
        assert_eq!(sizes, wanted.map_err(str::to_owned), "{numbers:?}");
    }
}
