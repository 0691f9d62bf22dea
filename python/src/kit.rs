//! A ruleset on a map, shared by all games of the same kind on any thread.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyDictMethods};
use risk_engine::bot_spec::BotSpec;
use risk_engine::record::{self, Header, Record};
use risk_engine::script::ScriptRules;
use risk_engine::script::manifest::OptionValue;
use risk_engine::{
    BotSource, BuiltIn, Declaration, GameState, HostedBot, HostedSeats, Library, MatchSpec,
    MixedGame, Opening, PositionFile, RuleSetup, Setup, TextFile, with_stack,
};
use risk_maps::files::is_path;

use crate::bots::{BotThread, PlayerArg};
use crate::cache::Cache;
use crate::errors::{self, wrong};
use crate::integers::Int;
use crate::names::Names;
use crate::recipe::{Recipe, Spec};
use crate::seating::{Seating, Table};
use crate::seed::GameSeed;
use crate::stack::with_large_stack;

/// Returns the built-in files, with the address schemes of external bots.
pub(crate) fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> =
        LazyLock::new(|| risk_cli::library().with_schemes(risk_wire::SCHEMES));
    &LIBRARY
}

#[derive(Clone)]
pub(crate) struct LoadedSpec {
    pub(crate) rules: RuleSetup,
    pub(crate) players: usize,
    pub(crate) position: Option<Arc<PositionFile>>,
}

/// A ruleset on a map for a number of players. Each thread that plays games compiles it.
pub(crate) struct Kit {
    pub(crate) recipe: Recipe,
    pub(crate) seating: Seating,
    /// The bots that the seating means.
    bots: Vec<BotSpec>,
    /// The number of the compiled rules. Kits with different bots may have the same rules.
    rules: u64,
    /// The match, as if the caller played every seat.
    pub(crate) setup: Setup,
    pub(crate) names: Arc<Names>,
    opening: Opening,
    /// Whether all scripts are built in.
    is_known: bool,
}

/// Bots that wait for a seat, with their indices.
pub(crate) type Bots = Vec<(usize, Box<dyn HostedBot>)>;

/// The bots of a table, by seat.
pub(crate) type SeatedBots = Vec<Option<Box<dyn HostedBot>>>;

/// Returns the bots of a game for the next one.
pub(crate) fn unseated(
    game: MixedGame<HostedSeats>,
    table: &Table,
) -> impl Iterator<Item = (usize, Box<dyn HostedBot>)> {
    let bots = game.into_bots().into_inner();
    table
        .iter()
        .zip(bots)
        .filter_map(|(of, bot)| Some(((*of)?, bot?)))
}

/// The maximum number of compiled rulesets that a thread keeps.
const MOST_KEPT: usize = 16;

thread_local! {
    /// Compiled rules by number, the latest last, or `None` while lent.
    static COMPILED: RefCell<Vec<(u64, Option<Box<ScriptRules>>)>> = const { RefCell::new(Vec::new()) };
}

/// The compiled rules of a built-in ruleset, and what they were compiled for.
#[derive(PartialEq)]
struct BoundKey {
    ruleset: String,
    map: String,
    options: BTreeMap<String, OptionValue>,
    players: usize,
    budget: u64,
}

/// Compiled rules: their number and their names.
static BOUND: Cache<BoundKey, (u64, Arc<Names>)> = Cache::new(64);

/// A built-in ruleset on a built-in map: their names, the options, and the defaults that the bots
/// expect.
type LoadKey = (
    String,
    Option<String>,
    Vec<(String, String)>,
    Vec<(&'static str, &'static str)>,
);

/// Loaded rulesets, with the minimum number of players.
static LOADED: Cache<LoadKey, (RuleSetup, usize)> = Cache::new(16);

/// The rules of a kit, lent for a call.
pub(crate) struct LentRules {
    of: u64,
    rules: Option<Box<ScriptRules>>,
}

