//! Engines that can do nothing but compute: no clock, files, output, evaluation or sleep, and a limit
//! on everything.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicStringPackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    AST, Caches, Dynamic, Engine, EvalAltResult, EvalContext, FuncArgs, GlobalRuntimeState, OptimizationLevel,
    Position, Scope, Shared,
};

use super::probe::Probe;
use crate::memory;

/// How many operations a call into a script may take. Counted, never timed, so it is the same on every
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub u64);

impl Default for Budget {
    fn default() -> Self {
        Self(300_000)
    }
}

/// The terms on which scripts run: how much each call may compute, and who watches.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// The most operations of a call.
    pub budget: Budget,
    /// Who watches.
    pub probe: Probe,
}

const MOST_LEVELS: usize = 48;
pub(super) const MOST_DEPTH: usize = 64;
const LONGEST_STRING: usize = 10_000;
/// The longest array a script may have: any map's territories fit into it.
pub(super) const LONGEST_ARRAY: usize = 10_000;
const LARGEST_MAP: usize = 5_000;

/// Bytes that a script may hold: what one call takes, and what it keeps from call to call.
const MOST_MEMORY: i64 = 64 << 20;

/// Bytes that one call may take in all, whether it gives them back or not. To copy ten thousand numbers is
/// one operation, so operations alone don't bound the time of a call.
const MOST_TAKEN: u64 = 256 << 20;

/// An engine and the fuel of the call under way.
pub(super) struct Sandbox {
    pub(super) engine: Engine,
    fuel: Rc<Cell<u64>>,
    /// At how many bytes held by the thread the call is stopped.
    ceiling: Rc<Cell<i64>>,
    /// At how many bytes taken by the thread the call is stopped.
    most_taken: Rc<Cell<u64>>,
    /// Bytes that the script kept from earlier calls.
    kept: Cell<i64>,
    budget: Budget,
    probe: Probe,
    /// Is a game on, and not only its rules read?
    watched: Rc<Cell<bool>>,
    /// By script: what earlier calls leave to the next.
    threads: RefCell<Vec<Thread>>,
}

/// What calls into one script share: its functions, and those that were looked up already. Looking each
/// of them up again takes a fifth of the time of a game whose rules are scripts.
struct Thread {
    global: GlobalRuntimeState,
    caches: Caches,
}

impl Thread {
    fn new(engine: &Engine, ast: &AST) -> Self {
        let mut global = engine.new_global_runtime_state();
        global.lib.push(Shared::clone(ast.shared_lib()));
        global.source = ast.source().map(Into::into);
        Self { global, caches: Caches::new() }
    }

    fn is_of(&self, ast: &AST) -> bool {
        self.global.lib.first().is_some_and(|lib| Shared::ptr_eq(lib, ast.shared_lib()))
    }
}

/// The mark by which a call that ran out of fuel is known.
pub(super) const OUT_OF_FUEL: &str = "out of fuel";
/// The mark by which a call that took too much memory is known.
pub(super) const OUT_OF_MEMORY: &str = "out of memory";
/// The mark by which a call that copied too much is known.
pub(super) const TOOK_TOO_MUCH: &str = "took too much";

