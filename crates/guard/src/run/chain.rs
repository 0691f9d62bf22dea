//! Chains of `.` and `[…]`, such as `a.b[c].d`.

use std::rc::Rc;

use rhai::{ASTFlags, Dynamic, EvalAltResult, Expr, Position, Target};

use super::call::is_keyword;
use super::calls::{Args, NativePlace, Values, values_of, with_references};
use super::compiler::{Compiler, literal};
use super::link::{Link, LinkKind, Method, NewValue, Property, Walk};
use super::machine::{Machine, Run, This};
use super::operators::AssignOperator;
use super::path::{Poke, peek};
use super::piece::{Ahead, Operand, Part, Piece, Sequence};
use crate::meter;
use crate::value::Value;

/// The first value of a chain.
enum Root {
    This(Position),
    /// A variable, and whether it is a constant.
    Local(usize, bool),
    /// The value of an expression.
    Value,
}

/// A chain, and the code that runs before it: for a new value, the indexes and arguments, and the
/// value of the root.
struct Chain {
    root: Root,
    links: Vec<Link>,
    parts: Vec<Part>,
}

/// The parts of a chain that are compiled so far.
#[derive(Default)]
struct Builder {
    links: Vec<Link>,
    pieces: Vec<Piece>,
    /// Operations to count before the next piece.
    pending: Vec<Position>,
}

impl Builder {
    fn push(&mut self, piece: Piece) {
        let mut operations = std::mem::take(&mut self.pending);
        operations.extend(piece.operations);
        self.pieces.push(Piece {
            operations,
            ..piece
        });
    }
}

