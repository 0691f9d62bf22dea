//! Standard phases that a ruleset bends: without some targets, with verbs of the script's own, with
//! a veto before an answer and an effect after it.

use std::collections::BTreeMap;

use rhai::{Dynamic, INT};

use super::api::{self, ActionValue};
use super::hooks::{self, HookInfo};
use super::rules::{Hook, HookCaller, seat};
use risk_kernel::action::{Action, Bounds, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::{Player, Territory, Unit, Verb};
use risk_kernel::phases::Param;
use risk_kernel::phases::narrow::{ANY_NUMBER, narrowed, narrowed_bounds};
use risk_kernel::phases::table::NumberTable;
use risk_kernel::state::GameState;
use risk_kernel::view::Facts;
use risk_kernel::words::Words;

/// The parameters with which every standard phase that asks can be bent.
pub(super) const KEYS: [&str; 4] = ["targets", "verbs", "veto", "after"];

/// The standard phases that can be bent.
pub(super) const BENT: [&str; 6] = [
    "claim",
    "deploy",
    "attack",
    "fortify",
    "orders",
    "execution",
];

/// The standard phases in which armies come to territories without a fight.
const ARRIVING: [&str; 5] = ["claim", "deploy", "occupy", "fortify", "orders"];

/// Separates the parameters that bend a standard phase from its own.
pub(super) fn split(
    params: &BTreeMap<String, Param>,
) -> (BTreeMap<String, Param>, BTreeMap<String, Param>) {
    let is_bend = |name: &str| KEYS.contains(&name);
    let all = params
        .iter()
        .map(|(name, param)| (name.clone(), param.clone()));
    all.partition(|(name, _)| is_bend(name))
}

/// Returns the names of the functions that bend a standard phase with these parameters.
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

/// One of the parameters that bend a standard phase.
pub(super) enum BendPart {
    Targets(Targets),
    Verbs(OwnVerbs),
    Veto(Hook),
    After(Hook),
}

/// How a ruleset bends a standard phase.
#[derive(Debug, Default)]
pub(super) struct Bend {
    pub(super) targets: Option<Targets>,
    pub(super) own: Option<OwnVerbs>,
    pub(super) veto: Option<Hook>,
    pub(super) after: Option<Hook>,
    /// Whether armies that arrive need room.
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

impl Bend {
    /// Returns the bend of a standard phase by the ruleset's limits alone, if they matter there.
    pub(super) fn by_limits(phase: &str, decl: &Declaration) -> Option<Self> {
        let has_limits = decl.limits_units() && ARRIVING.contains(&phase);
        has_limits.then(|| Self {
            has_limits,
            ..Self::default()
        })
    }

    /// Returns the functions that the bend calls.
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

    const fn narrows(&self) -> bool {
        self.targets.is_some() || self.has_limits
    }

    /// Reports whether the options are those of the standard phase.
    pub(super) const fn is_usual(&self) -> bool {
        !self.narrows() && self.own.is_none()
    }

    fn has(&self, verb: Verb) -> bool {
        self.own
            .as_ref()
            .is_some_and(|own| own.verbs.contains(&verb))
    }

    /// Returns the number of armies for which there is room on a target. `open` are the targets of
    /// the hook, by territory.
    fn room(
        &self,
        game: &GameState,
        player: Player,
        open: Option<&[bool]>,
        from: Option<Territory>,
        to: Territory,
    ) -> Result<i32, RuleFault> {
        if open.is_some_and(|open| !open[to.index()]) {
            return Ok(0);
        }
        if let Some(Targets::Table(table)) = &self.targets {
            let here = from.map_or(0, |from| game.armies(from));
            let class = from.map_or(0, |from| game.fight_class(from, to) as i32);
            let all = [here, game.armies(to), class];
            let ranges = table.ranges();
            let given = if ranges.len() == 1 {
                &all[1..2]
            } else {
                &all[..ranges.len()]
            };
            // The last entry of the table also applies to larger numbers.
            let last = given
                .iter()
                .zip(ranges)
                .map(|(&number, range)| number.min(range.1));
            if table.get(&last.collect::<Vec<_>>())? < 1 {
                return Ok(0);
            }
        }
        let arrives = self.has_limits && (from.is_none() || game.owns(player, to));
        Ok(if arrives {
            game.room(to, Unit::FIRST)
        } else {
            ANY_NUMBER
        })
    }
}

impl HookCaller {
    /// Calls the function that returns the targets, if there is one, by `call`.
    fn open_targets(
        &self,
        bend: &Bend,
        territories: usize,
        call: impl FnOnce(&Self, &Hook) -> Result<Dynamic, RuleFault>,
    ) -> Result<Option<Vec<bool>>, RuleFault> {
        let Some(Targets::Hook(hook)) = &bend.targets else {
            return Ok(None);
        };
        let value = call(self, hook)?;
        let wrong = |found: &str| {
            let name = &hook.name;
            RuleFault::new(format!(
                "`{name}` must return an array of territories, found {found}"
            ))
        };
        let kind = api::kind(&value);
        let all = value.into_typed_array::<INT>().map_err(|_| wrong(kind))?;
        let mut open = vec![false; territories];
        for at in all {
            let place = usize::try_from(at).ok().and_then(|at| open.get_mut(at));
            *place.ok_or_else(|| wrong(&format!("the number {at}")))? = true;
        }
        Ok(Some(open))
    }

    fn targets(
        &self,
        bend: &Bend,
        game: &Facts,
        player: Player,
    ) -> Result<Option<Vec<bool>>, RuleFault> {
        self.open_targets(bend, game.board().len(), |caller, hook| {
            caller.call(hook, (game.clone(), INT::from(player.0)))
        })
    }

    /// Bends the options of a standard phase.
    pub(super) fn bend_options(
        &self,
        bend: &Bend,
        game: &Facts,
        player: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        if bend.narrows() {
            let open = self.targets(bend, game, player)?;
            *out = narrowed(out, &game.decl().verbs, |from, to| {
                bend.room(game, player, open.as_deref(), from, to)
            })?;
        }
        let Some(own) = &bend.own else {
            return Ok(());
        };
        let before = out.offers().len();
        self.fill(Some(&own.options), game, player, false, out)?;
        match out.offers()[before..]
            .iter()
            .find(|offer| !bend.has(offer.verb))
        {
            None => Ok(()),
            Some(offer) => Err(RuleFault::new(format!(
                "`{}` offers `{}`, which is not among the `verbs` of its standard phase",
                own.options.name,
                game.decl().verbs[offer.verb.index()].name
            ))),
        }
    }

    /// Bends the bounds of a verb in a standard phase.
    pub(super) fn bend_bounds(
        &self,
        bend: &Bend,
        game: &Facts,
        player: Player,
        verb: Verb,
        given: &[i32],
        bounds: Bounds,
    ) -> Result<Bounds, RuleFault> {
        if bend.has(verb) {
            return Ok(Bounds::Unknown);
        }
        if !bend.narrows() || matches!(bounds, Bounds::Unknown) || bounds == Bounds::NONE {
            return Ok(bounds);
        }
        let open = self.targets(bend, game, player)?;
        let verb = &game.decl().verbs[verb.index()];
        narrowed_bounds(bounds, verb, given, |from, to| {
            bend.room(game, player, open.as_deref(), from, to)
        })
    }

    /// Returns why an answer or an order has no effect; `None` if it has one.
    pub(super) fn refusal(
        &self,
        bend: &Bend,
        game: &mut GameState,
        player: Player,
        action: Action,
        is_order: bool,
    ) -> Result<Option<String>, RuleFault> {
        let me = seat(Some(player));
        if is_order && bend.targets.is_some() {
            let open = self.open_targets(bend, game.board().len(), |caller, hook| {
                caller.change(hook, game, [me.clone()])
            })?;
            let verb = &game.decl().verbs[action.verb.index()];
            let (last, given) = action.args().split_last().unwrap_or((&0, &[]));
            let room = |from, to| bend.room(game, player, open.as_deref(), from, to);
            let bounds = narrowed_bounds(Bounds::only(*last), verb, given, room)?;
            if bounds == Bounds::NONE {
                return Ok(Some("that is no target".to_owned()));
            }
        }
        let Some(veto) = &bend.veto else {
            return Ok(None);
        };
        let said = Dynamic::from(ActionValue::new(action, game.decl()));
        let value = self.change(veto, game, [me, said])?;
        if value.is_unit() {
            return Ok(None);
        }
        let kind = api::kind(&value);
        value.into_string().map(Some).map_err(|_| {
            let name = &veto.name;
            RuleFault::new(format!("`{name}` must return a reason or (), found {kind}"))
        })
    }

    /// Announces that an answer has no effect, and ends the phase for the player.
    pub(super) fn refuse(game: &mut GameState, player: Player, action: Action, reason: &str) {
        game.say_with(Some(player), |game| {
            let words = Words::new(game.board(), game.decl()).sentence(action);
            format!("{words}: not possible, {reason}")
        });
        game.leave(player);
    }

    /// Runs the effect after an answer or an order.
    pub(super) fn after(
        &self,
        bend: &Bend,
        game: &mut GameState,
        player: Player,
        action: Action,
    ) -> Result<(), RuleFault> {
        let Some(hook) = &bend.after else {
            return Ok(());
        };
        let said = Dynamic::from(ActionValue::new(action, game.decl()));
        self.run(Some(hook), game, [seat(Some(player)), said])
    }

    /// Executes an answer with a verb of the script's own in a standard phase. Returns whether it
    /// was one.
    pub(super) fn apply_own(
        &self,
        bend: &Bend,
        game: &mut GameState,
        player: Player,
        action: Action,
    ) -> Result<bool, RuleFault> {
        let Some(own) = bend
            .own
            .as_ref()
            .filter(|own| own.verbs.contains(&action.verb))
        else {
            return Ok(false);
        };
        let said = Dynamic::from(ActionValue::new(action, game.decl()));
        self.run(Some(&own.apply), game, [seat(Some(player)), said])?;
        Ok(true)
    }
}
