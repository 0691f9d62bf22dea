//! Compiling a script: constants folded in, names checked before anything runs.

use std::collections::{BTreeMap, BTreeSet};

use rhai::module_resolvers::StaticModuleResolver;
use rhai::{AST, ASTNode, Dynamic, Engine, Expr, Module, OptimizationLevel, Position, Scope, Stmt};

use super::engine::{MOST_DEPTH, Sandbox};
use super::fault::ScriptFault;
use super::{Script, Source, callbacks, limits, minus, qualified};
use crate::suggest;

/// Named constants, as the script sees them.
pub(super) type Constants = BTreeMap<String, Dynamic>;

/// A compiled script and the sources its errors can lie in.
pub(super) struct Compiled {
    pub(super) ast: AST,
    /// The script's own source first, then those it imports.
    pub(super) sources: Vec<Source>,
}

impl Compiled {
    /// Has the script a function with this name and this many parameters?
    pub(super) fn has(&self, name: &str, parameters: usize) -> bool {
        self.ast
            .iter_functions()
            .any(|function| function.name == name && function.params.len() == parameters)
    }

    /// The script's own functions: name and number of parameters, in a stable order.
    pub(super) fn functions(&self) -> BTreeSet<(String, usize)> {
        self.ast
            .iter_functions()
            .map(|function| (function.name.to_owned(), function.params.len()))
            .collect()
    }
}

/// Parses a script without looking at names: to learn its declarations.
pub(super) fn parse(engine: &mut Engine, source: &Source) -> Result<AST, ScriptFault> {
    engine.set_strict_variables(false);
    engine.set_max_expr_depths(MOST_DEPTH, MOST_DEPTH);
    engine.set_optimization_level(OptimizationLevel::None);
    limits::begin();
    let ast = engine
        .compile(&*source.text)
        .map_err(|error| ScriptFault::of_parsing(&error, source, &[]))?;
    // The constants at the top run as they are read.
    minus::settle(engine, &ast);
    Ok(ast)
}

/// Parses a script without an engine of its own, for whoever only looks at it.
pub(super) fn draft(source: &Source) -> Result<AST, ScriptFault> {
    let mut engine = Engine::new_raw();
    limits::watch(&mut engine);
    parse(&mut engine, source)
}

/// Parses a script and writes the constants of a scope into its functions. What stands outside
/// functions is left as it is: the optimiser would put constants together there with no limit but
/// memory.
pub(super) fn fold(
    engine: &mut Engine,
    scope: &Scope<'_>,
    source: &Source,
) -> Result<AST, rhai::ParseError> {
    engine.set_optimization_level(OptimizationLevel::None);
    limits::begin();
    let mut ast = engine.compile_with_scope(scope, &*source.text)?;
    let functions =
        engine.optimize_ast(scope, ast.clone_functions_only(), OptimizationLevel::Simple);
    ast.clear_functions();
    ast.combine(functions);
    ast.set_source(&*source.name);
    minus::settle(engine, &ast);
    Ok(ast)
}

/// Compiles a script with its constants. The script's own top-level constants join them, and its
/// imports become modules of the engine. `outside` are functions that only the program calls, so
/// that they hide no method of the same name.
pub(super) fn compile(
    sandbox: &mut Sandbox,
    script: &Script,
    constants: &Constants,
    outside: &[&str],
) -> Result<Compiled, Vec<ScriptFault>> {
    let source = &script.source;
    let draft = parse(&mut sandbox.engine, source).map_err(|fault| vec![fault])?;
    let mut tokens = limits::begin();
    let mut sources = vec![source.clone()];
    let mut modules = StaticModuleResolver::new();
    for statement in draft.statements() {
        match statement {
            Stmt::Import(import, position) => {
                let (Expr::StringConstant(file, _), alias) = (&import.0, &import.1.name) else {
                    let text = "import needs a file's name in quotes";
                    return Err(vec![
                        ScriptFault::new("script::import", text).at(source, *position),
                    ]);
                };
                let alias = if alias.is_empty() {
                    file.as_str()
                } else {
                    alias.as_str()
                };
                if sources.len() > limits::MOST_IMPORTS {
                    let text = format!("a script imports at most {} files", limits::MOST_IMPORTS);
                    return Err(vec![
                        ScriptFault::new("script::import", text).at(source, *position),
                    ]);
                }
                tokens += import_file(
                    sandbox,
                    script,
                    file,
                    alias,
                    *position,
                    constants,
                    (&mut sources, &mut modules),
                )
                .map_err(|fault| vec![fault])?;
                if tokens > limits::MOST_TOKENS_IN_ALL {
                    let most = limits::MOST_TOKENS_IN_ALL;
                    let text = format!(
                        "the script and what it imports have more than {most} words and signs"
                    );
                    return Err(vec![
                        ScriptFault::new("script::import", text).at(source, *position),
                    ]);
                }
            }
            Stmt::Var(_, flags, _) if flags.intersects(rhai::ASTFlags::CONSTANT) => {}
            Stmt::Noop(_) => {}
            other => {
                let text = "only functions, constants and imports may stand outside functions";
                let help = "a script's own memory is `this` in a bot, and counters in a ruleset";
                return Err(vec![
                    ScriptFault::new("script::top-level", text)
                        .help(help)
                        .at(source, other.position()),
                ]);
            }
        }
    }
    sandbox.engine.set_module_resolver(modules);
    let mut scope = Scope::new();
    for (name, value) in constants {
        scope.push_constant_dynamic(name, value.clone());
    }
    let own = own_constants(sandbox, &draft, &mut scope, source).map_err(|fault| vec![fault])?;
    for (name, value) in own {
        if constants.contains_key(&name) {
            let text = format!("the constant `{name}` is already there");
            return Err(vec![
                ScriptFault::new("script::constant", text).help("give it another name"),
            ]);
        }
        scope.push_constant_dynamic(name, value);
    }
    limits::check_constants(&draft, &scope, source).map_err(|fault| vec![fault])?;
    let ast = compile_strict(sandbox, &scope, source).map_err(|fault| vec![fault])?;
    let faults = check(sandbox, &ast, &sources[0], outside);
    if faults.is_empty() {
        Ok(Compiled { ast, sources })
    } else {
        Err(faults)
    }
}

