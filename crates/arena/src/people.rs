//! People at one table, each at a page in a browser: what pages are told, and what they say.
//!
//! Whoever plays the game fills the sheets of a [`Desk`], one for each person and one for whoever
//! looks on, and takes requests from it. What a sheet holds is all that its viewer is sent:
//! nothing is hidden by a page.

mod desk;
mod requests;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;

use super::http;
use super::metrics::Metrics;
use super::request_guard::RequestGuard;
pub use desk::{Desk, PersonAt, Reply, Request, Table, Taken, Wish};

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
