//! Finds keys, functions and calls in a script, with their positions.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Engine, Expr, FnCallExpr, Position, Stmt};

use super::fault::ScriptFault;
use super::{Source, limits};

/// Parses a script with a temporary engine, for callers that only inspect the syntax tree.
pub fn draft(source: &Source) -> Result<AST, ScriptFault> {
    let mut engine = Engine::new_raw();
    limits::watch(&mut engine);
    read(&mut engine, source)
}

/// Returns the position of a map literal's key in the first file that contains it. Compiled scripts
/// no longer contain their literals, so this function parses the source texts.
pub fn find_key<'a>(
    sources: impl IntoIterator<Item = &'a Source>,
    key: &str,
) -> Option<(Source, Position)> {
    sources.into_iter().find_map(|source| {
        let ast = draft(source).ok()?;
        Some((source.clone(), key_position(&ast, key)?))
    })
}

/// Returns a fault with the position of a key in these files, if one of them contains it.
#[must_use]
pub fn at_key<'a>(
    sources: impl IntoIterator<Item = &'a Source>,
    key: &str,
    fault: ScriptFault,
) -> ScriptFault {
    match find_key(sources, key) {
        Some((source, position)) => fault.at(&source, position),
        None => fault,
    }
}

/// Visits every node of a script.
pub fn visit(ast: &AST, mut visit: impl FnMut(&ASTNode<'_>)) {
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        path.iter().last().into_iter().for_each(&mut visit);
        true
    });
}

/// Returns the position of each key in a script's map literals. If a key occurs more than once, the
/// position is that of its first occurrence.
pub fn key_positions(ast: &AST) -> BTreeMap<String, Position> {
    let mut found = BTreeMap::new();
    visit(ast, |node| {
        if let ASTNode::Expr(Expr::Map(map, _)) = node {
            for (ident, _) in &map.0 {
                found.entry(ident.name.to_string()).or_insert(ident.pos);
            }
        }
    });
    found
}

/// Returns the position of the first key with this name in a script's map literals.
pub fn key_position(ast: &AST, key: &str) -> Option<Position> {
    let mut found = None;
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::Map(map, _))) = path.last() {
            let entry = map.0.iter().find(|(ident, _)| ident.name == key);
            found = entry.map(|(ident, _)| ident.pos);
        }
        found.is_none()
    });
    found
}

/// Reports whether a script calls functions of this namespace.
pub fn uses_namespace(ast: &AST, namespace: &str) -> bool {
    !ast.walk(&mut |path: &[ASTNode<'_>]| {
        let Some((call, ..)) = path.last().and_then(call_of) else {
            return true;
        };
        call.namespace
            .path
            .first()
            .is_none_or(|first| first.name != namespace)
    })
}

/// Returns the names of all functions that a script calls or uses as function pointers.
pub fn call_names(ast: &AST) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    visit(ast, |node| {
        if let Some((call, ..)) = call_of(node) {
            names.insert(call.name.to_string());
            if call.name == "Fn"
                && let Some(Expr::StringConstant(name, _)) = call.args.first()
            {
                names.insert(name.to_string());
            }
        }
    });
    names
}

/// Reports whether a script calls a function with this number of arguments, or uses it as a
/// function pointer.
pub fn calls(ast: &AST, name: &str, arguments: usize) -> bool {
    let names = |of: &Expr| matches!(of, Expr::StringConstant(of, _) if *of == name);
    !ast.walk(&mut |path: &[ASTNode<'_>]| {
        let call = path.last().and_then(call_of);
        !call.is_some_and(|(call, ..)| {
            (call.name == name && call.args.len() == arguments)
                || (call.name == "Fn" && call.args.first().is_some_and(names))
        })
    })
}

/// Returns the keys, in written order, of the map under `name` that has exactly the keys of `like`.
pub fn keys_of(ast: &AST, name: &str, like: &rhai::Map) -> Option<Vec<String>> {
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
                    let keys = inner.0.iter().map(|(key, _)| key.name.to_string());
                    found = Some(keys.collect());
                }
            }
        }
        found.is_none()
    });
    found
}

/// Returns a top-level constant of a script: its value if it is an integer literal, and its
/// position.
pub fn constant(ast: &AST, name: &str) -> Option<(Option<i64>, Position)> {
    ast.statements()
        .iter()
        .find_map(|statement| match statement {
            Stmt::Var(variable, _, position) if variable.0.name == name => {
                let value = match &variable.1 {
                    Expr::IntegerConstant(value, _) => Some(*value),
                    _ => None,
                };
                Some((value, *position))
            }
            _ => None,
        })
}

/// Parses a script with an existing engine.
pub fn read(engine: &mut Engine, source: &Source) -> Result<AST, ScriptFault> {
    limits::as_written(engine);
    engine
        .compile(&source.text)
        .map_err(|error| ScriptFault::of_parsing(&error, source, &[]))
}

/// Returns the call at a node with its position, and whether it is a method call. Returns `None`
/// for other nodes.
pub fn call_of<'a>(node: &ASTNode<'a>) -> Option<(&'a FnCallExpr, Position, bool)> {
    match *node {
        ASTNode::Expr(Expr::FnCall(call, position))
        | ASTNode::Stmt(Stmt::FnCall(call, position)) => Some((call, *position, false)),
        ASTNode::Expr(Expr::MethodCall(call, position)) => Some((call, *position, true)),
        _ => None,
    }
}
