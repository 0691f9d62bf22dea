//! The console at which people are asked line by line: a terminal or a pipe.

use super::stopped::TableError;

/// The most invalid lines in a row from a pipe.
pub(super) const MOST_WRONG: u32 = 1_000;

/// The result of reading a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its line end.
    Text(String),
    /// The end of the input, or the person wants to stop.
    End,
}

/// A function that returns the words that may come next, given those before them.
pub type NextWords = Box<dyn Fn(&[&str]) -> Vec<String>>;

/// A terminal or a pipe at which people are asked line by line, and to which the program prints.
pub trait Console {
    /// Prints a text and a line end.
    ///
    /// # Errors
    /// Returns an error if the text can't be written.
    fn say(&mut self, text: &str) -> Result<(), TableError>;

    /// Reports whether lines come from a pipe, where no person can be asked again.
    fn is_pipe(&self) -> bool;

    /// Asks for a line. In a terminal, `next` completes words.
    ///
    /// # Errors
    /// Returns an error if no line can be read.
    fn line(&mut self, prompt: &str, next: Option<NextWords>) -> Result<Line, TableError>;

    /// Clears the screen, so that one person can't read what another was shown.
    ///
    /// # Errors
    /// Returns an error if the console can't be written to.
    fn wipe(&mut self) -> Result<(), TableError>;
}
