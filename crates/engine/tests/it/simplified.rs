//! The simplified game: dice in three readings, placement, the attack in rotation, the end
//! and the score.

use risk_engine::{Worker, hosted};
use risk_kernel::id::{Player, Territory};
use risk_kernel::odds::Fight;
use risk_testing::games::library;

use risk_testing::facts::refuses;
use risk_testing::games::{DICE_EXAMPLES, Rolls, play_logged, position_of, setup};

fn fight(dice: &str) -> Fight {
    let setup = setup(
        "simplified",
        Some("grid:3x3"),
        &["random"; 2],
        1,
        &[("dice", dice)],
    );
    Fight::from_tables(Worker::new(&setup).unwrap().rules().tables()).unwrap()
}

/// Armies in the source, including the one that stays; defenders; chance of capture and armies left
/// of the attacker for `capped`; chances for `literal` and `classic`; chance that the source ends
/// at 0.
const ROWS: [(i32, i32, f64, f64, f64, f64, f64); 8] = [
    (2, 1, 0.578704, 1.5787, 0.578704, 0.416667, 0.000000),
    (2, 2, 0.225498, 1.2255, 0.227623, 0.106096, 0.448302),
    (3, 1, 0.856642, 2.5164, 0.856642, 0.754244, 0.000000),
    (3, 2, 0.565972, 1.9376, 0.565972, 0.362654, 0.000000),
    (4, 2, 0.725270, 2.6901, 0.725892, 0.655954, 0.131158),
    (5, 3, 0.724315, 3.0508, 0.724732, 0.641623, 0.088080),
    (10, 10, 0.535124, 3.1219, 0.537809, 0.479935, 0.179793),
    (20, 15, 0.846096, 7.8670, 0.848390, 0.822076, 0.045814),
];

#[test]
fn fights_to_the_end_have_their_exact_odds_in_all_readings() {
    let mut capped = fight("capped");
    let mut literal = fight("literal");
    let mut classic = fight("classic");
    for (a, d, by_cap, left, by_letter, by_classic, _) in ROWS {
        let odds = capped.odds(a - 1, d).unwrap();
        assert!(
            (odds.capture - by_cap).abs() < 5.1e-7,
            "{a} v {d}: {odds:?}"
        );
        assert!(
            (odds.attackers_left + 1.0 - left).abs() < 5.1e-5,
            "{a} v {d}: {odds:?}"
        );
        assert!(
            (literal.odds(a - 1, d).unwrap().capture - by_letter).abs() < 5.1e-7,
            "{a} v {d}"
        );
        assert!(
            (classic.odds(a - 1, d).unwrap().capture - by_classic).abs() < 5.1e-7,
            "{a} v {d}"
        );
    }
}

/// Fights from `a` against `d` to the end, this many times; returns how often the land was taken
/// and how often the source was empty.
fn simulate(dice: &str, a: i32, d: i32, fights: u32) -> (u32, u32) {
    let land = format!(
        "g.give(0, 0); g.add_armies(0, {a}); g.give(1, 1); g.add_armies(1, {d}); g.set(PASSES, 0); g.push(ASSAULT_PHASE, 0); g.push(OVER_PHASE, 0);"
    );
    let (folder, mut setup) = position_of("simplified", &land, 2, &[("dice", dice)]);
    let path = folder.path().join("position.rhai");
    let text = std::fs::read_to_string(&path).unwrap().replace(
        "name: \"position\"",
        "name: \"position\", phases: #{ over: script() }",
    );
    std::fs::write(
        &path,
        text + "fn over_enter(g, me) { g.end(\"over\", []); }\n",
    )
    .unwrap();
    setup.rules.ruleset = risk_engine::load_ruleset(library(), path.to_str().unwrap()).unwrap();
    // With two territories, the first option of each decision is to attack.
    setup.rules.board = risk_testing::games::board("grid:2x1");
    let mut worker = Worker::new(&setup).unwrap();
    let mut taken = 0;
    let mut empty = 0;
    for number in 0..fights {
        let mut bots = vec![hosted(FirstOptionPlayer), hosted(FirstOptionPlayer)];
        let game = worker
            .play_with(number.into(), &mut bots, &mut risk_kernel::NullSink)
            .game;
        taken += u32::from(game.owns(Player(0), Territory(1)));
        empty += u32::from(game.armies(Territory(0)) == 0);
    }
    (taken, empty)
}

struct FirstOptionPlayer;
impl risk_kernel::Bot for FirstOptionPlayer {
    fn answer(
        &mut self,
        _: &risk_kernel::view::View,
        ask: &risk_kernel::action::Options,
    ) -> Result<risk_kernel::Answer, risk_kernel::fault::BotFault> {
        Ok(risk_kernel::Answer::One(ask.nth(0)))
    }
}

/// Armies in the source, including the one that stays; defenders; chance of capture under the C#
/// server.
const CSHARP: [(i32, i32, f64); 8] = [
    (2, 1, 0.416667),
    (2, 2, 0.106096),
    (3, 1, 0.754244),
    (3, 2, 0.359893),
    (4, 2, 0.519617),
    (5, 3, 0.488083),
    (10, 10, 0.152786),
    (20, 15, 0.319244),
];

