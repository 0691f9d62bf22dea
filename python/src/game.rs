//! A game for Python: its state and its decisions.

mod history;
mod recorded;
mod saved;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::types::PyTuple;
use risk_engine::Player;
use risk_report::{decision, picture};
use risk_text::paint::Paint;
use risk_wire::line_json;

use crate::action::{self, PyAction};
use crate::bots::BotThread;
use crate::errors::{self, guarded, reduced, try_lock};
use crate::faults;
use crate::integers::{self, Int, U64};
use crate::interrupt::watched;
use crate::json::to_python;
use crate::kit::{self, Kit};
use crate::legal::Legal;
use crate::names::Names;
use crate::random;
use crate::recipe::Recipe;
use crate::reward;
use crate::seating::Candidates;
use crate::seed::{self, PySeed};
pub(crate) use table::{CallerPreferences, GameSession};

/// The style of texts for Python: without colours, in lines of 100 columns.
pub(crate) const PLAIN: Paint = Paint {
    colour: false,
    width: 100,
};

/// A game, played decision by decision.
#[pyclass(frozen, module = "risk_cli")]
pub(crate) struct Game {
    table: Mutex<GameSession>,
    pub(crate) names: Arc<Names>,
    players: usize,
}

impl Game {
    pub(crate) fn of(table: GameSession) -> Self {
        Self {
            names: Arc::clone(&table.kit.names),
            players: table.kit.players(),
            table: Mutex::new(table),
        }
    }

    /// Checks a player's number.
    pub(crate) fn seat(&self, player: Int) -> PyResult<Player> {
        let index = player.within("player", 0..=self.players as i128 - 1)?;
        Ok(Player::from_index(index))
    }

    pub(crate) fn optional(&self, player: Option<Int>) -> PyResult<Option<Player>> {
        player.map(|player| self.seat(player)).transpose()
    }

