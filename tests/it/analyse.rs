//! Luck and chances of recorded games.

use std::collections::BTreeMap;
use std::path::Path;

use risk_engine::record::{self, Playback, Record, Recorder};
use risk_engine::{Setup, Worker};
use risk_kernel::NullSink;
use risk_kernel::action::Action;
use risk_kernel::event::{Dice, Event, FightRound};
use risk_kernel::id::{Phase, Player, Territory, Unit, Verb};
use risk_kernel::odds::Rounds;
use risk_kernel::phases::table::NumberTable;
use risk_kernel::rng::GameKey;
use risk_lab::analysis::chances::{self, MOST_MOMENTS, Moments};
use risk_lab::analysis::decisions;
use risk_lab::analysis::luck::Luck;
use risk_lab::analysis::rollouts::Rollouts;
use serde_json::Value;

use crate::support::{RunOutput, run_in, setup};
use risk_testing::games::feed;

fn luck_of(setup: &Setup, worker: &mut Worker<'_>, number: u64) -> Vec<f64> {
    let mut luck = Luck::new(worker);
    assert!(worker.play(number, &mut luck).outcome.is_ok());
    luck.finish();
    assert_eq!(
        luck.unknown,
        BTreeMap::new(),
        "{}",
        setup.rules.ruleset_spec
    );
    assert!(!luck.battles.is_empty());
    luck.players().iter().map(|player| player.luck()).collect()
}

/// A bot's luck has the mean 0, whether it is good or bad. In codelab the players' luck sums to 0.
#[test]
fn luck_has_the_mean_zero() {
    let games = 200;
    for (ruleset, map, players, option) in [
        ("codelab", "duel", 2, ("max_turns", "60")),
        ("hasbro", "world", 3, ("max_turns", "12")),
        ("simplified", "grid:4x4", 2, ("dice", "capped")),
        ("simplified", "grid:4x4", 2, ("dice", "literal")),
        ("simplified", "grid:4x4", 2, ("dice", "csharp")),
        ("warzone", "duel", 2, ("max_turns", "20")),
    ] {
        let bots = &["outnumber", "random", "random"][..players];
        let setup = setup(ruleset, Some(map), bots, 5, &[option]);
        let mut worker = Worker::new(&setup).unwrap();
        let mut sum = 0.0;
        let mut squares = 0.0;
        for number in 0..games {
            let players = luck_of(&setup, &mut worker, number);
            if ruleset == "codelab" {
                assert!(players.iter().sum::<f64>().abs() < 1e-9, "{players:?}");
            }
            let seat = setup.seating(number).iter().position(|&bot| bot == 0);
            let luck = players[seat.unwrap()];
            sum += luck;
            squares += luck * luck;
        }
        let mean = sum / games as f64;
        let error = ((squares / games as f64 - mean * mean) / games as f64).sqrt();
        assert!(
            error > 0.0 && mean.abs() < 4.0 * error,
            "{ruleset} {option:?}: {mean} ± {error}"
        );
    }
}

fn owner(at: Territory, to: Player) -> Event {
    Event::Owner {
        at,
        from: None,
        to: Some(to),
    }
}

fn units(at: Territory, now: i32) -> Event {
    Event::Units {
        at,
        unit: Unit::FIRST,
        by: 0,
        now,
    }
}

fn answered(phase: Phase, number: u64) -> Event {
    Event::Answered {
        player: Player::from_index(0),
        phase,
        action: Action::new(Verb::from_index(0), &[]),
        number,
        chosen: true,
    }
}

fn rolled(attack: &[u8], defend: &[u8]) -> Event {
    Event::Rolled {
        attack: Dice::new(attack),
        defend: Dice::new(defend),
    }
}

fn fought(defenders: i32, attacker_lost: i32, defender_lost: i32) -> Event {
    Event::Fought(FightRound {
        from: Territory::from_index(0),
        to: Territory::from_index(1),
        attackers: 1,
        standing: 5,
        defenders,
        attacker_lost,
        defender_lost,
    })
}

fn began(turn: u32, round: u32) -> Event {
    Event::TurnBegan {
        player: None,
        turn,
        round,
    }
}

