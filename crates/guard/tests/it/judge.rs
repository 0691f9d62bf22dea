//! Runs scripts with Rhai's own evaluator, as a judge of this crate's.

mod comparers;
mod each;
mod guards;

use rhai::{
    AST, Array, Caches, Dynamic, EvalAltResult, EvalContext, INT, ImmutableString, Position, Scope,
    Shared,
};
use rhai_guard::compile::{CompiledScript, Constants, compile};
use rhai_guard::engine::Sandbox;
use rhai_guard::{Budget, Natives, Script, ScriptLimits, fail, meter};

pub(crate) const BUDGET: u64 = 20_000;

/// What a call returned, and its operations.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) result: Result<String, String>,
    pub(crate) operations: u64,
}

impl Verdict {
    /// Reports whether the call exceeded a limit on memory.
    pub(crate) fn is_of_memory(&self) -> bool {
        let kinds = ["ErrorDataTooLarge", "ErrorTerminated"];
        let error = self.result.as_ref().err();
        error.is_some_and(|error| kinds.iter().any(|kind| error.contains(kind)))
    }
}

/// A script for both evaluators.
pub(crate) struct Twins {
    sandbox: Sandbox,
    script: CompiledScript,
}

/// An object of a host.
#[derive(Clone, Debug)]
struct Thing {
    number: INT,
}

fn register(natives: &mut Natives) {
    natives.register_type_with_name::<Thing>("Thing");
    natives.register_fn("thing", |number: INT| Thing { number });
    natives.register_get("number", |it: &mut Thing| it.number);
    natives.register_get("list", |it: &mut Thing| -> Array {
        (0..it.number).map(Dynamic::from_int).collect()
    });
    natives.register_get("inner", |it: &mut Thing| Thing {
        number: it.number + 1,
    });
    natives.register_get("broken", |_: &mut Thing| fail::<INT>("it is broken"));
    natives.register_fn("plus", |it: &mut Thing, more: INT| it.number + more);
    natives.register_fn("grow", |it: &mut Thing, by: INT| it.number += by);
    natives.register_fn("is_more", |it: &mut Thing, than: INT| it.number > than);
    natives.register_fn(
        "of",
        |it: &mut Thing, text: ImmutableString, list: Array, any: Dynamic| {
            format!("{} {text} {list:?} {any}", it.number)
        },
    );
    natives.register_fn("checked", |it: &mut Thing, most: INT| {
        if it.number > most {
            return fail(format!("{} is more than {most}", it.number));
        }
        Ok(it.number)
    });
    natives.register_fn("left", |_: &mut Thing| meter::left() as INT);
    natives.register_fn("work", |_: &mut Thing, amount: INT| {
        meter::charge(amount as u64)
    });
    natives.register_fn("named", |it: &mut Thing, name: &str, other: String| {
        format!("{name}{other}{}", it.number)
    });
    natives.register("reset", false, |it: &mut Thing| it.number = 0);
    natives.register_indexer_get(|it: &mut Thing, index: INT| it.number * index);
    natives.register_fn("total", |list: Array| list.len() as INT);
    natives.register_fn("==", |a: Thing, b: Thing| a.number == b.number);
}

impl Twins {
    /// Compiles a script, or returns its faults.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let limits = ScriptLimits {
            budget: Budget(BUDGET),
            ..ScriptLimits::default()
        };
        let mut sandbox = Sandbox::new(&limits, |_| {});
        register(&mut sandbox.engine);
        let script = Script::alone("script", text);
        let compiled = compile(&mut sandbox, &script, &Constants::new(), &["f"]);
        let engine: &mut rhai::Engine = &mut sandbox.engine;
        guards::register(engine);
        comparers::register(engine);
        each::register(engine);
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
