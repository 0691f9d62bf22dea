//! Servers: a bot of ours that any arena can ask, and the arenas themselves.

pub mod bot;
pub mod bounded;
mod callback;
mod hacker_risk;
mod hosted;
mod http;
pub mod lobby;
mod page;
pub mod secret;
pub mod share;
mod watch;

use std::io;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::sync::Arc;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};

use http::RequestGuard;
use lobby::{ArenaProtocol, Lobby};

/// Reads how a player registers at an arena of this protocol, with a content type or none: the name
/// and the address.
///
/// # Errors
/// What is wrong with the request.
pub fn read_join(
    protocol: ArenaProtocol,
    kind: Option<&str>,
    body: &[u8],
) -> Result<(String, String), String> {
    let nobody = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let mut headers = HeaderMap::new();
    if let Some(Ok(kind)) = kind.map(HeaderValue::from_str) {
        headers.insert(CONTENT_TYPE, kind);
    }
    let guest = match protocol {
        ArenaProtocol::HackerRisk => hacker_risk::guest(&headers, body, nobody),
        ArenaProtocol::Callback => callback::guest(body, nobody).map_err(|(_, wrong)| wrong),
    }?;
    Ok((guest.name, guest.url))
}

/// An arena: serves until the program is told to end: then nobody joins any more, and the matches
/// under way are played to their ends, as far as they reach them in the time that `plan` gives
/// them.
///
/// # Errors
/// When the network fails.
pub fn arena(
    plan: lobby::ArenaConfig,
    desk: lobby::ArenaHooks,
    listener: TcpListener,
) -> io::Result<()> {
    let gate = RequestGuard::new(plan.rate, plan.local_only, plan.hosts.clone());
    let protocol = plan.protocol;
    let lobby = Arc::new(Lobby::new(plan, desk));
    let own = match protocol {
        ArenaProtocol::HackerRisk => hacker_risk::routes(),
        ArenaProtocol::Callback => callback::routes(),
    };
    let app: Router = own.merge(watch::routes()).with_state(Arc::clone(&lobby));
    http::run(
        listener,
        gate.guard(app),
        async move { lobby.close().await },
    )
}
