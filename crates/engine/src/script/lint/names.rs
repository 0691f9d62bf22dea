//! Checks of names: unknown properties, unused variables and unused functions.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTFlags, ASTNode, Engine, Expr, Stmt};

use super::{ScriptText, Types};
use crate::script::syntax;
use rhai_guard::ScriptFault;
use risk_kernel::declare::Declaration;
use risk_text::suggest;

/// Returns all known properties: the properties of types, the parameters of actions, and the keys
/// that the script itself writes.
pub(super) fn known_properties(
    text: &ScriptText<'_>,
    engine: &Engine,
    decl: &Declaration,
    more: &[&str],
) -> BTreeSet<String> {
    let getters =
        engine.collect_fn_metadata(None, |info| Some(info.metadata.name.to_string()), true);
    let mut known: BTreeSet<String> = getters
        .iter()
        .filter_map(|name| name.strip_prefix("get$").map(str::to_owned))
        .collect();
    known.extend(
        decl.verbs
            .iter()
            .flat_map(|verb| verb.slots.iter().map(|slot| slot.0.clone())),
    );
    known.extend(more.iter().map(|&name| name.to_owned()));
    known.extend(keys(text));
    known
}

/// Returns the keys of maps that the script writes.
fn keys(text: &ScriptText<'_>) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    text.walk(|node| match node {
        ASTNode::Expr(Expr::Map(map, _)) => {
            keys.extend(map.0.iter().map(|(key, _)| key.name.to_string()))
        }
        // `this.fights += 1` changes a value that something else must set.
        ASTNode::Stmt(Stmt::Assignment(assignment)) if !assignment.0.is_op_assignment() => {
            collect(&assignment.1.lhs, &mut keys)
        }
        _ => {}
    });
    keys
}

/// Collects the properties in the target of an assignment, for example `this.plan.target = …`.
fn collect(expr: &Expr, into: &mut BTreeSet<String>) {
    match expr {
        Expr::Property(property, _) => drop(into.insert(property.2.to_string())),
        Expr::StringConstant(key, _) => drop(into.insert(key.to_string())),
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
            collect(&pair.lhs, into);
            collect(&pair.rhs, into);
        }
        _ => {}
    }
}

pub(super) fn properties(
    text: &ScriptText<'_>,
    known: &BTreeSet<String>,
    hooks: &BTreeMap<String, Types>,
) -> Vec<ScriptFault> {
    let of_memory = keys(text);
    // The keys of mappings in map files are not known here.
    let mut reads_data = false;
    text.walk(|node| {
        let call = syntax::call_of(node).map_or("", |(call, ..)| &call.name);
        let data = ["data", "map_data", "group_data", "border_data", "card_data"];
        reads_data |= data.contains(&call);
    });
    text.faults(|node, faults| {
        let (name, position, known) = match node {
            ASTNode::Expr(Expr::Property(property, at)) => (property.2.as_str(), at, known),
            ASTNode::Stmt(Stmt::Assignment(assignment)) if assignment.0.is_op_assignment() => {
                match changed_in_memory(&assignment.1.lhs) {
                    // Unknown properties are found in any case.
                    Some((key, at, is_property)) if !is_property || known.contains(key) => {
                        (key, at, &of_memory)
                    }
                    _ => return,
                }
            }
            _ => return,
        };
        if known.contains(name) || (hooks.contains_key("ruleset") && in_ruleset(text, *position)) {
            return;
        }
        let near = suggest::nearest(name, known.iter().map(String::as_str));
        if near.is_none() && reads_data {
            return;
        }
        let fault = ScriptFault::new(
            "script::unknown-property",
            format!("no property named `{name}`"),
        )
        .help(near.map_or_else(
            || {
                "list all properties with `risk-cli ruleset api`; a map has only the keys \
                     that the script sets"
                    .to_owned()
            },
            |near| format!("did you mean `{near}`?"),
        ));
        faults.push(fault.at(text.source, *position));
    })
}

