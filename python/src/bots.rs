//! Python bots in the library's matches.

use crate::kit::library;
use std::cell::RefCell;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use risk_engine::bot_spec::BotSpec;
use risk_engine::{
    Action, Answer, Board, Bot, BotFault, FaultKind, HostedBot, Options, Outcome, Stream, View,
};
use risk_wire::line_json;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::{self, PyAction};
use crate::errors::{self, guarded, wrong};
use crate::integers::{self, Int};
use crate::interrupt::PythonThread;
use crate::json::to_python;
use crate::legal::Legal;
use crate::names::Names;
use crate::random::Random;

/// The thread on which a Python bot is called.
#[derive(Clone)]
pub(crate) enum BotThread {
    /// The thread that plays the game. An exception waits for [`raised`].
    Here,
    /// The thread that waits for a match or for many games.
    Waiting(Arc<MatchCaller>),
}

thread_local! {
    /// The exception of a bot that was called on this thread.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Takes the exception of a bot that was called on this thread.
pub(crate) fn raised() -> PyResult<()> {
    RAISED.take().map_or(Ok(()), Err)
}

impl BotThread {
    /// Calls a Python bot. An exception stops the game. Returns `None` after that.
    fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static,
    ) -> Option<T> {
        match self {
            Self::Here if self.is_stopped() => None,
            Self::Here => Python::attach(work)
                .map_err(|error| RAISED.set(Some(error)))
                .ok(),
            Self::Waiting(caller) => caller.call(work),
        }
    }

    fn is_stopped(&self) -> bool {
        match self {
            Self::Here => RAISED.with_borrow(Option::is_some),
            Self::Waiting(caller) => caller.is_stopped(),
        }
    }
}

