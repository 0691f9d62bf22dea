//! Many concurrent games. Each thread has its own games and writes the results of a step to the
//! caller's arrays.

mod lane;
mod outputs;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use numpy::{
    PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use risk_engine::interrupt::{InterruptCheck, with_check};
use risk_engine::{SCRIPT_STACK, Seed, with_stack};
use serde_json::Value;

use crate::bots::{self, BotThread, MatchCaller};
use crate::encoding::EncodingSettings;
use crate::errors::{contiguous, try_lock, wrong};
use crate::faults::{self, OnOpponentFault};
use crate::integers::{self, Int, U64};
use crate::interrupt::{Messages, PythonThread, watched};
use crate::json::to_python;
use crate::kit::{self, Kit};
use crate::recipe::Recipe;
use crate::seating::{Candidates, OwnSeat};
use crate::seed::PySeed;
use lane::{Lane, LaneConfig};
use outputs::{OutputArrays, OutputRows, OutputSizes};

const BUSY: &str = "the games are already in use by another call";

/// Many games of one kind, stepped together.
#[pyclass(frozen, module = "risk_cli")]
pub(crate) struct VectorGames {
    /// The thread pool with one thread per lane. Each thread keeps its lane, see [`lane::with`].
    pool: ThreadPool,
    /// Held while the threads are working.
    drawn: Mutex<ActionSamples>,
    plan: LaneConfig,
    /// Whether bots play. Only their work takes so long that Ctrl-C must stop it.
    has_bots: bool,
    /// This caller's thread as the Python bots of the games see it, and what they send to it.
    caller: Arc<MatchCaller>,
    messages: Mutex<Messages>,
    sizes: OutputSizes,
    /// The number of factors in an action.
    factors: usize,
    games: usize,
}

/// Legal actions for the current states.
struct ActionSamples {
    /// Whether samples have ever been requested. If so, each step draws them.
    wanted: bool,
    /// Whether there are samples that have not been taken.
    ready: bool,
    /// Whether `numbers` are samples for the current states.
    current: bool,
    /// The numbers of the actions, by game.
    numbers: Vec<i32>,
}

impl VectorGames {
    /// Calls `work` with every lane on its own thread, each with its part of the data.
    fn each<T: Send>(
        &self,
        parts: Vec<T>,
        work: impl Fn(&mut Lane, T) -> PyResult<()> + Sync,
    ) -> PyResult<()> {
        let parts: Vec<Mutex<Option<T>>> = parts
            .into_iter()
            .map(|part| Mutex::new(Some(part)))
            .collect();
        let work = |index: usize| {
            let part = parts[index].lock().ok().and_then(|mut part| part.take());
            part.map_or_else(
                || Err(lane::failed()),
                |part| lane::with(|lane| work(lane, part)),
            )
        };
        if self.has_bots {
            return self.each_watched(&work);
        }
        let done = self.pool.broadcast(|thread| work(thread.index()));
        done.into_iter().collect()
    }

