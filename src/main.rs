//! The program; everything is in the library.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: risk_cli::CountingAllocator = risk_cli::CountingAllocator;

fn main() -> ExitCode {
    risk_cli::cli::run()
}
