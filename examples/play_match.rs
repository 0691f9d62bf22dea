//! Plays 200 games of three bots by Hasbro's rules, counts the wins, and keeps a record of the
//! last game: `cargo run --release --example play_match`.

#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use risk_cli::library;
use std::error::Error;

use risk_engine::record::{self, Recorder};
use risk_engine::{MatchSpec, Tally, Worker, play_many, with_stack};

const GAMES: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let setup = MatchSpec::new("hasbro")
        .option("max_turns", 500)
        .bots(["outnumber", "holder", "odds"])
        .seed(1)
        .load(library())?;

    // Games can run on any number of threads: the results are the same.
    let mut tally = Tally::new(&setup);
    for result in play_many(&setup, 0, GAMES, 2, |_| {})? {
        tally.add(&result);
    }
    for standing in tally.finish().bots {
        println!("{:<10} wins {:>3} of {GAMES}", standing.name, standing.wins);
    }

    // A record holds every answer; verifying it replays them. Scripts can nest calls deeply, so a
    // worker that runs scripts needs a thread with a large stack.
    let record = with_stack(|| record(&setup).map_err(|error| error.to_string()))?;
    println!(
        "the record of the last game has {} lines",
        record.lines().count()
    );
    Ok(())
}

fn record(setup: &risk_engine::Setup) -> Result<String, Box<dyn Error>> {
    let last = GAMES - 1;
    let mut worker = Worker::new(setup)?;
    let header = record::header(&worker, last);
    let mut recorder = Recorder::new(Vec::new(), &header);
    let finished = worker.play(last, &mut recorder);
    let text = recorder.finish(finished.outcome.as_ref().ok(), &finished.game)?;
    let text = String::from_utf8(text)?;
    let replayed = record::verify(&record::read(&text)?, &mut worker);
    assert!(replayed.is_ok_and(|verified| verified.whole));
    Ok(text)
}