/// The caller of a match: its thread, which calls all Python bots, and the reason to stop the match,
/// which is the first exception of a bot or a signal.
pub(crate) struct MatchCaller {
    pub(crate) thread: PythonThread,
    stopped: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl MatchCaller {
    pub(crate) fn new(thread: PythonThread) -> Self {
        Self {
            thread,
            stopped: AtomicBool::new(false),
            error: Mutex::default(),
        }
    }

    /// Calls a Python bot on the caller's thread. An exception stops the match. Returns `None`
    /// after that.
    fn call<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static,
    ) -> Option<T> {
        let own = Arc::clone(self);
        let done = self.thread.call(move |py| {
            // Another thread's bot may have failed while this call was waiting.
            if own.is_stopped() {
                return None;
            }
            work(py).map_err(|error| own.fail(error)).ok()
        });
        done.flatten()
    }

    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Reports whether the match goes on. It stops if `stop` is set or a bot has failed.
    pub(crate) fn flow(&self, stop: &AtomicBool) -> ControlFlow<()> {
        if stop.load(Ordering::Relaxed) || self.is_stopped() {
            self.stop();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn fail(&self, error: PyErr) {
        let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(error);
        self.stop();
    }

    /// Takes the first exception raised by a bot. After that, bots can be called again.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.stopped.store(false, Ordering::Relaxed);
        self.error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

/// One decision of a bot.
#[pyclass(frozen, module = "risk_cli")]
pub(crate) struct Turn {
    pub(crate) seen: View,
    pub(crate) names: Arc<Names>,
    #[pyo3(get)]
    player: usize,
    #[pyo3(get)]
    phase: Option<String>,
    #[pyo3(get)]
    pub(crate) legal: Py<Legal>,
    /// The player's own random numbers. They are the same in each repetition of the game.
    #[pyo3(get)]
    rng: Py<Random>,
}

impl Turn {
    /// Returns an error if the turn is of another player.
    pub(crate) fn check_player(&self, player: Option<Int>) -> PyResult<()> {
        match player {
            Some(player) if usize::try_from(player.0) != Ok(self.player) => Err(wrong(format!(
                "a turn shows the game to player {} alone, not to player {}",
                self.player, player.0
            ))),
            _ => Ok(()),
        }
    }
}

#[pymethods]
impl Turn {
    /// The state as the player sees it, with `None` for hidden values.
    #[getter]
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = guarded(|| Ok(line_json::state_value(&self.seen)))?;
        to_python(py, &state)
    }

    /// Draws a legal action uniformly.
    fn sample(&self, py: Python<'_>) -> PyResult<PyAction> {
        let options = &self.legal.get().options;
        let number = self.rng.bind(py).get().draw(options.len());
        guarded(|| Ok(PyAction::new(&self.names, options.nth(number))))
    }

    fn __repr__(&self) -> String {
        format!(
            "<Turn of player {}: {} legal actions>",
            self.player,
            self.legal.get().options.len()
        )
    }
}

/// A Python bot: a callable that takes a [`Turn`] and returns an action or a list of actions.
struct PyBot {
    call: Arc<Py<PyAny>>,
    board: Arc<Board>,
    /// The names and the random numbers of the game; `None` before its start.
    begun: Option<(Arc<Names>, Arc<Py<Random>>)>,
    thread: BotThread,
}

/// Makes the turn of a player.
fn turn(
    py: Python<'_>,
    (names, rng): (Arc<Names>, &Py<Random>),
    seen: View,
    options: Options,
) -> PyResult<Turn> {
    let legal = Legal {
        names: Arc::clone(&names),
        options,
    };
    let phase = seen.frame().map(|frame| frame.phase.index());
    Ok(Turn {
        player: seen.me().index(),
        phase: phase.map(|phase| seen.decl().phases[phase].name.clone()),
        legal: Py::new(py, legal)?,
        rng: rng.clone_ref(py),
        names,
        seen,
    })
}

/// Asks a Python bot. An answer that can't be read is the inner error.
fn ask(bot: &Bound<'_, PyAny>, turn: Turn) -> PyResult<Result<Answer, String>> {
    let names = Arc::clone(&turn.names);
    let said = bot.call1((turn,))?;
    let read = |value: &Bound<'_, PyAny>| action::read(&names, value);
    let answer = match said.extract::<Vec<Bound<'_, PyAny>>>() {
        // The list contains actions. It is not a single action in list form.
        Ok(list) if list.first().is_some_and(|first| is_action(&names, first)) => {
            let steps: PyResult<Vec<Action>> = list.iter().map(read).collect();
            steps.map(Answer::Steps)
        }
        _ => read(&said).map(Answer::One),
    };
    Ok(answer.map_err(|error| error.value(bot.py()).to_string()))
}

impl PyBot {
    /// Calls a method of the bot with two values if the bot has it.
    fn notify(
        &self,
        method: &'static str,
        first: impl for<'py> IntoPyObject<'py> + Send + 'static,
        second: Value,
    ) {
        let bot = Arc::clone(&self.call);
        self.thread.call(move |py| {
            let bot = bot.bind(py);
            if bot.hasattr(method)? {
                bot.call_method1(method, (first, to_python(py, &second)?))?;
            }
            Ok(())
        });
    }
}

/// Reports whether the value alone is an action. A list that begins with an action is a list of
/// actions.
fn is_action(names: &Names, value: &Bound<'_, PyAny>) -> bool {
    if value.is_instance_of::<PyAction>() {
        return true;
    }
    match value.extract::<String>() {
        Ok(words) => {
            words.contains(' ')
                || names
                    .decl
                    .verb(&words)
                    .is_some_and(|verb| names.decl.verbs[verb.index()].slots.is_empty())
        }
        Err(_) => value.extract::<Vec<Bound<'_, PyAny>>>().is_ok(),
    }
}

impl Bot for PyBot {
    fn start(&mut self, view: &View, mut rng: Stream) {
        let names = Names {
            board: Arc::clone(&self.board),
            decl: Arc::clone(view.decl()),
            players: view.players(),
            spec: None,
        };
        let seed = rng.word();
        let rng = Python::attach(|py| Py::new(py, Random::seeded(seed, 0)));
        self.begun = rng.ok().map(|rng| (Arc::new(names), Arc::new(rng)));
        let player = view.me().index();
        let game = line_json::game_value(view, &[]);
        self.notify("start", player, game);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let Some((names, rng)) = &self.begun else {
            return Err(BotFault::Halt);
        };
        let (names, rng) = (Arc::clone(names), Arc::clone(rng));
        let (view, options) = (view.clone(), options.clone());
        let bot = Arc::clone(&self.call);
        let answer = self.thread.call(move |py| {
            let turn = turn(py, (names, &rng), view, options)?;
            ask(bot.bind(py), turn)
        });
        match answer {
            Some(Ok(answer)) => Ok(answer),
            Some(Err(text)) => Err(BotFault::strike(FaultKind::Illegal, text)),
            None => Err(BotFault::Halt),
        }
    }

