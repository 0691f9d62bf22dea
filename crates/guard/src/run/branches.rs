//! Compiles `switch`, `for` and `try`.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::ops::{Range, RangeInclusive};

use rhai::{
    Blob, Dynamic, EvalAltResult, Expr, FlowControl, FnPtr, INT, Ident, Map, Position, RangeCase,
    SwitchCasesCollection,
};

use super::compiler::Compiler;
use super::count::Count;
use super::machine::{Code, Halt, Machine, Run};
use super::piece::{Operand, Piece};
use super::sequence::Items;
use super::statements::{ends_loop, too_many};
use crate::value::Value;

/// A case of a `switch`: its condition, if it has one, and its value.
struct Case {
    condition: Option<(Count, Code<bool>)>,
    value: Code,
}

impl Compiler<'_> {
    pub(crate) fn switch(&mut self, expr: &Expr, cases: &SwitchCasesCollection) -> Piece {
        let value = self.expr(expr);
        let all = cases.expressions.iter();
        let all: Vec<Case> = all.map(|case| self.case(case)).collect();
        let by_hash: std::collections::HashMap<u64, Vec<usize>> = cases
            .cases
            .iter()
            .map(|(hash, list)| (*hash, list.blocks.to_vec()))
            .collect();
        let ranges: Vec<RangeCase> = cases.ranges.to_vec();
        let otherwise = cases.def_case;
        let operand = value.operand;
        let code: Code = Box::new(move |machine| {
            let value = operand.value(machine)?.dynamic();
            let mut found = None;
            if is_hashable(&value) {
                for index in by_hash.get(&hash(&value)).into_iter().flatten() {
                    if all[*index].fits(machine)? {
                        found = Some(*index);
                        break;
                    }
                }
                for range in ranges.iter().filter(|range| range.contains(&value)) {
                    if found.is_some() {
                        break;
                    }
                    found = all[range.index()].fits(machine)?.then_some(range.index());
                }
            }
            match found.or(otherwise) {
                Some(index) => (all[index].value)(machine),
                None => Ok(Value::Unit),
            }
        });
        Piece::branching(value.operations, code)
    }

    fn case(&mut self, case: &rhai::BinaryExpr) -> Case {
        let condition = match &case.lhs {
            Expr::BoolConstant(true, _) => None,
            Expr::BoolConstant(false, _) => {
                let never: Code<bool> = Box::new(|_| Ok(false));
                Some((Count::default(), never))
            }
            other => {
                let (operations, test) = self.test(other);
                Some((Count::new(&operations), test))
            }
        };
        Case {
            condition,
            value: self.expr(&case.rhs).charged(),
        }
    }

    pub(crate) fn for_loop(
        &mut self,
        name: &Ident,
        counter: Option<&Ident>,
        flow: &FlowControl,
    ) -> Piece {
        if self.is_full(usize::from(counter.is_some())) {
            return too_many(name.pos);
        }
        let over = self.expr(&flow.expr);
        let place = flow.expr.start_position();
        let (slot, counter, count, body) = self.within(|compiler| {
            let counter = counter.map(|counter| compiler.define(&counter.name, false));
            let slot = compiler.define(&name.name, false);
            let (count, body) = compiler.branch(&flow.body);
            (slot, counter, count, body)
        });
        let turns = Turns {
            slot,
            counter,
            count: if flow.body.is_empty() {
                Count::new(&[flow.body.position()])
            } else {
                count
            },
            body,
        };
        let operand = over.operand;
        let code: Code = Box::new(move |machine| {
            let over = operand.value(machine)?;
            turns.over(machine, over, place)
        });
        Piece::branching(over.operations, code)
    }

    pub(crate) fn try_catch(&mut self, flow: &FlowControl) -> Piece {
        let (count, body) = self.branch(&flow.body);
        let caught = match &flow.expr {
            Expr::Variable(caught, ..) => Some(&caught.1),
            _ => None,
        };
        let is_full = caught.is_some() && self.is_full(0);
        let (slot, caught_count, catch) = self.within(|compiler| {
            let slot = caught.map(|name| compiler.define(name, false));
            let (count, catch) = compiler.branch(&flow.branch);
            (slot, count, catch)
        });
        let caught_at = flow.expr.position();
        let code: Code = Box::new(move |machine| {
            let height = machine.stack.len();
            machine.spend(&count)?;
            let halted = match body.value(machine) {
                Ok(value) => return Ok(value),
                Err(halted) => halted,
            };
            let mut error = match machine.halt.take() {
                Some(Halt::Error(error)) if error.is_catchable() => error,
                other => {
                    machine.halt = other;
                    return Err(halted);
                }
            };
            machine.stack.truncate(height);
            if is_full {
                return machine.fail(EvalAltResult::ErrorTooManyVariables(caught_at));
            }
            if let Some(slot) = slot {
                let value = error_value(machine, &mut error);
                *machine.local_mut(slot) = Value::from(value);
            }
            machine.spend(&caught_count)?;
            let Err(halted) = catch.value(machine) else {
                return Ok(Value::Unit);
            };
            if let Some(Halt::Error(again)) = &machine.halt
                && let EvalAltResult::ErrorRuntime(value, at) = &**again
                && value.is_unit()
            {
                // `throw` without a value throws the caught error again.
                error.set_position(*at);
                machine.halt = Some(Halt::Error(error));
            }
            Err(halted)
        });
        Piece::branching(Vec::new(), code)
    }
}

