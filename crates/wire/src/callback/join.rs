//! Requests to join an arena and to start a match, in either dialect.

use serde_json::{Map, Value};

use super::dialect::Dialect;
use super::place::field;
use crate::error::ProtocolError;
use crate::info::JoinRequest;
use crate::json;
use crate::quote::brief;
use crate::text_fields::object;

/// The key that identifies a request in the `snow` dialect.
const SNOW: &str = "callbackBaseAddress";

fn text(object: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match field(object, &[key])? {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        other => Err(json::unfit(key, "a string", other)),
    }
}

/// Parses a request to join. Returns the dialect even if the request is invalid.
pub fn read_join(body: &[u8]) -> (Dialect, Result<JoinRequest, ProtocolError>) {
    let object = match object(body) {
        Ok(object) => object,
        Err(text) => return (Dialect::Seed, Err(text.into())),
    };
    let is_snow = object.keys().any(|key| key.eq_ignore_ascii_case(SNOW));
    let dialect = if is_snow {
        Dialect::Snow
    } else {
        Dialect::Seed
    };
    (
        dialect,
        join_request(&object, dialect).map_err(ProtocolError::Message),
    )
}

fn join_request(object: &Map<String, Value>, dialect: Dialect) -> Result<JoinRequest, String> {
    let name = text(object, "name")?.ok_or("missing `name`, the player's name")?;
    let url = match (text(object, "callback")?, text(object, SNOW)?) {
        (Some(url), None) | (None, Some(url)) => url,
        (None, None) => return Err("missing `callback`, the bot's address".to_owned()),
        _ => return Err("`callback` and `callbackBaseAddress` can't be combined".to_owned()),
    };
    let is_known = |key: &&String| {
        ["name", "callback", SNOW]
            .iter()
            .any(|known| key.eq_ignore_ascii_case(known))
    };
    match object.keys().find(|key| !is_known(key)) {
        Some(key) => Err(format!("unknown key `{}`", brief(key))),
        None => Ok(JoinRequest {
            name,
            url: url.trim_end_matches('/').to_owned(),
            value: dialect as usize,
        }),
    }
}

/// Parses the secret in the body of a request. Returns `None` if the body has no secret.
///
/// # Errors
/// Returns an error if the body is neither empty nor valid.
pub fn read_secret(body: &[u8]) -> Result<Option<String>, ProtocolError> {
    if body.is_empty() {
        return Ok(None);
    }
    Ok(text(&object(body)?, "secretCode")?)
}
