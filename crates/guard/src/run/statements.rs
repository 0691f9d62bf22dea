//! Compiles statements.

use rhai::{ASTFlags, EvalAltResult, Expr, FlowControl, OpAssignment, Position, Stmt, StmtBlock};

use super::compiler::{Compiler, unknown};
use super::count::Count;
use super::link::{NewValue, set};
use super::machine::{Code, Halt, Halted, Machine, Run, This};
use super::operators::AssignOperator;
use super::piece::{Operand, Piece, Sequence, run_all};
use crate::value::Value;

impl Compiler<'_> {
    /// Compiles a statement.
    pub(crate) fn statement(&mut self, statement: &Stmt) -> Piece {
        let piece = match statement {
            Stmt::Noop(_) => Piece::plain(Vec::new(), Operand::Constant(Value::Unit)),
            Stmt::Expr(expr) => self.expr(expr),
            Stmt::Block(block) => self.statements(block),
            Stmt::FnCall(call, at) => self.call(call, *at),
            Stmt::Assignment(parts) => self.assignment(&parts.0, &parts.1.lhs, &parts.1.rhs),
            Stmt::Var(variable, flags, at) => {
                let value = self.expr(&variable.1);
                let is_constant = flags.intersects(ASTFlags::CONSTANT);
                // A variable takes the place of one with its name in the same block.
                let known = variable
                    .2
                    .and_then(|_| self.define_again(&variable.0.name, is_constant));
                if known.is_none() && self.is_full(0) {
                    return too_many(*at).after(*at);
                }
                let slot = known.unwrap_or_else(|| self.define(&variable.0.name, is_constant));
                store(value, slot)
            }
            Stmt::If(flow, _) => self.if_else(flow),
            Stmt::Switch(parts, _) => self.switch(&parts.0, &parts.1),
            Stmt::While(flow, _) => self.while_loop(flow),
            Stmt::Do(flow, flags, _) => self.do_loop(flow, !flags.intersects(ASTFlags::NEGATED)),
            Stmt::For(parts, _) => self.for_loop(&parts.0, parts.1.as_ref(), &parts.2),
            Stmt::BreakLoop(value, flags, _) => {
                let is_break = flags.intersects(ASTFlags::BREAK);
                self.leave(value.as_deref(), move |value| {
                    if is_break {
                        Halt::Break(value)
                    } else {
                        Halt::Continue
                    }
                })
            }
            Stmt::Return(value, flags, at) => {
                let at = *at;
                let throws = flags.intersects(ASTFlags::BREAK);
                self.leave(value.as_deref(), move |value| {
                    if throws {
                        let error = EvalAltResult::ErrorRuntime(value.dynamic(), at);
                        Halt::Error(Box::new(error))
                    } else {
                        Halt::Return(value)
                    }
                })
            }
            Stmt::TryCatch(flow, _) => self.try_catch(flow),
            Stmt::Import(import, _) => self.import(&import.0),
            _ => unknown("the statement"),
        };
        piece.after(statement.position())
    }

    /// Compiles a statement outside functions. Its value is that of a constant.
    pub(crate) fn top(&mut self, statement: &Stmt) -> Piece {
        match statement {
            Stmt::Var(_, _, at) if self.is_full(0) => too_many(*at).after(*at),
            Stmt::Var(variable, ..) => self.expr(&variable.1).after(statement.position()),
            // The file was imported before.
            Stmt::Import(import, at) => self.expr(&import.0).after(*at),
            other => self.statement(other),
        }
    }

    /// Compiles a block.
    pub(crate) fn statements(&mut self, block: &StmtBlock) -> Piece {
        self.within(|compiler| {
            let pieces = block
                .iter()
                .map(|statement| compiler.statement(statement))
                .collect();
            compiler.block(pieces)
        })
    }

    /// Joins the statements of a block.
    pub(crate) fn block(&mut self, pieces: Vec<Piece>) -> Piece {
        let (sequence, mut parts) = Sequence::new(pieces, Vec::new());
        let operand = match parts.len() {
            0 => Operand::Constant(Value::Unit),
            1 => parts.remove(0).operand,
            _ => Operand::Code(Box::new(move |machine| run_all(&parts, machine))),
        };
        sequence.piece(true, operand)
    }

    fn assignment(&mut self, operator: &OpAssignment, left: &Expr, right: &Expr) -> Piece {
        let value = self.expr(right);
        let at = operator.position();
        let info = operator.get_op_assignment_info();
        let operator =
            info.map(|(_, _, token, name, _, base)| AssignOperator::new(token, name, base, at));
        match left {
            Expr::ThisPtr(place) => Self::assign_this(value, operator, *place, at),
            Expr::Variable(variable, _, place) => {
                let is_qualified = !variable.2.is_empty();
                match self.find(&variable.1).filter(|_| !is_qualified) {
                    Some((slot, false)) => assign_local(value, operator, slot, *place, at),
                    known => {
                        let name = variable.1.to_string();
                        let is_known = is_qualified || known.is_some();
                        refuse(value, name, *place, is_known)
                    }
                }
            }
            chain => self.assign_chain(chain, value, operator, at),
        }
    }

    fn assign_this(
        value: Piece,
        operator: Option<AssignOperator>,
        place: Position,
        at: Position,
    ) -> Piece {
        let value = value.charged();
        let code: Code = Box::new(move |machine| {
            if machine.this == This::None {
                return machine.fail(EvalAltResult::ErrorUnboundThis(place));
            }
            let value = value(machine)?;
            machine.step(place)?;
            if machine.this == This::Constant {
                let name = String::new();
                return machine.fail(EvalAltResult::ErrorAssignmentToConstant(name, place));
            }
            change(machine, 0, value, operator.as_ref(), at)
        });
        Piece::branching(Vec::new(), code)
    }

    fn if_else(&mut self, flow: &FlowControl) -> Piece {
        let (operations, test) = self.test(&flow.expr);
        let body = self.branch(&flow.body);
        let other = self.branch(&flow.branch);
        let code: Code = Box::new(move |machine| {
            let (count, operand) = if test(machine)? { &body } else { &other };
            machine.spend(count)?;
            operand.value(machine)
        });
        Piece::branching(operations, code)
    }

    /// Compiles a block that may run: its operations, and its code.
    pub(crate) fn branch(&mut self, block: &StmtBlock) -> (Count, Operand) {
        let piece = self.statements(block);
        (Count::new(&piece.operations), piece.operand)
    }

    fn while_loop(&mut self, flow: &FlowControl) -> Piece {
        let (count, body) = self.branch(&flow.body);
        let is_endless = matches!(flow.expr, Expr::Unit(_) | Expr::BoolConstant(true, _));
        if is_endless {
            let count = if flow.body.is_empty() {
                Count::new(&[flow.body.position()])
            } else {
                count
            };
            let code: Code = Box::new(move |machine| {
                loop {
                    machine.spend(&count)?;
                    if let Err(halted) = body.value(machine)
                        && let Some(value) = ends_loop(machine, halted)?
                    {
                        return Ok(value);
                    }
                }
            });
            return Piece::branching(Vec::new(), code);
        }
        let (operations, test) = self.test(&flow.expr);
        let tests = Count::new(&operations);
        let code: Code = Box::new(move |machine| {
            loop {
                machine.spend(&tests)?;
                if !test(machine)? {
                    return Ok(Value::Unit);
                }
                machine.spend(&count)?;
                if let Err(halted) = body.value(machine)
                    && let Some(value) = ends_loop(machine, halted)?
                {
                    return Ok(value);
                }
            }
        });
        Piece::branching(Vec::new(), code)
    }

    fn do_loop(&mut self, flow: &FlowControl, goes_on_while: bool) -> Piece {
        let (count, body) = self.branch(&flow.body);
        let (operations, test) = self.test(&flow.expr);
        let tests = Count::new(&operations);
        let code: Code = Box::new(move |machine| {
            loop {
                machine.spend(&count)?;
                if let Err(halted) = body.value(machine) {
                    match machine.halt.take() {
                        // `continue` goes to the start of the body, without the condition.
                        Some(Halt::Continue) => continue,
                        other => machine.halt = other,
                    }
                    if let Some(value) = ends_loop(machine, halted)? {
                        return Ok(value);
                    }
                }
                machine.spend(&tests)?;
                if test(machine)? != goes_on_while {
                    return Ok(Value::Unit);
                }
            }
        });
        Piece::branching(Vec::new(), code)
    }

    /// Compiles an `import` in a function, which finds only files that the script imports anyway.
    fn import(&mut self, path: &Expr) -> Piece {
        let at = path.start_position();
        let piece = self.expr(path);
        let operand = piece.operand;
        let code: Code = Box::new(move |machine| {
            let path = operand.value(machine)?.dynamic();
            let path = machine.text(path, at)?;
            if machine.runtime.files.contains_key(path.as_str()) {
                return Ok(Value::Unit);
            }
            machine.fail(EvalAltResult::ErrorModuleNotFound(path.to_string(), at))
        });
        Piece::branching(piece.operations, code)
    }

    fn leave(&mut self, value: Option<&Expr>, halt: impl Fn(Value) -> Halt + 'static) -> Piece {
        let (operations, operand) = match value {
            Some(expr) => {
                let piece = self.expr(expr);
                (piece.operations, piece.operand)
            }
            None => (Vec::new(), Operand::Constant(Value::Unit)),
        };
        let code: Code = Box::new(move |machine| {
            let value = operand.value(machine)?;
            machine.halt = Some(halt(value));
            Err(Halted)
        });
        Piece::branching(operations, code)
    }
}

