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
    let name = name.ok_or("`name` is missing: how the player is called")?;
    let url = url.ok_or(
        "`url` is missing: the address of the bot, for example http://127.0.0.1:4444; a bot \
         without one dials in at /bot",
    )?;
    Ok(JoinRequest {
        name,
        url: url.trim_end_matches('/').to_owned(),
        value: 0,
    })
}
