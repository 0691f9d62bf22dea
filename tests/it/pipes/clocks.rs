//! Clocks of bots: their syntax, the fate of late bots, and that results mention them.

use risk_engine::TimeControl;
use serde_json::Value;

use super::{has, play, put};
use crate::support::{run, run_in};

/// The argument of `--clock`, and how it is printed after parsing, or a part of the error.
const SAID: [(&str, Result<&str, &str>); 14] = [
    ("move=1s,bank=10s", Ok("move=1s,bank=10s")),
    ("bank=10s,move=1s", Ok("move=1s,bank=10s")),
    ("move=1500ms", Ok("move=1500ms,bank=1500ms")),
    ("bank=60s", Ok("move=0s,bank=60s")),
    ("bank=1000ms,move=0ms", Ok("move=0s,bank=1s")),
    ("", Err("``")),
    ("10s", Err("`10s`")),
    ("move=1", Err("`1`")),
    ("move=1h", Err("`1h`")),
    ("move=-1s", Err("`-1s`")),
    ("bank=3601s", Err("3600s")),
    ("bank=1s,bank=2s", Err("`bank`")),
    ("bank=0s", Err("")),
    ("move=2s,bank=1s", Err("bank")),
];

#[test]
fn clocks_are_read_as_they_are_written() {
    for (said, expected) in SAID {
        let read = said.parse::<TimeControl>().map(|clock| clock.to_string());
        match (read, expected) {
            (Ok(read), Ok(expected)) => assert_eq!(read, expected, "{said}"),
            (Err(text), Err(expected)) => assert!(text.contains(expected), "{said}: {text}"),
            (read, _) => panic!("{said}: {read:?}"),
        }
    }
    run(&["play", "--clock", "move=1"]).refuses(2, "cli::clock");
}

/// A bot that logs its clock, time and faults, and answers late once, with a correct answer.
const SLOW: &str = r#"
import json, sys, time
asked = 0
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        open("told", "a").write("hello\n")
        print(json.dumps({"protocol": 1}), flush=True)
    if m["type"] == "game": open("told", "a").write(f"clock {json.dumps(m.get('clock'))}\n")
    if m["type"] == "fault": open("told", "a").write(f"fault {m['code']}\n")
    if m["type"] == "ask":
        asked += 1
        open("told", "a").write(f"time {m.get('time')}\n")
        if asked == 2: time.sleep(2.5)
        offer = m["options"][0]
        values = [d[0] if isinstance(d, list) else d["min"] for d in offer["parameters"]]
        print(json.dumps({"id": m["id"], "do": [offer["verb"]] + values}), flush=True)
"#;

#[test]
fn a_late_bot_makes_a_fault_and_plays_on_in_the_same_process() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "slow.py", SLOW);
    let clock = ["--clock", "move=1s,bank=2s"];
    let record = ["--record", "game.jsonl"];
    let ran = play(
        folder.path(),
        "cmd:python3 slow.py,sandbox=open",
        &[&clock[..], &record].concat(),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("timed"), "{}", ran.out);
    assert_eq!(ran.codes(), ["bot::timeout"], "{}", ran.err);
    let told = std::fs::read_to_string(folder.path().join("told")).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "hello",
            r#"clock {"bank": 2000, "move": 1000}"#,
            "time 2000"
        ]
    );
    let count = |what: &str| lines.iter().filter(|line| line.starts_with(what)).count();
    assert_eq!(count("hello"), 1, "{told}");
    assert!(count("fault timeout") > 0, "{told}");
    let times = lines.iter().filter_map(|line| line.strip_prefix("time "));
    let times: Vec<u64> = times.map(|time| time.parse().unwrap()).collect();
    assert!(times.len() > 4 && times.iter().all(|time| (1_000..=2_000).contains(time)));
    assert_eq!(times[2], 1_000, "the bank was used up");

    let lines = std::fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
    let header: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(header["timed"], true);
    assert_eq!(header["players"][1]["clock"], "move=1s,bank=2s");
    let verified = run_in(folder.path(), &["replay", "--verify", "game.jsonl"]);
    assert_eq!(verified.code, 0, "{}", verified.err);
    let forged = lines.replace("\"timed\":true,", "");
    std::fs::write(folder.path().join("game.jsonl"), forged).unwrap();
    let verified = run_in(folder.path(), &["replay", "--verify", "game.jsonl"]);
    assert_eq!(verified.code, 2, "{}", verified.out);
}