impl Compiler<'_> {
    /// Compiles a chain that is read.
    pub(crate) fn chain(&mut self, expr: &Expr) -> Piece {
        let (chain, sequence) = self.links(expr, None);
        if chain.is_path() {
            let own = Ahead::default();
            let ahead = Rc::clone(&own);
            let code = move |machine: &mut Machine<'_>| chain.read_path(machine, &ahead);
            return sequence.piece_with(&own, Operand::Code(Box::new(code)));
        }
        if chain.is_method_of_variable() {
            let code = move |machine: &mut Machine<'_>| chain.call_method(machine);
            return sequence.piece(false, Operand::Code(Box::new(code)));
        }
        let code = move |machine: &mut Machine<'_>| {
            let (mut values, root) = chain.values(machine)?;
            chain
                .walk(machine, root, &mut values, None)
                .map(Value::from)
        };
        sequence.piece(false, Operand::Code(Box::new(code)))
    }

    /// Compiles an assignment to the end of a chain.
    pub(crate) fn assign_chain(
        &mut self,
        left: &Expr,
        right: Piece,
        operator: Option<AssignOperator>,
        at: Position,
    ) -> Piece {
        let (chain, sequence) = self.links(left, Some(right));
        let own = Ahead::default();
        let ahead = Rc::clone(&own);
        let is_path = chain.is_path();
        let code = move |machine: &mut Machine<'_>| {
            if !is_path {
                let (mut values, root) = chain.values(machine)?;
                let new = NewValue {
                    value: values.remove(0).dynamic(),
                    operator: operator.as_ref(),
                    at,
                };
                let done = chain.walk(machine, root, &mut values, Some(new));
                return done.map(|_| Value::Unit);
            }
            chain.write_path(machine, operator.as_ref(), at, &ahead)
        };
        if is_path {
            return sequence.piece_with(&own, Operand::Code(Box::new(code)));
        }
        sequence.piece(false, Operand::Code(Box::new(code)))
    }

    fn links(&mut self, expr: &Expr, new: Option<Piece>) -> (Chain, Sequence) {
        let mut built = Builder::default();
        built.pieces.extend(new);
        let mut parent = expr;
        while let Expr::Dot(sides, flags, at) | Expr::Index(sides, flags, at) = parent {
            let is_dot = matches!(parent, Expr::Dot(..));
            let next = match &sides.rhs {
                Expr::Dot(next, ..) | Expr::Index(next, ..)
                    if is_dot || !flags.intersects(ASTFlags::BREAK) =>
                {
                    Some(&next.lhs)
                }
                _ => None,
            };
            let of = next.unwrap_or(&sides.rhs);
            let is_only = built.links.is_empty() && next.is_none();
            if !(is_only && is_short(is_dot, of)) {
                built.pending.push(sides.rhs.position());
            }
            let kind = self.link(&mut built, is_dot, of, is_only, *at);
            built.links.push(Link {
                kind,
                is_optional: flags.intersects(ASTFlags::NEGATED),
                at: if is_dot {
                    of.position()
                } else {
                    of.start_position()
                },
            });
            if next.is_none() {
                break;
            }
            parent = &sides.rhs;
        }
        let (Expr::Dot(sides, ..) | Expr::Index(sides, ..)) = expr else {
            unreachable!("a chain is a `.` or an index");
        };
        let root = self.root(&mut built, &sides.lhs);
        if !matches!(root, Root::Value) && built.links.iter().all(|link| !link.is_method()) {
            // The look-ups are counted before the chain is read.
            built.pending.extend(built.links.iter().map(|link| link.at));
        } else if let (Root::This(_) | Root::Local(..), [link]) = (&root, &*built.links) {
            built.pending.push(link.at);
        }
        let (sequence, parts) = Sequence::new(built.pieces, built.pending);
        let chain = Chain {
            root,
            links: built.links,
            parts,
        };
        (chain, sequence)
    }

    fn root(&mut self, built: &mut Builder, expr: &Expr) -> Root {
        match expr {
            Expr::ThisPtr(at) => {
                built.pending.push(*at);
                Root::This(*at)
            }
            Expr::Variable(variable, _, at)
                if variable.2.is_empty() && self.find(&variable.1).is_some() =>
            {
                built.pending.push(*at);
                let (slot, is_constant) = self.find(&variable.1).unwrap_or_default();
                Root::Local(slot, is_constant)
            }
            other => {
                let piece = self.expr(other);
                built.push(piece);
                Root::Value
            }
        }
    }

    fn link(
        &mut self,
        built: &mut Builder,
        is_dot: bool,
        of: &Expr,
        is_only: bool,
        operator_at: Position,
    ) -> LinkKind {
        let place = |name: String, at| NativePlace::new(name.into(), at);
        let index = place("index$get$".to_owned(), operator_at);
        match of {
            Expr::Property(property, at) if is_dot => LinkKind::Property(Property {
                key: property.2.clone(),
                getter: place(property.0.0.to_string(), *at),
                index,
            }),
            Expr::MethodCall(call, at) if is_dot => {
                for arg in &call.args {
                    let piece = self.argument(arg);
                    built.push(piece);
                }
                LinkKind::Method(Method {
                    arguments: call.args.len(),
                    is_native: !is_keyword(&call.name)
                        && !self.names.has_any(&call.name, call.args.len()),
                    first_at: call.args.first().map_or(Position::NONE, Expr::position),
                    place: NativePlace::new(call.name.clone(), *at),
                })
            }
            other => {
                let piece = match literal(other) {
                    Some(value) if is_only => Piece::plain(Vec::new(), Operand::Constant(value)),
                    _ => self.expr(other),
                };
                built.push(piece);
                LinkKind::Index(index)
            }
        }
    }
}

/// Reports whether Rhai counts no operation for the arguments of a chain with this only link.
fn is_short(is_dot: bool, link: &Expr) -> bool {
    match link {
        Expr::Property(..) => is_dot,
        Expr::MethodCall(call, _) if is_dot => call.args.is_empty(),
        index => !is_dot && literal(index).is_some(),
    }
}

impl Chain {
    /// Runs the code before the chain. Returns the values, and the value of the root.
    #[inline]
    fn values(&self, machine: &mut Machine<'_>) -> Run<(Values, Option<Value>)> {
        let mut values = Values::new();
        let last = self.parts.len();
        for (number, part) in self.parts.iter().enumerate() {
            let value = part.value(machine)?;
            if number + 1 == last && matches!(self.root, Root::Value) {
                return Ok((values, Some(value)));
            }
            values.push(value);
        }
        Ok((values, None))
    }

    /// Reports whether the chain goes from a variable through properties and indexes. Their
    /// operations are counted in advance.
    fn is_path(&self) -> bool {
        !matches!(self.root, Root::Value) && self.links.iter().all(|link| !link.is_method())
    }

