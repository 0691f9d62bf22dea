//! Requests to join a Hacker Risk arena.

use super::encoding::BodyEncoding;
use crate::error::ProtocolError;
use crate::info::JoinRequest;
use crate::quote::brief;
use crate::text_fields;

/// Parses a request to join.
///
/// # Errors
/// Returns an error if the request is malformed.
pub fn read_join(content_type: &str, body: &[u8]) -> Result<JoinRequest, ProtocolError> {
    let names = ["name", "url", "encoding"];
    let [name, url, encoding] = text_fields(content_type, body, names)?;
    let name = name.ok_or("missing `name`, the player's name")?;
    let url = url.ok_or("missing `url`, the bot's address, for example http://127.0.0.1:4444")?;
    let encoding = match encoding {
        None => 0,
        Some(word) => BodyEncoding::ALL
            .iter()
            .position(|encoding| encoding.as_str() == word)
            .ok_or_else(|| {
                let found = brief(&word);
                format!("`encoding` must be form, raw or wrapped, found `{found}`")
            })?,
    };
    Ok(JoinRequest {
        name,
        url: url.trim_end_matches('/').to_owned(),
        value: encoding,
    })
}
