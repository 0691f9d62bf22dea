//! Runs scripts with Rhai's own evaluator, as a judge of this crate's.

// The fuzz target includes this file by its path.
#[path = "judge/comparers.rs"]
mod comparers;
#[path = "judge/each.rs"]
mod each;
#[path = "judge/guards.rs"]
mod guards;

use std::collections::BTreeMap;

use rhai::module_resolvers::StaticModuleResolver;
use rhai::{
    AST, ASTNode, Array, Caches, Dynamic, EvalAltResult, EvalContext, INT, ImmutableString, Module,
    Position, Scope, Shared,
};
use rhai_guard::compile::{CompiledScript, Constants, compile, fold};
use rhai_guard::engine::Sandbox;
use rhai_guard::{Budget, Natives, Script, ScriptLimits, Source, fail, meter};

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

/// How two verdicts compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Comparison {
    Same,
    /// Both exceeded a limit on memory. This crate counts values where they are made.
    Memory,
    /// Only the operations differ: this crate charges for the length of a text in `text - part`.
    Price,
    /// Rhai limits the imports in functions. Here they only name files that are imported anyway.
    Imports,
    /// Only the last digits of numbers differ: this crate's powers are those of one library.
    Power,
    Different,
}

/// Returns a text with its numbers rounded to twelve digits.
fn rounded(text: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_digit() || ".e-".contains(letter);
    let mut all = String::new();
    for part in text.split_inclusive(|letter: char| !is_part(letter)) {
        let digits = part.trim_end_matches(|letter: char| !is_part(letter));
        match digits.parse::<f64>() {
            Ok(number) if digits.contains(['.', 'e']) => all += &format!("{number:.12e}"),
            _ => all += digits,
        }
        all += &part[digits.len()..];
    }
    all
}

impl Verdict {
    fn shown(&self) -> &str {
        match &self.result {
            Ok(text) | Err(text) => text,
        }
    }

