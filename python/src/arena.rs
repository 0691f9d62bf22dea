//! Matches and tournaments with Python bots.

use std::ops::ControlFlow;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use risk_engine::bot_spec::BotSpec;
use risk_engine::{MatchFault, Seats, Setup, Tally, play_each};
use risk_lab::tournament::compare::{Comparison, plan as paired_plan};
use risk_lab::tournament::results::TournamentTally;
use risk_lab::tournament::run::{BlockNumbers, play};
use risk_lab::tournament::{Design, TournamentPlan};
use risk_report::comparison::ComparisonReport;
use risk_report::tournament::{BlockCoverage, document};
use risk_report::{game_lines, json};
use risk_stats::StatsError;
use risk_stats::sequential::{Hypotheses, Verdict};
use serde_json::{Value, json as value};

use crate::bots::{self, BotThread, MatchCaller, PlayerArg};
use crate::errors::{self, guarded, wrong};
use crate::game;
use crate::integers::{self, Int, U64};
use crate::interrupt::{Messages, PythonThread, interruptible};
use crate::json::to_python;
use crate::kit::{self, library};
use crate::recipe::Spec;
use crate::seed::{self, PySeed};

/// The match that the Python caller requests.
struct MatchRequest {
    setup: Setup,
    jobs: usize,
    caller: Arc<MatchCaller>,
    messages: Messages,
    least: usize,
}

fn asked(
    py: Python<'_>,
    given: &Bound<'_, PyAny>,
    spec: Spec,
    seed: Option<PySeed>,
    (jobs, budget): (Option<Int>, Option<Int>),
) -> PyResult<MatchRequest> {
    let bots = given.try_iter()?.map(|bot| bot?.extract());
    let bots = bots.collect::<PyResult<Vec<PlayerArg>>>()?;
    let jobs = bots::workers("jobs", jobs, bots.iter())?;
    let budget = integers::optional(budget, "budget", U64)?;
    let (thread, messages) = PythonThread::new();
    let caller = Arc::new(MatchCaller::new(thread));
    let work = || {
        let of_position = spec.position.as_deref().map(kit::position_seed);
        let of_position = of_position.transpose()?;
        let loaded = kit::load(&spec, bots.iter().filter_map(PlayerArg::spec_text))?;
        let board = Arc::clone(&loaded.rules.board);
        let fixed = loaded.rules.ruleset.manifest.asymmetric || loaded.position.is_some();
        let least = loaded.players;
        let seed = seed::chosen_seed(of_position, seed, None).seed;
        let thread = BotThread::Waiting(Arc::clone(&caller));
        let specs = bots.iter().map(|bot| bot.spec(&board, &thread));
        let specs: Vec<BotSpec> = specs.collect::<PyResult<_>>()?;
        let mut setup = loaded.setup(specs, budget)?;
        setup.seed = seed;
        if fixed {
            setup.seats = Seats::Fixed;
        }
        Ok(MatchRequest {
            setup,
            jobs,
            caller,
            messages,
            least,
        })
    };
    py.detach(|| guarded(work))
}

/// Returns the error that stopped a match. An exception takes precedence over a fault.
fn stopped(caller: &MatchCaller, played: Result<(), MatchFault>) -> PyResult<()> {
    caller.take().map_or(Ok(()), Err)?;
    played.map_err(|fault| errors::played(&fault))
}

