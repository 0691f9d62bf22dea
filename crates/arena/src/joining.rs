//! Requests to arenas that wait for players: requests to join, to leave and to start.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::forms;
use super::lobby::{Lobby, Refusal, SharedLobby};
use super::request_guard::Peer;
use super::secret::bearer;
use risk_wire::text_fields;

/// Returns the routes of arenas whose matches begin when the table is full.
pub(super) fn routes() -> Router<Arc<Lobby>> {
    Router::new()
        .route("/join", post(join))
        .route("/start", post(start))
}

/// Returns the value of a header, or an empty string if it is missing or not text.
pub(super) fn value(headers: &HeaderMap, name: header::HeaderName) -> &str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

/// Parses the text fields with these names from a JSON body or a form.
pub(super) fn texts<const N: usize>(
    headers: &HeaderMap,
    body: &[u8],
    names: [&str; N],
) -> Result<[Option<String>; N], String> {
    Ok(text_fields(
        value(headers, header::CONTENT_TYPE),
        body,
        names,
    )?)
}

/// Parses a text field from a JSON body or a form.
fn text(headers: &HeaderMap, body: &[u8], name: &str) -> Result<Option<String>, Refusal> {
    let read = texts(headers, body, [name]);
    let [text] = read.map_err(|text| Refusal::bad("request::body", text))?;
    Ok(text)
}

async fn join(
    State(lobby): SharedLobby,
    Extension(Peer(from)): Extension<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let read = lobby.config.arena.read_join;
    let joined = match read(value(&headers, header::CONTENT_TYPE), &body) {
        Ok(request) => lobby.join(request, from).await,
        Err(error) => Err(Refusal::bad("request::body", error)),
    };
    let accepts = value(&headers, header::ACCEPT);
    match joined {
        // A browser is redirected to the page with the table.
        Ok(_) if accepts.contains("text/html") => Redirect::to("/").into_response(),
        Ok(joined) => joined.into_response(),
        Err(refusal) if accepts.contains("text/html") => {
            let page = forms::not_joined(&refusal.text);
            (StatusCode::BAD_REQUEST, Html(page)).into_response()
        }
        Err(refusal) => refusal.into_response(),
    }
}

async fn start(
    State(lobby): SharedLobby,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let code = text(&headers, &body, "secret")?;
    let allowed = match &lobby.config.server.secret {
        Some(secret) => secret.is_in(&headers) || code.is_some_and(|code| secret.is(&code)),
        None => lobby.config.server.local_only,
    };
    if !allowed {
        let (code, text) = match lobby.config.server.secret {
            Some(_) => ("arena::secret", "the secret is missing or wrong"),
            None => (
                "arena::no-secret",
                "the match starts when its table is full; only an arena with a secret can start \
                 it earlier",
            ),
        };
        return Err(Refusal::new(StatusCode::FORBIDDEN, code, text));
    }
    Ok(Json(json!({ "match": lobby.start()?.number })))
}

/// Lets a player leave the open table. The player is identified by the token received on joining.
pub(super) async fn leave(
    State(lobby): SharedLobby,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let said = text(&headers, &body, "token")?;
    let Some(token) = said.as_deref().or(bearer(&headers)) else {
        let text = "missing `token`: send the one that you got on joining";
        return Err(Refusal::bad("arena::no-token", text));
    };
    Ok(Json(json!({ "left": lobby.leave(token)? })))
}