impl LentRules {
    /// Takes this thread's rules. Returns `None` if the thread has none, or if they are lent.
    fn kept(of: u64) -> Option<Self> {
        COMPILED.with_borrow_mut(|all| {
            let mut kept = all.iter_mut().filter(|(number, _)| *number == of);
            let rules = kept.find_map(|(_, rules)| rules.take());
            rules.map(|rules| Self {
                of,
                rules: Some(rules),
            })
        })
    }

    /// Lends new rules, and reserves a slot for them in this thread.
    fn new(of: u64, rules: ScriptRules) -> Self {
        let oldest = COMPILED.with_borrow_mut(|all| {
            all.push((of, None));
            (all.len() > MOST_KEPT).then(|| all.remove(0))
        });
        drop(oldest);
        Self {
            of,
            rules: Some(Box::new(rules)),
        }
    }
}

impl Deref for LentRules {
    type Target = ScriptRules;

    fn deref(&self) -> &ScriptRules {
        self.rules
            .as_ref()
            .expect("the rules are lent until this value is dropped")
    }
}

impl DerefMut for LentRules {
    fn deref_mut(&mut self) -> &mut ScriptRules {
        self.rules
            .as_mut()
            .expect("the rules are lent until this value is dropped")
    }
}

impl Drop for LentRules {
    fn drop(&mut self) {
        // A thread that is ending has no slots left, and the oldest rules have lost their slot.
        let _ = COMPILED.try_with(|all| {
            let mut all = all.borrow_mut();
            let mut places = all.iter_mut().filter(|(number, _)| *number == self.of);
            if let Some((_, place)) = places.find(|(_, rules)| rules.is_none()) {
                *place = self.rules.take();
            }
        });
    }
}

/// Returns the specification of games from the arguments of a Python call.
pub(crate) fn spec(
    ruleset: Option<String>,
    map: Option<String>,
    given: Option<&Bound<'_, PyDict>>,
    players: Option<usize>,
    position: Option<String>,
) -> PyResult<Spec> {
    Ok(Spec {
        ruleset,
        map,
        options: options(given)?,
        players,
        position,
    })
}

/// Parses the values of options. A flag is `true` or `false`, not a number.
fn options(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let Some(given) = given else {
        return Ok(Vec::new());
    };
    let pair = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let value = if value.is_instance_of::<PyBool>() {
            value.extract::<bool>()?.to_string()
        } else {
            value.str()?.to_string()
        };
        Ok((name.extract::<String>()?, value))
    };
    given.iter().map(pair).collect()
}

/// Loads a specification for these bots, with stack space for deep scripts.
pub(crate) fn load<'a>(
    spec: &Spec,
    bots: impl IntoIterator<Item = &'a str>,
) -> PyResult<LoadedSpec> {
    // Errors in a bot are reported when the bot is created.
    let bots = bots
        .into_iter()
        .filter_map(|bot| BotSpec::parse(library(), bot).ok());
    let usual: Vec<_> = bots
        .flat_map(|bot| bot.source.usual_options())
        .copied()
        .collect();
    let position = spec.position.as_deref().map(read_position).transpose()?;
    let (ruleset, map, options) = match &position {
        None => {
            let ruleset = spec.ruleset.as_deref().unwrap_or("hasbro");
            (ruleset, spec.map.as_deref(), &spec.options)
        }
        Some(position) => {
            if !spec.options.is_empty() {
                return Err(wrong("the position sets the options: remove `options`"));
            }
            let ruleset = named(&position.ruleset, spec.ruleset.as_deref(), "ruleset")?;
            let map = position.map.as_deref();
            let map = map.map(|map| named(map, spec.map.as_deref(), "map"));
            let map = map.transpose()?.or(spec.map.as_deref());
            (ruleset, map, &position.options)
        }
    };
    if ruleset.starts_with("risk/") && !std::path::Path::new(ruleset).exists() {
        return Err(wrong(format!(
            "{ruleset} is the name of an environment, and no ruleset: use gymnasium.make, or \
             risk_cli.TASKS[{ruleset:?}] with its ruleset, map, options, make and make_vec"
        )));
    }
    // Files may change, so they are read again.
    let is_built_in = !is_path(ruleset) && !map.is_some_and(is_path);
    let asked = MatchSpec {
        map: map.map(str::to_owned),
        options: options.clone(),
        usual,
        ..MatchSpec::new(ruleset)
    };
    let key = is_built_in.then(|| {
        let (map, options) = (asked.map.clone(), asked.options.clone());
        (ruleset.to_owned(), map, options, asked.usual.clone())
    });
    let loaded = LOADED.get_or_make(key, || {
        with_stack(|| {
            let rules = asked.rules(library(), &[])?;
            let (least, _) = rules.players()?;
            Ok((rules, least))
        })
    });
    let (rules, least) = loaded.map_err(|failure| errors::load(&failure))?;
    let at_table = position.as_ref().map(|position| position.names.len());
    let players = spec.players.or(at_table).unwrap_or(least);
    let players = Int(players as i128).within("players", 1..=32)?;
    Ok(LoadedSpec {
        rules,
        players,
        position: position.map(Arc::new),
    })
}

