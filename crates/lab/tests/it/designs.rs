//! The designs of tournaments, by exact counts of meetings.

use std::collections::BTreeMap;

use risk_lab::tournament::{Design, DesignFault};

fn meetings(design: &Design, blocks: u64) -> BTreeMap<(usize, usize), usize> {
    let mut met = BTreeMap::new();
    for block in 0..blocks {
        let table = design.table(block);
        for (index, &a) in table.iter().enumerate() {
            for &b in &table[index + 1..] {
                assert!(a < b, "a table lists its bots once, the lower ones first");
                *met.entry((a, b)).or_default() += 1;
            }
        }
    }
    met
}

/// Projective planes: every two bots meet exactly once in a cycle.
#[test]
fn balanced_tables_are_projective_planes_where_there_are_any() {
    for (bots, seats) in [(7, 3), (13, 4), (21, 5), (31, 6)] {
        let design = Design::balanced(bots, seats, bots as u64).unwrap();
        let met = meetings(&design, bots as u64);
        assert_eq!(met.len(), bots * (bots - 1) / 2, "{bots} bots");
        assert!(met.values().all(|&times| times == 1), "{bots} bots");
    }
}

#[test]
fn balanced_tables_let_all_meet_about_equally_often() {
    for (bots, seats, cycles) in [(9, 4, 8), (12, 6, 6), (40, 4, 8), (60, 6, 4)] {
        let blocks = bots as u64 * cycles;
        let design = Design::balanced(bots, seats, blocks).unwrap();
        let met = meetings(&design, blocks);
        let mut played = vec![0; bots];
        (0..blocks).for_each(|block| {
            for bot in design.table(block) {
                played[bot] += 1;
            }
        });
        assert!(
            played.iter().all(|&times| times == played[0]),
            "{bots} bots"
        );
        let mean = blocks as f64 * (seats * (seats - 1)) as f64 / (bots * (bots - 1)) as f64;
        for a in 0..bots {
            for b in a + 1..bots {
                let times = met.get(&(a, b)).copied().unwrap_or(0) as f64;
                assert!(
                    (times - mean).abs() <= 1.5,
                    "{bots} bots: {a} and {b} met {times} times, not {mean}"
                );
            }
        }
    }
}

#[test]
fn all_tables_come_up_once_in_a_cycle() {
    let design = Design::all(6, 3, 40).unwrap();
    assert_eq!(design.cycle(), 20);
    let tables: std::collections::BTreeSet<_> = (0..20).map(|block| design.table(block)).collect();
    assert_eq!(tables.len(), 20);
    assert_eq!(design.table(20), design.table(0));
    let met = meetings(&design, 40);
    assert!(met.len() == 15 && met.values().all(|&times| times == 8));
}

#[test]
fn a_gauntlet_sits_at_every_table() {
    let design = Design::gauntlet(&[2], 5, 3, 12).unwrap();
    for block in 0..12 {
        let table = design.table(block);
        assert!(table.contains(&2) && table.len() == 3, "{table:?}");
    }
    let met = meetings(&design, 12);
    assert_eq!(met[&(0, 1)], 2);
    assert_eq!(met[&(0, 2)], 6);
    let full = Design::gauntlet(&[0, 1, 2], 3, 3, 1);
    assert_eq!(full, Err(DesignFault::NoSeatLeft));
}

#[test]
fn every_bot_sits_in_every_seat_once_in_a_block() {
    let design = Design::all(4, 4, 1).unwrap();
    let games = design.block(0, |circle| circle.swap(1, 3));
    assert_eq!(games.len(), 4);
    for seat in 0..4 {
        let mut there: Vec<usize> = games.iter().map(|game| game[seat]).collect();
        there.sort_unstable();
        assert_eq!(there, [0, 1, 2, 3], "seat {seat}");
    }
    assert_eq!(games[0], [0, 3, 2, 1], "the circle is as it was drawn");
    assert_eq!(games[1], [3, 2, 1, 0]);
}

#[test]
fn two_bots_are_compared_in_each_others_seats() {
    let games = Design::swap(4).block(0, |_| ());
    assert_eq!(games.len(), 8);
    for pair in games.chunks(2) {
        let swapped: Vec<usize> = pair[0]
            .iter()
            .map(|&bot| if bot < 2 { 1 - bot } else { bot })
            .collect();
        assert_eq!(pair[1], swapped);
    }
    let games = Design::replace(4).block(0, |_| ());
    assert_eq!(games.len(), 6);
    for pair in games.chunks(2) {
        assert!(!pair[0].contains(&1) && !pair[1].contains(&0));
        let replaced: Vec<usize> = pair[0].iter().map(|&bot| bot.max(1)).collect();
        assert_eq!(pair[1], replaced);
    }
}

#[test]
fn cycles_are_whole() {
    for (made, cycle, least) in [
        (Design::balanced(13, 4, 20), 13, 26),
        (Design::all(5, 2, 11), 10, 20),
        (Design::gauntlet(&[0], 5, 3, 7), 6, 12),
        (Design::usual(13, 4, 1), 13, 13),
    ] {
        assert_eq!(made, Err(DesignFault::RaggedCycle { cycle, least }));
    }
    // At most 100 tables: all of them.
    assert_eq!(Design::usual(9, 3, 84).unwrap().cycle(), 84);
    assert_eq!(Design::usual(10, 3, 10).unwrap().cycle(), 10);
}
