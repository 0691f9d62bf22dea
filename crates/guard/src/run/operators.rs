//! The operators of the language.

use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, FLOAT, INT, ImmutableString, Position, Token};

use super::calls::{BuiltInPlace, NativePlace};
use super::machine::{Code, Machine, Run};
use super::piece::{Ahead, Operand, Part, Piece, Sequence};
use crate::meter;
use crate::value::Value;

/// The work for each byte of a string that is searched.
const BYTE: u64 = 8;

/// An operator at a place of a script.
pub(crate) struct Operator {
    token: Token,
    built_in: BuiltInPlace,
    /// The functions for other types.
    place: NativePlace,
    at: Position,
    ahead: Ahead,
}

impl Operator {
    pub(crate) fn new(token: Token, name: ImmutableString, at: Position) -> Self {
        Self {
            token,
            built_in: BuiltInPlace::new(name.clone()),
            place: NativePlace::new(name, at),
            at,
            ahead: Ahead::default(),
        }
    }

    /// Gives back the operations that were counted for later nodes.
    #[cold]
    fn give_back(&self) {
        meter::give_back(u64::from(self.ahead.get()));
    }

    #[cold]
    fn take_again(&self, machine: &mut Machine<'_>) -> Run<()> {
        machine.spend_again(self.ahead.get())
    }

    /// Calculates a value that is not calculated in place.
    #[cold]
    #[inline(never)]
    fn other(&self, machine: &mut Machine<'_>, left: Value, right: Value) -> Run {
        self.give_back();
        let (mut left, mut right) = (left.dynamic(), right.dynamic());
        let value = self.calculate(machine, &mut left, &mut right)?;
        self.take_again(machine)?;
        Ok(value)
    }

    fn calculate(&self, machine: &mut Machine<'_>, left: &mut Dynamic, right: &mut Dynamic) -> Run {
        if self.token == Token::PowerOf
            && let Some(power) = power(left, right)
        {
            return Ok(Value::Other(Dynamic::from_float(power)));
        }
        if self.token == Token::Minus {
            charge(machine, left, self.at)?;
        }
        let is_known = !left.is_variant() && !right.is_variant();
        if is_known && let Some(func) = self.built_in.find(machine, left, right) {
            let called = machine.call_rust(&func, &self.place.name, &mut [left, right], self.at);
            return called.map(Value::from);
        }
        let mut args = [std::mem::take(left), std::mem::take(right)];
        self.place.call(machine, &mut args, false)
    }
}

/// Charges for the search of a text from which another is taken.
fn charge(machine: &mut Machine<'_>, from: &Dynamic, at: Position) -> Run<()> {
    let length = from.as_immutable_string_ref().map_or(0, |text| text.len());
    machine.received(meter::afford(BYTE * length as u64), at)
}

/// Returns a power of floats; the same function calculates it on all machines.
fn power(left: &Dynamic, right: &Dynamic) -> Option<FLOAT> {
    let is_float = left.as_float().is_ok() || right.as_float().is_ok();
    let number = |of: &Dynamic| {
        of.as_float()
            .or_else(|_| of.as_int().map(|it| it as FLOAT))
            .ok()
    };
    is_float.then_some(libm::pow(number(left)?, number(right)?))
}

/// Compiles an operator with one operand.
pub(crate) fn unary(operator: Operator, operand: Piece) -> Piece {
    let ahead = Rc::clone(&operator.ahead);
    let (joined, mut parts) = Sequence::new(vec![operand], Vec::new());
    let operand = parts.remove(0);
    let is_not = operator.token == Token::Bang;
    let is_minus = operator.is_minus();
    let code: Code = Box::new(move |machine| match operand.value(machine)? {
        Value::Bool(flag) if is_not => Ok(Value::Bool(!flag)),
        Value::Int(number) if is_minus && number != INT::MIN => Ok(Value::Int(-number)),
        other => operator.negate(machine, other),
    });
    joined.piece_with(&ahead, Operand::Code(code))
}

impl Operator {
    /// Reports whether the operator with one operand is `-`. The parser names it as the one with
    /// two.
    fn is_minus(&self) -> bool {
        matches!(self.token, Token::Minus | Token::UnaryMinus)
    }

