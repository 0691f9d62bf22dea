//! The program: its arguments, and what each command does.

mod cli;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator;

fn main() -> ExitCode {
    cli::run()
}
