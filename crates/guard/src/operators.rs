//! Rhai's own operators whose work grows with the size of a value. One is `-` between strings,
//! which removes every occurrence of a substring. The other is `+=` on an array, which checks the
//! size of all elements.
//!
//! Guards can't intercept fast operators. On a long string or array, one of these operators does as
//! much work as thousands of others. An engine's operators are therefore fast only while none of
//! its scripts may use them on such values. Slow operators are looked up like functions, which
//! takes about a tenth longer, and the guards here charge for their work.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{
    AST, ASTNode, Array, Dynamic, Engine, Expr, ImmutableString, Module, OpAssignment, Stmt,
    StmtBlock, Token,
};

use super::callbacks::is_caller;
use super::meter;
use super::syntax::{call_names, call_of, visit};

/// The work for each byte of a string that is searched.
const BYTE: u64 = 8;
/// The work for each element of an array. Each element is examined twice.
const ELEMENT: u64 = 2;
/// The largest array to which fast operators may add elements, at a cost of about 10,000
/// instructions.
const SMALL_ARRAY: usize = 2_500;

pub(crate) fn add_guards(guards: &mut Module) {
    guards.set_native_fn("-", |text: ImmutableString, part: ImmutableString| {
        meter::afford(BYTE * text.len() as u64)?;
        Ok(text - part)
    });
    guards.set_native_fn("-", |text: ImmutableString, part: char| {
        meter::afford(BYTE * text.len() as u64)?;
        Ok(text - part)
    });
    guards.set_native_fn("-=", |text: &mut ImmutableString, part: ImmutableString| {
        meter::afford(BYTE * text.len() as u64)?;
        *text -= part;
        Ok(())
    });
    guards.set_native_fn("-=", |text: &mut ImmutableString, part: char| {
        meter::afford(BYTE * text.len() as u64)?;
        *text -= part;
        Ok(())
    });
    guards.set_native_fn("+=", |array: &mut Array, more: Array| {
        meter::afford(ELEMENT * (array.len() + more.len()) as u64)?;
        array.extend(more);
        Ok(())
    });
    guards.set_native_fn("+=", |array: &mut Array, element: Dynamic| {
        meter::afford(ELEMENT * array.len() as u64)?;
        array.push(element);
        Ok(())
    });
}

/// Makes an engine's operators slow if the script may subtract strings or add elements to arrays
/// that may be large.
pub(crate) fn settle(engine: &mut Engine, ast: &AST) {
    let mut found = subtractions(ast);
    if engine.max_array_size() > SMALL_ARRAY {
        found.extend(additions(ast));
    }
    let outside = calls_outside(ast);
    if found.is_empty() && !outside {
        return;
    }
    let called = call_names(ast);
    let keeps = keeps_functions(ast, &called);
    if outside && keeps {
        // The script may pass functions in maps to another file, and that file's check does not
        // know about them.
        engine.set_fast_operators(false);
        return;
    }
    let numbers = NumericNames::new(engine, ast, &called, outside || keeps);
    if !found
        .iter()
        .all(|sides| sides.iter().any(|side| numbers.has(side)))
    {
        engine.set_fast_operators(false);
    }
}

fn subtractions(ast: &AST) -> Vec<Vec<Expr>> {
    let mut found = Vec::new();
    visit(ast, |node| match node {
        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))
            if call.op_token == Some(Token::Minus) && call.args.len() == 2 =>
        {
            found.push(call.args.to_vec());
        }
        ASTNode::Stmt(Stmt::Assignment(parts)) if operator(&parts.0) == Some(&Token::Minus) => {
            found.push(vec![parts.1.rhs.clone()]);
        }
        _ => {}
    });
    found
}

fn additions(ast: &AST) -> Vec<Vec<Expr>> {
    let mut found = Vec::new();
    visit(ast, |node| match node {
        ASTNode::Stmt(Stmt::Assignment(parts)) if operator(&parts.0) == Some(&Token::Plus) => {
            found.push(vec![parts.1.lhs.clone()]);
        }
        _ => {}
    });
    found
}

fn operator(op: &OpAssignment) -> Option<&Token> {
    op.get_op_assignment_info()
        .map(|(.., operator, _)| operator)
}

