//! Finds a ruleset's hooks, cards and phases in its compiled files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rhai::Scope;

use super::compile::{self, Compiled, Constants};
use super::engine::{Sandbox, TO_BIND};
use super::fault::ScriptFault;
use super::manifest::{Manifest, PhaseKind};
use super::rules::{GameHooks, Hook, PhaseImpl, ScriptPhase};
use super::script_limits::ScriptLimits;
use super::{Script, api, cards, declare, source, syntax, tables};
use crate::kernel::board::Board;
use crate::kernel::declare::{CardInfo, Declaration, OnFault};
use crate::kernel::state::GameState;
use crate::kernel::view::Facts;
use crate::phases::dice::DiceRule;
use crate::phases::table::Table;
use crate::phases::{self, Bind, Unbound};
use crate::text::suggest;

/// The hooks that are not of a phase: name, parameters.
pub(super) const HOOKS: [(&str, usize, &str); 8] = [
    ("ruleset", 0, "ruleset()"),
    ("setup", 1, "setup(g)"),
    ("cards", 1, "cards(g)"),
    ("score", 2, "score(g, who)"),
    ("on_conquest", 3, "on_conquest(g, me, at)"),
    ("on_eliminated", 3, "on_eliminated(g, me, foe)"),
    ("on_neutral", 2, "on_neutral(g, who)"),
    ("on_fault_out", 2, "on_fault_out(g, who)"),
];

/// The hook that is called before there is a game, and that has the name of a function of `g`.
pub(super) const CARDS: &str = "cards";

pub(super) const PHASE_HOOKS: [(&str, usize, &str); 4] = [
    ("enter", 2, "(g, me)"),
    ("options", 3, "(g, me, out)"),
    ("apply", 3, "(g, me, said)"),
    ("plans", 3, "(g, me, out)"),
];

/// Compiles the files for play and finds their hooks.
pub(super) struct Binder<'a> {
    pub(super) scripts: &'a [Script],
    pub(super) sandbox: Sandbox,
    pub(super) files: Vec<Compiled>,
    pub(super) faults: Vec<ScriptFault>,
    /// What standard phases looked up.
    pub(super) used: BTreeSet<String>,
}

impl<'a> Binder<'a> {
    pub(super) fn new(
        scripts: &'a [Script],
        constants: &Constants,
        tables: &BTreeMap<String, Table>,
        limits: &ScriptLimits,
    ) -> Result<Self, Vec<ScriptFault>> {
        let mut sandbox = Sandbox::new(limits);
        sandbox.share(Some(TO_BIND));
        api::register_rules(&mut sandbox.engine, DiceRule::from_tables(tables));
        declare::register(&mut sandbox.engine);
        tables::register(&mut sandbox.engine, tables);
        let mut files = Vec::new();
        // A ruleset can call what it extends as `base::…`, so the farthest is compiled first.
        for (depth, script) in scripts.iter().enumerate().rev() {
            let mut file = compile::compile(&mut sandbox, script, constants, &[CARDS])?;
            if depth > 0 && depth + 1 < scripts.len() && syntax::uses_namespace(&file.ast, "base") {
                let text = "a ruleset that calls `base::…` can't be extended itself";
                let help = "write out what it calls, or extend the ruleset below it";
                return Err(vec![ScriptFault::new("ruleset::extends", text).help(help)]);
            }
            let is_table = |name: &str, parameters: usize| {
                tables
                    .get(name)
                    .is_some_and(|table| table.ranges().len() == parameters)
            };
            file.ast
                .retain_functions(|_, _, name, parameters| !is_table(name, parameters));
            if depth > 0 {
                let module = sandbox.module(Scope::new(), &file.ast.clone_functions_only());
                let module = module
                    .map_err(|error| vec![sandbox.setup_fault(&error, &file.sources, "base")])?;
                sandbox.add_library("base", module.into(), &file.ast);
            }
            files.insert(0, file);
        }
        Ok(Self {
            scripts,
            sandbox,
            files,
            faults: Vec::new(),
            used: BTreeSet::new(),
        })
    }

    pub(super) fn find(&self, name: &str, parameters: usize) -> Option<Hook> {
        let file = self
            .files
            .iter()
            .position(|file| file.has(name, parameters))?;
        Some(Hook {
            file,
            name: name.to_owned(),
        })
    }

