//! Calls of a script's functions by functions in Rust, such as `list.map(|x| …)`.

use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, FnPtr, NativeCallContext, Position};
use smallvec::SmallVec;

use super::calls::{Args, NativePlace, References, missing};
use super::machine::{Function, Machine, Program, Run, RuntimeHandle, This};
use crate::NativeResult;
use crate::value::Value;

/// A function, with the file that defines it.
pub(crate) type Found = (Rc<Program>, Rc<Function>);

impl Machine<'_> {
    /// Returns the script's function with this name: of the file whose code runs, or of the script
    /// that the program called.
    pub(crate) fn find(&self, name: &str, parameters: usize) -> Option<Found> {
        let programs = [&self.program, &self.runtime.root];
        programs.into_iter().find_map(|program| {
            let function = program.find(name, parameters)?;
            Some((Rc::clone(program), function))
        })
    }

    /// Like [`Machine::find`], for a call on an object.
    pub(crate) fn find_method(
        &self,
        object: &Dynamic,
        name: &str,
        parameters: usize,
    ) -> Option<Found> {
        let of = self.engine.map_type_name(object.type_name());
        let programs = [&self.program, &self.runtime.root];
        let typed = programs.into_iter().find_map(|program| {
            let number = program.names.find_typed(of, name, parameters)?;
            Some((Rc::clone(program), Rc::clone(&program.functions[number])))
        });
        typed.or_else(|| self.find(name, parameters))
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
        name: &str,
        mut this: Option<(&mut Dynamic, bool)>,
        args: &mut [Dynamic],
        by_reference: bool,
        at: Position,
    ) -> Run {
        let object = this
            .as_mut()
            .map(|(object, is_constant)| (&mut **object, *is_constant));
        if let Some(value) = self.try_named(name, object, args, by_reference, at)? {
            return Ok(value);
        }
        let object = this.map(|(object, _)| object);
        let all: References<'_> = object.into_iter().chain(args.iter_mut()).collect();
        let error = missing(self, name, &all, at);
        self.fail_with(error)
    }

    /// Like [`Machine::call_named`], but returns `None` if there is no such function.
    fn try_named(
        &mut self,
        name: &str,
        this: Option<(&mut Dynamic, bool)>,
        args: &mut [Dynamic],
        by_reference: bool,
        at: Position,
    ) -> Run<Option<Value>> {
        let found = match &this {
            None => self.find(name, args.len()),
            Some((object, _)) => self.find_method(object, name, args.len()),
        };
        if let Some(found) = found {
            return self.call_found(&found, this, args, at).map(Some);
        }
        self.step(at)?;
        // Nothing in Rust is found for the names of anonymous functions.
        if name.starts_with("anon$") {
            return Ok(None);
        }
        let place = NativePlace::new(name.into(), at);
        let is_constant = this.as_ref().is_some_and(|(_, is_constant)| *is_constant);
        let object = this.map(|(object, _)| object);
        let mut all: References<'_> = object.into_iter().chain(args.iter_mut()).collect();
        if place.find(self, &all).is_none() {
            return Ok(None);
        }
        place
            .run(self, &mut all, by_reference, is_constant)
            .map(Some)
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
    let Some(RuntimeHandle(runtime, program)) = handle(context) else {
        return function.call_raw(context, this, args);
    };
    let mut machine = Machine::new(context.engine(), &runtime, program);
    let mut all: Args = function.curry().iter().cloned().collect();
    all.extend(args.iter_mut().map(std::mem::take));
    let is_method = this.is_some();
    let at = context.call_position();
    let is_constant = runtime.of_constant.replace(false);
    let this = this.map(|object| (object, is_constant));
    let result = machine.call_named(function.fn_name(), this, &mut all, is_method, at);
    runtime.of_constant.set(is_constant);
    result.map(Value::dynamic).map_err(|_| machine.take_error())
}

fn handle(context: &NativeCallContext<'_>) -> Option<RuntimeHandle> {
    let handle = context.tag()?.read_lock::<RuntimeHandle>()?;
    Some(handle.clone())
}

/// A function that a script passed to a function in Rust, which calls it for each element.
pub(crate) struct Callback<'c> {
    /// The name of the function that calls.
    caller: &'c str,
    context: &'c NativeCallContext<'c>,
    function: &'c FnPtr,
    object_at: Option<usize>,
}

