//! Checks of calls: methods and properties that a hook's parameters lack, arguments of a wrong
//! type, and undeclared verbs and counters.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};

use rhai::{
    ASTNode, Array, Dynamic, Engine, Expr, FLOAT, INT, ImmutableString, Map, Position, Stmt,
};

use super::{ScriptText, Types};
use crate::script::api::type_name;
use crate::script::manifest::TableInfo;
use crate::script::syntax::call_of;
use rhai_guard::ScriptFault;
use risk_kernel::declare::Declaration;
use risk_kernel::id::Verb;
use risk_text::plural::counted;
use risk_text::suggest;

pub(super) type Tables = BTreeMap<String, TableInfo>;

/// A function of the engine: its name and the types of its parameters.
type NativeSignature = (String, Vec<TypeId>);

/// Checks how scripts use the parameters of hooks, and whether literal arguments match the types
/// that the engine's functions take.
pub(super) fn typed(
    text: &ScriptText<'_>,
    engine: &Engine,
    hooks: &BTreeMap<String, Types>,
) -> Vec<ScriptFault> {
    let natives = natives(engine);
    let hooks = &with_helpers(text, hooks);
    let own: BTreeSet<&str> = text
        .functions
        .iter()
        .map(|function| function.name.as_str())
        .collect();
    let mut named: BTreeMap<&str, Vec<&[TypeId]>> = BTreeMap::new();
    for (name, types) in &natives {
        named.entry(name).or_default().push(types);
    }
    // A method call on a known object is checked together with the object, but not a second time.
    let mut seen: BTreeSet<(Option<usize>, Option<usize>)> = BTreeSet::new();
    text.faults(|node, faults| {
        if let ASTNode::Expr(Expr::Dot(pair, ..)) = node
            && let Expr::Variable(variable, _, position) = &pair.lhs
            && let Some(of) = handed_type(text, hooks, &variable.1, *position)
        {
            let object = variable.1.as_str();
            let found = match first_behind(&pair.rhs) {
                Expr::Property(property, place) => {
                    property_fault(&natives, of, object, &property.2, *place)
                }
                Expr::MethodCall(call, place) if !own.contains(call.name.as_str()) => {
                    seen.insert((place.line(), place.position()));
                    method_fault(&natives, of, object, &call.name, &call.args, *place)
                }
                _ => None,
            };
            faults.extend(found.map(|(fault, place)| fault.at(text.source, place)));
        }
        faults.extend(assignment_fault(text, hooks, node));
        if let Some((call, place, method)) = call_of(node)
            && !own.contains(call.name.as_str())
            && call.op_token.is_none()
            && !seen.contains(&(place.line(), place.position()))
        {
            let skip = usize::from(method);
            let fits = named.get(call.name.as_str()).into_iter().flatten();
            let fits = fits.filter(|types| types.len() == call.args.len() + skip);
            let lists: Vec<&[TypeId]> = fits.map(|types| &types[skip..]).collect();
            faults.extend(
                argument_fault(&lists, &call.name, &call.args)
                    .map(|(fault, at)| fault.at(text.source, at)),
            );
        }
    })
}

/// The number of helpers that may pass a hook's parameter on to each other.
const HELPERS_DEEP: usize = 8;