    #[cold]
    fn negate(&self, machine: &mut Machine<'_>, value: Value) -> Run {
        self.give_back();
        let is_minus = self.is_minus();
        let value = match value {
            Value::Int(_) if is_minus => {
                let text = "integer overflow".to_owned();
                return machine.fail(EvalAltResult::ErrorArithmetic(text, self.at));
            }
            other => other.dynamic(),
        };
        let result = match value.as_float() {
            Ok(number) if is_minus => Value::Other(Dynamic::from_float(-number)),
            _ => self.place.call(machine, &mut [value], false)?,
        };
        self.take_again(machine)?;
        Ok(result)
    }
}

/// Compiles an operator with two operands.
pub(crate) fn binary(operator: Operator, left: Piece, right: Piece) -> Piece {
    let ahead = Rc::clone(&operator.ahead);
    let (joined, mut parts) = Sequence::new(vec![left, right], Vec::new());
    let right = parts.remove(1);
    let left = parts.remove(0);
    let sides = Sides {
        left,
        right,
        operator,
    };
    let operand = match sides.operator.token {
        Token::Plus => numeric(sides, INT::checked_add),
        Token::Minus => numeric(sides, INT::checked_sub),
        Token::Multiply => numeric(sides, INT::checked_mul),
        Token::Divide => numeric(sides, INT::checked_div),
        Token::Modulo => numeric(sides, INT::checked_rem),
        Token::Ampersand => numeric(sides, |a, b| Some(a & b)),
        Token::Pipe => numeric(sides, |a, b| Some(a | b)),
        Token::XOr => numeric(sides, |a, b| Some(a ^ b)),
        Token::EqualsTo => comparing(sides, |a, b| a == b),
        Token::NotEqualsTo => comparing(sides, |a, b| a != b),
        Token::LessThan => comparing(sides, |a, b| a < b),
        Token::LessThanEqualsTo => comparing(sides, |a, b| a <= b),
        Token::GreaterThan => comparing(sides, |a, b| a > b),
        Token::GreaterThanEqualsTo => comparing(sides, |a, b| a >= b),
        _ => numeric(sides, |_, _| None),
    };
    joined.piece_with(&ahead, operand)
}

struct Sides {
    left: Part,
    right: Part,
    operator: Operator,
}

impl Sides {
    /// Returns two integers that are known without a calculation.
    #[inline]
    fn known(&self, machine: &Machine<'_>) -> Option<(INT, INT)> {
        Some((
            self.left.operand.known_int(machine)?,
            self.right.operand.known_int(machine)?,
        ))
    }
}

fn numeric(sides: Sides, of_ints: impl Fn(INT, INT) -> Option<INT> + 'static) -> Operand {
    Operand::Code(Box::new(move |machine| {
        if let Some((a, b)) = sides.known(machine)
            && let Some(result) = of_ints(a, b)
        {
            return Ok(Value::Int(result));
        }
        let left = sides.left.value(machine)?;
        if let Value::Int(a) = left
            && let Some(b) = sides.right.operand.known_int(machine)
            && let Some(result) = of_ints(a, b)
        {
            return Ok(Value::Int(result));
        }
        match (left, sides.right.value(machine)?) {
            (Value::Int(a), Value::Int(b)) => match of_ints(a, b) {
                Some(result) => Ok(Value::Int(result)),
                None => sides.operator.other(machine, Value::Int(a), Value::Int(b)),
            },
            (left, right) => sides.operator.other(machine, left, right),
        }
    }))
}

fn comparing(sides: Sides, of_ints: impl Fn(INT, INT) -> bool + 'static) -> Operand {
    let equal = of_ints(0, 0);
    let is_equality = matches!(sides.operator.token, Token::EqualsTo | Token::NotEqualsTo);
    Operand::Test(Box::new(move |machine| {
        if let Some((a, b)) = sides.known(machine) {
            return Ok(of_ints(a, b));
        }
        let left = sides.left.value(machine)?;
        if let Value::Int(a) = left
            && let Some(b) = sides.right.operand.known_int(machine)
        {
            return Ok(of_ints(a, b));
        }
        let (left, right) = match (left, sides.right.value(machine)?) {
            (Value::Int(a), Value::Int(b)) => return Ok(of_ints(a, b)),
            (Value::Bool(a), Value::Bool(b)) => return Ok(of_ints(INT::from(a), INT::from(b))),
            other => other,
        };
        if is_equality && let Some(same) = same_text(&left, &right) {
            return Ok(same == equal);
        }
        match sides.operator.other(machine, left, right)? {
            Value::Bool(flag) => Ok(flag),
            other => {
                // A host's function for this operator may return any value.
                let found = machine.engine.map_type_name(other.type_name()).to_owned();
                let text = "bool".to_owned();
                machine.fail(EvalAltResult::ErrorMismatchDataType(
                    text,
                    found,
                    sides.operator.at,
                ))
            }
        }
    }))
}

