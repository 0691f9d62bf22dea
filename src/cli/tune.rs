//! `risk-cli tune`: searches for better values of the settings that a bot declares.

use crate::cli::library;
use risk_engine::Seed;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

use clap::Args;

use super::fillers::{Fillers, check_players, or_own};
use super::match_args::RulesArgs;
use super::seed_arg::SeedArg;
use super::threads::{progress, stopped, threads};
use super::{CommandResult, Error, Exit, compare, paint, say};
use risk_engine::bot_spec::BotSpec;
use risk_engine::script::{BotSetting, settings};
use risk_engine::{BotSource, Setup};
use risk_kernel::rng::Purpose;
use risk_lab::tournament::run::{BlockNumbers, play};
use risk_lab::tournament::{Design, TournamentPlan};
use risk_text::diag::LoadError;
use risk_text::plural::counted;

/// The maximum number of draws for each candidate, to find values that were not drawn before.
const TRIES: usize = 50;
/// The numbers of the seeds for the final test and for drawing candidates. Both seeds differ from
/// the seed of the search.
const FRESH: u64 = 1;
const CANDIDATES: u64 = 2;

#[derive(Args, Debug)]
pub(super) struct TuneArgs {
    /// Bot to tune: a script with a function `settings()`
    #[arg(value_name = "BOT")]
    bot: String,
    #[command(flatten)]
    fillers: Fillers,
    #[command(flatten)]
    rules: RulesArgs,
    /// Number of candidates: sets of values to try, including the current values
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(2..=1_000))]
    candidates: u16,
    /// Number of games of each candidate in the first round. The better half then plays twice as
    /// many games in the next round
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    games: u64,
    #[command(flatten)]
    seed: SeedArg,
    /// Number of threads (default: one per core)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    /// Maximum number of blocks in the final test of the best candidate against the unchanged bot,
    /// or 0 for no test
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    confirm: u64,
}

/// Values of the settings, and their results.
struct SettingsCandidate {
    values: BTreeMap<String, i64>,
    /// A draw among n players counts as 1/n of a win for each.
    wins: f64,
    games: u64,
}

impl SettingsCandidate {
    fn share(&self) -> f64 {
        self.wins / self.games.max(1) as f64
    }

    /// Formats the bot with these values as a specification.
    fn words(&self, bot: &str) -> String {
        let set = self.values.iter();
        let set: Vec<String> = set
            .map(|(name, value)| format!("set.{name}={value}"))
            .collect();
        format!("bot={bot},{}", set.join(","))
    }
}

