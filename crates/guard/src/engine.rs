//! Engines that can only compute. Scripts have no access to clocks, files, output, evaluation of
//! strings or sleep, and all their resources are limited.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rhai::{
    AST, ASTFlags, Dynamic, EvalAltResult, FuncArgs, Module, Position, Scope, Shared, Stmt,
};

use super::budget::{Budget, Exceeded};
use super::fault::ScriptFault;
use super::natives::Natives;
use super::packages::NameTypes;
use super::qualified::{QualifiedFile, QualifiedFiles};
use super::run::{File, Files, Machine, Runtime, lists, program, run_top, sequence};
use super::script_limits::ScriptLimits;
use super::sizes::set_limits;
use super::tracer::Tracer;
use super::{Source, library, limits, meter, numbers};
use crate::memory;

/// The maximum number of bytes that a script may use at once, including memory that it keeps
/// between calls.
const MOST_MEMORY: i64 = 64 << 20;

/// The maximum number of bytes that one call may allocate in total, including freed memory. Copying
/// 10,000 numbers is a single operation, so a limit on operations alone does not bound the time of
/// a call.
const MOST_TAKEN: u64 = 256 << 20;

/// An engine with limits on its calls.
pub struct Sandbox {
    /// The engine. The host registers its functions here before a script is compiled.
    pub engine: Natives,
    begun: Cell<u64>,
    spent: Cell<u64>,
    /// The operations shared by all calls before the first call of a game: the total and the rest.
    pool: Cell<Option<(u64, u64)>>,
    kept: Cell<i64>,
    budget: Budget,
    tracer: Tracer,
    /// Whether the tracer records calls.
    watched: Cell<bool>,
    /// The files whose functions scripts call with a namespace.
    pub(crate) libraries: QualifiedFiles,
    files: Rc<Files>,
    /// The scripts that were called, with their functions in Rhai's form.
    runtimes: RefCell<Vec<(Shared<Module>, Rc<Runtime>)>>,
}

impl Sandbox {
    /// Creates an engine with these limits, the language's own functions, and the names of the
    /// host's types. The host registers its functions in the field `engine`.
    #[must_use]
    pub fn new(allowed: &ScriptLimits, name_types: NameTypes) -> Self {
        let budget = allowed.budget;
        let tracer = allowed.tracer.clone();
        let mut engine = Natives::new(name_types);
        library::register(&mut engine);
        numbers::register(&mut engine);
        sequence::register(&mut engine);
        lists::register(&engine);
        set_limits(&mut engine);
        limits::watch(&mut engine);
        for symbol in ["eval", "curry", "print"] {
            engine.disable_symbol(symbol);
        }
        engine.on_progress(|_| meter::step().map(Dynamic::from));
        Self {
            engine,
            begun: Cell::new(0),
            spent: Cell::new(0),
            pool: Cell::new(None),
            kept: Cell::new(0),
            budget,
            tracer,
            watched: Cell::new(true),
            libraries: QualifiedFiles::new(),
            files: Rc::default(),
            runtimes: RefCell::default(),
        }
    }

    /// Adds a file whose functions scripts call with this name as the namespace.
    pub fn add_library(&mut self, name: &str, module: Shared<Module>, ast: &AST) {
        self.engine
            .register_static_module(name, Shared::clone(&module));
        let file = File {
            program: program(ast),
            constants: Shared::clone(&module),
        };
        Rc::make_mut(&mut self.files).insert(name.to_owned(), file);
        self.libraries
            .insert(name.to_owned(), QualifiedFile::new(module, ast));
        self.runtimes.take();
    }

    /// Returns the compiled functions of a script.
    fn runtime(&self, ast: &AST) -> Rc<Runtime> {
        let mut runtimes = self.runtimes.borrow_mut();
        let known = runtimes
            .iter()
            .find(|(lib, _)| Shared::ptr_eq(lib, ast.shared_lib()));
        if let Some((_, runtime)) = known {
            return Rc::clone(runtime);
        }
        // Scripts are compiled once for all games.
        let runtime = memory::uncounted(|| {
            Rc::new(Runtime::new(
                self.engine.table(),
                program(ast),
                Rc::clone(&self.files),
                self.tracer.clone(),
            ))
        });
        runtimes.push((Shared::clone(ast.shared_lib()), Rc::clone(&runtime)));
        runtime
    }

    /// Runs the top level of a script to evaluate its constants.
    pub fn run(&self, scope: &mut Scope<'_>, ast: &AST) -> Result<(), Box<EvalAltResult>> {
        let runtime = self.runtime(ast);
        self.begin();
        let mut machine = Machine::new(&self.engine, &runtime, Rc::clone(&runtime.root));
        let ran = run_top(&mut machine, scope, ast).map_err(|_| machine.take_error());
        self.end();
        ran
    }

