//! Environment variables of programs on this machine.

use std::process::Command;

/// The variables that every program gets: none of them holds a secret.
const PASSED: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// Gives a program the usual variables and the `named` ones of this process, and no others.
pub fn set_environment(command: &mut Command, named: &[String]) {
    command.env_clear();
    let named = named.iter().map(String::as_str);
    for name in PASSED.into_iter().chain(named) {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}
