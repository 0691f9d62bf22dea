//! A stand-in for child processes on systems that can't wait for several pipes at once. It never
//! starts a process.

use std::convert::Infallible;
use std::io;
use std::process::Command;
use std::time::Duration;

pub use super::interface::LineError;

/// A child process, which never exists on these systems.
#[derive(Debug)]
pub struct LineProcess(Infallible);

impl LineProcess {
    /// Returns an error without starting a process.
    ///
    /// # Errors
    /// Always returns an error.
    pub fn start(_: &mut Command, _: usize) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Sends lines to the process.
    ///
    /// # Errors
    /// Never returns an error, because no process exists.
    pub fn send(&mut self, _: &str, _: Duration) -> Result<(), LineError> {
        match self.0 {}
    }

    /// Returns the next line.
    ///
    /// # Errors
    /// Never returns an error, because no process exists.
    pub fn receive(&mut self, _: Duration) -> Result<String, LineError> {
        match self.0 {}
    }

    /// Kills the process.
    pub fn kill(&mut self) {
        match self.0 {}
    }
}