    /// Calls `work` on each thread. Makes the calls of Python bots and checks for signals in the
    /// meantime. The exception of a signal or a bot halts the games, and is returned.
    fn each_watched(&self, work: &(impl Fn(usize) -> PyResult<()> + Sync)) -> PyResult<()> {
        let messages = try_lock(&self.messages, BUSY)?;
        let stop = Arc::new(AtomicBool::new(false));
        let (flag, caller) = (Arc::clone(&stop), Arc::clone(&self.caller));
        let check: InterruptCheck =
            Arc::new(move || flag.load(Ordering::Relaxed) || caller.is_stopped());
        let threads = self.pool.current_num_threads();
        let ends: Vec<_> = (0..threads).map(|_| self.caller.thread.ends()).collect();
        let ends = Mutex::new(ends);
        let results: Mutex<Vec<_>> = Mutex::default();
        let signal = self.pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, thread| {
                let end = ends.lock().ok().and_then(|mut ends| ends.pop());
                let index = thread.index();
                let done = with_check(Some(Arc::clone(&check)), || work(index));
                if let Ok(mut results) = results.lock() {
                    results.push((index, done));
                }
                drop(end);
            });
            messages.serve(threads, &stop)
        });
        let raised = self.caller.take();
        signal?;
        if let Some(error) = raised {
            let why = format!("a bot has raised {error}");
            self.pool.broadcast(|_| {
                lane::with(|lane| {
                    lane.failed = Some(why.clone());
                    Ok(())
                })
            });
            return Err(error);
        }
        let mut results = results.into_inner().unwrap_or_default();
        results.sort_by_key(|(index, _)| *index);
        results.into_iter().try_for_each(|(_, done)| done)
    }

    /// Returns a value of each game.
    fn listed<T: Clone + Default + Send>(
        &self,
        write: impl Fn(&Lane, &mut [T]) + Sync,
    ) -> PyResult<Vec<T>> {
        let _drawn = self.lock()?;
        let mut all = vec![T::default(); self.games];
        self.each(self.rows_mut(&mut all, 1), |lane, rows| {
            write(lane, rows);
            Ok(())
        })?;
        Ok(all)
    }

    fn check_actions(&self, actions: &[i32]) -> PyResult<()> {
        let each = self.factors;
        if actions.len() == self.games * each {
            return Ok(());
        }
        Err(wrong(format!(
            "expected {} actions of {each} numbers, one for each game",
            self.games
        )))
    }

    /// Locks the threads. A second call in the meantime is an error.
    fn lock(&self) -> PyResult<MutexGuard<'_, ActionSamples>> {
        try_lock(&self.drawn, BUSY)
    }

    /// Returns the number of games of each thread, in order.
    fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        lanes(self.games, self.pool.current_num_threads())
    }

    /// Splits an array among the threads, with `each` entries per game.
    fn rows_of<'a, T>(&self, mut all: &'a [T], each: usize) -> Vec<&'a [T]> {
        let part = |games: usize| all.split_off(..games * each);
        self.lanes().filter_map(part).collect()
    }

    /// Splits an array like [`Self::rows_of`], but returns mutable parts.
    fn rows_mut<'a, T>(&self, mut all: &'a mut [T], each: usize) -> Vec<&'a mut [T]> {
        let part = |games: usize| all.split_off_mut(..games * each);
        self.lanes().filter_map(part).collect()
    }

    fn fill(
        &self,
        py: Python<'_>,
        mut buffers: OutputRows<'_>,
        order: LaneCommand<'_>,
    ) -> PyResult<()> {
        if !buffers.fit(&self.sizes, self.games) {
            return Err(wrong("the array sizes don't match the games"));
        }
        py.detach(|| {
            let mut drawn = self.lock()?;
            let is_sampled = std::mem::take(&mut drawn.current);
            drawn.ready = false;
            let draws = drawn.wanted && matches!(order, LaneCommand::Step(_));
            let each = self.factors;
            if let LaneCommand::Step(actions) = order
                && !self.plan.illegal_ends
                && !(is_sampled && drawn.numbers == actions)
            {
                // All actions are checked before any game moves.
                self.each(self.rows_of(actions, each), Lane::check)?;
            }
            let rows = self.lanes();
            let rows = rows.filter_map(|games| buffers.split(&self.sizes, games));
            let rows: Vec<OutputRows<'_>> = rows.collect();
            let done = match order {
                LaneCommand::Reset(seed, mask) => {
                    self.each(rows, |lane, rows| lane.reset(seed.as_ref(), mask, rows))
                }
                LaneCommand::Step(actions) => {
                    let numbers = self.rows_mut(&mut drawn.numbers, each).into_iter();
                    let actions = self.rows_of(actions, each).into_iter();
                    let parts = rows.into_iter().zip(actions).zip(numbers).collect();
                    self.each(parts, |lane, ((rows, actions), numbers)| {
                        lane.step(actions, rows)?;
                        if draws { lane.sample(numbers) } else { Ok(()) }
                    })
                }
            };
            drawn.ready = draws && done.is_ok();
            drawn.current = drawn.ready;
            done
        })
    }
}

