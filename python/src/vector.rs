//! Many games at once, on threads of our own: each thread keeps its games, and hands over what comes
//! of a step.

mod lane;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use numpy::{
    PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray3,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use risk_cli::matches::STACK;
use risk_cli::with_stack;
use std::sync::{Mutex, PoisonError};

use crate::errors::{self, IllegalAction, wrong};
use crate::kit::{self, Spec};
use lane::{Batch, Lane, Order, Plan, Reply, Sizes};

/// The most games at once.
const MOST_GAMES: usize = 1 << 20;

/// A thread with its games.
struct Worker {
    orders: Sender<Order>,
    replies: Receiver<Reply>,
    thread: Option<JoinHandle<()>>,
    /// Its games, by number.
    first: usize,
    count: usize,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A thread whose orders end, ends.
        let (gone, _) = channel();
        self.orders = gone;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Many games of one kind, driven together.
#[pyclass(frozen, module = "risk_cli")]
pub(crate) struct VectorGames {
    workers: Mutex<Vec<Worker>>,
    /// Legal actions for the games as they stand, drawn ahead with the last step.
    drawn: Mutex<Option<Vec<i32>>>,
    sizes: Sizes,
    games: usize,
}

/// Arrays of the caller, one row for each game.
struct Buffers<'a> {
    territories: &'a mut [i32],
    globals: &'a mut [i32],
    rewards: &'a mut [f32],
    terminated: &'a mut [bool],
    truncated: &'a mut [bool],
    players: &'a mut [i32],
    mask: &'a mut [bool],
}

impl Buffers<'_> {
    fn take(&mut self, sizes: &Sizes, first: usize, batch: &Batch) {
        fn put<T: Copy>(to: &mut [T], first: usize, each: usize, from: &[T]) {
            to[first * each..][..from.len()].copy_from_slice(from);
        }
        put(
            self.territories,
            first,
            sizes.territories,
            &batch.territories,
        );
        put(self.globals, first, sizes.globals, &batch.globals);
        put(self.rewards, first, sizes.players, &batch.rewards);
        put(self.terminated, first, 1, &batch.terminated);
        put(self.truncated, first, 1, &batch.truncated);
        put(self.players, first, 1, &batch.players);
        put(self.mask, first, sizes.mask, &batch.mask);
    }

    fn fit(&self, sizes: &Sizes, games: usize) -> bool {
        self.territories.len() == games * sizes.territories
            && self.globals.len() == games * sizes.globals
            && self.rewards.len() == games * sizes.players
            && self.terminated.len() == games
            && self.truncated.len() == games
            && self.players.len() == games
            && self.mask.len() == games * sizes.mask
    }
}

impl VectorGames {
    /// Sends an order to each thread and takes what comes back, thread by thread.
    fn ask(
        &self,
        py: Python<'_>,
        order: impl Fn(&Worker) -> Order + Sync,
        mut take: impl FnMut(&Worker, &Batch) + Send,
    ) -> PyResult<()> {
        py.detach(|| {
            let workers = self.workers.try_lock();
            let workers = workers.map_err(|_| wrong("these games are in the middle of a call"))?;
            for worker in &*workers {
                // A thread that is gone is found out below.
                let _ = worker.orders.send(order(worker));
            }
            let mut first_error = None;
            for worker in &*workers {
                let reply = worker.replies.recv();
                match reply.unwrap_or_else(|_| {
                    Reply::Failed(wrong("a thread that plays games has failed"))
                }) {
                    Reply::Done(batch) => {
                        take(worker, &batch);
                        let _ = worker.orders.send(Order::TakeBack(batch));
                    }
                    Reply::Failed(error) => {
                        first_error.get_or_insert(error);
                    }
                }
            }
            first_error.map_or(Ok(()), Err)
        })
    }

    fn fill(
        &self,
        py: Python<'_>,
        mut buffers: Buffers<'_>,
        order: impl Fn(&Worker) -> Order + Sync,
    ) -> PyResult<()> {
        if !buffers.fit(&self.sizes, self.games) {
            return Err(wrong("the arrays have other sizes than these games need"));
        }
        let each = self.sizes.factors;
        let mut drawn = vec![0; self.games * each];
        let mut ahead = true;
        let done = self.ask(py, order, |worker, batch| {
            buffers.take(&self.sizes, worker.first, batch);
            ahead &= !batch.actions.is_empty();
            if ahead {
                drawn[worker.first * each..][..batch.actions.len()].copy_from_slice(&batch.actions);
            }
        });
        *self.drawn.lock().unwrap_or_else(PoisonError::into_inner) =
            (ahead && done.is_ok()).then_some(drawn);
        done
    }
}