    /// Returns the index of the root on the stack.
    #[inline]
    fn index(&self, machine: &Machine<'_>) -> Option<usize> {
        match self.root {
            Root::This(_) if machine.this == This::None => None,
            Root::This(_) => Some(machine.base),
            Root::Local(slot, _) => Some(machine.base + slot),
            Root::Value => None,
        }
    }

    #[inline]
    fn read_path(&self, machine: &mut Machine<'_>, ahead: &Ahead) -> Run {
        match &*self.parts {
            [] => self.read_with(machine, &mut [], ahead),
            [one] => {
                let mut index = [one.value(machine)?];
                self.read_with(machine, &mut index, ahead)
            }
            _ => {
                let mut indexes = values_of(&self.parts, machine)?;
                self.read_with(machine, &mut indexes, ahead)
            }
        }
    }

    #[inline]
    fn read_with(&self, machine: &mut Machine<'_>, indexes: &mut [Value], ahead: &Ahead) -> Run {
        if let Some(index) = self.index(machine)
            && let Some(root) = machine.stack[index].inner()
            && let Some(value) = peek(root, &self.links, indexes)
        {
            return Ok(value);
        }
        if let [link] = &*self.links
            && let LinkKind::Property(property) = &link.kind
            && let Some(result) = self.read_property(machine, property, ahead)
        {
            return result;
        }
        self.read_slowly(machine, indexes, ahead)
    }

    /// Calls the host's function for a property directly, or returns `None`.
    #[inline]
    fn read_property(
        &self,
        machine: &mut Machine<'_>,
        property: &Property,
        ahead: &Ahead,
    ) -> Option<Run> {
        let index = self.index(machine)?;
        let kind = machine.stack[index].inner()?.type_id();
        let is_constant = self.is_constant(machine);
        let (place, answer) = match property.getter.direct(kind, &[], is_constant) {
            Some(get) => (
                &property.getter,
                get.on_value(&mut machine.stack[index], &mut [])?,
            ),
            None => {
                let mut key = [property.key()];
                let get = property.by_index(kind, &key, is_constant)?;
                if !machine.step_directly() {
                    return None;
                }
                (
                    &property.index,
                    get.on_value(&mut machine.stack[index], &mut key)?,
                )
            }
        };
        if answer.0.is_err() {
            meter::give_back(u64::from(ahead.get()));
        }
        Some(machine.answered(answer, place.at))
    }

    #[cold]
    fn read_slowly(&self, machine: &mut Machine<'_>, indexes: &mut [Value], ahead: &Ahead) -> Run {
        meter::give_back(u64::from(ahead.get()));
        machine.recount(self.links.len());
        let value = self.walk(machine, None, indexes, None)?;
        machine.spend_again(ahead.get())?;
        Ok(Value::from(value))
    }

    #[inline]
    fn write_path(
        &self,
        machine: &mut Machine<'_>,
        operator: Option<&AssignOperator>,
        at: Position,
        ahead: &Ahead,
    ) -> Run {
        match &*self.parts {
            [one] => {
                let mut value = [one.value(machine)?];
                self.write_with(machine, &mut value, operator, at, ahead)
            }
            _ => {
                let mut values = values_of(&self.parts, machine)?;
                self.write_with(machine, &mut values, operator, at, ahead)
            }
        }
    }

    /// Assigns the first of the values; the others are the indexes.
    #[inline]
    fn write_with(
        &self,
        machine: &mut Machine<'_>,
        values: &mut [Value],
        operator: Option<&AssignOperator>,
        at: Position,
        ahead: &Ahead,
    ) -> Run {
        let Some((value, indexes)) = values.split_first_mut() else {
            return Ok(Value::Unit);
        };
        if !value.is_container()
            && !self.is_constant(machine)
            && let Some(index) = self.index(machine)
            && let Some(root) = machine.stack[index].own()
        {
            let mut poke = Poke { operator, value };
            if poke.at(root, &self.links, indexes).is_some() {
                return Ok(Value::Unit);
            }
        }
        meter::give_back(u64::from(ahead.get()));
        machine.recount(self.links.len());
        let new = NewValue {
            value: value.take().dynamic(),
            operator,
            at,
        };
        let _ = self.walk(machine, None, indexes, Some(new))?;
        machine.spend_again(ahead.get())?;
        Ok(Value::Unit)
    }

