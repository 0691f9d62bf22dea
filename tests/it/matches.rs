//! Many games: results one by one, in bounded memory, and an end even if a thread fails.

use crate::support::library;
use risk_wire::Endpoint;
use std::ops::ControlFlow;

use risk_engine::bot_spec::BotSpec;
use risk_engine::{MatchFault, Standings, Tally, Worker, play_each, play_many};
use risk_kernel::event::{Event, Status};
use risk_kernel::{Moment, Sink};
use risk_wire::{PROTOCOLS, Protocol, ProtocolInfo};

use crate::support::{run, setup, words};

#[test]
fn results_come_in_order_whatever_the_threads() {
    let setup = setup(
        "codelab",
        Some("grid:3x3"),
        &["random", "random"],
        3,
        &[("max_turns", "20")],
    );
    let all = play_many(&setup, 5, 300, 1, |_| ()).unwrap();
    for jobs in [1, 2, 5] {
        let mut each = Vec::new();
        let mut tally = Tally::new(&setup);
        let played = play_each(&setup, 5..305, jobs, |result| {
            tally.add(&result);
            each.push(result);
            ControlFlow::Continue(())
        });
        played.unwrap();
        assert_eq!(each, all, "{jobs} threads");
        assert_eq!(
            tally.finish(),
            Standings::from_results(&setup, &all),
            "{jobs} threads"
        );
    }
}

