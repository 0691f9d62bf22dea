//! In place of child processes that are spoken to in lines, on systems whose pipes can't be waited
//! for together: none is started.

use std::convert::Infallible;
use std::io;
use std::process::Command;
use std::time::Duration;

/// A child process, of which there is none.
#[derive(Debug)]
pub struct LineProcess(Infallible);

/// Why no line came, or none could be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// There was none in time.
    Timeout,
    /// The process has ended, or has closed its output.
    Ended,
    /// The line has no end up to the most that is read.
    TooLong,
}

impl LineProcess {
    /// Starts nothing.
    ///
    /// # Errors
    /// Always.
    pub fn start(_: &mut Command, _: usize) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Sends lines.
    ///
    /// # Errors
    /// Never: there is no process.
    pub fn send(&mut self, _: &str, _: Duration) -> Result<(), Silence> {
        match self.0 {}
    }

    /// The next line.
    ///
    /// # Errors
    /// Never: there is no process.
    pub fn receive(&mut self, _: Duration) -> Result<String, Silence> {
        match self.0 {}
    }

    /// Ends the process.
    pub fn kill(&mut self) {
        match self.0 {}
    }
}
