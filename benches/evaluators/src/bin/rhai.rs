//! Runs a loop with Rhai's own evaluator, which walks the syntax tree.

use evaluators::{Done, Task, bare};
use rhai::Scope;

fn main() -> Done {
    let task = Task::read()?;
    let engine = bare();
    let ast = engine.compile(&task.text)?;
    task.run(|| Ok(engine.call_fn(&mut Scope::new(), &ast, "run", ())?))
}
