//! People at one table. They share a console, or each person has a page in a browser.
//!
//! [`play`] plays a game with people. The program provides the [`Console`] and stores the record
//! ([`GameFile`]). Pages get their data from a [`Desk`], which has a sheet for each person and one
//! for spectators. Each viewer receives its whole sheet, so a sheet contains only
//! what its viewer may see.

mod adviser;
mod attacks;
mod console;
mod desk;
mod game;
mod heard;
mod page;
mod pages;
mod reading;
mod requests;
mod scene;
mod seat;
mod shared_table;
mod stopped;
mod terminal;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;

use super::http;
use super::metrics::Metrics;
use super::request_guard::RequestGuard;
pub use console::{Console, Line, NextWords};
pub use desk::{Desk, Links, Onlookers, PersonAt, Reply, Request, Table, Taken, Wish};
pub use game::{End, GameFile, PeopleTable, SeatedGame, play};
pub use stopped::TableError;

/// The maximum number of requests per second from one address. All people are on this machine.
const RATE: u32 = 100;

/// Serves the pages of a table on this machine until the desk closes. A shutdown signal closes the
/// desk.
///
/// # Errors
/// Returns an error if the network fails.
pub fn serve(desk: &Arc<Desk>, listener: TcpListener) -> io::Result<()> {
    let guard = RequestGuard::new(RATE, true, Vec::new(), Arc::<Metrics>::default());
    let app: Router = requests::routes().with_state(Arc::clone(desk));
    let closing = Arc::clone(desk);
    let closed = async move {
        tokio::select! {
            () = http::shutdown_signal() => {}
            () = closing.closed() => {}
        }
        closing.close();
    };
    let done = http::run(listener, guard.guard(app), closed);
    desk.close();
    done
}
