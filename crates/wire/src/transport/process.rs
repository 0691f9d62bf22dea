//! A child process that exchanges lines with this program over its pipes.
//!
//! One thread polls all pipes of the process, so none of them can block the others. A process that
//! writes too much, or does not read, only delays itself.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, kill_process_group};

pub use super::interface::LineError;
use risk_engine::{Aside, interrupt};

/// The maximum number of bytes per read.
const CHUNK: usize = 64 << 10;
/// The number of bytes kept from the end of the process's standard error.
pub(super) const ERRORS: usize = 64 << 10;
/// The maximum number of bytes for the length of a message, with its comma.
const HEADER: usize = 4;
/// The time that a process has to exit on its own before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// The time that a keeper has to exit. It exits on its own, but removes the bot's files first,
/// which may take time on a busy machine.
const KEEPER_GRACE: Duration = Duration::from_secs(10);

/// A child process, which is ended when this value is dropped.
#[derive(Debug)]
pub struct LineProcess {
    process: Child,
    /// The process's input. `None` after it was closed.
    input: Option<ChildStdin>,
    output: ChildStdout,
    errors: Option<ChildStderr>,
    /// The end of the process's standard error.
    said_aside: VecDeque<u8>,
    /// Whether earlier bytes of the standard error were dropped.
    aside_is_cut: bool,
    /// Output from the process. The first `taken` bytes have been consumed. They are only removed
    /// at the next read, to avoid moving the remaining bytes for every short line.
    unread: Vec<u8>,
    chunk: Box<[u8]>,
    taken: usize,
    /// The number of bytes after `taken` that are known to contain no line end.
    searched: usize,
    /// Whether the first line has been read.
    begun: bool,
    /// Whether the process has closed its output.
    ended: bool,
    /// The maximum length of a line, in bytes.
    longest: usize,
    /// Whether each message begins with its length, instead of ending with its line.
    pub(super) has_lengths: bool,
    /// Whether the process is a keeper. A keeper must not be killed before it has ended its child
    /// processes.
    is_keeper: bool,
    /// The time that the process has to exit on its own.
    grace: Duration,
}

impl LineProcess {
    /// Starts a process whose lines may have up to `longest` bytes.
    ///
    /// # Errors
    /// Returns an error if the program does not exist, or if the system can't create the process or
    /// its pipes.
    pub fn start(command: &mut Command, longest: usize) -> io::Result<Self> {
        Self::start_as(command, longest, false)
    }

    /// Starts a keeper, which ends all its child processes when its input is closed. It has
    /// `longer` more time to exit than other keepers.
    ///
    /// # Errors
    /// Returns the same errors as [`LineProcess::start`].
    pub fn start_keeper(
        command: &mut Command,
        longest: usize,
        longer: Duration,
    ) -> io::Result<Self> {
        let mut process = Self::start_as(command, longest, true)?;
        process.grace = KEEPER_GRACE + longer;
        Ok(process)
    }

    fn start_as(command: &mut Command, longest: usize, is_keeper: bool) -> io::Result<Self> {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C in the terminal is intended for this program, not for the bot.
            .process_group(0)
            .spawn()?;
        let (Some(input), Some(output), Some(errors)) = (
            process.stdin.take(),
            process.stdout.take(),
            process.stderr.take(),
        ) else {
            return Err(io::Error::other("the process has no pipes"));
        };
        let process = Self {
            process,
            input: Some(input),
            output,
            errors: Some(errors),
            said_aside: VecDeque::new(),
            aside_is_cut: false,
            unread: Vec::new(),
            chunk: vec![0; CHUNK].into(),
            taken: 0,
            searched: 0,
            begun: false,
            ended: false,
            longest,
            has_lengths: false,
            is_keeper,
            grace: GRACE,
        };
        ioctl_fionbio(&process.output, true)?;
        if let (Some(input), Some(errors)) = (&process.input, &process.errors) {
            ioctl_fionbio(input, true)?;
            ioctl_fionbio(errors, true)?;
        }
        Ok(process)
    }

