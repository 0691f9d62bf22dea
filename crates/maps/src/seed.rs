//! The seed of a match: the text from which all its randomness derives.

use std::borrow::Cow;
use std::sync::Arc;

use risk_kernel::rng::GameKey;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The seed of a match: 1 to 64 ASCII letters, digits, `-`, `_` and `.`, starting with a letter or
/// a digit. The same seed produces the same games. A seed is only as hard to guess as its text.
/// Trying all short texts quickly finds a typed seed, but never a random seed
/// ([`Seed::from_bits`]).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Seed(Arc<str>);

/// The maximum number of characters in a seed.
pub const LONGEST_SEED: usize = 64;

/// The text is not a seed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a seed must have 1 to {LONGEST_SEED} characters (a-z, 0-9, `-`, `_` or `.`) and begin with a \
     letter or a digit"
)]
pub struct SeedError;

impl From<SeedError> for String {
    fn from(error: SeedError) -> Self {
        error.to_string()
    }
}

/// The lowercase base32 alphabet (RFC 4648), with five bits per letter.
const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// BLAKE3's context for the key of a game. A change of the derivation needs a new date.
const GAME: &str = "risk-cli 2026-11-25 key of a game, from the seed of its match";

const MATCH: &str = "risk-cli 2026-11-25 seed of a match, from the seed of many";

const SALT: &str = "risk-cli 2026-11-25 salt of a match, from the seed of many";

impl Seed {
    /// Creates a seed from a text.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid seed.
    pub fn new(text: &str) -> Result<Self, SeedError> {
        let of_word = |byte: u8| byte.is_ascii_alphanumeric();
        let fits = |byte: u8| of_word(byte) || b"-_.".contains(&byte);
        let length = (1..=LONGEST_SEED).contains(&text.len());
        if length && text.bytes().all(fits) && text.bytes().next().is_some_and(of_word) {
            return Ok(Self(text.into()));
        }
        Err(SeedError)
    }

    /// Returns a seed of 26 letters and digits from 128 random bits.
    #[must_use]
    pub fn from_bits(bits: [u8; 16]) -> Self {
        let mut rest = u128::from_be_bytes(bits);
        let mut letters = [0; 26];
        for letter in letters.iter_mut().rev() {
            *letter = LETTERS[(rest % 32) as usize];
            rest /= 32;
        }
        let text = std::str::from_utf8(&letters).expect("the letters are ASCII");
        Self(text.into())
    }

    /// Returns the text of the seed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Derives the key of the game with this number. The key reveals neither the seed nor any other
    /// key.
    #[must_use]
    pub fn key(&self, number: u64) -> GameKey {
        let secret = blake3::derive_key(GAME, self.0.as_bytes());
        GameKey::new(*blake3::keyed_hash(&secret, &number.to_le_bytes()).as_bytes())
    }

    /// Derives the seed of one match from a seed that covers many matches. The derived seed reveals
    /// neither this seed nor the seed of another match.
    #[must_use]
    pub fn of_match(&self, number: u64) -> Self {
        self.of_many(MATCH, number)
    }

    /// Derives the salt of the [commitment](Self::commitment) of one match from a seed that covers
    /// many matches. As with [`of_match`](Self::of_match), the salt reveals nothing about another
    /// match.
    #[must_use]
    pub fn salt_of_match(&self, number: u64) -> Self {
        self.of_many(SALT, number)
    }

    fn of_many(&self, context: &str, number: u64) -> Self {
        let secret = blake3::derive_key(context, self.0.as_bytes());
        let hash = blake3::keyed_hash(&secret, &number.to_le_bytes());
        let (bits, _) = hash.as_bytes().split_at(16);
        Self::from_bits(bits.try_into().expect("a hash has 32 bytes"))
    }
}

impl Seed {
    /// Returns the commitment that a host publishes before a match: the BLAKE3 hash of the salt, a
    /// space and the seed, in hexadecimal (`printf 'SALT SEED' | b3sum`). The record reveals both
    /// values, so anyone can check that the seed was not changed. The salt is random, which
    /// prevents others from finding a short seed by its hash.
    #[must_use]
    pub fn commitment(&self, salt: &Self) -> String {
        let text = format!("{salt} {self}");
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        Self(number.to_string().into())
    }
}

/// Accepts numbers as well as strings, because a seed needs no quotes.
impl JsonSchema for Seed {
    fn schema_name() -> Cow<'static, str> {
        "Seed".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "number", "boolean"],
            "minimum": 0,
            "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
        })
    }
}

impl Default for Seed {
    fn default() -> Self {
        Self::from(0)
    }
}

impl TryFrom<String> for Seed {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Self, SeedError> {
        Self::new(&text)
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> Self {
        seed.0.as_ref().to_owned()
    }
}

impl std::str::FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        Self::new(text)
    }
}

impl std::fmt::Display for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}
