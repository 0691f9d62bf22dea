//! Servers: a bot of ours that any arena can ask, and the arenas themselves.

mod arena_config;
mod arena_protocol;
mod arenas;
pub mod bot;
pub mod bounded;
mod broadcasts;
mod callback;
mod codelab;
mod connections;
mod declared;
mod dialled;
mod error;
mod hacker_risk;
mod hosted;
mod hosted_match;
mod http;
mod joining;
mod json;
mod ladder;
mod listing;
mod lobby;
mod metrics;
mod page;
pub mod people;
pub mod random;
mod registration;
mod request_guard;
pub mod secret;
pub mod share;
mod sockets;
mod timeline;
mod told;
mod watch;
mod watched;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;

pub use arena_config::{ArenaConfig, ArenaHooks};
pub use arena_protocol::{ArenaDefaults, ArenaProtocol};
pub use arenas::{ARENAS, arena_named};
pub use error::ArenaError;
pub use ladder::{LadderServer, serve as ladder};
use lobby::Lobby;
use metrics::Metrics;
use request_guard::RequestGuard;
use risk_engine::ScriptLimits;
pub use sockets::read_frames;

/// An arena: serves until the program is told to end: then nobody joins any more, and the
/// matches under way are played to their ends, as far as they reach them in the time that
/// `config` gives them.
///
/// # Errors
/// When the network fails, or nothing counts the memory of scripts.
pub fn arena(config: ArenaConfig, hooks: ArenaHooks, listener: TcpListener) -> io::Result<()> {
    let counted = ScriptLimits::counted().check_memory();
    counted.map_err(io::Error::other)?;
    let metrics = Arc::<Metrics>::default();
    let counted = Arc::clone(&metrics);
    let guard = RequestGuard::new(
        config.rate,
        config.local_only,
        config.hosts.clone(),
        counted,
    );
    let routes = arenas::routes(config.arena).merge(watch::routes());
    let lobby = Arc::new(Lobby::new(config, hooks, metrics));
    let app: Router = routes.with_state(Arc::clone(&lobby));
    let closed = async move { lobby.close().await };
    http::run(listener, guard.guard(app), closed)
}
