//! `risk-cli compare`: tests which of two bots is better, and stops as soon as the result is clear.

use crate::cli::library;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::faults::rules_failed;
use super::fillers::{Fillers, check_players, or_own};
use super::format::Format;
use super::match_args::{ClockArg, RulesArgs};
use super::seed_arg::SeedArg;
use super::threads::{progress, threads, unfinished};
use super::{CommandResult, Error, Exit, ForceArg, note, paint, save, say, say_json};
use risk_engine::load::bot_spec::BotSpec;
use risk_engine::matches::{Seats, Setup, Worker};
use risk_kernel::id::Player;
use risk_kernel::stepper::StepperSettings;
use risk_lab::tournament::compare::Comparison;
use risk_lab::tournament::folder::Folder;
use risk_lab::tournament::log::BlockLine;
use risk_lab::tournament::logs::Logs;
use risk_lab::tournament::run::{self, RunFault};
use risk_lab::tournament::{Design, Shard, TournamentPlan};
use risk_report::comparison as report;
use risk_report::json::round;
use risk_report::tournament::warnings;
use risk_stats::StatsError;
use risk_stats::moments::Interval;
use risk_stats::sequential::{Hypotheses, Verdict};
use risk_text::paint::Paint;
use risk_text::plural::counted;
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
    fillers: Fillers,
    #[command(flatten)]
    rules: RulesArgs,
    /// Put A and B in the same seat in turn, instead of seating both at one table
    #[arg(long)]
    replace: bool,
    /// Give A all seats of one team and B all other seats, in a ruleset with teams
    #[arg(long, conflicts_with_all = ["replace", "given"])]
    teams: bool,
    /// Largest difference in win shares (A minus B) at which A is not better
    #[arg(
        long,
        value_name = "D",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    d0: f64,
    /// Smallest difference in win shares (A minus B) at which A is better
    #[arg(
        long,
        value_name = "D",
        default_value_t = 0.05,
        allow_negative_numbers = true
    )]
    d1: f64,
    /// Probability of the verdict `better` if A is not better
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// Probability of the verdict `not better` if A is better
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// Number of blocks after which the test ends undecided
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(12..=1_000_000))]
    max_blocks: u64,
    #[command(flatten)]
    seed: SeedArg,
    /// Number of threads (default: one per core, or 1 with a bot over HTTP)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    /// Log every block in the folder DIR, and continue from this log in the next run
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Write the result to FILE as an HTML page, with a chart of the test
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
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
    if let Some(path) = &args.html {
        let plain = Paint {
            colour: false,
            width: usize::MAX,
        };
        let lines = details(args, &plan, &comparison, plain)?;
        let interval = comparison.interval().map_err(|error| no_test(&error))?;
        let shares = comparison.shares();
        let texts = report::ComparisonTexts {
            verdict: &heading(args, &comparison),
            bots: comparison.names().each_ref().map(String::as_str),
            reading: &reading(&comparison, interval),
            setup: &format!("{}{}", setup_line(&plan), fillers_of(&plan)),
            lines: &lines,
            difference: report::ShareDifference {
                found: shares[0] - shares[1],
                low: interval.low,
                high: interval.high,
                bound: match comparison.verdict() {
                    Verdict::NotBetter => args.d1,
                    _ => args.d0,
                },
            },
        };
        let page = report::page(&texts, comparison.test());
        save(path, page.as_bytes(), args.force.force)?;
        note(&format!("  wrote {}", path.display()));
    }
    if args.format == Format::Json {
        say_json(&document(args, &plan, &comparison)?)?;
    } else {
        say(&outcome(args, &plan, &comparison, paint(&io::stdout()))?)?;
    }
    Ok(match comparison.verdict() {
        Verdict::Better => Exit::Fine,
        Verdict::NotBetter => Exit::No,
        Verdict::Undecided | Verdict::Running => Exit::Undecided,
    })
}

