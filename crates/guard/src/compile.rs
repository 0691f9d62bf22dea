//! Compiles a script. Compilation replaces constants by their values and checks names before the
//! script runs.

use std::collections::{BTreeMap, BTreeSet};

use rhai::module_resolvers::StaticModuleResolver;
use rhai::{
    AST, ASTNode, Dynamic, Engine, Expr, FLOAT, INT, Module, OptimizationLevel, Position, Scope,
    Stmt,
};

use super::engine::Sandbox;
use super::fault::{MOST_FINDINGS, ScriptFault, and_more};
use super::known_calls::check_calls;
use super::syntax::{self, draft, visit};
use super::{Script, Source, callbacks, constant_limits, limits, qualified};
use risk_text::suggest;

/// The constants that a script sees, by name.
pub type Constants = BTreeMap<String, Dynamic>;

/// A compiled script and its source files.
#[non_exhaustive]
pub struct CompiledScript {
    /// The code to run. Constants in its functions are replaced by their values.
    pub ast: AST,
    /// The script's own source, followed by the sources that it imports.
    pub sources: Vec<Source>,
}

impl CompiledScript {
    /// Reports whether the script has a function with this name and number of parameters.
    pub fn has(&self, name: &str, parameters: usize) -> bool {
        self.ast
            .iter_functions()
            .any(|function| function.name == name && function.params.len() == parameters)
    }

    /// Returns the names of the script's own functions and their numbers of parameters, sorted.
    pub fn functions(&self) -> BTreeSet<(String, usize)> {
        self.ast
            .iter_functions()
            .map(|function| (function.name.to_owned(), function.params.len()))
            .collect()
    }
}

/// Parses a script and replaces the constants of a scope in its functions by their values. Code
/// outside functions is not optimised: there the optimiser would combine constants without a limit
/// except memory.
pub fn fold(
    engine: &mut Engine,
    scope: &Scope<'_>,
    source: &Source,
) -> Result<AST, rhai::ParseError> {
    engine.set_optimization_level(OptimizationLevel::None);
    limits::begin();
    let mut ast = engine.compile_with_scope(scope, &source.text)?;
    let only = ast.clone_functions_only();
    let functions = optimiser(engine).optimize_ast(scope, only, OptimizationLevel::Simple);
    ast.clear_functions();
    ast.combine(functions);
    ast.set_source(&*source.name);
    Ok(ast)
}

/// Returns an engine that optimises scripts for another one. It does not calculate powers of
/// floating-point numbers, because Rhai's results differ between machines.
fn optimiser(engine: &Engine) -> Engine {
    let mut optimiser = Engine::new_raw();
    optimiser.set_max_string_size(engine.max_string_size());
    optimiser.set_max_array_size(engine.max_array_size());
    optimiser.set_max_map_size(engine.max_map_size());
    optimiser.set_fast_operators(false);
    // An operator with a function of the host is left as it is.
    optimiser.register_fn("**", |base: FLOAT, _: FLOAT| base);
    optimiser.register_fn("**", |base: FLOAT, _: INT| base);
    optimiser.register_fn("**", |_: INT, exponent: FLOAT| exponent);
    optimiser
}

/// Parses a script without checking names, to read its declarations.
pub fn parse(engine: &mut Engine, source: &Source) -> Result<AST, ScriptFault> {
    syntax::read(engine, source)
}

/// Compiles a script with these constants and its own top-level constants. Its imports become
/// modules of the engine. Only the program calls the functions named in `outside`, so these
/// functions do not hide methods with the same names.
pub fn compile(
    sandbox: &mut Sandbox,
    script: &Script,
    constants: &Constants,
    outside: &[&str],
) -> Result<CompiledScript, Vec<ScriptFault>> {
    let source = &script.source;
    let alone = |fault| vec![fault];
    let draft = parse(&mut sandbox.engine, source).map_err(alone)?;
    let sources = import_all(sandbox, script, &draft, constants).map_err(alone)?;
    let scope = all_constants(sandbox, &draft, constants, source).map_err(alone)?;
    constant_limits::check_constants(&draft, &scope, source).map_err(alone)?;
    let ast = compile_strict(sandbox, &scope, source).map_err(alone)?;
    let faults = check(sandbox, &ast, &scope, source, outside);
    if faults.is_empty() {
        Ok(CompiledScript { ast, sources })
    } else {
        Err(faults)
    }
}

