//! Calls of functions in Rust.

use std::any::TypeId;
use std::cell::RefCell;
use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, ImmutableString, NativeCallContext, Position, RhaiFunc};
use smallvec::SmallVec;

use super::machine::{Halt, Machine, Run};
use super::value::Value;
use crate::guard::{self, CostBound, Native};
use crate::{memory, meter};

/// The arguments of a call.
pub(crate) type Args = SmallVec<[Dynamic; 4]>;
type Types = SmallVec<[TypeId; 4]>;

/// A place in a script with an operator of the language. It remembers the operators for the types
/// of its values.
pub(crate) struct BuiltInPlace {
    name: ImmutableString,
    known: RefCell<Vec<(TypeId, TypeId, Option<RhaiFunc>)>>,
}

impl BuiltInPlace {
    pub(crate) const fn new(name: ImmutableString) -> Self {
        Self {
            name,
            known: RefCell::new(Vec::new()),
        }
    }

    /// Returns the language's own operator for two values.
    pub(crate) fn find(
        &self,
        machine: &Machine<'_>,
        left: &Dynamic,
        right: &Dynamic,
    ) -> Option<RhaiFunc> {
        let types = (left.type_id(), right.type_id());
        for (first, second, func) in &*self.known.borrow() {
            if (*first, *second) == types {
                return func.clone();
            }
        }
        // What is remembered serves all games.
        memory::uncounted(|| {
            let func = machine
                .runtime
                .table
                .packages
                .builtin(&self.name, left, right);
            let mut known = self.known.borrow_mut();
            known.truncate(MOST_KNOWN - 1);
            known.insert(0, (types.0, types.1, func.clone()));
            func
        })
    }
}

/// The number of functions that a place remembers.
const MOST_KNOWN: usize = 4;

/// A place in a script that calls a function in Rust. It remembers the functions that it called.
pub(crate) struct NativePlace {
    pub(crate) name: ImmutableString,
    pub(crate) at: Position,
    known: RefCell<Vec<(Types, Rc<Native>)>>,
}

impl NativePlace {
    pub(crate) fn new(name: ImmutableString, at: Position) -> Self {
        Self {
            name,
            at,
            known: RefCell::default(),
        }
    }

    fn find(&self, machine: &Machine<'_>, args: &[&mut Dynamic]) -> Option<Rc<Native>> {
        let fits = |types: &Types| {
            types.len() == args.len()
                && types.iter().zip(args).all(|(of, arg)| *of == arg.type_id())
        };
        if let Some((_, native)) = self.known.borrow().iter().find(|(types, _)| fits(types)) {
            return Some(Rc::clone(native));
        }
        // What is remembered serves all games.
        memory::uncounted(|| self.search(machine, args))
    }

    #[cold]
    fn search(&self, machine: &Machine<'_>, args: &[&mut Dynamic]) -> Option<Rc<Native>> {
        let types: Types = args.iter().map(|arg| arg.type_id()).collect();
        let table = &machine.runtime.table;
        let mut found = table.find(&self.name, &types);
        if let (None, [left, right]) = (&found, args) {
            let built_in = table.packages.builtin(&self.name, left, right);
            found = built_in.map(|func| Rc::new(Native { func, bound: None }));
        }
        if let Some(native) = &found {
            let mut known = self.known.borrow_mut();
            known.truncate(MOST_KNOWN - 1);
            known.insert(0, (types, Rc::clone(native)));
        }
        found
    }

    /// Counts an operation and calls the function. The first argument may be an object, which the
    /// function may change.
    pub(crate) fn call(
        &self,
        machine: &mut Machine<'_>,
        args: &mut [Dynamic],
        by_reference: bool,
    ) -> Run {
        machine.step(self.at)?;
        let mut args: SmallVec<[&mut Dynamic; 4]> = args.iter_mut().collect();
        self.run(machine, &mut args, by_reference, false)
    }

    /// Like [`NativePlace::call`], with an object and other arguments.
    pub(crate) fn call_by_reference(
        &self,
        machine: &mut Machine<'_>,
        object: &mut Dynamic,
        rest: &mut [Dynamic],
    ) -> Run {
        machine.step(self.at)?;
        let mut args: SmallVec<[&mut Dynamic; 4]> =
            std::iter::once(object).chain(rest.iter_mut()).collect();
        self.run(machine, &mut args, true, false)
    }

    /// Calls the function, whose operation was counted. A function that does not take its first
    /// argument by reference gets a copy of an object.
    pub(crate) fn run(
        &self,
        machine: &mut Machine<'_>,
        args: &mut [&mut Dynamic],
        by_reference: bool,
        is_constant: bool,
    ) -> Run {
        self.run_method(machine, args, by_reference, is_constant)
            .map(|(value, _)| value)
    }

    /// Like [`NativePlace::run`]. Also reports whether the function may have changed the object.
    pub(crate) fn run_method(
        &self,
        machine: &mut Machine<'_>,
        args: &mut [&mut Dynamic],
        by_reference: bool,
        is_constant: bool,
    ) -> Run<(Value, bool)> {
        let Some(native) = self.find(machine, args) else {
            let error = missing(machine, &self.name, args, self.at);
            return machine.fail_with(error);
        };
        if is_constant && !native.func.is_pure() {
            let name = self.name.to_string();
            return machine.fail(EvalAltResult::ErrorNonPureMethodCallOnConstant(
                name, self.at,
            ));
        }
        let result = if by_reference && !native.func.is_method() {
            let mut copy = args[0].clone();
            let (_, rest) = args.split_at_mut(1);
            let mut args: SmallVec<[&mut Dynamic; 4]> = std::iter::once(&mut copy)
                .chain(rest.iter_mut().map(|arg| &mut **arg))
                .collect();
            machine.invoke(&native, &self.name, &mut args, self.at)?
        } else {
            machine.invoke(&native, &self.name, args, self.at)?
        };
        if by_reference {
            machine.check_size(args[0], self.at)?;
        }
        if self.name == "debug" {
            let text = result.into_immutable_string().unwrap_or_default();
            machine
                .runtime
                .hear(&text, machine.program.source.as_deref(), self.at);
            return Ok((Value::Unit, false));
        }
        Ok((Value::from(result), native.func.is_method()))
    }
}

