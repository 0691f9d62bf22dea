//! A person at a terminal that is played by the test: pages, hand-overs, and giving up.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use risk_engine::matches::{Seats, Worker};
use risk_engine::record::{self, Record, Recorder};
use risk_people::{
    Console, GameEnd, GameFile, Line, NextWords, Onlookers, PeopleGame, PeopleTable, TableError,
    play,
};
use risk_text::paint::Paint;

use crate::support::setup;

/// A terminal of eight lines. `answer` returns the line for a prompt, given all that was shown.
struct Screen {
    shown: String,
    answer: Box<dyn FnMut(&str, &str) -> &'static str>,
}

impl Console for Screen {
    fn say(&mut self, text: &str) -> Result<(), TableError> {
        self.shown += &format!("{text}\n");
        Ok(())
    }

    fn is_pipe(&self) -> bool {
        false
    }

    fn height(&self) -> Option<usize> {
        Some(8)
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

/// Plays a game of a person against other bots. Returns its end, its record and all that was shown.
fn played(
    ruleset: &str,
    bots: &[&str],
    answer: impl FnMut(&str, &str) -> &'static str + 'static,
) -> (GameEnd, String, String) {
    let mut match_setup = setup(ruleset, None, bots, 3, &[]);
    match_setup.seats = Seats::Fixed;
    let seated = PeopleGame {
        setup: match_setup,
        people: (0..bots.len()).map(|seat| seat == 0).collect(),
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
    let screen = Rc::new(RefCell::new(Screen {
        shown: String::new(),
        answer: Box::new(answer),
    }));
    let people = PeopleTable::at_console(&seated, &worker, screen.clone(), paint, usize::MAX);
    let end = play(&seated, &mut worker, &people, &mut file).unwrap();
    let shown = screen.borrow().shown.clone();
    (end, file.text(), shown)
}

#[test]
fn one_enter_too_many_after_a_page_is_no_answer() {
    let mut at_prompt = ["quit", "", "", "help"].to_vec();
    let (end, record, shown) =
        played(
            "codelab",
            &["random", "outnumber"],
            move |prompt, _| match prompt.starts_with("-- Enter: more") {
                true => "",
                false => at_prompt.pop().unwrap(),
            },
        );
    assert!(matches!(end, GameEnd::Quit));
    let (before, after) = shown.rsplit_once("-- Enter: more").unwrap();
    assert!(before.contains("-- Enter: more"), "{shown}");
    // The first Enter after the pages only says what the second one does.
    assert_eq!(after.matches("  Enter: ").count(), 2, "{after}");
    assert_eq!(after.matches(" (deploy)> ").count(), 2, "{after}");
    assert_eq!(record.matches("\"line\":\"answer\"").count(), 1, "{shown}");
}

#[test]
fn a_person_gives_up_once_the_consequence_was_read() {
    let mut at_prompt = ["resign", "map", "resign"].to_vec();
    let (end, record, shown) =
        played(
            "codelab",
            &["random", "outnumber"],
            move |prompt, _| match prompt.starts_with("-- Enter: more") {
                true => "q",
                false => at_prompt.pop().unwrap(),
            },
        );
    let GameEnd::Over(game, outcome) = end else {
        panic!("{shown}");
    };
    let last = outcome.ranking.last().unwrap();
    assert_eq!((last.player.index(), last.place), (0, 2), "{shown}");
    assert!(record.contains("\"kind\":\"resigned\""), "{record}");
    assert!(game.answers() > 0);
}

#[test]
fn a_number_of_armies_is_placed_one_at_a_time() {
    let mut asked = 0;
    let (_, record, shown) = played("hasbro", &["random"; 3], move |prompt, shown| {
        if !prompt.contains("(muster)") {
            return "auto";
        }
        asked += 1;
        let suggestion = shown.rsplit_once("  Enter: place ").unwrap().1;
        let place = suggestion.lines().next().unwrap();
        match asked {
            1 => format!("place {place} 9").leak(),
            _ => "quit",
        }
    });
    let said = record
        .lines()
        .filter(|line| line.contains("\"seat\":1,\"say\":\"place "));
    assert_eq!(said.count(), 9, "{record}");
    assert!(shown.contains(" 9\n"), "{shown}");
}
