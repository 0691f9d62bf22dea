//! Shards, which are parts of a tournament. Each shard is played by one program.

use std::fmt;
use std::str::FromStr;

const MOST: u64 = 10_000;

/// The blocks whose numbers have the same remainder when divided by the number of shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, counted from 1.
    pub index: u64,
    /// The number of shards.
    pub of: u64,
}

impl Shard {
    /// The shard that contains the whole tournament.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// Reports whether a block belongs to the shard.
    #[must_use]
    pub const fn has(self, block: u64) -> bool {
        block % self.of == self.index - 1
    }

    /// Returns the name of a shard's file, for example `log.1-of-3.jsonl`.
    #[must_use]
    pub fn file(self, kind: &str) -> String {
        format!("{kind}.{}-of-{}.jsonl", self.index, self.of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    /// Parses a shard. For example, `2/8` is the second of eight shards.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, of)| {
            let number = |text: &str| text.parse::<u64>().ok();
            Some((number(index)?, number(of)?))
        });
        Err(match numbers {
            Some((index, of)) if of <= MOST && (1..=of).contains(&index) => {
                return Ok(Self { index, of });
            }
            Some((_, of)) if of > MOST => {
                format!("expected at most {MOST} shards, found {of}")
            }
            Some((_, of)) if of > 0 => {
                format!("expected a shard from 1/{of} to {of}/{of}")
            }
            _ => "expected I/N, for example 1/8 for the first of eight shards".to_owned(),
        })
    }
}
