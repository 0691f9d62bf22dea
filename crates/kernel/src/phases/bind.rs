//! The lookup of a ruleset's verbs, counters, piles, phases, tables and parameters for a standard
//! phase.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::dice::DiceRule;
use super::table::{self, NumberTable};
use crate::declare::{Declaration, SlotKind};
use crate::id::{Counter, Phase, Pile, Unit, Verb};

/// A parameter of a standard phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Param {
    /// An integer.
    Number(i32),
    /// True or false.
    Flag(bool),
    /// A word in quotes.
    Word(String),
    /// A list of parameters.
    List(Vec<Self>),
    /// Parameters by name.
    Map(BTreeMap<String, Self>),
}

impl std::fmt::Display for Param {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Flag(flag) => flag.fmt(f),
            Self::Word(word) => f.write_str(word),
            Self::List(list) => {
                let all: Vec<String> = list.iter().map(|param| format!("({param})")).collect();
                f.write_str(&all.join(", "))
            }
            Self::Map(map) => {
                let all = map.iter().map(|(name, param)| format!("{name} {param}"));
                f.write_str(&all.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The reason why a standard phase can't be used in a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// There is no standard phase with this name.
    #[error("no standard phase is called `{0}`")]
    Phase(String),
    /// The phase needs a declaration.
    #[error("the phase needs `{what}` in `{section}`")]
    Needs {
        /// The section of `ruleset()`, such as `verbs`.
        section: &'static str,
        /// The missing declaration.
        what: String,
    },
    /// The phase does not have this parameter. The list contains the parameters that it has.
    #[error("the phase has no parameter `{0}`")]
    Param(String, Vec<&'static str>),
    /// This parameter has a value of the wrong kind. The second text describes the expected value.
    #[error("the parameter `{0}` must be {1}")]
    Value(&'static str, &'static str),
    /// The phase leaves this verb to the script's hook, but the script has no such hook.
    #[error("the script has no hook for the verb `{0}`")]
    Play(String),
}

const fn needs(section: &'static str, what: String) -> BindError {
    BindError::Needs { section, what }
}

/// Returns the word for a phase among the names that were looked up. A phase may have the name of a
/// verb.
#[must_use]
pub fn phase_key(name: &str) -> String {
    format!("phase {name}")
}

/// A lookup of the declarations and parameters that a standard phase needs.
#[derive(Debug)]
pub struct PhaseBinder<'a> {
    decl: &'a Declaration,
    tables: &'a BTreeMap<String, NumberTable>,
    params: &'a BTreeMap<String, Param>,
    plays: bool,
    known: Vec<&'static str>,
    used: RefCell<BTreeSet<String>>,
}

impl<'a> PhaseBinder<'a> {
    /// Creates a lookup. `plays` is true if the script has the hook that executes this phase's
    /// orders.
    #[must_use]
    pub fn new(
        decl: &'a Declaration,
        tables: &'a BTreeMap<String, NumberTable>,
        params: &'a BTreeMap<String, Param>,
        plays: bool,
    ) -> Self {
        Self {
            decl,
            tables,
            params,
            plays,
            known: Vec::new(),
            used: RefCell::default(),
        }
    }

    /// Returns the names that were looked up, and [`phase_key`] for phases.
    #[must_use]
    pub fn used(self) -> BTreeSet<String> {
        self.used.into_inner()
    }

    fn uses(&self, name: &str) {
        self.used.borrow_mut().insert(name.to_owned());
    }

    pub(super) fn verb(&self, name: &str, slots: &[(&str, SlotKind)]) -> Result<Verb, BindError> {
        self.uses(name);
        let found = self.decl.verb(name).filter(|verb| {
            let kinds = self.decl.verbs[verb.index()]
                .slots
                .iter()
                .map(|slot| slot.1);
            kinds.eq(slots.iter().map(|slot| slot.1))
        });
        found.ok_or_else(|| {
            let slots: Vec<String> = slots
                .iter()
                .map(|(name, kind)| format!("{name}: \"{}\"", crate::words::kind_word(*kind)))
                .collect();
            let what = if slots.is_empty() {
                format!("{name}: #{{}}")
            } else {
                format!("{name}: #{{ {} }}", slots.join(", "))
            };
            needs("verbs", what)
        })
    }

    /// Returns a verb that the ruleset may do without. A verb of this name with other parameters is
    /// one of the script's own.
    pub(super) fn verb_if_any(&self, name: &str, slots: &[(&str, SlotKind)]) -> Option<Verb> {
        let has_it = |verb: Verb| {
            let own = &self.decl.verbs[verb.index()].slots;
            own.iter()
                .map(|slot| slot.1)
                .eq(slots.iter().map(|slot| slot.1))
        };
        let found = self.decl.verb(name).filter(|&verb| has_it(verb))?;
        self.uses(name);
        Some(found)
    }

    /// Returns the price of each kind of unit.
    pub(super) fn prices(&self) -> Vec<i32> {
        let kinds = (0..self.decl.units.len()).map(Unit::from_index);
        kinds.map(|unit| self.decl.price(unit)).collect()
    }

    pub(super) fn any_verb(&self, name: &str) -> Result<(Verb, Vec<SlotKind>), BindError> {
        self.uses(name);
        let verb = self.decl.verb(name);
        let verb = verb.ok_or_else(|| needs("verbs", format!("{name}: #{{ … }}")))?;
        let slots = &self.decl.verbs[verb.index()].slots;
        Ok((verb, slots.iter().map(|slot| slot.1).collect()))
    }

    pub(super) fn played(&self, name: &str) -> Result<(), BindError> {
        if self.plays {
            Ok(())
        } else {
            Err(BindError::Play(name.to_owned()))
        }
    }

    pub(super) fn verbs(&self) -> usize {
        self.decl.verbs.len()
    }

    pub(super) fn counter(&self, name: &str) -> Result<Counter, BindError> {
        self.uses(name);
        let found = self.decl.counter(name);
        found.ok_or_else(|| needs("counters", format!("{name}: \"all\"")))
    }

    pub(super) fn counter_if_any(&self, name: &str) -> Option<Counter> {
        self.uses(name);
        self.decl.counter(name)
    }

    pub(super) fn pile(&self, name: &str, seen: &str) -> Result<Pile, BindError> {
        self.uses(name);
        let found = self.decl.pile(name);
        found.ok_or_else(|| needs("piles", format!("{name}: \"{seen}\"")))
    }

    pub(super) fn phase(&self, name: &str) -> Result<Phase, BindError> {
        self.uses(&phase_key(name));
        let found = self.decl.phase(name);
        found.ok_or_else(|| needs("phases", format!("{name}: standard(\"{name}\")")))
    }

    pub(super) fn table(
        &self,
        name: &str,
        ranges: &str,
        parameters: usize,
    ) -> Result<NumberTable, BindError> {
        self.uses(name);
        let found = table::find(self.tables, name, parameters);
        let what = || format!("{name}: {ranges}");
        found.cloned().ok_or_else(|| needs("tables", what()))
    }

    pub(super) fn table_if_any(&self, name: &str, parameters: usize) -> Option<NumberTable> {
        self.uses(name);
        table::find(self.tables, name, parameters).cloned()
    }

    /// Binds what differs between the classes of fights, for each class.
    pub(super) fn of_classes<T>(
        &self,
        bind: impl Fn(u32) -> Result<T, BindError>,
    ) -> Result<Vec<T>, BindError> {
        table::classes(self.tables).map(bind).collect()
    }

    /// Returns a table for fights of a class.
    pub(super) fn fight_table(
        &self,
        name: &str,
        ranges: &str,
        parameters: usize,
        class: u32,
    ) -> Result<NumberTable, BindError> {
        self.uses(name);
        let found = table::of_class(self.tables, name, parameters, class);
        found.ok_or_else(|| needs("tables", format!("{name}: {ranges}")))
    }

    pub(super) fn dice_rule(&self, class: u32) -> Option<DiceRule> {
        for name in ["most_pairs", "compares"] {
            self.uses(name);
        }
        DiceRule::from_tables(self.tables, class)
    }

    fn knows(&mut self, name: &'static str) {
        debug_assert!(
            super::settings::setting(name).is_some(),
            "the setting {name} has no description"
        );
        self.known.push(name);
    }

    /// Returns a number from `least` to 1,000,000.
    pub(super) fn number(
        &mut self,
        name: &'static str,
        default: i32,
        least: i32,
    ) -> Result<i32, BindError> {
        self.knows(name);
        match self.params.get(name) {
            None => Ok(default),
            Some(Param::Number(number)) if (least..=1_000_000).contains(number) => Ok(*number),
            Some(_) if least > 0 => Err(BindError::Value(name, "an integer from 1 to 1000000")),
            Some(_) => Err(BindError::Value(name, "an integer from 0 to 1000000")),
        }
    }

    pub(super) fn flag(&mut self, name: &'static str, default: bool) -> Result<bool, BindError> {
        self.knows(name);
        match self.params.get(name) {
            None => Ok(default),
            Some(Param::Flag(flag)) => Ok(*flag),
            Some(_) => Err(BindError::Value(name, "true or false")),
        }
    }

    pub(super) fn param(&mut self, name: &'static str) -> Option<&'a Param> {
        self.knows(name);
        self.params.get(name)
    }

    /// Returns the value for one of these words. The first word is the default.
    pub(super) fn one_of<T: Copy>(
        &mut self,
        name: &'static str,
        words: &[(&str, T)],
        kind: &'static str,
    ) -> Result<T, BindError> {
        let found = match self.param(name) {
            None => words.first(),
            Some(Param::Word(given)) => words.iter().find(|(word, _)| word == given),
            Some(_) => None,
        };
        found
            .map(|&(_, value)| value)
            .ok_or(BindError::Value(name, kind))
    }

    pub(super) fn all_used(&self) -> Result<(), BindError> {
        match self
            .params
            .keys()
            .find(|name| !self.known.contains(&name.as_str()))
        {
            None => Ok(()),
            Some(unknown) => Err(BindError::Param(unknown.clone(), self.known.clone())),
        }
    }
}
