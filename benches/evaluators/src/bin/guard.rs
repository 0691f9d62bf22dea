//! Runs a loop with rhai-guard, under its limits.

use evaluators::{Done, Task};
use rhai_guard::compile::{Constants, compile};
use rhai_guard::engine::Sandbox;
use rhai_guard::{Budget, CountingAllocator, Script, ScriptLimits};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

fn main() -> Done {
    let task = Task::read()?;
    let limits = ScriptLimits {
        budget: Budget(100_000),
        ..ScriptLimits::counted()
    };
    let mut sandbox = Sandbox::new(&limits, |_| {});
    let script = Script::alone("loops", &task.text);
    let compiled = compile(&mut sandbox, &script, &Constants::new(), &["run"]);
    let compiled = compiled.map_err(|faults| faults[0].to_string())?;
    task.run(|| Ok(sandbox.call(&compiled.ast, "run", None, ())?))
}
