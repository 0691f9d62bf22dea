//! What a program on this machine is told of its surroundings.

use std::process::Command;

/// The variables that every program gets: no secret of ours is among them.
const PASSED: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// Gives a program these variables of ours, and no other ones.
pub fn set_environment(command: &mut Command, named: &[String]) {
    command.env_clear();
    let named = named.iter().map(String::as_str);
    for name in PASSED.into_iter().chain(named) {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}
