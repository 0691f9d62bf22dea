//! A child process that is spoken to in lines: what it reads is what we write, and back.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// The longest line that is read from it, in bytes.
const LONGEST: u64 = 4 << 20;

/// A child process. It ends when this is dropped.
#[derive(Debug)]
pub struct LineProcess {
    process: Child,
    input: ChildStdin,
    output: Receiver<String>,
}

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// There was none in time.
    Timeout,
    /// The process has ended, or has closed its output.
    Ended,
}

impl LineProcess {
    /// Starts a process; what it writes to its standard error is thrown away.
    ///
    /// # Errors
    /// When the system has no process, pipe or thread for it.
    pub fn start(command: &mut Command) -> Result<Self, String> {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("can't start a process: {error}"))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("a process has no pipes".to_owned());
        };
        let (sender, receiver) = mpsc::sync_channel(1);
        let reader = std::thread::Builder::new().spawn(move || {
            let mut lines = BufReader::new(output);
            loop {
                let mut line = String::new();
                // With nobody to tell, or nothing more to read, the thread ends.
                match lines.by_ref().take(LONGEST).read_line(&mut line) {
                    Ok(read) if read > 0 && sender.send(line).is_ok() => {}
                    _ => return,
                }
            }
        });
        let mut process = Self {
            process,
            input,
            output: receiver,
        };
        reader.map_err(|error| {
            process.kill();
            format!("can't start a thread: {error}")
        })?;
        Ok(process)
    }

    /// Sends a line. A process that has ended is noticed when it is heard.
    pub fn send(&mut self, mut line: String) {
        line.push('\n');
        let sent = self.input.write_all(line.as_bytes());
        let _ = sent.and_then(|()| self.input.flush());
    }

    /// The next line that it says, once there is one.
    ///
    /// # Errors
    /// When none comes in this time.
    pub fn receive(&mut self, patience: Duration) -> Result<String, Silence> {
        self.output
            .recv_timeout(patience)
            .map_err(|error| match error {
                RecvTimeoutError::Timeout => Silence::Timeout,
                RecvTimeoutError::Disconnected => Silence::Ended,
            })
    }

    /// Ends it at once, whatever it is at.
    pub fn kill(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
    }
}

impl Drop for LineProcess {
    fn drop(&mut self) {
        self.kill();
        let _ = self.process.wait();
    }
}
