//! Compiles expressions.

use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, Expr, FnPtr, ImmutableString, Position, Scope};

use super::count::Count;
use super::machine::{Code, Machine, Run, This};
use super::names::Names;
use super::operators::{Operator, binary, unary};
use super::piece::{Operand, Piece, Sequence};
use crate::run::calls::NativePlace;
use crate::sizes::MOST_VARIABLES;
use crate::value::Value;

/// A compiler of one function.
pub(crate) struct Compiler<'n> {
    pub(crate) names: &'n Names,
    scope: Vec<Variable>,
    /// The largest number of slots that were used at once.
    most_slots: usize,
    depth: usize,
    deepest: usize,
}

struct Variable {
    name: ImmutableString,
    is_constant: bool,
}

impl<'n> Compiler<'n> {
    /// A compiler of a function with these parameters.
    pub(crate) fn new(names: &'n Names, parameters: &[ImmutableString]) -> Self {
        let mut compiler = Self {
            names,
            scope: Vec::new(),
            most_slots: 1,
            depth: 0,
            deepest: 1,
        };
        for name in parameters {
            compiler.define(name, false);
        }
        compiler
    }

    /// A compiler of code outside functions, which sees the constants of a scope.
    pub(crate) fn outside(names: &'n Names, scope: &Scope<'_>) -> Self {
        let mut compiler = Self::new(names, &[]);
        for (name, ..) in scope.iter() {
            compiler.define(&name.into(), true);
        }
        compiler
    }

    pub(crate) fn slots(&self) -> usize {
        self.most_slots
    }

    pub(crate) fn nesting(&self) -> usize {
        self.deepest
    }

    /// Reports whether the function has too many variables for another one and some more.
    pub(crate) fn is_full(&self, more: usize) -> bool {
        self.scope.len() + more >= MOST_VARIABLES
    }

    /// Adds a variable to the current block. Returns its slot.
    pub(crate) fn define(&mut self, name: &ImmutableString, is_constant: bool) -> usize {
        self.scope.push(Variable {
            name: name.clone(),
            is_constant,
        });
        self.most_slots = self.most_slots.max(self.scope.len() + 1);
        self.scope.len()
    }

    /// Replaces the last variable of a name. Returns its slot.
    pub(crate) fn define_again(&mut self, name: &str, is_constant: bool) -> Option<usize> {
        let (slot, _) = self.find(name)?;
        self.scope[slot - 1].is_constant = is_constant;
        Some(slot)
    }

