//! Calls of functions in Rust.

use std::any::TypeId;
use std::cell::RefCell;
use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, ImmutableString, NativeCallContext, Position, RhaiFunc};
use smallvec::SmallVec;

use super::machine::{Machine, Run};
use super::piece::Part;
use crate::cells::Contents;
use crate::direct::Direct;
use crate::guard;
use crate::packages::{Native, NativeBody};
use crate::readers::Reader;
use crate::value::Value;
use crate::{NativeResult, memory, meter};

/// The values before a chain: indexes and arguments.
pub(crate) type Values = SmallVec<[Value; 4]>;
/// The arguments of a call.
pub(crate) type Args = SmallVec<[Dynamic; 4]>;
/// References to the arguments of a call.
pub(crate) type References<'a> = SmallVec<[&'a mut Dynamic; 4]>;
type Types = SmallVec<[TypeId; 4]>;

/// Returns the values of the parts of a sequence.
pub(crate) fn values_of(parts: &[Part], machine: &mut Machine<'_>) -> Run<Values> {
    let mut values = Values::new();
    for part in parts {
        values.push(part.value(machine)?);
    }
    Ok(values)
}

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
        // Later games use this entry as well, so its memory counts for none of them.
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
    known: RefCell<Vec<Known>>,
}

/// A call of a function that takes a script's values.
pub(crate) enum DirectCall {
    Reader(Reader),
    /// A function that may change its object.
    Changer(Direct),
}

/// The result of a direct call, and the length of its object.
pub(crate) type Answer = (NativeResult<Value>, usize);

impl DirectCall {
    /// Calls the function, whose operation was counted. Returns `None` if it leaves the call to
    /// [`NativePlace::run`], or if there is not enough fuel.
    #[inline]
    pub(crate) fn on_value(self, object: &mut Value, args: &mut [Value]) -> Option<Answer> {
        match self {
            Self::Reader(reader) => read(reader, object.inner()?, args),
            changer @ Self::Changer(_) => changer.on(object.own()?, args),
        }
    }

    #[inline]
    pub(crate) fn on(self, object: &mut Dynamic, args: &mut [Value]) -> Option<Answer> {
        match self {
            Self::Reader(reader) => read(reader, object, args),
            Self::Changer(function) => {
                let result = function(object, args);
                Some((result, container_length(object)))
            }
        }
    }
}

#[inline]
fn read(reader: Reader, object: &Dynamic, args: &[Value]) -> Option<Answer> {
    let reading = reader(object, args)?;
    let value = meter::pay(reading.work, reading.operations).then_some(reading.value)?;
    Some((Ok(value), 0))
}

/// The function for arguments of these types, or `None` if there is none.
struct Known {
    types: Types,
    native: Option<Rc<Native>>,
}

impl Known {
    #[inline]
    fn fits(&self, args: &[&mut Dynamic]) -> bool {
        let types = self.types.as_slice();
        types.len() == args.len() && types.iter().zip(args).all(|(of, arg)| *of == arg.type_id())
    }

    #[inline]
    fn fits_values(&self, object: TypeId, args: &[Value]) -> bool {
        let Some((first, rest)) = self.types.split_first() else {
            return false;
        };
        let mut rest = rest.iter().zip(args);
        self.types.len() == args.len() + 1
            && *first == object
            && rest.all(|(of, arg)| *of == arg.type_id())
    }
}

impl NativePlace {
    pub(crate) fn new(name: ImmutableString, at: Position) -> Self {
        Self {
            name,
            at,
            known: RefCell::default(),
        }
    }

    #[inline]
    pub(crate) fn find(&self, machine: &Machine<'_>, args: &[&mut Dynamic]) -> Option<Rc<Native>> {
        for known in &*self.known.borrow() {
            if known.fits(args) {
                return known.native.clone();
            }
        }
        // Later games use this entry as well, so its memory counts for none of them.
        memory::uncounted(|| self.search(machine, args))
    }

