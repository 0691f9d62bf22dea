//! Compiles calls of functions by name.

use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, Expr, FnCallExpr, FnPtr, INT, Position};

use super::calls::{Args, NativePlace, values_of, with_references};
use super::compiler::Compiler;
use super::machine::{Code, Machine, Run, This};
use super::piece::{Operand, Part, Piece, Sequence};
use crate::value::Value;

/// The first argument of a call if it is passed as an object: a variable or `this`.
#[derive(Clone, Copy)]
enum First {
    This,
    Variable { slot: usize, is_constant: bool },
    Value,
}

/// A call of a function: its arguments are evaluated in order, a first variable at last.
struct Call {
    first: First,
    parts: Vec<Part>,
    place: NativePlace,
    at: Position,
}

impl Compiler<'_> {
    /// Compiles a call.
    pub(crate) fn call(&mut self, call: &FnCallExpr, at: Position) -> Piece {
        if let Some(piece) = self.operator(call, at) {
            return piece;
        }
        if !call.namespace.is_empty() {
            return self.qualified(call, at);
        }
        match (call.name.as_str(), call.args.len()) {
            ("call", 1..) => return self.call_value(call, at),
            ("Fn", 1) => return self.function_value(&call.args[0]),
            ("is_def_var", 1) => return self.is_defined(&call.args[0]),
            _ => {}
        }
        let script = self.names.find(&call.name, call.args.len());
        // Rhai counts no operation for a keyword.
        let is_keyword = is_keyword(&call.name) && script.is_none();
        let last = if is_keyword { Vec::new() } else { vec![at] };
        let (call, sequence) = self.arguments(call, at, last);
        let code: Code = match script {
            Some(number) => Box::new(move |machine| call.run_script(machine, number)),
            None if is_keyword => Box::new(move |machine| call.run_keyword(machine)),
            None => Box::new(move |machine| call.run_rust(machine)),
        };
        sequence.piece(false, Operand::Code(code))
    }

    fn arguments(
        &mut self,
        call: &FnCallExpr,
        at: Position,
        last: Vec<Position>,
    ) -> (Call, Sequence) {
        let mut pieces = Vec::new();
        let mut first = First::Value;
        for (number, arg) in call.args.iter().enumerate() {
            let piece = match arg {
                Expr::ThisPtr(place) if number == 0 => {
                    first = First::This;
                    // Without an object, nothing else is evaluated.
                    let place = *place;
                    let code: Code = Box::new(move |machine| match machine.this {
                        This::None => machine.fail(EvalAltResult::ErrorUnboundThis(place)),
                        _ => Ok(Value::Unit),
                    });
                    Piece::branching(vec![place], code)
                }
                Expr::Variable(variable, _, place)
                    if number == 0
                        && variable.2.is_empty()
                        && let Some((slot, is_constant)) = self.find(&variable.1) =>
                {
                    first = First::Variable { slot, is_constant };
                    Piece::plain(vec![*place], Operand::Constant(Value::Unit))
                }
                other => self.argument(other),
            };
            pieces.push(piece);
        }
        let (sequence, parts) = Sequence::new(pieces, last);
        let call = Call {
            first,
            parts,
            place: NativePlace::new(call.name.clone(), at),
            at,
        };
        (call, sequence)
    }

    fn qualified(&mut self, call: &FnCallExpr, at: Position) -> Piece {
        let space = call.namespace.to_string();
        let first = call.namespace.path.first();
        let first = first.map_or("", |first| first.name.as_str()).to_owned();
        let space_at = call.namespace.position();
        let (call, sequence) = self.arguments(call, at, vec![at]);
        let code: Code = Box::new(move |machine| {
            let Some(file) = machine.runtime.files.get(&first) else {
                let space = space.clone();
                return machine.fail(EvalAltResult::ErrorModuleNotFound(space, space_at));
            };
            let program = Rc::clone(&file.program);
            let frame = call.push(machine)?;
            let count = call.parts.len();
            let Some(function) = program.find(&call.place.name, count) else {
                machine.stack.truncate(frame);
                let name = format!("{space}::{}", call.place.name);
                return machine.fail(EvalAltResult::ErrorFunctionNotFound(name, call.at));
            };
            // Rhai counts an operation for such a call also if the function is empty.
            let result = if function.is_empty {
                Ok(Value::Unit)
            } else {
                machine.enter_file(&program, &function, This::None, call.at)
            };
            machine.stack.truncate(frame);
            result
        });
        sequence.piece(false, Operand::Code(code))
    }

    /// Compiles `call(f, …)`.
    fn call_value(&mut self, call: &FnCallExpr, at: Position) -> Piece {
        let pieces = call.args.iter().map(|arg| self.argument(arg)).collect();
        let first_at = call.args[0].start_position();
        let (sequence, parts) = Sequence::new(pieces, Vec::new());
        let code: Code = Box::new(move |machine| {
            let mut values = Args::new();
            for part in &parts {
                let value = part.operand.value(machine)?.dynamic();
                if values.is_empty() && !value.is_fnptr() {
                    let found = machine.engine.map_type_name(value.type_name()).to_owned();
                    return machine.mismatch::<FnPtr, _>(&found, first_at);
                }
                values.push(value);
                machine.spend(&part.after)?;
            }
            let function = values.remove(0).cast::<FnPtr>();
            values.insert_many(0, function.curry().iter().cloned());
            let name = function.fn_name();
            machine.call_named(name, None, &mut values, false, at)
        });
        sequence.piece(false, Operand::Code(code))
    }

    /// Compiles `Fn("name")`.
    fn function_value(&mut self, arg: &Expr) -> Piece {
        let at = arg.start_position();
        let piece = self.argument(arg);
        let operand = piece.operand;
        let code: Code = Box::new(move |machine| {
            let value = operand.value(machine)?.dynamic();
            let function = FnPtr::new(machine.text(value, at)?);
            Ok(Value::Other(machine.received(function, at)?.into()))
        });
        Piece::branching(piece.operations, code)
    }

    fn is_defined(&mut self, arg: &Expr) -> Piece {
        let at = arg.start_position();
        let names = self.visible();
        let piece = self.argument(arg);
        let operand = piece.operand;
        let code: Code = Box::new(move |machine| {
            let value = operand.value(machine)?.dynamic();
            let name = machine.text(value, at)?;
            Ok(Value::Bool(names.contains(&name)))
        });
        Piece::branching(piece.operations, code)
    }
}

