//! The Hacker Risk arena's own requests: players register with name and address, and a match
//! is asked for.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::json;

use super::arena_protocol::{ArenaDefaults, ArenaProtocol};
use super::lobby::{Lobby, Refusal};
use super::request_guard::Peer;
use super::watch::Shared;
use crate::matches::Seats;
use crate::protocol::hacker_risk::{PROTOCOL, fields, read_join, texts};

/// The arena of Hacker Risk, which draws the order of play.
pub(super) static ARENA: ArenaProtocol = ArenaProtocol {
    protocol: &PROTOCOL,
    about: "That of the Hacker Risk arena, for hasbro",
    defaults: ArenaDefaults {
        table: 4,
        seats: Seats::Shuffle,
        timeout: 30,
        at_once: 16,
    },
    starts_when_full: true,
    shows_scores: false,
    form: include_str!("page/join.html"),
    read_join,
    routes,
};

fn routes() -> Router<Arc<Lobby>> {
    Router::new()
        .route("/join", post(join))
        .route("/start", post(start))
}

/// The value of a header, if it is text; empty where there is none.
fn value(headers: &HeaderMap, name: header::HeaderName) -> &str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
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
    let joined = match read_join(value(&headers, header::CONTENT_TYPE), &body) {
        Ok(request) => lobby.join(request, from).await,
        Err(text) => Err(Refusal::Bad(text)),
    };
    let accepts = value(&headers, header::ACCEPT);
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
    let fields = fields(value(&headers, header::CONTENT_TYPE), &body);
    let code = match fields.and_then(|fields| texts(fields, ["secret"])) {
        Ok([code]) => code,
        Err(text) => return refused(&Refusal::Bad(text)),
    };
    let allowed = match &lobby.config.secret {
        Some(secret) => secret.is_in(&headers) || code.is_some_and(|code| secret.is(&code)),
        None => lobby.config.local_only,
    };
    if !allowed {
        let text = match lobby.config.secret {
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
