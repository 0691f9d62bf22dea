//! A child process that exchanges lines with this program over its pipes.
//!
//! One thread waits for all its pipes together, so that none can block the others: a process that
//! writes too much, or does not read, only delays itself.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, kill_process_group};

use risk_engine::matches::Aside;

/// Most bytes of one read.
const CHUNK: usize = 64 << 10;
/// Bytes that are kept of its standard error: the last ones.
pub(super) const ERRORS: usize = 64 << 10;
/// Time that a process has to end by itself before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// The same for a keeper, which ends by itself and then removes the files of its bot: that may take
/// time on a busy machine.
const KEEPER_GRACE: Duration = Duration::from_secs(10);

/// A child process. It ends when this is dropped.
#[derive(Debug)]
pub struct LineProcess {
    process: Child,
    /// Closed when nothing more will be sent.
    input: Option<ChildStdin>,
    output: ChildStdout,
    errors: Option<ChildStderr>,
    /// The end of its standard error.
    said_aside: VecDeque<u8>,
    /// Whether earlier bytes of it were dropped.
    aside_is_cut: bool,
    /// Output that was read. The first `taken` bytes are used up; they are removed only with the
    /// next read, so that the rest is not moved up for every short line.
    unread: Vec<u8>,
    chunk: Box<[u8]>,
    taken: usize,
    /// The bytes after `taken` that are known to have no line end.
    searched: usize,
    /// Whether it has closed its output.
    ended: bool,
    /// The longest line that is read, in bytes.
    longest: usize,
    /// Whether it ends what it has started. It must not be killed before.
    is_keeper: bool,
    /// Time that it has to end by itself.
    grace: Duration,
}

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
    /// Starts a process whose lines have at most `longest` bytes.
    ///
    /// # Errors
    /// When the system has no such program, or no process or pipe for it.
    pub fn start(command: &mut Command, longest: usize) -> io::Result<Self> {
        Self::start_as(command, longest, false)
    }

    /// Starts a process that ends everything it has started when its input is closed. It may take
    /// `longer` than other keepers to do so.
    ///
    /// # Errors
    /// As [`LineProcess::start`].
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
            // Ctrl-C in the terminal is meant for this program, not for the bot.
            .process_group(0)
            .spawn()?;
        let (Some(input), Some(output), Some(errors)) = (
            process.stdin.take(),
            process.stdout.take(),
            process.stderr.take(),
        ) else {
            return Err(io::Error::other("a process has no pipes"));
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
            ended: false,
            longest,
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

    /// Sends lines, and reads the output meanwhile.
    ///
    /// # Errors
    /// When it has ended, or does not read them in time.
    pub fn send(&mut self, lines: &str, patience: Duration) -> Result<(), Silence> {
        let until = Instant::now() + patience;
        let mut rest = lines.as_bytes();
        while !rest.is_empty() {
            let Some(input) = &mut self.input else {
                return Err(Silence::Ended);
            };
            match input.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait(until, true)?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Silence::Ended),
            }
        }
        Ok(())
    }

    /// Waits for the next line and returns it without its end. When the output is closed, the text
    /// after the last line end is a line too.
    ///
    /// # Errors
    /// When no line comes in time.
    pub fn receive(&mut self, patience: Duration) -> Result<String, Silence> {
        let until = Instant::now() + patience;
        loop {
            if let Some(line) = self.next_line()? {
                return Ok(line);
            }
            self.wait(until, false)?;
        }
    }

    /// Returns the next line that has already come.
    ///
    /// # Errors
    /// When the line is too long, or nothing more will come.
    pub fn next_line(&mut self) -> Result<Option<String>, Silence> {
        let rest = &self.unread[self.taken..];
        let end = rest[self.searched..].iter().position(|&byte| byte == b'\n');
        let length = match end {
            Some(end) => self.searched + end,
            None if self.ended && rest.is_empty() => return Err(Silence::Ended),
            None if self.ended => rest.len(),
            None => {
                self.searched = rest.len();
                let too_long = self.searched > self.longest;
                return if too_long {
                    Err(Silence::TooLong)
                } else {
                    Ok(None)
                };
            }
        };
        if length > self.longest {
            return Err(Silence::TooLong);
        }
        let line = &rest[..length];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = String::from_utf8_lossy(line).into_owned();
        self.taken += (length + 1).min(rest.len());
        self.searched = 0;
        Ok(Some(line))
    }

    /// Reads what has come so far, without waiting.
    pub fn look(&mut self) {
        // An error shows when the next line is wanted.
        let _ = self.wait(Instant::now(), false);
    }

    /// Waits until the process can be read from, or written to if `writes`.
    fn wait(&mut self, until: Instant, writes: bool) -> Result<(), Silence> {
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
        let left = until.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).ok();
        let ready = match poll(&mut fds, timeout.as_ref()) {
            Ok(ready) => ready,
            Err(Errno::INTR) => return Ok(()),
            Err(_) => return Err(Silence::Ended),
        };
        if ready == 0 {
            return Err(Silence::Timeout);
        }
        self.hear_aside();
        if hears {
            self.hear();
        }
        Ok(())
    }

    /// Reads at most a chunk of its output.
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

    /// Reads at most a chunk of its standard error.
    fn hear_aside(&mut self) {
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

    /// Takes the end of what it wrote to its standard error since the last call. Waits a moment for
    /// more, and for all that is left if the process has ended.
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

    /// Closes its input: nothing more will be sent.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Reports whether it has ended, in any way.
    pub fn is_over(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Reports whether it keeps another process, and ends what that one has started.
    #[must_use]
    pub const fn is_keeper(&self) -> bool {
        self.is_keeper
    }

    /// Closes its input and waits for its end; kills it after a while. Returns how it ended.
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

    /// Kills it immediately, with those of its children that stayed in its group. Only closes the
    /// input of a keeper.
    pub fn kill(&mut self) {
        self.input = None;
        self.ended = true;
        if self.is_keeper {
            return;
        }
        // It may have ended already.
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