impl Case {
    fn fits(&self, machine: &mut Machine<'_>) -> Run<bool> {
        match &self.condition {
            None => Ok(true),
            Some((count, test)) => {
                machine.spend(count)?;
                test(machine)
            }
        }
    }
}

/// Reports whether a value can be compared with the cases of a `switch`.
fn is_hashable(value: &Dynamic) -> bool {
    if let Ok(array) = value.as_array_ref() {
        return array.iter().all(is_hashable);
    }
    if let Ok(map) = value.as_map_ref() {
        return map.values().all(is_hashable);
    }
    if let Some(function) = value.read_lock::<FnPtr>() {
        return function.curry().iter().all(is_hashable);
    }
    let is_range = value.is::<Range<INT>>() || value.is::<RangeInclusive<INT>>();
    !value.is_variant() || is_range
}

/// Returns the hash by which Rhai's parser stores the cases of a `switch`.
fn hash(value: &Dynamic) -> u64 {
    let mut hasher = match rhai::config::hashing::get_hashing_seed() {
        Some([a, b, c, d]) if (a | b | c | d) != 0 => {
            ahash::RandomState::with_seeds(*a, *b, *c, *d).build_hasher()
        }
        _ => ahash::AHasher::default(),
    };
    value.hash(&mut hasher);
    hasher.finish()
}

/// The turns of a `for` loop.
struct Turns {
    slot: usize,
    counter: Option<usize>,
    count: Count,
    body: Operand,
}

impl Turns {
    /// Runs the turns with the values of an array, a range, a string or a sequence.
    fn over(&self, machine: &mut Machine<'_>, over: Value, place: Position) -> Run {
        let over = match over {
            Value::Shared(shared) if shared.is_array() => {
                return self.over_shared(machine, &shared);
            }
            other => other.dynamic(),
        };
        if let Some(range) = over.read_lock::<Range<INT>>() {
            return self.run(machine, range.clone().map(Value::Int));
        }
        if let Some(range) = over.read_lock::<RangeInclusive<INT>>() {
            return self.run(machine, range.clone().map(Value::Int));
        }
        if over.is_array() {
            let array = over.into_array().unwrap_or_default();
            return self.run(machine, array.into_iter().map(Value::from));
        }
        if over.is_blob() {
            let blob: Blob = over.into_blob().unwrap_or_default();
            let bytes = blob
                .into_iter()
                .map(|byte| Value::from(Dynamic::from(byte)));
            return self.run(machine, bytes);
        }
        if let Ok(text) = over.as_immutable_string_ref() {
            let all: Vec<char> = text.chars().collect();
            return self.run(machine, all.into_iter().map(|it| Value::Other(it.into())));
        }
        match over.try_cast::<Items>() {
            Some(items) => self.run(machine, items.map(Value::from)),
            None => machine.fail(EvalAltResult::ErrorFor(place)),
        }
    }

