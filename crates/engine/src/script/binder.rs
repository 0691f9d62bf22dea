//! Finds a ruleset's hooks, cards and phases in its compiled files.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use rhai::Scope;
use rhai_guard::sizes::{LONGEST_DECLARED, LONGEST_STRING};

use super::TO_BIND;
use super::adaptation::{self, Adaptation, AdaptationPart, OwnVerbs, Targets};
use super::caller::GameHooks;
use super::compile::{self, CompiledScript, Constants};
use super::engine::Sandbox;
use super::hooks::{self, Hook, HookInfo};
use super::manifest::{Manifest, PhaseKind};
use super::rules::{PhaseImpl, ScriptPhase};
use super::{Script, api, cards, declare, syntax, tables};
use crate::hosting::empty_game;
use rhai_guard::{ScriptFault, ScriptLimits};
use risk_kernel::board::Board;
use risk_kernel::declare::{CardInfo, Declaration, OnFault, PhaseInfo};
use risk_kernel::phases::dice::DiceRule;
use risk_kernel::phases::table::{self, NumberTable};
use risk_kernel::phases::{self, BindError, Param, PhaseBinder};
use risk_kernel::view::Facts;
use risk_text::suggest;

pub(super) struct Binder<'a> {
    pub(super) scripts: &'a [Script],
    pub(super) sandbox: Sandbox,
    pub(super) files: Vec<CompiledScript>,
    pub(super) faults: Vec<ScriptFault>,
    pub(super) used: BTreeSet<String>,
}

impl<'a> Binder<'a> {
    pub(super) fn new(
        scripts: &'a [Script],
        constants: &Constants,
        tables: &BTreeMap<String, NumberTable>,
        limits: &ScriptLimits,
    ) -> Result<Self, Vec<ScriptFault>> {
        let mut sandbox = Sandbox::new(limits, super::api::name_types);
        sandbox.share(TO_BIND);
        let dice = table::classes(tables).map_while(|it| DiceRule::from_tables(tables, it));
        api::register_rules(&mut sandbox.engine, dice.collect());
        declare::register(&mut sandbox.engine);
        tables::register(&mut sandbox.engine, tables);
        let mut files = Vec::new();
        // A script calls the ruleset that it extends as `base::…`, so the base is compiled first.
        for (depth, script) in scripts.iter().enumerate().rev() {
            let mut file = compile::compile(&mut sandbox, script, constants, &[hooks::CARDS.name])?;
            if depth > 0 && depth + 1 < scripts.len() && syntax::uses_namespace(&file.ast, "base") {
                let text = "a ruleset that calls `base::…` can't be extended itself";
                let help = "copy the functions that it calls, or extend its base instead";
                return Err(ScriptFault::new("ruleset::extends", text).help(help).into());
            }
            file.ast.retain_functions(|_, _, name, parameters| {
                table::find(tables, name, parameters).is_none()
            });
            if depth > 0 {
                let module = sandbox.module(Scope::new(), &file.ast.clone_functions_only());
                let module =
                    module.map_err(|error| sandbox.setup_fault(&error, &file.sources, "base"))?;
                sandbox.add_library("base", module.into(), &file.ast);
            }
            files.insert(0, file);
        }
        if files
            .iter()
            .any(|file| file.has(hooks::CHANCE.name, hooks::CHANCE.parameters()))
        {
            api::register_looks(&mut sandbox.engine);
        }
        Ok(Self {
            scripts,
            sandbox,
            files,
            faults: Vec::new(),
            used: BTreeSet::new(),
        })
    }

    /// Returns the hook with this name from the first file that defines it.
    fn find(&self, hook: &HookInfo, name: String) -> Option<Hook> {
        let file = self
            .files
            .iter()
            .position(|file| file.has(&name, hook.parameters()))?;
        Some(Hook { file, name })
    }

