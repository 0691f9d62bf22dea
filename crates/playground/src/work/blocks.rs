//! Work whose pieces are blocks of games: comparisons and ratings.

use super::{Work, failed, read, refuse, setup, written};
use crate::link::Link;
use crate::messages::Reply;
use crate::replies::PAPER;
use risk_engine::Library;
use risk_engine::bot_spec::BotSpec;
use risk_lab::rating;
use risk_lab::tournament::TournamentPlan;
use risk_lab::tournament::compare::{self, Comparison};
use risk_lab::tournament::log::BlockLine;
use risk_lab::tournament::results::TournamentTally;
use risk_lab::tournament::run::{self, BlockPlayer};
use risk_report::comparison::ComparisonReport;
use risk_report::rating::RatingReport;
use risk_stats::StatsError;
use risk_stats::sequential::{Hypotheses, Verdict};
use risk_text::diag::{LoadError, TextFile};

/// The games of a plan, which lives until the page renews the instance.
pub(crate) struct BlockWork<T> {
    plan: &'static TournamentPlan,
    hash: String,
    player: BlockPlayer<'static>,
    found: T,
}

/// What blocks say, counted in order.
pub(crate) trait Findings {
    fn take(&mut self, block: BlockLine) -> Result<(), LoadError>;

    /// Returns the summary after the counted blocks of a plan.
    fn summary(&self, plan: &TournamentPlan) -> Result<Reply, LoadError>;
}

impl<T> BlockWork<T> {
    fn new(
        plan: TournamentPlan,
        found: impl FnOnce(&'static TournamentPlan) -> Result<T, LoadError>,
    ) -> Result<Self, LoadError> {
        let plan: &'static TournamentPlan = Box::leak(Box::new(plan));
        Ok(Self {
            plan,
            hash: plan.hash(),
            player: BlockPlayer::new(plan).map_err(failed)?,
            found: found(plan)?,
        })
    }
}

impl<T: Findings> Work for BlockWork<T> {
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
        self.found.take(block)
    }

    fn summary(&self) -> Result<Reply, LoadError> {
        self.found.summary(self.plan)
    }
}

fn no_test<T>(error: StatsError) -> Result<T, LoadError> {
    refuse(format!("can't test: {error}"), "")
}

/// Returns the comparison of the first two bots of a link: the test of `risk-cli compare`.
pub(crate) fn comparison(
    library: &Library,
    link: &Link,
) -> Result<BlockWork<Comparison>, LoadError> {
    let setup = setup(library, link)?;
    if setup.bots.len() < 2 {
        return refuse("a comparison needs two bots", "name two bots");
    }
    let tested = Hypotheses::USUAL;
    let plan = compare::plan(setup.clone(), tested.max_blocks as u64, false);
    BlockWork::new(plan, |plan| Comparison::new(plan, tested).or_else(no_test))
}

impl Findings for Comparison {
    fn take(&mut self, block: BlockLine) -> Result<(), LoadError> {
        self.take(block).or_else(no_test).map(drop)
    }

    fn summary(&self, plan: &TournamentPlan) -> Result<Reply, LoadError> {
        let report = ComparisonReport::new(plan, self).or_else(no_test)?;
        Ok(Reply::Summary {
            pieces: self.blocks() as u64,
            over: self.verdict() != Verdict::Running,
            text: report.text(PAPER),
            document: report.document(),
        })
    }
}

/// The games of a bot in a field so far.
pub(crate) struct Rating {
    field: String,
    bot: String,
    tally: TournamentTally<'static>,
    rated: usize,
}

/// Returns the rating of a bot in the newest field of a ruleset: that of `risk-cli bot rate`.
pub(crate) fn rating(
    library: &Library,
    bot: &str,
    ruleset: &str,
) -> Result<BlockWork<Rating>, LoadError> {
    let Some(field) = risk_cli::newest_field(ruleset) else {
        return refuse(
            format!("no field for `{ruleset}`"),
            "choose another ruleset",
        );
    };
    let bot = BotSpec::parse(library, bot)?;
    let name = bot.name.clone();
    let file = TextFile::new(field, risk_cli::field(field).unwrap_or_default());
    let (plan, rated) = rating::plan(library, &file, bot)?;
    BlockWork::new(plan, |plan| {
        Ok(Rating {
            field: field.to_owned(),
            bot: name,
            tally: TournamentTally::new(plan),
            rated,
        })
    })
}

impl Findings for Rating {
    fn take(&mut self, block: BlockLine) -> Result<(), LoadError> {
        if block.block != self.tally.blocks {
            let text = format!(
                "expected block {}, found {}",
                self.tally.blocks, block.block
            );
            return refuse(text, "count the results of all pieces in order");
        }
        self.tally.add(&block);
        Ok(())
    }

    fn summary(&self, plan: &TournamentPlan) -> Result<Reply, LoadError> {
        let report = RatingReport::new(&self.field, &self.bot, &self.tally, self.rated);
        Ok(Reply::Summary {
            pieces: self.tally.blocks,
            over: self.tally.blocks == plan.blocks,
            text: report.text(PAPER),
            document: report.document(),
        })
    }
}