#[test]
fn luck_is_counted_exactly() {
    let setup = setup("codelab", Some("duel"), &["random", "random"], 1, &[]);
    let mut worker = Worker::new(&setup).unwrap();
    let game = worker.play(0, &mut NullSink).game;
    let mut luck = Luck::new(&worker);
    let phases = &worker.decl().phases;
    let attack = phases.iter().position(|it| it.name == "attack").unwrap();
    let attack = Phase::from_index(attack);
    let [from, to] = [0, 1].map(Territory::from_index);
    let [me, foe] = [0, 1].map(Player::from_index);
    let setting = [
        owner(from, me),
        owner(to, foe),
        units(from, 5),
        units(to, 3),
    ];
    let events = [
        began(4, 2),
        answered(attack, 7),
        rolled(&[1, 1, 1], &[6, 6]),
        fought(3, 2, 0),
        units(from, 3),
        answered(attack, 8),
        rolled(&[6, 6], &[1, 1]),
        fought(3, 0, 2),
        units(to, 1),
        answered(attack, 9),
        rolled(&[6, 6], &[1]),
        fought(1, 0, 1),
        // No answer led to this round.
        fought(1, 0, 1),
    ];
    feed(&mut luck, &game, setting.iter().chain(&events));
    luck.finish();
    assert_eq!(luck.unknown.values().copied().collect::<Vec<_>>(), [1]);
    let [battle] = &luck.battles[..] else {
        panic!("{:?}", luck.battles)
    };
    let place = (battle.decision, battle.round, battle.turn, battle.rounds);
    assert_eq!(place, (7, 2, 4, 3));
    assert_eq!((battle.attacker, battle.defender), (me, Some(foe)));
    assert_eq!((battle.lost.real, battle.killed.real), (2, 3));
    // Three dice against two, then two against two, then two against one.
    let lost = 7161.0 / 7776.0 + 1582.0 / 1296.0 + 91.0 / 216.0;
    let killed = 8391.0 / 7776.0 + 1010.0 / 1296.0 + 125.0 / 216.0;
    assert!((battle.lost.expected - lost).abs() < 1e-12, "{battle:?}");
    assert!(
        (battle.killed.expected - killed).abs() < 1e-12,
        "{battle:?}"
    );
    let [mine, other] = luck.players()[..] else {
        panic!("two play")
    };
    assert!((mine.luck() - ((3.0 - killed) - (2.0 - lost))).abs() < 1e-12);
    assert!((mine.luck() + other.luck()).abs() < 1e-12);
    assert_eq!((mine.attacks, mine.defences), (1, 0));
    assert_eq!((other.attacks, other.defences), (0, 1));
}

/// One defender survives where all would die.
#[test]
fn battles_in_percent_are_expected_exactly() {
    let table = |name: &str, ranges: &[(i32, i32)], values: &[i32]| {
        (name.to_owned(), NumberTable::new(name, ranges, values))
    };
    let tables = BTreeMap::from([
        table("kill_percent", &[(0, 1)], &[60, 70]),
        table("kill_luck", &[(0, 0)], &[100]),
        table("kill_weighted", &[(0, 0)], &[0]),
    ]);
    let mut rounds = Rounds::from_tables(&tables);
    let losses = rounds.percent(1, 1).unwrap();
    assert!((losses.attacker - 0.7).abs() < 1e-12, "{losses:?}");
    assert!((losses.defender - 0.6 * 0.3).abs() < 1e-12, "{losses:?}");
    assert!(rounds.percent(1_001, 1).is_err());
    assert!(rounds.dice(1, 1, 1, 1).is_err());
}

fn recorded(setup: &Setup) -> (Worker<'_>, Record) {
    let mut worker = Worker::new(setup).unwrap();
    let header = record::header(&worker, 0);
    let mut recorder = Recorder::new(Vec::new(), &header);
    let finished = worker.play(0, &mut recorder);
    let lines = recorder.finish(finished.outcome.as_ref().ok(), &finished.game);
    let text = String::from_utf8(lines.unwrap()).unwrap();
    (worker, record::read(&text).unwrap())
}