/// Returns the error of a call of a function that does not exist.
pub(crate) fn missing(
    machine: &Machine<'_>,
    name: &str,
    args: &[&mut Dynamic],
    at: Position,
) -> Box<EvalAltResult> {
    let kind = |arg: &Dynamic| machine.engine.map_type_name(arg.type_name()).to_owned();
    let error = match (name, args) {
        ("index$get$", [object, index]) => {
            EvalAltResult::ErrorIndexingType(format!("{} [{}]", kind(object), kind(index)), at)
        }
        ("index$set$", [object, index, value]) => {
            let text = format!("{} [{}] = {}", kind(object), kind(index), kind(value));
            EvalAltResult::ErrorIndexingType(text, at)
        }
        _ if let (Some(property), [object]) = (name.strip_prefix("get$"), args) => {
            let kind = kind(object);
            let text = format!(
                "Unknown property '{property}' - a getter is not registered for type '{kind}'"
            );
            EvalAltResult::ErrorDotExpr(text, at)
        }
        _ if let (Some(property), [object, value]) = (name.strip_prefix("set$"), args) => {
            let text = format!(
                "No writable property '{property}' - a setter is not registered for type '{}' to \
                 handle '{}'",
                kind(object),
                kind(value)
            );
            EvalAltResult::ErrorDotExpr(text, at)
        }
        _ => {
            let types: Vec<String> = args
                .iter()
                .map(|arg| {
                    if arg.is_string() {
                        "&str | ImmutableString | String".to_owned()
                    } else {
                        kind(arg)
                    }
                })
                .collect();
            EvalAltResult::ErrorFunctionNotFound(format!("{name} ({})", types.join(", ")), at)
        }
    };
    Box::new(error)
}

impl Machine<'_> {
    /// Reports whether the machine stopped because a function does not exist.
    pub(crate) fn misses_function(&self, name: &str) -> bool {
        match &self.halt {
            Some(Halt::Error(error)) => match &**error {
                EvalAltResult::ErrorFunctionNotFound(signature, _) => signature.starts_with(name),
                _ => false,
            },
            _ => false,
        }
    }

    /// Checks that a value is not too large.
    #[inline]
    pub(crate) fn check_size(&mut self, value: &Dynamic, at: Position) -> Run<()> {
        if !(value.is_array() || value.is_map() || value.is_string() || value.is_blob()) {
            return Ok(());
        }
        match self.engine.ensure_data_size_within_limits(value) {
            Ok(()) => Ok(()),
            Err(error) => self.fail_at(error, at),
        }
    }

    /// Calls a function with the cost of its work.
    fn invoke(
        &mut self,
        native: &Native,
        name: &ImmutableString,
        args: &mut [&mut Dynamic],
        at: Position,
    ) -> Run<Dynamic> {
        let (measured, factor) = match native.bound {
            None | Some(CostBound::Constant | CostBound::Calls) => {
                let result = self.call_rust(&native.func, name, args, at)?;
                self.check_size(&result, at)?;
                return Ok(result);
            }
            Some(CostBound::Charged(factor)) => (false, factor),
            Some(CostBound::Measured(factor)) => (true, factor),
        };
        if let Err(error) = guard::charge_arguments(name, args, measured, factor) {
            return self.fail_at(error, at);
        }
        self.step(at)?;
        let packages = Rc::clone(&self.runtime.table.packages);
        let state = self.state();
        let inner = packages.engine();
        let context = NativeCallContext::new_with_all_fields(inner, name, None, &state, at);
        let result = run(&native.func, Some(context), args);
        self.keep_state(state);
        let result = result.and_then(|value| {
            inner.ensure_data_size_within_limits(&value)?;
            inner.ensure_data_size_within_limits(args[0])?;
            meter::charge(guard::weigh(&value)? * factor);
            Ok(value)
        });
        match result {
            Ok(value) => {
                self.check_size(&value, at)?;
                Ok(value)
            }
            Err(error) => self.fail_at(error, at),
        }
    }

    /// Calls a function in Rust.
    #[inline]
    pub(crate) fn call_rust(
        &mut self,
        func: &RhaiFunc,
        name: &ImmutableString,
        args: &mut [&mut Dynamic],
        at: Position,
    ) -> Run<Dynamic> {
        let result = if func.has_context() {
            let state = self.state();
            let context =
                NativeCallContext::new_with_all_fields(self.engine, name, None, &state, at);
            let result = run(func, Some(context), args);
            self.keep_state(state);
            result
        } else {
            run(func, None, args)
        };
        match result {
            Ok(value) => Ok(value),
            Err(error) => self.fail_at(error, at),
        }
    }
}

fn run(
    func: &RhaiFunc,
    context: Option<NativeCallContext<'_>>,
    args: &mut [&mut Dynamic],
) -> Result<Dynamic, Box<EvalAltResult>> {
    match func {
        RhaiFunc::Pure { func, .. } | RhaiFunc::Method { func, .. } => func(context, args),
        RhaiFunc::Plugin { func } => func.call(context, args),
        RhaiFunc::StaticPlugin { func } => func.call(context, args),
        _ => Err("the function is not written in Rust".into()),
    }
}
