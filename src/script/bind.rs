//! From scripts to rules: what a ruleset declares, and the same bound to a map, options and
//! players.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rhai::{Dynamic, INT, Scope};

use super::api::{self, Offers};
use super::compile::{self, Compiled, Constants};
use super::declare;
use super::engine::{Sandbox, ScriptLimits, TO_BIND};
use super::fault::ScriptFault;
use super::manifest::{Manifest, OptionValue, PhaseKind};
use super::rules::{Caller, GameHooks, Hook, PhaseImpl, ScriptPhase, ScriptRules};
use super::{Script, Source, cards, lint, tables};
use crate::kernel::board::Board;
use crate::kernel::declare::{CardInfo, Declaration, OnFault, Sight, Strikes};
use crate::kernel::state::GameState;
use crate::kernel::view::Facts;
use crate::phases::table::Table;
use crate::phases::{self, Bind, Unbound};
use crate::suggest;

/// A ruleset as its files declare it, for any map. It can go to other threads; each binds its own.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// The script, and behind it those it extends.
    pub(super) scripts: Vec<Script>,
    /// What it declares, read without a map: names, options, players.
    pub manifest: Manifest,
}

/// A ruleset bound to a map: the declarations and the rules.
#[derive(Debug)]
pub struct Bound {
    /// What the loop needs to know.
    pub decl: Arc<Declaration>,
    /// The rules, for this thread.
    pub rules: ScriptRules,
    /// What standard phases looked up.
    used: BTreeSet<String>,
    /// The names and values that bots' scripts get as constants.
    pub constants: Vec<(String, i64)>,
}

