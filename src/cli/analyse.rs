//! `risk-cli analyse`: analyses luck and winning chances in a recorded game.

use crate::cli::library;
use risk_engine::Seed;
use std::io;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::faults::rules_failed;
use super::format::Format;
use super::recorded::{self, mismatch, whole};
use super::threads::{progress, stopped, threads};
use super::{CommandResult, Error, Exit, paint, print_findings, say, say_json};
use risk_engine::bot_spec::BotSpec;
use risk_engine::record::Record;
use risk_engine::{Setup, Worker};
use risk_kernel::{FinishedGame, StopReason};
use risk_lab::analysis::chances::{self, MOST_GAMES, RoundStart};
use risk_lab::analysis::decisions;
use risk_lab::analysis::rollouts::Rollouts;
use risk_lab::analysis::{ROLLOUTS, replay, rollout_bot};
use risk_report::analysis::{self, Analysis, ChanceHistory};
use risk_text::diag::TextFile;
use risk_text::plural::counted;

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("sampled").args(["rollouts", "decisions"]).multiple(true)))]
pub(super) struct AnalyseArgs {
    /// Record of a game, from `play --record`
    file: PathBuf,
    /// Number of rollouts: games that are played from the start of each round to estimate the
    /// chances of winning; at most 10000 games in total (default: 0, or 20 with --decisions)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=MOST_GAMES))]
    rollouts: Option<u64>,
    /// Maximum number of decisions to judge among those where the bot would choose differently; the
    /// three costliest are shown
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=MOST_GAMES))]
    decisions: u64,
    /// Bot that plays the rollouts in all seats (default: the ruleset's first bot)
    #[arg(long, short, value_name = "B", requires = "sampled")]
    bot: Option<String>,
    /// Seed for the rollouts (default: the record's seed)
    #[arg(long, short, value_name = "S", requires = "sampled")]
    seed: Option<Seed>,
    /// Number of threads (default: one per core, or 1 with a bot over HTTP)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    /// Ruleset: a name or a path (default: the ruleset named in the record)
    #[arg(long, short, value_name = "R")]
    ruleset: Option<String>,
    /// Map: a name or a path (default: the map named in the record)
    #[arg(long, short, value_name = "M")]
    map: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl AnalyseArgs {
    fn rollouts(&self) -> u64 {
        let own = if self.decisions > 0 { ROLLOUTS } else { 0 };
        self.rollouts.unwrap_or(own)
    }
}

pub(super) fn run(args: &AnalyseArgs) -> CommandResult {
    if args.decisions > 0 && args.rollouts == Some(0) {
        return Error::refuse(
            "analyse::rollouts",
            "`--decisions` needs rollouts, found `--rollouts 0`",
            "write a larger number, or leave `--rollouts` out",
        );
    }
    let (file, record) = recorded::read(&args.file)?;
    let ruleset = args.ruleset.as_deref();
    let setup = recorded::setup(ruleset, args.map.as_deref(), &file, &record.header)?;
    let mut worker = Worker::new(&setup)?;
    let replayed = replay(&mut worker, &record);
    if let Some(found) = replayed.playback.mismatch() {
        print_findings(&[mismatch(&file, found)]);
        return Ok(Exit::No);
    }
    let FinishedGame { outcome, game } = replayed.finished;
    let winners = match outcome {
        Ok(outcome) => Some(outcome.winners),
        Err(StopReason::Halted) => None,
        Err(StopReason::Rules(fault)) => {
            let number = record.header.game;
            return Err(rules_failed(&fault, Some(&game), number, None, &setup));
        }
    };
    let course = course(args, &mut worker, &record, replayed.moments.chosen())?;
    let analysis = Analysis {
        header: &record.header,
        board: &setup.rules.board,
        winners,
        luck: &replayed.luck,
        course: course.as_ref(),
    };
    if args.format == Format::Json {
        say_json(&analysis::document(&analysis))?;
    } else {
        say(&analysis::text(&analysis, paint(&io::stdout())))?;
    }
    whole(&file, &record, &replayed.playback)
}

/// The number of decisions to judge for the page of a game.
const JUDGED: u64 = 20;