/// Like [`run`], but parses its options from the words of a command line.
pub(super) fn by_words(words: &[String]) -> CommandResult {
    #[derive(clap::Parser)]
    struct CompareLine {
        #[command(flatten)]
        args: CompareArgs,
    }
    let line = <CompareLine as clap::Parser>::try_parse_from(words).map_err(|error| {
        Error::input(
            "compare::words",
            error.to_string(),
            "run `risk-cli compare` yourself",
        )
    })?;
    run(&line.args)
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
    let planned = |rules, bots, seats, design| {
        let setup = Setup {
            seed,
            seats: Seats::Fixed,
            clock: args.clock.control()?,
            ..Setup::new(rules, bots)
        };
        Ok(TournamentPlan::new(setup, seats, args.max_blocks, design))
    };
    if args.teams {
        let (seats, _) = rules.players()?;
        let design = Design::teams(teams(&Setup::new(rules.clone(), bots.clone()), seats)?);
        let [own, others] = design.bots_of();
        for (bot, count) in [(0, own), (1, others)] {
            bots.extend(std::iter::repeat_n(bots[bot].clone(), count - 1));
        }
        return planned(rules, bots, seats, design);
    }
    let missing = (rules.players()?.0 + usize::from(args.replace)).saturating_sub(bots.len());
    bots.extend(or_own(fillers, &rules, missing)?);
    let design = if args.replace {
        Design::replace(bots.len())
    } else {
        Design::swap(bots.len())
    };
    let seats = bots.len() - usize::from(args.replace);
    check_players(&rules, seats)?;
    planned(rules, bots, seats, design)
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
        let name = &setup.rules.ruleset.manifest.name;
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
            let blocks: Vec<u64> = (0..plan.blocks).collect();
            let played = run::play(plan, &blocks, jobs, |block, _| take(block));
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

fn verdict(args: &CompareArgs, comparison: &Comparison) -> String {
    let [a, b] = comparison.names();
    match comparison.verdict() {
        Verdict::Better if args.d0 == 0.0 => format!("{a} is better than {b}"),
        Verdict::Better => {
            let least = points(args.d0);
            format!("{a} is better than {b} by more than {least}")
        }
        Verdict::NotBetter => {
            let least = points(args.d1);
            format!("{a} is not better than {b} by {least} or more")
        }
        Verdict::Undecided | Verdict::Running => {
            format!("undecided whether {a} is better than {b}; raise --max-blocks to play on")
        }
    }
}

/// Returns the verdict as the heading of a page.
fn heading(args: &CompareArgs, comparison: &Comparison) -> String {
    match comparison.verdict() {
        Verdict::Better | Verdict::NotBetter => verdict(args, comparison),
        Verdict::Undecided | Verdict::Running => {
            let [a, b] = comparison.names();
            format!("Undecided: {a} or {b}")
        }
    }
}

/// Says which bot is ahead, and whether that is certain.
fn reading(comparison: &Comparison, interval: Interval) -> String {
    let [a, b] = comparison.names();
    let [of_a, of_b] = comparison.shares();
    let ahead = if of_a < of_b { b } else { a };
    if interval.low > 0.0 || interval.high < 0.0 {
        return format!("{ahead} is the better bot of the two.");
    }
    if of_a == of_b {
        return format!("{a} and {b} won equally many games.");
    }
    format!("{ahead} won more games, but chance may explain the difference.")
}

/// Returns a difference of shares in percentage points: `5 points`.
fn points(share: f64) -> String {
    let text = format!("{:.2}", 100.0 * share);
    let number = text.trim_end_matches('0').trim_end_matches('.');
    let noun = if number == "1" { "point" } else { "points" };
    format!("{number} percentage {noun}")
}

/// Returns the other bots at the table in words, or an empty string without any.
fn fillers_of(plan: &TournamentPlan) -> String {
    let others = plan.setup.bots.iter().skip(2).map(|bot| bot.name.as_str());
    let others: std::collections::BTreeSet<&str> = others.collect();
    if others.is_empty() {
        return String::new();
    }
    let others: Vec<&str> = others.into_iter().collect();
    format!("; also at the table: {}", others.join(", "))
}

/// Describes both bots' shares and the interval of their difference. Explains an interval that
/// includes the bound of the verdict.
fn difference(args: &CompareArgs, comparison: &Comparison, interval: Interval) -> String {
    let points = |share: f64| signed(100.0 * share, 1);
    let [a, b] = comparison.names();
    let [of_a, of_b] = comparison.shares();
    let text = format!(
        "{a} wins {:.1}%, {b} {:.1}%: a difference of {}, from {} to {} with {:.0} % confidence at \
         any time",
        100.0 * of_a,
        100.0 * of_b,
        points(of_a - of_b),
        points(interval.low),
        points(interval.high),
        100.0 * (1.0 - args.alpha)
    );
    let bound = match comparison.verdict() {
        Verdict::Better => args.d0,
        Verdict::NotBetter => args.d1,
        Verdict::Undecided | Verdict::Running => return text,
    };
    if bound < interval.low || bound > interval.high {
        return text;
    }
    format!(
        "{text}; the interval includes {}, because it is two-sided; the verdict comes from a \
         one-sided test, which needs fewer blocks",
        points(bound)
    )
}

fn setup_line(plan: &TournamentPlan) -> String {
    let setup = &plan.setup;
    format!("{}, seed {}", setup.rules.title(), setup.seed)
}

fn outcome(
    args: &CompareArgs,
    plan: &TournamentPlan,
    comparison: &Comparison,
    paint: Paint,
) -> Result<String, Error> {
    let mut lines = vec![paint.bold(&setup_line(plan))];
    let line = verdict(args, comparison);
    let line = match comparison.verdict() {
        Verdict::Better => paint.good(&line),
        Verdict::NotBetter => paint.bad(&line),
        Verdict::Undecided | Verdict::Running => line,
    };
    lines.push(format!("  {line}"));
    lines.extend(details(args, plan, comparison, paint)?);
    let path = report::path_line(comparison.test());
    let path = paint.wrapped("  ", "  ", &path);
    lines.extend(path.iter().map(|line| paint.dim(line)));
    Ok(lines.join("\n"))
}

/// Returns the lines about a result that follow its verdict.
fn details(
    args: &CompareArgs,
    plan: &TournamentPlan,
    comparison: &Comparison,
    paint: Paint,
) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    let interval = comparison.interval().map_err(|error| no_test(&error))?;
    let text = difference(args, comparison, interval);
    lines.extend(paint.wrapped("  ", "  ", &text));
    let mut text = format!(
        "{}, {}, {}; identical play in {} of {}",
        counted(comparison.blocks(), "block"),
        counted(comparison.games, "game"),
        plan.dice(),
        comparison.alike,
        counted(comparison.pairs, "pair"),
    );
    if comparison.undecided > 0 {
        text += &format!("; {} without a winner", comparison.undecided);
    }
    for (name, faults) in comparison.names().iter().zip(comparison.faults) {
        if faults > 0 {
            text += &format!("; {} of {name}", counted(faults, "fault"));
        }
    }
    lines.extend(paint.wrapped("  ", "  ", &text));
    lines.extend(warnings(plan, paint));
    Ok(lines)
}

