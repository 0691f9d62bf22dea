//! Pieces of compiled code with the operations that they count.
//!
//! Rhai counts an operation at each node of a script. Here the operations of nodes that always run
//! after each other are counted at once, before the first of them. A node that fails, or that calls
//! a function in Rust, first gives back the operations of the nodes that have not run.

use std::cell::Cell;
use std::rc::Rc;

use rhai::{INT, Position};

use super::count::Count;
use super::machine::{Code, Machine, Run};
use crate::value::Value;

/// The number of operations that were counted for nodes after this one.
pub(crate) type Ahead = Rc<Cell<u32>>;

/// The source of a value.
pub(crate) enum Operand {
    /// A variable of the frame.
    Local(usize),
    Constant(Value),
    Code(Code),
    /// Code for a condition.
    Test(Code<bool>),
}

/// A piece of compiled code.
pub(crate) struct Piece {
    /// The places of the operations to count before the code runs.
    pub(crate) operations: Vec<Position>,
    /// The counts that grow if more operations are counted together with those of this piece.
    pub(crate) ahead: Vec<Ahead>,
    /// Whether the operations of later pieces may be counted together with those of this piece.
    pub(crate) is_plain: bool,
    pub(crate) operand: Operand,
}

/// A part of a sequence, with the operations to count after it.
pub(crate) struct Part {
    pub(crate) operand: Operand,
    pub(crate) after: Count,
}

/// Pieces that run after each other.
pub(crate) struct Sequence {
    pub(crate) operations: Vec<Position>,
    pub(crate) ahead: Vec<Ahead>,
    pub(crate) is_plain: bool,
}

impl Part {
    /// Returns the part's value, and counts the operations after it.
    #[inline(always)]
    pub(crate) fn value(&self, machine: &mut Machine<'_>) -> Run {
        let value = self.operand.value(machine)?;
        machine.spend(&self.after)?;
        Ok(value)
    }
}

impl Operand {
    #[inline(always)]
    pub(crate) fn value(&self, machine: &mut Machine<'_>) -> Run {
        match self {
            Self::Local(slot) => Ok(machine.read(*slot)),
            Self::Constant(value) => Ok(value.clone()),
            Self::Code(code) => code(machine),
            Self::Test(code) => code(machine).map(Value::Bool),
        }
    }

    /// Returns an integer that is already known.
    #[inline]
    pub(crate) fn known_int(&self, machine: &Machine<'_>) -> Option<INT> {
        match self {
            Self::Local(slot) => match machine.local(*slot) {
                Value::Int(number) => Some(*number),
                _ => None,
            },
            Self::Constant(Value::Int(number)) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn code(self) -> Code {
        match self {
            Self::Code(code) => code,
            other => Box::new(move |machine| other.value(machine)),
        }
    }
}

impl Sequence {
    /// Joins pieces that run after each other, and operations to count after them.
    pub(crate) fn new(pieces: Vec<Piece>, last: Vec<Position>) -> (Self, Vec<Part>) {
        let mut joined = Self {
            operations: last,
            ahead: Vec::new(),
            is_plain: true,
        };
        let mut parts = Vec::with_capacity(pieces.len());
        for piece in pieces.into_iter().rev() {
            let after = joined.operations.len() as u32;
            if piece.is_plain {
                for count in &piece.ahead {
                    count.set(count.get() + after);
                }
                joined.operations.splice(0..0, piece.operations);
                joined.ahead.extend(piece.ahead);
                parts.push(Part {
                    operand: piece.operand,
                    after: Count::default(),
                });
            } else {
                parts.push(Part {
                    operand: piece.operand,
                    after: Count::new(&joined.operations),
                });
                joined.operations = piece.operations;
                joined.ahead = piece.ahead;
                joined.is_plain = false;
            }
        }
        parts.reverse();
        (joined, parts)
    }

    /// Makes a piece of the sequence. `is_plain` says whether the code calls no function and runs
    /// to its end.
    pub(crate) fn piece(self, is_plain: bool, operand: Operand) -> Piece {
        Piece {
            operations: self.operations,
            ahead: self.ahead,
            is_plain: is_plain && self.is_plain,
            operand,
        }
    }

    /// Makes a piece whose code may fail or call a function although its operations are counted
    /// together with others.
    pub(crate) fn piece_with(mut self, own: &Ahead, operand: Operand) -> Piece {
        if self.is_plain {
            self.ahead.push(Rc::clone(own));
        }
        self.piece(true, operand)
    }
}

impl Piece {
    /// A piece that counts these operations and has a value.
    pub(crate) fn plain(operations: Vec<Position>, operand: Operand) -> Self {
        Self {
            operations,
            ahead: Vec::new(),
            is_plain: true,
            operand,
        }
    }

    /// A piece whose code counts its other operations itself.
    pub(crate) fn branching(operations: Vec<Position>, code: Code) -> Self {
        Self {
            operations,
            ahead: Vec::new(),
            is_plain: false,
            operand: Operand::Code(code),
        }
    }

    /// Adds an operation before the piece.
    pub(crate) fn after(mut self, first: Position) -> Self {
        self.operations.insert(0, first);
        self
    }

    /// Returns the code with the count of its operations.
    pub(crate) fn charged(self) -> Code {
        let count = Count::new(&self.operations);
        let operand = self.operand;
        if count.is_empty() {
            return operand.code();
        }
        match operand {
            Operand::Code(code) => Box::new(move |machine| {
                machine.spend(&count)?;
                code(machine)
            }),
            other => Box::new(move |machine| {
                machine.spend(&count)?;
                other.value(machine)
            }),
        }
    }
}

/// Runs the parts of a sequence and returns the last value.
#[inline]
pub(crate) fn run_all(parts: &[Part], machine: &mut Machine<'_>) -> Run {
    let Some((last, first)) = parts.split_last() else {
        return Ok(Value::Unit);
    };
    for part in first {
        drop(part.operand.value(machine)?);
        machine.spend(&part.after)?;
    }
    last.value(machine)
}
