//! A bot in Rust that plays two built-in ones. It does only what it must, and so shows what the
//! engine passes to a bot: `cargo run --example rust_bot`.

#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use risk_cli::library;
use std::error::Error;

use risk_engine::{
    Action, Answer, Bot, BotFault, MatchSpec, NullSink, Options, View, Worker, hosted,
};

/// Places all its armies where it has the most, and never attacks.
struct Hermit;

impl Bot for Hermit {
    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        let verb = |action: &Action| view.decl().verbs[action.verb.index()].name.as_str();
        let all = (0..ask.len().min(1_000)).map(|index| ask.nth(index));
        // An answer must be one of the options; anything else is a fault.
        let choice = all.max_by_key(|action| match verb(action) {
            "attack" => -1,
            "place" => placed(view, action),
            _ => 0,
        });
        Ok(Answer::One(choice.unwrap_or_else(|| ask.nth(0))))
    }
}

/// One more than the armies in the territory where this action places some.
fn placed(view: &View, action: &Action) -> i32 {
    let at = risk_engine::Territory::from_index(action.args()[0] as usize);
    1 + view.armies(at).unwrap_or(0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let setup = MatchSpec::new("hasbro")
        .option("max_turns", 300)
        .bots(["name=hermit,bot=random", "outnumber", "odds"])
        .seed(5)
        .load(library())?;
    let mut worker = Worker::new(&setup)?;
    let mut seats = vec![
        hosted(Hermit),
        worker.bot("outnumber")?,
        worker.bot("odds")?,
    ];
    let finished = worker.play_with(0, &mut seats, &mut NullSink);
    let outcome = finished.outcome?;
    for rank in &outcome.ranking {
        let name = &setup.bots[rank.player.index()].name;
        println!("{}. {name}, score {}", rank.place, rank.score);
    }
    Ok(())
}