/// Each state matches the replay, and playing on from it by the record ends the game as recorded.
#[test]
fn a_game_is_played_on_from_where_it_was_halted() {
    for (ruleset, option) in [
        ("hasbro", ("max_turns", "60")),
        ("warzone", ("max_turns", "12")),
    ] {
        let setup = setup(
            ruleset,
            None,
            &["outnumber", "random", "random"],
            4,
            &[option],
        );
        let (mut worker, record) = recorded(&setup);
        let mut moments = Moments::default();
        let mut playback = Playback::new(&record, None);
        let end = worker.play_with(0, &mut playback.seats, &mut moments).game;
        let moments = moments.chosen();
        assert!(moments.len() > 3 && moments[0].answers == 0, "{moments:?}");
        let states = {
            let answers: Vec<u64> = moments.iter().map(|it| it.answers).collect();
            chances::positions(&mut worker, &record, &answers).unwrap()
        };
        assert_eq!(states.len(), moments.len());
        for (state, moment) in states.into_iter().zip(moments) {
            assert_eq!(
                (state.answers(), state.round()),
                (moment.answers, moment.round)
            );
            let mut playback = Playback::new(&record, Some(moment.answers));
            let there = worker.play_with(0, &mut playback.seats, &mut NullSink).game;
            assert_eq!(state.digest(), there.digest(), "{moment:?}");
            playback.stop_after(u64::MAX);
            let on = worker.play_on(
                state,
                GameKey::of_numbers(4, 0),
                &mut playback.seats,
                &mut NullSink,
            );
            assert!(on.outcome.is_ok() && playback.mismatch().is_none());
            assert_eq!(on.game.digest(), end.digest(), "{moment:?}");
        }
    }
}

#[test]
fn moments_are_evenly_spaced() {
    let setup = setup("codelab", Some("duel"), &["random", "random"], 1, &[]);
    let game = Worker::new(&setup).unwrap().play(0, &mut NullSink).game;
    let mut moments = Moments::default();
    let events = (1..=500).flat_map(|round| {
        let answer = answered(Phase::from_index(0), u64::from(round));
        [began(round, round), answer]
    });
    feed(&mut moments, &game, &events.collect::<Vec<_>>());
    let chosen = moments.chosen();
    assert_eq!(chosen.len(), MOST_MOMENTS);
    let rounds: Vec<u32> = chosen.iter().map(|moment| moment.round).collect();
    assert_eq!((rounds[0], rounds[MOST_MOMENTS - 1]), (1, 500));
    assert!(
        rounds
            .windows(2)
            .all(|pair| (12..=13).contains(&(pair[1] - pair[0]))),
        "{rounds:?}"
    );
}

/// Each rollout has dice of its own, the same on any number of threads.
#[test]
fn chances_do_not_depend_on_threads() {
    let setup = setup("codelab", Some("duel"), &["outnumber", "random"], 2, &[]);
    let (mut worker, record) = recorded(&setup);
    let moments = [0, record.answers() - 1];
    let states = chances::positions(&mut worker, &record, &moments).unwrap();
    let rollouts = Rollouts {
        bot: "outnumber",
        games: 60,
        seed: &setup.seed,
    };
    let chances = |jobs| chances::chances(&setup, &states, rollouts, jobs, |_| {}).unwrap();
    let found = chances(1);
    assert_eq!(found, chances(3));
    for there in &found {
        let sum: f64 = there.shares.iter().sum();
        assert!((sum + there.nobody - 1.0).abs() < 1e-9, "{there:?}");
    }
    // Both win some games from the start; near the end one of them wins most.
    assert!(
        found[0].shares.iter().all(|&share| share > 0.1),
        "{found:?}"
    );
    assert!(
        found[1].shares.iter().any(|&share| share > 0.9),
        "{found:?}"
    );
}

#[test]
fn costly_decisions_are_the_same_on_any_number_of_threads() {
    let setup = setup("codelab", Some("duel"), &["outnumber", "random"], 2, &[]);
    let (mut worker, record) = recorded(&setup);
    let rollouts = Rollouts {
        bot: "outnumber",
        games: 8,
        seed: &setup.seed,
    };
    let found = decisions::otherwise(&mut worker, &record, rollouts, 30).unwrap();
    assert!(!found.is_empty() && found.len() <= 30);
    assert!(found.iter().all(|it| it.taken != it.instead));
    assert!(found.iter().any(|it| it.player.index() == 1), "{found:?}");
    let judged = decisions::costliest(&setup, &found, rollouts, 1).unwrap();
    assert_eq!(
        judged,
        decisions::costliest(&setup, &found, rollouts, 2).unwrap()
    );
    assert_eq!(judged.len(), decisions::TOLD.min(found.len()));
    assert!(judged.iter().all(|it| it.games == 8 * decisions::AGAIN));
    assert!(
        judged
            .windows(2)
            .all(|pair| pair[0].cost() >= pair[1].cost())
    );
    assert_eq!(decisions::games(30, 8), 2 * 8 * 30 + 2 * 32 * 3);
}

