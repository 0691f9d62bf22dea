//! The code lab arena. Every client that opens a WebSocket gets an id and all events from the
//! beginning. It may join a game that has not started.
//!
//! Source: the rules of the code lab, section 2 (D7, D8, D10).

mod table;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};

use super::arena_protocol::{ArenaDefaults, ArenaProtocol};
use super::forms;
use super::lobby::{Lobby, SharedLobby};
use super::metrics::count;
use super::request_guard::Peer;
use super::sockets::{Handshake, carry, queue};
use risk_engine::Seats;
use risk_wire::codelab::PROTOCOL;
use table::CodelabTable;

pub(super) static ARENA: ArenaProtocol = ArenaProtocol {
    protocol: &PROTOCOL,
    about: "The code lab over WebSockets, with the ruleset codelab",
    defaults: ArenaDefaults {
        table: 6,
        seats: Seats::Shuffle,
        timeout: 300,
        at_once: 16,
    },
    starts_when_full: true,
    listener: None,
    shows_scores: false,
    form: forms::new_game,
    read_join: |_, _| Err("players join over a WebSocket at /ws".into()),
};

pub(super) fn routes() -> Router<Arc<Lobby>> {
    Router::new()
        .route("/ws", get(enter))
        .route("/new", post(anew).get(require_post))
        .layer(Extension(Arc::<CodelabTable>::default()))
}

/// Refuses GET requests, so an image on another page can't drop the game.
async fn require_post() -> Response {
    let allowed = [(header::ALLOW, "POST")];
    let text = "use POST to drop the game";
    (StatusCode::METHOD_NOT_ALLOWED, allowed, text).into_response()
}

/// Drops the game and begins a new one.
async fn anew(
    State(lobby): SharedLobby,
    Extension(table): Extension<Arc<CodelabTable>>,
    headers: HeaderMap,
) -> Response {
    let secret = &lobby.config.server.secret;
    if secret.is_some_and(|secret| !secret.is_in(&headers)) {
        let ask = [(header::WWW_AUTHENTICATE, "Basic realm=\"a new game\"")];
        let text = "the secret is missing or wrong";
        return (StatusCode::UNAUTHORIZED, ask, text).into_response();
    }
    // Browsers use this header to mark requests from other sites' pages.
    if headers
        .get("sec-fetch-site")
        .is_some_and(|site| site == "cross-site")
    {
        let text = "rejected a request from a page of another site";
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    table.clear(&lobby);
    Redirect::to("/").into_response()
}

async fn enter(
    State(lobby): SharedLobby,
    Extension(table): Extension<Arc<CodelabTable>>,
    Extension(Peer(from)): Extension<Peer>,
    mut request: Request<Body>,
) -> Result<Response, Response> {
    let handshake = Handshake::read(&mut request)?;
    let place = lobby.connect(from, "players")?;
    let (response, socket) = handshake.agree();
    tokio::spawn(async move {
        if let Some(socket) = socket.await {
            count(&lobby.metrics.dialled);
            let (sending, unsent) = queue();
            let visitor = table.enter(&lobby, from, sending);
            let heard = |text: String| {
                table.hear(&lobby, &visitor, text);
                Ok(())
            };
            // `follow` ends the connection when a new game begins.
            tokio::join!(table.follow(&visitor), carry(socket, unsent, heard));
        }
        drop(place);
    });
    Ok(response)
}