fn read_position(text: &str) -> PyResult<PositionFile> {
    if text.len() as u64 > risk_maps::position::LARGEST {
        return Err(wrong(format!(
            "a position must have at most {} bytes, found {}",
            risk_maps::position::LARGEST,
            text.len()
        )));
    }
    let read = risk_maps::position::read(&TextFile::new("position", text));
    read.map_err(|failure| errors::load(&failure))
}

/// Returns the given name, or the name in the text. The text may come from someone else, so a file
/// that it names is not read.
pub(crate) fn named<'a>(name: &'a str, given: Option<&'a str>, what: &str) -> PyResult<&'a str> {
    match given {
        Some(given) => Ok(given),
        None if is_path(name) => Err(wrong(format!(
            "the text names the file {name}: to read the file, pass {what}="
        ))),
        None => Ok(name),
    }
}

/// Returns a placeholder bot for a seat that the caller plays.
fn nobody(seat: usize) -> BotSpec {
    BotSpec {
        name: format!("player {}", seat + 1),
        bot: "python".to_owned(),
        source: BotSource::BuiltIn(BuiltIn::Random),
        clock: None,
    }
}

impl LoadedSpec {
    /// Returns a match of these bots. `budget` is the number of operations for each call to a
    /// script.
    pub(crate) fn setup(self, bots: Vec<BotSpec>, budget: Option<u64>) -> PyResult<Setup> {
        let mut setup = Setup::new(self.rules, bots);
        setup.position = self.position;
        if let Some(budget) = budget {
            if !(1_000..=10_000_000).contains(&budget) {
                return Err(wrong(format!(
                    "`budget` must be from 1,000 to 10,000,000 operations a call, found {budget}"
                )));
            }
            setup.limits.budget = risk_engine::script::Budget(budget);
        }
        Ok(setup)
    }
}

/// Returns the seed and the number of the game from which a position comes.
pub(crate) fn position_seed(text: &str) -> PyResult<GameSeed> {
    let position = read_position(text)?;
    Ok(GameSeed {
        seed: position.seed,
        number: position.game,
    })
}

/// Returns the setup of a record's games. `given` contains the ruleset and the map, if they are not
/// those named in the record.
fn recorded_setup(header: &Header, given: (Option<&str>, Option<&str>)) -> PyResult<Setup> {
    let ruleset_spec = named(&header.ruleset, given.0, "ruleset")?;
    let map_spec = named(&header.map, given.1, "map")?;
    let loaded = with_stack(|| RuleSetup::load(library(), ruleset_spec, Some(map_spec), &[]));
    let rules = loaded.map_err(|failure| errors::load(&failure))?;
    header
        .setup(rules)
        .map_err(|unfit| wrong(unfit.to_string()))
}