/// The hooks that are not of a phase: name, parameters.
const HOOKS: [(&str, usize, &str); 8] = [
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
const CARDS: &str = "cards";
const PHASE_HOOKS: [(&str, usize, &str); 4] = [
    ("enter", 2, "(g, me)"),
    ("options", 3, "(g, me, out)"),
    ("apply", 3, "(g, me, said)"),
    ("plans", 3, "(g, me, out)"),
];

impl Ruleset {
    /// Which ruleset a script extends, if any.
    ///
    /// # Errors
    /// When the script can't be read that far.
    pub fn extends(script: &Script) -> Result<Option<String>, ScriptFault> {
        let (map, source, ast) = declare::declarations(script, None)?;
        let Some(name) = map.get("extends") else {
            return Ok(None);
        };
        name.clone().into_string().map(Some).map_err(|_| {
            let position = compile::key_position(&ast, "extends").unwrap_or(rhai::Position::NONE);
            ScriptFault::new(
                "ruleset::value",
                "`extends` must be the name of a ruleset in quotes",
            )
            .at(&source, position)
        })
    }

    /// Reads a ruleset's declarations: the script, and behind it those it extends.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn read(scripts: Vec<Script>) -> Result<Self, Vec<ScriptFault>> {
        let manifest = declare::read_manifest(&scripts, None)?;
        let mut ruleset = Self { scripts, manifest };
        // How many can play may be an option's choice.
        let defaults = ruleset.options(&[]).unwrap_or_default();
        ruleset.manifest.players = ruleset.players(&defaults)?;
        Ok(ruleset)
    }

    /// The script, then those of the rulesets it extends, each with what it may import.
    #[must_use]
    pub fn scripts(&self) -> &[Script] {
        &self.scripts
    }

    /// The script's own source, then those of the rulesets it extends.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.scripts.iter().map(|script| &script.source)
    }

    /// All options with the defaults, a preset laid over them, and the given values over that, in
    /// whatever order they are given. Where a preset is chosen, its name is the option `preset`.
    ///
    /// # Errors
    /// Says which name or value is not possible, and what is.
    pub fn options(
        &self,
        said: &[(String, String)],
    ) -> Result<BTreeMap<String, OptionValue>, String> {
        let infos = &self.manifest.options;
        let mut values: BTreeMap<String, OptionValue> = infos
            .iter()
            .map(|(name, info)| (name.clone(), info.default.clone()))
            .collect();
        if let Some((_, preset)) = said.iter().find(|(name, _)| name == "preset") {
            let presets = &self.manifest.presets;
            let found = presets.get(preset).ok_or_else(|| {
                let help = suggest::help(preset, presets.keys().map(String::as_str));
                format!(
                    "the ruleset {} has no preset `{preset}`; {help}",
                    self.manifest.name
                )
            })?;
            values.extend(found.clone());
            values.insert("preset".to_owned(), OptionValue::Word(preset.clone()));
        }
        let mut seen = BTreeSet::new();
        for (name, value) in said {
            if !seen.insert(name) {
                return Err(format!("the option `{name}` is given twice"));
            }
            if name == "preset" {
                continue;
            }
            let info = infos.get(name).ok_or_else(|| {
                let help = suggest::help(name, infos.keys().map(String::as_str));
                format!(
                    "the ruleset {} has no option `{name}`; {help}",
                    self.manifest.name
                )
            })?;
            let value = info.read(value).map_err(|domain| {
                format!("the option `{name}` can't be `{value}`; it is {domain}")
            })?;
            values.insert(name.clone(), value);
        }
        Ok(values)
    }

    /// Binds the ruleset to a map, options and a number of players.
    ///
    /// # Errors
    /// Everything that is wrong with the ruleset under them.
    pub fn bind(
        &self,
        board: &Arc<Board>,
        options: &BTreeMap<String, OptionValue>,
        players: usize,
        terms: &ScriptLimits,
    ) -> Result<Bound, Vec<ScriptFault>> {
        let base = base_constants(board, options, players);
        let manifest = declare::read_manifest(&self.scripts, Some(&base))?;
        let (least, most) = manifest.players;
        if !(least..=most).contains(&players) {
            let sit = if players == 1 {
                "1 sits".to_owned()
            } else {
                format!("{players} sit")
            };
            let text = format!(
                "{} is for {} players, and {sit} down",
                manifest.name,
                manifest.players_range()
            );
            return Err(vec![
                ScriptFault::new("ruleset::players", text)
                    .help("give more or fewer --bot, or --players"),
            ]);
        }
        if !manifest.map_fits(board) {
            return Err(vec![manifest.map_fault(board)]);
        }
        let mut constants = base;
        let numbers = name_constants(&self.scripts, &manifest, &mut constants)
            .map_err(|fault| vec![fault])?;
        let tables = tables::compute(&self.scripts, &manifest, &constants)?;
        let mut binder = Binder::new(&self.scripts, &constants, &tables, terms)?;
        let (phases, hooks) = binder.hooks(&manifest);
        if !binder.faults.is_empty() {
            return Err(binder.faults);
        }
        let mut decl = declaration(&manifest);
        decl.cards = binder.cards(board, &decl).map_err(|fault| vec![fault])?;
        binder.forget_cards();
        let phases = binder.phases(&manifest, &decl, &tables, phases);
        if !binder.faults.is_empty() {
            return Err(binder.faults);
        }
        for (info, phase) in decl.phases.iter_mut().zip(&phases) {
            info.asks = match phase {
                PhaseImpl::Standard(phase) => phase.asks(),
                PhaseImpl::Script(hooks) => hooks.options.is_some(),
            };
        }
        let decl = Arc::new(decl);
        binder.sandbox.share(None);
        let caller = Caller {
            sandbox: binder.sandbox,
            files: binder.files,
            hooks,
            handle: ScriptRules::spare(&decl, board),
            offers: Offers::default(),
        };
        Ok(Bound {
            decl,
            rules: ScriptRules {
                phases,
                caller,
                tables,
            },
            used: binder.used,
            constants: numbers,
        })
    }
}

impl Bound {
    /// Everything about the ruleset's own script that is wrong or of no use, as far as it can be
    /// known without playing.
    #[must_use]
    pub fn lints(&self, ruleset: &Ruleset) -> Vec<ScriptFault> {
        let mut faults = lint::unused_declarations(&ruleset.scripts, &ruleset.manifest, &self.used);
        let own = ruleset.scripts.first();
        faults.extend(own.into_iter().flat_map(|own| {
            lint::rules(
                self.rules.engine(),
                own,
                &self.decl,
                &ruleset.manifest.tables,
            )
        }));
        faults
    }
}

impl Manifest {
    fn map_fits(&self, board: &Board) -> bool {
        board.len() as i64 >= self.needs_territories
            && !(self.needs_continents && board.continents().is_empty())
            && self.missing_data(board).is_none()
    }

    fn missing_data(&self, board: &Board) -> Option<&str> {
        let has = |key: &String| {
            board
                .territories()
                .any(|at| board.info(at).data.contains_key(key))
        };
        self.needs_data
            .iter()
            .find(|key| !has(key))
            .map(String::as_str)
    }