/// Compares two strings, or returns `None` for other values.
fn same_text(left: &Value, right: &Value) -> Option<bool> {
    let (Value::Other(left), Value::Other(right)) = (left, right) else {
        return None;
    };
    let left = left.as_immutable_string_ref().ok()?;
    let right = right.as_immutable_string_ref().ok()?;
    Some(left.as_str() == right.as_str())
}

/// An assignment with an operator, as in `x += 1`.
pub(crate) struct AssignOperator {
    token: Token,
    /// Calculates with integers, or returns `None` if the result is not calculated in place.
    ints: fn(INT, INT) -> Option<INT>,
    built_in: BuiltInPlace,
    /// The functions for `+=`, and those for `+`.
    place: NativePlace,
    base: NativePlace,
    at: Position,
}

impl AssignOperator {
    pub(crate) fn new(token: &Token, name: &str, base: &str, at: Position) -> Self {
        Self {
            ints: match token {
                Token::PlusAssign => INT::checked_add,
                Token::MinusAssign => INT::checked_sub,
                Token::MultiplyAssign => INT::checked_mul,
                Token::DivideAssign => INT::checked_div,
                Token::ModuloAssign => INT::checked_rem,
                _ => |_, _| None,
            },
            token: token.clone(),
            built_in: BuiltInPlace::new(name.into()),
            place: NativePlace::new(name.into(), at),
            base: NativePlace::new(base.into(), at),
            at,
        }
    }

    /// Returns the result for two integers, or `None` if it is not calculated in place.
    #[inline]
    pub(crate) fn of_ints(&self, a: INT, b: INT) -> Option<INT> {
        (self.ints)(a, b)
    }

    /// Changes a value.
    pub(crate) fn assign(
        &self,
        machine: &mut Machine<'_>,
        target: &mut Dynamic,
        mut value: Dynamic,
    ) -> Run<()> {
        if let (Ok(a), Ok(b)) = (target.as_int(), value.as_int())
            && let Some(result) = self.of_ints(a, b)
        {
            *target = Dynamic::from_int(result);
            return Ok(());
        }
        if self.token == Token::PowerOfAssign
            && target.as_float().is_ok()
            && let Some(result) = power(target, &value)
        {
            *target = Dynamic::from_float(result);
            return Ok(());
        }
        if self.token == Token::PlusAssign && target.is_array() {
            return self.append(machine, target, value);
        }
        if self.token == Token::MinusAssign {
            charge(machine, target, self.at)?;
        }
        if let Some(func) = self.built_in.find(machine, target, &value) {
            let args = &mut [&mut *target, &mut value];
            return machine
                .call_rust(&func, &self.place.name, args, self.at)
                .map(drop);
        }
        match self
            .place
            .call_by_reference(machine, target, &mut [value.clone()])
        {
            Ok(_) => return Ok(()),
            Err(halted) if !machine.misses_function(&self.place.name) => return Err(halted),
            Err(_) => {}
        }
        machine.halt = None;
        let result = self.base.call_by_reference(machine, target, &mut [value])?;
        *target = result.dynamic();
        Ok(())
    }

    /// Appends the elements of an array, or another value.
    fn append(&self, machine: &mut Machine<'_>, target: &mut Dynamic, value: Dynamic) -> Run<()> {
        machine.check_contents(&value, self.at)?;
        if let Ok(mut array) = target.as_array_mut() {
            let before = array.len();
            if value.is_array() {
                array.extend(value.into_array().unwrap_or_default());
            } else {
                array.push(value);
            }
            meter::make((array.len() - before) as u64);
        }
        machine.check_size(target, self.at)
    }
}