/// Reads a record.
pub(crate) fn record(text: &str) -> PyResult<Record> {
    record::read(text).map_err(|broken| {
        wrong(format!(
            "line {} of the record: {}",
            broken.line, broken.text
        ))
    })
}

impl Kit {
    /// Makes the kit of a recipe. Its Python bots are called on this thread.
    pub(crate) fn of(recipe: Recipe, thread: &BotThread) -> PyResult<Arc<Self>> {
        match &recipe {
            Recipe::Spec {
                spec,
                bots,
                seat,
                budget,
            } => {
                let args = bots.iter().flatten().flat_map(|seat| &seat.0);
                let loaded = load(spec, args.filter_map(PlayerArg::spec_text))?;
                let (seating, bots) = Seating::new(loaded.players, bots, *seat)?;
                let board = &loaded.rules.board;
                let bots = bots.into_iter().map(|bot| bot.spec(board, thread));
                let bots = bots.collect::<PyResult<_>>()?;
                let nobody = (0..loaded.players).map(nobody).collect();
                let setup = loaded.setup(nobody, *budget)?;
                Self::new(setup, recipe, (seating, bots))
            }
            Recipe::Record { text, ruleset, map } => {
                let given = (ruleset.as_deref(), map.as_deref());
                let setup = recorded_setup(&record(text)?.header, given)?;
                let (seating, _) = Seating::new(setup.bots.len(), &[], None)?;
                Self::new(setup, recipe, (seating, Vec::new()))
            }
        }
    }

    fn new(
        mut setup: Setup,
        recipe: Recipe,
        (seating, bots): (Seating, Vec<BotSpec>),
    ) -> PyResult<Arc<Self>> {
        let is_script =
            |spec: &BotSpec| matches!(spec.source, BotSource::BuiltIn(_)) || !is_path(&spec.bot);
        let is_known = !is_path(&setup.rules.ruleset_spec) && bots.iter().all(is_script);
        setup.seats = risk_engine::Seats::Fixed;
        let players = setup.bots.len();
        let is_built_in = !is_path(&setup.rules.ruleset_spec) && !is_path(&setup.rules.map_spec);
        let key = is_built_in.then(|| BoundKey {
            ruleset: setup.rules.ruleset_spec.clone(),
            map: setup.rules.map_spec.clone(),
            options: setup.rules.options.clone(),
            players,
            budget: setup.limits.budget.0,
        });
        let (rules, names) = BOUND.get_or_make(key, || bind(&setup))?;
        let opening = with_large_stack(false, || Opening::new(&setup, &names.decl, players));
        let opening = opening.map_err(|failure| errors::load(&failure))?;
        Ok(Arc::new(Self {
            recipe,
            seating,
            bots,
            rules,
            setup,
            names,
            opening,
            is_known,
        }))
    }

    pub(crate) fn decl(&self) -> &Arc<Declaration> {
        &self.names.decl
    }

    pub(crate) fn players(&self) -> usize {
        self.setup.bots.len()
    }

    /// Lends the rules for a call. A thread without them compiles them, as does a bot in Python that
    /// plays other games while its own game uses them.
    pub(crate) fn rules(&self) -> PyResult<LentRules> {
        if let Some(kept) = LentRules::kept(self.rules) {
            return Ok(kept);
        }
        let Setup { rules, limits, .. } = &self.setup;
        let bind = || rules.bind(self.players(), limits);
        let bound = with_large_stack(false, bind).map_err(|failure| errors::load(&failure))?;
        Ok(LentRules::new(self.rules, bound.rules))
    }

    /// Returns the board before the set-up, or the position where games begin.
    pub(crate) fn begin(&self, seed: &GameSeed) -> GameState {
        self.opening.game(seed.key())
    }

    /// Returns the specification of the bot in a seat, or a placeholder for the caller.
    pub(crate) fn spec_at(&self, table: &Table, seat: usize) -> &BotSpec {
        table[seat].map_or(&self.setup.bots[seat], |bot| &self.bots[bot])
    }

