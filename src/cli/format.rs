//! The output formats of commands.

use clap::ValueEnum;

/// Text, or JSON for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Human-readable text
    Text,
    /// One JSON document
    Json,
    /// One JSON object per line: the match, then each finished game, in order
    Jsonl,
}
