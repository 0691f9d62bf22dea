//! The record of a game as a text in memory.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use super::game::GameFile;
use super::interruption::TableError;
use risk_engine::record::{self, Record, Recorder};

/// The record of a game, in memory. All clones are the same record.
#[derive(Clone, Debug, Default)]
pub struct RecordInMemory(Rc<RefCell<Vec<u8>>>);

impl RecordInMemory {
    /// Returns the text of the record.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.borrow()).into_owned()
    }

    /// Replaces the text of the record.
    pub fn reset(&self, text: &str) {
        self.0.replace(text.as_bytes().to_vec());
    }

    /// Reads the record.
    ///
    /// # Panics
    /// Panics if the text is not a record.
    #[must_use]
    pub fn record(&self) -> Record {
        record::read(&self.text()).expect("the text is a record")
    }
}

impl Write for RecordInMemory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl GameFile for RecordInMemory {
    type File = Self;
    type Error = TableError;

    fn open(&mut self) -> Result<(Record, Self, u64), TableError> {
        let written = self.0.borrow().len() as u64;
        Ok((self.record(), self.clone(), written))
    }

    fn cut(&mut self, answer: u64) -> Result<(), TableError> {
        let text = self.text();
        let record = self.record();
        if let Some((line, _)) = record.lines.get(record.first_behind(answer)) {
            let kept = text.split_inclusive('\n').take(line - 1).map(str::len);
            self.0.borrow_mut().truncate(kept.sum());
        }
        Ok(())
    }

    fn mark(&mut self, answer: u64) -> Result<(), TableError> {
        let (record, file, _) = self.open()?;
        let mut recorder = Recorder::go_on(file, &record, 0);
        recorder.undo(answer);
        recorder.into_inner()?;
        Ok(())
    }

    fn failed(&self, error: io::Error) -> TableError {
        error.into()
    }
}
