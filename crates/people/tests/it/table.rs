//! A table at a console that is played by the test.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use risk_engine::matches::{Seats, Setup, Worker};
use risk_engine::record::{self, Record, Recorder};
use risk_people::{
    Console, GameEnd, GameFile, Line, NextWords, Onlookers, PeopleGame, PeopleTable, TableError,
    play,
};
use risk_text::paint::Paint;

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

#[derive(Clone, Default)]
struct Memory(Rc<RefCell<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Memory {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

impl GameFile for Memory {
    type File = Self;
    type Error = TableError;

    fn open(&mut self) -> Result<(Record, Self, u64), TableError> {
        let written = self.0.borrow().len() as u64;
        Ok((record::read(&self.text()).unwrap(), self.clone(), written))
    }

    fn cut(&mut self, _: u64) -> Result<(), TableError> {
        unreachable!("nothing is taken back")
    }

    fn mark(&mut self, _: u64) -> Result<(), TableError> {
        unreachable!("nothing is taken back")
    }

    fn failed(&self, error: io::Error) -> TableError {
        error.into()
    }
}

/// Plays a game of a person in the first seat against other bots. Returns its end, its record and
/// all that was shown.
pub(crate) fn at_screen(setup: Setup, screen: Screen) -> (GameEnd, String, String) {
    let seated = PeopleGame {
        people: (0..setup.bots.len()).map(|seat| seat == 0).collect(),
        setup: Setup {
            seats: Seats::Fixed,
            ..setup
        },
        number: 0,
        record: String::new(),
        takeback: false,
        brief: false,
        onlookers: Onlookers::Public,
    };
    let mut worker = Worker::new(&seated.setup).unwrap();
    let mut file = Memory::default();
    let mut header = record::header(&worker, 0);
    header.players[0].hash = None;
    let recorder = Recorder::new(file.clone(), &header);
    recorder.finish(None, &worker.empty_board(0)).unwrap();
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
