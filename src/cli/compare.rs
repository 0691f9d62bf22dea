//! `risk-cli compare`: tests which of two bots is better, and stops as soon as the result is clear.

use crate::cli::library;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;

use super::faults::rules_failed;
use super::fillers::{Fillers, check_players, or_own};
use super::format::Format;
use super::match_args::{BudgetArg, ClockArg, RulesArgs};
use super::seed_arg::SeedArg;
use super::threads::{progress, threads, unfinished};
use super::{CommandResult, Error, Exit, ForceArg, note, paint, save, say, say_json};
use risk_engine::bot_spec::BotSpec;
use risk_engine::{Seats, Setup, Worker};
use risk_kernel::id::Player;
use risk_kernel::stepper::StepperSettings;
use risk_lab::tournament::compare::{self, Comparison};
use risk_lab::tournament::folder::Folder;
use risk_lab::tournament::log::BlockLine;
use risk_lab::tournament::logs::Logs;
use risk_lab::tournament::run::{self, RunFault};
use risk_lab::tournament::{Design, Shard, TournamentPlan};
use risk_report::comparison::ComparisonReport;
use risk_stats::StatsError;
use risk_stats::sequential::{Hypotheses, Verdict};
use risk_text::signed;

#[derive(Args, Debug)]
pub(super) struct CompareArgs {
    /// Bot to test, as for `play --bot`
    #[arg(value_name = "A")]
    a: String,
    /// Bot to compare A with
    #[arg(value_name = "B")]
    b: String,
    #[command(flatten)]
    pub(super) fillers: Fillers,
    #[command(flatten)]
    pub(super) rules: RulesArgs,
    /// Put A and B in the same seat in turn, instead of seating both at one table
    #[arg(long)]
    pub(super) replace: bool,
    /// Give A all seats of one team and B all other seats, in a ruleset with teams
    #[arg(long, conflicts_with_all = ["replace", "given"])]
    teams: bool,
    /// Largest difference in win shares (A minus B) at which A is not better
    #[arg(
        long,
        value_name = "D",
        default_value_t = Hypotheses::USUAL.d0,
        allow_negative_numbers = true
    )]
    d0: f64,
    /// Smallest difference in win shares (A minus B) at which A is better
    #[arg(
        long,
        value_name = "D",
        default_value_t = Hypotheses::USUAL.d1,
        allow_negative_numbers = true
    )]
    d1: f64,
    /// Probability of the verdict `better` if A is not better
    #[arg(long, value_name = "P", default_value_t = Hypotheses::USUAL.alpha)]
    alpha: f64,
    /// Probability of the verdict `not better` if A is better
    #[arg(long, value_name = "P", default_value_t = Hypotheses::USUAL.beta)]
    beta: f64,
    /// Number of blocks after which the test ends undecided
    #[arg(long, value_name = "N", default_value_t = Hypotheses::USUAL.max_blocks as u64, value_parser = clap::value_parser!(u64).range(12..=1_000_000))]
    pub(super) max_blocks: u64,
    #[command(flatten)]
    pub(super) seed: SeedArg,
    /// Number of threads (default: one per core, or 1 with a bot over HTTP)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub(super) jobs: Option<u16>,
    /// Log every block in the folder DIR, and continue from this log in the next run
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Write the result to FILE as an HTML page, with a chart of the test
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArg,
    #[command(flatten)]
    clock: ClockArg,
    #[command(flatten)]
    force: ForceArg,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(super) fn run(args: &CompareArgs) -> CommandResult {
    let plan = plan(args)?;
    let hypotheses = Hypotheses {
        d0: args.d0,
        d1: args.d1,
        alpha: args.alpha,
        beta: args.beta,
        max_blocks: usize::try_from(args.max_blocks).unwrap_or(usize::MAX),
    };
    let mut comparison = Comparison::new(&plan, hypotheses).map_err(|error| no_test(&error))?;
    let jobs = threads(args.jobs, &plan.setup)?;
    play(args, &plan, jobs, &mut comparison)?;
    let report = ComparisonReport::new(&plan, &comparison).map_err(|error| no_test(&error))?;
    if let Some(path) = &args.html {
        save(path, report.page().as_bytes(), args.force.force)?;
        note(&format!("  wrote {}", path.display()));
    }
    if args.format == Format::Json {
        say_json(&report.document())?;
    } else {
        say(&report.text(paint(&io::stdout())))?;
    }
    Ok(match comparison.verdict() {
        Verdict::Better => Exit::Fine,
        Verdict::NotBetter => Exit::No,
        Verdict::Undecided | Verdict::Running => Exit::Undecided,
    })
}

/// Returns the arguments that compare two bots, with defaults for all options.
pub(super) fn usual(a: &str, b: &str) -> Result<CompareArgs, Error> {
    #[derive(clap::Parser)]
    struct CompareLine {
        #[command(flatten)]
        args: CompareArgs,
    }
    let line = <CompareLine as clap::Parser>::try_parse_from(["compare", "--", a, b]);
    let help = "run `risk-cli compare` yourself";
    let line = line.map_err(|error| Error::input("compare::words", error.to_string(), help))?;
    Ok(line.args)
}

