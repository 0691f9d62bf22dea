//! Where people are asked line by line: a terminal, or a pipe.

use super::stopped::TableError;

/// How many lines of a pipe may say nothing possible, one after the other.
pub(super) const MOST_WRONG: u32 = 1_000;

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, without its end.
    Text(String),
    /// There is no more, or the person wants to stop.
    End,
}

/// Words that may come next, by those before them.
pub type NextWords = Box<dyn Fn(&[&str]) -> Vec<String>>;

/// A terminal or a pipe at which people are asked, line by line. The program prints through it.
pub trait Console {
    /// Prints a text and a line end.
    ///
    /// # Errors
    /// When it can't be written.
    fn say(&mut self, text: &str) -> Result<(), TableError>;

    /// Do lines come from a pipe, where no person can be asked again?
    fn is_pipe(&self) -> bool;

    /// Asks for a line. In a terminal `next` says which words complete it.
    ///
    /// # Errors
    /// When none can be read.
    fn line(&mut self, prompt: &str, next: Option<NextWords>) -> Result<Line, TableError>;

    /// Wipes the screen, so that one person does not read what was for another.
    ///
    /// # Errors
    /// When it can't be written to.
    fn wipe(&mut self) -> Result<(), TableError>;
}