/// The files that a script imports, by the names it calls them, in order; nothing of a script that
/// can't be parsed.
pub(super) fn imports(script: &Script) -> Vec<(String, Source)> {
    let Ok(draft) = parse(&mut Engine::new_raw(), &script.source) else {
        return Vec::new();
    };
    let imported = draft
        .statements()
        .iter()
        .filter_map(|statement| match statement {
            Stmt::Import(import, _) => match &import.0 {
                Expr::StringConstant(file, _) => Some(file.to_string()),
                _ => None,
            },
            _ => None,
        });
    imported
        .filter_map(|file| {
            script
                .siblings
                .get(&file)
                .map(|source| (file, source.clone()))
        })
        .collect()
}

fn compile_strict(
    sandbox: &mut Sandbox,
    scope: &Scope<'_>,
    source: &Source,
) -> Result<AST, ScriptFault> {
    sandbox.engine.set_strict_variables(true);
    let result = fold(&mut sandbox.engine, scope, source);
    sandbox.engine.set_strict_variables(false);
    result.map_err(|error| {
        let draft = draft(source).unwrap_or_default();
        let mut locals: BTreeSet<String> = draft
            .iter_functions()
            .flat_map(|function| function.params)
            .map(str::to_owned)
            .collect();
        draft.walk(&mut |path: &[ASTNode<'_>]| {
            if let Some(ASTNode::Stmt(Stmt::Var(variable, ..))) = path.last() {
                locals.insert(variable.0.name.to_string());
            }
            true
        });
        let names: Vec<&str> = scope
            .iter()
            .map(|(name, ..)| name)
            .chain(locals.iter().map(String::as_str))
            .collect();
        ScriptFault::of_parsing(&error, source, &names)
    })
}

/// The constants that a script defines at its top level.
fn own_constants(
    sandbox: &Sandbox,
    draft: &AST,
    scope: &mut Scope<'_>,
    source: &Source,
) -> Result<Vec<(String, Dynamic)>, ScriptFault> {
    let given = scope.len();
    let ran = sandbox.run(scope, draft);
    ran.map_err(|error| {
        sandbox.setup_fault(&error, std::slice::from_ref(source), "the top level")
    })?;
    let own = scope
        .iter()
        .skip(given)
        .map(|(name, _, value)| (name.to_owned(), value.clone()))
        .collect();
    scope.rewind(given);
    Ok(own)
}