    /// Returns the names of the players at a table.
    pub(crate) fn names_at(&self, table: &Table) -> Vec<String> {
        let names = (0..table.len()).map(|seat| self.spec_at(table, seat).name.clone());
        names.collect()
    }

    /// Returns the match of a table.
    pub(crate) fn setup_at(&self, table: &Table) -> Setup {
        let mut setup = self.setup.clone();
        let bots = (0..table.len()).map(|seat| self.spec_at(table, seat).clone());
        setup.bots = bots.collect();
        setup
    }

    /// Returns the bots of a table. Those among `spare` are reused, and the others stay there.
    pub(crate) fn seated(&self, table: &Table, spare: &mut Bots) -> PyResult<SeatedBots> {
        let seat = |bot: &Option<usize>| {
            let Some(bot) = *bot else {
                return Ok(None);
            };
            match spare.iter().position(|(of, _)| *of == bot) {
                Some(at) => Ok(Some(spare.swap_remove(at).1)),
                None => self.bot(&self.bots[bot]).map(Some),
            }
        };
        table.iter().map(seat).collect()
    }

    /// Makes each bot once, and drops it. An error says why a bot can't play.
    pub(crate) fn check_bots(&self) -> PyResult<()> {
        self.bots
            .iter()
            .try_for_each(|spec| self.bot(spec).map(drop))
    }

    fn bot(&self, spec: &BotSpec) -> PyResult<Box<dyn HostedBot>> {
        let rules = self.setup.rules_source(self.players());
        let fight = self.rules()?.fight();
        let build = || spec.source.build(self.decl(), fight, &rules);
        with_large_stack(false, build).map_err(|faults| errors::load(&faults.into()))
    }

    /// Returns the bots that are made for other rulesets.
    pub(crate) fn strangers(&self) -> BTreeSet<&str> {
        let bots = self.bots.iter();
        let fits = |spec: &&BotSpec| {
            let ruleset = &self.setup.rules.ruleset;
            !spec.source.is_made_for(ruleset, self.decl())
        };
        bots.filter(fits).map(|spec| spec.bot.as_str()).collect()
    }

    /// Runs work that may call scripts, with a large stack unless all scripts are known.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        with_large_stack(self.is_known, work)
    }

    /// Returns the values of all options as text.
    pub(crate) fn options(&self) -> BTreeMap<String, String> {
        self.setup.rules.option_texts().collect()
    }
}

/// The number of rulesets compiled so far, for one or more threads each.
pub(crate) static COMPILATIONS: AtomicU64 = AtomicU64::new(0);

/// Compiles the rules of a setup for this thread. Returns their number and their names.
fn bind(setup: &Setup) -> PyResult<(u64, Arc<Names>)> {
    let players = setup.bots.len();
    let bound = with_large_stack(false, || setup.rules.bind(players, &setup.limits));
    let bound = bound.map_err(|failure| errors::load(&failure))?;
    let names = Names {
        board: Arc::clone(&setup.rules.board),
        decl: Arc::clone(&bound.decl),
        players,
        spec: Some(Spec {
            ruleset: Some(setup.rules.ruleset_spec.clone()),
            map: Some(setup.rules.map_spec.clone()),
            options: setup.rules.option_texts().collect(),
            players: Some(players),
            position: None,
        }),
    };
    let number = COMPILATIONS.fetch_add(1, Ordering::Relaxed);
    drop(LentRules::new(number, bound.rules));
    Ok((number, Arc::new(names)))
}

/// Returns the names of games without bots.
pub(crate) fn names(spec: Option<Spec>) -> PyResult<Arc<Names>> {
    let Some(spec) = spec else {
        return Err(wrong(
            "only the actions and encodings of a Game can be pickled",
        ));
    };
    let recipe = Recipe::Spec {
        spec,
        bots: Vec::new(),
        seat: None,
        budget: None,
    };
    Ok(Arc::clone(&Kit::of(recipe, &BotThread::Here)?.names))
}