    #[cold]
    fn search(&self, machine: &Machine<'_>, args: &[&mut Dynamic]) -> Option<Rc<Native>> {
        let types: Types = args.iter().map(|arg| arg.type_id()).collect();
        let table = &machine.runtime.table;
        let mut found = table.find(&self.name, &types);
        if let (None, [left, right]) = (&found, args) {
            let built_in = table.packages.builtin(&self.name, left, right);
            found = built_in.map(Native::plain);
        }
        let mut known = self.known.borrow_mut();
        known.truncate(MOST_KNOWN - 1);
        let native = found.clone();
        known.insert(0, Known { types, native });
        found
    }

    /// Returns a function for direct calls on an object, if it was called before. The object may be
    /// a constant. The other calls, and their messages, are left to [`NativePlace::run`].
    #[inline]
    pub(crate) fn direct(
        &self,
        object: TypeId,
        args: &[Value],
        is_constant: bool,
    ) -> Option<DirectCall> {
        let known = self.known.borrow();
        let mut known = known.iter();
        let found = known.find(|known| known.fits_values(object, args))?;
        let native = found.native.as_ref()?;
        if let Some(reader) = native.reader {
            return Some(DirectCall::Reader(reader));
        }
        if is_constant && !native.is_pure() {
            return None;
        }
        native.direct.clone().map(DirectCall::Changer)
    }

    /// Reports whether it is known that objects of a type have no such function without arguments.
    #[inline]
    pub(crate) fn lacks(&self, object: TypeId) -> bool {
        let known = self.known.borrow();
        let found = known.iter().find(|known| known.fits_values(object, &[]));
        found.is_some_and(|known| known.native.is_none())
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
        with_references(args, |args| self.run(machine, args, by_reference, false))
    }

    /// Like [`NativePlace::call`], with an object and other arguments.
    pub(crate) fn call_by_reference(
        &self,
        machine: &mut Machine<'_>,
        object: &mut Dynamic,
        rest: &mut [Dynamic],
    ) -> Run {
        machine.step(self.at)?;
        let mut args: References<'_> = std::iter::once(object).chain(rest.iter_mut()).collect();
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
        if is_constant && !native.is_pure() {
            machine.charge(&native, &self.name, args, self.at)?;
            let name = self.name.to_string();
            return machine.fail(EvalAltResult::ErrorNonPureMethodCallOnConstant(
                name, self.at,
            ));
        }
        let is_method = native.is_method();
        let result = if by_reference && !is_method {
            let mut copy = args[0].clone();
            let (_, rest) = args.split_at_mut(1);
            let mut args: References<'_> = std::iter::once(&mut copy)
                .chain(rest.iter_mut().map(|arg| &mut **arg))
                .collect();
            machine.invoke(&native, &self.name, &mut args, false, self.at)?
        } else {
            machine.invoke(&native, &self.name, args, is_constant, self.at)?
        };
        if by_reference {
            machine.check_size(args[0], self.at)?;
        }
        let result = Value::from(result);
        if let Value::Other(value) = &result {
            machine.check_size(value, self.at)?;
            if self.name == "debug" {
                let text = value.as_immutable_string_ref();
                let text = text.map(|text| text.clone()).unwrap_or_default();
                let source = machine.program.source.as_deref();
                machine.runtime.hear(&text, source, self.at);
                return Ok((Value::Unit, false));
            }
        }
        Ok((result, is_method))
    }
}

/// Passes references to values.
#[inline]
pub(crate) fn with_references<R>(
    values: &mut [Dynamic],
    run: impl FnOnce(&mut [&mut Dynamic]) -> R,
) -> R {
    match values {
        [a] => run(&mut [a]),
        [a, b] => run(&mut [a, b]),
        [a, b, c] => run(&mut [a, b, c]),
        more => {
            let mut all: SmallVec<[&mut Dynamic; 8]> = more.iter_mut().collect();
            run(&mut all)
        }
    }
}

