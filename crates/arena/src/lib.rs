#![doc = include_str!("../README.md")]
//!
//! # Where to find what
//!
//! [`arena`] serves one of [`ARENAS`], [`ladder`] serves a ladder of submitted scripts, and
//! [`bot::serve`] serves a bot.
//!
//! # Invariants
//!
//! * Requests and resources are limited per address.
//! * The public sees only what spectators may see. Secrets are stored as hashes.
//! * Each game runs on its own thread, never on the serving thread.
//! * Untrusted scripts run only if their memory is counted.

mod arena_config;
mod arena_protocol;
mod arenas;
pub mod bot;
pub mod bounded;
mod broadcasts;
mod callback;
mod codelab;
mod connections;
mod dialled;
mod error;
mod forms;
mod hacker_risk;
mod hosted;
mod hosted_match;
mod http;
mod joining;
mod json;
mod ladder;
mod listing;
mod lobby;
mod match_frames;
mod match_server;
mod metrics;
mod page;
pub mod people;
pub mod random;
mod registration;
mod request_guard;
pub mod secret;
pub mod share;
mod sockets;
mod watch;
mod web;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;

pub use arena_config::{ArenaConfig, ArenaHooks, ServerConfig};
pub use arena_protocol::{ArenaDefaults, ArenaProtocol};
pub use arenas::{ARENAS, arena_named};
pub use error::ArenaError;
pub use ladder::{LadderServer, serve as ladder};
use lobby::Lobby;
use metrics::Metrics;
use risk_engine::script::ScriptLimits;
pub use sockets::read_frames;

/// Serves an arena until a shutdown signal. After the signal, no more players can join, but running
/// matches may continue for the grace period of `config`.
///
/// # Errors
/// Returns an error if the network fails, or if the memory of scripts is not counted.
pub fn arena(config: ArenaConfig, hooks: ArenaHooks, listener: TcpListener) -> io::Result<()> {
    let counted = ScriptLimits::counted().check_memory();
    counted.map_err(io::Error::other)?;
    let metrics = Arc::<Metrics>::default();
    let guard = config.server.guard(&metrics);
    let routes = arenas::routes(config.arena).merge(watch::routes());
    let lobby = Arc::new(Lobby::new(config, hooks, metrics));
    let app: Router = routes.with_state(Arc::clone(&lobby));
    let closed = async move { lobby.close().await };
    http::run(listener, guard.guard(app), closed)
}
