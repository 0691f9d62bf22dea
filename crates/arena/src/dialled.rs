//! Bots that dial in. Each bot opens a WebSocket and joins the open table. If its connection
//! breaks, it can return to its game with a token.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::joining::refused;
use super::lobby::{Lobby, Refusal, SharedLobby};
use super::metrics::count;
use super::request_guard::Peer;
use super::secret::bearer;
use super::share::{QuotaError, QuotaPermit};
use super::sockets::{Handshake, Socket, carry, queue};
use risk_wire::brief;
use risk_wire::transport::frames::{FrameLink, Outbox};

/// The time that a disconnected bot keeps its seat at the open table.
const AWAY: Duration = Duration::from_secs(30);

enum Credentials {
    /// A new player with this name.
    New(String),
    /// A player with the token of a seat.
    Back(String),
}

/// Parses the caller from `name` or `token` in the address, or from the token in the headers.
fn caller(request: &Request) -> Result<Credentials, String> {
    let query = request.uri().query().unwrap_or_default();
    let mut caller = bearer(request.headers()).map(|token| Credentials::Back(token.to_owned()));
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        let said = match &*key {
            "name" => Credentials::New(value.into_owned()),
            "token" => Credentials::Back(value.into_owned()),
            other => {
                return Err(format!(
                    "unknown parameter `{}`: expected `name` or `token`",
                    brief(other)
                ));
            }
        };
        if caller.replace(said).is_some() {
            return Err("expected one name or one token, found two".to_owned());
        }
    }
    caller.ok_or_else(|| {
        "missing `name` or `token`: open /bot?name=NAME to join, or /bot?token=TOKEN to reconnect"
            .to_owned()
    })
}

pub(super) async fn dial(
    State(lobby): SharedLobby,
    Extension(Peer(from)): Extension<Peer>,
    mut request: Request<Body>,
) -> Response {
    let handshake = match Handshake::read(&mut request) {
        Ok(handshake) => handshake,
        Err(refused) => return refused,
    };
    match answer(&lobby, from, &request, handshake) {
        Ok(response) => response,
        Err(refusal) => refused(&refusal),
    }
}

/// A bot's seat and its connection.
struct DialledSeat {
    lobby: Arc<Lobby>,
    link: Arc<FrameLink>,
    token: String,
    _place: QuotaPermit,
}

fn answer(
    lobby: &Arc<Lobby>,
    from: IpAddr,
    request: &Request,
    handshake: Handshake,
) -> Result<Response, Refusal> {
    let caller = caller(request).map_err(|text| Refusal::bad("request::query", text))?;
    let place = match lobby.sockets.take(from) {
        Ok(place) => place,
        Err(QuotaError::ForOne) => {
            let text = "too many bots from your address are connected";
            return Ok((StatusCode::TOO_MANY_REQUESTS, text).into_response());
        }
        Err(QuotaError::ForAll) => {
            let text = "too many bots are connected; try again";
            return Err(Refusal::not_now("arena::too-many-sockets", text));
        }
    };
    let (link, token, welcome) = match caller {
        Credentials::New(name) => {
            let (joined, link) = lobby.dial(name, from)?;
            let token = joined.token.unwrap_or_default();
            let welcome = json!({
                "type": "welcome", "match": joined.number, "missing": joined.missing, "token": token,
                "commitment": joined.commitment,
            });
            (link, token, welcome)
        }
        Credentials::Back(token) => {
            let (link, name) = lobby.link(&token)?;
            (
                link,
                token,
                json!({ "type": "welcome", "back": true, "name": name }),
            )
        }
    };
    let seat = DialledSeat {
        lobby: Arc::clone(lobby),
        link,
        token,
        _place: place,
    };
    let (response, socket) = handshake.agree();
    let welcome = welcome.to_string();
    tokio::spawn(async move {
        if let Some(socket) = socket.await {
            seat.speak(socket, &welcome).await;
        }
        stay_away(seat).await;
    });
    Ok(response)
}

impl DialledSeat {
    /// Carries messages over a connection until it ends.
    async fn speak(&self, socket: Socket, welcome: &str) {
        count(&self.lobby.metrics.dialled);
        let (mut sending, unsent) = queue();
        sending.say(welcome);
        let Ok(number) = self.link.connect(Box::new(sending)) else {
            // The queue contains the reason.
            carry(socket, unsent, |_| Ok(())).await;
            return;
        };
        begin(self);
        let why = carry(socket, unsent, |text| {
            Ok(self.link.receive(number, text)?)
        })
        .await;
        self.link.disconnect(number, &why);
    }
}

/// Begins the match if this bot was the last missing player.
fn begin(seat: &DialledSeat) {
    if let Err(refusal) = seat.lobby.begin_if_full() {
        (seat.lobby.hooks.tell)(&refusal.text);
    }
}

/// Keeps the seat of a disconnected bot for a while if its match has not begun.
async fn stay_away(seat: DialledSeat) {
    let DialledSeat {
        lobby,
        link,
        token,
        _place,
    } = seat;
    drop(_place);
    if lobby.is_waiting(&token) {
        let connections = link.connections();
        tokio::time::sleep(AWAY).await;
        // A bot that has reconnected in the meantime has its own timer, even if it has disconnected
        // again.
        if link.connections() == connections {
            lobby.give_up(&token);
        }
    }
}
