//! The rules of the Star Wars Risk code: each option by a position or by theory.

use risk_engine::Worker;
use risk_kernel::event::Event;
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::{Moment, NullSink, Sink, StopReason};
use risk_testing::games::library;

use super::CODE;
use crate::referee::TRACK;
use crate::starwars::{offered, ways_and_plans, with_dice_under};
use risk_testing::facts::has_words;
use risk_testing::games::{play_logged, setup};

/// Game options, a set-up, the player who is asked, and what is offered.
const OFFERS: &[(&[(&str, &str)], &str, usize, &str)] = &[
    // K5: no stormtroopers; K6: nothing after a dead Falcon; K15: a hat at 0 too; K14: one's own
    // counter.
    (
        &[("trooper_actions", "false")],
        "turned(g, 1, \"executor-stormtroopers-1\");",
        1,
        "done",
    ),
    (
        CODE,
        "put(g, 6, BWING, 1, 0); turned(g, 0, \"falcon-bwing-hat\");",
        0,
        "done",
    ),
    (
        &[("duel_ends", "for_one")],
        "turned(g, 0, \"hat-shield\");",
        0,
        "done, shield, hat",
    ),
    (
        &[("duel_ends", "for_one")],
        "g.set(1, HEALTH, 2); turned(g, 0, \"shield-lightsaber-1\");",
        0,
        "done, shield, lightsaber",
    ),
    (
        &[("duel_ends", "for_one")],
        "g.set(0, HEALTH, 2); turned(g, 0, \"shield-lightsaber-1\");",
        0,
        "done, shield",
    ),
    // K7, K8: the sector's stack goes along, into sectors with enemies too.
    (
        CODE,
        "put(g, 6, EXECUTOR, 8, 1); put(g, 6, TIE, 3, 1); put(g, 7, XWING, 1, 0); turned(g, 1, \"executor-lightning-1\");",
        1,
        "done, move s6 s7 executor 1, move s6 s14 executor 1, move s6 s15 executor 1",
    ),
    // K12: 52 would become 56, more than 55.
    (
        &[("most_ties", "55")],
        "put(g, 6, EXECUTOR, 8, 1); put(g, 7, TIE, 52, 1); turned(g, 1, \"tie-lightning-1\");",
        1,
        "no spawn",
    ),
    // K17: any sector, even own and empty ones, but no mothership.
    (
        &[("aim", "any_sector")],
        "g.set(DESTROYED, 63); put(g, 7, XWING, 1, 0); put(g, 9, TIE, 1, 1); turned(g, 1, \"deathstar-lightning-1\");",
        1,
        "done, fire_deathstar s6, fire_deathstar s7, fire_deathstar s8, fire_deathstar s9, fire_deathstar s10, \
             fire_deathstar s11, fire_deathstar s12, fire_deathstar s13, fire_deathstar s14, fire_deathstar s15, \
             fire_deathstar s16, fire_deathstar s17, fire_deathstar s18, fire_deathstar s19, fire_deathstar s20, \
             fire_deathstar s21, fire_deathstar s22, fire_deathstar s23, fire_deathstar s24, fire_deathstar s25, \
             fire_deathstar s26, fire_deathstar s27",
    ),
    (
        &[("aim", "any_sector")],
        "g.set(DESTROYED, 59); put(g, 7, XWING, 1, 0); turned(g, 1, \"deathstar-lightning-1\");",
        1,
        "done, fire_deathstar s2",
    ),
];

#[test]
fn each_option_of_star_wars_offers_what_its_row_says() {
    for &(options, set_up, seat, expected) in OFFERS {
        let found = offered(set_up, seat, options);
        match expected {
            "no spawn" => assert!(
                !found.iter().any(|option| option.starts_with("spawn")),
                "{set_up}: {found:?}"
            ),
            // `done` alone is no decision.
            "done" => assert!(found.is_empty() || found == ["done"], "{set_up}: {found:?}"),
            _ => {
                let mut expected: Vec<&str> = expected.split(", ").collect();
                let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{options:?} {set_up}");
            }
        }
    }
}

