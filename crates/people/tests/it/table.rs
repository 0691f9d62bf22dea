//! A table at a console that is played by the test.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use risk_engine::record::Recorder;
use risk_engine::{Seats, Setup, Worker};
use risk_people::{
    Console, GameEnd, Line, NextWords, Onlookers, PageCommand, PageDesk, PageReply, PageSheets,
    PeopleGame, PeopleTable, PersonRequest, RecordInMemory, TableDetails, TableError, play,
};
use risk_text::paint::Paint;
use serde_json::{Map, Value};

/// A terminal. `answer` returns the line for a prompt, given all that was shown.
pub(crate) struct Screen {
    pub(crate) shown: String,
    /// The number of lines; `None` for a pipe.
    pub(crate) height: Option<usize>,
    pub(crate) answer: Box<dyn FnMut(&str, &str) -> &'static str>,
}

impl Console for Screen {
    fn say(&mut self, text: &str) -> Result<(), TableError> {
        self.shown += &format!("{text}\n");
        Ok(())
    }

    fn is_pipe(&self) -> bool {
        self.height.is_none()
    }

    fn height(&self) -> Option<usize> {
        self.height
    }

    fn line(&mut self, prompt: &str, _: Option<NextWords>) -> Result<Line, TableError> {
        let text = (self.answer)(prompt, &self.shown);
        self.shown += &format!("{prompt}{text}\n");
        Ok(Line::Text(text.to_owned()))
    }

    fn wipe(&mut self) -> Result<(), TableError> {
        Ok(())
    }
}

/// Seats people, from the first seat on, at a table where any answer can be taken back.
fn seated(setup: Setup, people: usize) -> PeopleGame {
    PeopleGame {
        people: (0..setup.bots.len()).map(|seat| seat < people).collect(),
        setup: Setup {
            seats: Seats::Fixed,
            ..setup
        },
        number: 0,
        record: String::new(),
        takeback: true,
        brief: false,
        onlookers: Onlookers::Public,
    }
}

/// Begins the record of a game.
fn begun(seated: &PeopleGame, worker: &Worker<'_>) -> RecordInMemory {
    let file = RecordInMemory::default();
    let recorder = Recorder::new(file.clone(), &seated.header(worker));
    recorder.finish(None, &worker.empty_board(0)).unwrap();
    file
}

/// Plays a game of a person in the first seat against other bots. Returns its end, its record and
/// all that was shown.
pub(crate) fn at_screen(setup: Setup, screen: Screen) -> (GameEnd, String, String) {
    let seated = seated(setup, 1);
    let mut worker = Worker::new(&seated.setup).unwrap();
    let mut file = begun(&seated, &worker);
    let paint = Paint {
        colour: false,
        width: 80,
    };
    let screen = Rc::new(RefCell::new(screen));
    let people = PeopleTable::at_console(&seated, &worker, screen.clone(), paint, usize::MAX);
    let end = play(&seated, &mut worker, &people, &mut file).unwrap();
    let shown = screen.borrow().shown.clone();
    (end, file.text(), shown)
}

/// The next request of a person, given what the pages show; `None` closes the pages.
pub(crate) type NextRequest = Box<dyn FnMut(&mut PageSheets) -> Option<(usize, PageCommand)>>;

/// Pages that are played by the test.
struct Pages {
    sheets: RefCell<PageSheets>,
    next: RefCell<NextRequest>,
    replies: Rc<RefCell<Vec<PageReply>>>,
    is_closed: Cell<bool>,
}

impl PageDesk for Pages {
    fn begin_again(&self) {
        self.sheets.borrow_mut().begin_again();
    }

    fn is_full(&self, seat: Option<usize>) -> bool {
        self.sheets.borrow_mut().is_full(seat)
    }

    fn add(&self, seat: Option<usize>, frames: Vec<String>, parts: Map<String, Value>) {
        self.sheets.borrow_mut().add(seat, frames, parts);
    }

    fn publish(&self) {
        self.sheets.borrow_mut().show();
    }

    fn ask(&self, seat: usize, secret: bool, parts: Map<String, Value>, question: Value) -> u64 {
        let mut sheets = self.sheets.borrow_mut();
        sheets.ask(seat, secret, parts, question)
    }

    fn answered(&self, seat: usize) {
        self.sheets.borrow_mut().answered(seat);
    }

    fn end(&self, end: Value, replay: Option<String>) {
        self.sheets.borrow_mut().end(end, replay);
    }

    fn next_request(&self) -> Option<PersonRequest> {
        let mut sheets = self.sheets.borrow_mut();
        let next = (self.next.borrow_mut())(&mut sheets);
        self.is_closed.set(next.is_none());
        let (seat, command) = next?;
        let replies = Rc::clone(&self.replies);
        Some(PersonRequest {
            seat,
            question: sheets.open_question(seat).unwrap_or(0),
            command,
            reply: Box::new(move |reply| replies.borrow_mut().push(reply)),
        })
    }

    fn is_closed(&self) -> bool {
        self.is_closed.get()
    }
}

/// Plays a game of two people with a page each. Returns its end, its record, the answers that the
/// record lacks, and the replies.
pub(crate) fn at_pages(
    setup: Setup,
    next: NextRequest,
) -> (GameEnd, String, Vec<(String, usize)>, Vec<PageReply>) {
    let seated = seated(setup, 2);
    let mut worker = Worker::new(&seated.setup).unwrap();
    let mut file = begun(&seated, &worker);
    let replies = Rc::default();
    let open = |table: TableDetails| {
        Ok(Box::new(Pages {
            sheets: RefCell::new(PageSheets::new(&table)),
            next: RefCell::new(next),
            replies: Rc::clone(&replies),
            is_closed: Cell::new(false),
        }) as Box<dyn PageDesk>)
    };
    let people = PeopleTable::at_pages(&seated, &worker, open).unwrap();
    let end = play(&seated, &mut worker, &people, &mut file).unwrap();
    let replies = replies.take();
    (end, file.text(), people.unsaved(), replies)
}
