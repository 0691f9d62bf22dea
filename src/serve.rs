//! Servers: a bot of ours that any arena can ask, and the arenas themselves.

pub mod bot;
mod callback;
mod hacker_risk;
mod hosted;
mod http;
pub mod lobby;
mod page;
pub mod secret;
mod watch;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;

use http::Gate;
use lobby::{Lobby, Protocol};

/// An arena: serves until the program is told to end: then nobody joins any more, and the matches under way are
/// played to their ends, as far as they reach them in the time that `plan` gives them.
///
/// # Errors
/// When the network fails.
pub fn arena(plan: lobby::Plan, desk: lobby::Desk, listener: TcpListener) -> io::Result<()> {
    let gate = Gate::new(plan.rate, plan.local_only, plan.hosts.clone());
    let protocol = plan.protocol;
    let lobby = Arc::new(Lobby::new(plan, desk));
    let own = match protocol {
        Protocol::HackerRisk => hacker_risk::routes(),
        Protocol::Callback => callback::routes(),
    };
    let app: Router = own.merge(watch::routes()).with_state(Arc::clone(&lobby));
    http::run(listener, gate.guard(app), async move { lobby.close().await })
}
