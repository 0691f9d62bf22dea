//! The callback arena's own requests, in both dialects: which one a player speaks shows in how it
//! joins, and which one whoever starts the match speaks, in where the secret is.
//!
//! Source: the rules of the simplified game, sections 1 and 4 (S7, S8, S29).

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::http::Peer;
use super::lobby::{Guest, Lobby, Refusal, token};
use super::watch::Shared;
use crate::kernel::state::GameState;
use crate::players::callback::{Dialect, cell, field};
use crate::players::wire::{Protocol, brief};
use crate::players::wire_json;

pub(super) fn routes() -> Router<Arc<Lobby>> {
    Router::new()
        .route("/join", post(join))
        .route("/startgame", post(start))
        .route("/restartgame", post(restart))
        .route("/status", get(status))
}

fn object(body: &[u8]) -> Result<Map<String, Value>, String> {
    let text = std::str::from_utf8(body).map_err(|_| "the request is not UTF-8 text".to_owned())?;
    match wire_json::parse_unique_keys(text, "request")? {
        Value::Object(said) => Ok(said),
        _ => Err("the request is not a JSON object".to_owned()),
    }
}

fn text(said: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match field(said, &[name])? {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{name}` is not a text")),
    }
}

/// The key by which a player shows that it speaks snow.
const SNOW: &str = "callbackBaseAddress";

/// Reads who joins. A dialect is known even of what is not right otherwise.
pub(super) fn guest(body: &[u8], from: IpAddr) -> Result<Guest, (Dialect, String)> {
    let said = object(body).map_err(|wrong| (Dialect::Seed, wrong))?;
    let has = |name: &str| said.keys().any(|key| key.eq_ignore_ascii_case(name));
    let dialect = if has(SNOW) {
        Dialect::Snow
    } else {
        Dialect::Seed
    };
    let read = || {
        let name = text(&said, "name")?.ok_or("`name` is missing: how the player is called")?;
        let url = match (text(&said, "callback")?, text(&said, SNOW)?) {
            (Some(url), None) | (None, Some(url)) => url,
            (None, None) => return Err("`callback` is missing: the address of the bot".to_owned()),
            _ => return Err("`callback` and `callbackBaseAddress` say the same".to_owned()),
        };
        let known = |key: &str| {
            ["name", "callback", SNOW]
                .iter()
                .any(|name| key.eq_ignore_ascii_case(name))
        };
        let unknown = said.keys().find(|key| !known(key));
        match unknown {
            Some(key) => Err(format!("there is no `{}` in this request", brief(key))),
            None => {
                let url = url.trim_end_matches('/').to_owned();
                Ok(Guest {
                    name,
                    url,
                    speaks: Protocol::Callback(dialect),
                    from,
                })
            }
        }
    };
    read().map_err(|wrong| (dialect, wrong))
}

async fn join(
    State(lobby): Shared,
    Extension(Peer(from)): Extension<Peer>,
    body: Bytes,
) -> Response {
    let (dialect, joined) = match guest(&body, from) {
        Ok(guest) => {
            let Protocol::Callback(dialect) = guest.speaks else {
                return StatusCode::BAD_REQUEST.into_response();
            };
            (dialect, lobby.join(guest).await)
        }
        Err((dialect, text)) => (dialect, Err(Refusal::Bad(text))),
    };
    match (dialect, joined) {
        (Dialect::Seed, Ok((number, missing))) => {
            Json(json!({ "match": number, "missing": missing })).into_response()
        }
        (Dialect::Snow, Ok(_)) => Json(json!({ "token": token() })).into_response(),
        (Dialect::Seed, Err(refusal @ Refusal::Taken(_))) => {
            (StatusCode::CONFLICT, refusal.text().to_owned()).into_response()
        }
        (_, Err(refusal)) => (
            StatusCode::BAD_REQUEST,
            format!("Unable to join game: {}", refusal.text()),
        )
            .into_response(),
    }
}

/// Is the secret there? Whoever says it as `secretCode` speaks as snow does.
fn authenticated(lobby: &Lobby, headers: &HeaderMap, body: &[u8]) -> Result<Dialect, Response> {
    let refuse = |status: StatusCode, text: &str| Err((status, text.to_owned()).into_response());
    let code = match body {
        [] => Ok(None),
        body => object(body).and_then(|said| text(&said, "secretCode")),
    };
    let Some(secret) = lobby.plan.secret else {
        return refuse(
            StatusCode::FORBIDDEN,
            "this arena has no secret, so nobody can start a match",
        );
    };
    match code {
        Err(wrong) => refuse(StatusCode::BAD_REQUEST, &wrong),
        Ok(Some(code)) if secret.is(&code) => Ok(Dialect::Snow),
        Ok(Some(_)) => refuse(
            StatusCode::BAD_REQUEST,
            "Secret code doesn't match, unable to start game.",
        ),
        Ok(None) if secret.is_in(headers) => Ok(Dialect::Seed),
        Ok(None) if headers.contains_key(axum::http::header::AUTHORIZATION) => {
            refuse(StatusCode::FORBIDDEN, "that is not the secret")
        }
        Ok(None) => refuse(
            StatusCode::UNAUTHORIZED,
            "the secret is missing: send it as Authorization: Bearer, as a password, or as secretCode in JSON",
        ),
    }
}

async fn start(State(lobby): Shared, headers: HeaderMap, body: Bytes) -> Response {
    let dialect = match authenticated(&lobby, &headers, &body) {
        Ok(dialect) => dialect,
        Err(refused) => return refused,
    };
    match (lobby.start(), dialect) {
        (Ok(hosted), Dialect::Seed) => Json(json!({ "match": hosted.number })).into_response(),
        // This dialect hears of the start when all is over.
        (Ok(hosted), Dialect::Snow) => {
            hosted.over().await;
            hosted.end().unwrap_or_default().into_response()
        }
        (Err(refusal), Dialect::Seed) => {
            (StatusCode::CONFLICT, refusal.text().to_owned()).into_response()
        }
        (Err(refusal), Dialect::Snow) => {
            (StatusCode::BAD_REQUEST, refusal.text().to_owned()).into_response()
        }
    }
}

async fn restart(State(lobby): Shared, headers: HeaderMap, body: Bytes) -> Response {
    if let Err(refused) = authenticated(&lobby, &headers, &body) {
        return refused;
    }
    match lobby.again() {
        Ok(1) => "1 player is at the table again".into_response(),
        Ok(count) => format!("{count} players are at the table again").into_response(),
        Err(refusal) => (StatusCode::BAD_REQUEST, refusal.text().to_owned()).into_response(),
    }
}

/// What upstream calls the state of a game.
const JOINING: i32 = 1;
const DEPLOYING: i32 = 2;
const ATTACKING: i32 = 3;
const GAME_OVER: i32 = 4;

async fn status(State(lobby): Shared) -> Json<Value> {
    let waiting = lobby.waiting();
    let hosted = lobby
        .newest()
        .filter(|hosted| waiting.is_empty() || !hosted.is_over());
    let board = &lobby.plan.setup.board;
    let Some(hosted) = hosted else {
        let house = lobby.plan.setup.bots.iter().map(|spec| spec.name.clone());
        let names: Vec<String> = waiting.into_iter().chain(house).collect();
        let stats: Vec<Value> = names.iter().map(|name| stat(name, 0, 0)).collect();
        let cells: Vec<Value> = board
            .territories()
            .map(|at| cell(board, at, None, 0))
            .collect();
        return Json(told(&names, &stats, JOINING, &cells));
    };
    let shown = hosted.shown();
    let state = |game: &GameState| {
        if game.turn() == 0 {
            DEPLOYING
        } else {
            ATTACKING
        }
    };
    let mut number = shown.game.as_ref().map_or(DEPLOYING, state);
    let (mut stats, mut cells) = (Vec::new(), Vec::new());
    if let Some(game) = shown.game.as_ref().filter(|_| shown.is_open()) {
        stats = game
            .seats()
            .map(|who| {
                stat(
                    &hosted.names[who.index()],
                    game.strength(who),
                    game.territory_count(who),
                )
            })
            .collect();
        let owner = |at| game.owner(at).map(|who| hosted.names[who.index()].as_str());
        cells = board
            .territories()
            .map(|at| cell(board, at, owner(at), i64::from(game.armies(at))))
            .collect();
    }
    drop(shown);
    if hosted.is_over() {
        number = GAME_OVER;
    }
    Json(told(&hosted.names, &stats, number, &cells))
}

fn stat(name: &str, armies: i64, territories: u32) -> Value {
    json!({ "name": name, "armies": armies, "territories": territories, "score": armies + 2 * i64::from(territories) })
}

fn told(names: &[String], stats: &[Value], state: i32, board: &[Value]) -> Value {
    json!({ "players": names, "playerStats": stats, "gameState": state, "board": board })
}