fn import_file(
    sandbox: &mut Sandbox,
    script: &Script,
    file: &str,
    alias: &str,
    position: Position,
    constants: &Constants,
    (sources, modules): (&mut Vec<Source>, &mut StaticModuleResolver),
) -> Result<usize, ScriptFault> {
    let source = &script.source;
    let found = script
        .siblings
        .get(file)
        .filter(|found| found.name != source.name);
    let Some(found) = found else {
        let text = format!("there is no file `{file}.rhai` in the folder of this script to import");
        let others = script
            .siblings
            .iter()
            .filter(|(_, other)| other.name != source.name)
            .map(|(name, _)| name.as_str());
        let help = suggest::help(file, others.collect::<Vec<_>>());
        return Err(ScriptFault::new("script::import", text)
            .help(help)
            .at(source, position));
    };
    let mut scope = Scope::new();
    for (name, value) in constants {
        scope.push_constant_dynamic(name, value.clone());
    }
    let draft = parse(&mut sandbox.engine, found)?;
    let tokens = limits::begin();
    limits::check_constants(&draft, &scope, found)?;
    let ast = compile_strict(sandbox, &scope, found)?;
    if let Some(nested) = ast
        .statements()
        .iter()
        .find(|statement| matches!(statement, Stmt::Import(..)))
    {
        let text = "a file that is imported can't import others";
        return Err(ScriptFault::new("script::import", text).at(found, nested.position()));
    }
    if let Some(fault) = check(sandbox, &ast, found, &[]).into_iter().next() {
        return Err(fault);
    }
    let module: rhai::Shared<Module> = sandbox
        .module(scope, &ast)
        .map_err(|error| sandbox.setup_fault(&error, std::slice::from_ref(found), "import"))?
        .into();
    modules.insert(file, Module::clone(&module));
    sandbox.add_library(alias, module, &ast);
    sources.push(found.clone());
    Ok(tokens)
}

/// Where a key of a map literal stands in one of several files: compiled scripts have lost their
/// literals, the texts still have them.
pub(super) fn find_key<'a>(
    sources: impl IntoIterator<Item = &'a Source>,
    key: &str,
) -> Option<(Source, Position)> {
    sources.into_iter().find_map(|source| {
        let ast = draft(source).ok()?;
        Some((source.clone(), key_position(&ast, key)?))
    })
}

/// Where a function's name stands in a script's text.
pub(super) fn function_position(text: &str, name: &str) -> Position {
    let wanted = format!("fn {name}(");
    for (line, content) in text.lines().enumerate().take(usize::from(u16::MAX) - 1) {
        if let Some(start) = content.find(&wanted) {
            let column = content[..start].chars().count() + 4;
            return Position::new((line + 1) as u16, column.min(usize::from(u16::MAX)) as u16);
        }
    }
    Position::NONE
}

/// The lines of all functions of a script's text, each the first that has its name.
pub(super) fn function_lines(text: &str) -> BTreeMap<&str, usize> {
    let mut lines = BTreeMap::new();
    for (line, content) in text.lines().enumerate().take(usize::from(u16::MAX) - 1) {
        for (at, _) in content.match_indices("fn ") {
            if let Some((name, _)) = content[at + 3..].split_once('(') {
                lines.entry(name).or_insert(line + 1);
            }
        }
    }
    lines
}

/// Where the keys of all map literals stand in a script: of each the first.
pub(super) fn key_positions(ast: &AST) -> BTreeMap<String, Position> {
    let mut found = BTreeMap::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::Map(map, _))) = path.last() {
            for (ident, _) in &map.0 {
                found.entry(ident.name.to_string()).or_insert(ident.pos);
            }
        }
        true
    });
    found
}

/// Where a key of a map literal stands in a script: the first with this name.
pub(super) fn key_position(ast: &AST, key: &str) -> Option<Position> {
    let mut found = None;
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::Map(map, _))) = path.last() {
            found = map
                .0
                .iter()
                .find(|(ident, _)| ident.name == key)
                .map(|(ident, _)| ident.pos);
        }
        found.is_none()
    });
    found
}

/// Does a script call functions of this namespace?
pub(super) fn uses_namespace(ast: &AST, namespace: &str) -> bool {
    !ast.walk(&mut |path: &[ASTNode<'_>]| {
        let call = match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))) => {
                call
            }
            _ => return true,
        };
        call.namespace
            .path
            .first()
            .is_none_or(|first| first.name != namespace)
    })
}

/// The names of all functions that a script calls, or names as a function pointer.
pub(super) fn call_names(ast: &AST) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(
            ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
            | ASTNode::Stmt(Stmt::FnCall(call, _)),
        ) = path.last()
        {
            names.insert(call.name.to_string());
            if call.name == "Fn"
                && let Some(Expr::StringConstant(name, _)) = call.args.first()
            {
                names.insert(name.to_string());
            }
        }
        true
    });
    names
}

/// The most faults of a kind that are looked for in one script.
pub(super) const MOST_FINDINGS: usize = 100;

/// Says that there may be more faults than are told of.
pub(super) fn and_more() -> ScriptFault {
    let text = format!(
        "there are more than {MOST_FINDINGS} faults; the rest of the script was not looked at"
    );
    ScriptFault::new("script::more", text).help("mend these, and check the script again")
}

/// Every call that can't be.
fn check(sandbox: &Sandbox, ast: &AST, source: &Source, outside: &[&str]) -> Vec<ScriptFault> {
    let mut faults = check_calls(&sandbox.engine, ast, source, outside);
    faults.extend(callbacks::check(ast, source));
    faults.extend(qualified::check(ast, source, &sandbox.libraries));
    if faults.len() > MOST_FINDINGS {
        faults.truncate(MOST_FINDINGS);
        faults.push(and_more());
    }
    faults
}

