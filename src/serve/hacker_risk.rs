//! The Hacker Risk arena's own requests: players register with name and address, and a match is
//! asked for.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::http::Peer;
use super::lobby::{Guest, Lobby, Refusal};
use super::watch::Shared;
use crate::players::hacker_risk::Encoding;
use crate::players::wire::{Protocol, brief};
use crate::players::wire_json;

pub(super) fn routes() -> Router<Arc<Lobby>> {
    Router::new()
        .route("/join", post(join))
        .route("/start", post(start))
}

/// What a request says, as JSON or as a form: texts by their names.
fn said(headers: &HeaderMap, body: &[u8]) -> Result<Map<String, Value>, String> {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    if kind.starts_with("application/x-www-form-urlencoded") {
        let mut fields = Map::new();
        for (key, value) in form_urlencoded::parse(body) {
            if fields.insert(key.to_string(), value.into()).is_some() {
                return Err(format!("the field `{}` stands twice", brief(&key)));
            }
        }
        return Ok(fields);
    }
    if body.is_empty() {
        return Ok(Map::new());
    }
    let text = std::str::from_utf8(body).map_err(|_| "the request is not UTF-8 text".to_owned())?;
    match wire_json::parse_unique_keys(text, "request, which is no form,")? {
        Value::Object(said) => Ok(said),
        _ => Err("the request is neither a form nor a JSON object".to_owned()),
    }
}

/// The texts with these names; others may not stand there.
fn texts<const N: usize>(
    mut said: Map<String, Value>,
    names: [&str; N],
) -> Result<[Option<String>; N], String> {
    let mut found = [const { None }; N];
    for (place, name) in found.iter_mut().zip(names) {
        *place = match said.remove(name) {
            None => None,
            Some(Value::String(text)) => Some(text),
            Some(_) => return Err(format!("`{name}` is not a text")),
        };
    }
    match said.keys().next() {
        None => Ok(found),
        Some(key) => Err(format!(
            "there is no `{}`; there are {}",
            brief(key),
            names.join(", ")
        )),
    }
}

pub(super) fn guest(headers: &HeaderMap, body: &[u8], from: IpAddr) -> Result<Guest, String> {
    let [name, url, encoding] = texts(said(headers, body)?, ["name", "url", "encoding"])?;
    let name = name.ok_or("`name` is missing: how the player is called")?;
    let url = url.ok_or("`url` is missing: the address of the bot, http://127.0.0.1:4444 say")?;
    let encoding = match encoding {
        None => Encoding::default(),
        Some(word) => Encoding::named(&word).ok_or("`encoding` is form, raw or wrapped")?,
    };
    Ok(Guest {
        name,
        url: url.trim_end_matches('/').to_owned(),
        speaks: Protocol::HackerRisk(encoding),
        from,
    })
}

/// A refusal as a status and a document.
fn refused(refusal: &Refusal) -> Response {
    let status = match refusal {
        Refusal::Bad(_) => StatusCode::BAD_REQUEST,
        Refusal::Taken(_) => StatusCode::CONFLICT,
        Refusal::NotNow(_) => StatusCode::SERVICE_UNAVAILABLE,
    };
    (status, Json(json!({ "error": refusal.text() }))).into_response()
}

async fn join(
    State(lobby): Shared,
    Extension(Peer(from)): Extension<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let joined = match guest(&headers, &body, from) {
        Ok(guest) => lobby.join(guest).await,
        Err(text) => Err(Refusal::Bad(text)),
    };
    let accepts = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    match joined {
        // Somebody at a browser goes back to where the table is seen.
        Ok(_) if accepts.contains("text/html") => Redirect::to("/").into_response(),
        Ok((number, missing)) => {
            Json(json!({ "match": number, "missing": missing })).into_response()
        }
        Err(refusal) if accepts.contains("text/html") => {
            let text = format!("Not registered: {}. Go back and try again.", refusal.text());
            (StatusCode::BAD_REQUEST, text).into_response()
        }
        Err(refusal) => refused(&refusal),
    }
}

async fn start(State(lobby): Shared, headers: HeaderMap, body: Bytes) -> Response {
    let code = match said(&headers, &body).and_then(|said| texts(said, ["secret"])) {
        Ok([code]) => code,
        Err(text) => return refused(&Refusal::Bad(text)),
    };
    let allowed = match &lobby.plan.secret {
        Some(secret) => secret.is_in(&headers) || code.is_some_and(|code| secret.is(&code)),
        None => lobby.plan.local_only,
    };
    if !allowed {
        let text = match lobby.plan.secret {
            Some(_) => "the secret is missing or wrong",
            None => {
                "a match starts when its table is full: this arena has no secret that could start it earlier"
            }
        };
        return (StatusCode::FORBIDDEN, Json(json!({ "error": text }))).into_response();
    }
    match lobby.start() {
        Ok(hosted) => Json(json!({ "match": hosted.number })).into_response(),
        Err(refusal) => refused(&refusal),
    }
}