fn ran(folder: &Path, line: &str) -> RunOutput {
    run_in(folder, &line.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn the_document_agrees_with_itself() {
    let folder = tempfile::tempdir().unwrap();
    ran(
        folder.path(),
        "play --seed 13 --option max_turns=60 --quiet --record game.jsonl",
    );
    let line = "analyse game.jsonl --rollouts 4 --decisions 5 --bot outnumber --format json --jobs";
    let told = ran(folder.path(), &format!("{line} 1"));
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    assert_eq!(told, ran(folder.path(), &format!("{line} 2")));
    let value: Value = serde_json::from_str(&told.out).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let players = value["players"].as_array().unwrap();
    let fights = value["fights"].as_array().unwrap();
    let mut all = 0.0;
    let mut by_fights = vec![0.0; players.len()];
    for fight in fights {
        let luck = number(&fight["luck"]);
        by_fights[fight["attacker"].as_u64().unwrap() as usize - 1] += luck;
        if let Some(defender) = fight["defender"].as_u64() {
            by_fights[defender as usize - 1] -= luck;
        }
    }
    for (player, sum) in players.iter().zip(by_fights) {
        all += number(&player["luck"]);
        assert!((number(&player["luck"]) - sum).abs() < 1e-3, "{player}");
    }
    assert!(all.abs() < 1e-3);
    assert_eq!(value["left_out"], serde_json::json!([]));
    let moments = value["chances"]["moments"].as_array().unwrap();
    assert!(moments.len() > 10);
    let decisions = &value["chances"]["decisions"];
    assert_eq!(decisions["judged"], 5);
    for judged in decisions["costliest"].as_array().unwrap() {
        let cost = number(&judged["chance_instead"]) - number(&judged["chance_taken"]);
        assert!((cost - number(&judged["cost"])).abs() < 2e-6, "{judged}");
        assert_ne!(judged["taken"], judged["instead"]);
    }
    for moment in moments {
        let shares = moment["shares"].as_array().unwrap().iter().map(number);
        let sum = shares.sum::<f64>() + number(&moment["nobody"]);
        assert!((sum - 1.0).abs() < 1e-5, "{moment}");
    }
}

/// `--decisions` alone plays a usual number of rollouts.
#[test]
fn decisions_are_judged_without_a_number_of_rollouts() {
    let folder = tempfile::tempdir().unwrap();
    let play = "play -r codelab -m duel --seed 13 -o max_turns=20 --quiet --record game.jsonl";
    ran(folder.path(), play);
    let line = "analyse game.jsonl --decisions 2 --bot outnumber --format json";
    let told = ran(folder.path(), line);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    assert_eq!(
        told,
        ran(folder.path(), &format!("{line} --rollouts 20 --seed 13"))
    );
    let value: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(value["chances"]["games"], 20);
    assert!(value["chances"]["decisions"]["judged"].as_u64() <= Some(2));
    let help = ran(folder.path(), "analyse --help").out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        help.contains("(default: 0, or 20 with --decisions)"),
        "{help}"
    );
    let seeded = ran(folder.path(), "analyse game.jsonl --seed 1");
    assert_eq!(seeded.code, 2);
}

/// A command refuses the formats that it doesn't have.
#[test]
fn only_a_match_is_printed_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    ran(
        folder.path(),
        "play --seed 3 --option max_turns=9 --quiet --record game.jsonl",
    );
    for line in [
        "analyse game.jsonl",
        "odds 5 3",
        "map stats duel",
        "map show duel",
    ] {
        let refused = ran(folder.path(), &format!("{line} --format jsonl"));
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{line}");
        assert!(refused.err.contains("'jsonl'"), "{}", refused.err);
        let fine = ran(folder.path(), &format!("{line} --format json"));
        assert_eq!(fine.code, 0, "{line}: {}", fine.err);
    }
}

