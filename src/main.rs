//! The command-line program.

mod cli;

use std::process::ExitCode;

use mimalloc::MiMalloc;
use rhai_guard::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator<MiMalloc> = CountingAllocator::over(MiMalloc);

fn main() -> ExitCode {
    cli::run()
}