/// K10: up to as many ships as moved may attack, against a sector and against the Death Star.
#[test]
fn fewer_ships_than_have_moved_may_attack() {
    let fewer: &[(&str, &str)] = &[("attackers", "up_to_all")];
    let set_up = "g.set(TRACK, 28); put(g, 15, XWING, 3, 0); put(g, 27, TIE, 1, 1); turned(g, 0, \"xwing-hat\");";
    let (ways, plans) = ways_and_plans(set_up, fewer);
    assert_eq!(ways, plans);
    let of = |begin: &str| {
        plans
            .iter()
            .filter(|plan| plan.starts_with(begin))
            .map(String::as_str)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of("move s15 s22 xwing 3 +"),
        [
            "move s15 s22 xwing 3 + attack s22 s27",
            "move s15 s22 xwing 3 + attack_deathstar s22",
            "move s15 s22 xwing 3 + attack_deathstar_with s22 1",
            "move s15 s22 xwing 3 + attack_deathstar_with s22 2",
            "move s15 s22 xwing 3 + attack_with s22 s27 1",
            "move s15 s22 xwing 3 + attack_with s22 s27 2",
            "move s15 s22 xwing 3 + done",
        ]
    );
    assert!(of("move s15 s22 xwing 1 + attack_with").is_empty());
    // More than five ships roll five dice, so fewer means one to four.
    let set_up = "put(g, 8, TIE, 9, 1); put(g, 6, XWING, 9, 0); turned(g, 1, \"tie-lightning-1\");";
    let (ways, plans) = ways_and_plans(set_up, fewer);
    assert_eq!(ways, plans);
    let with = plans
        .iter()
        .filter(|plan| plan.starts_with("move s8 s7 tie 9 + attack_with"));
    assert_eq!(with.count(), 4);
    // The answer gives the number of dice.
    let says: &[&str] = &["move s15 s22 xwing 3 + attack_with s22 s27 2"];
    let set_up = "put(g, 15, XWING, 3, 0); put(g, 27, TIE, 9, 1); turned(g, 0, \"xwing-hat\");";
    let game = with_dice_under(fewer, set_up, [says, &[]], &[1, 5]).game;
    assert_eq!(game.units(Territory(27), Unit(4)), 8);
}

/// K9: one die for each ship; K11: a die is for the first kind that it can hurt and that was there,
/// and is lost where none is left.
#[test]
fn spare_hits_are_kept_or_lost() {
    let set_up =
        "put(g, 10, TIE, 9, 1); put(g, 9, XWING, 1, 0); g.add_units(9, YWING, 2); turned(g, 1, \"tie-lightning-1\");
        put(g, 22, XWING, 1, 0);";
    let says: &[&str] = &["move s10 s17 tie 3 + attack s17 s9"];
    let left = |options: &[(&str, &str)]| {
        let mut says = says.to_vec();
        says.extend(["hit xwing", "hit ywing", "hit ywing"]);
        let game = with_dice_under(options, set_up, [&[], &says], &[4, 5, 6]).game;
        [0, 1].map(|kind| game.units(Territory(9), Unit(kind)))
    };
    assert_eq!(left(&[]), [0, 0]);
    assert_eq!(left(&[("spare_hits", "lost")]), [0, 2]);
    for (dice, count) in [("0", 9), ("5", 5), ("7", 7)] {
        let (_folder, setup) = crate::starwars::position(
            "put(g, 10, TIE, 9, 1); put(g, 9, BWING, 40, 0); turned(g, 1, \"tie-lightning-1\");",
            &[("most_dice", dice)],
        );
        let log = play_logged(&setup, &[&[], &["move s10 s17 tie 9 + attack s17 s9"]]).0;
        let rolled = log
            .lines()
            .filter_map(|line| line.trim().strip_prefix("dice [")?.split(']').next());
        assert_eq!(
            rolled.map(|dice| dice.split(", ").count()).sum::<usize>(),
            count,
            "{log}"
        );
    }
}

/// Returns the steps of a shield action where each space takes the last sufficient die (K16).
fn steps_by_last(at: usize, rolled: &[u8]) -> usize {
    let mut dice = rolled.to_vec();
    let mut steps = 0;
    while at + steps < TRACK.len() {
        let Some(&value) = dice.iter().rev().find(|&&die| die >= TRACK[at + steps]) else {
            break;
        };
        dice.remove(dice.iter().position(|&die| die == value).unwrap());
        steps += 1;
    }
    steps
}

#[test]
fn the_shield_run_of_the_code_takes_as_long_as_theory_says() {
    assert_eq!(steps_by_last(7, &[1, 2, 2, 2, 5]), 2);
    let mut expected = vec![0.0_f64; TRACK.len() + 1];
    for at in (0..TRACK.len()).rev() {
        let mut stays = 0.0;
        let mut sum = 1.0;
        for roll in 0..7_776_u32 {
            let dice: Vec<u8> = (0..5)
                .map(|die| (roll / 6_u32.pow(die) % 6) as u8 + 1)
                .collect();
            match steps_by_last(at, &dice) {
                0 => stays += 1.0 / 7_776.0,
                steps => sum += expected[at + steps] / 7_776.0,
            }
        }
        expected[at] = sum / (1.0 - stays);
    }
    assert!((expected[0] - 9.258_870).abs() < 1e-6, "{}", expected[0]);
}

