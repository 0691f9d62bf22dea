//! Programs of the whole language, run by the crate's evaluator and by Rhai's: equal values, errors
//! and operations. `.ci/fuzz 600 evaluators` in the project's folder.

#![no_main]

use libfuzzer_sys::fuzz_target;

// Scripts run where their memory is counted.
#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator::new();

#[path = "../../crates/guard/tests/it/expressions.rs"]
mod expressions;
#[path = "../../crates/guard/tests/it/grammar.rs"]
#[expect(dead_code, reason = "the fuzzer makes the bytes")]
mod grammar;
#[path = "../../crates/guard/tests/it/judge.rs"]
#[expect(dead_code, reason = "tests also look at the nodes that run")]
mod judge;
#[path = "../../crates/guard/tests/it/statements.rs"]
mod statements;
#[path = "../../crates/guard/tests/it/templates.rs"]
mod templates;

fuzz_target!(|data: &[u8]| {
    let program = grammar::Program::of(data);
    if let Ok(twins) = judge::Twins::with_library(&program.text, &program.library) {
        let (own, judge) = (twins.own(), twins.judge());
        assert!(
            judge.compare(&own) != judge::Comparison::Different,
            "judge {judge:?}\nown   {own:?}\n{}\n{}",
            program.text,
            program.library
        );
    }
});
