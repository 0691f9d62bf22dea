//! What is sent to an arena: who joins, and who may start a match.

use serde_json::{Map, Value};

use super::encoding::Encoding;
use crate::info::JoinRequest;
use crate::json;
use crate::quote::brief;

/// What a request says, as JSON or as a form: values by their names. `content_type` is what its
/// head says of that, empty where it says nothing.
///
/// # Errors
/// When it is neither, or a name stands twice.
pub fn fields(content_type: &str, body: &[u8]) -> Result<Map<String, Value>, String> {
    if content_type.starts_with("application/x-www-form-urlencoded") {
        let mut fields = Map::new();
        for (key, value) in form_urlencoded::parse(body) {
            if fields.insert(key.to_string(), value.into()).is_some() {
                return Err(format!("the field `{}` is given twice", brief(&key)));
            }
        }
        return Ok(fields);
    }
    if body.is_empty() {
        return Ok(Map::new());
    }
    let text = std::str::from_utf8(body).map_err(|_| "the request is not UTF-8 text".to_owned())?;
    match json::parse_unique_keys(text, "request, which is not a form,")? {
        Value::Object(fields) => Ok(fields),
        _ => Err("the request is neither a form nor a JSON object".to_owned()),
    }
}

/// The texts with these names.
///
/// # Errors
/// When one is no text, or another name stands there.
pub fn texts<const N: usize>(
    mut fields: Map<String, Value>,
    names: [&str; N],
) -> Result<[Option<String>; N], String> {
    let mut found = [const { None }; N];
    for (place, name) in found.iter_mut().zip(names) {
        *place = match fields.remove(name) {
            None => None,
            Some(Value::String(text)) => Some(text),
            Some(_) => return Err(format!("`{name}` is not a text")),
        };
    }
    match fields.keys().next() {
        None => Ok(found),
        Some(key) => Err(format!(
            "there is no `{}`; there are {}",
            brief(key),
            names.join(", ")
        )),
    }
}

/// Reads who joins.
///
/// # Errors
/// What is wrong with the request.
pub fn read_join(content_type: &str, body: &[u8]) -> Result<JoinRequest, String> {
    let fields = fields(content_type, body)?;
    let [name, url, encoding] = texts(fields, ["name", "url", "encoding"])?;
    let name = name.ok_or("`name` is missing: how the player is called")?;
    let url =
        url.ok_or("`url` is missing: the address of the bot, for example http://127.0.0.1:4444")?;
    let encoding = match encoding {
        None => 0,
        Some(word) => Encoding::ALL
            .iter()
            .position(|encoding| encoding.as_str() == word)
            .ok_or("`encoding` is form, raw or wrapped")?,
    };
    Ok(JoinRequest {
        name,
        url: url.trim_end_matches('/').to_owned(),
        value: encoding,
    })
}