impl Call {
    /// Puts a frame with the arguments on the stack. Returns its index.
    #[inline]
    fn push(&self, machine: &mut Machine<'_>) -> Run<usize> {
        let frame = machine.stack.len();
        machine.stack.push(Value::Unit);
        for part in &self.parts {
            let value = part.value(machine)?;
            machine.stack.push(value);
        }
        match self.first {
            First::Value => {}
            First::Variable { slot, .. } => {
                let value = machine.read(slot);
                machine.stack[frame + 1] = value;
            }
            First::This => {
                let value = machine.read(0);
                machine.stack[frame + 1] = value;
            }
        }
        Ok(frame)
    }

    #[inline]
    fn run_script(&self, machine: &mut Machine<'_>, number: usize) -> Run {
        let frame = self.push(machine)?;
        let function = Rc::clone(&machine.program.functions[number]);
        let result = machine.enter(&function, This::None, self.at);
        machine.stack.truncate(frame);
        result
    }

    /// Returns the place of the first argument on the stack, and whether it is a constant.
    fn object(&self, machine: &Machine<'_>) -> Option<(usize, bool)> {
        match self.first {
            First::Variable { slot, is_constant } => Some((machine.base + slot, is_constant)),
            First::This => Some((machine.base, machine.this == This::Constant)),
            First::Value => None,
        }
    }

