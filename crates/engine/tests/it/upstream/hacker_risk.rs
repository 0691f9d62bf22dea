//! The rules of the old Hacker Risk arena: each option in a position.

use super::CODE;
use risk_testing::games::{board, play_logged};

fn land(armies: &[(usize, i32)]) -> String {
    let set = |(at, (who, armies)): (usize, &(usize, i32))| {
        format!("g.give({at}, {who}); g.add_armies({at}, {armies});\n")
    };
    armies.iter().enumerate().map(set).collect()
}

#[test]
fn equal_bonuses_may_count_once() {
    // North America (5) and Europe (5): 16 territories are worth 6; with Africa (3) 22 and 8.
    let rows = [
        ("0..9", "13..20", 16, 11),
        ("0..9", "13..26", 8 + 13, 8 + 8),
        ("0..9", "41..42", 4 + 5, 4 + 5),
    ];
    for (first, second, each, once) in rows {
        let start = format!(
            "for at in 0..42 {{ g.add_armies(at, 1); g.give(at, if at in {first} || at in {second} {{ 0 }} else {{ 1 }}); }} g.push(INCOME_PHASE, 0);"
        );
        for (options, armies) in [
            (&[] as &[(&str, &str)], each),
            (&[("bonuses", "equal_once")], once),
            (CODE, once),
        ] {
            let (_folder, mut setup) = risk_testing::games::position(&start, 3, options);
            setup.rules.board = board("hacker-risk");
            let (log, _) = play_logged(&setup, &[&[], &[], &[]]);
            assert!(
                log.contains(&format!("reserve of player 1 +{armies} is")),
                "{first} {second} {options:?}: {log}"
            );
        }
    }
}

const EVEN: [(usize, i32); 6] = [(0, 3), (0, 1), (1, 1), (1, 2), (2, 1), (2, 2)];

#[test]
fn one_set_may_be_all_that_is_traded() {
    let start = land(&EVEN)
        + "g.fill(DECK, g.all_cards); for card in 0..8 { g.move_card(card, TABLE, DECK, 0, HAND); }\n\
           g.push(TRADE_PHASE, 0); g.push(DEPLOY_PHASE, 0);";
    for (trades, next) in [
        ("down", "player 1 in trade"),
        ("once", "player 1 in deploy"),
    ] {
        let (_folder, setup) = risk_testing::games::position(&start, 3, &[("trades", trades)]);
        let (log, _) = play_logged(&setup, &[&["trade a b c"], &[], &[]]);
        let asked = log
            .lines()
            .filter(|line| line.starts_with("player 1 in"))
            .nth(1)
            .unwrap();
        assert!(asked.starts_with(next), "{trades}: {log}");
    }
}

#[test]
fn armies_of_a_set_after_an_elimination_may_wait_for_the_next_turn() {
    let armies = [(0, 200), (0, 1), (2, 1), (2, 1), (2, 1), (1, 1)];
    let start = land(&armies)
        + "g.fill(DECK, g.all_cards); for card in 0..5 { g.move_card(card, TABLE, DECK, 0, HAND); }\n\
           g.push(ATTACK_PHASE, 0); g.push(INCOME_PHASE, 0); g.push(DEPLOY_PHASE, 0);";
    for (after, phase, all) in [("at_once", "deploy", ""), ("next_turn", "attack", "7")] {
        let (_folder, mut setup) =
            risk_testing::games::position(&start, 3, &[("deploy_after", after)]);
        let found = (0..200).find_map(|seed| {
            setup.seed = seed.into();
            let says = ["attack a f 3", "move a f 0", "0", "done"];
            let (log, _) = play_logged(&setup, &[&says, &[], &[]]);
            log.contains("player 2 is eliminated").then_some(log)
        });
        let log = found.expect("one of 200 first rounds takes the land");
        let asked: Vec<&str> = log
            .lines()
            .filter_map(|line| line.strip_prefix("player 1 in ")?.split(',').next())
            .collect();
        assert_eq!(
            asked[..4],
            ["attack", "occupy", "trade", phase],
            "{after}: {log}"
        );
        // 4 for the set wait in the reserve, and 3 for land are added.
        assert!(
            all.is_empty() || log.contains("reserve of player 1 +3 is 7"),
            "{log}"
        );
    }
}

#[test]
fn the_last_move_may_go_anywhere_where_one_is_possible_at_all() {
    let rows: [(&[(usize, i32); 6], [&str; 2]); 3] = [
        (
            &[(0, 2), (0, 1), (1, 1), (0, 1), (1, 1), (1, 1)],
            [
                "2 options: move a b 1 | done",
                "3 options: move a b 1 | move a d 1 | done",
            ],
        ),
        // No own neighbours: nothing to decide.
        (&[(0, 2), (1, 1), (0, 1), (1, 1), (0, 1), (1, 1)], ["", ""]),
        // Own neighbours, but the army is elsewhere.
        (&[(0, 1), (0, 1), (1, 1), (0, 2), (1, 1), (1, 1)], ["", ""]),
    ];
    for (armies, expected) in rows {
        for (fortify, expected) in ["adjacent", "anywhere"].into_iter().zip(expected) {
            let start = land(armies) + "g.push(FORTIFY_PHASE, 0); g.push(BEGIN_PHASE, 1);";
            let (_folder, setup) =
                risk_testing::games::position(&start, 3, &[("fortify_to", fortify)]);
            let (log, _) = play_logged(&setup, &[&[], &[], &[]]);
            let asked = log
                .lines()
                .find_map(|line| line.strip_prefix("player 1 in fortify, "))
                .unwrap_or_default();
            assert_eq!(asked, expected, "{fortify}: {log}");
        }
    }
}