    /// Creates a module with the constants that a script exports. This runs the script's top level.
    pub fn module(&self, mut scope: Scope<'_>, ast: &AST) -> Result<Module, Box<EvalAltResult>> {
        self.run(&mut scope, ast)?;
        let mut module = Module::new();
        for statement in ast.statements() {
            if let Stmt::Var(variable, flags, _) = statement
                && flags.intersects(ASTFlags::EXPORTED)
                && let Some(value) = scope.get(&variable.0.name)
            {
                module.set_var(variable.0.name.as_str(), value.clone());
            }
        }
        module.build_index();
        Ok(module)
    }

    /// Calls a function of a script.
    pub fn call(
        &self,
        ast: &AST,
        name: &str,
        this: Option<&mut Dynamic>,
        args: impl FuncArgs,
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let runtime = self.runtime(ast);
        self.begin();
        let mut values = Vec::new();
        args.parse(&mut values);
        let mut machine = Machine::new(&self.engine, &runtime, Rc::clone(&runtime.root));
        if !self.watched.get() {
            machine.stop_tracing();
        }
        let this = this.map(|object| (object, false));
        let result = machine.call_named(name, this, &mut values, false, Position::NONE);
        let result = match result {
            Ok(value) => machine.check_result(value),
            Err(halted) => Err(halted),
        };
        let result = result.map_err(|_| machine.take_error());
        drop(machine);
        runtime.forget_stack();
        self.end();
        if self.watched.get() {
            self.tracer
                .called(ast.source().unwrap_or("?"), name, self.spent());
        }
        match result {
            Ok(value) => Ok(value),
            // The program called the hook itself, so this call is not part of the script's chain of
            // calls.
            Err(error) => match *error {
                EvalAltResult::ErrorInFunctionCall(_, _, inner, Position::NONE) => Err(inner),
                other => Err(Box::new(other)),
            },
        }
    }

    /// Runs a closure whose calls the tracer ignores, because they are not part of a game.
    pub fn unwatched<T>(&self, run: impl FnOnce() -> T) -> T {
        self.watched.set(false);
        let done = run();
        self.watched.set(true);
        done
    }

    fn begin(&self) {
        let fuel = self
            .pool
            .get()
            .map_or(self.budget.0, |(_, left)| left.min(self.budget.0));
        self.begun.set(fuel);
        meter::begin(fuel, MOST_MEMORY - self.kept.get(), MOST_TAKEN);
    }

    fn end(&self) {
        self.spent.set(self.begun.get() - meter::left());
        meter::end(self.spent.get());
        self.pool.set(
            self.pool
                .get()
                .map(|(most, left)| (most, left.saturating_sub(self.spent.get()))),
        );
    }

    /// Sets a budget of operations that all calls share until [`Sandbox::finish_setup`].
    pub fn share(&self, operations: u64) {
        self.pool.set(Some((operations, operations)));
    }

    /// Ends the setup before the first game. From now on, each call has its own budget. Strings are
    /// no longer interned: such strings would be counted in the first game that creates them, but
    /// not in later games.
    #[must_use]
    pub fn finish_setup(mut self) -> Self {
        self.pool.set(None);
        self.engine.set_max_strings_interned(0);
        self
    }

    /// Returns the fault of a call before the first call of a game.
    pub fn setup_fault(
        &self,
        error: &EvalAltResult,
        sources: &[Source],
        hook: &str,
    ) -> ScriptFault {
        let mut fault = ScriptFault::of_running(error, sources, hook, Budget(self.begun.get()));
        if let (true, Some((most, 0))) = (
            fault.exceeded.is_some_and(Exceeded::is_budget),
            self.pool.get(),
        ) {
            fault.text =
                format!("the setup before the game exceeds its budget of {most} operations");
        }
        fault
    }

    /// Counts the memory that a script still uses after a call. `before` is the number of bytes
    /// that the thread used before the call. Call this function after all other results of the call
    /// have been dropped.
    pub fn keep(&self, before: i64) {
        self.kept
            .set((self.kept.get() + memory::held() - before).clamp(0, MOST_MEMORY));
    }

    /// Begins a new game: resets the count of the memory that the script uses between calls.
    pub fn forget(&self) {
        self.kept.set(0);
    }

    /// Returns the number of bytes that the script uses between calls.
    pub fn kept(&self) -> i64 {
        self.kept.get()
    }

    /// Returns the number of operations that the last call used.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Returns the budget of the last call.
    pub fn budget(&self) -> Budget {
        Budget(self.begun.get())
    }
}
