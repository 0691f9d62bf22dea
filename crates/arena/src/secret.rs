//! The secret that lets a client start matches.

use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::error::ArenaError;

/// The minimum and the maximum length of a secret, in characters.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=1_000;

/// A secret, stored as a hash so it can't be printed. Hashes are compared in constant time.
#[derive(Clone, Copy, Debug)]
pub struct Secret(blake3::Hash);

impl Secret {
    /// Creates a secret from a text, without surrounding white space.
    ///
    /// # Errors
    /// Returns an error if the secret is too short or too long.
    pub fn new(text: &str) -> Result<Self, ArenaError> {
        let text = text.trim();
        let length = text.chars().count();
        if LENGTH.contains(&length) {
            return Ok(Self(blake3::hash(text.as_bytes())));
        }
        let (least, most) = LENGTH.into_inner();
        Err(ArenaError::Secret {
            least,
            most,
            length,
        })
    }

    /// Reports whether this text is the secret.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        blake3::hash(text.as_bytes()) == self.0
    }

    /// Reports whether the request headers contain the secret, as a bearer token or as a password.
    #[must_use]
    pub fn is_in(&self, headers: &HeaderMap) -> bool {
        let Some((kind, word)) = authorization(headers) else {
            return false;
        };
        if let Some(word) = bearer(headers) {
            return self.is(word);
        }
        let pair = STANDARD
            .decode(word.trim())
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok());
        kind.eq_ignore_ascii_case("basic")
            && pair.is_some_and(|pair| {
                pair.split_once(':')
                    .is_some_and(|(_, password)| self.is(password))
            })
    }
}

/// Returns the scheme and the credentials from the request headers.
fn authorization(headers: &HeaderMap) -> Option<(&str, &str)> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.split_once(' ')
}

/// Returns the bearer token from the request headers.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (kind, word) = authorization(headers)?;
    kind.eq_ignore_ascii_case("bearer").then(|| word.trim())
}
