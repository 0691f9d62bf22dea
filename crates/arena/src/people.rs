//! People at one table. They share a console, or each person has a page in a browser.
//!
//! [`play`] plays a game with people. The program provides the [`Console`] and stores the record
//! ([`GameFile`]). Pages get their data from a [`PageHub`], which has a state for each person and
//! one for spectators. Each viewer receives its whole state, so a state contains only what its
//! viewer may see.

mod adviser;
mod aims;
mod assignment;
mod attack_list;
mod attack_report;
mod attacks;
mod card_sets;
mod commands;
mod console;
mod game;
mod interruption;
mod offered;
mod page;
mod page_hub;
mod pages;
mod phase_plan;
mod reading;
mod requests;
mod scene;
mod seat;
mod shared_table;
mod spelling;
mod terminal;
mod terrain;
mod viewer_story;
mod why_not;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;

use super::http;
use super::metrics::Metrics;
use super::request_guard::RequestGuard;
pub use console::{Console, Line, NextWords};
pub use game::{GameEnd, GameFile, PeopleGame, PeopleTable, play};
pub use interruption::TableError;
pub use page_hub::{
    HubMessage, Links, Onlookers, PageCommand, PageHub, PageReply, PersonLink, PersonRequest,
    TableDetails,
};

/// Serves the pages of a table on this machine until the desk closes. A shutdown signal closes the
/// desk.
///
/// # Errors
/// Returns an error if the network fails.
pub fn serve(desk: &Arc<PageHub>, listener: TcpListener) -> io::Result<()> {
    // Everyone here uses this machine, and a browser whose key is held down may ask often.
    let no_rate = None;
    let guard = RequestGuard::new(no_rate, true, Vec::new(), Arc::<Metrics>::default());
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
