//! A ruleset on a map, ready for games on this thread: what all games of one kind share.

use std::cell::{RefCell, RefMut};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyDictMethods};
use risk_cli::{
    Bot, BotSource, BotSpec, BuiltIn, Declaration, Fight, GameState, Limits, RuleSetup,
    ScriptLimits, ScriptRules, Setup, with_stack,
};

use crate::action::Names;
use crate::deep::deep;
use crate::errors::{self, wrong};

/// What is played, in words, as Python hands it over.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) ruleset: String,
    pub(crate) map: Option<String>,
    pub(crate) options: Vec<(String, String)>,
    /// As few as the ruleset lets play, when none is given.
    pub(crate) players: Option<usize>,
}

/// A ruleset on a map for so many players, compiled for this thread.
pub(crate) struct Kit {
    pub(crate) setup: Setup,
    pub(crate) names: Arc<Names>,
    rules: RefCell<ScriptRules>,
    fight: Option<Fight>,
    /// Are all scripts in it our own?
    is_known: bool,
}

/// The values of options, as Python has them: a flag is not a number here.
pub(crate) fn options(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
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

fn is_path(spec: &str) -> bool {
    risk_cli::load::is_path(spec)
}

/// Loads what a specification says; scripts may nest deep.
pub(crate) fn load(spec: &Spec) -> PyResult<(RuleSetup, usize)> {
    let loaded = with_stack(|| {
        let rules = RuleSetup::load(&spec.ruleset, spec.map.as_deref(), &spec.options)?;
        let (least, _) = rules.players()?;
        Ok((rules, least))
    });
    let (rules, least) = loaded.map_err(|failure| errors::load(&failure))?;
    let players = spec.players.unwrap_or(least);
    if players == 0 || players > 32 {
        return Err(wrong(format!(
            "{players} players can't play: a game has 1 to 32 players"
        )));
    }
    Ok((rules, players))
}

/// Nobody's bot: sits where the caller plays.
pub(crate) fn nobody(seat: usize) -> BotSpec {
    BotSpec {
        name: format!("player {}", seat + 1),
        bot: "python".to_owned(),
        source: BotSource::BuiltIn(BuiltIn::Random),
        clock: None,
    }
}

/// Bots by their specifications; `None` where the caller plays.
pub(crate) fn specs(bots: &[Option<String>]) -> PyResult<Vec<BotSpec>> {
    let spec = |(seat, bot): (usize, &Option<String>)| match bot {
        None => Ok(nobody(seat)),
        Some(spec) => BotSpec::parse(spec).map_err(|failure| errors::load(&failure)),
    };
    bots.iter().enumerate().map(spec).collect()
}

impl Kit {
    /// Compiles the ruleset for this thread.
    pub(crate) fn new(
        rules: RuleSetup,
        bots: Vec<BotSpec>,
        budget: Option<u64>,
    ) -> PyResult<Rc<Self>> {
        let scripts =
            |spec: &BotSpec| matches!(spec.source, BotSource::BuiltIn(_)) || !is_path(&spec.bot);
        let is_known = !is_path(&rules.ruleset_spec) && bots.iter().all(scripts);
        let mut limits = ScriptLimits::default();
        if let Some(budget) = budget {
            if !(1_000..=10_000_000).contains(&budget) {
                return Err(wrong(
                    "a budget is 1,000 to 10,000,000 operations for each call",
                ));
            }
            limits.budget = risk_cli::Budget(budget);
        }
        let players = bots.len();
        let bound = deep(false, || rules.bind(players, &limits));
        let bound = bound.map_err(|failure| errors::load(&failure))?;
        let names = Names {
            board: Arc::clone(&rules.board),
            decl: Arc::clone(&bound.decl),
        };
        let mut setup = Setup::new(rules, bots);
        setup.limits = limits;
        setup.seats = risk_cli::Seats::Fixed;
        Ok(Rc::new(Self {
            setup,
            names: Arc::new(names),
            fight: Fight::from_tables(bound.rules.tables()),
            rules: RefCell::new(bound.rules),
            is_known,
        }))
    }

    pub(crate) fn decl(&self) -> &Arc<Declaration> {
        &self.names.decl
    }

    pub(crate) fn players(&self) -> usize {
        self.setup.bots.len()
    }

    /// The rules, for a call that does not come back here.
    pub(crate) fn rules(&self) -> PyResult<RefMut<'_, ScriptRules>> {
        self.rules
            .try_borrow_mut()
            .map_err(|_| wrong("these rules are in the middle of another call"))
    }

    /// The board of a game before its set-up.
    pub(crate) fn empty(&self, seed: u64, number: u64) -> GameState {
        let board = Arc::clone(&self.names.board);
        GameState::new(board, Arc::clone(self.decl()), self.players(), seed, number)
    }

    /// A bot for games of this kind.
    pub(crate) fn bot(&self, spec: &BotSpec) -> PyResult<Box<dyn Bot>> {
        let rules = self.setup.rules_source(self.players());
        let build = || spec.source.build(self.decl(), self.fight.clone(), &rules);
        deep(false, build).map_err(|faults| errors::load(&faults.into()))
    }

    /// Runs something that may call scripts, with room for those of strangers.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        deep(self.is_known, work)
    }

    /// The values of all options.
    pub(crate) fn options(&self) -> BTreeMap<String, String> {
        let options = self.setup.options.iter();
        options
            .map(|(name, value)| (name.clone(), value.to_string()))
            .collect()
    }

    /// How long games go on.
    pub(crate) fn limits() -> Limits {
        Limits::default()
    }
}