    /// Compiles the contents of a block, whose variables end with it.
    pub(crate) fn within<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope.len();
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let done = compile(self);
        self.depth -= 1;
        self.scope.truncate(outer);
        done
    }

    /// Returns the slot of a variable, and whether it is a constant.
    pub(crate) fn find(&self, name: &str) -> Option<(usize, bool)> {
        let index = self.scope.iter().rposition(|known| known.name == name)?;
        Some((index + 1, self.scope[index].is_constant))
    }

    pub(crate) fn visible(&self) -> Vec<ImmutableString> {
        self.scope.iter().map(|known| known.name.clone()).collect()
    }

    /// Compiles an argument of a call or an operator. A literal counts one operation.
    pub(crate) fn argument(&mut self, expr: &Expr) -> Piece {
        match literal(expr) {
            Some(value) => Piece::plain(vec![expr.start_position()], Operand::Constant(value)),
            None => self.expr(expr),
        }
    }

    /// Compiles an expression.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Piece {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let piece = self.inner(expr);
        self.depth -= 1;
        piece.after(expr.position())
    }

    fn inner(&mut self, expr: &Expr) -> Piece {
        if let Some(value) = simple(expr) {
            return Piece::plain(Vec::new(), Operand::Constant(value));
        }
        match expr {
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::ThisPtr(at) => this(*at),
            Expr::Variable(variable, _, at) if variable.2.is_empty() => {
                self.variable(&variable.1, *at)
            }
            Expr::Variable(variable, ..) => {
                let space = variable.2.path.first();
                let space = space.map_or("", |first| first.name.as_str());
                exported(
                    space,
                    &variable.1,
                    &variable.2.to_string(),
                    variable.2.position(),
                )
            }
            Expr::InterpolatedString(parts, _) => self.interpolated(parts),
            Expr::Array(items, _) => self.array(items),
            Expr::Map(map, _) => {
                let keys = map.0.iter().map(|(key, _)| key.name.clone()).collect();
                self.map(keys, map.0.iter().map(|(_, value)| value))
            }
            Expr::And(parts, _) => self.logic(parts, false),
            Expr::Or(parts, _) => self.logic(parts, true),
            Expr::Coalesce(parts, _) => self.coalesce(parts),
            Expr::Stmt(block) => self.statements(block),
            Expr::Dot(..) | Expr::Index(..) => self.chain(expr),
            _ => unknown("the expression"),
        }
    }

    pub(crate) fn variable(&mut self, name: &ImmutableString, at: Position) -> Piece {
        if let Some((slot, _)) = self.find(name) {
            return Piece::plain(Vec::new(), Operand::Local(slot));
        }
        if self.names.has_name(name).is_some()
            && let Ok(function) = FnPtr::new(name.clone())
        {
            let value = Value::Other(Dynamic::from(function));
            return Piece::plain(Vec::new(), Operand::Constant(value));
        }
        let name = name.to_string();
        let code: Code = Box::new(move |machine| {
            machine.fail(EvalAltResult::ErrorVariableNotFound(name.clone(), at))
        });
        Piece::branching(Vec::new(), code)
    }

    fn interpolated(&mut self, parts: &[Expr]) -> Piece {
        let pieces = parts.iter().map(|part| self.expr(part)).collect();
        let places: Vec<NativePlace> = parts
            .iter()
            .map(|part| NativePlace::new("to_string".into(), part.position()))
            .collect();
        let ats: Vec<Position> = parts.iter().map(Expr::position).collect();
        let (sequence, parts) = Sequence::new(pieces, Vec::new());
        let code: Code = Box::new(move |machine| {
            let mut text = String::new();
            for (number, part) in parts.iter().enumerate() {
                let value = part.operand.value(machine)?;
                super::text::write(machine, &mut text, value, &places[number])?;
                if text.len() > machine.engine.max_string_size() {
                    return machine.too_large("Length of string", ats[number]);
                }
                machine.spend(&part.after)?;
            }
            Ok(Value::Other(text.into()))
        });
        sequence.piece(false, Operand::Code(code))
    }

    fn array(&mut self, items: &[Expr]) -> Piece {
        let pieces = items.iter().map(|item| self.expr(item)).collect();
        let at = items.last().map_or(Position::NONE, Expr::position);
        let (sequence, parts) = Sequence::new(pieces, Vec::new());
        let own = super::piece::Ahead::default();
        let counted = Rc::clone(&own);
        let code: Code = Box::new(move |machine| {
            let mut array = rhai::Array::with_capacity(parts.len());
            let mut is_flat = true;
            for part in &parts {
                let value = part.value(machine)?;
                is_flat &= !value.is_container();
                array.push(value.dynamic());
            }
            crate::meter::make(array.len() as u64);
            finish(machine, Dynamic::from_array(array), is_flat, at, &counted)
        });
        sequence.piece_with(&own, Operand::Code(code))
    }

    fn map<'e>(
        &mut self,
        keys: Vec<ImmutableString>,
        values: impl Iterator<Item = &'e Expr>,
    ) -> Piece {
        let mut at = Position::NONE;
        let pieces = values
            .map(|value| {
                at = value.position();
                self.expr(value)
            })
            .collect();
        let (sequence, parts) = Sequence::new(pieces, Vec::new());
        let own = super::piece::Ahead::default();
        let counted = Rc::clone(&own);
        let code: Code = Box::new(move |machine| {
            let mut map = rhai::Map::new();
            let mut is_flat = true;
            for (key, part) in keys.iter().zip(&parts) {
                let value = part.value(machine)?;
                is_flat &= !value.is_container();
                map.insert(key.as_str().into(), value.dynamic());
            }
            let value = Dynamic::from_map(map);
            crate::meter::make(8 * parts.len() as u64);
            finish(machine, value, is_flat, at, &counted)
        });
        sequence.piece_with(&own, Operand::Code(code))
    }

    fn logic(&mut self, parts: &[Expr], wanted: bool) -> Piece {
        let mut tests = parts.iter().map(|part| self.test(part)).collect::<Vec<_>>();
        if tests.is_empty() {
            return Piece::plain(Vec::new(), Operand::Constant(Value::Bool(!wanted)));
        }
        let (operations, first) = tests.remove(0);
        let rest: Vec<(Count, Code<bool>)> = tests
            .into_iter()
            .map(|(operations, test)| (Count::new(&operations), test))
            .collect();
        let code: Code<bool> = Box::new(move |machine| {
            if first(machine)? == wanted {
                return Ok(wanted);
            }
            for (operations, test) in &rest {
                machine.spend(operations)?;
                if test(machine)? == wanted {
                    return Ok(wanted);
                }
            }
            Ok(!wanted)
        });
        Piece {
            operations,
            ahead: Vec::new(),
            is_plain: false,
            operand: Operand::Test(code),
        }
    }

    /// Compiles a condition: its operations, and its code.
    pub(crate) fn test(&mut self, expr: &Expr) -> (Vec<Position>, Code<bool>) {
        let piece = self.expr(expr);
        let at = expr.position();
        let code: Code<bool> = match piece.operand {
            Operand::Test(code) => code,
            operand => Box::new(move |machine| match operand.value(machine)? {
                Value::Bool(flag) => Ok(flag),
                other => machine.mismatch::<bool, _>(other.type_name(), at),
            }),
        };
        (piece.operations, code)
    }

    fn coalesce(&mut self, parts: &[Expr]) -> Piece {
        let mut pieces = parts.iter().map(|part| self.expr(part)).collect::<Vec<_>>();
        if pieces.is_empty() {
            return Piece::plain(Vec::new(), Operand::Constant(Value::Unit));
        }
        let first = pieces.remove(0);
        let rest: Vec<Code> = pieces.into_iter().map(Piece::charged).collect();
        let operand = first.operand;
        let code: Code = Box::new(move |machine| {
            let mut value = operand.value(machine)?;
            for part in &rest {
                if !matches!(value, Value::Unit) {
                    break;
                }
                value = part(machine)?;
            }
            Ok(value)
        });
        Piece::branching(first.operations, code)
    }

    /// Compiles an operator, or returns `None` for other calls.
    pub(crate) fn operator(&mut self, call: &rhai::FnCallExpr, at: Position) -> Option<Piece> {
        let token = call.op_token.clone()?;
        let operator = Operator::new(token, call.name.clone(), at);
        match call.args.as_slice() {
            [operand] => {
                let operand = self.argument(operand);
                Some(unary(operator, operand))
            }
            [left, right] => {
                let left = self.argument(left);
                let right = self.argument(right);
                Some(binary(operator, left, right))
            }
            _ => None,
        }
    }
}

