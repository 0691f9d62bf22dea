//! Exact theory, a second referee, and win rates of the reference bots.

use risk_engine::{Standings, Worker, play_many};
use risk_kernel::id::Player;

use crate::referee::{Referee, TRACK, steps};
use risk_testing::by_case::{runs_every_case, share};
use risk_testing::games::{play_logged, setup};

/// Without troopers, from the track's own values.
#[test]
fn the_shield_run_has_its_exact_distribution() {
    let mut at: Vec<f64> = vec![0.0; TRACK.len() + 1];
    at[0] = 1.0;
    let mut mean = 0.0;
    let mut done = Vec::new();
    for action in 1..=60 {
        let mut next = vec![0.0; at.len()];
        for (space, &chance) in at[..TRACK.len()]
            .iter()
            .enumerate()
            .filter(|row| *row.1 > 0.0)
        {
            for roll in 0..7_776_u32 {
                let dice: Vec<u8> = (0..5)
                    .map(|die| (roll / 6_u32.pow(die) % 6) as u8 + 1)
                    .collect();
                next[space + steps(space, 0, &dice)] += chance / 7_776.0;
            }
        }
        mean += f64::from(action) * next[TRACK.len()];
        done.push(next[TRACK.len()]);
        next[TRACK.len()] = 0.0;
        at = next;
        if action == 1 {
            let first: f64 = at
                .iter()
                .enumerate()
                .map(|(space, chance)| space as f64 * chance)
                .sum();
            assert!((first - 25.0 / 6.0).abs() < 1e-9 && (at[0] - 1.0 / 7_776.0).abs() < 1e-12);
        }
    }
    assert!((mean - 8.945_846).abs() < 1e-6, "{mean}");
    let expected = [
        0.0, 0.001_21, 0.074_75, 0.297_51, 0.346_17, 0.191_66, 0.066_80, 0.017_33,
    ];
    for (action, chance) in expected.into_iter().enumerate() {
        assert!(
            (done[action + 4] - chance).abs() < 5.1e-6,
            "{} actions: {}",
            action + 5,
            done[action + 4]
        );
    }
    let setup = setup("starwars", None, &["random"; 2], 1, &[]);
    let worker = Worker::new(&setup).unwrap();
    let table = &worker.rules().tables()["space"];
    let script: Vec<u8> = (0..28)
        .map(|space| table.get(&[space]).unwrap() as u8)
        .collect();
    assert_eq!(script, TRACK);
}

#[test]
fn a_second_referee_agrees_with_every_roll_and_the_chances_are_those_of_theory() {
    // Like starwars-shield, but with any number of ships against the Death Star.
    let folder = tempfile::tempdir().unwrap();
    let storm = folder.path().join("storm.rhai");
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scripts/starwars-shield.rhai"
    ))
    .unwrap();
    std::fs::write(
        &storm,
        text.replace(
            "ask.plans(\"attack_deathstar\")[0]",
            "ask.random_plan(\"attack_deathstar\")",
        ),
    )
    .unwrap();
    let mut referee = Referee::default();
    for (bots, games) in [
        (["random-action"; 2], share(125)),
        ([storm.to_str().unwrap(), "starwars-attack"], share(500)),
    ] {
        let setup = setup("starwars", None, &bots, 32, &[]);
        let mut worker = Worker::new(&setup).unwrap();
        for number in 0..games {
            let mut fresh = Referee::default();
            std::mem::swap(&mut fresh.counts, &mut referee.counts);
            worker.play(number, &mut fresh).outcome.unwrap();
            referee.counts = fresh.counts;
        }
    }
    let near = |(tries, hits): (u32, u32), p: f64, what: &str| {
        let n = f64::from(tries);
        assert!(
            (f64::from(hits) / n - p).abs() < 4.0 * (p * (1.0 - p) / n).sqrt(),
            "{what}: {hits} of {tries}"
        );
    };
    let counts = &referee.counts;
    near(counts.shots, 5.0 / 9.0, "Death Star");
    near((counts.sabers.0 * 4, counts.sabers.1), 0.5, "lightsaber");
    for (&dice, &row) in &counts.storms {
        near(
            row,
            1.0 - (5.0_f64 / 6.0).powi(dice as i32),
            "attack on the Death Star",
        );
    }
    assert!(
        (1..=3).all(|dice| counts.storms[&dice].0 > 5),
        "{:?}",
        counts.storms
    );
    assert!(
        counts.others.len() == 5,
        "everything was done: {:?}",
        counts.others
    );
}

/// Each lightsaber action rolls 4 dice, which hit on 4 and more.
#[test]
fn duels_take_as_long_as_theory_says() {
    let mean = |hits: usize| {
        let mut expected = vec![0.0_f64; hits + 1];
        for left in 1..=hits {
            let sum: f64 = [4.0, 6.0, 4.0, 1.0]
                .into_iter()
                .enumerate()
                .map(|(index, ways)| ways / 16.0 * expected[left.saturating_sub(index + 1)])
                .sum();
            expected[left] = (1.0 + sum) / (1.0 - 1.0 / 16.0);
        }
        expected[hits]
    };
    for (duel, rebels, empire) in [("text", 12, 13), ("code", 13, 12)] {
        let setup = setup("starwars", None, &["random"; 2], 1, &[("duel", duel)]);
        let (_, finished) = play_logged(&setup, &[&[], &[]]);
        let health = finished.game.decl().counter("health").unwrap();
        let left = [0, 1].map(|seat| finished.game.counter(health, Some(Player(seat))));
        assert_eq!(left, [rebels, empire]);
    }
    assert!((mean(12) - 6.374_977).abs() < 1e-6 && (mean(13) - 6.875_005).abs() < 1e-6);
}

/// The document gives rebel wins and the median of cards turned. `.ci/nightly` repeats this with
/// more games in a release build; bots that draw play only there.
#[test]
fn reference_bots_win_as_often_as_in_the_document() {
    let code: &[(&str, &str)] = &[("preset", "upstream")];
    let plain: &[(&str, &str)] = &[];
    let rows = [
        (
            ["starwars-random", "starwars-random"],
            plain,
            100,
            0.0793,
            1_500.0,
            226.0,
            20.0,
        ),
        (
            ["random-action", "random-action"],
            plain,
            100,
            0.0793,
            1_500.0,
            226.0,
            20.0,
        ),
        (
            ["starwars-shield", "starwars-attack"],
            plain,
            300,
            0.762,
            1_000.0,
            51.0,
            6.0,
        ),
        (
            ["starwars-random", "starwars-random"],
            code,
            100,
            0.1032,
            6_000.0,
            216.0,
            25.0,
        ),
        (
            ["starwars-upstream-shield", "starwars-attack"],
            code,
            200,
            0.8885,
            2_000.0,
            58.0,
            6.0,
        ),
    ];
    for (bots, options, games, p, reference, median, give) in rows {
        // Games of bots that draw are long.
        if games < 200 && !runs_every_case() {
            continue;
        }
        let mut setup = setup("starwars", None, &bots, 12, options);
        setup.seats = risk_engine::Seats::Fixed;
        let standings =
            Standings::from_results(&setup, &play_many(&setup, 0, games, 2, |_| ()).unwrap());
        let won = standings.bots[0].rate.rate;
        let allowed = 4.0 * (p * (1.0 - p) * (1.0 / reference + 1.0 / games as f64)).sqrt();
        assert!((won - p).abs() <= allowed, "{bots:?}: {won}");
        assert!(
            (standings.turns.median - median).abs() <= give,
            "{bots:?}: {:?}",
            standings.turns
        );
    }
}
