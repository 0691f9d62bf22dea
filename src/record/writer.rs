//! Writing records: a sink like any other.

use std::io::{self, Write};

use super::{Header, Line, Said, hex};
use crate::kernel::Sink;
use crate::kernel::event::Event;
use crate::kernel::outcome::Outcome;
use crate::kernel::state::Game;
use crate::kernel::words::Words;

/// How much of a request and of an answer to it is kept, in bytes.
const LONGEST_REQUEST: usize = 64 << 10;
const LONGEST_ANSWER: usize = 16 << 10;

/// The text, or its beginning and how long it was.
fn short(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or_default();
    format!("{} … ({} bytes in all)", &text[..end], text.len())
}

/// Writes a game as it is played. The first error is kept and told at the end.
#[derive(Debug)]
pub struct Recorder<W: Write> {
    out: W,
    error: Option<io::Error>,
    /// The line being written and the action in it, kept for the next: most lines are answers.
    buffer: Vec<u8>,
    words: String,
}

impl<W: Write> Recorder<W> {
    /// Begins a record with its header.
    pub fn new(out: W, header: &Header) -> Self {
        let mut recorder = Self { out, error: None, buffer: Vec::new(), words: String::new() };
        recorder.line(header);
        recorder
    }

    fn line(&mut self, line: &impl serde::Serialize) {
        if self.error.is_none() {
            self.buffer.clear();
            serde_json::to_writer(&mut self.buffer, line).expect("a record's line is plain data");
            self.buffer.push(b'\n');
            self.error = self.out.write_all(&self.buffer).err();
        }
    }

    /// Writes the last line.
    ///
    /// # Errors
    /// The first error of the whole record.
    pub fn finish(mut self, outcome: Option<&Outcome>, game: &Game) -> io::Result<W> {
        if let Some(outcome) = outcome {
            self.line(&Line::end(outcome, game.answers(), game.digest()));
        }
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }
}

impl<W: Write> Sink for Recorder<W> {
    fn event(&mut self, game: &Game, event: &Event) {
        match event {
            Event::Answered { who, action, number, chosen, .. } => {
                let mut say = std::mem::take(&mut self.words);
                say.clear();
                Words::new(game.board(), game.decl()).write_action(*action, &mut say);
                let line = Line::Say { n: *number, seat: who.index() + 1, say, by_policy: !chosen };
                self.line(&line);
                if let Line::Say { say, .. } = line {
                    self.words = say;
                }
            }
            Event::Faulted { who, kind, text, exchange, .. } => {
                let text = text.chars().take(2_000).collect();
                let exchange = exchange.as_deref().map(|said| Said {
                    request: short(&said.request, LONGEST_REQUEST),
                    answer: short(&said.answer, LONGEST_ANSWER),
                });
                self.line(&Line::Fault { seat: who.index() + 1, fault: kind.word().to_owned(), text, exchange });
            }
            Event::TurnBegan { who, turn, round } => {
                let digest = hex(game.digest());
                self.line(&Line::Turn { turn: *turn, round: *round, seat: who.map(|who| who.index() + 1), digest });
            }
            Event::Said { text, .. } => self.line(&Line::Note { note: text.clone() }),
            _ => {}
        }
    }
}
