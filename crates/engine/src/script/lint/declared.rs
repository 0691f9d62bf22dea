//! Finds unused declarations.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, Position};

use crate::script::manifest::{CONQUEST, Manifest};
use crate::script::{Script, Source, syntax};
use rhai_guard::ScriptFault;
use risk_kernel::declare::Sentences;
use risk_kernel::phases;

#[derive(Default)]
struct UsedNames<'a> {
    /// The variables and constants that scripts read.
    names: BTreeSet<String>,
    /// The string literals.
    strings: BTreeSet<String>,
    called: BTreeSet<String>,
    /// The keys of the map literals in each file.
    places: Vec<(&'a Source, BTreeMap<String, Position>)>,
}

impl<'a> UsedNames<'a> {
    /// Collects the names that scripts use. Returns `None` if a script can't be parsed.
    fn new(scripts: &'a [Script]) -> Option<Self> {
        let mut uses = Self::default();
        for script in scripts {
            let draft = syntax::draft(&script.source).ok()?;
            syntax::visit(&draft, |node| match node {
                ASTNode::Expr(Expr::Variable(variable, ..)) => {
                    uses.names.insert(variable.1.to_string());
                }
                ASTNode::Expr(Expr::StringConstant(text, _)) => {
                    uses.strings.insert(text.to_string());
                }
                _ => {}
            });
            uses.called.extend(syntax::call_names(&draft));
            uses.places
                .push((&script.source, syntax::key_positions(&draft)));
        }
        Some(uses)
    }

    /// Reports whether the ruleset itself declares a name. It can't remove what its base declares.
    fn is_own(&self, name: &str) -> bool {
        match self.places.as_slice() {
            [(_, own), _, ..] => own.contains_key(name),
            _ => true,
        }
    }

    fn reads(&self, name: &str) -> bool {
        self.names.contains(&name.to_uppercase())
    }

    /// Reports whether the phase is part of each turn or a script names it.
    fn opens(&self, manifest: &Manifest, phase: &String) -> bool {
        manifest.decl.turn_names().any(|name| name == phase)
            || self.reads(&format!("{phase}_phase"))
    }

    /// Reports whether the game itself or a script may end a game for this reason.
    fn ends(&self, manifest: &Manifest, reason: &str) -> bool {
        let of_kernel = Sentences::default().of_ending(reason) != reason;
        let by_rules = manifest.decl.last_standing.is_some() && reason == CONQUEST;
        of_kernel || by_rules || self.strings.contains(reason)
    }

    fn unused(&self, what: &str, name: &str, why: &str) -> ScriptFault {
        let text = format!("unused {what} `{name}`");
        let fault = ScriptFault::new("ruleset::unused", text)
            .help(why)
            .warning();
        let mut places = self.places.iter();
        match places.find_map(|(source, keys)| Some((*source, *keys.get(name)?))) {
            Some((source, position)) => fault.at(source, position),
            None => fault,
        }
    }
}

/// Finds declarations of `ruleset()` that neither the scripts nor a standard phase use. `bound`
/// contains the names that standard phases looked up.
pub(in crate::script) fn unused(
    scripts: &[Script],
    manifest: &Manifest,
    bound: &BTreeSet<String>,
) -> Vec<ScriptFault> {
    let Some(uses) = UsedNames::new(scripts) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut look = |what: &str, name: &str, is_used: bool, why: &str| {
        let is_bound = match what {
            "phase" => bound.contains(&phases::phase_key(name)),
            _ => bound.contains(name),
        };
        if !is_used && !is_bound && uses.is_own(name) {
            found.push(uses.unused(what, name, why));
        }
    };
    let of_loop = ["max_turns", "neighbourhood"];
    let options = manifest.options.keys();
    for name in options.filter(|name| !of_loop.contains(&name.as_str())) {
        let why = "remove the option, or read its constant";
        look("option", name, uses.reads(name), why);
    }
    let decl = &manifest.decl;
    let counters = decl.counters.iter().map(|it| ("counter", &it.name));
    let marks = decl.marks.iter().map(|it| ("mark", &it.name));
    for (what, name) in counters.chain(marks) {
        let why = format!("remove the {what}, or read or change it");
        look(what, name, uses.reads(name), &why);
    }
    for pile in &manifest.decl.piles {
        let name = &pile.name;
        let why = "remove the pile, or move cards to or from it";
        look("pile", name, uses.reads(name), why);
    }
    for verb in &manifest.decl.verbs {
        let name = &verb.name;
        let why = "remove the verb, or offer it in a phase";
        look("verb", name, uses.reads(name), why);
    }
    for name in manifest.tables.keys() {
        let is_called = uses.called.contains(name);
        look("table", name, is_called, "remove the table, or call it");
    }
    for name in manifest.decl.sentences.endings.keys() {
        let is_used = uses.ends(manifest, name);
        let why = "remove the ending, or end a game with it: `g.end(reason, winners)`";
        look("ending", name, is_used, why);
    }
    for (info, _) in manifest.phases() {
        let name = &info.name;
        let is_used = uses.opens(manifest, name);
        let why = "remove the phase, or open it in `turn` or with `push`";
        look("phase", name, is_used, why);
    }
    found
}

/// Reports whether a script, a turn or a standard phase opens this phase, judging by the text of
/// the scripts. For `bound`, see [`unused`].
pub(in crate::script) fn is_opened(
    scripts: &[Script],
    manifest: &Manifest,
    bound: &BTreeSet<String>,
    phase: &String,
) -> bool {
    bound.contains(&phases::phase_key(phase))
        || manifest.decl.turn_names().any(|name| name == phase)
        || UsedNames::new(scripts).is_none_or(|uses| uses.opens(manifest, phase))
}
