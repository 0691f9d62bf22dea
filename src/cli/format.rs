//! The output formats of commands.

use clap::ValueEnum;

/// Text, or JSON for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Human-readable text
    Text,
    /// One JSON document
    Json,
}

/// The formats of a match, whose games can also be printed one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MatchFormat {
    /// Human-readable text
    Text,
    /// One JSON document
    Json,
    /// One JSON object per line: the match, then each finished game, in order
    Jsonl,
}
