//! Static checks of a script, in addition to the checks that are required to load it.

mod calls;
mod declared;
mod names;

use std::any::TypeId;
use std::collections::BTreeMap;

use rhai::{AST, ASTNode, Engine, FnCallExpr, INT, Map, Position};

use super::adaptation;
use super::api::{ActionValue, AskValue, GameHandle, Offers, ScriptView};
use super::hooks::{self, HookInfo, HookParameter};
use super::manifest::{Manifest, PhaseKind};
use super::{Script, Source, syntax};
use rhai_guard::ScriptFault;
use risk_kernel::declare::Declaration;
use risk_kernel::view::Facts;

pub(super) use declared::is_opened;
pub(super) use declared::unused as unused_declarations;

/// A script parsed without constants, so that the tree still contains every name.
struct ScriptText<'a> {
    source: &'a Source,
    draft: AST,
    functions: Vec<Function>,
}

struct Function {
    name: String,
    parameters: Vec<String>,
    /// The function's first line, counted from 1.
    first: usize,
    /// The last line before the next function.
    last: usize,
}

impl<'a> ScriptText<'a> {
    fn read(source: &'a Source) -> Option<Self> {
        let draft = syntax::draft(source).ok()?;
        let lines = rhai_guard::function_lines(&source.text);
        let mut functions: Vec<Function> = draft
            .iter_functions()
            .filter_map(|function| {
                let first = *lines.get(function.name)?;
                let parameters = function.params.iter();
                let parameters = parameters.map(|&name| name.to_owned()).collect();
                Some(Function {
                    name: function.name.to_owned(),
                    parameters,
                    first,
                    last: usize::MAX,
                })
            })
            .collect();
        functions.sort_by_key(|function| function.first);
        for index in 1..functions.len() {
            functions[index - 1].last = functions[index]
                .first
                .saturating_sub(1)
                .max(functions[index - 1].first);
        }
        Some(Self {
            source,
            draft,
            functions,
        })
    }

    fn function_at(&self, position: Position) -> Option<&Function> {
        let line = position.line()?;
        // The functions are sorted by line.
        let after = self
            .functions
            .partition_point(|function| function.first <= line);
        let before = self.functions[..after].partition_point(|function| function.last < line);
        self.functions[..after].get(before)
    }

