//! Compiles the functions of a script, and runs its top level.

use std::rc::Rc;

use rhai::{AST, ASTNode, Position, Scope, ScriptFuncDef, Shared, Stmt};

use super::compiler::Compiler;
use super::machine::{Function, Machine, Program, Run};
use super::names::Names;
use crate::value::Value;

/// Compiles the functions of a script.
pub(crate) fn program(ast: &AST) -> Rc<Program> {
    let mut names = Names::default();
    let definitions: Vec<&Shared<ScriptFuncDef>> = ast
        .shared_lib()
        .iter_script_fn_info()
        .map(|(.., definition)| definition)
        .collect();
    for (number, definition) in definitions.iter().enumerate() {
        let of = definition.this_type.as_ref();
        names.add(of, &definition.name, definition.params.len(), number);
    }
    let only = ast.clone_functions_only();
    let functions = definitions
        .iter()
        .map(|definition| Rc::new(compile(&only, &names, definition)))
        .collect();
    Rc::new(Program {
        source: ast.source().map(Into::into),
        functions,
        names,
    })
}

fn compile(all: &AST, names: &Names, definition: &ScriptFuncDef) -> Function {
    let mut compiler = Compiler::new(names, &definition.params);
    let statements: Vec<_> = body(all, definition)
        .iter()
        .map(|statement| compiler.statement(statement))
        .collect();
    // Rhai counts an operation for each call of a nameless function.
    let is_empty = statements.is_empty() && !definition.name.starts_with("anon$");
    let body = compiler.block(statements);
    Function {
        name: definition.name.clone(),
        parameters: definition.params.len(),
        slots: compiler.slots(),
        nesting: compiler.nesting(),
        is_empty,
        body: body.charged(),
    }
}

/// Returns the statements of a function's body.
///
/// Rhai has no public type for a body, but it visits the statements of all functions of a script.
fn body(all: &AST, definition: &ScriptFuncDef) -> Vec<Stmt> {
    let mut own = all.clone();
    let wanted = (definition.name.as_str(), definition.params.len());
    own.retain_functions(|_, _, name, count| (name, count) == wanted);
    // Functions of several types may have the same name.
    let is_only = own.iter_functions().nth(1).is_none();
    let order = |at: Position| (at.line(), at.position());
    let start = order(definition.body.start_position());
    let end = order(definition.body.end_position());
    let mut found = Vec::new();
    own.walk(&mut |path: &[ASTNode<'_>]| {
        if let [ASTNode::Stmt(statement)] = path
            && (is_only || (start..=end).contains(&order(statement.position())))
        {
            found.push((*statement).clone());
        }
        true
    });
    found
}

/// Compiles and runs the top level of a script, which defines constants in a scope.
pub(crate) fn run_top(machine: &mut Machine<'_>, scope: &mut Scope<'_>, ast: &AST) -> Run<()> {
    let program = Rc::clone(&machine.program);
    for statement in ast.statements() {
        let mut compiler = Compiler::outside(&program.names, scope);
        let code = compiler.top(statement);
        machine.stack.clear();
        machine.base = 0;
        machine.stack.push(Value::Unit);
        machine
            .stack
            .extend(scope.iter().map(|(_, _, value)| Value::from(value)));
        machine.stack.resize(compiler.slots(), Value::Unit);
        let value = code.charged()(machine)?;
        if let Stmt::Var(variable, ..) = statement {
            scope.push_constant_dynamic(variable.0.name.as_str(), value.dynamic());
        }
    }
    Ok(())
}