impl<'c> Callback<'c> {
    /// `object_at` is the index of the object in the arguments of a function that takes it, or
    /// `None` if it is only passed as `this`.
    pub(crate) const fn new(
        caller: &'c str,
        context: &'c NativeCallContext<'c>,
        function: &'c FnPtr,
        object_at: Option<usize>,
    ) -> Self {
        Self {
            caller,
            context,
            function,
            object_at,
        }
    }

    /// Calls the function with as many of the arguments as it has parameters: the arguments alone,
    /// with the object, or also with `extra`. A function with the arguments alone gets the object
    /// as `this`.
    pub(crate) fn call<const N: usize>(
        &self,
        object: Option<&mut Dynamic>,
        args: [Dynamic; N],
        extra: Option<Dynamic>,
    ) -> NativeResult<Dynamic> {
        let result = match handle(self.context) {
            Some(handle) if self.function.is_anonymous() && !self.function.is_curried() => {
                self.by_number(&handle, object, args, extra)
            }
            _ => self.by_trying(object, &args, extra),
        };
        result.map_err(|error| {
            let source = self.context.call_source().unwrap_or_default().to_owned();
            let name = self.caller.to_owned();
            Box::new(EvalAltResult::ErrorInFunctionCall(
                name,
                source,
                error,
                Position::NONE,
            ))
        })
    }

    /// Calls an anonymous function, whose number of parameters says what it takes. Calls with other
    /// numbers are only counted.
    fn by_number<const N: usize>(
        &self,
        handle: &RuntimeHandle,
        object: Option<&mut Dynamic>,
        args: [Dynamic; N],
        extra: Option<Dynamic>,
    ) -> NativeResult<Dynamic> {
        let RuntimeHandle(runtime, program) = handle;
        let mut machine = Machine::new(self.context.engine(), runtime, Rc::clone(program));
        let at = self.context.call_position();
        let name = self.function.fn_name();
        let mut object = object;
        let mut args: Args = args.into_iter().collect();
        let mut tries = 0;
        let mut found = machine.find(name, N);
        if found.is_none() {
            tries += 1;
            if let Some(at) = self.object_at
                && let Some(object) = object.take()
            {
                args.insert(at, object.clone());
                if machine.find(name, args.len()).is_none() {
                    tries += 1;
                    args.extend(extra);
                }
            } else {
                args.extend(extra);
            }
            found = machine.find(name, args.len());
        }
        for _ in 0..tries {
            machine.step(at).map_err(|_| machine.take_error())?;
        }
        let Some(found) = found else {
            machine.step(at).map_err(|_| machine.take_error())?;
            let all: References<'_> = object.into_iter().chain(args.iter_mut()).collect();
            return Err(missing(&machine, name, &all, at));
        };
        let is_constant = runtime.of_constant.replace(false);
        let this = object.map(|object| (object, is_constant));
        let result = machine.call_found(&found, this, &mut args, at);
        runtime.of_constant.set(is_constant);
        result.map(Value::dynamic).map_err(|_| machine.take_error())
    }

    /// Calls a function by its name, first with the arguments alone.
    fn by_trying(
        &self,
        mut object: Option<&mut Dynamic>,
        args: &[Dynamic],
        extra: Option<Dynamic>,
    ) -> NativeResult<Dynamic> {
        let mut tries: SmallVec<[Args; 3]> = SmallVec::new();
        tries.push(args.iter().cloned().collect());
        let with_object = self.object_at.zip(object.as_deref()).map(|(at, object)| {
            let mut all: Args = args.iter().cloned().collect();
            all.insert(at, object.clone());
            all
        });
        let gives_object = with_object.is_some();
        let last = with_object.clone().unwrap_or_else(|| tries[0].clone());
        tries.extend(with_object);
        tries.push(last.into_iter().chain(extra).collect());
        let mut result = Ok(Dynamic::UNIT);
        for (number, args) in tries.iter_mut().enumerate() {
            let this = object
                .as_deref_mut()
                .filter(|_| number == 0 || !gives_object);
            result = call(self.context, self.function, this, args);
            let is_missing = result.as_ref().is_err_and(|error| self.is_missing(error));
            if !is_missing {
                break;
            }
        }
        result
    }

    fn is_missing(&self, error: &EvalAltResult) -> bool {
        match error {
            EvalAltResult::ErrorFunctionNotFound(of, _) => of.starts_with(self.function.fn_name()),
            _ => false,
        }
    }
}
