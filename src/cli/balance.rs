//! `risk-cli balance`: tests whether all seats of a game win equally often.

use crate::cli::library;
use risk_engine::Seed;
use std::io;

use clap::Args;

use super::format::Format;
use super::match_args::{RulesArgs, print_assumed, print_without_walls};
use super::seed_arg::SeedArg;
use super::threads::{stopped, threads};
use super::{CommandResult, Error, Exit, note, paint, say, say_json};
use risk_engine::bot_spec::BotSpec;
use risk_engine::{RuleSetup, Seats, Setup};
use risk_lab::tournament::balance::{BalanceCell, BalanceQuestion, judge, measure};
use risk_lab::tournament::{Design, TournamentPlan};
use risk_report as report;
use risk_stats::fairness::Fairness;
use risk_text::diag::LoadError;
use risk_text::plural::range;

const MOST_CELLS: usize = 1_000;

#[derive(Args, Debug)]
pub(super) struct BalanceArgs {
    #[command(flatten)]
    rules: RulesArgs,
    /// Number of players (default: the fewest that the ruleset allows)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=32))]
    players: Option<u8>,
    /// Bot for all seats, as for `play --bot`. If given several times, each bot plays in every seat
    /// (default: the ruleset's first bot)
    #[arg(long = "bot", short, value_name = "B")]
    bots: Vec<String>,
    /// Values to test for an option or for `map`, for example max_turns=100,200. If given several
    /// times, every combination is tested
    #[arg(long, value_name = "K=A,B")]
    sweep: Vec<String>,
    /// Number of games for each combination of options
    #[arg(long, short, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(20..=10_000_000))]
    games: u64,
    /// Probability of the verdict `unfair` for a fair game
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// Largest difference between a seat's win share and an equal share that still counts as fair
    #[arg(long, value_name = "D", default_value_t = 0.03)]
    tolerance: f64,
    #[command(flatten)]
    seed: SeedArg,
    /// Number of threads (default: one per core, or 1 with a bot over HTTP)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(super) fn run(args: &BalanceArgs) -> CommandResult {
    for (option, value, most, usual) in [
        ("--alpha", args.alpha, 0.5, "0.05"),
        ("--tolerance", args.tolerance, 1.0, "0.03"),
    ] {
        if value <= 0.0 || value >= most || value.is_nan() {
            let text = format!("{option} must be between 0 and {most}, found {value}");
            return Error::refuse("balance::level", text, format!("write {option} {usual}"));
        }
    }
    let question = BalanceQuestion {
        alpha: args.alpha,
        tolerance: args.tolerance,
    };
    let seed = args.seed.or_any();
    let cells = cells(args)?;
    let mut played = Vec::with_capacity(cells.len());
    let given = args.bots.iter().map(|spec| BotSpec::parse(library(), spec));
    let given: Vec<BotSpec> = given.collect::<Result<_, LoadError>>()?;
    for label in cells {
        let rules = rules(args, &given, &label)?;
        if played.is_empty() {
            print_assumed(&rules.assumed);
            print_without_walls(&given);
        }
        let mut cell = play(args, &given, rules, &seed, question)?;
        cell.label = label;
        played.push(cell);
    }
    judge(&mut played, question)
        .map_err(|error| Error::input("balance::test", error.to_string(), "play more games"))?;
    print_report(args, &played, &seed)?;
    let has = |verdict| played.iter().any(|cell| cell.verdict == verdict);
    Ok(if has(Fairness::Unfair) {
        Exit::No
    } else if has(Fairness::CannotTell) {
        Exit::Undecided
    } else {
        Exit::Fine
    })
}

fn print_report(args: &BalanceArgs, cells: &[BalanceCell], seed: &Seed) -> Result<(), Error> {
    if args.format == Format::Json {
        return say_json(&report::balance::document(
            cells,
            args.alpha,
            args.tolerance,
            &swept(args),
        ));
    }
    let paint = paint(&io::stdout());
    let map = args.rules.map.as_deref();
    let map = map.map_or_else(String::new, |map| format!(" on {map}"));
    say(&paint.bold(&format!("{}{map}, seed {seed}", args.rules.ruleset)))?;
    for cell in cells {
        say(&report::balance::text(cell, paint))?;
    }
    let slopes = report::balance::slopes(cells, &swept(args), args.alpha);
    if !slopes.is_empty() {
        say(&slopes.join("\n"))?;
    }
    if cells.len() > 1 {
        note("  the verdicts are corrected for the number of combinations");
    }
    Ok(())
}

