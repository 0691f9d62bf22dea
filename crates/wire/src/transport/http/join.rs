//! Registration of a bot with a remote arena.

use std::time::Duration;

use serde_json::Value;
use ureq::Agent;

use super::config::config;
use super::reply::HttpReply;
use crate::error::ProtocolError;
use crate::quote::quoted;

/// The time limit for joining. The arena checks for the bot during this time.
const JOINING: Duration = Duration::from_secs(20);

/// Registers a bot with the arena at `url`.
///
/// # Errors
/// Returns an error if the arena refuses or does not reply.
pub fn join(url: &str, body: &Value) -> Result<(), ProtocolError> {
    let sent = Agent::new_with_config(config(JOINING))
        .post(url)
        .content_type("application/json")
        .header("accept", "application/json")
        .send(body.to_string());
    let reply = HttpReply::read(sent, JOINING);
    let HttpReply { status, bytes } = reply.map_err(|error| ProtocolError::Refused(error.text))?;
    // Some arenas respond with 201 or 204.
    if (200..300).contains(&status) {
        return Ok(());
    }
    let answer = String::from_utf8_lossy(&bytes);
    Err(ProtocolError::Refused(format!(
        "{status} {}",
        quoted(&answer)
    )))
}
