//! The pages of a game that is played one request at a time: after it, they are closed until the
//! next request.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use serde_json::{Map, Value};

use risk_people::{PageCommand, PageDesk, PageReply, PageSheets, PersonRequest};

/// The sheets of a table, and the requests that its game has not handled yet.
pub(crate) struct Desk {
    pub(crate) sheets: RefCell<PageSheets>,
    requests: RefCell<VecDeque<(usize, PageCommand)>>,
    is_closed: Cell<bool>,
    reply: Rc<RefCell<Option<PageReply>>>,
}

impl Desk {
    pub(crate) fn new(sheets: PageSheets) -> Self {
        Self {
            sheets: RefCell::new(sheets),
            requests: RefCell::default(),
            is_closed: Cell::new(false),
            reply: Rc::default(),
        }
    }

    /// Opens the pages for these requests.
    pub(crate) fn open(&self, requests: impl IntoIterator<Item = (usize, PageCommand)>) {
        self.requests.replace(requests.into_iter().collect());
        self.is_closed.set(false);
        self.reply.take();
    }

    /// Reports whether the last request was fulfilled.
    pub(crate) fn is_done(&self) -> bool {
        *self.reply.borrow() == Some(PageReply::Done)
    }

    /// Returns the reply to the last request.
    pub(crate) fn take_reply(&self) -> Option<PageReply> {
        self.reply.take()
    }
}

/// The desk as a game uses it.
pub(crate) struct SharedDesk(pub(crate) Rc<Desk>);

impl PageDesk for SharedDesk {
    fn begin_again(&self) {
        self.0.sheets.borrow_mut().begin_again();
    }

    fn is_full(&self, seat: Option<usize>) -> bool {
        self.0.sheets.borrow_mut().is_full(seat)
    }

    fn add(&self, seat: Option<usize>, frames: Vec<String>, parts: Map<String, Value>) {
        self.0.sheets.borrow_mut().add(seat, frames, parts);
    }

    fn publish(&self) {
        self.0.sheets.borrow_mut().show();
    }

    fn ask(&self, seat: usize, secret: bool, parts: Map<String, Value>, question: Value) -> u64 {
        let mut sheets = self.0.sheets.borrow_mut();
        sheets.ask(seat, secret, parts, question)
    }

    fn answered(&self, seat: usize) {
        // A game that stops until the next request leaves its questions open.
        if !self.0.is_closed.get() {
            self.0.sheets.borrow_mut().answered(seat);
        }
    }

    fn end(&self, end: Value, replay: Option<String>) {
        self.0.sheets.borrow_mut().end(end, replay);
    }

    fn next_request(&self) -> Option<PersonRequest> {
        let next = self.0.requests.borrow_mut().pop_front();
        let Some((seat, command)) = next else {
            self.0.is_closed.set(true);
            return None;
        };
        let question = self.0.sheets.borrow_mut().open_question(seat);
        let reply = Rc::clone(&self.0.reply);
        Some(PersonRequest {
            seat,
            question: question.unwrap_or(0),
            command,
            reply: Box::new(move |it| {
                reply.replace(Some(it));
            }),
        })
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed.get()
    }
}