    fn map_fault(&self, board: &Board) -> ScriptFault {
        let (ruleset, map) = (&self.name, board.name());
        let text = if (board.len() as i64) < self.needs_territories {
            let least = self.needs_territories;
            format!(
                "the ruleset {ruleset} needs at least {least} territories, and the map {map} has {}",
                board.len()
            )
        } else if let Some(key) = self.missing_data(board) {
            format!(
                "the ruleset {ruleset} needs a map that marks territories with `{key}`, and the map {map} has none"
            )
        } else {
            format!("the ruleset {ruleset} needs a map with continents, and the map {map} has none")
        };
        let own = if board.name() == self.map {
            String::new()
        } else {
            format!("its own map is `--map {}`; ", self.map)
        };
        let help = format!("{own}`risk-cli map list` shows all maps");
        ScriptFault::new("ruleset::map", text).help(help)
    }
}

/// The constant of each option.
pub(super) fn option_constants(
    options: &BTreeMap<String, OptionValue>,
) -> impl Iterator<Item = (String, Dynamic)> {
    let said = options.iter().filter(|(name, _)| *name != "preset");
    said.map(|(name, value)| (name.to_uppercase(), value.to_dynamic()))
}

fn base_constants(
    board: &Board,
    options: &BTreeMap<String, OptionValue>,
    players: usize,
) -> Constants {
    // Rules hang on the options that a preset sets, never on its name.
    let mut constants: Constants = option_constants(options).collect();
    constants.insert("TERRITORIES".to_owned(), (board.len() as INT).into());
    constants.insert("PLAYERS".to_owned(), (players as INT).into());
    constants.insert("NOBODY".to_owned(), (-1 as INT).into());
    constants.insert("TABLE".to_owned(), (-1 as INT).into());
    constants
}

/// Adds a constant for every declared name.
fn name_constants(
    scripts: &[Script],
    manifest: &Manifest,
    constants: &mut Constants,
) -> Result<Vec<(String, i64)>, ScriptFault> {
    let counters = manifest.counters.iter().map(|kept| kept.name.clone());
    let piles = manifest.piles.iter().map(|kept| kept.name.clone());
    let verbs = manifest.verbs.iter().map(|verb| verb.name.clone());
    let phases = manifest
        .phases
        .iter()
        .map(|(phase, _)| format!("{}_phase", phase.name));
    let sections: [(&str, Vec<String>); 6] = [
        ("counter", counters.collect()),
        ("pile", piles.collect()),
        ("verb", verbs.collect()),
        ("phase", phases.collect()),
        ("unit", manifest.units.clone()),
        ("kind of card", manifest.card_kinds.clone()),
    ];
    let mut numbers = Vec::new();
    for (what, names) in sections {
        for (index, name) in names.into_iter().enumerate() {
            let constant = name.to_uppercase();
            let name = name.as_str();
            if constants
                .insert(constant.clone(), (index as INT).into())
                .is_some()
            {
                let text = format!(
                    "the {what} `{name}` would be the constant `{constant}`, which something else is already"
                );
                let fault = ScriptFault::new("ruleset::name", text)
                    .help("names of options, counters, piles, verbs, units and kinds of cards must differ");
                let place = compile::find_key(scripts.iter().map(|script| &script.source), name);
                return Err(place.map_or_else(
                    || fault.clone(),
                    |(source, position)| fault.clone().at(&source, position),
                ));
            }
            numbers.push((constant, index as i64));
        }
    }
    Ok(numbers)
}

fn declaration(manifest: &Manifest) -> Declaration {
    let phases: Vec<_> = manifest
        .phases
        .iter()
        .map(|(info, _)| info.clone())
        .collect();
    let find = |name: &String| phases.iter().position(|phase| phase.name == *name);
    let turn = manifest
        .turn
        .iter()
        .filter_map(find)
        .map(crate::kernel::id::Phase::from_index)
        .collect();
    let (owners_seen, units_seen) = manifest.sight.unwrap_or((Sight::All, Sight::All));
    Declaration {
        name: manifest.name.clone(),
        verbs: manifest.verbs.clone(),
        turn,
        phases,
        counters: manifest.counters.clone(),
        piles: manifest.piles.clone(),
        units: manifest.units.clone(),
        card_kinds: manifest.card_kinds.clone(),
        cards: Vec::new(),
        owners_seen,
        units_seen,
        last_standing: manifest.last_standing,
        max_turns: manifest.max_turns as u32,
        sentences: manifest.sentences.clone(),
        strikes: manifest.strikes.unwrap_or(Strikes {
            limit: 3,
            per_decision: false,
            then: OnFault::Skip,
        }),
    }
}