    /// Runs the turns with the elements of an array that others share.
    fn over_shared(&self, machine: &mut Machine<'_>, array: &Dynamic) -> Run {
        let length = array.as_array_ref().map_or(0, |array| array.len());
        let element = |index: usize| {
            let array = array.as_array_ref().ok();
            array.map_or(Value::Unit, |array| Value::of(&array[index]))
        };
        self.run(machine, (0..length).map(element))
    }

    #[inline]
    fn run(&self, machine: &mut Machine<'_>, values: impl Iterator<Item = Value>) -> Run {
        for (number, value) in values.enumerate() {
            if let Some(counter) = self.counter {
                *machine.local_mut(counter) = Value::Int(number as INT);
            }
            *machine.local_mut(self.slot) = value;
            machine.spend(&self.count)?;
            if let Err(halted) = self.body.value(machine)
                && let Some(value) = ends_loop(machine, halted)?
            {
                return Ok(value);
            }
        }
        Ok(Value::Unit)
    }
}

/// Returns the value of a caught error: the thrown value, or a map that describes the error.
fn error_value(machine: &Machine<'_>, error: &mut EvalAltResult) -> Dynamic {
    if let EvalAltResult::ErrorRuntime(value, _) = error.unwrap_inner() {
        return value.clone();
    }
    let mut map = Map::new();
    let at = error.take_position();
    map.insert("message".into(), error.to_string().into());
    if let Some(source) = &machine.program.source {
        map.insert("source".into(), source.clone().into());
    }
    if let Some(line) = at.line() {
        map.insert("line".into(), (line as INT).into());
        let column = at.position().unwrap_or(0);
        map.insert("position".into(), (column as INT).into());
    }
    fields(error, &mut map);
    map.into()
}

fn fields(error: &EvalAltResult, map: &mut Map) {
    let kind = format!("{error:?}");
    let kind = kind.split('(').next().unwrap_or_default().to_owned();
    let mut add = |name: &str, value: Dynamic| {
        map.insert(name.into(), value);
    };
    add("error", kind.into());
    match error {
        EvalAltResult::ErrorFunctionNotFound(name, _)
        | EvalAltResult::ErrorNonPureMethodCallOnConstant(name, _) => {
            add("function", name.into());
        }
        EvalAltResult::ErrorInFunctionCall(name, source, ..) => {
            add("function", name.into());
            add("source", source.into());
        }
        EvalAltResult::ErrorMismatchDataType(wanted, found, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, found, _) => {
            add("requested", wanted.into());
            add("actual", found.into());
        }
        EvalAltResult::ErrorArrayBounds(length, index, _)
        | EvalAltResult::ErrorStringBounds(length, index, _)
        | EvalAltResult::ErrorBitFieldBounds(length, index, _) => {
            add("length", (*length as INT).into());
            add("index", (*index).into());
        }
        EvalAltResult::ErrorVariableExists(name, _)
        | EvalAltResult::ErrorForbiddenVariable(name, _)
        | EvalAltResult::ErrorVariableNotFound(name, _)
        | EvalAltResult::ErrorPropertyNotFound(name, _)
        | EvalAltResult::ErrorDataRace(name, _)
        | EvalAltResult::ErrorAssignmentToConstant(name, _) => add("variable", name.into()),
        EvalAltResult::ErrorIndexNotFound(index, _) => add("index", index.clone()),
        EvalAltResult::ErrorInModule(name, ..) | EvalAltResult::ErrorModuleNotFound(name, _) => {
            add("module", name.into());
        }
        EvalAltResult::ErrorDotExpr(text, _) => add("property", text.into()),
        EvalAltResult::ErrorIndexingType(text, _) | EvalAltResult::ErrorDataTooLarge(text, _) => {
            add("type", text.into());
        }
        EvalAltResult::ErrorTerminated(token, _) => add("token", token.clone()),
        _ => {}
    }
}
