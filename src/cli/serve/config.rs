//! `serve --config FILE`: the options of an arena in a file. Options on the command line override
//! the file; options that can be repeated are added to the file's.

use risk_maps::files;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::Value;

use super::super::Error;
use super::options::{self, ServeArgs};

/// The maximum size of a file, in bytes.
const LARGEST: u64 = 1 << 20;

/// The options of the command line, parsed and as words.
#[derive(Debug)]
pub(in crate::cli) struct ServeWords {
    pub(super) args: ServeArgs,
    words: Vec<OsString>,
}

impl Args for ServeWords {
    fn augment_args(command: Command) -> Command {
        ServeArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        ServeArgs::augment_args_for_update(command)
    }
}

impl FromArgMatches for ServeWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let args = ServeArgs::from_arg_matches(matches)?;
        let words = words(matches);
        Ok(Self { args, words })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the options of the command line as words, in the order given.
fn words(matches: &ArgMatches) -> Vec<OsString> {
    let command = command();
    let is_said = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let mut words = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let Some(name) = arg.get_long().filter(|_| is_said(id)) else {
            continue;
        };
        let takes_values = arg.get_action().takes_values();
        let values = matches.get_raw(id).into_iter().flatten();
        let said = values.map(|value| match takes_values {
            true => word(name, value),
            false => format!("--{name}").into(),
        });
        let places = matches.indices_of(id).into_iter().flatten();
        words.extend(places.zip(said));
    }
    words.sort_by_key(|(place, _)| *place);
    words.into_iter().map(|(_, word)| word).collect()
}

fn command() -> Command {
    ServeArgs::augment_args(Command::new("serve"))
}

fn word(name: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(format!("--{name}="));
    word.push(value);
    word
}

/// Parses the options of a file, followed by those of the command line.
pub(super) fn with_file(path: &Path, said: &ServeWords) -> Result<ServeArgs, Error> {
    let file = files::file(path, LARGEST)?;
    let keys = options::read(&file)?;
    let mut words = vec![OsString::from("serve")];
    for (key, mut value) in keys {
        if let (true, Some(options)) = (key == "option", value.as_object_mut()) {
            options.retain(|name, _| !said.args.sets(name));
        }
        add(&mut words, &key.replace('_', "-"), value);
    }
    words.extend(said.words.iter().cloned());
    let parsed = command()
        .args_override_self(true)
        .try_get_matches_from(words)
        .and_then(|matches| ServeArgs::from_arg_matches(&matches));
    parsed.map_err(|error| {
        let text = error.to_string();
        let text = text.trim_start_matches("error: ");
        let text = text.split("\n\n").next().unwrap_or(text);
        let text = format!("{}: {text}", path.display());
        let help = "see `risk-cli serve --help` for the keys and their values";
        Error::input("serve::config", text, help)
    })
}

/// Appends a key of the file in the form of command-line words.
fn add(words: &mut Vec<OsString>, key: &str, value: Value) {
    let mut say = |value: String| words.push(word(key, value.as_ref()));
    match value {
        Value::Bool(true) => words.push(format!("--{key}").into()),
        Value::Bool(false) | Value::Null => {}
        Value::Array(all) => all.into_iter().for_each(|one| say(plain(one))),
        Value::Object(all) => {
            for (name, value) in all {
                say(format!("{name}={}", plain(value)));
            }
        }
        one => say(plain(one)),
    }
}

fn plain(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