/// Compiles the files for play and finds their hooks.
struct Binder<'a> {
    scripts: &'a [Script],
    sandbox: Sandbox,
    files: Vec<Compiled>,
    faults: Vec<ScriptFault>,
    /// What standard phases looked up.
    used: BTreeSet<String>,
}

impl<'a> Binder<'a> {
    fn new(
        scripts: &'a [Script],
        constants: &Constants,
        tables: &BTreeMap<String, Table>,
        terms: &ScriptLimits,
    ) -> Result<Self, Vec<ScriptFault>> {
        let mut sandbox = Sandbox::new(terms);
        sandbox.share(Some(TO_BIND));
        api::register_rules(&mut sandbox.engine);
        declare::register(&mut sandbox.engine);
        tables::register(&mut sandbox.engine, tables);
        let mut files = Vec::new();
        // A ruleset can call what it extends as `base::…`, so the farthest is compiled first.
        for (depth, script) in scripts.iter().enumerate().rev() {
            let mut file = compile::compile(&mut sandbox, script, constants, &[CARDS])?;
            if depth > 0 && depth + 1 < scripts.len() && compile::uses_namespace(&file.ast, "base")
            {
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

    fn find(&self, name: &str, parameters: usize) -> Option<Hook> {
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
    fn hooks(&mut self, manifest: &Manifest) -> (Vec<ScriptPhase>, GameHooks) {
        self.check_names(manifest);
        let mut phases = Vec::new();
        for (info, kind) in &manifest.phases {
            let find = |index: usize| {
                let (suffix, parameters, _) = PHASE_HOOKS[index];
                self.find(&format!("{}_{suffix}", info.name), parameters)
            };
            let phase = ScriptPhase {
                enter: find(0),
                options: find(1),
                apply: find(2),
                plans: find(3),
            };
            let name = &info.name;
            let missing = match (&phase.enter, &phase.options, &phase.apply) {
                (None, None, None) => Some(format!(
                    "{name}_enter(g, me), or {name}_options and {name}_apply"
                )),
                (_, Some(_), None) => Some(format!("{name}_apply(g, me, said)")),
                (_, None, Some(_)) => Some(format!("{name}_options(g, me, out)")),
                (_, None, _) if phase.plans.is_some() => {
                    Some(format!("{name}_options(g, me, out)"))
                }
                _ => None,
            };
            if let (Some(missing), PhaseKind::Script) = (missing, kind) {
                let text = format!(
                    "the phase `{name}` is done by the script, and the function {missing} is missing"
                );
                self.faults.push(
                    ScriptFault::new("ruleset::missing-hook", text)
                        .help(format!("define it, or write {name}: standard(\"…\")")),
                );
            }
            phases.push(phase);
        }
        let hooks = GameHooks {
            setup: self.find("setup", 1),
            score: self.find("score", 2),
            on_conquest: self.find("on_conquest", 3),
            on_eliminated: self.find("on_eliminated", 3),
            on_neutral: self.find("on_neutral", 2),
            on_fault_out: self.find("on_fault_out", 2),
        };
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

    /// Functions that look like hooks and are none, and hooks with a wrong number of parameters.
    fn check_names(&mut self, manifest: &Manifest) {
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
            let called = compile::call_names(&self.files[file].ast);
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
                let position = compile::function_position(&source.text, &name);
                self.faults.push(fault.at(&source, position));
            }
        }
    }

    fn unknown_hook(
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
    fn cards(&self, board: &Arc<Board>, decl: &Declaration) -> Result<Vec<CardInfo>, ScriptFault> {
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
    fn forget_cards(&mut self) {
        for file in &mut self.files {
            file.ast
                .retain_functions(|_, _, name, parameters| (name, parameters) != (CARDS, 1));
        }
    }

    fn phases(
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

    fn unbound(&self, phase: &str, standard: &str, unbound: &Unbound) -> ScriptFault {
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
        match compile::find_key(self.scripts.iter().map(|script| &script.source), key) {
            Some((source, position)) => fault.at(&source, position),
            None => fault,
        }
    }
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