#[test]
fn the_dice_of_the_server_in_c_sharp_have_their_exact_odds_and_come_as_often() {
    let mut odds = fight("csharp");
    for (a, d, p) in CSHARP {
        let found = odds.odds(a - 1, d).unwrap().capture;
        assert!((found - p).abs() < 5.1e-7, "{a} v {d}: {found}");
    }
    // An attacker that can lose the first pair and still attack always beats a lone defender.
    assert!((odds.odds(3, 1).unwrap().capture - 1.0).abs() < 1e-12);
    const FIGHTS: u32 = 10_000;
    for (a, d, p) in [CSHARP[3], CSHARP[5], (4, 1, 1.0)] {
        let (taken, empty) = simulate("csharp", a, d, FIGHTS);
        let n = f64::from(FIGHTS);
        let taken = f64::from(taken);
        assert!(
            (taken - p * n).abs() <= 4.0 * (n * p * (1.0 - p)).sqrt() && empty == 0,
            "{a} v {d}: {taken} {empty}"
        );
    }
    let preset = setup(
        "simplified",
        None,
        &["random"; 2],
        1,
        &[("preset", "upstream")],
    );
    assert_eq!(preset.rules.options["dice"].to_string(), "csharp");
}

/// Answers wrongly this many times, then with the first option.
struct WrongAnswerBot(u64);
impl risk_kernel::Bot for WrongAnswerBot {
    fn answer(
        &mut self,
        _: &risk_kernel::view::View,
        ask: &risk_kernel::action::Options,
    ) -> Result<risk_kernel::Answer, risk_kernel::fault::BotFault> {
        if self.0 == 0 {
            return Ok(risk_kernel::Answer::One(ask.nth(0)));
        }
        self.0 -= 1;
        Err(risk_kernel::fault::BotFault::strike(
            risk_kernel::fault::FaultKind::Illegal,
            "no",
        ))
    }
}

#[test]
fn whoever_answers_wrongly_may_be_asked_again_without_end_up_to_a_limit_that_is_named() {
    let play = |strikes: &str, wrong: u64| {
        let games = setup(
            "simplified",
            Some("grid:2x2"),
            &["random"; 2],
            1,
            &[("armies", "2"), ("strikes", strikes)],
        );
        let mut bots = vec![hosted(WrongAnswerBot(wrong)), hosted(FirstOptionPlayer)];
        let finished =
            Worker::new(&games)
                .unwrap()
                .play_with(0, &mut bots, &mut risk_kernel::NullSink);
        (
            finished.outcome.unwrap().reason,
            finished.game.strikes(Player(0)),
        )
    };
    assert_eq!(play("5", 4), ("exhausted".to_owned(), 4));
    assert_eq!(
        play("0", 5_000),
        ("exhausted".to_owned(), 5_000),
        "asked again each time"
    );
    let most = risk_kernel::MOST_FAULTS;
    assert_eq!(
        play("0", most - 1),
        ("exhausted".to_owned(), most as u32 - 1)
    );
    assert_eq!(play("0", most), ("fault-limit".to_owned(), most as u32));
}

#[test]
fn simulated_fights_agree_with_the_odds() {
    const FIGHTS: u32 = 20_000;
    let near = |count: u32, p: f64| {
        let n = f64::from(FIGHTS);
        (f64::from(count) - p * n).abs() <= 4.0 * (n * p * (1.0 - p)).sqrt()
    };
    for (a, d, by_cap, _, by_letter, by_classic, source_empty) in [ROWS[5], ROWS[1]] {
        let (taken, empty) = simulate("capped", a, d, FIGHTS);
        assert!(
            near(taken, by_cap) && empty == 0,
            "capped {a} v {d}: {taken} {empty}"
        );
        let (taken, empty) = simulate("literal", a, d, FIGHTS);
        assert!(
            near(taken, by_letter) && near(empty, source_empty),
            "literal {a} v {d}: {taken} {empty}"
        );
        let (taken, empty) = simulate("classic", a, d, FIGHTS);
        assert!(
            near(taken, by_classic) && empty == 0,
            "classic {a} v {d}: {taken} {empty}"
        );
    }
}

#[test]
fn dice_cost_what_the_examples_say() {
    let games = setup(
        "simplified",
        Some("grid:6x6"),
        &["random"; 3],
        8,
        &[("armies", "150"), ("dice", "literal")],
    );
    let mut worker = Worker::new(&games).unwrap();
    let mut rolls = Rolls::default();
    for number in 0..150 {
        worker.play(number, &mut rolls);
    }
    // One attack die never occurs here: an army of two rolls two.
    for (attack, defend, losses) in DICE_EXAMPLES.into_iter().filter(|row| row.0.len() > 1) {
        let found = rolls.seen.get(&(attack.to_vec(), defend.to_vec()));
        assert_eq!(
            found.map(|found| found.iter().copied().collect::<Vec<_>>()),
            Some(vec![losses]),
            "{attack:?} v {defend:?}"
        );
    }
    let classic = setup(
        "simplified",
        Some("grid:6x6"),
        &["random"; 3],
        8,
        &[("armies", "60"), ("dice", "classic")],
    );
    let mut worker = Worker::new(&classic).unwrap();
    for number in 0..60 {
        worker.play(number, &mut rolls);
    }
    for (attack, defend, losses) in DICE_EXAMPLES.into_iter().filter(|row| row.0.len() == 1) {
        assert!(
            rolls.seen[&(attack.to_vec(), defend.to_vec())].contains(&losses),
            "{attack:?} v {defend:?}"
        );
    }
}

