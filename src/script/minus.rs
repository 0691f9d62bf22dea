//! `-` between texts, which takes every part of a text out that is like another.
//!
//! It is an operator of Rhai's own that no guard reaches while operators are fast, and on a long text it does as much
//! as thousands of others. So the operators of an engine are fast only as long as none of its scripts may subtract
//! texts; otherwise they are looked up like functions, which costs about a tenth, and the guard here charges for the
//! work.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Engine, Expr, ImmutableString, Module, Stmt, Token};

use super::compile::call_names;
use super::meter;

/// Work for each byte of a text that is searched.
const BYTE: u64 = 8;

/// Adds what charges for `-` between texts.
pub(super) fn add_guards(guards: &mut Module) {
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
}

/// Slows an engine's operators down where a script that it is to run may subtract texts.
pub(super) fn settle(engine: &mut Engine, ast: &AST) {
    let found = subtractions(ast);
    if found.is_empty() {
        return;
    }
    let numbers = Numbers::of(engine, ast);
    if !found.iter().all(|sides| sides.iter().any(|side| numbers.has(side))) {
        engine.set_fast_operators(false);
    }
}

/// What each `-` of a script stands between, or the right side alone of a `-=`.
fn subtractions(ast: &AST) -> Vec<Vec<Expr>> {
    let mut found = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)))
                if call.op_token == Some(Token::Minus) && call.args.len() == 2 =>
            {
                found.push(call.args.to_vec());
            }
            Some(ASTNode::Stmt(Stmt::Assignment(parts)))
                if parts.0.get_op_assignment_info().is_some_and(|(.., op, _)| *op == Token::Minus) =>
            {
                found.push(vec![parts.1.rhs.clone()]);
            }
            _ => {}
        }
        true
    });
    found
}

/// Which expressions of a script are sure to be numbers.
struct Numbers {
    /// The functions that return a number, whatever they are given.
    functions: BTreeSet<String>,
    /// May a map hold a function, which then is called like one of the program's?
    methods_in_maps: bool,
}

impl Numbers {
    fn of(engine: &Engine, ast: &AST) -> Self {
        let mut all: BTreeMap<String, bool> = BTreeMap::new();
        let returns = |info: rhai::FuncInfo<'_>| {
            let number = matches!(info.metadata.return_type.as_str(), "i64" | "f64" | "int" | "float");
            Some((info.metadata.name.to_string(), number))
        };
        for (name, number) in engine.collect_fn_metadata(None, returns, true) {
            *all.entry(name).or_insert(true) &= number;
        }
        let mut methods_in_maps = call_names(ast).contains("Fn");
        for function in ast.iter_functions() {
            all.remove(function.name);
            methods_in_maps |= function.name.starts_with("anon$");
        }
        let functions = all.into_iter().filter_map(|(name, number)| number.then_some(name)).collect();
        Self { functions, methods_in_maps }
    }

    fn has(&self, expr: &Expr) -> bool {
        match expr {
            Expr::IntegerConstant(..) | Expr::FloatConstant(..) => true,
            Expr::FnCall(call, _) => match &call.op_token {
                // These are for numbers alone.
                Some(Token::Multiply | Token::Divide | Token::Modulo | Token::PowerOf | Token::UnaryMinus) => true,
                // Where a text is subtracted, that is another find.
                Some(Token::Minus) => true,
                Some(_) => false,
                None if !call.namespace.is_empty() => false,
                None if matches!(call.name.as_str(), "min" | "max") => call.args.iter().any(|arg| self.has(arg)),
                None => self.functions.contains(call.name.as_str()),
            },
            // What stands at the end of the chain.
            Expr::Dot(sides, ..) => match &sides.rhs {
                Expr::MethodCall(call, _) => !self.methods_in_maps && self.functions.contains(call.name.as_str()),
                rest => self.has(rest),
            },
            _ => false,
        }
    }
}