    fn finish(&mut self, _: &View, scores: &[i64], outcome: Option<&Outcome>) {
        let value = outcome.map(crate::reward::outcome_value);
        self.notify("finish", scores.to_vec(), value.unwrap_or_default());
    }
}

impl HostedBot for PyBot {
    fn gone(&self) -> Option<&str> {
        self.thread.is_stopped().then_some("the match was stopped")
    }
}

/// A player in Python: a specification, or a callable with its name.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum PlayerArg {
    Spec(String),
    Own {
        python: String,
        /// The callable. It is `None` in a saved game until the caller returns it.
        #[serde(skip)]
        call: Option<Arc<Py<PyAny>>>,
    },
}

impl FromPyObject<'_, '_> for PlayerArg {
    type Error = PyErr;

    /// Reads a specification, a callable, or a name with either of them.
    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(spec) = value.extract::<String>() {
            return Ok(Self::Spec(spec));
        }
        if let Ok((name, bot)) = value.extract::<(String, Bound<'_, PyAny>)>() {
            return match bot.extract::<String>() {
                Ok(spec) => Ok(Self::Spec(format!("name={name},bot={spec}"))),
                Err(_) => Self::own(name, &bot),
            };
        }
        let name = value
            .getattr("__name__")
            .or_else(|_| value.get_type().getattr("__name__"))?;
        Self::own(name.extract()?, &value)
    }
}

/// Returns the number of threads that the argument `name` asks for. By default, there is one for
/// each core, but only one with bots in Python, which runs only one of them at a time anyway.
pub(crate) fn workers<'a>(
    name: &str,
    given: Option<Int>,
    mut bots: impl Iterator<Item = &'a PlayerArg>,
) -> PyResult<usize> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let given = integers::optional(given, name, 1..=1_024)?;
    Ok(given.unwrap_or_else(|| {
        if bots.any(PlayerArg::is_own) {
            1
        } else {
            cores().min(1_024)
        }
    }))
}

impl PlayerArg {
    fn own(python: String, bot: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !bot.is_callable() {
            return Err(wrong(format!(
                "expected a bot's name such as 'holder' or a callable that takes a Turn, found {}",
                bot.repr()?
            )));
        }
        let call = Some(Arc::new(bot.clone().unbind()));
        Ok(Self::Own { python, call })
    }

    const fn is_own(&self) -> bool {
        matches!(self, Self::Own { .. })
    }

    /// Returns the specification, or `None` for a Python bot.
    pub(crate) fn spec_text(&self) -> Option<&str> {
        match self {
            Self::Spec(spec) => Some(spec),
            Self::Own { .. } => None,
        }
    }

    /// The callable of a Python bot.
    pub(crate) fn callable(&mut self) -> Option<&mut Option<Arc<Py<PyAny>>>> {
        match self {
            Self::Spec(_) => None,
            Self::Own { call, .. } => Some(call),
        }
    }

    /// Reports whether both are the same bot under the same name.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Spec(own), Self::Spec(other)) => own == other,
            (
                Self::Own { python, call },
                Self::Own {
                    python: name,
                    call: other,
                },
            ) => {
                let is = |(own, other): (&Arc<Py<PyAny>>, &Arc<Py<PyAny>>)| own.is(other.as_ref());
                python == name && call.as_ref().zip(other.as_ref()).is_some_and(is)
            }
            _ => false,
        }
    }

    /// Returns the specification of the bot for games on this board.
    pub(crate) fn spec(&self, board: &Arc<Board>, thread: &BotThread) -> PyResult<BotSpec> {
        let spec = match self {
            Self::Spec(spec) => BotSpec::parse(library(), spec),
            Self::Own { python, call } => {
                let call = call.clone().ok_or_else(|| {
                    wrong(format!("the saved game lacks its bot in Python, {python}"))
                })?;
                let (board, thread) = (Arc::clone(board), thread.clone());
                BotSpec::own(python, move || {
                    Box::new(PyBot {
                        call: Arc::clone(&call),
                        board: Arc::clone(&board),
                        begun: None,
                        thread: thread.clone(),
                    })
                })
            }
        };
        spec.map_err(|failure| errors::load(&failure))
    }
}