/// The functions and variables of a script whose values are known not to be strings. Their values
/// are numbers, Booleans or `()`.
struct NumericNames {
    /// The functions that return a number, regardless of their arguments.
    functions: BTreeSet<String>,
    /// The variables that contain such values in all functions of the script.
    variables: BTreeSet<String>,
    /// Whether a map may contain a function, which scripts call like a method of the program.
    methods_in_maps: bool,
}

/// Reports whether a type is a number, or a result that contains a number.
fn is_number(kind: &str) -> bool {
    let value = kind
        .trim_start_matches("core::result::")
        .trim_start_matches("Result<");
    let value = value.split([',', '>']).next().unwrap_or_default();
    ["i64", "f64"].contains(&value)
}

fn calls_outside(ast: &AST) -> bool {
    !ast.walk(&mut |path: &[ASTNode<'_>]| {
        let call = path.last().and_then(call_of);
        call.is_none_or(|(call, ..)| call.namespace.is_empty())
    })
}

/// Reports whether a script may store one of its functions in a map. A function that is only passed
/// directly to a function of lists does not count.
fn keeps_functions(ast: &AST, called: &BTreeSet<String>) -> bool {
    if called.contains("Fn") {
        return true;
    }
    let functions = ast.iter_functions().map(|function| function.name);
    let (nameless, named): (Vec<&str>, Vec<&str>) =
        functions.partition(|name| name.starts_with("anon$"));
    if nameless.is_empty() {
        return false;
    }
    let mut handed = 0;
    let mut written = 0;
    visit(ast, |node| match node {
        ASTNode::Expr(Expr::MethodCall(call, _))
            if is_caller(&call.name) && !named.contains(&call.name.as_str()) =>
        {
            handed += call.args.iter().filter(|arg| is_function(arg)).count();
        }
        ASTNode::Expr(expr) if is_function(expr) => written += 1,
        _ => {}
    });
    // A function that the walk did not find may be stored somewhere.
    handed != written || written < nameless.len()
}

fn is_function(expr: &Expr) -> bool {
    matches!(expr, Expr::DynamicConstant(value, _) if value.is_fnptr())
}

/// The maximum number of passes over the variables. If a script needs more, its operators are slow.
const MOST_ROUNDS: usize = 8;

