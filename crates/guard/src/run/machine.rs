//! The state of a running script: its variables, its depth, and the reason why it stops.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{
    Dynamic, Engine, EvalAltResult, GlobalRuntimeState, ImmutableString, Module, Position, Shared,
};

use super::count::Count;
use super::names::Names;
use crate::natives::NativeTable;
use crate::sizes::{MOST_LEVELS, MOST_NESTING};
use crate::tracer::Tracer;
use crate::value::Value;
use crate::{NativeResult, meter};

/// The reason why code ended early.
pub(crate) enum Halt {
    Break(Value),
    Continue,
    Return(Value),
    Error(Box<EvalAltResult>),
}

/// The code was ended; the machine knows why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halted;

pub(crate) type Run<T = Value> = Result<T, Halted>;
/// Compiled code.
pub(crate) type Code<T = Value> = Box<dyn Fn(&mut Machine<'_>) -> Run<T>>;

/// The functions of a file.
pub(crate) struct Program {
    pub(crate) source: Option<ImmutableString>,
    pub(crate) functions: Vec<Rc<Function>>,
    pub(crate) names: Names,
}

/// A compiled function.
pub(crate) struct Function {
    pub(crate) name: ImmutableString,
    pub(crate) parameters: usize,
    /// The number of values of a frame: `this`, the parameters and the variables.
    pub(crate) slots: usize,
    /// The nesting of its expressions and blocks.
    pub(crate) nesting: usize,
    pub(crate) is_empty: bool,
    pub(crate) body: Code,
}

/// The object on which a function was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum This {
    None,
    Variable,
    Constant,
}

/// A file whose functions and constants scripts use with a namespace.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) program: Rc<Program>,
    pub(crate) constants: Shared<Module>,
}

/// Files by their names in scripts.
pub(crate) type Files = BTreeMap<String, File>;

/// What all code of one call by the program shares. A function in Rust that calls a script's
/// function finds it in its context.
pub(crate) struct Runtime {
    pub(crate) table: Rc<NativeTable>,
    /// The script that was called, whose functions other files find by name.
    pub(crate) root: Rc<Program>,
    /// The files whose functions scripts call with a namespace.
    pub(crate) files: Rc<Files>,
    tracer: Tracer,
    /// An empty stack for the next machine.
    spare: Cell<Vec<Value>>,
    /// The number of calls under way, and the nesting of their expressions.
    levels: Cell<(usize, usize)>,
}

/// A handle to the runtime in Rhai's context of a call.
#[derive(Clone)]
pub(crate) struct RuntimeHandle(pub(crate) Rc<Runtime>, pub(crate) Rc<Program>);

impl Program {
    pub(crate) fn find(&self, name: &str, parameters: usize) -> Option<Rc<Function>> {
        let number = self.names.find(name, parameters)?;
        Some(Rc::clone(&self.functions[number]))
    }
}

impl Runtime {
    pub(crate) fn new(
        table: Rc<NativeTable>,
        root: Rc<Program>,
        files: Rc<Files>,
        tracer: Tracer,
    ) -> Self {
        Self {
            table,
            root,
            files,
            tracer,
            spare: Cell::default(),
            levels: Cell::new((0, 0)),
        }
    }

    /// Drops the empty stack after a call by the program, so that it is not kept by one game more
    /// than by another.
    pub(crate) fn forget_stack(&self) {
        drop(self.spare.take());
    }

    /// Records a text that a script wrote with `debug`.
    pub(crate) fn hear(&self, text: &str, source: Option<&str>, at: Position) {
        self.tracer.hear(text, source, at.line());
    }
}

/// A machine that runs compiled code.
pub(crate) struct Machine<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) runtime: &'a Rc<Runtime>,
    /// The file whose function runs.
    pub(crate) program: Rc<Program>,
    /// The frames of the calls. A frame holds `this`, the parameters and the variables; temporary
    /// values are above.
    pub(crate) stack: Vec<Value>,
    /// The index of the frame of the function that runs.
    pub(crate) base: usize,
    pub(crate) this: This,
    pub(crate) halt: Option<Halt>,
    /// The name of the function that runs, if lines are traced.
    function: Option<ImmutableString>,
    /// The number of next single operations whose lines were recorded before.
    recorded: usize,
    /// Rhai's state of a call of the file.
    state: Option<Box<GlobalRuntimeState>>,
}