fn no_test(error: &StatsError) -> Error {
    let help = "choose --d0 below --d1, both between -1 and 1, and --alpha and --beta between 0 \
                and 0.5";
    Error::input("compare::test", format!("invalid test: {error}"), help)
}

/// Plans the match of the two bots and their fillers.
fn plan(args: &CompareArgs) -> Result<TournamentPlan, Error> {
    let mut bots = vec![
        BotSpec::parse(library(), &args.a)?,
        BotSpec::parse(library(), &args.b)?,
    ];
    let fillers = args.fillers.given()?;
    let all = [bots.as_slice(), &fillers].concat();
    let rules = args.rules.load_for(&all)?;
    let seed = args.seed.or_any();
    let setup = |rules, bots| {
        Ok::<_, Error>(Setup {
            seed,
            seats: Seats::Fixed,
            limits: args.budget.limits(),
            clock: args.clock.control()?,
            ..Setup::new(rules, bots)
        })
    };
    if args.teams {
        let (seats, _) = rules.players()?;
        let design = Design::teams(teams(&Setup::new(rules.clone(), bots.clone()), seats)?);
        let [own, others] = design.bots_of();
        for (bot, count) in [(0, own), (1, others)] {
            bots.extend(std::iter::repeat_n(bots[bot].clone(), count - 1));
        }
        let setup = setup(rules, bots)?;
        return Ok(TournamentPlan::new(setup, seats, args.max_blocks, design));
    }
    let missing = (rules.players()?.0 + usize::from(args.replace)).saturating_sub(bots.len());
    bots.extend(or_own(fillers, &rules, missing)?);
    check_players(&rules, bots.len() - usize::from(args.replace))?;
    let setup = setup(rules, bots)?;
    Ok(compare::plan(setup, args.max_blocks, args.replace))
}

/// Returns the team of each seat after the set-up of a game.
fn teams(setup: &Setup, seats: usize) -> Result<Vec<usize>, Error> {
    let mut worker = Worker::for_players(setup, seats)?;
    let begun = worker.stepper(0, StepperSettings::default());
    let begun = begun.map_err(|fault| rules_failed(&fault, None, 0, None, setup))?;
    let game = begun.game();
    let first = |player| game.team(player).iter().next().map_or(0, Player::index);
    let teams: Vec<usize> = game.seats().map(first).collect();
    let whole = teams.iter().all(|&team| team == 0);
    if whole || game.seats().all(|player| game.team(player).len() == 1) {
        let name = &setup.rules.ruleset.manifest.decl.name;
        let text = format!("{name} has no teams");
        let help = "leave out --teams, or choose a ruleset with teams";
        return Error::refuse("compare::teams", text, help);
    }
    Ok(teams)
}

/// Plays blocks until the test has a verdict.
fn play(
    args: &CompareArgs,
    plan: &TournamentPlan,
    jobs: usize,
    comparison: &mut Comparison,
) -> Result<(), Error> {
    let bar = progress(plan.blocks, "blocks");
    let mut failed: Option<StatsError> = None;
    let mut take = |block: BlockLine| {
        let verdict = comparison.take(block);
        bar.set_position(comparison.blocks() as u64);
        if comparison.blocks().is_multiple_of(16) {
            let now = comparison.test().capitals();
            let [up, down] = [now.up, now.down].map(|at| signed(at, 1));
            bar.set_message(format!("better {up}, not {down}"));
        }
        match verdict {
            Ok(Verdict::Running) => ControlFlow::Continue(()),
            Ok(_) => ControlFlow::Break(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let played = match &args.log {
        Some(path) => logged(plan, path, jobs, &mut take),
        None => {
            let all = run::BlockNumbers::From(0, plan.blocks);
            let played = run::play(plan, all, jobs, |block, _| take(block));
            played.map_err(RunFault::Match)
        }
    };
    bar.finish_and_clear();
    played.map_err(|fault| unfinished(fault, &plan.setup))?;
    failed.map_or(Ok(()), |error| Err(no_test(&error)))
}

/// Reads the blocks that are already in the log, then plays the missing blocks.
fn logged(
    plan: &TournamentPlan,
    path: &std::path::Path,
    jobs: usize,
    take: &mut impl FnMut(BlockLine) -> ControlFlow<()>,
) -> Result<(), RunFault> {
    std::fs::create_dir_all(path)
        .map_err(|error| risk_lab::tournament::log::LogFault::Io(path.to_path_buf(), error))?;
    let folder = Folder {
        path: path.to_path_buf(),
        file: path.to_path_buf(),
    };
    folder.settle(plan)?;
    let logs = Logs::read(plan, &[path.to_path_buf()])?;
    let mut over = false;
    logs.each(|block| over = over || take(block.clone()).is_break())?;
    if over {
        return Ok(());
    }
    run::run(plan, path, Shard::WHOLE, jobs, None, |block, _| {
        take(block.clone())
    })
}
