//! Requests to arenas and ladders that contain only string values, as JSON or as a form.

use serde_json::{Map, Value};

use crate::error::ProtocolError;
use crate::json;
use crate::quote::brief;

/// Parses the values of the fields with these names. Omitted fields have the value `None`.
/// `content_type` is the content type from the request's headers, or empty.
///
/// # Errors
/// Returns an error if the body is neither JSON nor a form, a name is duplicate or unknown, or a
/// value is not a string.
pub fn text_fields<const N: usize>(
    content_type: &str,
    body: &[u8],
    names: [&str; N],
) -> Result<[Option<String>; N], ProtocolError> {
    let mut fields = fields(content_type, body)?;
    let mut found = [const { None }; N];
    for (place, name) in found.iter_mut().zip(names) {
        *place = match fields.remove(name) {
            None => None,
            Some(Value::String(text)) => Some(text),
            other => return Err(json::unfit(name, "a string", other.as_ref()).into()),
        };
    }
    match fields.keys().next() {
        None => Ok(found),
        Some(key) => Err(format!(
            "unknown field `{}`, expected {}",
            brief(key),
            names.join(" or ")
        )
        .into()),
    }
}

fn fields(content_type: &str, body: &[u8]) -> Result<Map<String, Value>, String> {
    if content_type.starts_with("application/x-www-form-urlencoded") {
        let mut fields = Map::new();
        for (key, value) in form_urlencoded::parse(body) {
            if fields.insert(key.to_string(), value.into()).is_some() {
                return Err(format!("duplicate field `{}`", brief(&key)));
            }
        }
        return Ok(fields);
    }
    if body.is_empty() {
        return Ok(Map::new());
    }
    object(body)
}

/// Parses a body that is a JSON object.
pub(crate) fn object(body: &[u8]) -> Result<Map<String, Value>, String> {
    let text =
        std::str::from_utf8(body).map_err(|_| "the request is not valid UTF-8".to_owned())?;
    match json::parse_unique_keys(text, "request")? {
        Value::Object(fields) => Ok(fields),
        other => Err(json::no_object(&other)),
    }
}
