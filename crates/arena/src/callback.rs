//! The requests of the callback arena, in both dialects. A player's dialect follows from the join
//! request. The dialect of the client that starts the match follows from the location of the
//! secret.
//!
//! Source: the rules of the simplified game, sections 1 and 4 (S7, S8, S29).

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use maud::Markup;
use serde_json::{Value, json};

use super::arena_protocol::{ArenaDefaults, ArenaProtocol};
use super::lobby::{Lobby, Refusal, SharedLobby};
use super::match_server::MatchServer;
use super::random::token;
use super::request_guard::Peer;
use risk_engine::Seats;
use risk_kernel::state::GameState;
use risk_wire::callback::{
    Dialect, PROTOCOL, PlayerStats, Stage, cell, read_join, read_secret, status,
};

pub(super) static ARENA: ArenaProtocol = ArenaProtocol {
    protocol: &PROTOCOL,
    about: "Place-then-attack arenas, with the ruleset simplified",
    defaults: ArenaDefaults {
        table: 8,
        seats: Seats::Fixed,
        timeout: 10,
        at_once: 1,
    },
    starts_when_full: false,
    listener: None,
    shows_scores: true,
    form: Markup::default,
    read_join: |_, body| read_join(body).1,
};

pub(super) fn routes() -> Router<Arc<Lobby>> {
    Router::new()
        .route("/join", post(join))
        .route("/startgame", post(start))
        .route("/restartgame", post(restart))
        .route("/status", get(send_status))
}

async fn join(
    State(lobby): SharedLobby,
    Extension(Peer(from)): Extension<Peer>,
    body: Bytes,
) -> Response {
    let (dialect, request) = read_join(&body);
    let joined = match request {
        Ok(request) => lobby.join(request, from).await,
        Err(error) => Err(Refusal::bad("request::body", error)),
    };
    match (dialect, joined) {
        (Dialect::Seed, Ok(joined)) => joined.into_response(),
        // This dialect always returns a token, even to a bot that joins again and knows its token.
        (Dialect::Snow, Ok(joined)) => {
            let token = joined.token.unwrap_or_else(token);
            Json(json!({ "token": token })).into_response()
        }
        (Dialect::Seed, Err(refusal)) if refusal.status == StatusCode::CONFLICT => {
            (StatusCode::CONFLICT, refusal.text).into_response()
        }
        (_, Err(refusal)) => (
            StatusCode::BAD_REQUEST,
            format!("Unable to join game: {}", refusal.text),
        )
            .into_response(),
    }
}

/// Checks the secret and returns the client's dialect. A `secretCode` in the body means snow.
fn authenticated(lobby: &Lobby, headers: &HeaderMap, body: &[u8]) -> Result<Dialect, Response> {
    let refuse = |status: StatusCode, text: &str| Err((status, text.to_owned()).into_response());
    let Some(secret) = lobby.config.server.secret else {
        return refuse(
            StatusCode::FORBIDDEN,
            "this arena has no secret and can't start a match on request",
        );
    };
    match read_secret(body) {
        Err(wrong) => refuse(StatusCode::BAD_REQUEST, &wrong.to_string()),
        Ok(Some(code)) if secret.is(&code) => Ok(Dialect::Snow),
        Ok(Some(_)) => refuse(
            StatusCode::BAD_REQUEST,
            "Secret code doesn't match, unable to start game.",
        ),
        Ok(None) if secret.is_in(headers) => Ok(Dialect::Seed),
        Ok(None) if headers.contains_key(header::AUTHORIZATION) => {
            refuse(StatusCode::FORBIDDEN, "the secret is wrong")
        }
        Ok(None) => refuse(
            StatusCode::UNAUTHORIZED,
            "missing secret: send it as Authorization: Bearer, as a password, or as secretCode in \
             JSON",
        ),
    }
}

async fn start(State(lobby): SharedLobby, headers: HeaderMap, body: Bytes) -> Response {
    let dialect = match authenticated(&lobby, &headers, &body) {
        Ok(dialect) => dialect,
        Err(refused) => return refused,
    };
    match (lobby.start(), dialect) {
        (Ok(hosted), Dialect::Seed) => Json(json!({ "match": hosted.number })).into_response(),
        // This dialect replies after the match is over.
        (Ok(hosted), Dialect::Snow) => {
            hosted.over().await;
            hosted.end().unwrap_or_default().into_response()
        }
        (Err(refusal), Dialect::Seed) => (StatusCode::CONFLICT, refusal.text).into_response(),
        (Err(refusal), Dialect::Snow) => (StatusCode::BAD_REQUEST, refusal.text).into_response(),
    }
}

async fn restart(State(lobby): SharedLobby, headers: HeaderMap, body: Bytes) -> Response {
    if let Err(refused) = authenticated(&lobby, &headers, &body) {
        return refused;
    }
    match lobby.again() {
        Ok(1) => "1 player is back at the table".into_response(),
        Ok(count) => format!("{count} players are back at the table").into_response(),
        Err(refusal) => (StatusCode::BAD_REQUEST, refusal.text).into_response(),
    }
}

async fn send_status(State(lobby): SharedLobby) -> Json<Value> {
    let waiting = lobby.waiting();
    let hosted = lobby
        .newest()
        .filter(|hosted| waiting.is_empty() || !hosted.is_over());
    let setup = &lobby.config.setup;
    let board = &setup.rules.board;
    let Some(hosted) = hosted else {
        let house = setup.bots.iter().map(|spec| spec.name.clone());
        let names: Vec<String> = waiting.into_iter().chain(house).collect();
        let stats = vec![PlayerStats::default(); names.len()];
        let territories = board.territories();
        let cells: Vec<Value> = territories.map(|at| cell(board, at, None, 0)).collect();
        return Json(status(&names, &stats, Stage::Joining, &cells));
    };
    let shown = hosted.shown();
    let mut stats = Vec::new();
    let mut cells = Vec::new();
    let mut stage = Stage::Deploying;
    if let Some(game) = &shown.game {
        if game.turn() > 0 {
            stage = Stage::Attacking;
        }
        if shown.is_open() {
            stats = stats_of(game, &shown.scores);
            let owner = |at| {
                game.owner(at)
                    .map(|player| hosted.names[player.index()].as_str())
            };
            let territories = board.territories();
            cells = territories
                .map(|at| cell(board, at, owner(at), i64::from(game.armies(at))))
                .collect();
        }
    }
    drop(shown);
    if hosted.is_over() {
        stage = Stage::Over;
    }
    Json(status(&hosted.names, &stats, stage, &cells))
}

fn stats_of(game: &GameState, scores: &[i64]) -> Vec<PlayerStats> {
    let stats = game.seats().map(|player| PlayerStats {
        armies: game.strength(player),
        territories: game.territory_count(player),
        score: scores.get(player.index()).copied().unwrap_or_default(),
    });
    stats.collect()
}
