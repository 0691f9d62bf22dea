//! A stand-in for child processes that speak in lines, on systems whose pipes can't be waited for
//! together: no process is started.

use std::convert::Infallible;
use std::io;
use std::process::Command;
use std::time::Duration;

/// A child process, which never exists here.
#[derive(Debug)]
pub struct LineProcess(Infallible);

/// The reason that no line came, or none could be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The time ran out.
    Timeout,
    /// The process has ended, or has closed its output.
    Ended,
    /// The line is longer than the limit.
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

    /// Returns the next line.
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