/// Analyses a record for the page of its game: the chances to win over time, and turning points.
pub(super) fn for_page(
    worker: &mut Worker<'_>,
    file: &TextFile,
    record: &Record,
    bot: &str,
) -> Result<Option<serde_json::Value>, Error> {
    let args = AnalyseArgs {
        file: PathBuf::new(),
        rollouts: None,
        decisions: JUDGED,
        bot: Some(bot.to_owned()),
        seed: None,
        jobs: None,
        ruleset: None,
        map: None,
        format: Format::Json,
    };
    let replayed = replay(worker, record);
    if let Some(found) = replayed.playback.mismatch() {
        return Err(mismatch(file, found).into());
    }
    let course = course(&args, worker, record, replayed.moments.chosen())?;
    let analysis = Analysis {
        header: &record.header,
        board: &worker.setup().rules.board,
        winners: replayed.finished.outcome.ok().map(|it| it.winners),
        luck: &replayed.luck,
        course: course.as_ref(),
    };
    Ok(course
        .as_ref()
        .map(|course| analysis::for_page(&analysis, course)))
}

/// Returns the chances over time, or `None` without rollouts.
fn course(
    args: &AnalyseArgs,
    worker: &mut Worker<'_>,
    record: &Record,
    moments: Vec<RoundStart>,
) -> Result<Option<ChanceHistory>, Error> {
    let games = args.rollouts();
    if games == 0 {
        return Ok(None);
    }
    let setup = worker.setup();
    let (bot, name) = bot(args, setup)?;
    enough(args, moments.len())?;
    let jobs = threads(args.jobs, setup)?;
    let seed = args.seed.as_ref().unwrap_or(&record.header.seed);
    let rollouts = Rollouts {
        bot: &bot,
        games,
        seed,
    };
    let failed = |fault| stopped(fault, setup);
    let answers: Vec<u64> = moments.iter().map(|moment| moment.answers).collect();
    let states = chances::positions(worker, record, &answers).map_err(failed)?;
    let bar = progress(moments.len() as u64 * games, "games");
    let found = chances::chances(setup, &states, rollouts, jobs, |done| {
        bar.set_position(done)
    });
    bar.finish_and_clear();
    let found = found.map_err(failed)?;
    let most = args.decisions as usize;
    let costly = if most == 0 {
        None
    } else {
        let otherwise = decisions::otherwise(worker, record, rollouts, most).map_err(failed)?;
        let costliest = decisions::costliest(setup, &otherwise, rollouts, jobs);
        Some((otherwise.len(), costliest.map_err(failed)?))
    };
    Ok(Some(ChanceHistory {
        seed: seed.clone(),
        games,
        moments: moments.into_iter().zip(found).collect(),
        costly,
        bot,
        name,
    }))
}

/// Checks that the rollouts play at most [`MOST_GAMES`] games.
fn enough(args: &AnalyseArgs, moments: usize) -> Result<(), Error> {
    let moments = moments as u64;
    let games = |rollouts| moments * rollouts + decisions::games(args.decisions, rollouts);
    if games(args.rollouts()) <= MOST_GAMES {
        return Ok(());
    }
    let text = format!(
        "expected at most {MOST_GAMES} games, found {}: {} from each of {}, and those for {}",
        games(args.rollouts()),
        args.rollouts(),
        counted(moments, "moment"),
        counted(args.decisions, "decision"),
    );
    let most = MOST_GAMES / games(1);
    let help = if most > 0 {
        format!("lower --rollouts to {most}")
    } else {
        "lower --decisions".to_owned()
    };
    Error::refuse("analyse::rollouts", text, help)
}

/// Returns the bot that plays the rollouts, and its name. It must be a built-in bot or a script, so
/// that the same seed always produces the same games.
fn bot(args: &AnalyseArgs, setup: &Setup) -> Result<(String, String), Error> {
    let manifest = &setup.rules.ruleset.manifest;
    let named = match &args.bot {
        Some(named) => named.clone(),
        None => rollout_bot(library(), manifest)?,
    };
    let spec = BotSpec::parse(library(), &named)?;
    if spec.source.is_elsewhere() {
        let text = format!("can't repeat games of {named}, which is a separate program");
        let help = "choose a script, or a bot listed by `risk-cli bot list`";
        return Error::refuse("analyse::bot", text, help);
    }
    Ok((named, spec.name))
}