/// Plays a match of many games. Returns the standings as in `risk-cli play --format json`, with
/// each game under `results`.
#[pyfunction]
#[pyo3(signature = (bots, ruleset = None, map = None, *, options = None, position = None, games = Int(1), first = None, seed = None, seats = None, jobs = None, budget = None), text_signature = "(bots, ruleset=None, map=None, *, options=None, position=None, games=1, first=None, seed=None, seats=None, jobs=None, budget=None)")]
#[expect(clippy::too_many_arguments, reason = "the arguments are keywords")]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    bots: &Bound<'py, PyAny>,
    ruleset: Option<String>,
    map: Option<String>,
    options: Option<&Bound<'py, PyDict>>,
    position: Option<String>,
    games: Int,
    first: Option<Int>,
    seed: Option<PySeed>,
    seats: Option<&str>,
    jobs: Option<Int>,
    budget: Option<Int>,
) -> PyResult<Bound<'py, PyAny>> {
    let games: u64 = games.within("games", 1..=10_000_000)?;
    let first = integers::optional(first, "first", 0..=10_000_000)?;
    let spec = kit::spec(ruleset, map, options, None, position)?;
    let mut asked = asked(py, bots, spec, seed, (jobs, budget))?;
    if let Some(word) = seats {
        let none = || format!("`seats` must be 'fixed', 'rotate' or 'shuffle', found '{word}'");
        asked.setup.seats = Seats::from_name(word).ok_or_else(|| wrong(none()))?;
    }
    let setup = &asked.setup;
    let of_position = || setup.position.as_ref().map_or(0, |position| position.game);
    let first = first.unwrap_or_else(of_position);
    let mut tally = Tally::new(setup);
    let mut results: Vec<Value> = Vec::new();
    let caller = &asked.caller;
    let played = interruptible(py, (&caller.thread, asked.messages), |stop| {
        play_each(
            setup,
            first..first.saturating_add(games),
            asked.jobs,
            |result| {
                tally.add(&result);
                results.push(game_lines::game_line(setup, &result));
                caller.flow(stop)
            },
        )
    });
    stopped(caller, played?)?;
    let mut document = json::standings(&asked.setup, &tally.finish());
    document["results"] = Value::Array(results);
    to_python(py, &document)
}

/// Plays a tournament. Returns all numbers of the report, with each game under `results`.
#[pyfunction]
#[pyo3(signature = (bots, ruleset = None, map = None, *, options = None, seats = None, blocks = None, seed = None, jobs = None, budget = None))]
#[expect(clippy::too_many_arguments, reason = "the arguments are keywords")]
pub(crate) fn tournament<'py>(
    py: Python<'py>,
    bots: &Bound<'py, PyAny>,
    ruleset: Option<String>,
    map: Option<String>,
    options: Option<&Bound<'py, PyDict>>,
    seats: Option<Int>,
    blocks: Option<Int>,
    seed: Option<PySeed>,
    jobs: Option<Int>,
    budget: Option<Int>,
) -> PyResult<Bound<'py, PyAny>> {
    let spec = kit::spec(ruleset, map, options, None, None)?;
    let asked = asked(py, bots, spec, seed, (jobs, budget))?;
    let plan = plan(&asked, seats, blocks)?;
    let mut tally = TournamentTally::new(&plan);
    let mut results: Vec<Value> = Vec::new();
    let caller = &asked.caller;
    let played = interruptible(py, (&caller.thread, asked.messages), |stop| {
        play(
            &plan,
            BlockNumbers::From(0, plan.blocks),
            asked.jobs,
            |block, _| {
                tally.add(&block);
                for game in &block.games {
                    let mut line = value!({ "block": block.block });
                    if let (Value::Object(line), Ok(Value::Object(game))) =
                        (&mut line, serde_json::to_value(game))
                    {
                        line.extend(game);
                    }
                    results.push(line);
                }
                caller.flow(stop)
            },
        )
    });
    stopped(caller, played?)?;
    let extent = BlockCoverage { gaps: Vec::new() };
    let mut document = document(&tally, &tally.results(), &extent);
    document["results"] = Value::Array(results);
    to_python(py, &document)
}

