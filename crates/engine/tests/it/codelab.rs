//! The code lab's Risk: deals, income, dice, the mandatory move.

use risk_engine::Worker;

use risk_testing::facts::refuses;
use risk_testing::games::{DICE_EXAMPLES, Rolls, play_logged, position_of, setup};

#[test]
fn land_is_dealt_evenly_and_armies_lie_on_it() {
    // Players; armies each; territories each.
    let rows: &[(usize, i64, &[u32])] = &[
        (2, 40, &[21, 21]),
        (3, 35, &[14; 3]),
        (4, 30, &[11, 11, 10, 10]),
        (5, 25, &[9, 9, 8, 8, 8]),
        (6, 20, &[7; 6]),
    ];
    for &(players, armies, territories) in rows {
        let nothing: Vec<&[&str]> = vec![&[]; players];
        let (log, finished) = play_logged(
            &setup("codelab", None, &vec!["random"; players], 3, &[]),
            &nothing,
        );
        let game = &finished.game;
        for who in game.seats() {
            assert_eq!(
                game.territory_count(who),
                territories[who.index()],
                "{players} players"
            );
            assert_eq!(game.strength(who), armies, "{players} players");
        }
        assert_eq!(game.turn(), 1, "{log}");
        assert!(!log.contains("player 1 in muster"), "set-up is automatic");
    }
}

#[test]
fn set_up_can_be_done_by_hand() {
    let says = vec!["0"; 19];
    let (log, finished) = play_logged(
        &setup(
            "codelab",
            None,
            &["random"; 2],
            3,
            &[("manual_setup", "true")],
        ),
        &[&says, &says],
    );
    assert_eq!(log.matches(" in muster, 21 options").count(), 38);
    assert_eq!(finished.game.turn(), 1);
    assert!(
        finished
            .game
            .seats()
            .all(|who| finished.game.strength(who) == 40)
    );
}

#[test]
fn the_least_income_holds_for_land_and_bonuses_together() {
    // On the ring of six, a b c are the west (+2) and d e f the east (+1).
    for (owners, income) in [
        ([0, 0, 0, 1, 1, 1], 3),
        ([0, 1, 1, 1, 1, 1], 3),
        ([0, 0, 0, 0, 0, 0], 5),
    ] {
        let land: String = owners
            .iter()
            .enumerate()
            .map(|(at, who)| format!("g.give({at}, {who}); g.add_armies({at}, 1);\n"))
            .collect();
        let (_folder, setup) = position_of("codelab", &(land + "g.push(INCOME_PHASE, 0);"), 2, &[]);
        let (log, _) = play_logged(&setup, &[&[], &[]]);
        assert!(
            log.contains(&format!("reserve of player 1 +{income} is {income}")),
            "{owners:?}: {log}"
        );
    }
    // The document's cases: territories, bonus, armies.
    let worker_setup = setup("codelab", None, &["random"; 2], 3, &[]);
    let worker = Worker::new(&worker_setup).unwrap();
    for (land, bonus, armies) in [
        (4, 2, 3),
        (13, 0, 4),
        (12, 5, 9),
        (42, 24, 38),
        (11, 0, 3),
        (22, 0, 7),
    ] {
        let third = worker.rules().tables()["income"].get(&[land]).unwrap();
        assert_eq!(
            (third + bonus).max(3),
            armies,
            "{land} territories and {bonus}"
        );
    }
}

#[test]
fn dice_cost_what_the_examples_say() {
    let mut rolls = Rolls::default();
    for (bot, games) in [("outnumber", 3_000), ("random", 6)] {
        let games_of = setup("codelab", None, &[bot; 3], 8, &[]);
        let mut worker = Worker::new(&games_of).unwrap();
        for number in 0..games {
            worker.play(number, &mut rolls);
        }
    }
    for (attack, defend, losses) in DICE_EXAMPLES {
        let found = rolls.seen.get(&(attack.to_vec(), defend.to_vec()));
        assert_eq!(
            found.map(|found| found.iter().copied().collect::<Vec<_>>()),
            Some(vec![losses]),
            "{attack:?} v {defend:?}"
        );
    }
}

#[test]
fn a_conquest_moves_one_army_at_least_and_asks_for_more() {
    let land = "g.give(0, 0); g.add_armies(0, 9); g.give(1, 1); g.add_armies(1, 1); g.give(2, 1); g.add_armies(2, 1); g.push(ATTACK_PHASE, 0);";
    let (_folder, setup) = position_of("codelab", land, 2, &[]);
    for rounds in 1..20 {
        let mut says = vec!["attack a b 3"; rounds];
        says.push("done");
        let (log, _) = play_logged(&setup, &[&says, &[]]);
        if let Some((before, after)) = log.split_once("player 1 takes b of player 2")
            && !before.contains("fault")
        {
            assert!(after.contains("1 fall, 1 come from a"), "{log}");
            assert!(
                after.contains("in occupy") && refuses(after, "done move"),
                "{log}"
            );
            return;
        }
    }
    panic!("b never falls");
}
