//! Finds calls of functions and methods that do not exist or have a wrong number of arguments.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Engine, Expr, Position};

use super::Source;
use super::fault::{MOST_FINDINGS, ScriptFault, and_more};
use super::qualified::QualifiedFiles;
use super::syntax::call_of;
use risk_text::plural::counted;
use risk_text::suggest;

/// The functions that a script may call without a namespace, with their possible numbers of
/// parameters.
pub(crate) type FunctionArities = BTreeMap<String, BTreeSet<usize>>;

pub(crate) fn check_calls(
    engine: &Engine,
    ast: &AST,
    source: &Source,
    outside: &[&str],
    libraries: &QualifiedFiles,
) -> Vec<ScriptFault> {
    let natives = natives(engine);
    let own = own_functions(ast);
    let mut faults = Vec::new();
    // The functions that hide others, and whether they use the object on which they are called.
    let mut methods: BTreeMap<(String, usize), bool> = BTreeMap::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        let Some((call, position, method)) = path.last().and_then(call_of) else {
            return true;
        };
        if faults.len() >= MOST_FINDINGS {
            faults.push(and_more());
            return false;
        }
        let name = call.name.as_str();
        if !call.namespace.is_empty() || call.op_token.is_some() || BUILT_IN.contains(&name) {
            return true;
        }
        let has = |known: &FunctionArities, count: usize| {
            known
                .get(name)
                .is_some_and(|counts| counts.contains(&count))
        };
        let given = call.args.len();
        let arguments = given + usize::from(method);
        // A method call prefers the script's own function, with the object as `this`.
        let hides =
            method && has(&own, given) && has(&natives, arguments) && !outside.contains(&name);
        let mut methods = || {
            *methods
                .entry((name.to_owned(), given))
                .or_insert_with(|| uses_this(ast, name, given))
        };
        let fault = if hides && !methods() {
            hidden(name)
        } else if has(&natives, arguments) || has(&own, given) || (method && has(&own, arguments)) {
            return true;
        } else if let Some(fault) = unqualified(name, given, method, libraries) {
            fault
        } else {
            no_such_call(name, given, method, &natives, &own, libraries)
        };
        faults.push(fault.at(source, position));
        true
    });
    faults
}

/// The functions that the language provides to every script, in addition to the engine's functions.
const BUILT_IN: [&str; 7] = [
    "Fn",
    "call",
    "is_def_fn",
    "is_def_var",
    "is_shared",
    "type_of",
    "this",
];

fn natives(engine: &Engine) -> FunctionArities {
    let mut natives = FunctionArities::new();
    for (name, parameters) in engine.collect_fn_metadata(
        None,
        // Scripts call the functions of other files only with a namespace.
        |info| {
            let is_global = info.namespace.is_empty();
            is_global.then(|| (info.metadata.name.to_string(), info.metadata.num_params))
        },
        true,
    ) {
        natives.entry(name).or_default().insert(parameters);
    }
    natives
}

fn own_functions(ast: &AST) -> FunctionArities {
    let mut own = FunctionArities::new();
    for function in ast.iter_functions() {
        own.entry(function.name.to_owned())
            .or_default()
            .insert(function.params.len());
    }
    own
}

/// Returns the fault of a script's own function that is called in place of an object's method and
/// does not use the object.
pub(crate) fn hidden(name: &str) -> ScriptFault {
    let text = format!("the script's function `{name}` hides the object's method of the same name");
    let help = format!(
        "rename the function, or write `{name}(object, …)` to call the method and `{name}(…)` \
         to call the function"
    );
    ScriptFault::new("script::hidden-function", text).help(help)
}

/// Reports whether a function of the script uses the object on which it is called.
pub(crate) fn uses_this(ast: &AST, name: &str, parameters: usize) -> bool {
    let Some(function) = ast.shared_lib().get_script_fn(name, parameters) else {
        return false;
    };
    let order = |place: Position| (place.line(), place.position());
    let body = order(function.body.start_position())..=order(function.body.end_position());
    !ast.walk(&mut |path: &[ASTNode<'_>]| match path.last() {
        Some(ASTNode::Expr(Expr::ThisPtr(place))) => !body.contains(&order(*place)),
        _ => true,
    })
}

/// Returns the fault of a call without a namespace of a function that another file has, or `None`
/// if no other file has this function.
fn unqualified(
    name: &str,
    given: usize,
    method: bool,
    libraries: &QualifiedFiles,
) -> Option<ScriptFault> {
    let mut spaces = libraries.iter().filter(|_| !method);
    let (space, _) = spaces.find(|(_, file)| file.has(name, given))?;
    let arguments = if given == 0 { "" } else { "…" };
    let help = format!("write `{space}::{name}({arguments})`: the function is in another file");
    Some(unknown("function", name).help(help))
}

fn unknown(kind: &str, name: &str) -> ScriptFault {
    let text = format!("no {kind} named `{name}`");
    ScriptFault::new("script::unknown-function", text)
}

/// Returns the name, with its namespace, of a function of another file that resembles this name.
fn near_in_others(name: &str, libraries: &QualifiedFiles) -> Option<String> {
    libraries.iter().find_map(|(space, file)| {
        let near = suggest::nearest(name, file.names())?;
        Some(format!("{space}::{near}"))
    })
}

pub(crate) fn no_such_call(
    name: &str,
    given: usize,
    method: bool,
    natives: &FunctionArities,
    own: &FunctionArities,
    libraries: &QualifiedFiles,
) -> ScriptFault {
    let counts: BTreeSet<usize> = [natives, own]
        .iter()
        .filter_map(|known| known.get(name))
        .flatten()
        .copied()
        .collect();
    if !counts.is_empty() {
        let counts: Vec<String> = counts
            .iter()
            .map(|&count| (count - usize::from(method && count > 0)).to_string())
            .collect();
        let counts = counted(counts.join(" or "), "argument");
        let text = format!("`{name}` takes {counts}, found {given}");
        return ScriptFault::new("script::arguments", text);
    }
    let kind = if method { "method" } else { "function" };
    let known = natives.keys().chain(own.keys()).map(String::as_str);
    let near = suggest::nearest(
        name,
        known.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())),
    );
    let near = near.map(str::to_owned);
    let near = near.or_else(|| near_in_others(name, libraries).filter(|_| !method));
    let help = match near {
        _ if natives.contains_key(&format!("get${name}")) => {
            format!("write `.{name}` without parentheses, because it is a property")
        }
        _ if INEXACT.contains(&name) => {
            "use floor, ceiling, round, sqrt, abs, min, max or `**`: results of other functions \
             differ between machines"
                .to_owned()
        }
        Some(near) => format!("did you mean `{near}`?"),
        None => "list all functions with `risk-cli ruleset api`".to_owned(),
    };
    unknown(kind, name).help(help)
}

/// Rhai's floating-point functions that are not available here because their results are not exact.
pub(crate) const INEXACT: [&str; 13] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "hypot", "exp", "ln",
    "log",
];