enum LaneCommand<'a> {
    /// Sets up all games, or those of the mask.
    Reset(Option<Seed>, Option<&'a [bool]>),
    Step(&'a [i32]),
}

/// Distributes games among threads as evenly as possible.
fn lanes(games: usize, threads: usize) -> impl Iterator<Item = usize> {
    let mut left = games;
    (0..threads).map(move |number| {
        let count = left.div_ceil(threads - number);
        left -= count;
        count
    })
}

#[pymethods]
impl VectorGames {
    #[new]
    #[pyo3(signature = (games, ruleset = None, map = None, *, options = None, players = None, position = None, bots = None, seat = None, seed = PySeed::default(), threads = None, buckets = None, cards = None, orders = None, flat = false, border = false, features = false, max_steps = None, illegal = "raise", on_opponent_fault = "raise"), text_signature = "(games, ruleset=None, map=None, *, options=None, players=None, position=None, bots=None, seat=None, seed=0, threads=None, buckets=None, cards=None, orders=None, flat=False, border=False, features=False, max_steps=None, illegal='raise', on_opponent_fault='raise')")]
    #[expect(clippy::too_many_arguments, reason = "the arguments are keywords")]
    fn new(
        py: Python<'_>,
        games: Int,
        ruleset: Option<String>,
        map: Option<String>,
        options: Option<&Bound<'_, PyDict>>,
        players: Option<Int>,
        position: Option<String>,
        bots: Option<Vec<Option<Candidates>>>,
        seat: Option<OwnSeat>,
        seed: PySeed,
        threads: Option<Int>,
        buckets: Option<Vec<Int>>,
        cards: Option<Int>,
        orders: Option<Int>,
        flat: bool,
        border: bool,
        features: bool,
        max_steps: Option<Int>,
        illegal: &str,
        on_opponent_fault: &str,
    ) -> PyResult<Self> {
        let games: usize = games.within("games", 1..=1 << 20)?;
        if !["raise", "end"].contains(&illegal) {
            return Err(wrong(format!(
                "`illegal` must be 'raise' or 'end', found '{illegal}'"
            )));
        }
        let bots = bots.unwrap_or_default();
        let own = bots.iter().flatten().flat_map(|seat| &seat.0);
        let threads = bots::workers("threads", threads, own)?.min(games);
        let players = integers::optional(players, "players", 1..=32)?
            .or((!bots.is_empty()).then_some(bots.len()));
        let max_steps = integers::optional(max_steps, "max_steps", 1..=u32::MAX.into())?;
        let plan = LaneConfig {
            recipe: Recipe::Spec {
                spec: kit::spec(ruleset, map, options, players, position)?,
                bots,
                seat,
                budget: None,
            },
            seed: seed.0,
            games,
            encoding: EncodingSettings::new(buckets, (cards, orders), (flat, border))?,
            features,
            max_steps: max_steps.unwrap_or(u32::MAX),
            illegal_ends: illegal == "end",
            on_opponent_fault: OnOpponentFault::parse(on_opponent_fault)?,
        };
        let (games, kit) = watched(py, || Self::start(plan, threads))?;
        faults::warn_of_strangers(py, &kit)?;
        Ok(games)
    }

    /// The lengths of a row: `territories`, `globals`, players, factors, mask and features. Either
    /// the features or the first two are 0.
    #[getter]
    fn sizes(&self) -> (usize, usize, usize, usize, usize, usize) {
        let it = &self.sizes;
        let (territories, globals, features) = (it.territories, it.globals, it.features);
        (
            territories,
            globals,
            it.rewards,
            self.factors,
            it.mask,
            features,
        )
    }

    #[getter]
    fn games(&self) -> usize {
        self.games
    }

    /// Sets up all games, or only those whose value in `mask` is true. Row `n` contains game `n` of
    /// this seed. Without a seed, each row contains its next game.
    #[pyo3(signature = (seed, *arrays, reset_mask = None))]
    fn reset(
        &self,
        py: Python<'_>,
        seed: Option<PySeed>,
        mut arrays: OutputArrays<'_>,
        reset_mask: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        let reset_mask = reset_mask.as_ref().map(|mask| contiguous(mask.as_slice()));
        let reset_mask = reset_mask.transpose()?;
        if let Some(mask) = reset_mask.filter(|mask| mask.len() != self.games) {
            return Err(wrong(format!(
                "expected a mask of {} values, one for each game, found {}",
                self.games,
                mask.len()
            )));
        }
        let order = LaneCommand::Reset(seed.map(|it| it.0), reset_mask);
        self.fill(py, arrays.rows()?, order)
    }

    /// Steps every game. A finished game restarts with its next number instead. `actions` contains
    /// factors, or flat table entries if the games have a flat table.
    #[pyo3(signature = (actions, *arrays))]
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray2<'_, i32>,
        mut arrays: OutputArrays<'_>,
    ) -> PyResult<()> {
        let actions = contiguous(actions.as_slice())?;
        self.check_actions(actions)?;
        self.fill(py, arrays.rows()?, LaneCommand::Step(actions))
    }

    /// Draws a legal action uniformly for each game. Finished games get zeros.
    fn sample(&self, py: Python<'_>, mut actions: PyReadwriteArray2<'_, i32>) -> PyResult<()> {
        let actions = contiguous(actions.as_slice_mut())?;
        self.check_actions(actions)?;
        let each = self.factors;
        py.detach(|| {
            let mut drawn = self.lock()?;
            drawn.wanted = true;
            if !std::mem::take(&mut drawn.ready) {
                drawn.current = false;
                let numbers = self.rows_mut(&mut drawn.numbers, each);
                self.each(numbers, Lane::sample)?;
                drawn.current = true;
            }
            actions.copy_from_slice(&drawn.numbers);
            Ok(())
        })
    }

    /// Draws an action for each game by the softmax of its logits over the actions in its mask. Writes
    /// the actions and the logarithms of their probabilities. The games need a flat table.
    fn sample_from(
        &self,
        py: Python<'_>,
        logits: PyReadonlyArray2<'_, f32>,
        mask: PyReadonlyArray2<'_, bool>,
        mut actions: PyReadwriteArray2<'_, i32>,
        mut log_probs: PyReadwriteArray1<'_, f32>,
    ) -> PyResult<()> {
        let (logits, mask) = (contiguous(logits.as_slice())?, contiguous(mask.as_slice())?);
        let actions = contiguous(actions.as_slice_mut())?;
        let log_probs = contiguous(log_probs.as_slice_mut())?;
        let size = self.sizes.mask;
        let expected = [self.games * size, self.games * size, self.games, self.games];
        if [logits.len(), mask.len(), actions.len(), log_probs.len()] != expected {
            return Err(wrong(format!(
                "expected {} rows of {size} logits and values of the mask",
                self.games
            )));
        }
        py.detach(|| {
            let _drawn = self.lock()?;
            let rows = self.rows_of(logits, size).into_iter();
            let rows = rows.zip(self.rows_of(mask, size));
            let rows = rows.zip(self.rows_mut(actions, 1));
            let parts = rows.zip(self.rows_mut(log_probs, 1)).collect();
            self.each(parts, |lane, (((logits, mask), actions), log_probs)| {
                lane.sample_from((logits, mask), actions, log_probs)
            })
        })
    }

    /// Seeds the random numbers of `sample`.
    fn seed_sampler(&self, py: Python<'_>, seed: Int) -> PyResult<()> {
        let seed = seed.within("seed", U64)?;
        py.detach(|| {
            self.lock()?.ready = false;
            self.each(self.lanes().collect(), |lane, _| {
                lane.seed_samplers(Some(seed));
                Ok(())
            })
        })
    }

    /// Writes which values of the next factor lead to a legal action in each game, given its row of
    /// factors in `given`.
    fn masks(
        &self,
        py: Python<'_>,
        given: PyReadonlyArray2<'_, i32>,
        mut mask: PyReadwriteArray2<'_, bool>,
    ) -> PyResult<()> {
        let columns = given.shape().get(1).copied().unwrap_or(0);
        let size = mask.shape().get(1).copied().unwrap_or(0);
        let given = contiguous(given.as_slice())?;
        let mask = contiguous(mask.as_slice_mut())?;
        if given.len() != self.games * columns || mask.len() != self.games * size {
            return Err(wrong(format!(
                "expected {} rows, one for each game",
                self.games
            )));
        }
        py.detach(|| {
            let _drawn = self.lock()?;
            let given = self.rows_of(given, columns).into_iter();
            let parts = given.zip(self.rows_mut(mask, size)).collect();
            self.each(parts, |lane, (given, mask)| {
                lane.masks(given, columns, mask, size)
            })
        })
    }

    /// Returns the faults of the bots in each game, as `Game.faults` does.
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = py.detach(|| self.listed(Lane::faults))?;
        to_python(py, &Value::Array(all))
    }

    /// Returns what became of each game that is over, and `None` for the others.
    fn finals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = py.detach(|| self.listed(Lane::finals))?;
        to_python(py, &Value::Array(all))
    }

    /// Returns the digests of the current states of all games.
    fn digests(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        py.detach(|| self.listed(Lane::digests))
    }
}

