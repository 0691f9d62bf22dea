//! What a ruleset changes in standard phases: it leaves out targets, adds verbs of its own, refuses
//! answers, and has effects after them.

use std::collections::BTreeMap;

use super::hooks::{self, Hook, HookInfo};
use risk_kernel::action::narrow::{ANY_NUMBER, Arrival};
use risk_kernel::declare::Declaration;
use risk_kernel::fault::RuleResult;
use risk_kernel::id::{Player, Unit, Verb};
use risk_kernel::phases::Param;
use risk_kernel::phases::table::NumberTable;
use risk_kernel::state::GameState;

/// The parameters with which every standard phase that asks can be adapted.
pub(super) const KEYS: [&str; 4] = ["targets", "verbs", "veto", "after"];

/// The standard phases that can be adapted.
pub(super) const ADAPTABLE: [&str; 6] = [
    "claim",
    "deploy",
    "attack",
    "fortify",
    "orders",
    "execution",
];

/// The standard phases in which armies come to territories without a fight.
const ARRIVING: [&str; 5] = ["claim", "deploy", "occupy", "fortify", "orders"];

/// Separates the parameters that adapt a standard phase from its own.
pub(super) fn split(
    params: &BTreeMap<String, Param>,
) -> (BTreeMap<String, Param>, BTreeMap<String, Param>) {
    let is_bend = |name: &str| KEYS.contains(&name);
    let all = params
        .iter()
        .map(|(name, param)| (name.clone(), param.clone()));
    all.partition(|(name, _)| is_bend(name))
}

/// Returns the functions that adapt a standard phase with these parameters, by name.
pub(super) fn hooks(
    phase: &str,
    params: &BTreeMap<String, Param>,
) -> BTreeMap<String, &'static HookInfo> {
    let mut known = BTreeMap::new();
    for (key, hook) in [
        ("targets", &hooks::TARGETS),
        ("veto", &hooks::VETO),
        ("after", &hooks::AFTER),
    ] {
        if let Some(Param::Word(name)) = params.get(key) {
            known.insert(name.clone(), hook);
        }
    }
    if params.contains_key("verbs") {
        known.extend([&hooks::OPTIONS, &hooks::APPLY].map(|hook| (hook.of_phase(phase), hook)));
    }
    known
}

/// One of the parameters that adapt a standard phase.
pub(super) enum AdaptationPart {
    Targets(Targets),
    Verbs(OwnVerbs),
    Veto(Hook),
    After(Hook),
}

/// What a ruleset changes in a standard phase.
#[derive(Debug, Default)]
pub(super) struct Adaptation {
    pub(super) targets: Option<Targets>,
    pub(super) own: Option<OwnVerbs>,
    pub(super) veto: Option<Hook>,
    pub(super) after: Option<Hook>,
    /// Whether a limit on units keeps armies out of a territory that they could reach.
    has_limits: bool,
}

/// What decides which territories are targets.
#[derive(Debug)]
pub(super) enum Targets {
    /// A table of the armies on the target, or of those on both territories, and the class.
    Table(NumberTable),
    /// A function that returns the territories.
    Hook(Hook),
}

/// The verbs of a script in a standard phase, and the functions that offer and execute them.
#[derive(Debug)]
pub(super) struct OwnVerbs {
    pub(super) verbs: Vec<Verb>,
    pub(super) options: Hook,
    pub(super) apply: Hook,
}

impl Adaptation {
    /// Returns the adaptation of a standard phase by the ruleset's limits alone, if they matter
    /// there.
    pub(super) fn by_limits(phase: &str, decl: &Declaration) -> Option<Self> {
        let has_limits = decl.limits_units() && ARRIVING.contains(&phase);
        has_limits.then(|| Self {
            has_limits,
            ..Self::default()
        })
    }

    /// Returns the functions that the adaptation calls.
    pub(super) fn hooks(&self) -> impl Iterator<Item = &Hook> {
        let targets = match &self.targets {
            Some(Targets::Hook(hook)) => Some(hook),
            _ => None,
        };
        let own = self.own.as_ref().map(|own| [&own.options, &own.apply]);
        let others = [targets, self.veto.as_ref(), self.after.as_ref()];
        others
            .into_iter()
            .chain(own.into_iter().flatten().map(Some))
            .flatten()
    }

    pub(super) const fn narrows(&self) -> bool {
        self.targets.is_some() || self.has_limits
    }

    /// Reports whether the phase offers all options of the standard phase and no others.
    pub(super) const fn is_usual(&self) -> bool {
        !self.narrows() && self.own.is_none()
    }

    pub(super) fn has(&self, verb: Verb) -> bool {
        self.own
            .as_ref()
            .is_some_and(|own| own.verbs.contains(&verb))
    }

    /// Returns the number of armies for which there is space on a target. `open` are the targets of
    /// the hook, by territory.
    pub(super) fn space(
        &self,
        game: &GameState,
        player: Player,
        open: Option<&[bool]>,
        action: Arrival,
    ) -> RuleResult<i32> {
        let Arrival { from, to, .. } = action;
        if open.is_some_and(|open| !open[to.index()]) {
            return Ok(0);
        }
        if let Some(Targets::Table(table)) = &self.targets {
            let ranges = table.ranges();
            let here = |slot: usize, number: i32| number.min(ranges[slot].1);
            let armies = || from.map_or(0, |from| game.armies(from));
            let class = || from.map_or(0, |from| game.fight_class(from, to) as i32);
            let there = game.armies(to);
            // The last entry of the table also applies to larger numbers.
            let value = match ranges.len() {
                1 => table.get(&[here(0, there)]),
                2 => table.get(&[here(0, armies()), here(1, there)]),
                _ => table.get(&[here(0, armies()), here(1, there), here(2, class())]),
            };
            if value? < 1 {
                return Ok(0);
            }
        }
        if !self.has_limits || !action.brings_armies {
            return Ok(ANY_NUMBER);
        }
        let is_own = from.is_none() || game.owns(player, to);
        Ok(if is_own {
            game.space(to, Unit::FIRST)
        } else {
            ANY_NUMBER
        })
    }
}
