//! Calls of a script's functions by functions in Rust, such as `list.map(|x| …)`.

use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, FnPtr, INT, ImmutableString, NativeCallContext, Position};

use super::calls::{Args, NativePlace, References, missing};
use super::machine::{Function, Machine, Program, Run, RuntimeHandle, This};
use crate::value::Value;
use crate::{NativeResult, meter};

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
        let programs = [&self.program, &self.runtime.root];
        let typed = programs.into_iter().find_map(|program| {
            let names = Some(&program.names).filter(|names| names.has_typed())?;
            let of = self.engine.map_type_name(object.type_name());
            let number = names.find_typed(of, name, parameters)?;
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
        let (mut object, kind) = match this {
            None => (None, This::None),
            Some((object, true)) => (Some(object), This::Constant),
            Some((object, false)) => (Some(object), This::Variable),
        };
        let own = object.as_deref_mut().map(std::mem::take);
        self.stack.push(own.map_or(Value::Unit, Value::from));
        self.stack
            .extend(args.iter_mut().map(|arg| Value::from(std::mem::take(arg))));
        let result = self.enter_file(program, function, kind, at);
        if let Some(object) = object {
            *object = self.stack[frame].take().dynamic();
        }
        self.stack.truncate(frame);
        result
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

/// Calls a function that a script passed to a function of the host.
///
/// # Errors
/// Returns the function's error.
pub fn call(
    context: &NativeCallContext<'_>,
    function: &FnPtr,
    args: &mut [Dynamic],
) -> NativeResult<Dynamic> {
    let handle = context.tag().and_then(|tag| tag.read_lock());
    let Some(RuntimeHandle(runtime, program)) = handle.map(|handle| RuntimeHandle::clone(&handle))
    else {
        return function.call_raw(context, None, args);
    };
    let mut machine = Machine::new(context.engine(), &runtime, program);
    let mut all: Args = function.curry().iter().cloned().collect();
    all.extend(args.iter_mut().map(std::mem::take));
    let at = context.call_position();
    let result = machine.call_named(function.fn_name(), None, &mut all, false, at);
    result.map(Value::dynamic).map_err(|_| machine.take_error())
}

/// A function in Rust that calls a script's function for each element of a list.
pub(crate) struct Each<'e, 'm> {
    machine: &'e mut Machine<'m>,
    /// The name of the function in Rust.
    pub(crate) name: &'e str,
    /// The script's function.
    function: FnPtr,
    /// Whether the list is a constant, so that its elements are constants for the function.
    is_constant: bool,
    at: Position,
}

impl<'e, 'm> Each<'e, 'm> {
    pub(crate) const fn new(
        machine: &'e mut Machine<'m>,
        name: &'e str,
        function: FnPtr,
        is_constant: bool,
        at: Position,
    ) -> Self {
        Self {
            machine,
            name,
            function,
            is_constant,
            at,
        }
    }

    /// Stops with an error of the function in Rust.
    pub(crate) fn fail<T>(&mut self, error: Box<EvalAltResult>) -> Run<T> {
        self.machine.fail_at(error, self.at)
    }

    /// Calls the function for an element, which it may replace in the list.
    pub(crate) fn element(&mut self, index: usize, item: &mut Dynamic) -> Run<Dynamic> {
        self.call(Some(item), None, Some(0), Some(index))
    }

    /// Calls the function for an entry of a map.
    pub(crate) fn entry(&mut self, key: &str, item: &mut Dynamic) -> Run<Dynamic> {
        let key = ImmutableString::from(key).into();
        self.call(Some(item), Some(key), Some(1), None)
    }

    /// Calls the function for an element of each of two lists.
    pub(crate) fn pair(&mut self, first: Dynamic, second: Dynamic, index: usize) -> Run<Dynamic> {
        let mut args = Args::from_iter([first, second]);
        self.attempts(None, None, &mut args, Some(index))
    }

    /// Calls the function, which compares two values.
    pub(crate) fn compare(&mut self, first: Dynamic, second: Dynamic) -> Run<Dynamic> {
        let mut args: Args = self.function.curry().iter().cloned().collect();
        args.extend([first, second]);
        let (name, at) = (self.function.fn_name(), self.at);
        let result = self.machine.call_named(name, None, &mut args, false, at);
        result.map(Value::dynamic)
    }

    /// Calls the function for an element. `object_at` is the index of the element in the arguments
    /// of a function that takes it, or `None` if it is only passed as `this`.
    pub(crate) fn call(
        &mut self,
        object: Option<&mut Dynamic>,
        first: Option<Dynamic>,
        object_at: Option<usize>,
        index: Option<usize>,
    ) -> Run<Dynamic> {
        let mut args = Args::from_iter(first);
        self.attempts(object, object_at, &mut args, index)
    }

    /// Calls the function with as many of the arguments as it has parameters: the arguments alone,
    /// with the object, or also with the index. A function with the arguments alone gets the object
    /// as `this`.
    fn attempts(
        &mut self,
        mut object: Option<&mut Dynamic>,
        object_at: Option<usize>,
        args: &mut Args,
        index: Option<usize>,
    ) -> Run<Dynamic> {
        let mut result = self.attempt(object.as_deref_mut(), args);
        if let Ok(None) = result
            && let Some((at, object)) = object_at.zip(object.take_if(|_| object_at.is_some()))
        {
            args.insert(at, object.clone());
            result = self.attempt(None, args);
        }
        if let Ok(None) = result {
            args.extend(index.map(|index| Dynamic::from_int(index as INT)));
            result = self.attempt(object.as_deref_mut(), args);
        }
        let result = match result {
            Ok(Some(value)) => return Ok(value.dynamic()),
            Ok(None) => {
                let name = self.function.fn_name();
                let all: References<'_> = object.into_iter().chain(args.iter_mut()).collect();
                Err(missing(self.machine, name, &all, self.at))
            }
            Err(_) => Err(self.machine.take_error()),
        };
        result.or_else(|error| self.wrap(error))
    }

    /// Stops with an error of the script's function. A script can't catch an error of a size.
    fn wrap(&mut self, error: Box<EvalAltResult>) -> Run<Dynamic> {
        if let EvalAltResult::ErrorDataTooLarge(..) = *error {
            drop(meter::too_large());
        }
        let source = self.machine.program.source.as_deref().unwrap_or_default();
        let (name, source) = (self.name.to_owned(), source.to_owned());
        let error = EvalAltResult::ErrorInFunctionCall(name, source, error, self.at);
        self.machine.fail(error)
    }

    /// Calls the function, or returns `None` if there is none with this number of parameters.
    fn attempt(&mut self, this: Option<&mut Dynamic>, args: &mut Args) -> Run<Option<Value>> {
        let by_reference = this.is_some();
        let this = this.map(|object| (object, self.is_constant));
        let (name, at) = (self.function.fn_name(), self.at);
        if self.function.is_curried() {
            let mut all: Args = self.function.curry().iter().cloned().collect();
            all.extend(args.iter().cloned());
            return self
                .machine
                .try_named(name, this, &mut all, by_reference, at);
        }
        self.machine.try_named(name, this, args, by_reference, at)
    }

    /// Reports whether the function does not exist.
    pub(crate) fn is_missing(&self) -> bool {
        let missing = |error: &EvalAltResult| match error {
            EvalAltResult::ErrorFunctionNotFound(of, _) => {
                of.split(' ').next() == Some(self.function.fn_name())
            }
            _ => false,
        };
        match self.machine.error() {
            Some(EvalAltResult::ErrorInFunctionCall(_, _, inner, _)) => missing(inner),
            Some(other) => missing(other),
            None => false,
        }
    }
}