/// A list of all these results would not fit into memory.
#[test]
fn a_match_without_end_takes_no_more_room_than_a_short_one() {
    let setup = setup(
        "codelab",
        Some("grid:3x3"),
        &["random", "random"],
        3,
        &[("max_turns", "20")],
    );
    for jobs in [1, 3] {
        let mut numbers = Vec::new();
        let played = play_each(&setup, 7..1 << 60, jobs, |result| {
            numbers.push(result.number);
            if numbers.len() == 100 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        played.unwrap();
        assert_eq!(numbers, (7..107).collect::<Vec<_>>());
    }
}

#[test]
fn a_thread_that_panics_ends_the_match() {
    let mut setup = setup(
        "codelab",
        Some("grid:3x3"),
        &["random", "random"],
        3,
        &[("max_turns", "20")],
    );
    let elsewhere = BotSpec::parse(library(), "http://127.0.0.1:9").unwrap();
    let endpoint = elsewhere.source.factory::<Endpoint>();
    let mut endpoint = endpoint
        .expect("a bot with an address is elsewhere")
        .clone();
    let panics = Box::leak(Box::new(ProtocolInfo {
        codec: |_, _| panic!("the codec panics"),
        ..*PROTOCOLS[0]
    }));
    endpoint.protocol = Protocol::new(panics, 0);
    setup.bots[1].source = endpoint.into_source();
    for jobs in [1, 4] {
        match play_many(&setup, 0, 1 << 40, jobs, |_| ()) {
            Err(MatchFault::Broken(text)) => {
                assert!(text.contains("the codec panics"), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The reader fails while the threads have more results than there is space for.
#[test]
fn a_reader_who_panics_ends_the_match() {
    let setup = setup(
        "codelab",
        Some("grid:3x3"),
        &["random", "random"],
        3,
        &[("max_turns", "20")],
    );
    let read = || {
        play_each(&setup, 0..1 << 40, 3, |result| {
            if result.number > 10 {
                panic!("enough")
            } else {
                ControlFlow::Continue(())
            }
        })
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(read)).is_err());
}

/// If the system gives no more threads, the program says so and ends with the code of a panic.
#[cfg(target_os = "linux")]
#[test]
fn no_more_threads_is_an_end_and_no_hang() {
    let program = assert_cmd::cargo::cargo_bin!("risk-cli");
    let line = format!(
        "ulimit -v 2000000; exec {} play --jobs 64 --games 300 --seed 1 --ruleset codelab",
        program.display()
    );
    let ran = std::process::Command::new("sh")
        .args(["-c", &line])
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(101), "{said}");
    assert!(said.lines().any(|line| line == "cli::threads"), "{said}");
    assert!(
        said.contains("64 threads") && said.contains("--jobs"),
        "{said}"
    );
}

#[test]
fn more_threads_than_are_of_use_are_refused() {
    let ran = run(&words("play --jobs 1024 --games 2 --seed 1"));
    let cores = std::thread::available_parallelism().unwrap().get();
    if cores < 1024 {
        ran.refuses(2, "cli::jobs");
        assert!(ran.err.contains("1024"), "{}", ran.err);
    }
}

#[test]
fn games_are_printed_as_lines() {
    let line = "play -r codelab -m grid:3x3 -o max_turns=20 -b random -b greedy -s 3 --games 40 --format jsonl";
    let ran = run(&words(&format!("{line} -j 1")));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(run(&words(&format!("{line} -j 3"))).out, ran.out);
    let lines: Vec<serde_json::Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 41);
    assert_eq!(lines[0]["type"], "match");
    assert_eq!(lines[0]["bots"][1]["name"], "greedy");
    assert!(lines[0]["bots"][1]["hash"].is_string() && lines[0]["map_hash"].is_string());
    for (number, game) in lines[1..].iter().enumerate() {
        assert_eq!(game["game"], number);
        let seats = if number % 2 == 0 {
            ["random", "greedy"]
        } else {
            ["greedy", "random"]
        };
        assert_eq!(game["seats"], serde_json::json!(seats));
        let operations = &game["operations"][(number + 1) % 2];
        let answers = operations["answers"].as_array().unwrap();
        let all: u64 = answers.iter().map(|count| count.as_u64().unwrap()).sum();
        assert!(all > 0 && operations["all"].as_u64() >= operations["most"].as_u64());
        assert!(game["operations"][number % 2].is_null());
    }
    let one = run(&words(
        &line.replace("--games 40 --format jsonl", "--first 5 --format json"),
    ));
    let one: serde_json::Value = serde_json::from_str(&one.out).unwrap();
    assert_eq!(one["digest"], lines[6]["digest"]);
    let refused = run(&words(&format!("{line} --record x")));
    assert_eq!(refused.code, 2);
}

/// Records which players are eliminated, and in which round.
#[derive(Default)]
struct Eliminations {
    round: u32,
    outs: Vec<(usize, u32)>,
}

impl Sink for Eliminations {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        match *event {
            Event::TurnBegan { round, .. } => self.round = round,
            Event::Status {
                player,
                now: Status::Eliminated,
            } => {
                self.outs.push((player.index(), self.round));
            }
            _ => {}
        }
    }
}

/// A bot with a clock plays the same.
#[test]
fn results_say_who_was_out_when() {
    let setup = setup(
        "codelab",
        None,
        &["greedy", "outnumber", "random", "greedy"],
        3,
        &[],
    );
    let mut worker = Worker::new(&setup).unwrap();
    let mut timed = Worker::new(&setup).unwrap();
    timed.time(|player| player < 2);
    let mut out = 0;
    for number in 0..6 {
        let mut outs = Eliminations::default();
        let seating = setup.seating(number);
        let result = worker.result(number, &seating, &mut outs).unwrap();
        for seat in 0..4 {
            let told = outs.outs.iter().find(|(player, _)| *player == seat);
            assert_eq!(result.out_in_round[seat], told.map(|(_, round)| *round));
        }
        out += outs.outs.len();
        assert!(
            result
                .winners
                .iter()
                .all(|it| result.out_in_round[it.index()].is_none())
        );
        let again = timed
            .result(number, &seating, &mut Eliminations::default())
            .unwrap();
        assert_eq!(again, result);
    }
    assert!(out > 12, "{out}");
    let times: Vec<usize> = timed.times().map(|(player, _)| player).collect();
    assert_eq!(times, [0, 1]);
    assert!(
        timed
            .times()
            .all(|(_, time)| time.answers > 100 && time.all >= time.most)
    );
    assert!(timed.times().all(|(_, time)| time.most.as_nanos() > 0));
}