struct ImportedFiles {
    /// The script itself, followed by the imported files in the order of the imports.
    sources: Vec<Source>,
    modules: StaticModuleResolver,
}

/// Turns the files that a script imports into modules. Returns the sources, the script's own source
/// first. At the top level, the files may contain only imports, functions and constants.
fn import_all(
    sandbox: &mut Sandbox,
    script: &Script,
    draft: &AST,
    constants: &Constants,
) -> Result<Vec<Source>, ScriptFault> {
    let source = &script.source;
    let mut tokens = limits::begin();
    let mut imported = ImportedFiles {
        sources: vec![source.clone()],
        modules: StaticModuleResolver::new(),
    };
    for statement in draft.statements() {
        match statement {
            Stmt::Import(import, position) => {
                let refused =
                    |text: String| ScriptFault::new("script::import", text).at(source, *position);
                let Expr::StringConstant(file, _) = &import.0 else {
                    return Err(refused("`import` expects a file name in quotes".to_owned()));
                };
                if imported.sources.len() > limits::MOST_IMPORTS {
                    let most = limits::MOST_IMPORTS;
                    return Err(refused(format!("a script can import at most {most} files")));
                }
                let alias = match import.1.name.as_str() {
                    "" => file.as_str(),
                    alias => alias,
                };
                let found = sibling(script, file, *position)?;
                tokens += import_file(sandbox, found, file, alias, constants, &mut imported)?;
                if tokens > limits::MOST_TOKENS_IN_ALL {
                    let most = limits::MOST_TOKENS_IN_ALL;
                    return Err(refused(format!(
                        "the script and its imports can have at most {most} tokens"
                    )));
                }
            }
            other => outside_functions(other, source)?,
        }
    }
    sandbox.engine.set_module_resolver(imported.modules);
    Ok(imported.sources)
}

fn outside_functions(statement: &Stmt, source: &Source) -> Result<(), ScriptFault> {
    match statement {
        Stmt::Var(_, flags, _) if flags.intersects(rhai::ASTFlags::CONSTANT) => Ok(()),
        Stmt::Noop(_) => Ok(()),
        other => {
            let text = "only functions, constants and imports are allowed at the top level";
            let help = "in a bot, store values in `this`; in a ruleset, store them in counters";
            Err(ScriptFault::new("script::top-level", text)
                .help(help)
                .at(source, other.position()))
        }
    }
}

fn all_constants(
    sandbox: &mut Sandbox,
    draft: &AST,
    given: &Constants,
    source: &Source,
) -> Result<Scope<'static>, ScriptFault> {
    let mut scope = scope_of(given);
    for (name, value) in own_constants(sandbox, draft, &mut scope, source)? {
        if given.contains_key(&name) {
            let text = format!("duplicate constant `{name}`");
            let fault = ScriptFault::new("script::constant", text);
            return Err(fault.help("rename the constant: the program defines this name"));
        }
        scope.push_constant_dynamic(name, value);
    }
    Ok(scope)
}

fn scope_of(constants: &Constants) -> Scope<'static> {
    let mut scope = Scope::new();
    for (name, value) in constants {
        scope.push_constant_dynamic(name, value.clone());
    }
    scope
}

/// Returns the files that a script imports, in order, each with its alias. The list is empty if the
/// script can't be parsed.
pub fn imports(script: &Script) -> Vec<(String, Source)> {
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
        visit(&draft, |node| {
            if let ASTNode::Stmt(Stmt::Var(variable, ..)) = node {
                locals.insert(variable.0.name.to_string());
            }
        });
        let names: Vec<&str> = scope
            .iter()
            .map(|(name, ..)| name)
            .chain(locals.iter().map(String::as_str))
            .collect();
        ScriptFault::of_parsing(&error, source, &names)
    })
}

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

