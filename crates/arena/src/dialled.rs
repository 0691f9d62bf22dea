//! Bots that dial in. Each bot opens a WebSocket and joins the open table. If its connection
//! breaks, it can return to its game with a token.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::lobby::{Lobby, Refusal, SharedLobby};
use super::metrics::count;
use super::request_guard::Peer;
use super::secret::bearer;
use super::share::QuotaPermit;
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
fn caller(request: &Request) -> Result<Credentials, Response> {
    let bad = |text: String| Refusal::bad("request::query", text).into_response();
    let query = request.uri().query().unwrap_or_default();
    let mut caller = bearer(request.headers()).map(|token| Credentials::Back(token.to_owned()));
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        let said = match &*key {
            "name" => Credentials::New(value.into_owned()),
            "token" => Credentials::Back(value.into_owned()),
            other => {
                let other = brief(other);
                return Err(bad(format!(
                    "unknown parameter `{other}`: expected `name` or `token`"
                )));
            }
        };
        if caller.replace(said).is_some() {
            return Err(bad("expected one name or one token, found two".to_owned()));
        }
    }
    let text = "missing `name` or `token`: open /bot?name=NAME to join, or /bot?token=TOKEN to \
                reconnect";
    caller.ok_or_else(|| bad(text.to_owned()))
}

/// A bot's seat and its connection.
struct DialledSeat {
    lobby: Arc<Lobby>,
    link: Arc<FrameLink>,
    token: String,
    _place: QuotaPermit,
}

pub(super) async fn dial(
    State(lobby): SharedLobby,
    Extension(Peer(from)): Extension<Peer>,
    mut request: Request<Body>,
) -> Result<Response, Response> {
    let handshake = Handshake::read(&mut request)?;
    let caller = caller(&request)?;
    let place = lobby.connect(from, "bots")?;
    let (link, token, welcome) = seated(&lobby, from, caller).map_err(Refusal::into_response)?;
    let seat = DialledSeat {
        lobby,
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

/// Seats a new player, or finds the seat of a player who returns. Returns the link, the token and
/// the welcome.
fn seated(
    lobby: &Arc<Lobby>,
    from: IpAddr,
    caller: Credentials,
) -> Result<(Arc<FrameLink>, String, Value), Refusal> {
    Ok(match caller {
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
            let welcome = json!({ "type": "welcome", "back": true, "name": name });
            (link, token, welcome)
        }
    })
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
