//! Games as tensors: observations as arrays, and actions as a few small numbers.

mod factors;
mod features;
mod flat;
mod observation;

use std::sync::Arc;

use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1,
    PyReadwriteArray2,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use risk_engine::{Action, Group, Options, View};
use risk_kernel::action::MAX_SLOTS;
use risk_wire::line_json;
use serde::{Deserialize, Serialize};

use crate::action::{self, PyAction};
use crate::bots::Turn;
use crate::errors::{self, IllegalAction, contiguous, guarded, reduced, wrong};
use crate::game::Game;
use crate::integers::{self, I32, Int};
use crate::json::to_python;
use crate::kit;
use crate::names::Names;
use crate::random;
use crate::recipe::Spec;
pub(crate) use factors::Factors;
pub(crate) use features::Features;
use flat::Numbering;
pub(crate) use flat::{FlatNumbering, Marked};
pub(crate) use observation::Layout;

/// An encoding for `pickle`.
#[derive(Serialize, Deserialize)]
struct SavedEncoding {
    spec: Option<Spec>,
    settings: EncodingSettings,
}

/// The default buckets of amounts, so up to 1,024 values have a bucket each.
pub(crate) const BUCKETS: [u64; 2] = [32, 32];

/// The array encoding of one kind of game: its observations and actions.
#[pyclass(frozen, module = "risk_cli")]
pub(crate) struct Encoding {
    names: Arc<Names>,
    pub(crate) settings: EncodingSettings,
    pub(crate) layout: Layout,
    pub(crate) features: Features,
    pub(crate) factors: Factors,
    pub(crate) flat: Option<FlatNumbering>,
}

/// The decision of a player: in a game, or at a bot's turn.
#[derive(FromPyObject)]
pub(crate) enum GameOrTurn<'py> {
    Game(Bound<'py, Game>),
    Turn(Bound<'py, Turn>),
}

impl GameOrTurn<'_> {
    fn names(&self) -> &Arc<Names> {
        match self {
            Self::Game(game) => &game.get().names,
            Self::Turn(turn) => &turn.get().names,
        }
    }

    /// Calls `work` with the options of a player: by default, the one who decides first.
    fn with_options<R>(
        &self,
        player: Option<Int>,
        work: impl FnOnce(&Options) -> PyResult<R>,
    ) -> PyResult<R> {
        match self {
            Self::Game(game) => {
                let game = game.get();
                let player = game.optional(player)?;
                game.read(|table| work(&table.decision(player)?.options))
            }
            Self::Turn(turn) => {
                let turn = turn.get();
                turn.check_player(player)?;
                guarded(|| work(&turn.legal.get().options))
            }
        }
    }

    /// Calls `work` with the view of a player.
    fn with_view<R>(&self, player: Int, work: impl FnOnce(&View) -> PyResult<R>) -> PyResult<R> {
        match self {
            Self::Game(game) => {
                let game = game.get();
                let player = game.seat(player)?;
                game.read(|table| work(&table.view(player)))
            }
            Self::Turn(turn) => {
                let turn = turn.get();
                turn.check_player(Some(player))?;
                guarded(|| work(&turn.seen))
            }
        }
    }
}

/// The caller's choices for an encoding.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EncodingSettings {
    pub(crate) buckets: Vec<u64>,
    /// The capacities of observations for cards and for orders.
    pub(crate) cards: Option<usize>,
    pub(crate) orders: Option<usize>,
    /// The actions that also have a single number.
    pub(crate) numbering: Numbering,
}

impl EncodingSettings {
    pub(crate) fn new(
        buckets: Option<Vec<Int>>,
        (cards, orders): (Option<Int>, Option<Int>),
        (flat, border): (bool, bool),
    ) -> PyResult<Self> {
        let buckets = buckets.map(|it| integers::list(it, "buckets", &(2..=4_096)));
        Ok(Self {
            buckets: buckets.transpose()?.unwrap_or_else(|| BUCKETS.to_vec()),
            cards: integers::optional(cards, "cards", 0..=1_000_000)?,
            orders: integers::optional(orders, "orders", 0..=1_000_000)?,
            numbering: match (flat, border) {
                (false, false) => Numbering::Factored,
                (true, false) => Numbering::Flat,
                (false, true) => Numbering::Border,
                (true, true) => return Err(wrong("expected flat=True or border=True, found both")),
            },
        })
    }
}

impl Encoding {
    pub(crate) fn of(names: &Arc<Names>, settings: EncodingSettings) -> PyResult<Self> {
        const MOST: usize = 1 << 20;
        let (cards, orders) = (settings.cards, settings.orders);
        if cards.is_some_and(|cards| cards > MOST) || orders.is_some_and(|orders| orders > MOST) {
            return Err(wrong(format!(
                "`cards` and `orders` must be at most {MOST}"
            )));
        }
        let factors = Factors::new(names, &settings.buckets).map_err(wrong)?;
        let layout = Layout::new(names, names.players, cards, orders);
        Ok(Self {
            names: Arc::clone(names),
            features: Features::new(&names.board, &names.decl, names.players),
            layout,
            flat: FlatNumbering::new(&factors, names, settings.numbering).map_err(wrong)?,
            factors,
            settings,
        })
    }

