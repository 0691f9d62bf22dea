//! The program; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    risk_cli::cli::run()
}
