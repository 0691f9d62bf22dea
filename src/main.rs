//! The command-line program.

mod cli;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator;

fn main() -> ExitCode {
    cli::run()
}
