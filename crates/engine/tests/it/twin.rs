//! Standard phases against a scripted twin: same seed, same bots, same record to the last digest.

use std::path::Path;

use risk_engine::{Setup, Worker};
use risk_kernel::event::Event;
use risk_kernel::{Moment, Sink};

use risk_testing::by_case::{each, runs_every_case};
use risk_testing::games as support;

#[derive(Default)]
struct Trail(Vec<(u64, String)>);

impl Sink for Trail {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        self.0.push((game.digest(), format!("{event:?}")));
    }
}

fn check(bots: &[&str], games: u64, seed: u64) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/twin.rhai");
    let setup = |ruleset| support::setup(ruleset, None, bots, seed, &[("max_turns", "60")]);
    same([&setup("hasbro"), &setup(path)], games);
}

/// Plays the same games under two rulesets and compares each event and each digest.
fn same([standard, scripted]: [&Setup; 2], games: u64) {
    let mut standard = Worker::new(standard).unwrap();
    let mut scripted = Worker::new(scripted).unwrap();
    each(0..games, |&number| {
        let mut a = Trail::default();
        let mut b = Trail::default();
        let one = standard.play(number, &mut a);
        let two = scripted.play(number, &mut b);
        for (index, (a, b)) in a.0.iter().zip(&b.0).enumerate() {
            assert_eq!(a, b, "game {number}, event {index}");
        }
        assert_eq!(a.0.len(), b.0.len());
        assert_eq!(
            (one.game.digest(), one.outcome.unwrap()),
            (two.game.digest(), two.outcome.unwrap())
        );
    });
}

#[test]
fn games_of_3_are_the_same() {
    check(&["random", "outnumber", "holder"], 60, 31);
}

#[test]
fn games_of_4_are_the_same() {
    check(&["outnumber", "odds", "holder", "outnumber"], 50, 32);
}

#[test]
fn games_of_5_are_the_same() {
    check(&["random", "outnumber", "odds", "holder", "random"], 50, 33);
}

#[test]
fn games_of_6_are_the_same() {
    // A bot that always fails brings neutral players, lapsed armies and random claims.
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.rhai");
    std::fs::write(
        &broken,
        "fn answer(view, ask) { if view.turn < 3 { ask.random() } else { throw \"no\" } }",
    )
    .unwrap();
    let dead = folder.path().join("dead.rhai");
    std::fs::write(&dead, "fn answer(view, ask) { throw \"no\" }").unwrap();
    let broken = broken.to_str().unwrap();
    let dead = dead.to_str().unwrap();
    check(
        &["random", broken, "outnumber", dead, "holder", "odds"],
        50,
        34,
    );
}

/// Writes two bots for simplified: one that fails now and then, and one that always fails from its
/// second turn on.
fn faulty(folder: &Path) -> [String; 2] {
    let scripts = [
        "fn new_game(view) { this.asked = 0; }\nfn answer(view, ask) { this.asked += 1; if this.asked % 5 == 0 { throw \"no\" } ask.random() }",
        "fn answer(view, ask) { if view.round < 2 { ask.random() } else { throw \"no\" } }",
    ];
    let mut number = 0;
    scripts.map(|script| {
        number += 1;
        let path = folder.join(format!("faulty{number}.rhai"));
        std::fs::write(&path, script).unwrap();
        path.to_str().unwrap().to_owned()
    })
}

#[test]
fn assaults_are_the_same_with_every_option() {
    let folder = tempfile::tempdir().unwrap();
    let [flaky, broken] = faulty(folder.path());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/assault_twin.rhai");
    let mut seed = 60;
    for dice in ["capped", "literal", "classic", "csharp"] {
        for pass in ["false", "true"] {
            for neighbourhood in ["8", "4"] {
                for strikes in ["0", "1", "5"] {
                    seed += 1;
                    // Without a strike limit a bot is asked until it answers, so the last must
                    // answer.
                    let last = if strikes == "0" { "holder" } else { &broken };
                    let bots = ["random", "outnumber", &flaky, last];
                    let bots = &bots[..2 + seed as usize % 3];
                    let options = [
                        ("dice", dice),
                        ("allow_pass", pass),
                        ("neighbourhood", neighbourhood),
                        ("strikes", strikes),
                        ("armies", if seed % 2 == 0 { "25" } else { "90" }),
                        ("max_turns", "100"),
                    ];
                    let map = ["grid:5x5", "grid:3x3", "hacker-risk"][seed as usize % 5 % 3];
                    let map = Some(map).filter(|_| neighbourhood == "8");
                    let setup = |ruleset| support::setup(ruleset, map, bots, seed, &options);
                    same([&setup("simplified"), &setup(path)], 8);
                }
            }
        }
    }
}

#[test]
fn raids_are_the_same_with_every_option() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/raids_twin.rhai");
    let bots: [&[&str]; 3] = [
        &["random-action", "random-action"],
        &["random", "starwars-attack"],
        &["starwars-shield", "random-action"],
    ];
    let games = if runs_every_case() { 3 } else { 1 };
    let mut seed = 90;
    for capital_ships in ["alone", "whole_stack"] {
        for attackers in ["all", "up_to_all"] {
            for repeats in ["false", "true"] {
                for bots in bots {
                    seed += 1;
                    let options = [
                        ("capital_ships", capital_ships),
                        ("attackers", attackers),
                        ("repeats", repeats),
                        ("most_dice", if seed % 2 == 0 { "5" } else { "0" }),
                        ("max_turns", "150"),
                    ];
                    let setup = |ruleset| support::setup(ruleset, None, bots, seed, &options);
                    same([&setup("starwars"), &setup(path)], games);
                }
            }
        }
    }
}

#[test]
fn greedy_is_outnumber_as_a_script() {
    let script = support::setup("hasbro", None, &["greedy"; 4], 35, &[]);
    let built_in = support::setup("hasbro", None, &["outnumber"; 4], 35, &[]);
    let mut script = Worker::new(&script).unwrap();
    let mut built_in = Worker::new(&built_in).unwrap();
    each(0..40, |&number| {
        let mut a = Trail::default();
        let mut b = Trail::default();
        script.play(number, &mut a);
        built_in.play(number, &mut b);
        assert_eq!(a.0, b.0, "game {number}");
    });
}

#[test]
fn dice_roller_is_random_as_a_script() {
    let script = support::setup(
        "hasbro",
        None,
        &["dice-roller"; 3],
        36,
        &[("max_turns", "20")],
    );
    let built_in = support::setup("hasbro", None, &["random"; 3], 36, &[("max_turns", "20")]);
    let mut script = Worker::new(&script).unwrap();
    let mut built_in = Worker::new(&built_in).unwrap();
    each(0..10, |&number| {
        let one = script.play(number, &mut Trail::default());
        let two = built_in.play(number, &mut Trail::default());
        assert_eq!(one.game.digest(), two.game.digest(), "game {number}");
    });
}