impl VectorGames {
    fn start(plan: LaneConfig, threads: usize) -> PyResult<(Self, Arc<Kit>)> {
        let (thread, messages) = PythonThread::new();
        let caller = Arc::new(MatchCaller::new(thread));
        // Errors are detected once, before the threads start.
        let (kit, sizes, factors) = with_stack(|| {
            let kit = Kit::of(
                plan.recipe.clone(),
                &BotThread::Waiting(Arc::clone(&caller)),
            )?;
            let (sizes, factors) = Lane::sizes(&plan, &kit)?;
            PyResult::Ok((kit, sizes, factors))
        })?;
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(SCRIPT_STACK);
        let pool = pool
            .build()
            .map_err(|_| wrong("can't start another thread"))?;
        let games = Self {
            pool,
            drawn: Mutex::new(ActionSamples {
                wanted: false,
                ready: false,
                current: false,
                numbers: vec![0; plan.games * factors],
            }),
            has_bots: kit.seating.has_bots(),
            caller,
            messages: Mutex::new(messages),
            sizes,
            factors,
            games: plan.games,
            plan,
        };
        let mut first = 0;
        let mut ranges = Vec::new();
        for count in games.lanes() {
            ranges.push((first, count));
            first += count;
        }
        let made = games.pool.broadcast(|thread| {
            let range = ranges[thread.index()];
            lane::keep(Lane::new(&games.plan, &kit, (sizes, factors), range)?);
            Ok(())
        });
        made.into_iter().collect::<PyResult<()>>()?;
        Ok((games, kit))
    }
}
