//! Bots that dial in: each opens a WebSocket, sits down at the open table, and may come back to
//! its game by a token when the connection breaks.

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
use super::share::{Full, Share};
use super::sockets::{Handshake, Socket, carry, queue};
use risk_wire::brief;
use risk_wire::transport::frames::{FrameLink, Outbox};

/// How long a bot may be away from the open table.
const AWAY: Duration = Duration::from_secs(30);

/// Who dials in.
enum Caller {
    /// Somebody who wants to play under this name.
    New(String),
    /// Somebody with the token of a seat.
    Back(String),
}

/// Reads who dials in: `name` or `token` in the address, or the token in the head.
fn caller(request: &Request) -> Result<Caller, String> {
    let query = request.uri().query().unwrap_or_default();
    let mut caller = bearer(request.headers()).map(|token| Caller::Back(token.to_owned()));
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        let said = match &*key {
            "name" => Caller::New(value.into_owned()),
            "token" => Caller::Back(value.into_owned()),
            other => {
                return Err(format!(
                    "there is no `{}`; there are name, token",
                    brief(other)
                ));
            }
        };
        if caller.replace(said).is_some() {
            return Err("say either a name or a token, once".to_owned());
        }
    }
    caller.ok_or_else(|| {
        "say who dials in: /bot?name=ann to join, /bot?token=… to come back".to_owned()
    })
}

/// A bot opens a WebSocket.
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

/// A bot's seat, as it is told of it, and what goes with its connection.
struct Seat {
    lobby: Arc<Lobby>,
    link: Arc<FrameLink>,
    token: String,
    _place: Share,
}

fn answer(
    lobby: &Arc<Lobby>,
    from: IpAddr,
    request: &Request,
    handshake: Handshake,
) -> Result<Response, Refusal> {
    let caller = caller(request).map_err(Refusal::Bad)?;
    let place = match lobby.sockets.take(from) {
        Ok(place) => place,
        Err(Full::ForOne) => {
            let text = "too many bots of your address are connected";
            return Ok((StatusCode::TOO_MANY_REQUESTS, text).into_response());
        }
        Err(Full::ForAll) => {
            let text = "too many bots are connected; try again";
            return Err(Refusal::NotNow(text.to_owned()));
        }
    };
    let (link, token, welcome) = match caller {
        Caller::New(name) => {
            let (joined, link) = lobby.dial(name, from)?;
            let token = joined.token.unwrap_or_default();
            let welcome = json!({
                "type": "welcome", "match": joined.number, "missing": joined.missing, "token": token,
                "commitment": joined.commitment,
            });
            (link, token, welcome)
        }
        Caller::Back(token) => {
            let (link, name) = lobby.link(&token)?;
            (
                link,
                token,
                json!({ "type": "welcome", "back": true, "name": name }),
            )
        }
    };
    let seat = Seat {
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

impl Seat {
    /// Carries what is said over a connection until it ends.
    async fn speak(&self, socket: Socket, welcome: &str) {
        count(&self.lobby.metrics.dialled);
        let (mut sending, unsent) = queue();
        sending.say(welcome);
        let Ok(number) = self.link.connect(Box::new(sending)) else {
            // The queue says why.
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

/// Begins the match if this bot was the last that it waited for.
fn begin(seat: &Seat) {
    if let Err(refusal) = seat.lobby.begin_if_full() {
        (seat.lobby.hooks.tell)(refusal.text());
    }
}

/// A bot whose connection broke before its match began keeps its seat for a while.
async fn stay_away(seat: Seat) {
    let Seat {
        lobby,
        link,
        token,
        _place,
    } = seat;
    drop(_place);
    if lobby.is_waiting(&token) {
        let connections = link.connections();
        tokio::time::sleep(AWAY).await;
        // One that was there meanwhile, and broke again, has its own time.
        if link.connections() == connections {
            lobby.give_up(&token);
        }
    }
}