impl Drop for Machine<'_> {
    fn drop(&mut self) {
        self.stack.clear();
        self.runtime.spare.set(std::mem::take(&mut self.stack));
    }
}

impl<'a> Machine<'a> {
    pub(crate) fn new(engine: &'a Engine, runtime: &'a Rc<Runtime>, program: Rc<Program>) -> Self {
        Self {
            engine,
            runtime,
            program,
            stack: runtime.spare.take(),
            base: 0,
            this: This::None,
            halt: None,
            function: runtime.tracer.has_lines().then(ImmutableString::new),
            recorded: 0,
            state: None,
        }
    }

    /// Counts operations before they run.
    #[inline]
    pub(crate) fn spend(&mut self, count: &Count) -> Run<()> {
        if count.is_empty() {
            return Ok(());
        }
        if self.function.is_some() {
            self.trace(count.lines());
        }
        if meter::spend(count.operations()) {
            Ok(())
        } else {
            self.out_of_budget(Position::NONE)
        }
    }

    /// Counts one operation.
    #[inline]
    pub(crate) fn step(&mut self, at: Position) -> Run<()> {
        if self.function.is_some() && !self.was_recorded() {
            self.trace(&[at.line().unwrap_or(0) as u16]);
        }
        if meter::spend(1) {
            Ok(())
        } else {
            self.out_of_budget(at)
        }
    }

    /// Counts one operation of a direct call. Returns false, and counts nothing, if lines are
    /// traced or the fuel may not suffice.
    #[inline]
    pub(crate) fn step_directly(&self) -> bool {
        self.function.is_none() && meter::pay(0, 1)
    }

    /// Counts operations again that were given back.
    #[cold]
    pub(crate) fn spend_again(&mut self, operations: u32) -> Run<()> {
        if meter::spend(u64::from(operations)) {
            Ok(())
        } else {
            self.out_of_budget(Position::NONE)
        }
    }

    /// Gives back operations that are counted again one by one.
    pub(crate) fn recount(&mut self, operations: usize) {
        meter::give_back(operations as u64);
        self.recorded = operations;
    }

    fn was_recorded(&mut self) -> bool {
        let left = self.recorded.checked_sub(1);
        self.recorded = left.unwrap_or(0);
        left.is_some()
    }

    /// Stops recording lines.
    pub(crate) fn stop_tracing(&mut self) {
        self.function = None;
    }

    #[cold]
    fn trace(&self, lines: &[u16]) {
        let script = self.program.source.as_deref().unwrap_or_default();
        let function = self.function.as_deref().unwrap_or_default();
        self.runtime.tracer.spent(script, function, lines);
    }

    #[cold]
    pub(crate) fn out_of_budget<T>(&mut self, at: Position) -> Run<T> {
        let why = Dynamic::from(meter::stop());
        self.fail(EvalAltResult::ErrorTerminated(why, at))
    }

    #[inline]
    pub(crate) fn local(&self, slot: usize) -> &Value {
        &self.stack[self.base + slot]
    }

    /// Reads a variable. An array or a map is shared, not copied.
    #[inline]
    pub(crate) fn read(&mut self, slot: usize) -> Value {
        let value = self.local_mut(slot);
        if let Value::Other(_) = value {
            value.share();
        }
        value.clone()
    }

    #[inline]
    pub(crate) fn local_mut(&mut self, slot: usize) -> &mut Value {
        let index = self.base + slot;
        &mut self.stack[index]
    }

    #[cold]
    pub(crate) fn fail<T>(&mut self, error: EvalAltResult) -> Run<T> {
        self.halt = Some(Halt::Error(Box::new(error)));
        Err(Halted)
    }

    #[cold]
    pub(crate) fn fail_with<T>(&mut self, error: Box<EvalAltResult>) -> Run<T> {
        self.halt = Some(Halt::Error(error));
        Err(Halted)
    }

    /// Stops with an error, whose position is this one unless it has its own.
    #[cold]
    pub(crate) fn fail_at<T>(&mut self, mut error: Box<EvalAltResult>, at: Position) -> Run<T> {
        if error.position().is_none() {
            error.set_position(at);
        }
        self.fail_with(error)
    }