/// Adds the script's other functions to the hooks, with the types of the hooks' parameters that all
/// their calls pass on. The type of any other parameter counts as a map, which isn't checked.
fn with_helpers(text: &ScriptText<'_>, hooks: &BTreeMap<String, Types>) -> BTreeMap<String, Types> {
    let unknown = TypeId::of::<Map>();
    let helper = |name: &str, arguments: usize| {
        let mut named = text.functions.iter().filter(|of| of.name == name);
        let only = named.next().filter(|_| named.next().is_none())?;
        (only.parameters.len() == arguments && !hooks.contains_key(name)).then_some(())
    };
    let mut all = hooks.clone();
    for _ in 0..HELPERS_DEEP {
        let mut helpers: BTreeMap<String, Types> = BTreeMap::new();
        text.walk(|node| {
            let Some((call, _, false)) = call_of(node) else {
                return;
            };
            if helper(&call.name, call.args.len()).is_none() {
                return;
            }
            let given = call.args.iter().map(|arg| match arg {
                Expr::Variable(variable, _, at) => handed_type(text, &all, &variable.1, *at),
                _ => None,
            });
            let given: Types = given.map(|of| of.unwrap_or(unknown)).collect();
            let known = helpers
                .entry(call.name.to_string())
                .or_insert_with(|| given.clone());
            for (known, given) in known.iter_mut().zip(given) {
                if *known != given {
                    *known = unknown;
                }
            }
        });
        helpers.extend(hooks.clone());
        if helpers == all {
            break;
        }
        all = helpers;
    }
    all
}

fn natives(engine: &Engine) -> Vec<NativeSignature> {
    engine.collect_fn_metadata(
        None,
        |info| {
            Some((
                info.metadata.name.to_string(),
                info.metadata.param_types.to_vec(),
            ))
        },
        true,
    )
}

/// Returns the first expression after a dot: `b` in `a.b.c[d]`.
fn first_behind(rest: &Expr) -> &Expr {
    match rest {
        Expr::Dot(inner, ..) | Expr::Index(inner, ..) => &inner.lhs,
        other => other,
    }
}

/// Returns the type of a variable at a position, or `None` if the variable is not a parameter of a
/// hook.
fn handed_type(
    text: &ScriptText<'_>,
    hooks: &BTreeMap<String, Types>,
    name: &str,
    at: Position,
) -> Option<TypeId> {
    let function = text.function_at(at)?;
    let handed = hooks
        .get(&function.name)
        .filter(|handed| handed.len() == function.parameters.len())?;
    let index = function
        .parameters
        .iter()
        .position(|parameter| parameter == name)?;
    let of = handed[index];
    // Other checks cover maps and numbers.
    (of != TypeId::of::<Map>()
        && of != TypeId::of::<INT>()
        && !type_name(of).is_empty()
        && type_name(of) != "action")
        .then_some(of)
}

fn assignment_fault(
    text: &ScriptText<'_>,
    hooks: &BTreeMap<String, Types>,
    node: &ASTNode<'_>,
) -> Option<ScriptFault> {
    let ASTNode::Stmt(Stmt::Assignment(parts)) = node else {
        return None;
    };
    let (Expr::Dot(pair, ..) | Expr::Index(pair, ..)) = &parts.1.lhs else {
        return None;
    };
    let Expr::Variable(variable, _, place) = &pair.lhs else {
        return None;
    };
    handed_type(text, hooks, &variable.1, *place)?;
    let problem = format!("can't assign to `{}`", variable.1);
    let help = "hook parameters are read-only; a bot can store values in `this`: `this.turns = 3`";
    Some(
        ScriptFault::new("script::assignment", problem)
            .help(help)
            .at(text.source, *place),
    )
}

fn property_fault(
    natives: &[NativeSignature],
    of: TypeId,
    object: &str,
    name: &str,
    place: Position,
) -> Option<(ScriptFault, Position)> {
    let of_type = |native: &&NativeSignature| native.1.first() == Some(&of);
    let getter = format!("get${name}");
    if natives
        .iter()
        .filter(of_type)
        .any(|native| native.0 == getter)
    {
        return None;
    }
    let method = natives
        .iter()
        .filter(of_type)
        .any(|native| native.0 == name);
    let help = if method {
        format!("call the function: `{object}.{name}(…)`")
    } else {
        let names = natives
            .iter()
            .filter(of_type)
            .map(|native| native.0.trim_start_matches("get$"));
        suggest::nearest(name, names)
            .map_or_else(|| list_help(of), |near| format!("did you mean `{near}`?"))
    };
    let text = format!("`{object}` has no property `{name}`");
    Some((
        ScriptFault::new("script::unknown-property", text).help(help),
        place,
    ))
}

