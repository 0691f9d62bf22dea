//! Chains of `.` and `[…]`, such as `a.b[c].d`.

use rhai::{ASTFlags, Dynamic, EvalAltResult, Expr, Position, Target};

use super::calls::{Args, NativePlace};
use super::compiler::Compiler;
use super::link::{Index, Link, LinkKind, Method, NewValue, Property, Walk};
use super::machine::{Machine, Run, This};
use super::operators::AssignOperator;
use super::piece::{Operand, Part, Piece, Sequence};
use super::value::Value;

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
        let code = move |machine: &mut Machine<'_>| chain.read(machine);
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
        let code = move |machine: &mut Machine<'_>| {
            let (mut values, root) = chain.values(machine)?;
            let value = values.remove(0);
            let new = NewValue {
                value,
                operator: operator.as_ref(),
                at,
            };
            chain
                .walk(machine, root, &mut values, Some(new))
                .map(|_| Value::Unit)
        };
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
        let mut sequence = Sequence::new(built.pieces, built.pending);
        let chain = Chain {
            root,
            links: built.links,
            parts: std::mem::take(&mut sequence.parts),
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
        let read = place("index$get$".to_owned(), operator_at);
        let write = place("index$set$".to_owned(), operator_at);
        match of {
            Expr::Property(property, at) if is_dot => LinkKind::Property(Property {
                key: property.2.clone(),
                getter: place(property.0.0.to_string(), *at),
                setter: place(property.1.0.to_string(), *at),
                read,
                write,
            }),
            Expr::MethodCall(call, at) if is_dot => {
                for arg in &call.args {
                    let piece = self.argument(arg);
                    built.push(piece);
                }
                LinkKind::Method(Method {
                    arguments: call.args.len(),
                    first_at: call.args.first().map_or(Position::NONE, Expr::position),
                    place: NativePlace::new(call.name.clone(), *at),
                })
            }
            index => {
                let piece = match literal(index) {
                    Some(value) if is_only => Piece::plain(Vec::new(), Operand::Constant(value)),
                    _ => self.expr(index),
                };
                built.push(piece);
                LinkKind::Index(Index { read, write })
            }
        }
    }
}

use super::compiler::literal;

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
    fn values(&self, machine: &mut Machine<'_>) -> Run<(Args, Option<Value>)> {
        let mut values = Args::new();
        let last = self.parts.len();
        for (number, (operand, after)) in self.parts.iter().enumerate() {
            let value = operand.value(machine)?;
            machine.spend(after)?;
            if number + 1 == last && matches!(self.root, Root::Value) {
                return Ok((values, Some(value)));
            }
            values.push(value.dynamic());
        }
        Ok((values, None))
    }

    fn read(&self, machine: &mut Machine<'_>) -> Run {
        let (mut values, root) = self.values(machine)?;
        self.walk(machine, root, &mut values, None).map(Value::from)
    }

    fn walk(
        &self,
        machine: &mut Machine<'_>,
        root: Option<Value>,
        values: &mut Args,
        new: Option<NewValue<'_>>,
    ) -> Run<Dynamic> {
        let (index, is_constant) = match self.root {
            Root::This(at) if machine.this == This::None => {
                return machine.fail(EvalAltResult::ErrorUnboundThis(at));
            }
            Root::This(_) => (machine.base, machine.this == This::Constant),
            Root::Local(slot, is_constant) => (machine.base + slot, is_constant),
            Root::Value => {
                let value = root.unwrap_or_default().dynamic();
                let mut walk = Walk::new(values, false);
                let done = walk.go(machine, &self.links, &mut Target::TempValue(value), new);
                return done.map(|(value, _)| value);
            }
        };
        let mut value = machine.stack[index].take().dynamic();
        let mut walk = Walk::new(values, is_constant);
        let done = walk.go(machine, &self.links, &mut Target::RefMut(&mut value), new);
        machine.stack[index] = Value::from(value);
        done.map(|(value, _)| value)
    }
}
