//! What each card offers, and the plans that hold all ways through it.

use risk_kernel::id::{Territory, Unit};

use super::{offered, position, ways_and_plans};
use risk_testing::games::{play_logged, setup};

/// A set-up, the player who is asked, and the options.
const OFFERS: &[(&str, usize, &str)] = &[
    // K6: every face of the card, the Falcon dead or alive; K15: no hat above 3 or at 0.
    (
        "put(g, 6, BWING, 1, 0); turned(g, 0, \"falcon-bwing-hat\");",
        0,
        "done, move s6 s7 bwing 1, move s6 s14 bwing 1, move s6 s15 bwing 1",
    ),
    (
        "g.set(0, HEALTH, 5); g.set(1, HEALTH, 3); turned(g, 0, \"falcon-bwing-hat\");",
        0,
        "done, hat",
    ),
    (
        "g.set(0, HEALTH, 5); g.set(1, HEALTH, 4); turned(g, 0, \"hat-shield\");",
        0,
        "done, shield",
    ),
    (
        "g.set(0, HEALTH, 5); turned(g, 0, \"hat-shield\");",
        0,
        "done, shield",
    ),
    // K14: one counter at 0 ends the duel for both.
    (
        "g.set(1, HEALTH, 2); turned(g, 0, \"shield-lightsaber-1\");",
        0,
        "done, shield",
    ),
    (
        "g.set(TRACK, 28); g.set(0, HEALTH, 1); g.set(1, HEALTH, 1); turned(g, 0, \"shield-lightsaber-1\");",
        0,
        "done, lightsaber",
    ),
    // K5: stormtroopers are offered, but not with nine, and not past the end (K22).
    (
        "turned(g, 1, \"executor-stormtroopers-1\");",
        1,
        "done, stormtroopers",
    ),
    (
        "g.set(TROOPERS, 9); turned(g, 1, \"executor-stormtroopers-1\");",
        1,
        "",
    ),
    (
        "g.set(TRACK, 26); g.set(TROOPERS, 2); turned(g, 1, \"executor-stormtroopers-1\");",
        1,
        "",
    ),
    // K8: no sector with enemies is entered; K7: the capital ship goes alone; motherships are
    // closed.
    (
        "put(g, 6, EXECUTOR, 8, 1); put(g, 6, TIE, 3, 1); put(g, 7, XWING, 1, 0); turned(g, 1, \"executor-lightning-1\");",
        1,
        "done, move s6 s14 executor 1, move s6 s15 executor 1",
    ),
    // K12: TIEs come in fours, up to 56.
    (
        "put(g, 6, EXECUTOR, 8, 1); put(g, 7, TIE, 52, 1); turned(g, 1, \"tie-lightning-1\");",
        1,
        "spawn",
    ),
    (
        "put(g, 6, EXECUTOR, 8, 1); put(g, 7, TIE, 53, 1); turned(g, 1, \"tie-lightning-1\");",
        1,
        "no spawn",
    ),
    (
        "put(g, 7, TIE, 3, 1); turned(g, 1, \"tie-lightning-1\");",
        1,
        "no spawn",
    ),
    // The Death Star: first all motherships that are left, then every sector with rebels (K17).
    (
        "put(g, 7, XWING, 1, 0); turned(g, 1, \"deathstar-lightning-1\");",
        1,
        "done, fire_deathstar s0, fire_deathstar s1, fire_deathstar s2, fire_deathstar s3, fire_deathstar s4, fire_deathstar s5",
    ),
    (
        "g.set(DESTROYED, 59); turned(g, 1, \"deathstar-lightning-1\");",
        1,
        "done, fire_deathstar s2",
    ),
    (
        "g.set(DESTROYED, 63); put(g, 7, XWING, 1, 0); put(g, 9, TIE, 1, 1); put(g, 20, BWING, 2, 0); turned(g, 1, \"deathstar-lightning-1\");",
        1,
        "done, fire_deathstar s7, fire_deathstar s20",
    ),
    (
        "put(g, 1, XWING, 2, 0); turned(g, 0, \"xwing-hat\");",
        0,
        "done, move s1 s7 xwing 1, move s1 s7 xwing 2",
    ),
];