/// Returns the names of the options in `--sweep`.
fn swept(args: &BalanceArgs) -> Vec<&str> {
    let sweeps = args.sweep.iter();
    sweeps
        .filter_map(|sweep| Some(sweep.split_once('=')?.0))
        .collect()
}

type SweptValues = Vec<(String, String)>;

/// Returns every combination of the swept values.
fn cells(args: &BalanceArgs) -> Result<Vec<SweptValues>, Error> {
    let mut cells: Vec<SweptValues> = vec![Vec::new()];
    for sweep in &args.sweep {
        let pair = sweep
            .split_once('=')
            .filter(|(name, values)| !name.is_empty() && !values.is_empty());
        let Some((name, values)) = pair else {
            let text = format!("expected NAME=VALUE,VALUE after --sweep, found `{sweep}`");
            let help = "write for example --sweep max_turns=100,200";
            return Error::refuse("balance::sweep", text, help);
        };
        let given = args.rules.options.iter().any(|option| {
            option
                .split_once('=')
                .is_some_and(|(known, _)| known == name)
        });
        let twice = cells[0].iter().any(|(known, _)| known == name);
        if given || twice || (name == "map" && args.rules.map.is_some()) {
            let text = format!("duplicate values for `{name}`");
            let help = "give the values in one --sweep only, without --option or --map";
            return Error::refuse("balance::sweep-twice", text, help);
        }
        let with = |cell: &SweptValues| {
            let cell = cell.clone();
            values.split(',').map(move |value| {
                let mut cell = cell.clone();
                cell.push((name.to_owned(), value.to_owned()));
                cell
            })
        };
        cells = cells.iter().flat_map(with).collect();
        if cells.len() > MOST_CELLS {
            let text = format!(
                "--sweep allows at most {MOST_CELLS} combinations, found {}",
                cells.len()
            );
            let help = "sweep fewer values or options";
            return Error::refuse("balance::sweep-most", text, help);
        }
    }
    Ok(cells)
}

/// Loads the rules of one combination.
fn rules(args: &BalanceArgs, given: &[BotSpec], label: &SweptValues) -> Result<RuleSetup, Error> {
    let mut spec = args.rules.spec()?;
    for (name, value) in label {
        if name == "map" {
            spec.map = Some(value.clone());
        } else {
            spec.options.push((name.clone(), value.clone()));
        }
    }
    Ok(spec.rules(library(), given)?)
}

/// Plays the games of one combination.
fn play(
    args: &BalanceArgs,
    given: &[BotSpec],
    rules: RuleSetup,
    seed: &Seed,
    question: BalanceQuestion,
) -> Result<BalanceCell, Error> {
    let (least, most) = rules.players()?;
    let seats = args
        .players
        .map_or_else(|| least.max(args.bots.len()).max(2), usize::from);
    if !(least..=most).contains(&seats) {
        let name = &rules.ruleset.manifest.decl.name;
        let range = range(least, most);
        let text = format!("{name} needs {range} players, found {seats}");
        let help = "correct --players, or the number of bots";
        return Error::refuse("balance::players", text, help);
    }
    if args.bots.len() > 1 && args.bots.len() < seats {
        let text = format!("{} bots for {seats} players", args.bots.len());
        let help = "give one --bot for all seats, or at least one for each player";
        return Error::refuse("balance::bots", text, help);
    }
    let (bots, alone) = bots(given, &rules, seats)?;
    let setup = Setup {
        seed: seed.clone(),
        seats: Seats::Fixed,
        ..Setup::new(rules, bots)
    };
    let jobs = threads(args.jobs, &setup)?;
    let (design, blocks) = if alone {
        (Design::single(seats, false), args.games)
    } else {
        // Whole cycles, so that every table comes up equally often.
        Design::whole_cycles(setup.bots.len(), seats, args.games.div_ceil(seats as u64))
    };
    let plan = TournamentPlan::new(setup, seats, blocks, design);
    measure(&plan, jobs, question).map_err(|fault| stopped(fault, &plan.setup))
}

/// Returns the bots, and whether one bot sits in all seats.
fn bots(given: &[BotSpec], rules: &RuleSetup, seats: usize) -> Result<(Vec<BotSpec>, bool), Error> {
    let parsed = if given.is_empty() {
        let own = rules.ruleset.manifest.bots.iter().take(1);
        let own = own.map(|spec| BotSpec::parse(library(), spec));
        own.collect::<Result<_, LoadError>>()?
    } else {
        given.to_vec()
    };
    if parsed.len() > 1 {
        return Ok((parsed, false));
    }
    Ok((parsed.iter().cycle().take(seats).cloned().collect(), true))
}
