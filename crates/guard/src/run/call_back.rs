//! Calls of a script's functions by functions in Rust, such as `list.map(|x| …)`.

use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, FnPtr, ImmutableString, NativeCallContext, Position};
use smallvec::SmallVec;

use super::calls::{Args, NativePlace};
use super::machine::{Function, Halt, Machine, Program, Run, RuntimeHandle, This};
use crate::NativeResult;
use crate::value::Value;

/// Where a function was found.
pub(crate) type Found = (Rc<Program>, Rc<Function>);

impl Machine<'_> {
    /// Returns the script's function with this name: of the file whose code runs, or of the script
    /// that the program called.
    pub(crate) fn find(&self, name: &ImmutableString, parameters: usize) -> Option<Found> {
        [&self.program, &self.runtime.root]
            .into_iter()
            .find_map(|program| {
                let function = program.find(name, parameters)?;
                Some((Rc::clone(program), function))
            })
    }

    /// Like [`Machine::find`], for a call on an object.
    pub(crate) fn find_method(
        &self,
        object: &Dynamic,
        name: &ImmutableString,
        parameters: usize,
    ) -> Option<Found> {
        let of = self.engine.map_type_name(object.type_name());
        let programs = [&self.program, &self.runtime.root];
        let typed = programs
            .into_iter()
            .find(|of_file| of_file.names.has_type(of, name, parameters));
        let of_name = |program: &&&Rc<Program>| program.names.find(name, parameters).is_some();
        let program = typed.or_else(|| programs.iter().find(of_name).copied())?;
        let number = program.names.find_method(of, name, parameters)?;
        Some((Rc::clone(program), Rc::clone(&program.functions[number])))
    }

    /// Calls a script's function with values and an object.
    pub(crate) fn call_found(
        &mut self,
        found: &Found,
        this: Option<(&mut Dynamic, bool)>,
        args: &mut [Dynamic],
        at: Position,
    ) -> Run {
        self.step(at)?;
        let (program, function) = found;
        let frame = self.stack.len();
        let (object, kind) = match this {
            None => (None, This::None),
            Some((object, true)) => (Some(object), This::Constant),
            Some((object, false)) => (Some(object), This::Variable),
        };
        match object {
            None => {
                self.stack.push(Value::Unit);
                self.push_all(args);
                let result = self.enter_file(program, function, kind, at);
                self.stack.truncate(frame);
                result
            }
            Some(object) => {
                self.stack.push(Value::from(std::mem::take(object)));
                self.push_all(args);
                let result = self.enter_file(program, function, kind, at);
                *object = self.stack[frame].take().dynamic();
                self.stack.truncate(frame);
                result
            }
        }
    }

    fn push_all(&mut self, args: &mut [Dynamic]) {
        self.stack
            .extend(args.iter_mut().map(|arg| Value::from(std::mem::take(arg))));
    }

    /// Calls a function by its name: a script's function or one in Rust.
    pub(crate) fn call_named(
        &mut self,
        name: &ImmutableString,
        this: Option<(&mut Dynamic, bool)>,
        args: &mut [Dynamic],
        by_reference: bool,
        at: Position,
    ) -> Run {
        let found = match &this {
            None => self.find(name, args.len()),
            Some((object, _)) => self.find_method(object, name, args.len()),
        };
        if let Some(found) = found {
            return self.call_found(&found, this, args, at);
        }
        self.step(at)?;
        let place = NativePlace::new(name.clone(), at);
        let is_constant = this.as_ref().is_some_and(|(_, is_constant)| *is_constant);
        let object = this.map(|(object, _)| object);
        let mut all: SmallVec<[&mut Dynamic; 4]> =
            object.into_iter().chain(args.iter_mut()).collect();
        place.run(self, &mut all, by_reference, is_constant)
    }
}

/// Calls a function that a script passed to a function in Rust.
///
/// # Errors
/// Returns the function's error.
pub fn call(
    context: &NativeCallContext<'_>,
    function: &FnPtr,
    this: Option<&mut Dynamic>,
    args: &mut [Dynamic],
) -> NativeResult<Dynamic> {
    let handle = context
        .tag()
        .and_then(|tag| tag.read_lock::<RuntimeHandle>().map(|it| it.clone()));
    let Some(RuntimeHandle(runtime, program)) = handle else {
        return function.call_raw(context, this, args);
    };
    let mut machine = Machine::new(context.engine(), &runtime, program);
    let name = ImmutableString::from(function.fn_name());
    let mut all: Args = function.curry().iter().cloned().collect();
    all.extend(args.iter_mut().map(std::mem::take));
    let is_method = this.is_some();
    let at = context.call_position();
    let this = this.map(|object| (object, false));
    match machine.call_named(&name, this, &mut all, is_method, at) {
        Ok(value) => Ok(value.dynamic()),
        Err(_) => Err(match machine.halt.take() {
            Some(Halt::Error(error)) => error,
            _ => "the function was left".into(),
        }),
    }
}

/// Calls a function with as many of these arguments as it has parameters: the arguments alone, with
/// the object as one of them at the index `object_at`, or with the object and `extra`. A function
/// with the arguments alone gets the object as `this`.
pub(crate) fn call_with(
    caller: &str,
    context: &NativeCallContext<'_>,
    function: &FnPtr,
    object: Option<&mut Dynamic>,
    args: &[Dynamic],
    extra: Option<Dynamic>,
    object_at: Option<usize>,
) -> NativeResult<Dynamic> {
    let missing = |error: &EvalAltResult| match error {
        EvalAltResult::ErrorFunctionNotFound(of, _) => of.starts_with(function.fn_name()),
        _ => false,
    };
    let mut object = object;
    let mut given: Args = args.iter().cloned().collect();
    let mut result = call(context, function, object.as_deref_mut(), &mut given);
    let with_object = |object: &Dynamic, at: usize| {
        let mut given: Args = args.iter().cloned().collect();
        given.insert(at, object.clone());
        given
    };
    if let (Some(at), Some(object)) = (object_at, object.as_deref())
        && result.as_ref().is_err_and(|error| missing(error))
    {
        result = call(context, function, None, &mut with_object(object, at));
    }
    if result.as_ref().is_err_and(|error| missing(error)) {
        result = match (object_at, object) {
            (Some(at), Some(object)) => {
                let mut given = with_object(object, at);
                given.extend(extra);
                call(context, function, None, &mut given)
            }
            (_, object) => {
                let mut given: Args = args.iter().cloned().collect();
                given.extend(extra);
                call(context, function, object, &mut given)
            }
        };
    }
    result.map_err(|error| {
        let source = context.call_source().unwrap_or_default().to_owned();
        let name = caller.to_owned();
        Box::new(EvalAltResult::ErrorInFunctionCall(
            name,
            source,
            error,
            Position::NONE,
        ))
    })
}