/// Plays and tests as `compare` in Python describes it.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments are keywords")]
pub(crate) fn _compare<'py>(
    py: Python<'py>,
    bots: &Bound<'py, PyAny>,
    kind: (Option<String>, Option<String>),
    options: Option<&Bound<'py, PyDict>>,
    replace: bool,
    levels: [f64; 4],
    max_blocks: Int,
    seed: Option<PySeed>,
    limits: (Option<Int>, Option<Int>),
) -> PyResult<Bound<'py, PyAny>> {
    let max_blocks = max_blocks.within("max_blocks", 12..=1_000_000)?;
    let [d0, d1, alpha, beta] = levels;
    let hypotheses = Hypotheses {
        d0,
        d1,
        alpha,
        beta,
        max_blocks,
    };
    let spec = kit::spec(kind.0, kind.1, options, None, None)?;
    let asked = asked(py, bots, spec, seed, limits)?;
    let plan = comparison_plan(&asked, max_blocks as u64, replace)?;
    let mut comparison = Comparison::new(&plan, hypotheses).map_err(no_test)?;
    let mut failed = Ok(());
    let caller = &asked.caller;
    let played = interruptible(py, (&caller.thread, asked.messages), |stop| {
        let all = BlockNumbers::From(0, plan.blocks);
        play(&plan, all, asked.jobs, |block, _| {
            match comparison.take(block) {
                Ok(Verdict::Running) => caller.flow(stop),
                Ok(_) => ControlFlow::Break(()),
                Err(error) => {
                    failed = Err(no_test(error));
                    ControlFlow::Break(())
                }
            }
        })
    });
    stopped(caller, played?)?;
    failed?;
    let report = ComparisonReport::new(&plan, &comparison).map_err(no_test)?;
    let mut document = report.document();
    let text = report
        .text(game::PLAIN)
        .replace("--max-blocks", "`max_blocks`");
    document["text"] = text.into();
    to_python(py, &document)
}

fn no_test(error: StatsError) -> PyErr {
    wrong(format!("invalid test: {error}"))
}

fn comparison_plan(asked: &MatchRequest, blocks: u64, replace: bool) -> PyResult<TournamentPlan> {
    let mut setup = asked.setup.clone();
    let players = setup.rules.players();
    let (least, most) = players.map_err(|failure| errors::load(&failure))?;
    let given = setup.bots.len();
    if given < 2 {
        return Err(wrong(format!("expected at least two bots, found {given}")));
    }
    let shared = usize::from(replace);
    if given == 2 {
        let own = setup.rules.ruleset.manifest.bots.iter().cycle();
        for bot in own.take((least + shared).saturating_sub(given)) {
            let bot = BotSpec::parse(library(), bot);
            setup
                .bots
                .push(bot.map_err(|failure| errors::load(&failure))?);
        }
    }
    let seats = setup.bots.len() - shared;
    if !(least..=most).contains(&seats) {
        return Err(wrong(format!(
            "expected bots for {least} to {most} seats, found bots for {seats}"
        )));
    }
    Ok(paired_plan(setup, blocks, replace))
}

fn plan(asked: &MatchRequest, seats: Option<Int>, blocks: Option<Int>) -> PyResult<TournamentPlan> {
    let setup = &asked.setup;
    let bots = setup.bots.len();
    let players = setup.rules.players();
    let (least, most) = players.map_err(|failure| errors::load(&failure))?;
    let seats = integers::optional(seats, "seats", 1..=32)?;
    let seats = seats.unwrap_or_else(|| bots.min(asked.least.max(least)));
    if seats > bots || !(least..=most).contains(&seats) {
        return Err(wrong(format!(
            "`seats` must be from {least} to {most}, and at most the number of bots ({bots}), \
             found {seats}"
        )));
    }
    let (design, blocks) = match integers::optional(blocks, "blocks", 1..=1_000_000)? {
        Some(blocks) => {
            let design = Design::usual(bots, seats, blocks);
            (design.map_err(|fault| wrong(fault.to_string()))?, blocks)
        }
        // Only whole cycles are played, so every table occurs equally often.
        None => Design::whole_cycles(bots, seats, 20),
    };
    Ok(TournamentPlan::new(setup.clone(), seats, blocks, design))
}