fn this(at: Position) -> Piece {
    let code: Code = Box::new(move |machine| {
        if machine.this == This::None {
            return machine.fail(EvalAltResult::ErrorUnboundThis(at));
        }
        Ok(machine.read(0))
    });
    Piece::branching(Vec::new(), code)
}

fn exported(space: &str, name: &ImmutableString, full: &str, at: Position) -> Piece {
    let (space, name, full) = (space.to_owned(), name.clone(), full.to_owned());
    let code: Code = Box::new(move |machine| match machine.runtime.files.get(&space) {
        Some(file) => match file.constants.get_var(&name) {
            Some(value) => Ok(Value::from(value)),
            None => {
                let name = format!("{full}::{name}");
                machine.fail(EvalAltResult::ErrorVariableNotFound(name, at))
            }
        },
        None => machine.fail(EvalAltResult::ErrorModuleNotFound(full.clone(), at)),
    });
    Piece::branching(Vec::new(), code)
}

pub(crate) fn unknown(what: &'static str) -> Piece {
    let code: Code =
        Box::new(move |machine| machine.fail_with(format!("{what} can't be evaluated").into()));
    Piece::branching(Vec::new(), code)
}

/// Checks the size of a new value. On failure, gives back the operations of later nodes.
fn finish(
    machine: &mut Machine<'_>,
    value: Dynamic,
    is_flat: bool,
    at: Position,
    ahead: &super::piece::Ahead,
) -> Run {
    let checked = machine.check_size(&value, at);
    if checked.is_err() || !is_flat && machine.check_contents(&value, at).is_err() {
        crate::meter::give_back(u64::from(ahead.get()));
        return Err(super::machine::Halted);
    }
    Ok(Value::Other(value))
}

/// Returns the value of a constant.
fn simple(expr: &Expr) -> Option<Value> {
    let is_simple = matches!(
        expr,
        Expr::DynamicConstant(..)
            | Expr::IntegerConstant(..)
            | Expr::CharConstant(..)
            | Expr::StringConstant(..)
            | Expr::BoolConstant(..)
            | Expr::FloatConstant(..)
            | Expr::Unit(_)
    );
    is_simple.then(|| literal(expr)).flatten()
}

/// Returns the value of a literal, which may be a list or map of literals, or a range.
pub(crate) fn literal(expr: &Expr) -> Option<Value> {
    let mut value = Value::from(expr.get_literal_value(None)?);
    value.share();
    Some(value)
}
