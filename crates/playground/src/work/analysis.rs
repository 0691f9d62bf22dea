//! Luck and chances of winning in a recorded game: `risk-cli analyse FILE --rollouts 20`.

use super::{Work, failed, read, written};
use crate::game::rules_failed;
use crate::messages::Reply;
use crate::replay::Recorded;
use crate::replies::PAPER;
use risk_engine::record::Record;
use risk_engine::{Library, Setup, Worker};
use risk_kernel::StopReason;
use risk_kernel::id::PlayerSet;
use risk_kernel::state::GameState;
use risk_lab::analysis::chances::{self, RoundStart, WinChances};
use risk_lab::analysis::luck::Luck;
use risk_lab::analysis::rollouts::Rollouts;
use risk_lab::analysis::{self, ROLLOUTS};
use risk_report::analysis::{Analysis, ChanceHistory, document, text};
use risk_text::diag::LoadError;

/// The analysis of a game: the games that are played on from one of its moments are a piece.
pub(crate) struct AnalysisWork {
    setup: &'static Setup,
    record: Record,
    winners: Option<PlayerSet>,
    luck: Luck,
    /// The bot that plays on.
    bot: String,
    moments: Vec<RoundStart>,
    states: Vec<GameState>,
    chances: Vec<WinChances>,
}

impl AnalysisWork {
    pub(crate) fn new(library: &Library, record: &str) -> Result<Self, LoadError> {
        let Recorded { record, setup } = Recorded::read(library, record)?;
        // A worker borrows its set-up. Both live until the page renews the instance.
        let setup: &'static Setup = Box::leak(Box::new(setup));
        let mut worker = Worker::new(setup)?;
        let replayed = analysis::replay(&mut worker, &record);
        if let Some(found) = replayed.playback.mismatch() {
            let help = "the ruleset, the map or the record has changed";
            return LoadError::refuse("record::differs", found.to_string(), help);
        }
        let winners = match replayed.finished.outcome {
            Ok(outcome) => Some(outcome.winners),
            Err(StopReason::Halted) => None,
            Err(StopReason::Rules(fault)) => return Err(LoadError::one(rules_failed(&fault))),
        };
        let moments = replayed.moments.chosen();
        let answers: Vec<u64> = moments.iter().map(|moment| moment.answers).collect();
        let states = chances::positions(&mut worker, &record, &answers).map_err(failed)?;
        Ok(Self {
            setup,
            winners,
            luck: replayed.luck,
            bot: analysis::rollout_bot(library, &setup.rules.ruleset.manifest)?,
            record,
            moments,
            states,
            chances: Vec::new(),
        })
    }
}

impl Work for AnalysisWork {
    fn pieces(&self) -> Option<u64> {
        Some(self.states.len() as u64)
    }

    fn play(&mut self, piece: u64) -> Result<String, LoadError> {
        let state = &self.states[piece as usize];
        let rollouts = Rollouts {
            bot: &self.bot,
            games: ROLLOUTS,
            seed: &self.record.header.seed,
        };
        let found = chances::chances(self.setup, std::slice::from_ref(state), rollouts, 1, |_| {});
        found.map(|found| written(&found[0])).map_err(failed)
    }

    fn count(&mut self, result: &str) -> Result<(), LoadError> {
        if self.chances.len() < self.states.len() {
            self.chances.push(read(result)?);
        }
        Ok(())
    }

    fn summary(&self) -> Result<Reply, LoadError> {
        let moments = self.moments.iter().copied();
        let course = (!self.chances.is_empty()).then(|| ChanceHistory {
            bot: self.bot.clone(),
            name: self.bot.clone(),
            seed: self.record.header.seed.clone(),
            games: ROLLOUTS,
            moments: moments.zip(self.chances.iter().cloned()).collect(),
            costly: None,
        });
        let analysis = Analysis {
            header: &self.record.header,
            board: &self.setup.rules.board,
            winners: self.winners,
            luck: &self.luck,
            course: course.as_ref(),
        };
        Ok(Reply::Summary {
            pieces: self.chances.len() as u64,
            over: self.chances.len() == self.states.len(),
            text: text(&analysis, PAPER),
            document: document(&analysis),
        })
    }
}