/// Checks games under the preset `upstream`: the order of turns, shield runs, bonus cards, and the
/// owner of a mixed sector.
#[derive(Default)]
struct UpstreamChecker {
    turns: Vec<usize>,
    verb: String,
    at: usize,
    rolled: Vec<u8>,
    runs: u32,
    mixed: u32,
}

impl Sink for UpstreamChecker {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        let decl = game.decl();
        match event {
            Event::TurnBegan { player: None, .. } => self.turns.clear(),
            Event::TurnBegan {
                player: Some(who), ..
            } => {
                self.turns.push(who.index());
                assert!(
                    self.turns.is_sorted_by(|a, b| a >= b),
                    "the empire turns all its cards first"
                );
                self.look(game);
            }
            Event::Answered { action, .. } => {
                self.verb.clone_from(&decl.verbs[action.verb.index()].name)
            }
            Event::Rolled { attack, .. } if self.verb == "shield" => {
                self.rolled = attack.values().to_vec()
            }
            Event::Counter { counter, now, .. }
                if decl.counters[counter.index()].name == "track" =>
            {
                let steps = steps_by_last(self.at, &self.rolled);
                assert_eq!(
                    *now as usize,
                    self.at + steps,
                    "{:?} from {}",
                    self.rolled,
                    self.at
                );
                self.at = *now as usize;
                self.runs += 1;
            }
            Event::Card { from, to, .. } => {
                let names = [from.0, to.0].map(|pile| decl.piles[pile.index()].name.as_str());
                assert_ne!(names, ["deck", "stack"], "a bonus card");
            }
            _ => {}
        }
    }
}

impl UpstreamChecker {
    fn look(&mut self, game: &GameState) {
        for at in game.board().territories() {
            let count = |kinds: std::ops::Range<usize>| -> i32 {
                kinds
                    .map(|kind| game.units(at, Unit::from_index(kind)))
                    .sum()
            };
            let rebels = count(0..4);
            let empire = count(4..6);
            let owner = if rebels > 0 {
                Some(Player(0))
            } else {
                (empire > 0).then_some(Player(1))
            };
            assert_eq!(game.owner(at), owner);
            self.mixed += u32::from(rebels > 0 && empire > 0);
        }
    }
}

#[test]
fn games_of_the_code_as_it_is_are_played_as_its_rows_say() {
    let mut seen = (0, 0);
    for (bots, games) in [
        (["starwars-random"; 2], 12),
        (["starwars-upstream-shield", "starwars-attack"], 20),
    ] {
        let setup = setup("starwars", None, &bots, 4, CODE);
        let mut worker = Worker::new(&setup).unwrap();
        for number in 0..games {
            let mut eye = UpstreamChecker::default();
            let outcome = worker.play(number, &mut eye).outcome.unwrap();
            assert!(["death-star", "no-rebels"].contains(&outcome.reason.as_str()));
            seen = (seen.0 + eye.runs, seen.1 + eye.mixed);
        }
    }
    assert!(seen.0 > 100 && seen.1 > 100, "{seen:?}");
}

/// The same is possible step by step and in whole actions; stops count twice where the code lists
/// them twice.
#[test]
fn plans_of_the_code_as_it_is_are_all_the_ways() {
    let once: &[(&str, &str)] = &[("preset", "upstream"), ("repeats", "false")];
    let rows = [
        (
            "put(g, 13, EXECUTOR, 8, 1); put(g, 13, TIE, 2, 1); put(g, 14, XWING, 2, 0); turned(g, 1, \"executor-lightning-1\");",
            1,
        ),
        // A stack of both sides: every ship near it is a target, and where it set out too.
        (
            "g.set(TRACK, 28); put(g, 22, FALCON, 6, 0); g.add_units(22, TIE, 2); put(g, 15, BWING, 1, 0); put(g, 27, TIE, 1, 1); turned(g, 0, \"falcon-xwing-shield\");",
            0,
        ),
        // X-wings beside a sector of both sides, and in one.
        (
            "put(g, 8, XWING, 2, 0); put(g, 16, BWING, 1, 0); g.add_units(16, TIE, 1); put(g, 17, XWING, 1, 0); g.add_units(17, EXECUTOR, 8); turned(g, 0, \"xwing-hat\");",
            0,
        ),
        (
            "put(g, 17, YWING, 1, 0); g.add_units(17, EXECUTOR, 8); g.add_units(17, TIE, 2); put(g, 8, XWING, 2, 0); turned(g, 1, \"tie-lightning-1\");",
            1,
        ),
    ];
    for (set_up, seat) in rows {
        let (ways, plans) = ways_and_plans(set_up, once);
        assert!(
            plans.len() > 1 && ways == plans,
            "seat {seat}: {ways:#?}\n{plans:#?}"
        );
        let (_, twice) = ways_and_plans(set_up, CODE);
        let stops = |plan: &&String| {
            let last = plan
                .rsplit(" + ")
                .find(|step| *step != "done")
                .unwrap_or_default();
            last.starts_with("spawn")
                || (last.starts_with("move")
                    && (last.contains("falcon") || last.contains("executor")))
        };
        assert_eq!(
            twice.len(),
            plans.len() + plans.iter().filter(stops).count(),
            "{set_up}"
        );
    }
}

