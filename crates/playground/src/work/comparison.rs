//! The comparison of two bots: the test of `risk-cli compare`.

use super::{Work, failed, read, refuse, setup, written};
use crate::link::Link;
use crate::messages::Reply;
use crate::replies::PAPER;
use risk_engine::Library;
use risk_lab::tournament::TournamentPlan;
use risk_lab::tournament::compare::{self, Comparison};
use risk_lab::tournament::log::BlockLine;
use risk_lab::tournament::run::{self, BlockPlayer};
use risk_report::comparison::ComparisonReport;
use risk_stats::StatsError;
use risk_stats::sequential::{Hypotheses, Verdict};
use risk_text::diag::LoadError;

/// A comparison of the first two bots of a link: each block is a piece.
pub(crate) struct ComparisonWork {
    plan: &'static TournamentPlan,
    hash: String,
    player: BlockPlayer<'static>,
    comparison: Comparison,
}

impl ComparisonWork {
    pub(crate) fn new(library: &Library, link: &Link) -> Result<Self, LoadError> {
        let setup = setup(library, link)?;
        if setup.bots.len() < 2 {
            return refuse("a comparison needs two bots", "name two bots");
        }
        let hypotheses = Hypotheses::USUAL;
        let plan = compare::plan(setup.clone(), hypotheses.max_blocks as u64, false);
        let plan: &'static TournamentPlan = Box::leak(Box::new(plan));
        Ok(Self {
            plan,
            hash: plan.hash(),
            player: BlockPlayer::new(plan).map_err(failed)?,
            comparison: Comparison::new(plan, hypotheses).or_else(no_test)?,
        })
    }
}

fn no_test<T>(error: StatsError) -> Result<T, LoadError> {
    refuse(format!("can't test: {error}"), "")
}

impl Work for ComparisonWork {
    fn pieces(&self) -> Option<u64> {
        Some(self.plan.blocks)
    }

    fn play(&mut self, piece: u64) -> Result<String, LoadError> {
        let block = self.player.block(piece);
        block.map(|block| written(&block)).map_err(failed)
    }

    fn count(&mut self, result: &str) -> Result<(), LoadError> {
        let block: BlockLine = read(result)?;
        run::check(self.plan, &self.hash, &block)?;
        self.comparison.take(block).or_else(no_test).map(|_| ())
    }

    fn summary(&self) -> Result<Reply, LoadError> {
        let report = ComparisonReport::new(self.plan, &self.comparison).or_else(no_test)?;
        Ok(Reply::Summary {
            pieces: self.comparison.blocks() as u64,
            over: self.comparison.verdict() != Verdict::Running,
            text: report.text(PAPER),
            document: report.document(),
        })
    }
}
