//! Checks whether functions that are passed as arguments, as in `list.map(|x| …)`, have a number of
//! parameters that the callee accepts.

use std::collections::BTreeMap;

use rhai::{AST, ASTNode, Expr, FnCallExpr, FnPtr, Position};

use super::Source;
use super::fault::{self, ScriptFault};
use super::syntax::call_of;
use risk_text::plural::counted;

struct CallbackSignature {
    names: &'static [&'static str],
    parameters: &'static [usize],
    help: &'static str,
}

/// The functions of lists that take a function. A function without parameters receives the element
/// as `this`.
const TAKES: [CallbackSignature; 5] = [
    CallbackSignature {
        names: &[
            "map", "filter", "find", "find_map", "index_of", "some", "all", "retain", "drain",
        ],
        parameters: &[0, 1, 2],
        help: "write `|x|` for the element, or `|x, i|` for the element and its index; for a map, \
               write `|key|` or `|key, value|`",
    },
    CallbackSignature {
        names: &["sort", "sort_by", "order", "order_by", "dedup"],
        parameters: &[2],
        help: "write `|a, b| a - b` for ascending order, or `|a, b| b - a` for descending order",
    },
    CallbackSignature {
        names: &["reduce", "reduce_rev"],
        parameters: &[1, 2, 3],
        help: "write `|sum, x|` for the previous result and the element, or `|sum, x, i|` to \
               include the element's index",
    },
    CallbackSignature {
        names: &["zip"],
        parameters: &[2, 3],
        help: "write `|x, y|` for an element of each list, or `|x, y, i|` to include their index",
    },
    CallbackSignature {
        names: &["for_each"],
        parameters: &[0, 1],
        help: "write `||` and use `this` for the element, write `|i|` for its index, or use \
               `for x in list { … }`",
    },
];

/// Finds all calls that pass a function with a wrong number of parameters.
pub(crate) fn check(ast: &AST, source: &Source) -> Vec<ScriptFault> {
    let mut own: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for function in ast.iter_functions() {
        own.entry(function.name)
            .or_default()
            .push(function.params.len());
    }
    let mut faults = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if faults.len() > fault::MOST_FINDINGS {
            return false;
        }
        let Some((call, ..)) = path.last().and_then(call_of) else {
            return true;
        };
        let takes = TAKES
            .iter()
            .find(|takes| takes.names.contains(&call.name.as_str()));
        if let Some(takes) =
            takes.filter(|_| call.namespace.is_empty() && !own.contains_key(call.name.as_str()))
        {
            faults.extend(
                call.args
                    .iter()
                    .filter_map(|arg| fault_of(call, takes, arg, &own, source)),
            );
        }
        true
    });
    faults
}

fn fault_of(
    call: &FnCallExpr,
    takes: &CallbackSignature,
    arg: &Expr,
    own: &BTreeMap<&str, Vec<usize>>,
    source: &Source,
) -> Option<ScriptFault> {
    let (name, place) = handed(arg)?;
    let has = own.get(name.as_str())?;
    if has
        .iter()
        .any(|parameters| takes.parameters.contains(parameters))
    {
        return None;
    }
    let wanted: Vec<String> = takes.parameters.iter().map(ToString::to_string).collect();
    let text = format!(
        "`{}` takes a function with {}, found {}",
        call.name,
        counted(wanted.join(" or "), "parameter"),
        has.first().copied().unwrap_or_default()
    );
    Some(
        ScriptFault::new("script::function-parameters", text)
            .help(takes.help)
            .at(source, place),
    )
}

/// Returns the name and the position of a function that is passed as an argument: `|x| …` or
/// `Fn("name")`.
fn handed(arg: &Expr) -> Option<(String, Position)> {
    match arg {
        Expr::DynamicConstant(value, place) => value
            .read_lock::<FnPtr>()
            .map(|function| (function.fn_name().to_owned(), *place)),
        Expr::FnCall(call, place) if call.name == "Fn" => match call.args.first() {
            Some(Expr::StringConstant(name, _)) => Some((name.to_string(), *place)),
            _ => None,
        },
        _ => None,
    }
}