/// The functions that a script may call by their names alone: numbers of parameters, by name.
type Known = BTreeMap<String, BTreeSet<usize>>;

/// Calls of functions and methods that do not exist, or not with so many arguments.
fn check_calls(engine: &Engine, ast: &AST, source: &Source, outside: &[&str]) -> Vec<ScriptFault> {
    let mut natives = Known::new();
    for (name, parameters) in engine.collect_fn_metadata(
        None,
        |info| Some((info.metadata.name.to_string(), info.metadata.num_params)),
        true,
    ) {
        natives.entry(name).or_default().insert(parameters);
    }
    let mut own = Known::new();
    for function in ast.iter_functions() {
        own.entry(function.name.to_owned())
            .or_default()
            .insert(function.params.len());
    }
    let built_in = [
        "Fn",
        "call",
        "is_def_fn",
        "is_def_var",
        "is_shared",
        "type_of",
        "this",
    ];
    let mut faults = Vec::new();
    // Functions that hide others, and whether they look at the object that they are called on.
    let mut methods: BTreeMap<(String, usize), bool> = BTreeMap::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        let (call, position, method) = match path.last() {
            Some(
                ASTNode::Expr(Expr::FnCall(call, position))
                | ASTNode::Stmt(Stmt::FnCall(call, position)),
            ) => (call, *position, false),
            Some(ASTNode::Expr(Expr::MethodCall(call, position))) => (call, *position, true),
            _ => return true,
        };
        if faults.len() >= MOST_FINDINGS {
            faults.push(and_more());
            return false;
        }
        let name = call.name.as_str();
        if !call.namespace.is_empty() || call.op_token.is_some() || built_in.contains(&name) {
            return true;
        }
        let has = |known: &Known, count: usize| {
            known
                .get(name)
                .is_some_and(|counts| counts.contains(&count))
        };
        let (given, arguments) = (call.args.len(), call.args.len() + usize::from(method));
        // A script's own function is called as a method with the object as `this`.
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
        } else {
            no_such_call((name, given, method), &natives, &own)
        };
        faults.push(fault.at(source, position));
        true
    });
    faults
}

/// A script's own function that is called where the one of an object is meant: it does not look at
/// the object.
fn hidden(name: &str) -> ScriptFault {
    let text =
        format!("this calls the script's own function `{name}`, which hides the one of the object");
    let help = format!(
        "give your function another name, or write {name}(object, …) for the object's and {name}(…) for yours"
    );
    ScriptFault::new("script::hidden-function", text).help(help)
}

/// Does a function of the script look at the object that it is called on?
fn uses_this(ast: &AST, name: &str, parameters: usize) -> bool {
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

fn no_such_call(
    (name, given, method): (&str, usize, bool),
    natives: &Known,
    own: &Known,
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
        let word = if counts == ["1"] {
            "argument"
        } else {
            "arguments"
        };
        let text = format!("`{name}` takes {} {word}, not {given}", counts.join(" or "));
        return ScriptFault::new("script::arguments", text);
    }
    let kind = if method { "method" } else { "function" };
    let known = natives.keys().chain(own.keys()).map(String::as_str);
    let near = suggest::nearest(
        name,
        known.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())),
    );
    let help = match near {
        _ if natives.contains_key(&format!("get${name}")) => {
            format!("it is a property: write .{name} without brackets")
        }
        _ if INEXACT.contains(&name) => {
            "its results differ between machines, so scripts don't have it; there are floor, ceiling, round, sqrt, abs, \
             min, max and `**`"
                .to_owned()
        }
        Some(near) => format!("did you mean `{near}`?"),
        None => "`risk-cli ruleset api` lists what there is".to_owned(),
    };
    ScriptFault::new(
        "script::unknown-function",
        format!("there is no {kind} `{name}`"),
    )
    .help(help)
}

/// Functions of fractions that Rhai has elsewhere.
const INEXACT: [&str; 13] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "hypot", "exp", "ln",
    "log",
];

/// The keys of the map that stands under `name` and has just the keys of `like`, as written.
pub(super) fn keys_of(ast: &AST, name: &str, like: &rhai::Map) -> Option<Vec<String>> {
    let mut found = None;
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::Map(map, _))) = path.last() {
            for (ident, value) in &map.0 {
                if ident.name == name
                    && let Expr::Map(inner, _) = value
                    && inner.0.len() == like.len()
                    && inner
                        .0
                        .iter()
                        .all(|(key, _)| like.contains_key(key.name.as_str()))
                {
                    found = Some(
                        inner
                            .0
                            .iter()
                            .map(|(key, _)| key.name.to_string())
                            .collect(),
                    );
                }
            }
        }
        found.is_none()
    });
    found
}