/// `most_ties` limits TIEs, and is itself limited to what a stack holds.
#[test]
fn most_ties_has_bounds() {
    let ruleset = risk_engine::load_ruleset(library(), "starwars").unwrap();
    for (value, fits) in [("23", false), ("24", true), ("127", true), ("128", false)] {
        let said = [("most_ties".to_owned(), value.to_owned())];
        assert_eq!(ruleset.options(&said).is_ok(), fits, "{value}");
    }
    for (most, ties, spawns) in [
        ("127", 123, true),
        ("127", 124, false),
        ("24", 20, true),
        ("24", 21, false),
    ] {
        let set_up = format!(
            "put(g, 6, EXECUTOR, 8, 1); put(g, 7, TIE, {ties}, 1); turned(g, 1, \"tie-lightning-1\");"
        );
        let found = offered(
            &set_up,
            1,
            &[("most_ties", most), ("capital_ships", "whole_stack")],
        );
        assert_eq!(
            found.iter().any(|option| option.starts_with("spawn")),
            spawns,
            "{ties} of {most}: {found:?}"
        );
    }
}

/// A full stack flies, and whole games are played with full stacks; one ship more is refused.
#[test]
fn stacks_have_room_for_127_ships_of_a_kind() {
    let options = [("capital_ships", "whole_stack"), ("most_ties", "127")];
    let set_up = "put(g, 6, EXECUTOR, 8, 1); put(g, 6, TIE, 127, 1); put(g, 9, XWING, 127, 0); turned(g, 1, \"executor-lightning-1\");";
    let (_folder, mut setup) = crate::starwars::position(set_up, &options);
    let mut farthest = 0;
    for seed in 0..12 {
        setup.seed = seed.into();
        let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
        assert_eq!(finished.outcome.unwrap().reason, "over");
        let elsewhere = setup
            .rules
            .board
            .territories()
            .filter(|&at| at != Territory(6));
        farthest = farthest.max(
            elsewhere
                .map(|at| finished.game.units(at, Unit(4)))
                .max()
                .unwrap(),
        );
    }
    assert_eq!(farthest, 127, "all of them flew with the Executor");
    for (kind, more, fits) in [
        ("tie", 103, true),
        ("tie", 104, false),
        ("xwing", 107, true),
        ("xwing", 108, false),
    ] {
        let (_folder, path) = crowded(kind, more);
        let bots = ["random-action"; 2];
        let options = [
            ("capital_ships", "whole_stack"),
            ("most_ties", "127"),
            ("max_turns", "60"),
        ];
        let setup = risk_testing::games::setup(&path, Some("starwars"), &bots, 3, &options);
        let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
        let strikes = finished
            .game
            .seats()
            .map(|who| finished.game.strikes(who))
            .sum::<u32>();
        match finished.outcome {
            Ok(_) => assert!(fits && strikes == 0, "{more} more {kind}, {strikes} faults"),
            Err(StopReason::Rules(fault)) => assert!(
                !fits && has_words(fault.text(), "127"),
                "{more} more {kind}: {}",
                fault
            ),
            Err(stop) => panic!("{stop:?}"),
        }
    }
}

/// Writes a ruleset of Star Wars with this many more ships of a kind, in the first place of that
/// kind.
fn crowded(kind: &str, more: i32) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crowded.rhai");
    let text = format!(
        "fn ruleset() {{ #{{ extends: \"starwars\", name: \"crowded\" }} }}\n\
         fn setup(g) {{ g.add_units(g.marked(\"{kind}\")[0], {}, {more}); base::setup(g); }}\n",
        kind.to_uppercase()
    );
    std::fs::write(&path, text).unwrap();
    (folder, path.display().to_string())
}
