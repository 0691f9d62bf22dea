//! Writes records. The recorder is a sink like any other.

use std::collections::VecDeque;
use std::io::{self, Write};

use super::chain::HashChain;
use super::line::body;
use super::{Header, Mismatch, Record, RecordLine, RecordedUndo};
use risk_kernel::event::Event;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::view::Facts;
use risk_kernel::{EventFilter, Moment, Sink};

/// The size limit of a record, in bytes. A game that would write more is stopped.
pub const MOST_BYTES: u64 = 256 << 20;

/// Writes the record of a game while the game is played. The first error is stored until the end.
#[derive(Debug)]
pub struct Recorder<W: Write> {
    out: W,
    error: Option<io::Error>,
    chain: HashChain,
    written: u64,
    most: u64,
    /// Whether a line was lost because the record was full.
    lost: bool,
    /// The recorded lines that a resumed game still has to repeat.
    before: VecDeque<(usize, RecordLine)>,
    mismatch: Option<Mismatch>,
    /// Buffers for the current line and its action. They are reused because most lines are answers.
    buffer: Vec<u8>,
    words: String,
}

impl<W: Write> Recorder<W> {
    /// Starts a record with its header.
    pub fn new(out: W, header: &Header) -> Self {
        let mut recorder = Self::behind(out, HashChain::default());
        recorder.line(header);
        recorder
    }

    /// Continues the record of an unfinished game. The game is played from its beginning, and its
    /// lines are compared with the record until the record ends. `written` is the size of the
    /// record in bytes.
    pub fn go_on(out: W, record: &Record, written: u64) -> Self {
        Self {
            written,
            before: record.lines.iter().cloned().collect(),
            ..Self::behind(out, HashChain::behind(&record.last_sum))
        }
    }

    const fn behind(out: W, chain: HashChain) -> Self {
        Self {
            out,
            error: None,
            chain,
            written: 0,
            most: MOST_BYTES,
            lost: false,
            before: VecDeque::new(),
            mismatch: None,
            buffer: Vec::new(),
            words: String::new(),
        }
    }

    /// Returns the first difference between a resumed game and its record.
    #[must_use]
    pub const fn mismatch(&self) -> Option<&Mismatch> {
        self.mismatch.as_ref()
    }

    /// Returns the writer.
    ///
    /// # Errors
    /// Returns the first error of the whole record.
    pub fn into_inner(self) -> io::Result<W> {
        self.error.map_or(Ok(self.out), Err)
    }

    /// Records that the decisions after the answer with this number are undone.
    pub fn undo(&mut self, answer: u64) {
        self.line(&RecordLine::Undo(RecordedUndo { n: answer }));
    }

    /// Compares a line with the next recorded line. Returns whether the record still has such a
    /// line.
    fn has(&mut self, line: &RecordLine) -> bool {
        let Some((number, recorded)) = self.before.pop_front() else {
            return false;
        };
        if recorded != *line && self.mismatch.is_none() {
            self.mismatch = Some(Mismatch {
                line: number,
                text: format!(
                    "the resumed game differs from this {} line",
                    recorded.kind()
                ),
            });
        }
        true
    }

    /// Sets a size limit in place of [`MOST_BYTES`].
    #[must_use]
    pub const fn with_most(mut self, most: u64) -> Self {
        self.most = most;
        self
    }

    fn line(&mut self, line: &impl serde::Serialize) {
        if self.error.is_some() {
            return;
        }
        self.chain.begin(&mut self.buffer);
        body(line, &mut self.buffer);
        self.close();
    }

    fn close(&mut self) {
        let line = self.chain.close(&mut self.buffer);
        self.written += line.len() as u64;
        self.error = self.out.write_all(line).err();
    }

    /// Reports whether the record has reached its size limit. If so, the game stops.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.written >= self.most
    }

    /// Writes the last line of the record.
    ///
    /// # Errors
    /// Returns the first error of the whole record, or an error if the game continued after the
    /// record was full.
    pub fn finish(mut self, outcome: Option<&Outcome>, game: &GameState) -> io::Result<W> {
        if let Some(outcome) = outcome {
            if self.lost {
                return Err(io::Error::other(format!(
                    "the record has reached the limit of {} bytes",
                    self.most
                )));
            }
            self.line(&RecordLine::end(outcome, game));
        }
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }
}

impl<W: Write> Sink for Recorder<W> {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        let recorded = matches!(
            event,
            Event::Answered { .. }
                | Event::Faulted { .. }
                | Event::TurnBegan { .. }
                | Event::Said { .. }
        );
        if !recorded {
            return;
        }
        if self.is_full() {
            self.lost = true;
            return;
        }
        let Some(line) = RecordLine::from_event(&game, event, std::mem::take(&mut self.words))
        else {
            return;
        };
        if self.has(&line) {
            return;
        }
        if self.error.is_none() {
            self.chain.begin(&mut self.buffer);
            line.write(&mut self.buffer);
            self.close();
        }
        if let RecordLine::Answer(answer) = line {
            self.words = answer.say;
        }
    }

    fn wants(&self) -> EventFilter {
        EventFilter::Recorded
    }

    fn halts(&mut self, _: &Facts) -> bool {
        self.is_full() || self.mismatch.is_some() || self.error.is_some()
    }
}