/// Refuses another variable.
pub(crate) fn too_many(at: Position) -> Piece {
    let code: Code =
        Box::new(move |machine| machine.fail(EvalAltResult::ErrorTooManyVariables(at)));
    Piece::branching(Vec::new(), code)
}

/// Reports how a loop goes on after its body was left: with the next turn, or with a value.
pub(crate) fn ends_loop(machine: &mut Machine<'_>, halted: Halted) -> Run<Option<Value>> {
    match machine.halt.take() {
        Some(Halt::Continue) => Ok(None),
        Some(Halt::Break(value)) => Ok(Some(value)),
        other => {
            machine.halt = other;
            Err(halted)
        }
    }
}

/// Stores a value in a new variable.
fn store(value: Piece, slot: usize) -> Piece {
    let (sequence, mut parts) = Sequence::new(vec![value], Vec::new());
    let value = parts.remove(0);
    let code: Code = Box::new(move |machine| {
        let value = value.value(machine)?;
        *machine.local_mut(slot) = value;
        Ok(Value::Unit)
    });
    sequence.piece(true, Operand::Code(code))
}

fn assign_local(
    value: Piece,
    operator: Option<AssignOperator>,
    slot: usize,
    place: Position,
    at: Position,
) -> Piece {
    let (sequence, mut parts) = Sequence::new(vec![value], vec![place]);
    let value = parts.remove(0);
    let Some(operator) = operator else {
        let code: Code = Box::new(move |machine| {
            let value = value.value(machine)?;
            *machine.local_mut(slot) = value;
            Ok(Value::Unit)
        });
        return sequence.piece(true, Operand::Code(code));
    };
    let own = super::piece::Ahead::default();
    let ahead = std::rc::Rc::clone(&own);
    let code: Code = Box::new(move |machine| {
        let value = value.value(machine)?;
        if let Value::Int(b) = value
            && let Value::Int(a) = machine.local_mut(slot)
            && let Some(result) = operator.of_ints(*a, b)
        {
            *a = result;
            return Ok(Value::Unit);
        }
        crate::meter::give_back(u64::from(ahead.get()));
        change(machine, slot, value, Some(&operator), at)?;
        machine.spend_again(ahead.get())?;
        Ok(Value::Unit)
    });
    sequence.piece_with(&own, Operand::Code(code))
}

/// Changes a variable of the frame.
fn change(
    machine: &mut Machine<'_>,
    slot: usize,
    value: Value,
    operator: Option<&AssignOperator>,
    at: Position,
) -> Run {
    let Some(_) = operator else {
        *machine.local_mut(slot) = value;
        return Ok(Value::Unit);
    };
    let index = machine.base + slot;
    let mut target = machine.stack[index].take().dynamic();
    let new = NewValue {
        value: value.dynamic(),
        operator,
        at,
    };
    let done = set(machine, &mut rhai::Target::RefMut(&mut target), new);
    machine.stack[index] = Value::from(target);
    done.map(|()| Value::Unit)
}

/// Refuses an assignment to a constant or to an unknown variable.
fn refuse(value: Piece, name: String, place: Position, is_known: bool) -> Piece {
    let (sequence, mut parts) = Sequence::new(vec![value], vec![place]);
    let value = parts.remove(0);
    let code: Code = Box::new(move |machine| {
        value.value(machine)?;
        let name = name.clone();
        machine.fail(if is_known {
            EvalAltResult::ErrorAssignmentToConstant(name, place)
        } else {
            EvalAltResult::ErrorVariableNotFound(name, place)
        })
    });
    sequence.piece(false, Operand::Code(code))
}