fn slice<T>(found: Result<T, numpy::AsSliceError>) -> PyResult<T> {
    found.map_err(|_| wrong("the arrays must lie in one piece, row by row"))
}

#[pymethods]
impl VectorGames {
    #[new]
    #[pyo3(signature = (games, ruleset = "hasbro", map = None, *, options = None, players = None, bots = None, seed = 0, threads = None, buckets = None, cards = None, orders = None, flat = false, max_steps = None, illegal = "raise"))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        py: Python<'_>,
        games: usize,
        ruleset: &str,
        map: Option<String>,
        options: Option<&Bound<'_, PyDict>>,
        players: Option<usize>,
        bots: Option<Vec<Option<String>>>,
        seed: u64,
        threads: Option<usize>,
        buckets: Option<Vec<u64>>,
        cards: Option<usize>,
        orders: Option<usize>,
        flat: bool,
        max_steps: Option<u32>,
        illegal: &str,
    ) -> PyResult<Self> {
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(wrong(format!(
                "{games} games can't be played at once: 1 to {MOST_GAMES}"
            )));
        }
        let illegal_ends = match illegal {
            "raise" => false,
            "end" => true,
            other => {
                return Err(wrong(format!(
                    "illegal can be 'raise' or 'end', not '{other}'"
                )));
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = threads.unwrap_or(cores).min(games);
        if !(1..=1_024).contains(&threads) {
            return Err(wrong(format!("{threads} threads can't be had: 1 to 1,024")));
        }
        let plan = Plan {
            spec: Spec {
                ruleset: ruleset.to_owned(),
                map,
                options: kit::options(options)?,
                players: players.or(bots.as_ref().map(Vec::len)),
            },
            bots: bots.unwrap_or_default(),
            seed,
            games,
            buckets,
            room: (cards, orders),
            flat,
            max_steps: max_steps.unwrap_or(u32::MAX),
            illegal_ends,
        };
        py.detach(|| Self::start(&plan, threads))
    }

    /// Numbers in each row of `territories` and `globals`, players, factors, and entries of the mask.
    #[getter]
    fn sizes(&self) -> (usize, usize, usize, usize, usize) {
        let Sizes {
            territories,
            globals,
            players,
            factors,
            mask,
        } = self.sizes;
        (territories, globals, players, factors, mask)
    }

    #[getter]
    fn games(&self) -> usize {
        self.games
    }

    /// Sets all games up: the game in row `n` has the number `n` under this seed.
    #[expect(clippy::too_many_arguments, reason = "they are the caller's arrays")]
    fn reset(
        &self,
        py: Python<'_>,
        seed: Option<u64>,
        mut territories: PyReadwriteArray3<'_, i32>,
        mut globals: PyReadwriteArray2<'_, i32>,
        mut rewards: PyReadwriteArray2<'_, f32>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
        mut players: PyReadwriteArray1<'_, i32>,
        mut mask: PyReadwriteArray2<'_, bool>,
    ) -> PyResult<()> {
        let buffers = Buffers {
            territories: slice(territories.as_slice_mut())?,
            globals: slice(globals.as_slice_mut())?,
            rewards: slice(rewards.as_slice_mut())?,
            terminated: slice(terminated.as_slice_mut())?,
            truncated: slice(truncated.as_slice_mut())?,
            players: slice(players.as_slice_mut())?,
            mask: slice(mask.as_slice_mut())?,
        };
        self.fill(py, buffers, |_| Order::Reset(seed))
    }

    /// A step of every game; a game that was over is set up anew instead, under its next number.
    /// `actions` are factors; one number of the flat table each, where there is one.
    #[expect(clippy::too_many_arguments, reason = "they are the caller's arrays")]
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray2<'_, i32>,
        mut territories: PyReadwriteArray3<'_, i32>,
        mut globals: PyReadwriteArray2<'_, i32>,
        mut rewards: PyReadwriteArray2<'_, f32>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
        mut players: PyReadwriteArray1<'_, i32>,
        mut mask: PyReadwriteArray2<'_, bool>,
    ) -> PyResult<()> {
        let actions = slice(actions.as_slice())?;
        let each = self.sizes.factors;
        if actions.len() != self.games * each {
            return Err(wrong(format!(
                "there are {} games with {each} numbers for each action",
                self.games
            )));
        }
        let buffers = Buffers {
            territories: slice(territories.as_slice_mut())?,
            globals: slice(globals.as_slice_mut())?,
            rewards: slice(rewards.as_slice_mut())?,
            terminated: slice(terminated.as_slice_mut())?,
            truncated: slice(truncated.as_slice_mut())?,
            players: slice(players.as_slice_mut())?,
            mask: slice(mask.as_slice_mut())?,
        };
        self.fill(py, buffers, |worker| {
            Order::Step(actions[worker.first * each..][..worker.count * each].to_vec())
        })
    }

    /// A legal action for each game, each as likely as every other; zeros for games that are over.
    fn sample(&self, py: Python<'_>, mut actions: PyReadwriteArray2<'_, i32>) -> PyResult<()> {
        let actions = slice(actions.as_slice_mut())?;
        let each = self.sizes.factors;
        if actions.len() != self.games * each {
            return Err(wrong(format!(
                "there are {} games with {each} numbers for each action",
                self.games
            )));
        }
        if let Some(drawn) = self
            .drawn
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            actions.copy_from_slice(&drawn);
            return Ok(());
        }
        self.ask(
            py,
            |_| Order::Sample,
            |worker, batch| {
                actions[worker.first * each..][..batch.actions.len()]
                    .copy_from_slice(&batch.actions);
            },
        )
    }

    /// Seeds what `sample` draws.
    fn seed_sampler(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.drawn
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        self.ask(py, |_| Order::SeedSampler(seed), |_, _| {})
    }

    /// Which values of the next factor lead to a legal action, for each game: after the factors in
    /// `given`, one row for each game.
    fn masks(
        &self,
        py: Python<'_>,
        given: PyReadonlyArray2<'_, i32>,
        mut mask: PyReadwriteArray2<'_, bool>,
    ) -> PyResult<()> {
        let columns = given.shape().get(1).copied().unwrap_or(0);
        let size = mask.shape().get(1).copied().unwrap_or(0);
        let given = slice(given.as_slice())?;
        let mask = slice(mask.as_slice_mut())?;
        if given.len() != self.games * columns || mask.len() != self.games * size {
            return Err(wrong(format!(
                "there are {} games, a row for each",
                self.games
            )));
        }
        self.ask(
            py,
            |worker| Order::Masks {
                given: given[worker.first * columns..][..worker.count * columns].to_vec(),
                columns,
                size,
            },
            |worker, batch| {
                mask[worker.first * size..][..batch.masks.len()].copy_from_slice(&batch.masks)
            },
        )
    }

    /// The digests of all games, as they stand.
    fn digests(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let mut all = Vec::new();
        self.ask(
            py,
            |_| Order::Digests,
            |_, batch| all.extend(batch.texts.iter().cloned()),
        )?;
        Ok(all)
    }
}

