//! Registration of a bot at an arena elsewhere.

use std::time::Duration;

use serde_json::Value;
use ureq::Agent;

use super::config::config;
use super::reply::HttpReply;
use crate::error::ProtocolError;
use crate::quote::quoted;

/// Time limit for joining: the arena looks for the bot meanwhile.
const JOINING: Duration = Duration::from_secs(20);

/// Registers a bot at the arena's address `url`.
///
/// # Errors
/// Returns the arena's refusal, or why there is no reply.
pub fn join(url: &str, body: &Value) -> Result<(), ProtocolError> {
    let sent = Agent::new_with_config(config(JOINING))
        .post(url)
        .content_type("application/json")
        .header("accept", "application/json")
        .send(body.to_string());
    let reply = HttpReply::read(sent, JOINING);
    let HttpReply { status, bytes } = reply.map_err(|error| ProtocolError::Refused(error.text))?;
    // Other arenas may send 201 or 204.
    if (200..300).contains(&status) {
        return Ok(());
    }
    let answer = String::from_utf8_lossy(&bytes);
    Err(ProtocolError::Refused(format!(
        "{status} {}",
        quoted(&answer)
    )))
}
