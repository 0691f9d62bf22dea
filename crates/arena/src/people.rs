//! People at one table, who are asked at a console, or each at a page in a browser.
//!
//! [`play`] plays a game with them; the program brings the [`Console`] and keeps the record
//! ([`GameFile`]). Pages are told what a [`Desk`] has for them: a sheet for each person and one for
//! spectators. What a sheet holds is all that its viewer is sent: nothing is hidden by a page.

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

/// Requests a second from one address: all people are on this machine.
const RATE: u32 = 100;

/// Serves the pages of a table on this machine, until the desk closes or the program is told to
/// end: then the desk closes.
///
/// # Errors
/// When the network fails.
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