    /// Locks the game on any thread. A second call in the meantime is refused.
    fn lock_anywhere(&self) -> PyResult<MutexGuard<'_, GameSession>> {
        // No panic leaves `with`, so the lock is never poisoned.
        try_lock(&self.table, "the game is already in use by another call")
    }

    /// Locks the game on its own thread.
    fn lock(&self) -> PyResult<MutexGuard<'_, GameSession>> {
        let table = self.lock_anywhere()?;
        table.check_thread()?;
        Ok(table)
    }

    fn look<R>(&self, look: impl FnOnce(&GameSession) -> R) -> PyResult<R> {
        self.read(|table| Ok(look(table)))
    }

    /// Calls `work` with the game, which it can't change.
    pub(crate) fn read<R>(&self, work: impl FnOnce(&GameSession) -> PyResult<R>) -> PyResult<R> {
        let table = self.lock()?;
        guarded(|| work(&table))
    }

    /// Calls `work` with the game. After a panic, the game can only be restarted.
    pub(crate) fn with<R>(
        &self,
        work: impl FnOnce(&mut GameSession) -> PyResult<R>,
    ) -> PyResult<R> {
        let mut table = self.lock()?;
        table.check_intact()?;
        catch_unwind(AssertUnwindSafe(|| work(&mut table))).unwrap_or_else(|panic| {
            table.fail("failed");
            Err(errors::panicked(&*panic))
        })
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (ruleset = None, map = None, *, options = None, players = None, position = None, seed = None, game = None, bots = None, events = false, optional = false, plans = false, budget = None))]
    #[expect(clippy::too_many_arguments, reason = "the arguments are keywords")]
    fn new(
        py: Python<'_>,
        ruleset: Option<String>,
        map: Option<String>,
        options: Option<&Bound<'_, PyDict>>,
        players: Option<Int>,
        position: Option<String>,
        seed: Option<PySeed>,
        game: Option<Int>,
        bots: Option<Vec<Option<Candidates>>>,
        events: bool,
        optional: bool,
        plans: bool,
        budget: Option<Int>,
    ) -> PyResult<Self> {
        let position_seed = match &position {
            Some(text) => Some(guarded(|| kit::position_seed(text))?),
            None => None,
        };
        let ways = CallerPreferences {
            events,
            optional,
            plans,
        };
        let bots = bots.unwrap_or_default();
        let players = integers::optional(players, "players", 1..=32)?
            .or((!bots.is_empty()).then_some(bots.len()));
        let recipe = Recipe::Spec {
            spec: kit::spec(ruleset, map, options, players, position)?,
            bots,
            seat: None,
            budget: integers::optional(budget, "budget", U64)?,
        };
        let game = integers::optional(game, "game", U64)?;
        let game = watched(py, || {
            let kit = Kit::of(recipe, &BotThread::Here)?;
            let seed = seed::chosen_seed(position_seed, seed, game);
            GameSession::new(kit, true, ways, seed).map(Self::of)
        })?;
        game.read(|table| faults::warn_of_strangers(py, &table.kit))?;
        Ok(game)
    }

    /// Returns the game of a record before the decision with this number, counted from 0. By
    /// default, it returns the game at the end of the record.
    #[staticmethod]
    #[pyo3(signature = (text, decision = None, *, ruleset = None, map = None))]
    fn from_record(
        py: Python<'_>,
        text: &str,
        decision: Option<Int>,
        ruleset: Option<&str>,
        map: Option<&str>,
    ) -> PyResult<Self> {
        let decision = integers::optional(decision, "decision", U64)?;
        let work = || recorded::take_up(text, decision, (ruleset, map)).map(Self::of);
        watched(py, work)
    }

    /// Returns a new game with the same ruleset, map and options.
    #[pyo3(signature = (seed, game = Int(0)), text_signature = "($self, seed, game=0)")]
    fn again(&self, py: Python<'_>, seed: PySeed, game: Int) -> PyResult<Self> {
        let seed = seed.game(game.within("game", U64)?);
        watched(py, || self.read(|table| table.again(seed)).map(Self::of))
    }

    /// Restarts with the game of this seed and number. The bots stay the same.
    #[pyo3(signature = (seed, game = Int(0)), text_signature = "($self, seed, game=0)")]
    fn restart(&self, py: Python<'_>, seed: PySeed, game: Int) -> PyResult<()> {
        let seed = seed.game(game.within("game", U64)?);
        watched(py, || {
            let mut table = self.lock()?;
            guarded(|| table.restart(seed))
        })
    }

    /// Returns an independent copy without bots. The caller plays all seats.
    fn clone(&self) -> PyResult<Self> {
        self.with(|table| Ok(table.copy())).map(Self::of)
    }

    /// Returns an independent copy. Bots play in the copy as well; for that, it plays the game
    /// again from its start.
    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !self.look(GameSession::has_bots)? {
            return self.clone();
        }
        let (saved, callables) = self.read(saved::save)?;
        watched(py, || saved::restore(&saved, callables).map(Self::of))
    }

    fn __copy__(slf: &Bound<'_, Self>, py: Python<'_>) -> PyResult<Self> {
        slf.get().__deepcopy__(py, slf)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        // Pools of processes pickle on a thread of their own.
        let table = self.lock_anywhere()?;
        let (saved, callables) = guarded(|| saved::save(&table))?;
        drop(table);
        let callables: Vec<_> = callables.iter().map(|it| it.bind(py)).collect();
        reduced(py, "game", (saved, callables))
    }

    /// Restores a game from its pickled text.
    #[staticmethod]
    fn _restored(py: Python<'_>, text: &str, callables: Vec<Py<PyAny>>) -> PyResult<Self> {
        let callables = callables.into_iter().map(Arc::new).collect();
        watched(py, || saved::restore(text, callables).map(Self::of))
    }

    /// Panics, for the test of panics.
    #[cfg(debug_assertions)]
    fn _panic(&self, reads: bool) -> PyResult<()> {
        if reads {
            return self.look(|_| panic!("a test of panics"));
        }
        self.with(|_| panic!("a test of panics"))
    }

    /// The number of players.
    #[getter]
    fn players(&self) -> usize {
        self.players
    }

    /// The player to move, or `None` when the game is over. If several players are to move, it is
    /// the first by seat.
    #[getter]
    fn player(&self) -> PyResult<Option<usize>> {
        self.look(|table| {
            let first = table.stepper().decisions().first()?;
            Some(first.player.index())
        })
    }

    /// The players to move, by seat.
    #[getter]
    fn deciders(&self) -> PyResult<Vec<usize>> {
        self.look(|table| {
            let decisions = table.stepper().decisions().iter();
            decisions.map(|decision| decision.player.index()).collect()
        })
    }

    /// The name of the phase in which a player decides.
    #[getter]
    fn phase(&self) -> PyResult<Option<String>> {
        self.look(|table| {
            let frame = table.stepper().game().frame()?;
            Some(self.names.decl.phases[frame.phase.index()].name.clone())
        })
    }

    /// The number of the round, or 0 during the set-up.
    #[getter]
    fn round(&self) -> PyResult<u32> {
        self.look(|table| table.stepper().game().round())
    }

    /// The number of the player-turn, or 0 during the set-up.
    #[getter]
    fn turn(&self) -> PyResult<u32> {
        self.look(|table| table.stepper().game().turn())
    }

    /// The number of decisions so far.
    #[getter]
    fn decisions(&self) -> PyResult<u64> {
        self.look(|table| table.stepper().game().answers())
    }

    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        self.look(|table| table.stepper().outcome().is_some())
    }

    /// The outcome: `reason`, `winners` and `ranking`, best first. `None` before the end of the
    /// game.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let outcome = self.look(|table| table.stepper().outcome().map(reward::outcome_value))?;
        outcome.map(|value| to_python(py, &value)).transpose()
    }

    /// The winners. Empty before the end of the game and after a draw of all players.
    #[getter]
    fn winners(&self) -> PyResult<Vec<usize>> {
        self.look(|table| {
            let outcome = table.stepper().outcome();
            let winners = outcome.map(|outcome| outcome.winners.iter().map(Player::index));
            winners.into_iter().flatten().collect()
        })
    }

    /// The reward of each player, by seat: 1 for a single winner, 0 for a draw of all players. The
    /// sum is 0. All rewards are 0 before the end of the game.
    #[getter]
    fn rewards(&self) -> PyResult<Vec<f32>> {
        self.look(|table| match table.stepper().outcome() {
            None => vec![0.0; self.players],
            Some(outcome) => (0..self.players)
                .map(|seat| reward::of(outcome, seat))
                .collect(),
        })
    }

    /// The faults of the bots in this game, each with its `player`, `bot`, `kind` and `text`. Only
    /// the first 100 are kept.
    #[getter]
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let faults = self.look(|table| faults::values(table.seats(), table.faults()))?;
        to_python(py, &faults)
    }

    /// Raises `OpponentFault` if a bot has committed a fault in this game.
    fn _check_opponents(&self) -> PyResult<()> {
        self.read(|table| match table.faults().first() {
            Some(fault) => Err(faults::error(table.seats(), fault)),
            None => Ok(()),
        })
    }

    /// The name of the bot in each seat, or `None` in the caller's seats.
    #[getter]
    fn bots(&self) -> PyResult<Vec<Option<String>>> {
        self.look(|table| {
            let names = table.table.iter().zip(table.names());
            names.map(|(bot, name)| bot.map(|_| name)).collect()
        })
    }

    /// Whether a limit has ended the game: of turns, decisions, events or faults. Such a game has no
    /// winner by its rules.
    #[getter]
    fn is_truncated(&self) -> PyResult<bool> {
        self.look(|table| table.stepper().outcome().is_some_and(reward::is_truncated))
    }

    /// The place of each player, from 1, by seat. `None` before the end of the game.
    #[getter]
    fn ranking(&self) -> PyResult<Option<Vec<u32>>> {
        self.look(|table| table.stepper().outcome().map(reward::places))
    }

    /// The digest of the state, as in records.
    #[getter]
    fn digest(&self) -> PyResult<String> {
        self.look(|table| risk_engine::record::hex(table.stepper().game().digest()))
    }

    /// Returns the position as text. It can be used to start games: `Game(position=text)`, or
    /// `risk-cli play --from FILE`. It includes hidden information.
    fn position(&self) -> PyResult<String> {
        self.read(GameSession::position)
    }

    /// The seed and the number of the game.
    #[getter]
    fn seed(&self) -> PyResult<(String, u64)> {
        self.look(|table| (table.seed.seed.to_string(), table.seed.number))
    }

    /// The ruleset as specified.
    #[getter]
    fn ruleset(&self) -> PyResult<String> {
        self.look(|table| table.kit.setup.rules.ruleset_spec.clone())
    }

    /// The map as specified, or the ruleset's default.
    #[getter]
    fn map(&self) -> PyResult<String> {
        self.look(|table| table.kit.setup.rules.map_spec.clone())
    }

    /// The values of all options.
    #[getter]
    fn options(&self) -> PyResult<std::collections::BTreeMap<String, String>> {
        self.look(|table| table.kit.options())
    }

    /// The ids of the territories, in the order of their numbers.
    #[getter]
    fn territories(&self) -> Vec<&str> {
        let board = &self.names.board;
        board
            .territories()
            .map(|at| board.info(at).id.as_str())
            .collect()
    }

    /// The phases in which answers are hidden from the other players.
    #[getter]
    fn secret_phases(&self) -> Vec<&str> {
        let phases = self.names.decl.phases.iter().filter(|phase| phase.secret);
        phases.map(|phase| phase.name.as_str()).collect()
    }

    /// Returns the legal actions of a player, by default the first player to move.
    #[pyo3(signature = (player = None))]
    fn legal(&self, player: Option<Int>) -> PyResult<Legal> {
        let player = self.optional(player)?;
        self.read(|table| {
            let options = table.decision(player)?.options.clone();
            Ok(Legal {
                names: Arc::clone(&self.names),
                options,
            })
        })
    }

    /// Returns the plans of a player, each as a list of actions. The ruleset must have plans, and
    /// the game must have been created with `plans=True`.
    #[pyo3(signature = (player = None))]
    fn plans(&self, player: Option<Int>) -> PyResult<Vec<Vec<PyAction>>> {
        let player = self.optional(player)?;
        self.read(|table| {
            let plans = table.plans(player)?;
            let action = |action| PyAction::new(&self.names, action);
            Ok(plans
                .into_iter()
                .map(|plan| plan.into_iter().map(action).collect())
                .collect())
        })
    }

    /// Draws a legal action uniformly. This is a faster version of `legal(player).sample(rng)`.
    #[pyo3(signature = (rng, player = None))]
    fn sample(&self, rng: &Bound<'_, PyAny>, player: Option<Int>) -> PyResult<PyAction> {
        let player = self.optional(player)?;
        let count = self.read(|table| Ok(table.decision(player)?.options.len()))?;
        let number = random::below(rng, count)?;
        self.read(|table| {
            let options = &table.decision(player)?.options;
            // The options have changed only if `rng` has played.
            let number = number.min(options.len() - 1);
            Ok(PyAction::new(&self.names, options.nth(number)))
        })
    }

    /// Returns the action for words such as `attack alaska kamchatka 3`.
    fn action(&self, words: &Bound<'_, PyAny>) -> PyResult<PyAction> {
        Ok(PyAction::new(
            &self.names,
            action::read(&self.names, words)?,
        ))
    }

    /// Applies an action of a player, by default the first player to move.
    #[pyo3(signature = (action, player = None))]
    fn apply(
        &self,
        py: Python<'_>,
        action: &Bound<'_, PyAny>,
        player: Option<Int>,
    ) -> PyResult<()> {
        let player = self.optional(player)?;
        let action = action::read(&self.names, action)?;
        if self.look(GameSession::has_bots)? {
            return watched(py, || self.with(|table| table.apply(player, action)));
        }
        self.with(|table| table.apply(player, action))
    }

    /// Returns the events since the last call: all events, or only those that a player sees. The
    /// game must have been created with `events=True`.
    #[pyo3(signature = (player = None))]
    fn events<'py>(
        &self,
        py: Python<'py>,
        player: Option<Int>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let player = self.optional(player)?;
        let events = self.with(|table| table.events(player))?;
        events.iter().map(|event| to_python(py, event)).collect()
    }

    /// Returns the state that a player sees, with `None` for hidden values.
    fn view<'py>(&self, py: Python<'py>, player: Int) -> PyResult<Bound<'py, PyAny>> {
        let player = self.seat(player)?;
        let state = self.look(|table| line_json::state_value(&table.stepper().view(player)))?;
        to_python(py, &state)
    }

    /// Returns the map, the verbs, the phases and the cards.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = self.look(|table| {
            let names = table.names();
            line_json::game_value(&table.stepper().view(Player(0)), &names)
        })?;
        to_python(py, &info)
    }

    /// Returns the ruleset's score of a player in the current state.
    fn score(&self, player: Int) -> PyResult<i64> {
        let player = self.seat(player)?;
        self.with(|table| table.score(player))
    }

    /// Returns a game that looks the same to a player. Hidden information, dice and decks are drawn
    /// again. Equal views and seeds give equal games.
    fn imagine(&self, player: Int, seed: Int) -> PyResult<Self> {
        let (player, seed) = (self.seat(player)?, seed.within("seed", U64)?);
        self.with(|table| table.imagine(player, seed)).map(Self::of)
    }

    /// Replaces the dice and decks from now on. After that, the game has no record.
    fn reseed(&self, seed: Int) -> PyResult<()> {
        let seed = seed.within("seed", U64)?;
        self.with(|table| table.reseed(seed))
    }

    /// Returns the record of the game so far, in the format of `risk-cli play --record`.
    fn record(&self, py: Python<'_>) -> PyResult<String> {
        watched(py, || self.read(recorded::record))
    }

    /// Returns the board and the options that a player sees, as text.
    #[pyo3(signature = (player = None))]
    fn text(&self, player: Option<Int>) -> PyResult<String> {
        let player = self.optional(player)?;
        self.look(|table| {
            let stepper = table.stepper();
            let decisions = stepper.decisions();
            let first = decisions.first().map(|decision| decision.player);
            let player = player.or(first).unwrap_or(Player(0));
            let own = decisions.iter().find(|decision| decision.player == player);
            let none = risk_engine::Options::new();
            let options = own.map_or(&none, |decision| &decision.options);
            decision::text(&stepper.view(player), options, &table.names(), PLAIN)
        })
    }

    /// Returns a picture of the whole board as SVG.
    fn svg(&self) -> PyResult<String> {
        self.look(|table| picture::game(table.stepper().game(), &table.names()))
    }

    /// Returns a picture of the whole board as pixels: height × width × 3 bytes.
    fn pixels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let svg = self.svg()?;
        let pixels = py.detach(|| guarded(|| Ok(picture::png::pixels(&svg))))?;
        let flat = PyArray1::from_vec(py, pixels.rgb);
        Ok(flat.reshape([pixels.height, pixels.width, 3])?.into_any())
    }

    fn __repr__(&self) -> PyResult<String> {
        self.look(GameSession::description)
    }
}