fn document(
    args: &CompareArgs,
    plan: &TournamentPlan,
    comparison: &Comparison,
) -> Result<serde_json::Value, Error> {
    let interval = comparison.interval().map_err(|error| no_test(&error))?;
    let shares = comparison.shares();
    let capitals = comparison.test().capitals();
    let verdict = match comparison.verdict() {
        Verdict::Better => "better",
        Verdict::NotBetter => "not better",
        Verdict::Undecided | Verdict::Running => "undecided",
    };
    Ok(json!({
        "type": "comparison",
        "format": 1,
        "plan": plan.hash(),
        "parts": plan.parts,
        "reproducible": plan.setup.why_not_reproducible().is_none(),
        "timed": plan.setup.is_timed(),
        "unverified": plan.unverified(),
        "bots": comparison.names(),
        "verdict": verdict,
        "test": { "d0": args.d0, "d1": args.d1, "alpha": args.alpha, "beta": args.beta, "max_blocks": args.max_blocks,
            "up": round(capitals.up), "down": round(capitals.down),
            "bound_up": round(comparison.test().bound_up()), "bound_down": round(comparison.test().bound_down()) },
        "blocks": comparison.blocks(),
        "games": comparison.games,
        "undecided_games": comparison.undecided,
        "shares": shares.map(round),
        "difference": round(shares[0] - shares[1]),
        "interval": [round(interval.low), round(interval.high)],
        "path": report::path(comparison.test(), 200)
            .iter()
            .map(|(block, at)| json!([block, round(at.up), round(at.down)]))
            .collect::<Vec<_>>(),
        "pairs": comparison.pairs,
        "identical_pairs": comparison.alike,
        "faults": comparison.faults,
    }))
}
