//! Pages for people at one table, each with a link of its own, and a page for spectators.
//!
//! The game is played by `risk-people`; [`serve_table`] serves its pages on this machine.

mod page_hub;
mod requests;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::Router;

use super::http;
use super::metrics::Metrics;
use super::request_guard::RequestGuard;
use page_hub::{HubDesk, PageHub};
use risk_people::{Onlookers, PageDesk, TableDetails, TableError};
use risk_text::escape_control;

/// The served pages of a table. They close when it is dropped.
pub struct TableServer {
    hub: Arc<PageHub>,
    server: Option<JoinHandle<io::Result<()>>>,
}

impl TableServer {
    /// Waits until the pages are closed by a shutdown signal.
    pub fn wait(mut self) {
        self.join();
    }

    fn join(&mut self) {
        if let Some(server) = self.server.take() {
            // An error in the server has already closed the pages.
            let _ = server.join();
        }
    }
}

impl Drop for TableServer {
    fn drop(&mut self) {
        self.hub.close();
        self.join();
    }
}

/// Serves the pages of a table on this port of this machine, and prints their addresses. If the
/// port is 0, a free port is used. A shutdown signal closes the pages.
///
/// # Errors
/// Returns an error if the port is not available or the addresses can't be printed.
pub fn serve_table(
    port: u16,
    table: TableDetails,
    say: &mut dyn FnMut(&str) -> Result<(), TableError>,
) -> Result<(TableServer, Box<dyn PageDesk>), TableError> {
    let unbound = |error: io::Error| {
        let text = format!("can't listen on port {port}: {error}");
        let help = "choose another --port, or omit it to use a free one";
        TableError::input("cli::port", text, help)
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(unbound)?;
    let address = listener.local_addr().map_err(unbound)?;
    let (hub, tokens, desk) = PageHub::new(table);
    let serving = Arc::clone(&hub);
    let server = std::thread::spawn(move || serve(&serving, listener));
    print_links(&address.to_string(), &tokens, &hub.table, say)?;
    let server = TableServer {
        hub,
        server: Some(server),
    };
    let desk: HubDesk = desk;
    Ok((server, Box::new(desk)))
}

fn serve(hub: &Arc<PageHub>, listener: TcpListener) -> io::Result<()> {
    // Everyone here uses this machine, and a browser whose key is held down may ask often.
    let no_rate = None;
    let guard = RequestGuard::new(no_rate, true, Vec::new(), Arc::<Metrics>::default());
    let app: Router = requests::routes().with_state(Arc::clone(hub));
    let closing = Arc::clone(hub);
    let closed = async move {
        tokio::select! {
            () = http::shutdown_signal() => {}
            () = closing.closed() => {}
        }
        closing.close();
    };
    let done = http::run(listener, guard.guard(app), closed);
    hub.close();
    done
}

/// Prints the addresses of each person's page and of the spectators' page.
fn print_links(
    address: &str,
    tokens: &[String],
    table: &TableDetails,
    say: &mut dyn FnMut(&str) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let name_of = |seat: usize| escape_control(&table.names[seat]);
    let people = table.people.iter();
    let who = people.map(|&seat| Some(format!("{} plays", name_of(seat))));
    let onlookers = match table.onlookers {
        Onlookers::Public => Some("spectators".to_owned()),
        Onlookers::All => Some("spectators, who see all territories and cards".to_owned()),
        Onlookers::Seat(seat) => Some(format!("spectators, who see what {} sees", name_of(seat))),
        Onlookers::None => None,
    };
    // Spectators who see what everyone may see need no token.
    let marks = tokens.iter().map(|token| format!("#{token}"));
    let marks = marks.chain([String::new()]);
    let rows = who.chain([onlookers]).zip(marks);
    let rows: Vec<(String, String)> = rows.filter_map(|(who, mark)| Some((who?, mark))).collect();
    let wide = rows.iter().map(|(who, _)| who.chars().count()).max();
    let wide = wide.unwrap_or(0);
    for (who, mark) in rows {
        say(&format!("  {who:<wide$}  http://{address}/{mark}"))?;
    }
    say("  anyone with a link can play its seat; Ctrl-C ends and keeps the game")
}