    /// Returns what a function in Rust returned, or stops with its error.
    #[inline]
    pub(crate) fn received<T>(&mut self, result: NativeResult<T>, at: Position) -> Run<T> {
        result.or_else(|error| self.fail_at(error, at))
    }

    /// Stops because a value is too large.
    #[cold]
    pub(crate) fn too_large<T>(&mut self, what: &str, at: Position) -> Run<T> {
        self.fail(EvalAltResult::ErrorDataTooLarge(what.to_owned(), at))
    }

    /// Returns the error that stopped the machine.
    pub(crate) fn error(&self) -> Option<&EvalAltResult> {
        match &self.halt {
            Some(Halt::Error(error)) => Some(error),
            _ => None,
        }
    }

    pub(crate) fn take_error(&mut self) -> Box<EvalAltResult> {
        match self.halt.take() {
            Some(Halt::Error(error)) => error,
            _ => "the code was left".into(),
        }
    }

    /// Runs a function. Its frame, `this` and the arguments, is on the top of the stack. After it,
    /// the object is on the top of the stack.
    pub(crate) fn enter(&mut self, function: &Function, this: This, at: Position) -> Run {
        let frame = self.stack.len() - function.parameters - 1;
        if function.is_empty {
            // Rhai counts no operation for such a call.
            meter::give_back(1);
            self.stack.truncate(frame + 1);
            return Ok(Value::Unit);
        }
        let levels = self.runtime.levels.get();
        let deeper = (levels.0 + 1, levels.1 + function.nesting);
        if deeper.0 > MOST_LEVELS || deeper.1 > MOST_NESTING {
            self.stack.truncate(frame + 1);
            return self.fail(EvalAltResult::ErrorStackOverflow(at));
        }
        self.runtime.levels.set(deeper);
        let outer = (self.base, self.this);
        self.base = frame;
        self.this = this;
        self.stack.resize(frame + function.slots, Value::Unit);
        let traced = self.function.as_ref().map(|_| function.name.clone());
        let caller = std::mem::replace(&mut self.function, traced);
        let mut result = (function.body)(self);
        if result.is_err() {
            result = self.leave(function, at);
        }
        if self.function.is_some() {
            let script = self.program.source.as_deref().unwrap_or_default();
            self.runtime.tracer.ended(script, &function.name);
        }
        self.function = caller;
        (self.base, self.this) = outer;
        self.runtime.levels.set(levels);
        self.stack.truncate(frame + 1);
        result
    }

    /// Runs a function of another file.
    pub(crate) fn enter_file(
        &mut self,
        program: &Rc<Program>,
        function: &Function,
        this: This,
        at: Position,
    ) -> Run {
        if Rc::ptr_eq(&self.program, program) {
            return self.enter(function, this, at);
        }
        let outer = std::mem::replace(&mut self.program, Rc::clone(program));
        let state = self.state.take();
        let result = self.enter(function, this, at);
        self.program = outer;
        self.state = state;
        result
    }

    #[cold]
    fn leave(&mut self, function: &Function, at: Position) -> Run {
        match self.halt.take() {
            Some(Halt::Return(value)) => Ok(value),
            Some(Halt::Error(mut error)) if error.is_system_exception() => {
                error.set_position(at);
                self.fail_with(error)
            }
            Some(Halt::Error(error)) => {
                let source = self.program.source.as_deref();
                let source = source.unwrap_or_default().to_owned();
                let name = function.name.to_string();
                self.fail(EvalAltResult::ErrorInFunctionCall(name, source, error, at))
            }
            // The parser refuses `break` outside of loops.
            Some(Halt::Break(_) | Halt::Continue) | None => Ok(Value::Unit),
        }
    }

    /// Returns Rhai's state of a call, with which functions in Rust call back. It is put back with
    /// [`Machine::keep_state`].
    pub(crate) fn state(&mut self) -> Box<GlobalRuntimeState> {
        self.state.take().unwrap_or_else(|| {
            let mut state = self.engine.new_global_runtime_state();
            state.source.clone_from(&self.program.source);
            let handle = RuntimeHandle(Rc::clone(self.runtime), Rc::clone(&self.program));
            state.tag = Dynamic::from(handle);
            Box::new(state)
        })
    }

    pub(crate) fn keep_state(&mut self, state: Box<GlobalRuntimeState>) {
        self.state = Some(state);
    }
}