impl VectorGames {
    fn start(plan: &Plan, threads: usize) -> PyResult<Self> {
        let (rules, players) = kit::load(&plan.spec)?;
        // What can't be made is found out once, here.
        let sizes = with_stack(|| Lane::sizes(plan, &rules, players))?;
        let mut workers = Vec::new();
        let mut first = 0;
        for number in 0..threads {
            let count = (plan.games - first).div_ceil(threads - number);
            let (orders, receiver) = channel();
            let (sender, replies) = channel();
            let (plan, rules) = (plan.clone(), rules.clone());
            let range = (first, count);
            let run = move || match Lane::new(&plan, rules, players, range) {
                Ok(lane) => lane.run(&receiver, &sender),
                Err(error) => drop(sender.send(Reply::Failed(error))),
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
            let thread = thread.map_err(|_| wrong("the system gives no more threads"))?;
            workers.push(Worker {
                orders,
                replies,
                thread: Some(thread),
                first,
                count,
            });
            first += count;
        }
        Ok(Self {
            workers: Mutex::new(workers),
            drawn: Mutex::new(None),
            sizes,
            games: plan.games,
        })
    }
}

impl Drop for VectorGames {
    fn drop(&mut self) {
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        // No thread needs Python's lock to end.
        workers.clear();
    }
}

/// Why an action of a game was not taken.
pub(crate) fn illegal(game: usize, text: &str) -> PyErr {
    IllegalAction::new_err(format!("game {game}: {text}"))
}

pub(crate) fn failed(fault: &risk_cli::RuleFault) -> PyErr {
    errors::rules(fault)
}