#[test]
fn each_card_offers_what_the_readings_say() {
    for &(set_up, seat, expected) in OFFERS {
        let found = offered(set_up, seat, &[]);
        match expected {
            "spawn" | "no spawn" => {
                assert_eq!(
                    found.iter().any(|option| option == "spawn s6"),
                    expected == "spawn",
                    "{set_up}"
                );
            }
            // A card that allows nothing still asks for `done`.
            "" => assert!(found.is_empty() || found == ["done"], "{set_up}: {found:?}"),
            _ => assert_eq!(found.join(", "), expected, "{set_up}"),
        }
    }
}

/// Turning a card that the player cannot use is no fault.
#[test]
fn the_last_card_chosen_is_turned_first() {
    let setup = setup("starwars", None, &["random"; 2], 3, &[]);
    let (log, _) = play_logged(&setup, &[&["0", "1", "2", "done"], &["0", "0", "0"]]);
    let chosen: Vec<&str> = log
        .lines()
        .filter_map(|line| {
            line.trim()
                .strip_suffix(" goes from hand of player 1 onto stack of player 1")
        })
        .collect();
    let turned = log
        .lines()
        .find(|line| line.contains("onto turned of player 1"))
        .unwrap();
    assert_eq!(chosen.len(), 3, "{log}");
    assert!(turned.trim().starts_with(chosen[2]), "{chosen:?}: {turned}");
}

/// The plans of a card are exactly the ways from its first decision to the first die or the end
/// of the turn.
#[test]
fn plans_are_all_the_ways_through_a_card() {
    let rows = [
        (
            "put(g, 11, TIE, 2, 1); put(g, 13, EXECUTOR, 8, 1); put(g, 10, XWING, 1, 0); put(g, 14, BWING, 1, 0); turned(g, 1, \"tie-lightning-1\");",
            1,
        ),
        (
            "put(g, 13, EXECUTOR, 8, 1); put(g, 22, XWING, 1, 0); turned(g, 1, \"deathstar-executor-lightsaber-1\");",
            1,
        ),
        (
            "g.set(TRACK, 28); put(g, 15, FALCON, 6, 0); g.add_units(15, XWING, 2); put(g, 21, TIE, 1, 1); turned(g, 0, \"falcon-xwing-shield\");",
            0,
        ),
        (
            "put(g, 1, XWING, 3, 0); put(g, 16, BWING, 1, 0); put(g, 8, TIE, 1, 1); turned(g, 0, \"xwing-bwing-shield-1\");",
            0,
        ),
        (
            "g.set(0, HEALTH, 1); g.set(1, HEALTH, 1); turned(g, 0, \"hat-shield\");",
            0,
        ),
    ];
    for (set_up, seat) in rows {
        let (ways, mut plans) = ways_and_plans(set_up, &[]);
        assert!(
            plans.len() > 1 && ways == plans,
            "seat {seat}: {ways:#?}\n{plans:#?}"
        );
        plans.dedup();
        assert_eq!(plans.len(), ways.len(), "each counts once");
    }
}

/// Covers a capital ship's second flight and an attack from where it ends.
#[test]
fn a_whole_card_is_one_answer() {
    let set_up = "put(g, 13, EXECUTOR, 8, 1); put(g, 22, XWING, 2, 0); put(g, 13, TIE, 2, 1); turned(g, 1, \"executor-lightning-1\");";
    let (_folder, setup) = position(set_up, &[]);
    let (log, finished) = play_logged(
        &setup,
        &[
            &[],
            &["move s13 s14 executor 1 + move s14 s21 executor 1 + attack s21 s22"],
        ],
    );
    assert!(log.contains("dice ["), "{log}");
    assert_eq!(finished.game.units(Territory(21), Unit(5)), 8);
    assert_eq!(
        finished.game.units(Territory(13), Unit(4)),
        2,
        "the escort stays"
    );
    // An impossible step refuses the whole answer before its first step is done.
    let (log, finished) = play_logged(
        &setup,
        &[&[], &["move s13 s14 executor 1 + attack s14 s22"]],
    );
    assert!(log.contains("fault"), "{log}");
    assert_eq!(finished.game.units(Territory(13), Unit(5)), 8);
}