    /// Reports whether the chain calls one method of a variable or `this`, which is no function of
    /// the script. Its operation is counted in advance.
    fn is_method_of_variable(&self) -> bool {
        let (Root::This(_) | Root::Local(..), [link]) = (&self.root, &*self.links) else {
            return false;
        };
        matches!(link.kind, LinkKind::Method(_))
    }

    fn call_method(&self, machine: &mut Machine<'_>) -> Run {
        match &*self.parts {
            [] => self.call_with(machine, &mut []),
            [one] => {
                let first = one.value(machine)?;
                self.call_with(machine, &mut [first])
            }
            [one, two] => {
                let first = one.value(machine)?;
                let second = two.value(machine)?;
                self.call_with(machine, &mut [first, second])
            }
            _ => {
                let mut args = values_of(&self.parts, machine)?;
                self.call_with(machine, &mut args)
            }
        }
    }

    /// Calls the method.
    #[inline]
    fn call_with(&self, machine: &mut Machine<'_>, args: &mut [Value]) -> Run {
        let Some((method, index)) = self.native_method(machine) else {
            return self.call_slowly(machine, args);
        };
        let is_constant = self.is_constant(machine);
        if let Some(object) = machine.stack[index].inner()
            && let Some(function) = method.place.direct(object.type_id(), args, is_constant)
            && let Some(answer) = function.on_value(&mut machine.stack[index], args)
        {
            return machine.answered(answer, method.place.at);
        }
        self.call_slowly(machine, args)
    }

    /// Returns the method and the index of its object if the method is a function in Rust.
    #[inline]
    fn native_method(&self, machine: &Machine<'_>) -> Option<(&Method, usize)> {
        let [link] = &*self.links else {
            return None;
        };
        let LinkKind::Method(method) = &link.kind else {
            return None;
        };
        let is_native = method.is_native && Rc::ptr_eq(&machine.program, &machine.runtime.root);
        let index = self.index(machine).filter(|_| is_native)?;
        Some((method, index))
    }

    fn is_constant(&self, machine: &Machine<'_>) -> bool {
        match self.root {
            Root::Local(_, is_constant) => is_constant,
            _ => machine.this == This::Constant,
        }
    }

    #[inline(never)]
    fn call_slowly(&self, machine: &mut Machine<'_>, args: &mut [Value]) -> Run {
        if let Some((method, index)) = self.native_method(machine)
            // An entry of a map may be a function.
            && !method.is_entry(&machine.stack[index])
        {
            let is_constant = self.is_constant(machine);
            let object = machine.stack[index].take().dynamic();
            let mut args: Args = std::iter::once(object)
                .chain(args.iter_mut().map(|arg| arg.take().dynamic()))
                .collect();
            let result = with_references(&mut args, |args| {
                method.place.run(machine, args, true, is_constant)
            });
            machine.stack[index] = Value::from(std::mem::take(&mut args[0]));
            return result;
        }
        machine.recount(1);
        self.walk(machine, None, args, None).map(Value::from)
    }

    fn walk(
        &self,
        machine: &mut Machine<'_>,
        root: Option<Value>,
        values: &mut [Value],
        new: Option<NewValue<'_>>,
    ) -> Run<Dynamic> {
        let (index, is_constant, start) = match self.root {
            Root::This(at) if machine.this == This::None => {
                return machine.fail(EvalAltResult::ErrorUnboundThis(at));
            }
            Root::This(at) => (machine.base, machine.this == This::Constant, at),
            Root::Local(slot, is_constant) => (machine.base + slot, is_constant, Position::NONE),
            Root::Value => {
                let value = root.unwrap_or_default().dynamic();
                let mut walk = Walk::new(values, false, Position::NONE);
                let done = walk.go(machine, &self.links, &mut Target::TempValue(value), new);
                return done.map(|(value, _)| value);
            }
        };
        let mut value = machine.stack[index].take().dynamic();
        let mut walk = Walk::new(values, is_constant, start);
        let done = walk.go(machine, &self.links, &mut Target::RefMut(&mut value), new);
        machine.stack[index] = Value::from(value);
        done.map(|(value, _)| value)
    }
}