fn list_help(of: TypeId) -> String {
    let surface = match type_name(of) {
        "view" | "ask" => "view",
        "facts" => "facts",
        _ => "game",
    };
    format!("list all functions with `risk-cli ruleset api --surface {surface}`")
}

fn method_fault(
    natives: &[NativeSignature],
    of: TypeId,
    object: &str,
    name: &str,
    args: &[Expr],
    place: Position,
) -> Option<(ScriptFault, Position)> {
    let of_type: Vec<&NativeSignature> = natives
        .iter()
        .filter(|native| native.1.first() == Some(&of))
        .collect();
    let named: Vec<&[TypeId]> = of_type
        .iter()
        .filter(|native| native.0 == name)
        .map(|native| &native.1[1..])
        .collect();
    if named.is_empty() {
        // Functions that accept any value, such as `to_string`, belong to every type.
        let anything = |native: &NativeSignature| {
            native.0 == name && native.1.first() == Some(&TypeId::of::<Dynamic>())
        };
        if natives.iter().any(anything) {
            return None;
        }
        return Some((no_method(&of_type, of, object, name), place));
    }
    let fitting: Vec<&[TypeId]> = named
        .iter()
        .copied()
        .filter(|types| types.len() == args.len())
        .collect();
    if fitting.is_empty() {
        let counts: BTreeSet<String> = named.iter().map(|types| types.len().to_string()).collect();
        let counts: Vec<String> = counts.into_iter().collect();
        let counts = counted(counts.join(" or "), "argument");
        let text = format!("`{object}.{name}` takes {counts}, found {}", args.len());
        return Some((ScriptFault::new("script::arguments", text), place));
    }
    argument_fault(&fitting, name, args)
}

fn no_method(of_type: &[&NativeSignature], of: TypeId, object: &str, name: &str) -> ScriptFault {
    let getter = format!("get${name}");
    let help = if of_type.iter().any(|native| native.0 == getter) {
        format!("write `{object}.{name}`, which is a property")
    } else {
        suggest::nearest(name, of_type.iter().map(|native| native.0.as_str()))
            .map_or_else(|| list_help(of), |near| format!("did you mean `{near}`?"))
    };
    let text = format!("`{object}` has no function `{name}`");
    ScriptFault::new("script::unknown-function", text).help(help)
}

/// Returns a fault for a literal argument if every function of this name takes another type.
fn argument_fault(
    lists: &[&[TypeId]],
    name: &str,
    args: &[Expr],
) -> Option<(ScriptFault, Position)> {
    if lists.is_empty() {
        return None;
    }
    for (index, arg) in args.iter().enumerate() {
        let Some((given, what)) = literal(arg) else {
            continue;
        };
        let takes =
            |types: &&[TypeId]| types[index] == given || types[index] == TypeId::of::<Dynamic>();
        if lists.iter().any(takes) {
            continue;
        }
        let mut wanted: Vec<&str> = lists.iter().map(|types| type_name(types[index])).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let text = format!(
            "argument {} of `{name}` must be {}, found {what}",
            index + 1,
            wanted.join(" or ")
        );
        let fault = ScriptFault::new("script::argument-type", text);
        let fault = if given == TypeId::of::<ImmutableString>() && wanted == ["int"] {
            fault.help(
                "pass the number of the territory, player, card or counter, such as \
                 `view.find(\"alaska\")` in a bot or RESERVE in a ruleset",
            )
        } else {
            fault
        };
        return Some((fault, arg.start_position()));
    }
    None
}

