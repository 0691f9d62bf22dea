//! Environment variables of local programs.

use std::process::Command;

/// The variables that every program receives. They contain no secrets.
const PASSED: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// Sets a program's environment to the usual variables and the `named` variables of this process.
pub fn set_environment(command: &mut Command, named: &[String]) {
    command.env_clear();
    let named = named.iter().map(String::as_str);
    for name in PASSED.into_iter().chain(named) {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}

/// Lets a process of this program confine itself. By default, the program's allocator reserves more
/// addresses than the process may have.
pub fn reserve_little(command: &mut Command) {
    command.env("MIMALLOC_ARENA_RESERVE", "32MiB");
}