    fn flat(&self) -> PyResult<&FlatNumbering> {
        self.flat.as_ref().ok_or_else(|| {
            wrong("the encoding has no flat table: create it with flat=True or border=True")
        })
    }

    /// Decodes an offered action: from its factors, or from its number in the flat table.
    pub(crate) fn read(&self, options: &Options, numbers: &[i32]) -> Result<Action, String> {
        let action = match &self.flat {
            Some(flat) => flat.decode(&self.factors, options, numbers[0])?,
            None => self.factors.decode(options, numbers)?,
        };
        self.offered(options, action)
    }

    /// Admits a decoded action. Amounts were already decoded from the offers that fit.
    fn offered(&self, options: &Options, action: Action) -> Result<Action, String> {
        if self.factors.has_amount(action.verb) {
            return Ok(action);
        }
        self.admit(options, action)
    }

    fn admit(&self, options: &Options, action: Action) -> Result<Action, String> {
        let refusal = |why| self.names.words().refusal(options, action, why);
        options.admit(action).map(|_| action).map_err(refusal)
    }

    /// Calls `work` with the options of a player.
    fn with_options<R>(
        &self,
        game: &GameOrTurn<'_>,
        player: Option<Int>,
        work: impl FnOnce(&Options) -> PyResult<R>,
    ) -> PyResult<R> {
        self.check_kind(game)?;
        game.with_options(player, work)
    }

    fn check_kind(&self, game: &GameOrTurn<'_>) -> PyResult<()> {
        if !self.names.are_those_of(game.names()) {
            return Err(wrong(
                "the encoding is for another kind of game: make one for the same ruleset, map, \
                 options and number of players",
            ));
        }
        Ok(())
    }

    fn write(
        &self,
        game: &GameOrTurn<'_>,
        player: Int,
        land: &mut [i32],
        rest: &mut [i32],
    ) -> PyResult<()> {
        self.check_kind(game)?;
        game.with_view(player, |view| {
            self.layout.write(view, land, rest).map_err(wrong)
        })
    }
}

#[pymethods]
impl Encoding {
    #[new]
    #[pyo3(signature = (game, *, buckets = None, cards = None, orders = None, flat = false, border = false))]
    fn new(
        game: GameOrTurn<'_>,
        buckets: Option<Vec<Int>>,
        cards: Option<Int>,
        orders: Option<Int>,
        flat: bool,
        border: bool,
    ) -> PyResult<Self> {
        let settings = EncodingSettings::new(buckets, (cards, orders), (flat, border))?;
        guarded(|| Self::of(game.names(), settings))
    }

    /// An encoding never changes, so it needs no copy.
    fn __copy__(slf: &Bound<'_, Self>) -> Py<Self> {
        slf.clone().unbind()
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf.clone().unbind()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        // A restored encoding would have no kind of game.
        let spec = self.names.spec.clone().ok_or_else(|| {
            wrong("only the encoding of a Game can be pickled: make it with Encoding(Game(…))")
        })?;
        let saved = SavedEncoding {
            spec: Some(spec),
            settings: self.settings.clone(),
        };
        reduced(py, "encoding", (errors::saved(&saved)?,))
    }

    /// Restores an encoding from its pickled text.
    #[staticmethod]
    fn _restored(py: Python<'_>, text: &str) -> PyResult<Self> {
        let saved: SavedEncoding = errors::restored(text, "encoding")?;
        let names = py.detach(|| guarded(|| kit::names(saved.spec)))?;
        guarded(|| Self::of(&names, saved.settings))
    }

    fn __repr__(&self) -> String {
        let factors: Vec<String> = self
            .factors()
            .iter()
            .map(|(name, size)| format!("{name} {size}"))
            .collect();
        let (rows, columns) = self.territories_shape();
        let flat = self.flat.as_ref();
        let flat = flat.map_or_else(String::new, |flat| format!(", flat {}", flat.len));
        format!(
            "<Encoding: territories {rows} x {columns}, globals {}, factors: {}{flat}>",
            self.layout.globals,
            factors.join(", ")
        )
    }

    /// The name and the size of each factor of an action, in order.
    #[getter]
    fn factors(&self) -> Vec<(String, usize)> {
        let columns = self.factors.columns.iter();
        columns
            .map(|column| (column.name.clone(), column.size))
            .collect()
    }

