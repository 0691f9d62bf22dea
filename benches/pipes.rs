//! The cost of a pipe: questions a second to a program that answers immediately, beside a bare loop
//! that sends lines of the same length to the same program and reads its answers. `cargo bench
//! --bench pipes`; it needs Python.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]
#![allow(clippy::unwrap_used, reason = "a benchmark that can't run fails")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use risk_engine::{MatchSpec, NullSink, Seats, Worker};
use risk_kernel::event::Event;
use risk_kernel::{Moment, Sink};

/// A program that takes the first option. With an argument it logs the questions.
const BOT: &str = r#"
import json, sys
log = open(sys.argv[1], "w") if len(sys.argv) > 1 else None
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print('{"protocol": 1}', flush=True)
    elif m["type"] == "ask":
        if log: log.write(line)
        o = m["options"][0]
        do = [o["verb"]] + [d[0] if isinstance(d, list) else d["min"] for d in o["parameters"]]
        print(json.dumps({"id": m["id"], "do": do}), flush=True)
"#;
const TIMES: usize = 7;

#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();

fn main() {
    let folder = std::env::temp_dir().join(format!("risk-cli-pipes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let script = folder.join("bot.py");
    std::fs::write(&script, BOT).unwrap();
    let log = folder.join("log");
    play(&format!("{} {}", script.display(), log.display()));
    let asked = std::fs::read_to_string(&log).unwrap();
    let mut bare = Vec::new();
    let mut played = Vec::new();
    for _ in 0..TIMES {
        played.push(play(&script.display().to_string()));
        bare.push(echo(&script, &asked));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2] * 1e6
    };
    let bare = median(&mut bare);
    let played = median(&mut played);
    let lines = asked.lines().count();
    println!("{lines} questions of {} bytes each", asked.len() / lines);
    println!("a bare loop   {bare:.1} µs for a line and its answer");
    println!(
        "a game        {played:.1} µs for a question, × {:.2}",
        played / bare
    );
}

/// Plays games of such a program against itself; returns the seconds for a question.
fn play(words: &str) -> f64 {
    let bot = format!("\"cmd:python3 {words}\"");
    let setup = MatchSpec::new("codelab")
        .bots([bot.as_str(), "outnumber"])
        .option("max_turns", 400)
        .seed(1)
        .seats(Seats::Fixed)
        .load(&risk_cli::library().with_schemes(risk_wire::SCHEMES))
        .unwrap();
    let mut worker = Worker::new(&setup).unwrap();
    // The first game waits for the program to start.
    worker.play(0, &mut NullSink);
    let mut asks = 0;
    let began = Instant::now();
    for number in 1..=100 {
        let mut counter = AnswerCounter(0);
        worker.play(number, &mut counter);
        asks += counter.0;
    }
    began.elapsed().as_secs_f64() / f64::from(asks)
}

/// Counts the answers of the program, which has the first seat.
struct AnswerCounter(u32);

impl Sink for AnswerCounter {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        if matches!(event, Event::Answered { player, .. } if player.0 == 0) {
            self.0 += 1;
        }
    }
}

/// Returns the seconds for each of these lines and its answer.
fn echo(script: &std::path::Path, asked: &str) -> f64 {
    let mut child = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut answer = String::new();
    input.write_all(b"{\"type\":\"hello\"}\n").unwrap();
    output.read_line(&mut answer).unwrap();
    let began = Instant::now();
    for line in asked.split_inclusive('\n') {
        input.write_all(line.as_bytes()).unwrap();
        answer.clear();
        output.read_line(&mut answer).unwrap();
    }
    let seconds = began.elapsed().as_secs_f64() / asked.lines().count() as f64;
    drop(input);
    child.wait().unwrap();
    seconds
}
