//! Both evaluators agree on programs of the whole language.

use std::collections::BTreeMap;

use rhai::{ASTFlags, ASTNode, Expr, Stmt};

use crate::grammar::{Program, bytes_of};
use crate::judge::{Comparison, Twins};

/// The number of programs in a usual run. `RISK_EVERY_CASE` (`.ci/nightly`) runs more.
const PROGRAMS: u64 = 10_000;
/// The length of the bytes of a program.
const BYTES: usize = 1_500;
/// How many nodes of each kind the programs must have.
const LEAST: u64 = 1_000;

/// Every kind of node that a script can have, and its variants. `in` is a call of `contains`.
const NODES: &[&str] = &[
    "if",
    "switch",
    "while",
    "loop",
    "do while",
    "do until",
    "for",
    "for with counter",
    "let",
    "const",
    "=",
    "+=",
    "-=",
    "*=",
    "/=",
    "%=",
    "**=",
    "<<=",
    ">>=",
    "&=",
    "|=",
    "^=",
    "call statement",
    "block",
    "try",
    "try with name",
    "break",
    "continue",
    "return",
    "throw",
    "import",
    "constant value",
    "bool",
    "integer",
    "float",
    "char",
    "string",
    "interpolation",
    "array",
    "map",
    "unit",
    "variable",
    "lib::variable",
    "this",
    "property",
    "method",
    "call",
    "lib::call",
    "unary -",
    "unary +",
    "unary !",
    "+",
    "-",
    "*",
    "/",
    "%",
    "**",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "..",
    "..=",
    "!in",
    ".",
    "?.",
    "[",
    "?[",
    "&&",
    "||",
    "??",
];

fn kind(node: &ASTNode<'_>) -> String {
    match node {
        ASTNode::Stmt(statement) => of_statement(statement),
        ASTNode::Expr(expr) => of_expr(expr),
        _ => "other".to_owned(),
    }
}

fn of_statement(statement: &Stmt) -> String {
    let is_break = |flags: &ASTFlags| flags.intersects(ASTFlags::BREAK);
    let name = match statement {
        Stmt::If(..) => "if",
        Stmt::Switch(..) => "switch",
        Stmt::While(flow, _) if matches!(flow.expr, Expr::Unit(_)) => "loop",
        Stmt::While(..) => "while",
        Stmt::Do(_, flags, _) if flags.intersects(ASTFlags::NEGATED) => "do until",
        Stmt::Do(..) => "do while",
        Stmt::For(parts, _) if parts.1.is_some() => "for with counter",
        Stmt::For(..) => "for",
        Stmt::Var(_, flags, _) if flags.intersects(ASTFlags::CONSTANT) => "const",
        Stmt::Var(..) => "let",
        Stmt::Assignment(parts) => match parts.0.get_op_assignment_info() {
            Some((_, _, token, ..)) => return token.to_string(),
            None => "=",
        },
        Stmt::FnCall(..) => "call statement",
        Stmt::Block(..) => "block",
        Stmt::TryCatch(flow, _) if matches!(flow.expr, Expr::Unit(_)) => "try",
        Stmt::TryCatch(..) => "try with name",
        Stmt::BreakLoop(_, flags, _) if is_break(flags) => "break",
        Stmt::BreakLoop(..) => "continue",
        Stmt::Return(_, flags, _) if is_break(flags) => "throw",
        Stmt::Return(..) => "return",
        Stmt::Import(..) => "import",
        _ => "other",
    };
    name.to_owned()
}

fn of_expr(expr: &Expr) -> String {
    let optional = |flags: &ASTFlags| flags.intersects(ASTFlags::NEGATED);
    let name = match expr {
        Expr::DynamicConstant(..) => "constant value",
        Expr::BoolConstant(..) => "bool",
        Expr::IntegerConstant(..) => "integer",
        Expr::FloatConstant(..) => "float",
        Expr::CharConstant(..) => "char",
        Expr::StringConstant(..) => "string",
        Expr::InterpolatedString(..) => "interpolation",
        Expr::Array(..) => "array",
        Expr::Map(..) => "map",
        Expr::Unit(..) => "unit",
        Expr::Variable(variable, ..) if !variable.2.is_empty() => "lib::variable",
        Expr::Variable(..) => "variable",
        Expr::ThisPtr(..) => "this",
        Expr::Property(..) => "property",
        Expr::MethodCall(..) => "method",
        Expr::FnCall(call, _) => match &call.op_token {
            Some(token) if call.args.len() == 1 => return format!("unary {token}"),
            Some(token) => return token.to_string(),
            None if !call.namespace.is_empty() => "lib::call",
            None => "call",
        },
        Expr::Dot(_, flags, _) if optional(flags) => "?.",
        Expr::Dot(..) => ".",
        Expr::Index(_, flags, _) if optional(flags) => "?[",
        Expr::Index(..) => "[",
        Expr::And(..) => "&&",
        Expr::Or(..) => "||",
        Expr::Coalesce(..) => "??",
        _ => "other",
    };
    name.to_owned()
}

/// Returns the smallest part of a program on which the evaluators do not agree.
fn smallest(program: &Program) -> String {
    let library = program.library.clone();
    let differs = |text: &str| {
        Twins::with_library(text, &library)
            .is_ok_and(|twins| twins.judge().compare(&twins.own()) == Comparison::Different)
    };
    let mut lines: Vec<&str> = program.text.split_inclusive([' ', '\n', ';']).collect();
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < lines.len() {
            let mut less = lines.clone();
            less.drain(at..(at + size).min(lines.len()));
            if differs(&less.concat()) {
                lines = less;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    lines.concat()
}

/// Returns the seeds of the fuzz target.
fn seeds() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/evaluators");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

#[test]
fn both_evaluators_agree_on_programs() {
    let times = if std::env::var_os("RISK_EVERY_CASE").is_some() {
        8
    } else {
        1
    };
    let mut met = BTreeMap::<String, u64>::new();
    let mut compared = BTreeMap::<Comparison, u64>::new();
    let mut refused = 0;
    let made = (0..PROGRAMS * times).map(|seed| bytes_of(seed, BYTES));
    for (number, bytes) in seeds().into_iter().chain(made).enumerate() {
        let program = Program::of(&bytes);
        let Ok(twins) = Twins::with_library(&program.text, &program.library) else {
            refused += 1;
            continue;
        };
        let (own, judge) = (twins.own(), twins.judge());
        let comparison = judge.compare(&own);
        *compared.entry(comparison).or_default() += 1;
        assert!(
            comparison != Comparison::Different,
            "program {number}:\njudge {judge:?}\nown   {own:?}\n{}\n{}",
            smallest(&program),
            program.library,
        );
        twins.visit(|node| *met.entry(kind(node)).or_default() += 1);
    }
    let count = |comparison| compared.get(&comparison).copied().unwrap_or(0);
    let seldom: Vec<_> = NODES
        .iter()
        .map(|name| (name, met.get(*name).copied().unwrap_or(0)))
        .filter(|(_, count)| *count < LEAST)
        .collect();
    assert_eq!(seldom, [], "{met:#?}");
    // The exceptions stay few.
    let all = PROGRAMS * times;
    assert!(refused < all / 10 && count(Comparison::Same) > all * 85 / 100);
    assert!(count(Comparison::Memory) < all / 100 && count(Comparison::Price) < all / 200);
    let others = count(Comparison::Power) + count(Comparison::Imports);
    assert!(others < all / 1_000);
}