    pub(super) fn hooks(&mut self, manifest: &Manifest) -> (Vec<ScriptPhase>, GameHooks) {
        self.check_names(manifest);
        let mut phases = Vec::new();
        for (info, kind) in manifest.phases() {
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
                format!(
                    "{} has no function `{}`",
                    self.scripts[0].source.name,
                    hooks::SETUP.usage()
                ),
            );
            self.faults.push(fault.help(
                "define the function: it deals the first territories, armies and cards, and opens \
                 the first phases",
            ));
        }
        let by_hook = manifest.decl.strikes.then == OnFault::Hook;
        if by_hook && hooks.on_fault_out.is_none() {
            let hook = hooks::ON_FAULT_OUT.usage();
            let text = format!("`on_fault` is \"hook\", but the function `{hook}` is missing");
            self.faults.push(
                ScriptFault::new("ruleset::missing-hook", text)
                    .help("define it, or choose another policy with `on_fault`"),
            );
        }
        if hooks.on_exhausted.is_none() {
            let mut all = manifest.phases();
            self.faults
                .extend(all.find_map(|(info, kind)| needs_exhausted(info, kind)));
        }
        (phases, hooks)
    }

    fn phase_hooks(&self, name: &str) -> ScriptPhase {
        let find = |hook: &HookInfo| self.find(hook, hook.of_phase(name));
        ScriptPhase {
            enter: find(&hooks::ENTER),
            options: find(&hooks::OPTIONS),
            apply: find(&hooks::APPLY),
            plans: find(&hooks::PLANS),
            play: find(&hooks::PLAY),
        }
    }

    fn game_hooks(&self) -> GameHooks {
        let find = |hook: &HookInfo| self.find(hook, hook.name.to_owned());
        GameHooks {
            setup: find(&hooks::SETUP),
            score: find(&hooks::SCORE),
            worth: find(&hooks::WORTH),
            on_conquest: find(&hooks::ON_CONQUEST),
            on_eliminated: find(&hooks::ON_ELIMINATED),
            on_neutral: find(&hooks::ON_NEUTRAL),
            on_exhausted: find(&hooks::ON_EXHAUSTED),
            on_fault_out: find(&hooks::ON_FAULT_OUT),
            imagine: find(&hooks::IMAGINE),
            chance: find(&hooks::CHANCE),
        }
    }

    /// Reports functions whose names resemble hooks, and hooks with a wrong number of parameters.
    pub(super) fn check_names(&mut self, manifest: &Manifest) {
        let mut known: BTreeMap<String, &HookInfo> = hooks::OF_RULES
            .map(|hook| (hook.name.to_owned(), hook))
            .into();
        for (info, kind) in manifest.phases() {
            if *kind == PhaseKind::Script {
                known.extend(hooks::OF_PHASES.map(|hook| (hook.of_phase(&info.name), hook)));
            } else if kind.plays() {
                known.insert(hooks::PLAY.of_phase(&info.name), &hooks::PLAY);
            }
            if let PhaseKind::Standard(_, params) = kind {
                known.extend(adaptation::hooks(&info.name, params));
            }
        }
        for file in 0..self.files.len() {
            let ast = &self.files[file].ast;
            let called = syntax::call_names(ast);
            for (name, parameters) in self.files[file].functions() {
                // The base may keep its function of a table that the script declares anew.
                let table = manifest.tables.get(&name).filter(|table| {
                    file == 0
                        && table.ranges.len() != parameters
                        && !syntax::calls(ast, &name, parameters)
                });
                let fault = match known.get(&name) {
                    _ if table.is_some() => {
                        tables::never_called(&name, parameters, table.map_or(&[], |of| &of.ranges))
                    }
                    Some(hook) if hook.parameters() == parameters => continue,
                    Some(hook) => hook.misfit("ruleset::hook-parameters", &name, parameters),
                    None if called.contains(&name) => continue,
                    // The base may keep the functions of a phase that the script reimplements.
                    None if file > 0 && idle_play(&name, manifest).is_some() => continue,
                    None => match self.unknown_hook(&name, &known, manifest, file) {
                        Some(fault) => fault,
                        None => continue,
                    },
                };
                let source = self.files[file].sources[0].clone();
                let position = rhai_guard::function_position(&source, &name);
                self.faults.push(fault.at(&source, position));
            }
        }
    }

    pub(super) fn unknown_hook(
        &self,
        name: &str,
        known: &BTreeMap<String, &HookInfo>,
        manifest: &Manifest,
        file: usize,
    ) -> Option<ScriptFault> {
        if let Some(fault) = idle_play(name, manifest) {
            return Some(fault);
        }
        let near = suggest::nearest(name, known.keys().map(String::as_str));
        let suffix = hooks::OF_PHASES
            .into_iter()
            .find(|hook| name.ends_with(&hook.of_phase("")));
        if near.is_none() && suffix.is_none() && !name.starts_with("on_") {
            return None;
        }
        let phase = suffix.and_then(|hook| name.strip_suffix(&hook.of_phase("")));
        let declared = manifest
            .phases()
            .find(|(info, _)| Some(info.name.as_str()) == phase);
        if let Some((info, PhaseKind::Standard(standard, _))) = declared {
            // The base may keep the functions of a script phase that became a standard phase.
            if file > 0 {
                return None;
            }
            let text = format!(
                "`{name}` is never called: the phase `{}` is `standard(\"{standard}\")`",
                info.name
            );
            return Some(
                ScriptFault::new("ruleset::unknown-hook", text).help(format!(
                    "write `{}: script()` in `phases`, or remove the function",
                    info.name
                )),
            );
        }
        let phases = manifest
            .phases()
            .flat_map(|(info, _)| hooks::OF_PHASES.map(|hook| hook.of_phase(&info.name)));
        let names: Vec<String> = known.keys().cloned().chain(phases).collect();
        let help = match suggest::nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => suggest::help(name, known.keys().map(String::as_str).collect::<Vec<_>>()),
        };
        Some(
            ScriptFault::new("ruleset::unknown-hook", format!("no hook named `{name}`")).help(help),
        )
    }

    pub(super) fn cards(
        &mut self,
        board: &Arc<Board>,
        decl: &Declaration,
    ) -> Result<Vec<CardInfo>, ScriptFault> {
        let name = hooks::CARDS.name;
        let Some(hook) = self.find(&hooks::CARDS, name.to_owned()) else {
            return Ok(Vec::new());
        };
        let file = &self.files[hook.file];
        self.sandbox.engine.set_max_string_size(LONGEST_DECLARED);
        let empty = Facts::new(empty_game(board, &Arc::new(decl.clone()), 1));
        let value = self
            .sandbox
            .unwatched(|| self.sandbox.call(&file.ast, name, None, (empty,)))
            .map_err(|error| self.sandbox.setup_fault(&error, &file.sources, name))?;
        self.sandbox.engine.set_max_string_size(LONGEST_STRING);
        cards::read(value, board, &decl.card_kinds)
    }

    /// Removes the hook `cards(g)` from the files, because it would hide `g.cards(pile)` in a game.
    pub(super) fn forget_cards(&mut self) {
        for file in &mut self.files {
            file.ast.retain_functions(|_, _, name, parameters| {
                (name, parameters) != (hooks::CARDS.name, hooks::CARDS.parameters())
            });
        }
    }

    /// Returns for each phase the hook `PHASE_play`, or `None` if the phase leaves no orders to the
    /// script.
    pub(super) fn plays(manifest: &Manifest, scripts: &[ScriptPhase]) -> Vec<Option<Hook>> {
        let phases = manifest.phases().zip(scripts);
        phases
            .map(|((_, kind), script)| script.play.clone().filter(|_| kind.plays()))
            .collect()
    }

    pub(super) fn phases(
        &mut self,
        manifest: &Manifest,
        decl: &Declaration,
        tables: &BTreeMap<String, NumberTable>,
        scripts: Vec<ScriptPhase>,
    ) -> (Vec<PhaseImpl>, Vec<Option<Rc<Adaptation>>>) {
        let mut all = Vec::new();
        let mut adaptations = Vec::new();
        for ((info, kind), script) in manifest.phases().zip(scripts) {
            all.push(match kind {
                PhaseKind::Script => {
                    adaptations.push(None);
                    PhaseImpl::Script(script)
                }
                PhaseKind::Standard(name, params) => {
                    let plays = phases::plays(name) && script.play.is_some();
                    let (adaptation, params) = adaptation::split(params);
                    let mut bind = PhaseBinder::new(decl, tables, &params, plays);
                    let bound = phases::standard(name, &mut bind);
                    self.used.extend(bind.used());
                    let adaptation = self.adaptation(&info.name, name, &adaptation, decl, tables);
                    adaptations.push(adaptation.map(Rc::new));
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
        (all, adaptations)
    }

    /// Binds what the ruleset changes in a standard phase. Reports what is wrong with it.
    fn adaptation(
        &mut self,
        phase: &str,
        standard: &str,
        params: &BTreeMap<String, Param>,
        decl: &Declaration,
        tables: &BTreeMap<String, NumberTable>,
    ) -> Option<Adaptation> {
        let mut adaptation = Adaptation::by_limits(standard, decl);
        for (key, param) in params {
            match self.adaptation_part(phase, standard, key, param, decl, tables) {
                Ok(part) => {
                    let all = adaptation.get_or_insert_default();
                    match part {
                        AdaptationPart::Targets(targets) => all.targets = Some(targets),
                        AdaptationPart::Verbs(own) => all.own = Some(own),
                        AdaptationPart::Veto(hook) => all.veto = Some(hook),
                        AdaptationPart::After(hook) => all.after = Some(hook),
                    }
                }
                Err(text) => {
                    let fault = ScriptFault::new("ruleset::standard", text);
                    let fault = fault.help("see \"Adapted standard phases\" in docs/rulesets.md");
                    let sources = self.scripts.iter().map(|script| &script.source);
                    self.faults.push(syntax::at_key(sources, key, fault));
                }
            }
        }
        adaptation
    }

    fn adaptation_part(
        &mut self,
        phase: &str,
        standard: &str,
        key: &str,
        param: &Param,
        decl: &Declaration,
        tables: &BTreeMap<String, NumberTable>,
    ) -> Result<AdaptationPart, String> {
        if !adaptation::ADAPTABLE.contains(&standard) || standard == "execution" && key == "verbs" {
            return Err(format!(
                "the standard phase `{standard}` can't have `{key}`"
            ));
        }
        let hook = |hook: &HookInfo, name: &str| {
            let missing = || {
                format!(
                    "`{key}` of `{phase}` needs the function `{}`",
                    hook.written(name)
                )
            };
            self.find(hook, name.to_owned()).ok_or_else(missing)
        };
        match (key, param) {
            ("targets", Param::Word(name)) => match tables.get(name) {
                Some(table) if table.ranges().len() <= 3 => {
                    self.used.insert(name.clone());
                    Ok(AdaptationPart::Targets(Targets::Table(table.clone())))
                }
                Some(_) => Err(format!("the table `{name}` must have at most 3 parameters")),
                None => Ok(AdaptationPart::Targets(Targets::Hook(hook(
                    &hooks::TARGETS,
                    name,
                )?))),
            },
            ("veto", Param::Word(name)) => Ok(AdaptationPart::Veto(hook(&hooks::VETO, name)?)),
            ("after", Param::Word(name)) => Ok(AdaptationPart::After(hook(&hooks::AFTER, name)?)),
            ("verbs", Param::List(names)) => {
                let options = hook(&hooks::OPTIONS, &hooks::OPTIONS.of_phase(phase))?;
                let apply = hook(&hooks::APPLY, &hooks::APPLY.of_phase(phase))?;
                let mut verbs = Vec::new();
                for name in names.iter().map(ToString::to_string) {
                    let verb = decl.verb(&name);
                    verbs.push(verb.ok_or_else(|| format!("`verbs` doesn't declare `{name}`"))?);
                    if !self.used.insert(name.clone()) {
                        return Err(format!("`{name}` is a verb of a standard phase"));
                    }
                }
                Ok(AdaptationPart::Verbs(OwnVerbs {
                    verbs,
                    options,
                    apply,
                }))
            }
            ("verbs", _) => Err(format!("`verbs` of `{phase}` must be an array of verbs")),
            _ => Err(format!(
                "`{key}` of `{phase}` must be the name of a function"
            )),
        }
    }

    pub(super) fn unbound(&self, phase: &str, standard: &str, unbound: &BindError) -> ScriptFault {
        let is_adaptable = adaptation::ADAPTABLE.contains(&standard);
        let adapts = adaptation::KEYS.into_iter().filter(|_| is_adaptable);
        let (text, help) = match unbound {
            BindError::Phase(name) => (
                format!("no standard phase named `{name}`"),
                suggest::help(name, phases::STANDARD.iter().map(|phase| phase.name)),
            ),
            BindError::Needs { section, what } => (
                format!("the standard phase `{standard}` needs `{what}` in `{section}`"),
                format!("declare it, or write `{phase}: script()` and define its functions"),
            ),
            BindError::Param(name, known) => (
                format!("the standard phase `{standard}` has no parameter `{name}`"),
                suggest::help(name, known.iter().copied().chain(adapts)),
            ),
            BindError::Play(verb) => {
                let hook = hooks::PLAY.written(&hooks::PLAY.of_phase(phase));
                (
                    format!(
                        "the standard phase `{standard}` needs the function `{hook}` to execute \
                         `{verb}`"
                    ),
                    "define the function: it carries out each order".to_owned(),
                )
            }
            BindError::Value(name, kind) => (
                format!("`{name}` of the standard phase `{standard}` must be {kind}"),
                if phases::plays(standard) {
                    format!("see docs/rulesets.md for the parameters of `{standard}`")
                } else {
                    "see `risk-cli ruleset show hasbro --source` for an example".to_owned()
                },
            ),
        };
        let key = match unbound {
            BindError::Param(name, _) => name.as_str(),
            BindError::Value(name, _) => name,
            _ => phase,
        };
        let fault = ScriptFault::new("ruleset::standard", text).help(help);
        syntax::at_key(self.scripts.iter().map(|script| &script.source), key, fault)
    }
}

/// Returns a fault if a standard phase needs the hook `on_exhausted` and the ruleset lacks it.
fn needs_exhausted(info: &PhaseInfo, kind: &PhaseKind) -> Option<ScriptFault> {
    let PhaseKind::Standard(_, params) = kind else {
        return None;
    };
    if params.get("exhausted") != Some(&Param::Flag(true)) {
        return None;
    }
    let phase = &info.name;
    let hook = hooks::ON_EXHAUSTED.usage();
    let text =
        format!("`exhausted` of the phase `{phase}` is true, but the function `{hook}` is missing");
    Some(
        ScriptFault::new("ruleset::missing-hook", text)
            .help("define the function: it can end the game, for example"),
    )
}

/// Returns a fault if a function is named `PHASE_play`, but the phase leaves no orders to the
/// script.
fn idle_play(name: &str, manifest: &Manifest) -> Option<ScriptFault> {
    let phase = name.strip_suffix(&hooks::PLAY.of_phase(""))?;
    let mut phases = manifest.phases();
    phases.find(|(info, kind)| info.name == phase && !kind.plays())?;
    let text =
        format!("`{name}` is never called: the phase `{phase}` executes no orders by script");
    let help = "only the standard phases `orders` and `execution` call such a function";
    Some(ScriptFault::new("ruleset::unknown-hook", text).help(help))
}

fn missing_in_phase(name: &str, phase: &ScriptPhase) -> Option<ScriptFault> {
    let written = |hook: &HookInfo| hook.written(&hook.of_phase(name));
    let quoted = |hook: &HookInfo| format!("`{}`", written(hook));
    let missing = match (&phase.enter, &phase.options, &phase.apply) {
        (None, None, None) => {
            format!(
                "`{}`, or `{name}_options` and `{name}_apply`",
                written(&hooks::ENTER)
            )
        }
        (_, Some(_), None) => quoted(&hooks::APPLY),
        (_, None, Some(_)) => quoted(&hooks::OPTIONS),
        (_, None, _) if phase.plans.is_some() => quoted(&hooks::OPTIONS),
        _ => return None,
    };
    let text = format!("the phase `{name}` is `script()`, but lacks the function {missing}");
    let help = format!("define it, or write `{name}: standard(\"…\")`");
    Some(ScriptFault::new("ruleset::missing-hook", text).help(help))
}

/// Returns the Rhai signature of every function that is registered for any kind of script, except
/// the language's own library. The list includes one table for each possible number of parameters.
#[must_use]
pub fn natives() -> BTreeSet<String> {
    let mut engine = rhai_guard::Natives::new(api::name_types);
    rhai_guard::numbers::register(&mut engine);
    api::register_rules(&mut engine, Vec::new());
    api::register_bots(&mut engine);
    declare::register(&mut engine);
    let table = |parameters: usize| {
        let name = format!("table{parameters}");
        let table = NumberTable::new(&name, &vec![(0, 0); parameters], &[0]);
        (name, table)
    };
    tables::register(&mut engine, &(1..=4).map(table).collect());
    let of_host = engine.gen_fn_signatures(false).into_iter();
    of_host.chain(rhai_guard::list_functions()).collect()
}