/// Returns the type of a literal and the name of the type for messages.
fn literal(expr: &Expr) -> Option<(TypeId, &'static str)> {
    Some(match expr {
        Expr::StringConstant(..) | Expr::InterpolatedString(..) => {
            (TypeId::of::<ImmutableString>(), "a string")
        }
        Expr::IntegerConstant(..) => (TypeId::of::<INT>(), "an integer"),
        Expr::FloatConstant(..) => (TypeId::of::<FLOAT>(), "a float"),
        Expr::BoolConstant(..) => (TypeId::of::<bool>(), "a boolean"),
        Expr::Array(..) => (TypeId::of::<Array>(), "an array"),
        Expr::Map(..) => (TypeId::of::<Map>(), "a map"),
        _ => return None,
    })
}

/// Finds calls of tables with a literal outside the table's range.
pub(super) fn table_ranges(text: &ScriptText<'_>, tables: &Tables) -> Vec<ScriptFault> {
    text.call_faults(false, |call, _, faults| {
        let Some(info) = tables.get(call.name.as_str()) else {
            return;
        };
        for (arg, &(low, high)) in call.args.iter().zip(&info.ranges) {
            if let Expr::IntegerConstant(value, at) = arg
                && !(INT::from(low)..=INT::from(high)).contains(value)
            {
                let what = format!(
                    "{value} is out of range for the table `{}`: expected {low} to {high}",
                    call.name
                );
                let fault = ScriptFault::new("script::table-range", what)
                    .help("declare a larger range in `tables`, or limit the argument");
                faults.push(fault.at(text.source, *at));
            }
        }
    })
}

/// Finds ends of games whose reason has no sentence, so that readers would see the bare word.
pub(super) fn endings(text: &ScriptText<'_>, decl: &Declaration) -> Vec<ScriptFault> {
    text.call_faults(true, |call, _, faults| {
        let ("end", [Expr::StringConstant(reason, at), _]) = (call.name.as_str(), &call.args[..])
        else {
            return;
        };
        // An empty reason fails in the game.
        if reason.is_empty() || decl.sentences.of_ending(reason) != reason.as_str() {
            return;
        }
        let declared = decl.sentences.endings.keys().map(String::as_str);
        let help = suggest::nearest(reason, declared).map_or_else(
            || {
                format!(
                    "declare it: `endings: #{{ \"{reason}\": \"…\" }}`, with a sentence for readers"
                )
            },
            |near| format!("did you mean `{near}`?"),
        );
        let what = format!("`endings` has no sentence for the reason `{reason}`");
        let fault = ScriptFault::new("ruleset::ending", what).help(help);
        faults.push(fault.warning().at(text.source, *at));
    })
}

/// Finds strings that name unknown verbs, and actions with a wrong number of parameters.
pub(super) fn verbs(text: &ScriptText<'_>, decl: &Declaration) -> Vec<ScriptFault> {
    const TAKE_A_VERB: [&str; 9] = [
        "act",
        "act_most",
        "most",
        "options",
        "limit",
        "has",
        "has_plan",
        "plans",
        "random_plan",
    ];
    text.call_faults(true, |call, place, faults| {
        let name = call.name.as_str();
        let Some(Expr::StringConstant(word, at)) = call.args.first() else {
            return;
        };
        if !TAKE_A_VERB.contains(&name) {
            return;
        }
        if let Some(verb) = decl.verb(word) {
            let found = parameters_fault(decl, verb, name, call.args.len() - 1);
            faults.extend(found.map(|fault| fault.at(text.source, place)));
        } else {
            let found = verb_fault(decl, name, word);
            faults.extend(found.map(|fault| fault.at(text.source, *at)));
        }
    })
}

/// Returns the fault of an undeclared verb, or `None` if the bot checks with `has…` whether a verb
/// of another ruleset exists.
fn verb_fault(decl: &Declaration, function: &str, word: &str) -> Option<ScriptFault> {
    let names: Vec<&str> = decl.verbs.iter().map(|verb| verb.name.as_str()).collect();
    let near = suggest::nearest(word, names.iter().copied());
    let text = format!("{} has no verb named `{word}`", decl.name);
    let fault = ScriptFault::new("script::unknown-verb", text).help(suggest::help(word, names));
    if near.is_some() {
        Some(fault)
    } else {
        (!function.starts_with("has")).then(|| fault.warning())
    }
}