/// Returns the length of an array or map, or 0 for other values.
#[inline]
pub(crate) fn container_length(value: &Dynamic) -> usize {
    if value.is_array() {
        return value.as_array_ref().map_or(0, |array| array.len());
    }
    if value.is_map() {
        return value.as_map_ref().map_or(0, |map| map.len());
    }
    0
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
        matches!(
            self.error(),
            Some(EvalAltResult::ErrorFunctionNotFound(signature, _)) if signature.starts_with(name)
        )
    }

    /// Checks that a value is not too large.
    #[inline]
    pub(crate) fn check_size(&mut self, value: &Dynamic, at: Position) -> Run<()> {
        let engine = self.engine;
        let (most, what) = if value.is_array() || value.is_blob() {
            (engine.max_array_size(), "Size of array/BLOB")
        } else if value.is_map() {
            (engine.max_map_size(), "Size of object map")
        } else if value.is_string() {
            (engine.max_string_size(), "Length of string")
        } else {
            return Ok(());
        };
        let length = if value.is_string() {
            value.as_immutable_string_ref().map_or(0, |text| text.len())
        } else if value.is_blob() {
            value.as_blob_ref().map_or(0, |blob| blob.len())
        } else {
            container_length(value)
        };
        if length > most {
            return self.too_large(what, at);
        }
        Ok(())
    }

    /// Checks the value that the program gets: the entries of its maps and its texts.
    pub(crate) fn check_result(&mut self, value: Value) -> Run<Dynamic> {
        let value = value.dynamic();
        match Contents::of(&value) {
            Some(has) if has.entries > self.engine.max_map_size() => {
                self.too_large("Size of object map", Position::NONE)
            }
            Some(has) if has.bytes > self.engine.max_string_size() => {
                self.too_large("Length of string", Position::NONE)
            }
            _ => Ok(value),
        }
    }

    /// Checks that an array or map may contain a value: its size with nested values, and their
    /// nesting.
    pub(crate) fn check_contents(&mut self, value: &Dynamic, at: Position) -> Run<()> {
        match Contents::of(value) {
            Some(has) if has.elements > self.engine.max_array_size() => {
                self.too_large("Size of array/BLOB", at)
            }
            Some(has) if has.entries > self.engine.max_map_size() => {
                self.too_large("Size of object map", at)
            }
            Some(_) => Ok(()),
            None => self.too_large("Nesting of array", at),
        }
    }

    /// Checks the result of a direct call, and the length of its object.
    #[inline]
    pub(crate) fn answered(&mut self, answer: Answer, at: Position) -> Run {
        let (result, length) = answer;
        meter::watch_memory();
        // Arrays may be longer than maps.
        if length > self.engine.max_map_size() && length > self.engine.max_array_size() {
            return self.too_large("Size of array/BLOB", at);
        }
        match result {
            Ok(value) => {
                if let Value::Other(value) = &value {
                    self.check_size(value, at)?;
                }
                Ok(value)
            }
            Err(error) => self.fail_at(error, at),
        }
    }

    /// Charges for a call of a package's function if it has a bound on its work.
    fn charge(
        &mut self,
        native: &Native,
        name: &ImmutableString,
        args: &[&mut Dynamic],
        at: Position,
    ) -> Run<()> {
        if let NativeBody::Charged {
            measured, factor, ..
        } = native.body
        {
            let charged = guard::charge_arguments(name, args, measured, factor);
            self.received(charged, at)?;
            self.step(at)?;
        }
        Ok(())
    }

    /// Calls a function with the cost of its work.
    fn invoke(
        &mut self,
        native: &Native,
        name: &ImmutableString,
        args: &mut [&mut Dynamic],
        is_constant: bool,
        at: Position,
    ) -> Run<Dynamic> {
        self.charge(native, name, args, at)?;
        let (func, factor) = match &native.body {
            NativeBody::Plain(func) => {
                let result = self.call_rust(func, name, args, at)?;
                meter::watch_memory();
                return Ok(result);
            }
            NativeBody::OfLists { number, .. } => {
                return self.call_list(*number, name, args, is_constant, at);
            }
            NativeBody::Charged { func, factor, .. } => (func, factor),
        };
        let packages = Rc::clone(&self.runtime.table.packages);
        let state = self.state();
        let inner = packages.engine();
        let context = NativeCallContext::new_with_all_fields(inner, name, None, &state, at);
        let result = run(func, Some(context), args);
        self.keep_state(state);
        let result = result.and_then(|value| {
            meter::charge(guard::weigh(&value)? * factor);
            Ok(value)
        });
        meter::watch_memory();
        self.received(result, at)
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
        self.received(result, at)
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
