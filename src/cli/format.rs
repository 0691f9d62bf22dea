//! The output formats of commands.

use clap::ValueEnum;

/// Text, or JSON for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people
    Text,
    /// One JSON document
    Json,
    /// One JSON object a line: the match, then each game as it ends, in order
    Jsonl,
}
