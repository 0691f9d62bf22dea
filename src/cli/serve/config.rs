//! `serve --config FILE`: the options of an arena in a file. Options on the command line override
//! the file; those that may be given several times are added.

use std::ffi::OsString;
use std::path::Path;

use clap::{Args, FromArgMatches};
use serde_json::Value;

use super::super::Error;
use super::ServeArgs;
use risk_arena::arena_file;
use risk_engine::load;

/// The largest file, in bytes.
const LARGEST: u64 = 1 << 20;

/// The options of a file, with those of the command line behind them.
pub(super) fn with_file(path: &Path, said: &ServeArgs) -> Result<ServeArgs, Error> {
    let file = load::file(path, LARGEST)?;
    let read = |finding| Error::Input(load::diag::LoadError::one(finding));
    let keys = arena_file::read(&file).map_err(read)?;
    let mut words = vec![OsString::from("serve")];
    for (key, mut value) in keys {
        if let (true, Some(options)) = (key == "option", value.as_object_mut()) {
            options.retain(|name, _| !said.rules.says(name));
        }
        add(&mut words, &key.replace('_', "-"), value);
    }
    let own = std::env::args_os().skip_while(|word| word != "serve");
    words.extend(own.skip(1));
    let command = ServeArgs::augment_args(clap::Command::new("serve"));
    let parsed = command
        .args_override_self(true)
        .try_get_matches_from(words)
        .and_then(|matches| ServeArgs::from_arg_matches(&matches));
    parsed.map_err(|error| {
        let text = error.to_string();
        let text = text.trim_start_matches("error: ");
        let text = text.split("\n\n").next().unwrap_or(text);
        let text = format!("{}: {text}", path.display());
        let help = "keys and values are those of `risk-cli serve --help`";
        Error::input("serve::config", text, help)
    })
}

/// A key of the file as words of a command line.
fn add(words: &mut Vec<OsString>, key: &str, value: Value) {
    let mut say = |value: String| words.push(format!("--{key}={value}").into());
    match value {
        Value::Bool(true) => words.push(format!("--{key}").into()),
        Value::Bool(false) | Value::Null => {}
        Value::Array(all) => all.into_iter().for_each(|one| say(word(one))),
        Value::Object(all) => {
            for (name, value) in all {
                say(format!("{name}={}", word(value)));
            }
        }
        one => say(word(one)),
    }
}

fn word(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