    /// The name, the first index and the length of each field of `globals`.
    #[getter]
    fn fields(&self) -> Vec<(String, usize, usize)> {
        self.layout.fields.0.clone()
    }

    /// The number of rows and columns of `territories`. The columns are the owner and each kind of
    /// unit.
    #[getter]
    fn territories_shape(&self) -> (usize, usize) {
        (self.layout.rows(), self.layout.columns())
    }

    /// The length of `globals`.
    #[getter]
    fn globals_len(&self) -> usize {
        self.layout.globals
    }

    /// The borders of the map as pairs of territory numbers: from and to.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let board = &self.names.board;
        let edges: Vec<Vec<i32>> = (board.territories())
            .flat_map(|from| {
                let near = board.neighbours(from).iter();
                near.map(move |to| vec![from.number(), to.number()])
            })
            .collect();
        Ok(PyArray2::from_vec2(py, &edges)?)
    }

    /// The continent of each territory, or -1 for a territory without a continent.
    #[getter]
    fn continents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let board = &self.names.board;
        let of = |at| board.continent(at).map_or(-1, |it| it.number());
        PyArray1::from_iter(py, board.territories().map(of))
    }

    /// The bonus of each continent, and then of each other group.
    #[getter]
    fn bonuses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let groups = self.names.board.groups().iter();
        PyArray1::from_iter(py, groups.map(|group| group.bonus))
    }

    /// Pairs of a group, continents first, and a territory in it.
    #[getter]
    fn members<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let board = &self.names.board;
        let all = (0..board.groups().len()).map(Group::from_index);
        let pairs: Vec<Vec<i32>> = all
            .flat_map(|group| {
                let members = board.members(group).iter();
                members.map(move |at| vec![group.number(), at.number()])
            })
            .collect();
        Ok(PyArray2::from_vec2(py, &pairs)?)
    }

    /// Writes a player's view to the given arrays `territories` and `globals`.
    fn observe_into(
        &self,
        game: GameOrTurn<'_>,
        player: Int,
        mut territories: PyReadwriteArray2<'_, i32>,
        mut globals: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        let land = contiguous(territories.as_slice_mut())?;
        let rest = contiguous(globals.as_slice_mut())?;
        if land.len() != self.layout.rows() * self.layout.columns()
            || rest.len() != self.layout.globals
        {
            return Err(wrong("the array sizes don't match an observation"));
        }
        self.write(&game, player, land, rest)
    }

    /// Returns a player's view as two new arrays: `territories` and `globals`.
    fn observe<'py>(
        &self,
        py: Python<'py>,
        game: GameOrTurn<'_>,
        player: Int,
    ) -> PyResult<(Bound<'py, PyArray2<i32>>, Bound<'py, PyArray1<i32>>)> {
        let mut land = vec![0; self.layout.rows() * self.layout.columns()];
        let mut rest = vec![0; self.layout.globals];
        self.write(&game, player, &mut land, &mut rest)?;
        let land =
            PyArray1::from_vec(py, land).reshape([self.layout.rows(), self.layout.columns()])?;
        Ok((land, PyArray1::from_vec(py, rest)))
    }

    /// The name, the first index and the length of each field of `features`. The first field has a
    /// row of `features_columns` values for each territory.
    #[getter]
    fn features_fields(&self) -> Vec<(String, usize, usize)> {
        self.features.fields.0.clone()
    }

    /// The number of values of a territory in `features`: one for each owner, beginning with
    /// no owner and the viewer; one for each kind of unit; and if the ruleset hides units, one that
    /// says whether they are hidden.
    #[getter]
    fn features_columns(&self) -> usize {
        self.features.columns()
    }

    /// Returns a player's view as a new array of floats from 0 to 1, for nets.
    fn features<'py>(
        &self,
        py: Python<'py>,
        game: GameOrTurn<'_>,
        player: Int,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let mut row = vec![0.0; self.features.len];
        self.check_kind(&game)?;
        game.with_view(player, |view| {
            self.features.write(&self.layout, view, &mut row);
            Ok(())
        })?;
        Ok(PyArray1::from_vec(py, row))
    }

    /// Restores the complete observed view, as returned by `Game.view`.
    fn rebuild<'py>(
        &self,
        py: Python<'py>,
        territories: PyReadonlyArray2<'_, i32>,
        globals: PyReadonlyArray1<'_, i32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let land = contiguous(territories.as_slice())?;
        let rest = contiguous(globals.as_slice())?;
        let Names { board, decl, .. } = &*self.names;
        let observed = self.layout.position(board, decl, land, rest);
        let (player, position) = observed.map_err(wrong)?;
        let facts = guarded(|| position.facts(board, decl).map_err(wrong))?;
        let view = View::new(&facts, player);
        to_python(py, &line_json::state_value(&view))
    }

    /// Returns which values of the next factor lead to a legal action, given the previous factors.
    #[pyo3(signature = (game, given = Vec::new(), player = None), text_signature = "($self, game, given=(), player=None)")]
    fn mask<'py>(
        &self,
        py: Python<'py>,
        game: GameOrTurn<'_>,
        given: Vec<Int>,
        player: Option<Int>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let given: Vec<i32> = integers::list(given, "given", &I32)?;
        let Some(column) = self.factors.columns.get(given.len()) else {
            return Err(wrong("all factors are already given"));
        };
        let mut mask = vec![false; column.size];
        self.with_options(&game, player, |options| {
            self.factors
                .mask(options, &given, &mut mask)
                .map_err(IllegalAction::new_err)
        })?;
        Ok(PyArray1::from_vec(py, mask))
    }

    /// Returns the factors of an action. The action must be legal now.
    #[pyo3(signature = (game, action, player = None))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        game: GameOrTurn<'_>,
        action: &Bound<'_, PyAny>,
        player: Option<Int>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let action = action::read(&self.names, action)?;
        let mut factors = vec![0; self.factors.columns.len()];
        self.with_options(&game, player, |options| {
            let admitted = self.admit(options, action);
            admitted.map_err(IllegalAction::new_err)?;
            self.factors
                .encode(options, action, &mut factors)
                .ok_or_else(|| {
                    wrong(format!(
                        "`{}` shares its bucket with other actions: use more buckets",
                        self.names.words().action(action)
                    ))
                })
        })?;
        Ok(PyArray1::from_vec(py, factors))
    }

    /// Returns the action with these factors.
    #[pyo3(signature = (game, factors, player = None))]
    fn decode(
        &self,
        game: GameOrTurn<'_>,
        factors: Vec<Int>,
        player: Option<Int>,
    ) -> PyResult<PyAction> {
        let factors: Vec<i32> = integers::list(factors, "factors", &I32)?;
        let action = self.with_options(&game, player, |options| {
            self.factors
                .decode(options, &factors)
                .map_err(IllegalAction::new_err)
        })?;
        Ok(PyAction::new(&self.names, action))
    }

    /// Draws a legal action and returns its factors. All actions are equally likely, except actions
    /// with amounts that have no bucket of their own.
    #[pyo3(signature = (game, rng, player = None))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        game: GameOrTurn<'_>,
        rng: &Bound<'_, PyAny>,
        player: Option<Int>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        // The options are copied because `rng` may play.
        let options = self.with_options(&game, player, |options| Ok(options.clone()))?;
        let mut factors = vec![0; self.factors.columns.len()];
        let below = |count| random::below(rng, count);
        guarded(|| self.factors.draw(&options, &mut factors, below))?;
        Ok(PyArray1::from_vec(py, factors))
    }

    /// The number of entries of the flat table.
    #[getter]
    fn flat_len(&self) -> PyResult<usize> {
        Ok(self.flat()?.len)
    }

    /// Returns which entries of the flat table are currently legal.
    #[pyo3(signature = (game, player = None))]
    fn flat_mask<'py>(
        &self,
        py: Python<'py>,
        game: GameOrTurn<'_>,
        player: Option<Int>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let flat = self.flat()?;
        let mut mask = vec![false; flat.len];
        self.with_options(&game, player, |options| {
            let masked = flat.mask(&self.factors, options, (&mut mask, &mut Vec::new()));
            masked.map_err(wrong)
        })?;
        Ok(PyArray1::from_vec(py, mask))
    }

    /// Returns the action with this number in the flat table. It must be legal now.
    #[pyo3(signature = (game, number, player = None))]
    fn flat_decode(
        &self,
        game: GameOrTurn<'_>,
        number: Int,
        player: Option<Int>,
    ) -> PyResult<PyAction> {
        let flat = self.flat()?;
        let action = self.with_options(&game, player, |options| {
            let action = flat.decode(&self.factors, options, flat.place(number.0)?);
            let action = action.and_then(|action| self.offered(options, action));
            action.map_err(IllegalAction::new_err)
        })?;
        Ok(PyAction::new(&self.names, action))
    }

    /// Returns the factors of a flat table entry.
    fn flat_to_factors<'py>(
        &self,
        py: Python<'py>,
        number: Int,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let mut factors = vec![0; self.factors.columns.len()];
        let flat = self.flat()?;
        guarded(|| Ok(flat.factors(flat.place(number.0)?, &mut factors)))?
            .ok_or_else(|| IllegalAction::new_err(flat.no_entry(number.0)))?;
        Ok(PyArray1::from_vec(py, factors))
    }

    /// Returns the flat table entry with these factors.
    fn factors_to_flat(&self, factors: Vec<Int>) -> PyResult<usize> {
        let flat = self.flat()?;
        guarded(|| flat.checked_index(factors, self.factors.columns.len()))
    }
}