fn parameters_fault(
    decl: &Declaration,
    verb: Verb,
    function: &str,
    given: usize,
) -> Option<ScriptFault> {
    let info = &decl.verbs[verb.index()];
    let names: Vec<&str> = info.slots.iter().map(|slot| slot.0.as_str()).collect();
    let wanted = match function {
        "act" => names.len(),
        "act_most" | "limit" => names.len().saturating_sub(1),
        _ => return None,
    };
    if given == wanted {
        return None;
    }
    let list = if wanted == 0 {
        String::new()
    } else {
        format!(" ({})", names[..wanted].join(", "))
    };
    let parameters = counted(wanted, "parameter");
    let text = format!(
        "`{function}` with `{}` takes {parameters}{list}, found {given}",
        info.name
    );
    Some(ScriptFault::new("script::arguments", text))
}

/// Finds strings that name unknown counters, marks, piles or units.
pub(super) fn kept_names(text: &ScriptText<'_>, decl: &Declaration) -> Vec<ScriptFault> {
    let counters = decl.counters.iter();
    let counters: Vec<&str> = counters.map(|kept| kept.name.as_str()).collect();
    let marks: Vec<&str> = decl.marks.iter().map(|mark| mark.name.as_str()).collect();
    let piles: Vec<&str> = decl.piles.iter().map(|kept| kept.name.as_str()).collect();
    let units: Vec<&str> = decl.units.iter().map(String::as_str).collect();
    text.call_faults(true, |call, _, faults| {
        let (what, names) = match call.name.as_str() {
            "get" => ("counter", &counters),
            "mark" => ("mark", &marks),
            "cards" | "count" => ("pile", &piles),
            "units" => ("unit", &units),
            _ => return,
        };
        let Some(Expr::StringConstant(word, at)) = call.args.last() else {
            return;
        };
        if names.contains(&word.as_str()) {
            return;
        }
        let near = suggest::nearest(word, names.iter().copied());
        let fault = ScriptFault::new(
            "script::unknown-name",
            format!("{} has no {what} named `{word}`", decl.name),
        )
        .help(suggest::help(word, names.iter().copied()));
        let fault = if near.is_some() {
            fault
        } else {
            fault.warning()
        };
        faults.push(fault.at(text.source, *at));
    })
}

/// Finds calls for chances that the ruleset does not have, unless the bot first checks whether
/// chances are available.
pub(super) fn untold_chances(text: &ScriptText<'_>, decl: &Declaration) -> Vec<ScriptFault> {
    // Each pair contains whether the ruleset has chances for this kind of call, and the property
    // with which a bot checks this.
    let of_attacks = (decl.has_chances(), "has_odds");
    let of_numbers = (decl.fights().is_some(), "has_chances");
    let mut asked = Vec::new();
    text.walk(|node| {
        if let ASTNode::Expr(Expr::Property(property, _)) = node {
            asked.extend(
                [of_attacks, of_numbers]
                    .iter()
                    .filter_map(|(_, first)| (property.2.as_str() == *first).then_some(*first)),
            );
        }
    });
    text.call_faults(true, |call, place, faults| {
        let (is_told, first) = match call.name.as_str() {
            "odds" => of_attacks,
            "chance" | "survivors" => of_numbers,
            _ => return,
        };
        // If no chances are available at all, the bot can check either property.
        let asks = |first: &str| asked.contains(&first);
        if !is_told && !asks(first) && (decl.own_chances || asked.is_empty()) {
            let own = if decl.own_chances {
                "has odds only for attacks (`view.odds`)"
            } else {
                "has no odds: no tables describe its fights"
            };
            let text_of = format!("`{}` always fails: {} {own}", call.name, decl.name);
            let fault = ScriptFault::new("bot::no-chances", text_of).help(format!(
                "check `view.{first}` first, and compare armies if it is false"
            ));
            faults.push(fault.at(text.source, place));
        }
    })
}