    /// The hooks of each script phase and of the game, and what is wrong with them.
    pub(super) fn hooks(&mut self, manifest: &Manifest) -> (Vec<ScriptPhase>, GameHooks) {
        self.check_names(manifest);
        let mut phases = Vec::new();
        for (info, kind) in &manifest.phases {
            let phase = self.phase_hooks(&info.name);
            if *kind == PhaseKind::Script {
                self.faults.extend(missing_in_phase(&info.name, &phase));
            }
            phases.push(phase);
        }
        let hooks = self.game_hooks();
        if hooks.setup.is_none() {
            let fault = ScriptFault::new(
                "ruleset::missing-hook",
                format!("{} has no function setup(g)", self.scripts[0].source.name),
            );
            self.faults.push(
                fault.help("setup(g) puts the first land, armies and cards on the board and opens the first phases"),
            );
        }
        let by_hook = manifest
            .strikes
            .is_some_and(|strikes| strikes.then == OnFault::Hook);
        if by_hook && hooks.on_fault_out.is_none() {
            let text = "on_fault is \"hook\", and the function on_fault_out(g, who) is missing";
            self.faults.push(
                ScriptFault::new("ruleset::missing-hook", text)
                    .help("define it, or choose another policy"),
            );
        }
        (phases, hooks)
    }

    fn phase_hooks(&self, name: &str) -> ScriptPhase {
        let find = |index: usize| {
            let (suffix, parameters, _) = PHASE_HOOKS[index];
            self.find(&format!("{name}_{suffix}"), parameters)
        };
        ScriptPhase {
            enter: find(0),
            options: find(1),
            apply: find(2),
            plans: find(3),
        }
    }

    fn game_hooks(&self) -> GameHooks {
        GameHooks {
            setup: self.find("setup", 1),
            score: self.find("score", 2),
            on_conquest: self.find("on_conquest", 3),
            on_eliminated: self.find("on_eliminated", 3),
            on_neutral: self.find("on_neutral", 2),
            on_fault_out: self.find("on_fault_out", 2),
        }
    }

    /// Functions that look like hooks and are none, and hooks with a wrong number of parameters.
    pub(super) fn check_names(&mut self, manifest: &Manifest) {
        let mut known: BTreeMap<String, (usize, String)> = HOOKS
            .iter()
            .map(|&(name, parameters, usage)| (name.to_owned(), (parameters, usage.to_owned())))
            .collect();
        for (info, kind) in &manifest.phases {
            for (suffix, parameters, usage) in PHASE_HOOKS {
                if *kind == PhaseKind::Script {
                    let name = format!("{}_{suffix}", info.name);
                    known.insert(name.clone(), (parameters, format!("{name}{usage}")));
                }
            }
        }
        for file in 0..self.files.len() {
            let called = syntax::call_names(&self.files[file].ast);
            for (name, parameters) in self.files[file].functions() {
                let fault = match known.get(&name) {
                    Some((wanted, _)) if *wanted == parameters => continue,
                    Some((_, usage)) => ScriptFault::new(
                        "ruleset::hook-parameters",
                        format!("the hook `{name}` has {parameters} parameters"),
                    )
                    .help(format!("it is written fn {usage}")),
                    None if called.contains(&name) => continue,
                    None => match self.unknown_hook(&name, &known, manifest, file) {
                        Some(fault) => fault,
                        None => continue,
                    },
                };
                let source = self.files[file].sources[0].clone();
                let position = source::function_position(&source.text, &name);
                self.faults.push(fault.at(&source, position));
            }
        }
    }

