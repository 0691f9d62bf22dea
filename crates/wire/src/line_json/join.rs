//! Requests to join an arena of line-JSON with a bot that is asked over HTTP.

use crate::error::ProtocolError;
use crate::info::JoinRequest;
use crate::text_fields;

/// Reads a request to join: a name, and the address of the bot, as JSON or as a form.
///
/// # Errors
/// When the request is malformed.
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
