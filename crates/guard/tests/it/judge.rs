//! Runs scripts with Rhai's own evaluator, as a judge of this crate's.

use rhai::{AST, Caches, Dynamic, EvalAltResult, EvalContext, Position, Scope, Shared};
use rhai_guard::compile::{CompiledScript, Constants, compile};
use rhai_guard::engine::Sandbox;
use rhai_guard::{Budget, Script, ScriptLimits, meter};

pub(crate) const BUDGET: u64 = 20_000;

/// What a call returned, and its operations.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) result: Result<String, String>,
    pub(crate) operations: u64,
}

/// A script for both evaluators.
pub(crate) struct Twins {
    sandbox: Sandbox,
    script: CompiledScript,
}

impl Twins {
    /// Compiles a script, or returns its faults.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let limits = ScriptLimits {
            budget: Budget(BUDGET),
            ..ScriptLimits::default()
        };
        let mut sandbox = Sandbox::new(&limits, |_| {});
        let script = Script::alone("script", text);
        let compiled = compile(&mut sandbox, &script, &Constants::new(), &["f"]);
        // The choice of slow operators only protected Rhai from their work.
        sandbox.engine.set_fast_operators(true);
        let script = compiled.map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            faults.join("; ")
        })?;
        Ok(Self { sandbox, script })
    }

    pub(crate) fn own(&self) -> Verdict {
        let result = self.sandbox.call(&self.script.ast, "f", None, ());
        Verdict {
            result: shown(result),
            operations: self.sandbox.spent(),
        }
    }

    pub(crate) fn judge(&self) -> Verdict {
        meter::begin(BUDGET, i64::MAX / 2, u64::MAX / 2);
        let result = self.by_rhai(&self.script.ast);
        let operations = BUDGET - meter::left();
        meter::end(operations);
        Verdict {
            result: shown(result),
            operations,
        }
    }

    fn by_rhai(&self, ast: &AST) -> Result<Dynamic, Box<EvalAltResult>> {
        let engine: &rhai::Engine = &self.sandbox.engine;
        let mut global = engine.new_global_runtime_state();
        global.lib.push(Shared::clone(ast.shared_lib()));
        global.source = ast.source().map(Into::into);
        let mut caches = Caches::new();
        let mut scope = Scope::new();
        let mut context = EvalContext::new(engine, &mut global, &mut caches, &mut scope, None);
        match context.call_fn_raw("f", false, false, &mut []) {
            Err(error) => match *error {
                EvalAltResult::ErrorInFunctionCall(_, _, inner, Position::NONE) => Err(inner),
                other => Err(Box::new(other)),
            },
            value => value,
        }
    }
}

fn shown(result: Result<Dynamic, Box<EvalAltResult>>) -> Result<String, String> {
    match result {
        Ok(value) => Ok(format!("{value:?}")),
        Err(error) => Err(format!("{error:?}")),
    }
}
