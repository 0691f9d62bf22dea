//! Many games between bots.

use super::{Work, failed, read, refuse, setup, written};
use crate::link::Link;
use crate::messages::Reply;
use crate::replies::PAPER;
use risk_engine::{GameResult, Library, Setup, Tally, Worker};
use risk_kernel::NullSink;
use risk_report::{json, standings};
use risk_text::diag::LoadError;

/// A match: each game is a piece.
pub(crate) struct GamesWork {
    setup: &'static Setup,
    worker: Worker<'static>,
    tally: Tally<'static>,
    /// The number of the first game.
    first: u64,
    counted: u64,
}

impl GamesWork {
    pub(crate) fn new(library: &Library, link: &Link) -> Result<Self, LoadError> {
        let setup = setup(library, link)?;
        Ok(Self {
            setup,
            worker: Worker::new(setup)?,
            tally: Tally::new(setup),
            first: link.game,
            counted: 0,
        })
    }
}

impl Work for GamesWork {
    fn pieces(&self) -> Option<u64> {
        None
    }

    fn play(&mut self, piece: u64) -> Result<String, LoadError> {
        let Some(number) = self.first.checked_add(piece) else {
            let text = format!("the numbers of games end at {}", u64::MAX);
            return refuse(text, "begin a match with a smaller `game`");
        };
        let seating = self.setup.seating(number);
        let result = self.worker.result(number, &seating, &mut NullSink);
        result.map(|result| written(&result)).map_err(failed)
    }

    fn count(&mut self, result: &str) -> Result<(), LoadError> {
        let result: GameResult = read(result)?;
        let seats = self.setup.bots.len();
        if result.number != self.first.wrapping_add(self.counted) || result.faults.len() != seats {
            let text = format!("game {} is not the next one of this match", result.number);
            return refuse(text, "count the results of all pieces in order");
        }
        self.tally.add(&result);
        self.counted += 1;
        Ok(())
    }

    fn summary(&self) -> Result<Reply, LoadError> {
        let found = self.tally.clone().finish();
        let title = format!("{}, seed {}", self.setup.rules.title(), self.setup.seed);
        Ok(Reply::Summary {
            pieces: self.counted,
            over: false,
            text: format!("{title}\n{}", standings::text(&found, PAPER)),
            document: json::standings(self.setup, &found),
        })
    }
}