    pub(super) fn unknown_hook(
        &self,
        name: &str,
        known: &BTreeMap<String, (usize, String)>,
        manifest: &Manifest,
        file: usize,
    ) -> Option<ScriptFault> {
        let near = suggest::nearest(name, known.keys().map(String::as_str));
        let suffix = PHASE_HOOKS
            .iter()
            .find(|hook| name.ends_with(&format!("_{}", hook.0)));
        if near.is_none() && suffix.is_none() && !name.starts_with("on_") {
            return None;
        }
        let phase = suffix.and_then(|hook| name.strip_suffix(&format!("_{}", hook.0)));
        let declared = manifest
            .phases
            .iter()
            .find(|(info, _)| Some(info.name.as_str()) == phase);
        if let Some((info, PhaseKind::Standard(standard, _))) = declared {
            // A base's script phase that became standard keeps its functions, which is fine.
            if file > 0 {
                return None;
            }
            let text = format!(
                "the phase `{}` is standard(\"{standard}\"), so `{name}` is never called",
                info.name
            );
            return Some(
                ScriptFault::new("ruleset::unknown-hook", text)
                    .help(format!("write {}: script() in `phases`", info.name)),
            );
        }
        let phases = manifest
            .phases
            .iter()
            .flat_map(|(info, _)| PHASE_HOOKS.map(|hook| format!("{}_{}", info.name, hook.0)));
        let names: Vec<String> = known.keys().cloned().chain(phases).collect();
        let help = match suggest::nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => suggest::help(name, known.keys().map(String::as_str).collect::<Vec<_>>()),
        };
        Some(
            ScriptFault::new(
                "ruleset::unknown-hook",
                format!("no phase and no rule calls the function `{name}`"),
            )
            .help(help),
        )
    }

    /// The ruleset's cards, from its hook `cards(g)`.
    pub(super) fn cards(
        &self,
        board: &Arc<Board>,
        decl: &Declaration,
    ) -> Result<Vec<CardInfo>, ScriptFault> {
        let Some(hook) = self.find(CARDS, 1) else {
            return Ok(Vec::new());
        };
        let file = &self.files[hook.file];
        let empty = Facts::new(GameState::new(
            Arc::clone(board),
            Arc::new(decl.clone()),
            1,
            0,
            0,
        ));
        let value = self
            .sandbox
            .unwatched(|| {
                self.sandbox
                    .call(&mut Scope::new(), &file.ast, CARDS, None, (empty,))
            })
            .map_err(|error| self.sandbox.setup_fault(&error, &file.sources, CARDS))?;
        cards::read(value, board, &decl.card_kinds)
    }

    /// Takes the hook `cards(g)` out of the files: in a game it would hide `g.cards(pile)`.
    pub(super) fn forget_cards(&mut self) {
        for file in &mut self.files {
            file.ast
                .retain_functions(|_, _, name, parameters| (name, parameters) != (CARDS, 1));
        }
    }

    pub(super) fn phases(
        &mut self,
        manifest: &Manifest,
        decl: &Declaration,
        tables: &BTreeMap<String, Table>,
        scripts: Vec<ScriptPhase>,
    ) -> Vec<PhaseImpl> {
        let mut all = Vec::new();
        for ((info, kind), script) in manifest.phases.iter().zip(scripts) {
            all.push(match kind {
                PhaseKind::Script => PhaseImpl::Script(script),
                PhaseKind::Standard(name, params) => {
                    let mut bind = Bind::new(decl, tables, params);
                    let bound = phases::standard(name, &mut bind);
                    self.used.extend(bind.used());
                    match bound {
                        Ok(phase) => PhaseImpl::Standard(phase),
                        Err(unbound) => {
                            let fault = self.unbound(&info.name, name, &unbound);
                            self.faults.push(fault);
                            PhaseImpl::Script(script)
                        }
                    }
                }
            });
        }
        all
    }

    pub(super) fn unbound(&self, phase: &str, standard: &str, unbound: &Unbound) -> ScriptFault {
        let (text, help) = match unbound {
            Unbound::Phase(name) => (
                format!("there is no standard phase `{name}`"),
                suggest::help(name, phases::NAMES),
            ),
            Unbound::Needs { section, what } => (
                format!("the standard phase `{standard}` needs `{what}` in `{section}`"),
                format!("declare it, or write {phase}: script() and the functions of the phase"),
            ),
            Unbound::Param(name, known) => (
                format!("the standard phase `{standard}` has no parameter `{name}`"),
                suggest::help(name, known.iter().copied()),
            ),
            Unbound::Value(name, kind) => (
                format!("`{name}` of the standard phase `{standard}` must be {kind}"),
                "see `risk-cli ruleset show hasbro`".to_owned(),
            ),
        };
        let key = match unbound {
            Unbound::Param(name, _) => name.as_str(),
            Unbound::Value(name, _) => name,
            _ => phase,
        };
        let fault = ScriptFault::new("ruleset::standard", text).help(help);
        match syntax::find_key(self.scripts.iter().map(|script| &script.source), key) {
            Some((source, position)) => fault.at(&source, position),
            None => fault,
        }
    }
}

/// The hook that a phase of the script's own needs and does not have.
fn missing_in_phase(name: &str, phase: &ScriptPhase) -> Option<ScriptFault> {
    let missing = match (&phase.enter, &phase.options, &phase.apply) {
        (None, None, None) => format!("{name}_enter(g, me), or {name}_options and {name}_apply"),
        (_, Some(_), None) => format!("{name}_apply(g, me, said)"),
        (_, None, Some(_)) => format!("{name}_options(g, me, out)"),
        (_, None, _) if phase.plans.is_some() => format!("{name}_options(g, me, out)"),
        _ => return None,
    };
    let text =
        format!("the phase `{name}` is done by the script, and the function {missing} is missing");
    let help = format!("define it, or write {name}: standard(\"…\")");
    Some(ScriptFault::new("ruleset::missing-hook", text).help(help))
}

/// The names of the hooks of rulesets, with `PHASE_` before those of a phase.
pub(super) fn hook_names() -> impl Iterator<Item = String> {
    let of_phases = PHASE_HOOKS
        .iter()
        .map(|(suffix, _, _)| format!("PHASE_{suffix}"));
    HOOKS
        .iter()
        .map(|(name, _, _)| (*name).to_owned())
        .chain(of_phases)
}

/// The signatures of everything that the engines offer: those of rules, or of bots.
#[must_use]
pub fn signatures(rules: bool) -> Vec<String> {
    api::signatures(rules)
}
