//! Writes positions from games between bots, from which `benches/value-net` learns:
//! `cargo run --release --example positions -- RULESET MAP SEED GAMES FILE BOT BOT…`
//!
//! Each line has the number of the game, the seat of its winner, the features of the whole position
//! and, for each player with territories, the seat and the player's features.

use std::io::Write as _;

use risk_bots::{FightTable, PositionModel, TurnEnd};
use risk_engine::{MatchSpec, Worker};
use risk_kernel::event::Event;
use risk_kernel::view::View;
use risk_kernel::{EventFilter, Moment, Sink};

/// Collects the features of the positions in which a turn begins.
struct Positions<'a> {
    chances: &'a FightTable,
    lines: Vec<String>,
}

impl Sink for Positions<'_> {
    fn wants(&self) -> EventFilter {
        EventFilter::Recorded
    }

    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let &Event::TurnBegan {
            player: Some(player),
            turn: 2..,
            ..
        } = event
        else {
            return;
        };
        let view = View::new(moment.facts(), player);
        let scene = PositionModel::new(&view);
        let features = TurnEnd::new(&scene, player.index()).features(&scene, self.chances);
        let mut line: Vec<String> = features.common.iter().map(f32::to_string).collect();
        for (seat, own) in &features.players {
            line.push(seat.to_string());
            line.extend(own.iter().map(f32::to_string));
        }
        self.lines.push(line.join(" "));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [ruleset, map, seed, games, file, bots @ ..] = arguments.as_slice() else {
        return Err("expected RULESET MAP SEED GAMES FILE BOT BOT…".into());
    };
    let setup = MatchSpec::new(ruleset)
        .on(map)
        .bots(bots)
        .seed(seed.parse::<u64>()?)
        .option("max_turns", 400)
        .load(risk_cli::library())?;
    let rules = setup.rules.bind(bots.len(), &setup.limits)?.rules;
    let chances = FightTable::new(rules.fight());
    let mut worker = Worker::new(&setup)?;
    let mut file = std::io::BufWriter::new(std::fs::File::create(file)?);
    for number in 0..games.parse()? {
        let lines = Vec::new();
        let mut positions = Positions {
            chances: &chances,
            lines,
        };
        let finished = worker.play(number, &mut positions);
        let Ok(outcome) = finished.outcome else {
            continue;
        };
        // Only one of the players has won; draws and turn limits teach nothing.
        if outcome.winners.len() == 1
            && let Some(winner) = outcome.winners.iter().next()
        {
            for line in positions.lines {
                writeln!(file, "{number} {} {line}", winner.index())?;
            }
        }
    }
    Ok(file.flush()?)
}
