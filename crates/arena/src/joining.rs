//! Requests to arenas that wait for players: requests to join, to leave and to start.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::json;

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

/// Converts a refusal to a status code and a document.
pub(super) fn refused(refusal: &Refusal) -> Response {
    (refusal.status, Json(refusal.body())).into_response()
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
        Ok(joined) => {
            let mut told = json!({
                "match": joined.number, "missing": joined.missing, "commitment": joined.commitment,
            });
            if let Some(token) = joined.token {
                told["token"] = json!(token);
            }
            Json(told).into_response()
        }
        Err(refusal) if accepts.contains("text/html") => {
            let page = forms::not_joined(&refusal.text);
            (StatusCode::BAD_REQUEST, Html(page)).into_response()
        }
        Err(refusal) => refused(&refusal),
    }
}

async fn start(State(lobby): SharedLobby, headers: HeaderMap, body: Bytes) -> Response {
    let code = match texts(&headers, &body, ["secret"]) {
        Ok([code]) => code,
        Err(text) => return refused(&Refusal::bad("request::body", text)),
    };
    let allowed = match &lobby.config.secret {
        Some(secret) => secret.is_in(&headers) || code.is_some_and(|code| secret.is(&code)),
        None => lobby.config.local_only,
    };
    if !allowed {
        let (code, text) = match lobby.config.secret {
            Some(_) => ("arena::secret", "the secret is missing or wrong"),
            None => (
                "arena::no-secret",
                "the match starts when its table is full; only an arena with a secret can start \
                 it earlier",
            ),
        };
        return refused(&Refusal::new(StatusCode::FORBIDDEN, code, text));
    }
    match lobby.start() {
        Ok(hosted) => Json(json!({ "match": hosted.number })).into_response(),
        Err(refusal) => refused(&refusal),
    }
}

/// Lets a player leave the open table. The player is identified by the token received on joining.
pub(super) async fn leave(State(lobby): SharedLobby, headers: HeaderMap, body: Bytes) -> Response {
    let said = match texts(&headers, &body, ["token"]) {
        Ok([said]) => said,
        Err(text) => return refused(&Refusal::bad("request::body", text)),
    };
    let Some(token) = said.as_deref().or(bearer(&headers)) else {
        let text = "missing `token`: send the one that you got on joining";
        return refused(&Refusal::bad("arena::no-token", text));
    };
    match lobby.leave(token) {
        Ok(name) => Json(json!({ "left": name })).into_response(),
        Err(refusal) => refused(&refusal),
    }
}