#[test]
fn the_report_fits_its_page() {
    let folder = tempfile::tempdir().unwrap();
    for players in ["3", "6"] {
        let play = format!(
            "play --seed 3 --players {players} --option max_turns=30 --quiet --force --record game.jsonl"
        );
        ran(folder.path(), &play);
        for width in [60, 80, 130] {
            let output = assert_cmd::Command::cargo_bin("risk-cli")
                .unwrap()
                .args([
                    "analyse",
                    "game.jsonl",
                    "--rollouts",
                    "2",
                    "--decisions",
                    "4",
                ])
                .current_dir(folder.path())
                .env("COLUMNS", width.to_string())
                .output()
                .unwrap();
            let told = String::from_utf8(output.stdout).unwrap();
            let headings = told.lines().filter(|line| line.starts_with("── "));
            assert!(headings.count() == 3 && told.contains("luckiest"), "{told}");
            for line in told.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn broken_records_are_told_as_by_replay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    ran(
        folder.path(),
        "play --seed 3 --option max_turns=30 --quiet --record game.jsonl",
    );
    let whole = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let mut swapped = lines.clone();
    swapped.swap(20, 21);
    let cut = &whole[..whole.len() / 2];
    // Correct sums over invalid answers.
    let mut other = Vec::new();
    let mut before = String::new();
    for line in &lines {
        let (body, _) = line.rsplit_once(",\"sum\":\"").unwrap();
        let body = body.replace("\"say\":\"attack", "\"say\":\"attack nowhere");
        before = record::sum(&before, &body);
        other.push(format!("{body},\"sum\":\"{before}\"}}"));
    }
    for (text, code, beside) in [
        (String::new(), 2, false),
        ("nothing\n".to_owned(), 2, false),
        (cut.to_owned(), 1, true),
        (swapped.join("\n") + "\n", 1, true),
        (other.join("\n") + "\n", 1, false),
    ] {
        std::fs::write(&path, &text).unwrap();
        let [replay, analyse] = ["replay", "analyse"]
            .map(|command| ran(folder.path(), &format!("{command} game.jsonl")));
        assert_eq!(
            (analyse.code, &analyse.err),
            (code, &replay.err),
            "{}",
            replay.out
        );
        assert!(!analyse.err.is_empty());
        assert_eq!(!analyse.out.is_empty(), beside, "{}", analyse.out);
    }
    std::fs::write(&path, &whole).unwrap();
    for line in [
        "game.jsonl --ruleset codelab",
        "game.jsonl --map duel",
        "none.jsonl",
    ] {
        let [replay, analyse] =
            ["replay", "analyse"].map(|command| ran(folder.path(), &format!("{command} {line}")));
        assert_eq!((analyse.code, analyse.err), (2, replay.err));
    }
}

#[test]
fn what_is_not_known_is_said() {
    let folder = tempfile::tempdir().unwrap();
    ran(
        folder.path(),
        "play --ruleset starwars --seed 1 --quiet --record game.jsonl",
    );
    let json = ran(folder.path(), "analyse game.jsonl --format json");
    assert_eq!((json.code, json.err.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(value["fights"], serde_json::json!([]));
    let [left_out] = &value["left_out"].as_array().unwrap()[..] else {
        panic!("{value}")
    };
    let told = ran(folder.path(), "analyse game.jsonl");
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let text = told.out.replace("\n  ", " ");
    assert!(
        text.contains(&format!("{} rounds", left_out["rounds"]))
            && text.contains(left_out["reason"].as_str().unwrap()),
        "{text}"
    );
    let many = ran(folder.path(), "analyse game.jsonl --rollouts 9999");
    many.refuses(2, "analyse::rollouts");
    let elsewhere = "analyse game.jsonl --rollouts 1 --bot http://127.0.0.1:9";
    let elsewhere = ran(folder.path(), elsewhere);
    elsewhere.refuses(2, "analyse::bot");
    let alone = ran(folder.path(), "analyse game.jsonl --bot random");
    assert_eq!(alone.code, 2);
    assert!(alone.err.contains("--rollouts"), "{}", alone.err);
}
