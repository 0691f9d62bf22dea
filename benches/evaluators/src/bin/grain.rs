//! Runs a loop with `grain`, Rhai's byte code.

use evaluators::{Done, Task, bare};
use rhai::Scope;
use rhai::grain::{Compiler, Vm};

fn main() -> Done {
    let task = Task::read()?;
    let engine = bare();
    let program = Compiler::new().compile(&engine.compile(&task.text)?);
    if let Some((kind, place)) = program.first_unsupported() {
        return Err(format!("{kind} is not byte code: {place}").into());
    }
    let program = program.into_shared();
    let mut vm = Vm::new(&engine);
    task.run(|| Ok(vm.call_fn(&mut Scope::new(), &program, "run", ())?))
}
