//! The pages of a game that is played one request at a time: after it, they are closed until the
//! next request. Each request plays secret answers again. The sheets show only which questions are
//! left open by the last one, so that people do not see when others answer.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use serde_json::{Map, Value};

use risk_people::{PageCommand, PageDesk, PageReply, PageSheets, PersonRequest};

/// A question to a person.
struct Question {
    /// Its number among the questions to all people. Sheets count those of their seat.
    number: u64,
    is_secret: bool,
    parts: Map<String, Value>,
    text: Value,
}

impl Question {
    /// Reports whether a person sees no difference.
    fn is_same(&self, other: &Self) -> bool {
        self.is_secret == other.is_secret && self.parts == other.parts && self.text == other.text
    }
}

/// The sheets of a table, and the requests that its game has not handled yet.
pub(crate) struct Desk {
    pub(crate) sheets: RefCell<PageSheets>,
    requests: RefCell<VecDeque<(usize, PageCommand)>>,
    /// The questions since the pages were opened, by seat; `None` for those who have answered.
    asked: RefCell<BTreeMap<usize, Option<Question>>>,
    /// The open questions on the sheets, by seat.
    shown: RefCell<BTreeMap<usize, Question>>,
    questions: Cell<u64>,
    is_closed: Cell<bool>,
    reply: Rc<RefCell<Option<PageReply>>>,
}

impl Desk {
    pub(crate) fn new(sheets: PageSheets) -> Self {
        Self {
            sheets: RefCell::new(sheets),
            requests: RefCell::default(),
            asked: RefCell::default(),
            shown: RefCell::default(),
            questions: Cell::new(0),
            is_closed: Cell::new(false),
            reply: Rc::default(),
        }
    }

    /// Opens the pages for these requests.
    pub(crate) fn open(&self, requests: impl IntoIterator<Item = (usize, PageCommand)>) {
        self.requests.replace(requests.into_iter().collect());
        self.asked.take();
        self.is_closed.set(false);
        self.reply.take();
    }

    /// Closes the pages, and shows the open questions. A question that was open before keeps its
    /// number.
    fn close(&self) {
        self.is_closed.set(true);
        let mut sheets = self.sheets.borrow_mut();
        let mut shown = self.shown.borrow_mut();
        let mut changed = Vec::new();
        for (seat, question) in self.asked.take() {
            match question {
                Some(it) if shown.get(&seat).is_some_and(|old| old.is_same(&it)) => {
                    sheets.add(Some(seat), Vec::new(), it.parts);
                }
                other => changed.push((seat, other)),
            }
        }
        for (seat, question) in changed {
            let Some(it) = question else {
                sheets.answered(seat);
                shown.remove(&seat);
                continue;
            };
            sheets.ask(seat, it.is_secret, it.parts.clone(), it.text.clone());
            shown.insert(seat, it);
        }
        sheets.show();
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
        let number = self.0.questions.get() + 1;
        self.0.questions.set(number);
        let question = Question {
            number,
            is_secret: secret,
            parts,
            text: question,
        };
        self.0.asked.borrow_mut().insert(seat, Some(question));
        number
    }

    fn answered(&self, seat: usize) {
        // A game that stops until the next request leaves its questions open.
        if !self.0.is_closed.get() {
            self.0.asked.borrow_mut().insert(seat, None);
            // The answers before the last request are only given again.
            if self.0.requests.borrow().is_empty() {
                self.0.shown.borrow_mut().remove(&seat);
            }
        }
    }

    fn end(&self, end: Value, replay: Option<String>) {
        self.0.shown.take();
        self.0.sheets.borrow_mut().end(end, replay);
    }

    fn next_request(&self) -> Option<PersonRequest> {
        let next = self.0.requests.borrow_mut().pop_front();
        let Some((seat, command)) = next else {
            self.0.close();
            return None;
        };
        let asked = self.0.asked.borrow();
        let question = asked.get(&seat).and_then(Option::as_ref);
        let question = question.map_or(0, |it| it.number);
        let reply = Rc::clone(&self.0.reply);
        Some(PersonRequest {
            seat,
            question,
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
