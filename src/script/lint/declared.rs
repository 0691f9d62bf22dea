//! What a ruleset declares and nothing uses.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr};

use crate::script::fault::ScriptFault;
use crate::script::manifest::Manifest;
use crate::script::{Script, syntax};

/// Everything that `ruleset()` declares and neither the scripts nor a standard phase uses. `bound`
/// are the names that standard phases looked up.
pub(in crate::script) fn unused(
    scripts: &[Script],
    manifest: &Manifest,
    bound: &BTreeSet<String>,
) -> Vec<ScriptFault> {
    let mut used = BTreeSet::new();
    let mut called = BTreeSet::new();
    let mut places = Vec::new();
    for script in scripts {
        let Ok(draft) = syntax::draft(&script.source) else {
            return Vec::new();
        };
        draft.walk(&mut |path: &[ASTNode<'_>]| {
            if let Some(ASTNode::Expr(Expr::Variable(variable, ..))) = path.last() {
                used.insert(variable.1.to_string());
            }
            true
        });
        called.extend(syntax::call_names(&draft));
        places.push((&script.source, syntax::key_positions(&draft)));
    }
    let constant = |name: &str| used.contains(&name.to_uppercase());
    let mut found: Vec<(&str, String, &'static str)> = Vec::new();
    let mut look = |what: &'static str, name: &str, is_used: bool, why: &'static str| {
        if !is_used && !bound.contains(name) {
            found.push((what, name.to_owned(), why));
        }
    };
    for name in manifest
        .options
        .keys()
        .filter(|name| *name != "max_turns" && *name != "neighbourhood")
    {
        look(
            "option",
            name,
            constant(name),
            "the script never asks for its value",
        );
    }
    for kept in &manifest.counters {
        look(
            "counter",
            &kept.name,
            constant(&kept.name),
            "nothing reads or changes it",
        );
    }
    for kept in &manifest.piles {
        look(
            "pile",
            &kept.name,
            constant(&kept.name),
            "nothing moves a card onto it or off it",
        );
    }
    for verb in &manifest.verbs {
        look(
            "verb",
            &verb.name,
            constant(&verb.name),
            "no phase offers it",
        );
    }
    for name in manifest.tables.keys() {
        look("table", name, called.contains(name), "nothing calls it");
    }
    for (info, _) in &manifest.phases {
        let in_turn = manifest.turn.contains(&info.name);
        look(
            "phase",
            &info.name,
            in_turn || constant(&format!("{}_phase", info.name)),
            "nothing opens it",
        );
    }
    let place = |name: &str| {
        places
            .iter()
            .find_map(|(source, keys)| Some((*source, *keys.get(name)?)))
    };
    found
        .into_iter()
        .map(|(what, name, why)| {
            let fault = ScriptFault::new(
                "ruleset::unused",
                format!("the {what} `{name}` is declared and never used"),
            )
            .help(why)
            .warning();
            match place(&name) {
                Some((source, position)) => fault.at(source, position),
                None => fault,
            }
        })
        .collect()
}
