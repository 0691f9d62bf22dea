//! Engines that can only compute. Scripts have no access to clocks, files, output, evaluation of
//! strings or sleep, and all their resources are limited.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rhai::{
    AST, Caches, Dynamic, Engine, EvalAltResult, EvalContext, FuncArgs, GlobalRuntimeState, Module,
    Position, Scope, Shared,
};

use super::budget::{Budget, Exceeded};
use super::fault::ScriptFault;
use super::guard::{self, NameTypes};
use super::qualified::{QualifiedFile, QualifiedFiles};
use super::script_limits::ScriptLimits;
use super::sizes::set_limits;
use super::tracer::Tracer;
use super::{Source, comparers, each, limits, meter, numbers};
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
    pub engine: Engine,
    begun: Cell<u64>,
    spent: Cell<u64>,
    /// The operations shared by all calls before the first call of a game: the total and the rest.
    pool: Cell<Option<(u64, u64)>>,
    kept: Cell<i64>,
    budget: Budget,
    tracer: Tracer,
    /// Whether the tracer records calls.
    watched: Rc<Cell<bool>>,
    calls: Rc<Cell<u64>>,
    /// The files whose functions scripts call with a namespace.
    pub(crate) libraries: QualifiedFiles,
    threads: RefCell<Vec<CallState>>,
}

/// The state shared by all calls of one script: its functions and cached look-ups. Without the
/// cache, look-ups would account for a fifth of the time of a game with scripted rules.
struct CallState {
    global: GlobalRuntimeState,
    caches: Caches,
}

impl CallState {
    fn new(engine: &Engine, ast: &AST) -> Self {
        let mut global = engine.new_global_runtime_state();
        global.lib.push(Shared::clone(ast.shared_lib()));
        global.source = ast.source().map(Into::into);
        Self {
            global,
            caches: Caches::new(),
        }
    }

    fn is_of(&self, ast: &AST) -> bool {
        self.global
            .lib
            .first()
            .is_some_and(|lib| Shared::ptr_eq(lib, ast.shared_lib()))
    }
}

impl Sandbox {
    /// Creates an engine with these limits, the language's own functions, and the names of the
    /// host's types. The host registers its functions in the field `engine`.
    #[must_use]
    pub fn new(allowed: &ScriptLimits, name_types: NameTypes) -> Self {
        let budget = allowed.budget;
        let tracer = allowed.tracer.clone();
        let mut engine = Engine::new_raw();
        guard::register(&mut engine, name_types);
        numbers::register(&mut engine);
        comparers::register(&mut engine);
        each::register(&mut engine);
        set_limits(&mut engine);
        limits::watch(&mut engine);
        for symbol in ["eval", "curry", "print"] {
            engine.disable_symbol(symbol);
        }
        engine.on_progress(|_| meter::step().map(Dynamic::from));
        let watched = Rc::new(Cell::new(true));
        let on = Rc::clone(&watched);
        let calls = Rc::new(Cell::new(0));
        let number = Rc::clone(&calls);
        tracer.attach(&mut engine, move || {
            on.get()
                .then(|| (number.get(), budget.0.saturating_sub(meter::left())))
        });
        Self {
            engine,
            begun: Cell::new(0),
            spent: Cell::new(0),
            pool: Cell::new(None),
            kept: Cell::new(0),
            budget,
            tracer,
            watched,
            calls,
            libraries: QualifiedFiles::new(),
            threads: RefCell::default(),
        }
    }

    /// Adds a file whose functions scripts call with this name as the namespace.
    pub fn add_library(&mut self, name: &str, module: Shared<Module>, ast: &AST) {
        self.engine
            .register_static_module(name, Shared::clone(&module));
        self.libraries
            .insert(name.to_owned(), QualifiedFile::new(module, ast));
    }

    /// Runs the top level of a script to evaluate its constants.
    pub fn run(&self, scope: &mut Scope<'_>, ast: &AST) -> Result<(), Box<EvalAltResult>> {
        self.begin();
        let ran = self.engine.run_ast_with_scope(scope, ast);
        self.end();
        ran
    }

    /// Creates a module from a script. This runs the script's top level and collects its functions.
    pub fn module(&self, scope: Scope<'_>, ast: &AST) -> Result<Module, Box<EvalAltResult>> {
        self.begin();
        let module = Module::eval_ast_as_new(scope, ast, &self.engine);
        self.end();
        module
    }

    /// Calls a function of a script.
    pub fn call(
        &self,
        scope: &mut Scope<'_>,
        ast: &AST,
        name: &str,
        this: Option<&mut Dynamic>,
        args: impl FuncArgs,
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        self.begin();
        let known = {
            let mut threads = self.threads.borrow_mut();
            let known = threads.iter().position(|thread| thread.is_of(ast));
            known.map(|index| threads.swap_remove(index))
        };
        let mut thread = known.unwrap_or_else(|| CallState::new(&self.engine, ast));
        let is_method = this.is_some();
        let mut values = Vec::new();
        args.parse(&mut values);
        let mut args: Vec<&mut Dynamic> = this.into_iter().chain(&mut values).collect();
        let mut context = EvalContext::new(
            &self.engine,
            &mut thread.global,
            &mut thread.caches,
            scope,
            None,
        );
        let result = context.call_fn_raw(name, false, is_method, &mut args);
        self.end();
        if self.watched.get() {
            self.tracer
                .called(ast.source().unwrap_or("?"), name, self.spent());
        }
        // A failed call may leave its thread in an inconsistent state, so that thread is dropped.
        match result {
            Ok(value) => {
                self.threads.borrow_mut().push(thread);
                Ok(value)
            }
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
        self.calls.set(self.calls.get() + 1);
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

    /// Begins a new game: resets the count of the memory that the script uses between calls, and
    /// drops the cached look-ups, so that all games count the memory of these look-ups alike.
    pub fn forget(&self) {
        self.kept.set(0);
        self.threads.take();
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