fn sibling<'s>(
    script: &'s Script,
    file: &str,
    position: Position,
) -> Result<&'s Source, ScriptFault> {
    let source = &script.source;
    let is_other = |found: &&Source| found.name != source.name;
    if let Some(found) = script.siblings.get(file).filter(is_other) {
        return Ok(found);
    }
    let text = format!("no file `{file}.rhai` in the script's folder");
    let others = script
        .siblings
        .iter()
        .filter(|(_, other)| is_other(other))
        .map(|(name, _)| name.as_str());
    let help = suggest::help(file, others.collect::<Vec<_>>());
    Err(ScriptFault::new("script::import", text)
        .help(help)
        .at(source, position))
}

/// Registers a file as a module of the engine under an alias. Returns its number of tokens.
fn import_file(
    sandbox: &mut Sandbox,
    found: &Source,
    file: &str,
    alias: &str,
    constants: &Constants,
    imported: &mut ImportedFiles,
) -> Result<usize, ScriptFault> {
    let draft = parse(&mut sandbox.engine, found)?;
    let tokens = limits::begin();
    for statement in draft.statements() {
        if let Stmt::Import(..) = statement {
            let text = "an imported file can't import other files";
            let fault = ScriptFault::new("script::import", text);
            return Err(fault.at(found, statement.position()));
        }
        outside_functions(statement, found)?;
    }
    let scope = all_constants(sandbox, &draft, constants, found)?;
    constant_limits::check_constants(&draft, &scope, found)?;
    let ast = compile_strict(sandbox, &scope, found)?;
    if let Some(fault) = check(sandbox, &ast, &scope, found, &[]).into_iter().next() {
        return Err(fault);
    }
    let module: rhai::Shared<Module> = sandbox
        .module(scope_of(constants), &ast)
        .map_err(|error| sandbox.setup_fault(&error, std::slice::from_ref(found), "import"))?
        .into();
    imported.modules.insert(file, Module::clone(&module));
    sandbox.add_library(alias, module, &ast);
    imported.sources.push(found.clone());
    Ok(tokens)
}

/// Finds constants that the optimiser did not replace. Rhai does not replace the first name of a
/// chain, such as `LIST` in `LIST[0]`, and a function would not find the constant at run time.
fn heads(ast: &AST, scope: &Scope<'_>, source: &Source) -> Vec<ScriptFault> {
    let mut faults = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let [
            ..,
            parent,
            ASTNode::Expr(Expr::Variable(variable, short, place)),
        ] = path
            && !matches!(parent, ASTNode::Stmt(Stmt::Assignment(..)))
            && short.is_none()
            && variable.0.is_none()
            && variable.2.is_empty()
            && scope.contains(&variable.1)
        {
            let name = &variable.1;
            let text = format!("can't use `.` or `[` after the constant `{name}`");
            let help = format!("copy the constant first: `let value = {name};`");
            faults.push(
                ScriptFault::new("script::constant", text)
                    .help(help)
                    .at(source, *place),
            );
        }
        faults.len() <= MOST_FINDINGS
    });
    faults
}

fn check(
    sandbox: &Sandbox,
    ast: &AST,
    scope: &Scope<'_>,
    source: &Source,
    outside: &[&str],
) -> Vec<ScriptFault> {
    let libraries = &sandbox.libraries;
    let mut faults = check_calls(&sandbox.engine, ast, source, outside, libraries);
    faults.extend(heads(ast, scope, source));
    faults.extend(callbacks::check(ast, source));
    faults.extend(qualified::check(ast, source, libraries));
    let more = and_more();
    let all = faults.len();
    faults.retain(|fault| fault.code != more.code);
    // Rhai visits functions in the order of their hashes, which differs between runs.
    faults.sort_by(ScriptFault::compare);
    if all > MOST_FINDINGS {
        faults.truncate(MOST_FINDINGS);
        faults.push(more);
    }
    faults
}