impl Sandbox {
    pub(super) fn new(terms: &Terms) -> Self {
        let Terms { budget, probe } = terms.clone();
        // The package of the language's core is left out: it sleeps and exits, and disabling a symbol does not
        // take a function away.
        let mut engine = Engine::new_raw();
        ArithmeticPackage::new().register_into_engine(&mut engine);
        LogicPackage::new().register_into_engine(&mut engine);
        BasicIteratorPackage::new().register_into_engine(&mut engine);
        BasicFnPackage::new().register_into_engine(&mut engine);
        BasicStringPackage::new().register_into_engine(&mut engine);
        MoreStringPackage::new().register_into_engine(&mut engine);
        BasicArrayPackage::new().register_into_engine(&mut engine);
        BasicMapPackage::new().register_into_engine(&mut engine);
        engine.set_max_call_levels(MOST_LEVELS);
        engine.set_max_expr_depths(MOST_DEPTH, MOST_DEPTH);
        engine.set_max_string_size(LONGEST_STRING);
        engine.set_max_array_size(LONGEST_ARRAY);
        engine.set_max_map_size(LARGEST_MAP);
        engine.set_max_functions(500);
        engine.set_max_variables(500);
        engine.set_max_modules(50);
        engine.set_max_strings_interned(1_000);
        engine.set_fail_on_invalid_map_property(true);
        engine.set_optimization_level(OptimizationLevel::Simple);
        for symbol in ["eval", "curry", "print"] {
            engine.disable_symbol(symbol);
        }
        let fuel = Rc::new(Cell::new(0));
        let ceiling = Rc::new(Cell::new(i64::MAX));
        let most_taken = Rc::new(Cell::new(u64::MAX));
        let (tank, roof, most) = (Rc::clone(&fuel), Rc::clone(&ceiling), Rc::clone(&most_taken));
        engine.on_progress(move |_| match tank.get() {
            0 => Some(Dynamic::from(OUT_OF_FUEL)),
            // One operation takes little, so looking now and then is enough.
            left if left % 32 == 0 && memory::held() > roof.get() => Some(Dynamic::from(OUT_OF_MEMORY)),
            left if left % 32 == 0 && memory::taken() > most.get() => Some(Dynamic::from(TOOK_TOO_MUCH)),
            left => {
                tank.set(left - 1);
                None
            }
        });
        engine.on_print(|_| {}).on_debug(|_, _, _| {});
        let tank = Rc::clone(&fuel);
        let watched = Rc::new(Cell::new(true));
        let on = Rc::clone(&watched);
        probe.attach(&mut engine, move || on.get().then(|| budget.0.saturating_sub(tank.get())));
        Self {
            engine,
            fuel,
            ceiling,
            most_taken,
            kept: Cell::new(0),
            budget,
            probe,
            watched,
            threads: RefCell::default(),
        }
    }

    /// Runs a script's top level, for its constants.
    pub(super) fn run(&self, scope: &mut Scope<'_>, ast: &AST) -> Result<(), Box<EvalAltResult>> {
        self.begin();
        self.engine.run_ast_with_scope(scope, ast)
    }

    /// Calls a function of a script.
    pub(super) fn call(
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
        let (mut values, is_method) = (Vec::new(), this.is_some());
        args.parse(&mut values);
        let mut args: Vec<&mut Dynamic> = this.into_iter().chain(&mut values).collect();
        let mut context = EvalContext::new(&self.engine, &mut thread.global, &mut thread.caches, scope, None);
        let result = context.call_fn_raw(name, false, is_method, &mut args);
        if self.watched.get() {
            self.probe.called(ast.source().unwrap_or("?"), name, self.spent());
        }
        // A call that failed may leave things half done.
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

    /// Does something of which the probe is not told: it is of no game.
    pub(super) fn unwatched<T>(&self, run: impl FnOnce() -> T) -> T {
        self.watched.set(false);
        let done = run();
        self.watched.set(true);
        done
    }

    /// Fills the tank and sets the ceiling for a call.
    fn begin(&self) {
        self.fuel.set(self.budget.0);
        self.ceiling.set(memory::held() + MOST_MEMORY - self.kept.get());
        self.most_taken.set(memory::taken().saturating_add(MOST_TAKEN));
    }

    /// Counts what a script with a memory of its own has kept: call it when everything else that its call
    /// made is gone, with what the thread held before.
    pub(super) fn keep(&self, before: i64) {
        self.kept.set((self.kept.get() + memory::held() - before).clamp(0, MOST_MEMORY));
    }

    /// What the script kept is gone.
    pub(super) fn forget(&self) {
        self.kept.set(0);
    }

    /// How many operations the last call took.
    pub(super) fn spent(&self) -> u64 {
        self.budget.0 - self.fuel.get()
    }

    pub(super) fn probe(&self) -> &Probe {
        &self.probe
    }

    pub(super) fn budget(&self) -> Budget {
        self.budget
    }
}
