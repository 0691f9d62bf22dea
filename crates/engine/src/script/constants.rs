//! The constants of a script: options, the numbers of declared names, and the size of the game.

use std::collections::BTreeMap;

use rhai::{Dynamic, INT};

use super::compile::Constants;
use super::manifest::{Manifest, OptionValue};
use super::{Script, syntax};
use rhai_guard::ScriptFault;
use risk_kernel::board::Board;

pub(super) fn option_constants(
    options: &BTreeMap<String, OptionValue>,
) -> impl Iterator<Item = (String, Dynamic)> {
    let named = options.iter().filter(|(name, _)| *name != "preset");
    named.map(|(name, value)| (name.to_uppercase(), value.to_dynamic()))
}

pub(super) fn base_constants(
    board: &Board,
    options: &BTreeMap<String, OptionValue>,
    players: usize,
) -> Constants {
    // Rules depend on the options that a preset sets, but never on the preset's name.
    let mut constants: Constants = option_constants(options).collect();
    constants.insert("TERRITORIES".to_owned(), (board.len() as INT).into());
    constants.insert("PLAYERS".to_owned(), (players as INT).into());
    constants.insert("NOBODY".to_owned(), (-1 as INT).into());
    constants.insert("TABLE".to_owned(), (-1 as INT).into());
    constants
}

pub(super) fn name_constants(
    scripts: &[Script],
    manifest: &Manifest,
    constants: &mut Constants,
) -> Result<Vec<(String, i64)>, ScriptFault> {
    let counters = manifest.decl.counters.iter().map(|kept| kept.name.clone());
    let marks = manifest.decl.marks.iter().map(|mark| mark.name.clone());
    let piles = manifest.decl.piles.iter().map(|kept| kept.name.clone());
    let verbs = manifest.decl.verbs.iter().map(|verb| verb.name.clone());
    let phases = manifest
        .phases()
        .map(|(phase, _)| format!("{}_phase", phase.name));
    let sections: [(&str, Vec<String>); 7] = [
        ("counter", counters.collect()),
        ("mark", marks.collect()),
        ("pile", piles.collect()),
        ("verb", verbs.collect()),
        ("phase", phases.collect()),
        ("unit", manifest.decl.units.clone()),
        ("kind of card", manifest.decl.card_kinds.clone()),
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
                    "the {what} `{name}` needs the constant `{constant}`, which is already defined"
                );
                let fault = ScriptFault::new("ruleset::name", text).help(
                    "use unique names for options, counters, marks, piles, verbs, units and kinds \
                         of cards",
                );
                return Err(syntax::at_key(
                    scripts.iter().map(|script| &script.source),
                    name,
                    fault,
                ));
            }
            numbers.push((constant, index as i64));
        }
    }
    Ok(numbers)
}
