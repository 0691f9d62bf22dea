//! The connection between a game and the pages of its people, which are served by other threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use tokio::sync::{oneshot, watch};

use super::super::random::token;
use super::super::secret::Secret;
use risk_people::{
    Onlookers, PageCommand, PageDesk, PageReply, PageSheets, PersonRequest, TableDetails, Viewer,
};

/// The maximum number of pending requests of one person.
const MOST_WAITING: usize = 16;

/// A message from the pages to the game.
enum HubMessage {
    Request(PageRequest),
    Closed,
}

/// A request of a person, with the way back to the sender.
struct PageRequest {
    seat: usize,
    question: u64,
    command: PageCommand,
    reply: oneshot::Sender<PageReply>,
}

/// The connection between a game and the pages of its people.
pub(super) struct PageHub {
    pub(super) table: TableDetails,
    /// The secret of each person's link, followed by the secret of the spectators' link, if there
    /// is one.
    secrets: Vec<Secret>,
    sheets: Mutex<PageSheets>,
    /// The number of pending requests, by person.
    waiting: Vec<AtomicUsize>,
    /// The number of requests that wait for a new version, by viewer.
    readers: Vec<AtomicUsize>,
    requests: Sender<HubMessage>,
    news: watch::Sender<u64>,
    is_closed: AtomicBool,
}

impl PageHub {
    /// Creates the hub of a table. Returns it with the tokens of its links, people first, and the
    /// receiver of requests. Spectators need a token if they see more than the public.
    ///
    /// # Panics
    /// Panics if the system has no random numbers.
    pub(super) fn new(table: TableDetails) -> (Arc<Self>, Vec<String>, HubDesk) {
        let has_token = matches!(table.onlookers, Onlookers::All | Onlookers::Seat(_));
        let links = table.people.len() + usize::from(has_token);
        let tokens: Vec<String> = (0..links).map(|_| token()).collect();
        let secret = |token: &String| Secret::new(token).expect("generated tokens are long enough");
        let (requests, received) = channel();
        let hub = Arc::new(Self {
            secrets: tokens.iter().map(secret).collect(),
            waiting: table.people.iter().map(|_| AtomicUsize::new(0)).collect(),
            readers: table.games.iter().map(|_| AtomicUsize::new(0)).collect(),
            sheets: Mutex::new(PageSheets::new(&table)),
            table,
            requests,
            news: watch::Sender::new(0),
            is_closed: AtomicBool::new(false),
        });
        let desk = HubDesk(Arc::clone(&hub), received);
        (hub, tokens, desk)
    }

    pub(super) fn sheets(&self) -> MutexGuard<'_, PageSheets> {
        self.sheets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the sheets, and wakes the viewers that wait for news.
    fn change<T>(&self, change: impl FnOnce(&mut PageSheets) -> T) -> T {
        let changed = change(&mut self.sheets());
        self.news.send_modify(|count| *count += 1);
        changed
    }

    /// Returns the holder of a token. Each comparison takes constant time, and all tokens are
    /// compared.
    pub(super) fn holder(&self, token: &str) -> Option<Viewer> {
        let secrets = self.secrets.iter().enumerate();
        secrets.fold(None, |found, (at, secret)| {
            let fits = secret.is(token);
            found.or(fits.then_some(Viewer(at)))
        })
    }

    /// Returns the viewer for a spectator without a token, if the table allows it.
    pub(super) fn onlooker(&self) -> Option<Viewer> {
        let open = self.table.onlookers == Onlookers::Public;
        open.then_some(Viewer(self.table.people.len()))
    }

    /// Returns a counter that changes whenever a sheet may have changed.
    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// Passes a request to the game. Returns `None` if this person already has too many pending
    /// requests, or if the game has ended.
    pub(super) async fn request(
        &self,
        viewer: Viewer,
        question: u64,
        command: PageCommand,
    ) -> Option<PageReply> {
        let seat = self.sheets().seat(viewer)?;
        let _under_way = Waiting::begin(&self.waiting[viewer.0], MOST_WAITING)?;
        let (reply, replied) = oneshot::channel();
        let request = PageRequest {
            seat,
            question,
            command,
            reply,
        };
        self.requests.send(HubMessage::Request(request)).ok()?;
        replied.await.ok()
    }

    /// Registers a viewer that waits for news, unless `most` of its requests already wait.
    pub(super) fn wait(&self, viewer: Viewer, most: usize) -> Option<Waiting<'_>> {
        Waiting::begin(&self.readers[viewer.0], most)
    }

    /// Closes the pages. After that, nothing is shown or asked.
    pub(super) fn close(&self) {
        if !self.is_closed.swap(true, Ordering::SeqCst) {
            // A game that is over receives nothing.
            let _ = self.requests.send(HubMessage::Closed);
            self.news.send_modify(|count| *count += 1);
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::SeqCst)
    }

    /// Waits until the pages are closed.
    pub(super) async fn closed(&self) {
        let mut news = self.news();
        while !self.is_closed() && news.changed().await.is_ok() {}
    }
}

/// A guard that counts a request until it is answered or its sender disconnects.
pub(super) struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize, most: usize) -> Option<Self> {
        let one = Self(count);
        (count.fetch_add(1, Ordering::SeqCst) < most).then_some(one)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The side of the game.
pub(super) struct HubDesk(Arc<PageHub>, Receiver<HubMessage>);

impl PageDesk for HubDesk {
    fn begin_again(&self) {
        self.0.sheets().begin_again();
    }

    fn is_full(&self, seat: Option<usize>) -> bool {
        self.0.sheets().is_full(seat)
    }

    fn add(&self, seat: Option<usize>, frames: Vec<String>, parts: Map<String, Value>) {
        self.0.sheets().add(seat, frames, parts);
    }

    fn publish(&self) {
        self.0.change(PageSheets::show);
    }

    fn ask(&self, seat: usize, secret: bool, parts: Map<String, Value>, question: Value) -> u64 {
        self.0
            .change(|sheets| sheets.ask(seat, secret, parts, question))
    }

    fn answered(&self, seat: usize) {
        self.0.change(|sheets| sheets.answered(seat));
    }

    fn end(&self, end: Value, replay: Option<String>) {
        self.0.change(|sheets| sheets.end(end, replay));
    }

    fn next_request(&self) -> Option<PersonRequest> {
        match self.1.recv() {
            Ok(HubMessage::Request(PageRequest {
                seat,
                question,
                command,
                reply,
            })) => Some(PersonRequest {
                seat,
                question,
                command,
                reply: Box::new(|it| {
                    let _ = reply.send(it);
                }),
            }),
            Ok(HubMessage::Closed) | Err(_) => None,
        }
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}