/// Returns the key `fights` in the target `this.fights` of an assignment, and whether it is written
/// as a property.
fn changed_in_memory(target: &Expr) -> Option<(&str, &rhai::Position, bool)> {
    let (Expr::Dot(pair, ..) | Expr::Index(pair, ..)) = target else {
        return None;
    };
    match (&pair.lhs, &pair.rhs) {
        (Expr::ThisPtr(_), Expr::StringConstant(key, at)) => Some((key, at, false)),
        (Expr::ThisPtr(_), Expr::Property(property, at)) => Some((&property.2, at, true)),
        _ => None,
    }
}

pub(super) fn in_ruleset(text: &ScriptText<'_>, position: rhai::Position) -> bool {
    text.function_at(position)
        .is_some_and(|function| function.name == "ruleset")
}

/// Finds variables that are set but never read. Names that begin with `_` are exempt, and so are
/// the top-level constants in `asked`, which the program reads itself.
pub(super) fn unused_variables(text: &ScriptText<'_>, asked: &[&str]) -> Vec<ScriptFault> {
    let mut declared = Vec::new();
    let mut used = BTreeSet::new();
    text.walk(|node| match node {
        ASTNode::Stmt(Stmt::Var(variable, flags, position)) => {
            let constant = flags.intersects(ASTFlags::CONSTANT);
            declared.push((
                variable.0.name.to_string(),
                variable.0.pos,
                *position,
                constant,
            ));
        }
        ASTNode::Expr(Expr::Variable(variable, _, position)) => {
            let function = text.function_at(*position).map(|function| function.first);
            used.insert((variable.1.to_string(), function));
            used.insert((variable.1.to_string(), None));
        }
        _ => {}
    });
    let unused = declared.into_iter().filter(|(name, place, _, constant)| {
        let function = text.function_at(*place).map(|function| function.first);
        // A top-level constant is visible everywhere.
        let read = if *constant {
            used.contains(&(name.clone(), None))
        } else {
            used.contains(&(name.clone(), function))
        };
        let is_asked = *constant && function.is_none() && asked.contains(&name.as_str());
        !name.starts_with('_') && !read && !is_asked
    });
    unused
        .take(rhai_guard::MOST_FINDINGS)
        .map(|(name, place, _, constant)| {
            let what = if constant { "constant" } else { "variable" };
            ScriptFault::new("script::unused", format!("unused {what} `{name}`"))
                .help(format!("remove it, or rename it to `_{name}`"))
                .warning()
                .at(text.source, place)
        })
        .collect()
}

/// Finds assignments to constants: names in capitals that the script does not declare as variables.
pub(super) fn changed_constants(text: &ScriptText<'_>) -> Vec<ScriptFault> {
    let mut variables = BTreeSet::new();
    text.walk(|node| {
        if let ASTNode::Stmt(Stmt::Var(variable, flags, _)) = node
            && !flags.intersects(ASTFlags::CONSTANT)
        {
            variables.insert(variable.0.name.to_string());
        }
    });
    text.faults(|node, faults| {
        let ASTNode::Stmt(Stmt::Assignment(assignment)) = node else {
            return;
        };
        let Expr::Variable(variable, _, position) = &assignment.1.lhs else {
            return;
        };
        if variable
            .1
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            && !variables.contains(variable.1.as_str())
        {
            let fault = ScriptFault::new(
                "script::constant",
                format!("can't assign to the constant `{}`", variable.1),
            )
            .help("store values in `this` in a bot, and in counters in a ruleset");
            faults.push(fault.at(text.source, *position));
        }
    })
}

pub(super) fn unused_functions(
    text: &ScriptText<'_>,
    hooks: &BTreeMap<String, Types>,
) -> Vec<ScriptFault> {
    let called = syntax::call_names(&text.draft);
    let unused = text.functions.iter().filter(|function| {
        !hooks.contains_key(&function.name)
            && !called.contains(&function.name)
            && !function.name.starts_with('_')
    });
    unused
        .take(rhai_guard::MOST_FINDINGS)
        .map(|function| {
            let position = rhai_guard::function_position(text.source, &function.name);
            ScriptFault::new(
                "script::unused",
                format!("unused function `{}`", function.name),
            )
            .help(
                match suggest::nearest(&function.name, hooks.keys().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("call it, remove it, or rename it to `_{}`", function.name),
                },
            )
            .warning()
            .at(text.source, position)
        })
        .collect()
}