pub(super) fn run(args: &TuneArgs) -> CommandResult {
    let spec = BotSpec::parse(library(), &args.bot)?;
    let BotSource::Script(script) = &spec.source else {
        let text = format!("expected a script bot with settings, found {}", spec.bot);
        let help = "give the path of a .rhai file, for example ./mine.rhai";
        return Error::refuse("tune::script", text, help);
    };
    if !script.set.is_empty() {
        let text = format!("the bot to tune can't have fixed settings: {}", spec.bot);
        return Error::refuse("tune::fixed", text, "leave out `set.…`");
    }
    let known = settings(script).map_err(|fault| LoadError::from(vec![fault]))?;
    if known.is_empty() {
        let text = format!("{} declares no settings", spec.bot);
        let help = "add for example `fn settings() { #{ edge: #{ value: 2, range: 0..=9 } } }`, \
                    and use EDGE in the script";
        return Error::refuse("tune::settings", text, help);
    }
    let seed = args.seed.or_any();
    let mut plan = plan(args, &spec, seed.clone())?;
    let jobs = threads(args.jobs, &plan.setup)?;
    let paint = paint(&io::stdout());
    say(&paint.bold(&format!("{}, seed {seed}", plan.setup.rules.title())))?;
    let mut all = candidates(&known, args.candidates.into(), &seed);
    let mut games = args.games;
    while all.len() > 1 {
        let bar = progress(all.len() as u64, "candidates");
        for candidate in &mut all {
            try_out(&mut plan, candidate, games, jobs)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        // The sort is stable: among equal candidates, the first drawn comes first, and the
        // unchanged bot comes before all others.
        all.sort_by(|a, b| b.share().total_cmp(&a.share()));
        say(&format!(
            "  {} with {} each; the best:",
            counted(all.len(), "candidate"),
            counted(all[0].games as usize, "game")
        ))?;
        for candidate in all.iter().take(3) {
            let words = candidate.words(&spec.bot);
            say(&format!("  {:5.1}%  {words}", 100.0 * candidate.share()))?;
        }
        all.truncate(all.len().div_ceil(2));
        games *= 2;
    }
    confirm(args, &spec, &known, &all[0], &seed)
}

/// Plans single games, in which the bots take turns in all seats.
fn plan(args: &TuneArgs, spec: &BotSpec, seed: Seed) -> Result<TournamentPlan, Error> {
    let fillers = args.fillers.given()?;
    let mut bots = vec![spec.clone()];
    let rules = args.rules.load_for(&[&bots[..], &fillers].concat())?;
    bots.extend(or_own(fillers, &rules, rules.players()?.0 - 1)?);
    check_players(&rules, bots.len())?;
    let seats = bots.len();
    let setup = Setup {
        seed,
        ..Setup::new(rules, bots)
    };
    Ok(TournamentPlan::new(
        setup,
        seats,
        0,
        Design::single(seats, true),
    ))
}

/// Returns the bot's current values.
fn as_it_is(known: &[BotSetting]) -> BTreeMap<String, i64> {
    let all = known.iter();
    all.map(|setting| (setting.name.clone(), setting.value))
        .collect()
}

/// Returns the unchanged bot, then candidates with values drawn from the ranges.
fn candidates(known: &[BotSetting], count: usize, seed: &Seed) -> Vec<SettingsCandidate> {
    let mut rng = seed.of_match(CANDIDATES).key(0).stream(Purpose::Setup);
    let mut drawn = vec![as_it_is(known)];
    let mut seen: BTreeSet<_> = drawn.iter().cloned().collect();
    for _ in 0..count * TRIES {
        if drawn.len() == count {
            break;
        }
        let values = known.iter().map(|setting| {
            let low = *setting.range.start();
            let high = *setting.range.end();
            let value = low + rng.below((high - low) as u64 + 1) as i64;
            (setting.name.clone(), value)
        });
        let values: BTreeMap<_, _> = values.collect();
        if seen.insert(values.clone()) {
            drawn.push(values);
        }
    }
    let fresh = |values| SettingsCandidate {
        values,
        wins: 0.0,
        games: 0,
    };
    drawn.into_iter().map(fresh).collect()
}

/// Plays more games with a candidate. All candidates play the same games.
fn try_out(
    plan: &mut TournamentPlan,
    candidate: &mut SettingsCandidate,
    games: u64,
    jobs: usize,
) -> Result<(), Error> {
    if let BotSource::Script(script) = &mut plan.setup.bots[0].source {
        script.set.clone_from(&candidate.values);
    }
    let more = BlockNumbers::From(candidate.games, games);
    let tuned = plan.setup.bots[0].name.clone();
    let mut wins = 0.0;
    let played = play(plan, more, jobs, |block, _| {
        for game in &block.games {
            let seat = game.seats.iter().position(|name| *name == tuned);
            wins += seat.map_or(0.0, |seat| game.share(seat));
        }
        std::ops::ControlFlow::Continue(())
    });
    played.map_err(|fault| stopped(fault, &plan.setup))?;
    candidate.wins += wins;
    candidate.games += games;
    Ok(())
}

/// Tests whether the winner is better than the unchanged bot, in games under a new seed.
fn confirm(
    args: &TuneArgs,
    spec: &BotSpec,
    known: &[BotSetting],
    winner: &SettingsCandidate,
    seed: &Seed,
) -> CommandResult {
    if winner.values == as_it_is(known) {
        say("  found no candidate better than the unchanged bot")?;
        return Ok(Exit::No);
    }
    let words = winner.words(&spec.bot);
    say(&format!("  the best is {words}"))?;
    if args.confirm == 0 {
        return Ok(Exit::Fine);
    }
    let unchanged = format!("name=as-it-is,bot={}", spec.bot);
    let mut line = compare::usual(&format!("name=tuned,{words}"), &unchanged)?;
    line.fillers = args.fillers.clone();
    line.rules = args.rules.clone();
    line.seed.seed = Some(seed.of_match(FRESH));
    line.max_blocks = args.confirm.max(12);
    line.jobs = args.jobs;
    // One bot replaces the other, so that the table keeps its size.
    line.replace = true;
    compare::run(&line)
}
