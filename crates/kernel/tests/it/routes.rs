//! Paths over the board, compared with exhaustive searches on random boards.

use std::iter::Copied;
use std::slice::Iter;

use proptest::prelude::{Strategy, prop, prop_assert_eq};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use risk_kernel::board::{Board, TerritoryInfo};
use risk_kernel::id::Territory;
use risk_kernel::routes::{Region, component, cuts, path};

use risk_testing::watchdog::watch;

const MOST: usize = 8;

/// Returns a board with these borders, except those that leave it or lead back to themselves.
fn board(count: usize, borders: &[(usize, usize)]) -> Board {
    let territories = (0..count)
        .map(|index| TerritoryInfo {
            id: format!("t{index}"),
            ..TerritoryInfo::default()
        })
        .collect();
    let mut directed: Vec<(Territory, Territory)> = Vec::new();
    for &(from, to) in borders {
        let border = (Territory::from_index(from), Territory::from_index(to));
        if from != to && from < count && to < count && !directed.contains(&border) {
            directed.push(border);
        }
    }
    Board::new(
        String::new(),
        String::new(),
        territories,
        Vec::new(),
        &directed,
    )
}

fn boards() -> impl Strategy<Value = (Board, Vec<Territory>)> {
    let borders = prop::collection::vec((0..MOST, 0..MOST), 0..20);
    let both = prop::collection::vec(proptest::bool::ANY, 20);
    let some = prop::collection::vec(proptest::bool::ANY, MOST);
    (2..=MOST, borders, both, some).prop_map(|(count, borders, both, some)| {
        let mut all = borders.clone();
        let back = borders.iter().zip(both).filter(|(_, both)| *both);
        all.extend(back.map(|(&(from, to), _)| (to, from)));
        let region = (0..count).filter(|&at| some[at]).map(Territory::from_index);
        (board(count, &all), region.collect())
    })
}

/// Returns every distance by trying every detour; paths pass only through the territories of a
/// list.
fn distances(board: &Board, through: &[Territory]) -> Vec<Vec<Option<usize>>> {
    let count = board.len();
    let mut all = vec![vec![None; count]; count];
    for from in board.territories() {
        all[from.index()][from.index()] = Some(0);
        for &to in board.neighbours(from) {
            all[from.index()][to.index()] = Some(1);
        }
    }
    for over in through.iter().map(|at| at.index()) {
        for from in 0..count {
            for to in 0..count {
                if let (Some(a), Some(b)) = (all[from][over], all[over][to]) {
                    let known = all[from][to].unwrap_or(usize::MAX);
                    all[from][to] = Some(known.min(a + b));
                }
            }
        }
    }
    all
}

/// Counts the parts of a list, with borders counted either way.
fn parts(board: &Board, list: &[Territory]) -> usize {
    let mut left = list.to_vec();
    let mut parts = 0;
    while let Some(first) = left.pop() {
        parts += 1;
        let mut found = vec![first];
        while let Some(here) = found.pop() {
            left.retain(|&at| {
                let near = board.borders(here, at) || board.borders(at, here);
                if near {
                    found.push(at);
                }
                !near
            });
        }
    }
    parts
}

/// Checks a law on random boards, each with some of its territories. One seed draws them: the
/// boards are the same every time.
fn check(law: impl Fn(&Board, &[Territory]) -> Result<(), TestCaseError>) {
    watch();
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome =
        TestRunner::new_with_rng(config, rng).run(&boards(), |(board, some)| law(&board, &some));
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// All borders of the board.
fn near<'a>(board: &'a Board) -> impl Fn(Territory) -> Copied<Iter<'a, Territory>> {
    |at| board.neighbours(at).iter().copied()
}

#[test]
fn the_shortest_way_is_as_long_as_the_distance() {
    check(|board, some| {
        let all: Vec<Territory> = board.territories().collect();
        for list in [&all[..], some] {
            let known = distances(board, list);
            let region = Region::from_territories(board, list.iter().copied());
            for from in board.territories() {
                for to in board.territories() {
                    let way = path(board, near(board), from, to, &region);
                    let steps = way.as_ref().map(|way| way.len() - 1);
                    prop_assert_eq!(steps, known[from.index()][to.index()]);
                    let Some(way) = way else { continue };
                    prop_assert_eq!((way[0], way[way.len() - 1]), (from, to));
                    for step in way.windows(2) {
                        prop_assert_eq!(board.borders(step[0], step[1]), true);
                    }
                    let between = way.iter().skip(1).take(way.len().saturating_sub(2));
                    prop_assert_eq!(between.copied().all(|at| list.contains(&at)), true);
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_component_is_what_can_be_reached() {
    check(|board, some| {
        let region = Region::from_territories(board, some.iter().copied());
        let known = distances(board, some);
        for from in board.territories() {
            let expected: Vec<Territory> = some
                .iter()
                .copied()
                .filter(|to| region.has(from) && known[from.index()][to.index()].is_some())
                .collect();
            prop_assert_eq!(component(board, near(board), from, &region), expected);
        }
        Ok(())
    });
}

#[test]
fn without_a_cut_a_region_falls_apart() {
    check(|board, some| {
        let before = parts(board, some);
        let expected: Vec<Territory> = some
            .iter()
            .copied()
            .filter(|&at| {
                let rest: Vec<Territory> = some.iter().copied().filter(|&to| to != at).collect();
                parts(board, &rest) > before
            })
            .collect();
        let region = Region::from_territories(board, some.iter().copied());
        prop_assert_eq!(cuts(board, near(board), &region), expected);
        Ok(())
    });
}