/// Returns script lines that set up two players on the ring of six, and the attack of the first.
fn assault(armies: &[(usize, i32)]) -> String {
    let set = |(at, (who, armies)): (usize, &(usize, i32))| {
        format!("g.give({at}, {who}); g.add_armies({at}, {armies});\n")
    };
    armies.iter().enumerate().map(set).collect::<String>() + "g.push(BEGIN_PHASE, NOBODY);"
}

#[test]
fn free_land_falls_without_dice_and_all_but_one_move_in() {
    let (_folder, setup) = position_of("simplified", &assault(&[(0, 5), (1, 2)]), 2, &[]);
    let (log, _) = play_logged(&setup, &[&["attack a f"], &[]]);
    assert!(
        log.contains("player 1 takes f of the table: 0 fall, 4 come from a")
            && !log.contains("dice"),
        "{log}"
    );
}

#[test]
fn whoever_can_attack_must_unless_passing_is_allowed() {
    let start = assault(&[(0, 2), (1, 1), (1, 1), (1, 1), (1, 1), (1, 2)]);
    let (_folder, setup) = position_of("simplified", &start, 2, &[]);
    assert!(
        play_logged(&setup, &[&[], &[]])
            .0
            .contains("player 1 in assault, 2 options: attack a b | attack a f")
    );
    let (_folder, setup) = position_of("simplified", &start, 2, &[("allow_pass", "true")]);
    let (log, finished) = play_logged(&setup, &[&["pass"], &["pass"]]);
    assert!(log.contains("attack a b | attack a f | pass"), "{log}");
    // All who could attack passed in a row, so the score decides.
    let outcome = finished.outcome.unwrap();
    assert_eq!(outcome.reason, "exhausted");
    assert_eq!(
        outcome
            .ranking
            .iter()
            .map(|rank| (rank.player.0, rank.score))
            .collect::<Vec<_>>(),
        [(1, 16), (0, 4)]
    );
}

#[test]
fn the_score_is_armies_and_twice_the_land_and_ties_share_the_win() {
    // 4 armies and 3 territories each; neither can attack.
    let (_folder, setup) = position_of(
        "simplified",
        &assault(&[(0, 1), (0, 2), (0, 1), (1, 1), (1, 2), (1, 1)]),
        2,
        &[],
    );
    let outcome = play_logged(&setup, &[&[], &[]]).1.outcome.unwrap();
    let places: Vec<_> = outcome
        .ranking
        .iter()
        .map(|rank| (rank.player.0, rank.score, rank.place))
        .collect();
    assert_eq!(
        (places, outcome.winners.len()),
        (vec![(0, 10, 1), (1, 10, 1)], 2)
    );
    // Seven armies on four cells: 15.
    let (_folder, setup) = position_of(
        "simplified",
        &assault(&[(0, 1), (0, 3), (0, 2), (0, 1), (1, 1), (1, 1)]),
        2,
        &[],
    );
    let outcome = play_logged(&setup, &[&[], &[]]).1.outcome.unwrap();
    assert_eq!(
        (outcome.ranking[0].score, outcome.ranking[1].score),
        (15, 6)
    );
}

#[test]
fn five_wrong_answers_empty_the_land() {
    let (_folder, setup) = position_of(
        "simplified",
        &assault(&[(0, 2), (1, 1), (2, 1), (2, 1), (1, 1), (1, 2)]),
        3,
        &[],
    );
    let wrong = ["stop"; 5];
    let (log, finished) = play_logged(&setup, &[&wrong, &[], &[]]);
    assert!(
        log.contains("a goes to the table") && log.contains("player 1 is eliminated"),
        "{log}"
    );
    assert_eq!(
        (
            finished.game.armies(Territory(0)),
            finished.game.owner(Territory(0))
        ),
        (0, None)
    );
}

#[test]
fn placement_goes_round_on_free_and_own_land() {
    let games = setup(
        "simplified",
        Some("grid:2x2"),
        &["random"; 2],
        1,
        &[("armies", "2")],
    );
    let (log, _) = play_logged(
        &games,
        &[
            &["place r0c0 1", "place r0c0 1"],
            &["place r0c0 1", "place r1c1 1", "0"],
        ],
    );
    assert!(
        log.contains("player 1 in placement, 4 options")
            && log.contains("player 2 in placement, 3 options"),
        "{log}"
    );
    assert!(refuses(&log, "place r0c0 1 at r0c1 r1c0 r1c1"), "{log}");
}
