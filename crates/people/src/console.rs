//! The console for questions to people, line by line: a terminal or a pipe.

use super::interruption::TableError;

/// The maximum number of consecutive invalid lines from a pipe.
pub(super) const MOST_WRONG: u32 = 1_000;

/// The result of reading a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its line ending.
    Text(String),
    /// The end of the input, or a request to stop.
    End,
}

/// A function that returns the possible next words, given the previous words.
pub type NextWords = Box<dyn Fn(&[&str]) -> Vec<String>>;

/// A terminal or a pipe that prints text and asks people questions line by line.
pub trait Console {
    /// Prints a text and a line ending.
    ///
    /// # Errors
    /// Returns an error if the text can't be written.
    fn say(&mut self, text: &str) -> Result<(), TableError>;

    /// Reports whether lines come from a pipe. With a pipe, a question can't be repeated.
    fn is_pipe(&self) -> bool;

    /// Returns the height of the terminal in lines, or `None` if there is no limit.
    fn height(&self) -> Option<usize>;

    /// Asks for a line. In a terminal, `next` completes words.
    ///
    /// # Errors
    /// Returns an error if no line can be read.
    fn line(&mut self, prompt: &str, next: Option<NextWords>) -> Result<Line, TableError>;

    /// Clears the screen, so people can't read what was shown to others.
    ///
    /// # Errors
    /// Returns an error if the console is not writable.
    fn wipe(&mut self) -> Result<(), TableError>;
}