impl NumericNames {
    fn new(engine: &Engine, ast: &AST, called: &BTreeSet<String>, methods_in_maps: bool) -> Self {
        let mut all: BTreeMap<String, bool> = BTreeMap::new();
        // The engine has hundreds of functions, and this code runs for each file. It therefore
        // collects only functions that the file calls.
        let returns = |info: rhai::FuncInfo<'_>| {
            let name = info.metadata.name.as_str();
            // Guards have no result type. The guarded functions have one.
            if !called.contains(name) || info.metadata.return_type.is_empty() {
                return None;
            }
            Some((name.to_owned(), is_number(&info.metadata.return_type)))
        };
        for (name, number) in engine.collect_fn_metadata(None, returns, true) {
            *all.entry(name).or_insert(true) &= number;
        }
        for function in ast.iter_functions() {
            all.remove(function.name);
        }
        let functions = all
            .into_iter()
            .filter_map(|(name, number)| number.then_some(name))
            .collect();
        let mut numbers = Self {
            functions,
            variables: BTreeSet::new(),
            methods_in_maps,
        };
        numbers.find_variables(ast);
        numbers
    }

    /// Starts with all variables and repeatedly removes those that may contain other values, until
    /// no more are removed.
    fn find_variables(&mut self, ast: &AST) {
        let (given, unknown) = definitions(ast);
        self.variables = given.iter().map(|(name, _)| name.clone()).collect();
        self.variables.retain(|name| !unknown.contains(name));
        for _ in 0..MOST_ROUNDS {
            let other = given
                .iter()
                .filter(|(_, to)| !self.has(to))
                .map(|(name, _)| name);
            let other: BTreeSet<&String> = other.collect();
            let before = self.variables.len();
            self.variables.retain(|name| !other.contains(name));
            if self.variables.len() == before {
                return;
            }
        }
        self.variables.clear();
    }

    fn has(&self, expr: &Expr) -> bool {
        match expr {
            Expr::IntegerConstant(..)
            | Expr::FloatConstant(..)
            | Expr::BoolConstant(..)
            | Expr::Unit(_) => true,
            Expr::Variable(variable, ..) => {
                variable.2.is_empty() && self.variables.contains(variable.1.as_str())
            }
            Expr::FnCall(call, _) => match &call.op_token {
                // These operators accept only numbers.
                Some(
                    Token::Multiply
                    | Token::Divide
                    | Token::Modulo
                    | Token::PowerOf
                    | Token::UnaryMinus,
                ) => true,
                // Another check finds subtractions of strings.
                Some(Token::Minus) => true,
                Some(Token::Plus) => call.args.iter().all(|arg| self.has(arg)),
                Some(_) => false,
                None if !call.namespace.is_empty() => false,
                None if matches!(call.name.as_str(), "min" | "max") => {
                    call.args.iter().any(|arg| self.has(arg))
                }
                None => self.functions.contains(call.name.as_str()),
            },
            // The last call of the chain determines the type.
            Expr::Dot(sides, ..) => match &sides.rhs {
                Expr::MethodCall(call, _) => {
                    !self.methods_in_maps && self.functions.contains(call.name.as_str())
                }
                rest => self.has(rest),
            },
            Expr::Stmt(block) => self.ends(block),
            _ => false,
        }
    }

    /// Reports whether the last value of a block is known not to be a string.
    fn ends(&self, block: &StmtBlock) -> bool {
        match block.statements().last() {
            None => true,
            Some(Stmt::Expr(expr)) => self.has(expr),
            Some(Stmt::FnCall(call, place)) => self.has(&Expr::FnCall(call.clone(), *place)),
            Some(Stmt::If(flow, _)) => self.ends(&flow.body) && self.ends(&flow.branch),
            Some(_) => false,
        }
    }
}

/// Returns the expressions assigned to each variable, and the names of variables that may have any
/// value.
fn definitions(ast: &AST) -> (Vec<(String, Expr)>, BTreeSet<String>) {
    let mut given = Vec::new();
    let mut unknown: BTreeSet<String> = ast
        .iter_functions()
        .flat_map(|function| function.params)
        .map(str::to_owned)
        .collect();
    let own: BTreeSet<&str> = ast.iter_functions().map(|function| function.name).collect();
    visit(ast, |node| match node {
        ASTNode::Stmt(Stmt::Var(variable, ..)) => {
            given.push((variable.0.name.to_string(), variable.1.clone()));
        }
        ASTNode::Stmt(Stmt::For(parts, _)) => {
            unknown.insert(parts.0.name.to_string());
            unknown.extend(parts.1.iter().map(|counter| counter.name.to_string()));
        }
        // `catch` assigns the caught value to a variable.
        ASTNode::Stmt(Stmt::TryCatch(flow, _)) => {
            if let Expr::Variable(caught, ..) = &flow.expr {
                unknown.insert(caught.1.to_string());
            }
        }
        ASTNode::Stmt(Stmt::Assignment(parts)) => {
            if let Expr::Variable(variable, ..) = &parts.1.lhs
                && matches!(operator(&parts.0), None | Some(Token::Plus))
            {
                given.push((variable.1.to_string(), parts.1.rhs.clone()));
            }
        }
        // A function of the script may change the object on which it is called, and `call` may
        // call any function.
        ASTNode::Expr(Expr::Dot(sides, ..)) => {
            let is_own = |name: &str| own.contains(name) || name == "call";
            let calls_own = match &sides.rhs {
                Expr::MethodCall(call, _) => is_own(&call.name),
                Expr::Dot(rest, ..) | Expr::Index(rest, ..) => match &rest.lhs {
                    Expr::MethodCall(call, _) => is_own(&call.name),
                    _ => false,
                },
                _ => false,
            };
            if let (Expr::Variable(variable, ..), true) = (&sides.lhs, calls_own) {
                unknown.insert(variable.1.to_string());
            }
        }
        _ => {}
    });
    (given, unknown)
}