    /// Visits all nodes, but stops when the maximum number of faults is reached.
    fn faults(
        &self,
        mut visit: impl FnMut(&ASTNode<'_>, &mut Vec<ScriptFault>),
    ) -> Vec<ScriptFault> {
        let mut faults = Vec::new();
        self.draft.walk(&mut |path: &[ASTNode<'_>]| {
            path.iter()
                .last()
                .into_iter()
                .for_each(|node| visit(node, &mut faults));
            faults.len() < rhai_guard::MOST_FINDINGS
        });
        faults
    }

    /// Visits the calls of methods, or of other functions, like [`Self::faults`].
    fn call_faults(
        &self,
        methods: bool,
        mut visit: impl FnMut(&FnCallExpr, Position, &mut Vec<ScriptFault>),
    ) -> Vec<ScriptFault> {
        self.faults(|node, faults| match syntax::call_of(node) {
            Some((call, place, is_method)) if is_method == methods => visit(call, place, faults),
            _ => {}
        })
    }

    fn walk(&self, visit: impl FnMut(&ASTNode<'_>)) {
        syntax::visit(&self.draft, visit);
    }
}

type Types = Vec<TypeId>;

fn types(hook: &HookInfo) -> Types {
    let of = |handed: HookParameter| match handed {
        HookParameter::Game => TypeId::of::<GameHandle>(),
        HookParameter::Facts => TypeId::of::<Facts>(),
        HookParameter::Number => TypeId::of::<INT>(),
        HookParameter::Offers => TypeId::of::<Offers>(),
        HookParameter::Action => TypeId::of::<ActionValue>(),
        HookParameter::View => TypeId::of::<ScriptView>(),
        HookParameter::Ask => TypeId::of::<AskValue>(),
        HookParameter::Event => TypeId::of::<Map>(),
    };
    hook.takes.iter().map(|(_, handed)| of(*handed)).collect()
}

fn bot_hooks(decl: &Declaration) -> BTreeMap<String, Types> {
    let of_phase = types(&hooks::BOT_PHASE);
    let phases = decl
        .phases
        .iter()
        .map(|phase| (phase.name.clone(), of_phase.clone()));
    phases
        .chain(hooks::OF_BOTS.map(|hook| (hook.name.to_owned(), types(hook))))
        .collect()
}

fn rules_hooks(decl: &Declaration) -> BTreeMap<String, Types> {
    let of_phases = decl.phases.iter().flat_map(|phase| {
        let all = hooks::OF_PHASES.into_iter().chain([&hooks::PLAY]);
        all.map(|hook| (hook.of_phase(&phase.name), types(hook)))
    });
    hooks::OF_RULES
        .map(|hook| (hook.name.to_owned(), types(hook)))
        .into_iter()
        .chain(of_phases)
        .collect()
}

pub(super) fn bot(
    engine: &Engine,
    script: &Script,
    decl: &Declaration,
    events: &[&str],
) -> Vec<ScriptFault> {
    let Some(text) = ScriptText::read(&script.source) else {
        return Vec::new();
    };
    let hooks = bot_hooks(decl);
    let known = names::known_properties(&text, engine, decl, events);
    let mut faults = calls::typed(&text, engine, &hooks);
    faults.extend(calls::verbs(&text, decl));
    faults.extend(calls::kept_names(&text, decl));
    faults.extend(calls::untold_chances(&text, decl));
    faults.extend(names::properties(&text, &known, &hooks));
    faults.extend(names::changed_constants(&text));
    faults.extend(names::unused_variables(&text, &["API"]));
    faults.extend(names::unused_functions(&text, &hooks));
    sorted(faults)
}

/// Returns all errors and unused parts in a ruleset's own script. The program calls the functions
/// of its tables, so they count as used.
pub(super) fn rules(
    engine: &Engine,
    script: &Script,
    decl: &Declaration,
    manifest: &Manifest,
) -> Vec<ScriptFault> {
    let tables = &manifest.tables;
    let Some(text) = ScriptText::read(&script.source) else {
        return Vec::new();
    };
    let mut hooks = rules_hooks(decl);
    for (info, kind) in manifest.phases() {
        if let PhaseKind::Standard(_, params) = kind {
            let adapted = adaptation::hooks(&info.name, params).into_iter();
            hooks.extend(adapted.map(|(name, hook)| (name, types(hook))));
        }
    }
    let known = names::known_properties(&text, engine, decl, &[]);
    let mut faults = calls::typed(&text, engine, &hooks);
    faults.extend(calls::table_ranges(&text, tables));
    faults.extend(calls::endings(&text, decl));
    // An option may determine which tables exist.
    let keys = syntax::key_positions(&text.draft).into_iter();
    let declared = keys.filter(|(_, position)| names::in_ruleset(&text, *position));
    hooks.extend(declared.map(|(name, _)| (name, Vec::new())));
    hooks.extend(tables.keys().map(|name| (name.clone(), Vec::new())));
    faults.extend(names::properties(&text, &known, &hooks));
    faults.extend(names::changed_constants(&text));
    faults.extend(names::unused_variables(&text, &[]));
    faults.extend(names::unused_functions(&text, &hooks));
    sorted(faults)
}

fn sorted(mut faults: Vec<ScriptFault>) -> Vec<ScriptFault> {
    let place = |fault: &ScriptFault| {
        fault
            .place
            .as_ref()
            .map_or((0, 0), |place| (place.line, place.column))
    };
    faults.sort_by(ScriptFault::compare);
    // Two checks may report the same fault.
    faults.dedup_by(|second, first| second.code == first.code && place(second) == place(first));
    if faults.len() >= rhai_guard::MOST_FINDINGS {
        faults.truncate(rhai_guard::MOST_FINDINGS);
        let more = rhai_guard::and_more();
        faults.push(if faults[0].warning {
            more.warning()
        } else {
            more
        });
    }
    faults
}