    fn run_rust(&self, machine: &mut Machine<'_>) -> Run {
        let mut values = values_of(&self.parts, machine)?;
        let object = self.object(machine);
        let is_root = Rc::ptr_eq(&machine.program, &machine.runtime.root);
        if is_root && let Some(result) = self.run_directly(machine, object, &mut values) {
            return result;
        }
        let mut values: Args = values.into_iter().map(Value::dynamic).collect();
        // A file that another script calls may use that script's functions.
        if !is_root && let Some(found) = machine.find(&self.place.name, values.len()) {
            machine.recount(1);
            self.fill_first(machine, &mut values);
            return machine.call_found(&found, None, &mut values, self.at);
        }
        let is_this = matches!(self.first, First::This);
        let Some((index, is_constant)) = object.filter(|object| is_this || !object.1) else {
            self.fill_first(machine, &mut values);
            return with_references(&mut values, |args| {
                self.place.run(machine, args, false, false)
            });
        };
        values[0] = machine.stack[index].take().dynamic();
        let result = with_references(&mut values, |args| {
            self.place.run(machine, args, true, is_constant)
        });
        machine.stack[index] = Value::from(std::mem::take(&mut values[0]));
        result
    }

    /// Calls a function that was called before without Rhai's types for its arguments.
    #[inline]
    fn run_directly(
        &self,
        machine: &mut Machine<'_>,
        object: Option<(usize, bool)>,
        values: &mut [Value],
    ) -> Option<Run> {
        let (first, rest) = values.split_first_mut()?;
        let (first, is_constant) = match object {
            Some((index, is_constant)) => (&mut machine.stack[index], is_constant),
            None => (first, false),
        };
        let kind = first.inner()?.type_id();
        let function = self.place.direct(kind, rest, is_constant)?;
        let answer = function.on_value(first, rest)?;
        Some(machine.answered(answer, self.at))
    }

    fn fill_first(&self, machine: &Machine<'_>, values: &mut Args) {
        match self.first {
            First::Value => {}
            First::Variable { slot, .. } => values[0] = machine.local(slot).clone().dynamic(),
            First::This => values[0] = machine.local(0).clone().dynamic(),
        }
    }

    fn run_keyword(&self, machine: &mut Machine<'_>) -> Run {
        let values = values_of(&self.parts, machine)?;
        let mut values: Args = values.into_iter().map(Value::dynamic).collect();
        self.fill_first(machine, &mut values);
        let found = machine.keyword(&self.place.name, None, &values, self.at)?;
        Ok(Value::from(found.unwrap_or_default()))
    }
}

/// Reports whether the language itself has a function of this name.
pub(crate) fn is_keyword(name: &str) -> bool {
    ["type_of", "is_def_fn", "is_def_var", "Fn", "call"].contains(&name)
}

impl Machine<'_> {
    /// Calls a function that the language itself has, or returns `None`.
    pub(crate) fn keyword(
        &mut self,
        name: &str,
        object: Option<&Dynamic>,
        args: &[Dynamic],
        at: Position,
    ) -> Run<Option<Dynamic>> {
        if !is_keyword(name) {
            return Ok(None);
        }
        let all: Vec<&Dynamic> = object.into_iter().chain(args).collect();
        match (name, all.as_slice()) {
            ("type_of", [value]) => {
                let name = self.engine.map_type_name(value.type_name());
                Ok(Some(name.to_owned().into()))
            }
            ("is_def_fn", [name, count]) => self.is_function(None, name, count, at).map(Some),
            ("is_def_fn", [of, name, count]) => {
                self.is_function(Some(of), name, count, at).map(Some)
            }
            _ => {
                let mut copies: Vec<Dynamic> = all.into_iter().cloned().collect();
                let args: Vec<&mut Dynamic> = copies.iter_mut().collect();
                let error = super::calls::missing(self, name, &args, at);
                self.fail_with(error)
            }
        }
    }

    fn is_function(
        &mut self,
        of: Option<&Dynamic>,
        name: &Dynamic,
        count: &Dynamic,
        at: Position,
    ) -> Run<Dynamic> {
        let of = of.map(|of| self.text(of.clone(), at)).transpose()?;
        let name = self.text(name.clone(), at)?;
        let count = match count.as_int() {
            Err(found) => return self.mismatch::<INT, _>(found, at),
            Ok(count) => count,
        };
        let Ok(count) = usize::try_from(count) else {
            return Ok(Dynamic::FALSE);
        };
        let programs = [&self.program, &self.runtime.root];
        let has = programs.iter().any(|program| match &of {
            Some(of) => program.names.find_typed(of, &name, count).is_some(),
            None => program.names.find(&name, count).is_some(),
        });
        Ok(has.into())
    }
}
