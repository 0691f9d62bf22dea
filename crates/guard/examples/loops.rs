//! Runs a loop with this crate or with Rhai's evaluator, to compare their instructions:
//! `loops own for 1000`.

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, Scope};
use rhai_guard::compile::{Constants, compile};
use rhai_guard::engine::Sandbox;
use rhai_guard::{Budget, Script, ScriptLimits};

/// The name and the body of each loop, with 300 turns.
const LOOPS: [(&str, &str); 5] = [
    ("for", "let x = 0; for i in 0..300 { x += i * 2; } x"),
    (
        "while",
        "let x = 0; let i = 0; while i < 300 { i += 1; if i % 3 == 0 { x += i; } } x",
    ),
    ("call", "let x = 0; for i in 0..300 { x = f(x, i); } x"),
    (
        "map",
        "let m = #{ a: 1, b: 2 }; for i in 0..300 { m.a = m.a + m.b; } m.a",
    ),
    (
        "array",
        "let a = []; for i in 0..300 { a.push(i); } let s = 0; for v in a { s += v; } s",
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (who, name) = (
        args.next().unwrap_or_default(),
        args.next().unwrap_or_default(),
    );
    let calls: u32 = args.next().unwrap_or_default().parse()?;
    let body = LOOPS.iter().find(|(known, _)| *known == name);
    let (_, body) = body.ok_or("a loop is for, while, call, map or array")?;
    let text = format!("fn run() {{ {body} }} fn f(a, b) {{ a + b }}");
    let mut last = Dynamic::UNIT;
    if who == "own" {
        let limits = ScriptLimits {
            budget: Budget(100_000),
            ..ScriptLimits::default()
        };
        let mut sandbox = Sandbox::new(&limits, |_| {});
        let script = Script::alone("loops", &text);
        let compiled = compile(&mut sandbox, &script, &Constants::new(), &["run"]);
        let compiled = compiled.map_err(|faults| faults[0].to_string())?;
        for _ in 0..calls {
            last = sandbox.call(&compiled.ast, "run", None, ())?;
        }
    } else {
        let engine = bare();
        let ast = engine.compile(&text)?;
        for _ in 0..calls {
            last = engine.call_fn(&mut Scope::new(), &ast, "run", ())?;
        }
    }
    assert!(calls == 0 || last.is_int(), "{last}");
    Ok(())
}

/// Rhai without limits.
fn bare() -> Engine {
    let mut engine = Engine::new_raw();
    engine
        .register_global_module(ArithmeticPackage::new().as_shared_module())
        .register_global_module(LogicPackage::new().as_shared_module())
        .register_global_module(BasicIteratorPackage::new().as_shared_module())
        .register_global_module(BasicFnPackage::new().as_shared_module())
        .register_global_module(BasicStringPackage::new().as_shared_module())
        .register_global_module(MoreStringPackage::new().as_shared_module())
        .register_global_module(BasicArrayPackage::new().as_shared_module())
        .register_global_module(BasicMapPackage::new().as_shared_module());
    engine
}
