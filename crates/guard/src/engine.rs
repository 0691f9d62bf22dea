//! Engines that can only compute: no clock, files, output, evaluation or sleep, and a limit on
//! everything.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rhai::{
    AST, Caches, Dynamic, Engine, EvalAltResult, EvalContext, FuncArgs, GlobalRuntimeState, Module,
    Position, Scope, Shared,
};

use super::budget::{Budget, Exceeded};
use super::fault::ScriptFault;
use super::guard::{self, NameTypes};
use super::qualified::{Libraries, Library};
use super::script_limits::ScriptLimits;
use super::sizes::set_limits;
use super::tracer::Tracer;
use super::{Source, comparers, each, limits, meter, numbers};
use crate::memory;

/// The bytes that a script may hold: those that one call takes, and those kept between calls.
const MOST_MEMORY: i64 = 64 << 20;

/// The bytes that one call may take in all, including those it gives back. Copying ten thousand
/// numbers is one operation, so operations alone do not limit the time of a call.
const MOST_TAKEN: u64 = 256 << 20;

/// An engine, and the limits of its calls.
pub struct Sandbox {
    /// The engine, for functions that are registered before a script is compiled.
    pub engine: Engine,
    begun: Cell<u64>,
    spent: Cell<u64>,
    /// The number of operations for all calls before the first of a game: at first, and left.
    pool: Cell<Option<(u64, u64)>>,
    kept: Cell<i64>,
    budget: Budget,
    tracer: Tracer,
    /// Whether a game is played, and not only its rules read.
    watched: Rc<Cell<bool>>,
    calls: Rc<Cell<u64>>,
    /// The files whose functions are called with a namespace.
    pub(crate) libraries: Libraries,
    threads: RefCell<Vec<Thread>>,
}

/// The state that calls into one script share: its functions, and those already looked up. Looking
/// them up again for each call takes a fifth of the time of a game whose rules are scripts.
struct Thread {
    global: GlobalRuntimeState,
    caches: Caches,
}

impl Thread {
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
    /// Creates an engine under these limits, with the language's own functions and the names of a
    /// host's types. The host registers its functions with [`Sandbox::engine`].
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
            libraries: Libraries::new(),
            threads: RefCell::default(),
        }
    }

    /// Lets scripts call the functions of a file with this name before them.
    pub fn add_library(&mut self, name: &str, module: Shared<Module>, ast: &AST) {
        self.engine
            .register_static_module(name, Shared::clone(&module));
        self.libraries
            .insert(name.to_owned(), Library::new(module, ast));
    }

    /// Runs a script's top level, for its constants.
    pub fn run(&self, scope: &mut Scope<'_>, ast: &AST) -> Result<(), Box<EvalAltResult>> {
        self.begin();
        let ran = self.engine.run_ast_with_scope(scope, ast);
        self.end();
        ran
    }

    /// Makes a module of a script: runs its top level, and takes its functions.
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
        let mut thread = known.unwrap_or_else(|| Thread::new(&self.engine, ast));
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
        // A call that failed may leave its thread inconsistent, so the thread is dropped.
        match result {
            Ok(value) => {
                self.threads.borrow_mut().push(thread);
                Ok(value)
            }
            // The call of the hook itself is not one that the script made.
            Err(error) => match *error {
                EvalAltResult::ErrorInFunctionCall(_, _, inner, Position::NONE) => Err(inner),
                other => Err(Box::new(other)),
            },
        }
    }

    /// Runs something that the tracer ignores, since it belongs to no game.
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

    /// Limits the operations of all following calls together; without a number, each has its own
    /// budget.
    pub fn share(&self, operations: Option<u64>) {
        self.pool
            .set(operations.map(|operations| (operations, operations)));
    }

    /// Returns the fault of a call before the first of a game.
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

    /// Counts the memory that a script has kept. To be called when everything else that the call
    /// made is gone, with the bytes that the thread held before.
    pub fn keep(&self, before: i64) {
        self.kept
            .set((self.kept.get() + memory::held() - before).clamp(0, MOST_MEMORY));
    }

    /// Forgets the memory that the script kept.
    pub fn forget(&self) {
        self.kept.set(0);
    }

    /// Returns the number of operations that the last call took.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Returns the number of operations that the last call could take.
    pub fn budget(&self) -> Budget {
        Budget(self.begun.get())
    }
}
