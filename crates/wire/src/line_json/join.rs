//! Requests to join a line-JSON arena with a bot that is reached over HTTP.

use crate::error::ProtocolError;
use crate::info::JoinRequest;
use crate::text_fields;

/// Parses a request to join from JSON or a form. The request contains a name and the bot's address.
///
/// # Errors
/// Returns an error if the request is malformed.
pub fn read_join(content_type: &str, body: &[u8]) -> Result<JoinRequest, ProtocolError> {
    let [name, url] = text_fields(content_type, body, ["name", "url"])?;
    let name = name.ok_or("missing `name`, the player's name")?;
    let url = url.ok_or(
        "missing `url`, the bot's address, for example http://127.0.0.1:4444; a bot without an \
         address connects to /bot",
    )?;
    Ok(JoinRequest {
        name,
        url: url.trim_end_matches('/').to_owned(),
        value: 0,
    })
}
