//! Names with a namespace, as in `lib::f(x)`. The namespaces are imported files and the ruleset
//! that a script extends.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Expr, Module, Namespace, Shared, Stmt};

use super::Source;
use super::fault::{self, ScriptFault};
use risk_text::plural::counted;
use risk_text::suggest;

/// A file whose functions scripts call with the file's name as the namespace.
pub(crate) struct QualifiedFile {
    module: Shared<Module>,
    functions: BTreeSet<(String, usize)>,
}

/// The libraries by their names in scripts.
pub(crate) type QualifiedFiles = BTreeMap<String, QualifiedFile>;

impl QualifiedFile {
    pub(crate) fn new(module: Shared<Module>, ast: &AST) -> Self {
        let functions = ast
            .iter_functions()
            .map(|function| (function.name.to_owned(), function.params.len()));
        Self {
            module,
            functions: functions.collect(),
        }
    }

    /// Reports whether scripts can call a function with this name and number of parameters.
    pub(crate) fn has(&self, name: &str, parameters: usize) -> bool {
        self.functions.contains(&(name.to_owned(), parameters))
    }

    /// Returns the names of the functions that scripts can call.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        let names = self.functions.iter().map(|(name, _)| name.as_str());
        names.filter(|name| !name.contains('$')).collect()
    }

    fn no_function(&self, space: &str, name: &str, arguments: usize) -> ScriptFault {
        let named = self.functions.iter().filter(|(known, _)| known == name);
        let counts: Vec<String> = named.map(|(_, count)| count.to_string()).collect();
        if counts.is_empty() {
            let text = format!("`{space}` has no function named `{name}`");
            let help = suggest::help(name, self.names());
            return ScriptFault::new("script::unknown-function", text).help(help);
        }
        let counts = counted(counts.join(" or "), "argument");
        let text = format!("`{space}::{name}` takes {counts}, found {arguments}");
        ScriptFault::new("script::arguments", text)
    }
}

/// Finds all names that do not exist in their namespace.
pub(crate) fn check(ast: &AST, source: &Source, libraries: &QualifiedFiles) -> Vec<ScriptFault> {
    let mut faults = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if faults.len() > fault::MOST_FINDINGS {
            return false;
        }
        let found = match path.last() {
            Some(ASTNode::Expr(Expr::Variable(variable, _, place))) if !variable.2.is_empty() => {
                fault_of(&variable.2, &variable.1, None, libraries).map(|fault| (fault, *place))
            }
            Some(
                ASTNode::Expr(Expr::FnCall(call, place)) | ASTNode::Stmt(Stmt::FnCall(call, place)),
            ) if !call.namespace.is_empty() => fault_of(
                &call.namespace,
                &call.name,
                Some(call.args.len()),
                libraries,
            )
            .map(|fault| (fault, *place)),
            _ => None,
        };
        faults.extend(found.map(|(fault, place)| fault.at(source, place)));
        true
    });
    faults
}

/// Returns the fault of a name, or `None` if the name exists. `arguments` is the number of
/// arguments of a call, or `None` for a constant.
fn fault_of(
    space: &Namespace,
    name: &str,
    arguments: Option<usize>,
    libraries: &QualifiedFiles,
) -> Option<ScriptFault> {
    let first = space.path.first().map_or("", |first| first.name.as_str());
    if first == "global" {
        let text = "scripts have no namespace `global`";
        let help = format!("write `{name}`");
        return Some(ScriptFault::new("script::namespace", text).help(help));
    }
    let Some(library) = libraries.get(first).filter(|_| space.path.len() == 1) else {
        return Some(no_namespace(first, libraries));
    };
    let Some(arguments) = arguments else {
        if library.module.contains_var(name) {
            return None;
        }
        let text = format!("`{first}` exports no constant `{name}`");
        return Some(
            ScriptFault::new("script::unknown-name", text)
                .help("write a function that returns the constant"),
        );
    };
    if library.has(name, arguments) {
        return None;
    }
    Some(library.no_function(first, name, arguments))
}

fn no_namespace(first: &str, libraries: &QualifiedFiles) -> ScriptFault {
    let text = format!("no namespace named `{first}`");
    let help = match suggest::nearest(first, libraries.keys().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if first == "base" => "name a base ruleset with `extends`".to_owned(),
        None => format!("write `import \"{first}\" as {first};` at the top to import {first}.rhai"),
    };
    ScriptFault::new("script::namespace", text).help(help)
}