    /// Compares the verdict of the judge with this crate's.
    pub(crate) fn compare(&self, own: &Self) -> Comparison {
        let is_equal = self.result == own.result;
        if self == own {
            Comparison::Same
        } else if self.is_of_memory()
            && own.is_of_memory()
            && [self, own]
                .iter()
                .any(|it| it.shown().contains("DataTooLarge"))
        {
            Comparison::Memory
        } else if self.shown().contains("ErrorTooManyModules(") {
            Comparison::Imports
        } else if is_equal && own.operations > self.operations {
            Comparison::Price
        } else if self.operations == own.operations && rounded(self.shown()) == rounded(own.shown())
        {
            Comparison::Power
        } else {
            Comparison::Different
        }
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

/// An object whose properties the host reads at an index.
#[derive(Clone, Debug)]
struct Sign {
    number: INT,
}

fn register(natives: &mut Natives) {
    natives.register_type_with_name::<Thing>("Thing");
    natives.register_fn("thing", |number: INT| Thing { number });
    natives.register_get("number", |it: &mut Thing| it.number);
    natives.register_get("list", |it: &mut Thing| -> Array {
        (0..it.number.min(2_000)).map(Dynamic::from_int).collect()
    });
    natives.register_get("inner", |it: &mut Thing| Thing {
        number: it.number.wrapping_add(1),
    });
    natives.register_get("broken", |_: &mut Thing| fail::<INT>("it is broken"));
    natives.register_fn("plus", |it: &mut Thing, more: INT| {
        it.number.wrapping_add(more)
    });
    natives.register_fn("grow", |it: &mut Thing, by: INT| {
        it.number = it.number.wrapping_add(by);
    });
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
    natives.register_indexer_get(|it: &mut Thing, index: INT| it.number.wrapping_mul(index));
    natives.register_get("sign", |it: &mut Thing| Sign { number: it.number });
    natives.register_get("number", |it: &mut Sign| it.number);
    natives.register_fn("left", |_: &mut Sign| meter::left() as INT);
    natives.register_indexer_get(|it: &mut Sign, key: ImmutableString| match key.as_str() {
        "width" => Ok(it.number.wrapping_sub(1)),
        _ => fail(format!("a sign has no {key}")),
    });
    natives.register_fn("total", |list: Array| list.len() as INT);
    natives.register_fn("==", |a: Thing, b: Thing| a.number == b.number);
}

impl Twins {
    /// Compiles a script, or returns its faults.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        Self::with_library(text, "")
    }

    /// Compiles a script that may import the file `lib`.
    pub(crate) fn with_library(text: &str, library: &str) -> Result<Self, String> {
        let limits = ScriptLimits {
            budget: Budget(BUDGET),
            ..ScriptLimits::default()
        };
        let mut sandbox = Sandbox::new(&limits, |_| {});
        register(&mut sandbox.engine);
        let mut script = Script::alone("script", text);
        let other = Source::new("lib", library);
        if !library.is_empty() {
            script.siblings = std::sync::Arc::new(BTreeMap::from([("lib".into(), other.clone())]));
        }
        let compiled = compile(&mut sandbox, &script, &Constants::new(), &["f"]);
        let engine: &mut rhai::Engine = &mut sandbox.engine;
        guards::register(engine);
        comparers::register(engine);
        each::register(engine);
        // Rhai counts the call by the program as a level, too.
        let levels = sandbox.engine.max_call_levels();
        sandbox.engine.set_max_call_levels(levels + 1);
        // The choice of slow operators only protected Rhai from their work.
        sandbox.engine.set_fast_operators(true);
        let script = compiled.map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            faults.join("; ")
        })?;
        if !library.is_empty() {
            load(&mut sandbox, &other).map_err(|error| error.to_string())?;
        }
        Ok(Self { sandbox, script })
    }

    /// Calls a function with each node of the script.
    pub(crate) fn visit(&self, mut saw: impl FnMut(&ASTNode<'_>)) {
        self.script.ast.walk(&mut |path: &[ASTNode<'_>]| {
            path.last().into_iter().for_each(&mut saw);
            true
        });
    }

    pub(crate) fn own(&self) -> Verdict {
        self.own_of("f")
    }

    pub(crate) fn own_of(&self, name: &str) -> Verdict {
        let result = self.sandbox.call(&self.script.ast, name, None, ());
        Verdict {
            result: shown(result),
            operations: self.sandbox.spent(),
        }
    }

    pub(crate) fn judge(&self) -> Verdict {
        self.judge_of("f")
    }

    pub(crate) fn judge_of(&self, name: &str) -> Verdict {
        meter::begin(BUDGET, i64::MAX / 2, u64::MAX / 2);
        let result = self.by_rhai(&self.script.ast, name);
        let operations = BUDGET - meter::left();
        meter::end(operations);
        Verdict {
            result: shown(result),
            operations,
        }
    }

    fn by_rhai(&self, ast: &AST, name: &str) -> Result<Dynamic, Box<EvalAltResult>> {
        let engine: &rhai::Engine = &self.sandbox.engine;
        let mut global = engine.new_global_runtime_state();
        global.lib.push(Shared::clone(ast.shared_lib()));
        global.source = ast.source().map(Into::into);
        let mut caches = Caches::new();
        let mut scope = Scope::new();
        let mut context = EvalContext::new(engine, &mut global, &mut caches, &mut scope, None);
        match context.call_fn_raw(name, false, false, &mut []) {
            Err(error) => match *error {
                EvalAltResult::ErrorInFunctionCall(_, _, inner, Position::NONE) => Err(inner),
                other => Err(Box::new(other)),
            },
            value => value,
        }
    }
}

/// Makes a file a module of Rhai's own evaluator. This crate's has the functions without it.
fn load(sandbox: &mut Sandbox, library: &Source) -> Result<(), Box<EvalAltResult>> {
    meter::begin(BUDGET, i64::MAX / 2, u64::MAX / 2);
    let mut scope = Scope::new();
    sandbox.engine.run_with_scope(&mut scope, &library.text)?;
    let ast = fold(&mut sandbox.engine, &scope, library)?;
    let module = Module::eval_ast_as_new(Scope::new(), &ast, &sandbox.engine)?;
    let mut resolver = StaticModuleResolver::new();
    resolver.insert("lib", module.clone());
    sandbox.engine.set_module_resolver(resolver);
    sandbox.engine.register_static_module("lib", module.into());
    Ok(())
}

fn shown(result: Result<Dynamic, Box<EvalAltResult>>) -> Result<String, String> {
    match result {
        Ok(value) => Ok(format!("{value:?}")),
        Err(error) => Err(format!("{error:?}")),
    }
}