    /// Returns the process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends lines to the process and reads its output at the same time.
    ///
    /// # Errors
    /// Returns an error if the process has ended or does not read the lines in time.
    pub fn send(&mut self, lines: &str, patience: Duration) -> Result<(), LineError> {
        let until = Instant::now() + patience;
        let mut rest = lines.as_bytes();
        while !rest.is_empty() {
            let Some(input) = &mut self.input else {
                return Err(LineError::Ended);
            };
            match input.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait(until, true)?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(LineError::Ended),
            }
        }
        Ok(())
    }

    /// Waits for the next line and returns it without its line end. After the output is closed, the
    /// remaining text counts as a line.
    ///
    /// # Errors
    /// Returns an error if no valid line arrives in time.
    pub fn receive(&mut self, patience: Duration) -> Result<String, LineError> {
        let until = Instant::now() + patience;
        loop {
            if let Some(line) = self.next_line()? {
                return Ok(line);
            }
            self.wait(until, false)?;
        }
    }

    /// Returns the next line if it has already arrived.
    ///
    /// # Errors
    /// Returns an error if the line is too long or no more lines can arrive.
    pub fn next_line(&mut self) -> Result<Option<String>, LineError> {
        if self.has_lengths {
            return self.next_message();
        }
        let rest = &self.unread[self.taken..];
        let end = rest[self.searched..].iter().position(|&byte| byte == b'\n');
        let length = match end {
            Some(end) => self.searched + end,
            None if self.ended && rest.is_empty() => return Err(LineError::Ended),
            None if self.ended => rest.len(),
            None => {
                self.searched = rest.len();
                let too_long = self.searched > self.longest;
                return if too_long {
                    Err(LineError::TooLong)
                } else {
                    Ok(None)
                };
            }
        };
        if length > self.longest {
            return Err(LineError::TooLong);
        }
        let line = &rest[..length];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // Some systems write a byte order mark before the first line of any output.
        let mark: &[u8] = if self.begun { b"" } else { b"\xef\xbb\xbf" };
        let line = line.strip_prefix(mark).unwrap_or(line);
        let line = String::from_utf8_lossy(line).into_owned();
        self.begun = true;
        self.taken += (length + 1).min(rest.len());
        self.searched = 0;
        Ok(Some(line))
    }

    /// Returns the next message that begins with its length and a comma, if it has arrived whole.
    fn next_message(&mut self) -> Result<Option<String>, LineError> {
        let rest = &self.unread[self.taken..];
        let head = &rest[..rest.len().min(HEADER)];
        let unfinished = |ended| {
            if ended {
                Err(LineError::Ended)
            } else {
                Ok(None)
            }
        };
        let Some(comma) = head.iter().position(|&byte| byte == b',') else {
            return match head.len() == HEADER {
                true => Err(LineError::NoLength),
                false => unfinished(self.ended),
            };
        };
        let length = str::from_utf8(&head[..comma]).ok();
        let length = length.and_then(|text| text.trim().parse::<usize>().ok());
        let end = comma + 1 + length.ok_or(LineError::NoLength)?;
        if rest.len() < end {
            return unfinished(self.ended);
        }
        let message = String::from_utf8_lossy(&rest[comma + 1..end]).into_owned();
        self.taken += end;
        Ok(Some(message))
    }

    /// Reads the available output without waiting.
    pub fn look(&mut self) {
        // An error is reported when the next line is requested.
        let _ = self.wait(Instant::now(), false);
    }

    /// Waits until the process has output, or until it accepts input if `writes` is true.
    fn wait(&mut self, until: Instant, writes: bool) -> Result<(), LineError> {
        let hears = !self.ended && self.unread.len() - self.taken <= self.longest;
        let nothing = PollFlags::empty();
        let mut fds = Vec::with_capacity(3);
        let reads = if hears { PollFlags::IN } else { nothing };
        if hears {
            fds.push(PollFd::new(&self.output, reads));
        }
        if let Some(errors) = &self.errors {
            fds.push(PollFd::new(errors, PollFlags::IN));
        }
        if let Some(input) = self.input.as_ref().filter(|_| writes) {
            fds.push(PollFd::new(input, PollFlags::OUT));
        }
        if interrupt::is_raised() {
            return Err(LineError::Timeout);
        }
        let left = until.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left.min(interrupt::LONGEST_WAIT)).ok();
        let ready = match poll(&mut fds, timeout.as_ref()) {
            Ok(ready) => ready,
            Err(Errno::INTR) => return Ok(()),
            Err(_) => return Err(LineError::Ended),
        };
        if ready == 0 {
            let is_late = left <= interrupt::LONGEST_WAIT;
            return if is_late {
                Err(LineError::Timeout)
            } else {
                Ok(())
            };
        }
        self.read_aside();
        if hears {
            self.hear();
        }
        Ok(())
    }

    /// Reads at most one chunk of the process's output.
    fn hear(&mut self) {
        self.unread.drain(..self.taken);
        self.taken = 0;
        let read = self.output.read(&mut self.chunk);
        let length = read.as_ref().copied().unwrap_or(0);
        self.unread.extend_from_slice(&self.chunk[..length]);
        self.ended = match read {
            Ok(read) => read == 0,
            Err(error) => !is_to_be_repeated(&error),
        };
    }

    /// Reads at most one chunk of the process's standard error.
    fn read_aside(&mut self) {
        let Some(errors) = &mut self.errors else {
            return;
        };
        let mut chunk = [0; 4_096];
        match errors.read(&mut chunk) {
            Ok(0) => self.errors = None,
            Ok(read) => {
                self.said_aside.extend(&chunk[..read]);
                let most = self.said_aside.len().saturating_sub(ERRORS);
                self.said_aside.drain(..most);
                self.aside_is_cut |= most > 0;
            }
            Err(error) if is_to_be_repeated(&error) => {}
            Err(_) => self.errors = None,
        }
    }

    /// Returns the end of the process's standard error since the last call. Waits a moment for more
    /// output, or for all remaining output if the process has ended.
    pub fn take_aside(&mut self) -> Aside {
        let until = Instant::now() + Duration::from_millis(100);
        while self.errors.is_some() {
            let quiet = Instant::now() + Duration::from_millis(20);
            let limit = if self.ended { until } else { quiet.min(until) };
            if self.wait(limit, false).is_err() {
                break;
            }
        }
        let bytes: Vec<u8> = self.said_aside.drain(..).collect();
        Aside {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            is_cut: std::mem::take(&mut self.aside_is_cut),
        }
    }

    /// Closes the process's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Reports whether the process has ended for any reason.
    pub fn is_over(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Reports whether the process is a keeper, which ends its own child processes.
    #[must_use]
    pub const fn is_keeper(&self) -> bool {
        self.is_keeper
    }

    /// Closes the process's input and waits for it to exit. Kills it after a while. Returns the
    /// exit status.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.input = None;
        let until = Instant::now() + self.grace;
        let mut pause = Duration::from_millis(1);
        while Instant::now() < until {
            match self.process.try_wait() {
                Ok(None) => std::thread::sleep(pause),
                Ok(status) => return status,
                Err(_) => break,
            }
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        self.is_keeper = false;
        self.kill();
        self.process.wait().ok()
    }

    /// Kills the process and the children in its process group immediately. For a keeper, only
    /// closes the input.
    pub fn kill(&mut self) {
        self.input = None;
        self.ended = true;
        if self.is_keeper {
            return;
        }
        // The process may already have ended.
        let _ = self.process.kill();
        let group = i32::try_from(self.process.id())
            .ok()
            .and_then(Pid::from_raw);
        if let Some(group) = group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

fn is_to_be_repeated(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

impl Drop for LineProcess {
    fn drop(&mut self) {
        self.end();
    }
}