/// A bot that no longer reads its input is ended before the next game, without a crash.
#[test]
fn a_late_bot_begins_its_next_game_anew() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "slow.py", SLOW);
    let bot = "name=slow,bot=cmd:python3 slow.py,sandbox=open,clock=\"move=1s,bank=2s\"";
    let more = ["--games", "2", "--jobs", "1", "--format", "json"];
    let ran = play(folder.path(), bot, &more);
    let told = std::fs::read_to_string(folder.path().join("told")).unwrap();
    let count = |what: &str| told.lines().filter(|line| line.starts_with(what)).count();
    assert_eq!(count("hello"), 2, "{told}");
    assert!(count("fault timeout") > 0, "{told}");
    let standings: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(standings["timed"], true);
}

#[test]
fn warlight_announces_the_clock() {
    if !has("python3") {
        return;
    }
    const LISTENER: &str = "import sys\nfor line in sys.stdin:\n    open('told', 'a').write(line)\n    if line.startswith(('go', 'pick')): print('No moves', flush=True)\n";
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "listener.py", LISTENER);
    let game = "play --ruleset warlight2 --option max_turns=4 --seed 1 --bot random".split(' ');
    let bot = [
        "--bot",
        "cmd:python3 listener.py,protocol=warlight2,sandbox=open",
    ];
    let clock = ["--clock", "move=700ms,bank=9s"];
    let args: Vec<&str> = game.chain(bot).chain(clock).collect();
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told = std::fs::read_to_string(folder.path().join("told")).unwrap();
    assert!(told.starts_with("settings timebank 9000\nsettings time_per_move 700\n"));
    let last = |line: &str| line.split(' ').nth(2).unwrap().parse::<u64>().unwrap();
    let asks: Vec<u64> = told
        .lines()
        .filter(|line| line.starts_with("go "))
        .map(last)
        .collect();
    assert!(asks.len() > 2 && asks.iter().all(|&time| (700..=9_000).contains(&time)));
}

/// The bank is refilled once for each request, also after a late answer.
#[test]
fn the_bank_is_refilled_once_for_each_request() {
    if !has("python3") {
        return;
    }
    const LATE: &str = "import sys, time\nlate = True\nfor line in sys.stdin:\n    open('told', 'a').write(line)\n    if line.startswith('go'):\n        time.sleep(1.5 if late else 0)\n        late = False\n    if line.startswith(('go', 'pick')): print('No moves', flush=True)\n";
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "late.py", LATE);
    let game = "play --ruleset warlight2 --option max_turns=4 --seed 1 --bot random".split(' ');
    let bot = [
        "--bot",
        "cmd:python3 late.py,protocol=warlight2,sandbox=open",
    ];
    let clock = ["--clock", "move=500ms,bank=1s"];
    let args: Vec<&str> = game.chain(bot).chain(clock).collect();
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told = std::fs::read_to_string(folder.path().join("told")).unwrap();
    let asks = told.lines().filter(|line| line.starts_with("go "));
    let left: Vec<u64> = asks
        .map(|line| line.split(' ').nth(2).unwrap().parse().unwrap())
        .collect();
    assert!(left.len() > 1, "{told}");
    assert!(left[1] <= 500, "the bank was empty: {left:?}");
}

/// A script runs inside the program and can't be stopped, but its time is measured.
#[test]
fn scripts_are_held_to_clocks_too() {
    let folder = tempfile::tempdir().unwrap();
    let script = "fn answer(view, ask) { let n = 0; while n < 60000 { n += 1; } ask.nth(0) }\n";
    put(folder.path(), "slow.rhai", script);
    let clock = [
        "--clock", "move=1ms", "--budget", "9000000", "--format", "jsonl",
    ];
    let ran = play(folder.path(), "./slow.rhai", &clock);
    let game: Value = serde_json::from_str(ran.out.lines().nth(1).unwrap()).unwrap();
    assert!(game["faults"].to_string().contains('2'), "{}", ran.out);
}
