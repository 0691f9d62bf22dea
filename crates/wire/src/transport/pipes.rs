//! Bots that are local programs. Each bot is a child process that communicates in lines.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, absolute};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use super::environment::{reserve_little, set_environment};
use super::interface::{
    Address, Confinement, ConnectError, ExitReport, Framing, Greeting, Places, ProtocolTraits,
    Route, SandboxMode, Transport, TransportInfo, WireError,
};
use super::process::{ERRORS, LineError, LineProcess};
use super::process_exit;
use crate::codec::Message;
use crate::files::folder_with_pipes;
use crate::quote::quoted;
#[cfg(target_os = "linux")]
use risk_engine::{Aside, TimeLeft, interrupt};
use risk_kernel::fault::{Exchange, FaultKind};
use tempfile::TempDir;

pub(crate) static PIPES: TransportInfo = TransportInfo {
    scheme: "cmd",
    label: "pipes",
    framing: Framing::Lines,
    places: Some(Places {
        parse,
        help: "write cmd:PROGRAM and its arguments, for example cmd:python3 bot.py",
    }),
};

/// The route to a local program, with its permissions.
#[derive(Clone, Debug)]
pub(crate) struct PipeRoute(pub(crate) Confinement);

impl Route for PipeRoute {
    fn info(&self) -> &'static TransportInfo {
        &PIPES
    }

    fn open(&self, address: &Address, speech: ProtocolTraits) -> Box<dyn Transport> {
        let command = address.place.strip_prefix("cmd:").unwrap_or(&address.place);
        Box::new(Pipes {
            confinement: self.0.clone(),
            counts_lines: speech.counts_lines,
            folder_pipes: speech.folder_pipes,
            farewell: address.farewell,
            ..Pipes::of(shlex::split(command).unwrap_or_default(), address.timeout)
        })
    }

    fn wants_sandbox(&self) -> bool {
        self.0.sandbox == SandboxMode::On
    }
}

/// The maximum length of a line from a bot, in bytes.
const LONGEST: usize = 1 << 20;
/// The minimum time limit for a process's first answer. Some programs need time to load.
const STARTING: Duration = Duration::from_secs(10);
/// The maximum number of lines without an answer among them.
const MOST_LINES: usize = 10_000;
/// The number of late answers in one game after which a program with numbered answers is killed.
const MOST_LATE: u32 = 3;
/// The number of consecutive crashed games after which the match gives up on a bot.
const MOST_CRASHES: u32 = 3;
/// The maximum processor time of a bot and its child processes, per game.
#[cfg(target_os = "linux")]
const PROCESSOR: Duration = Duration::from_secs(600);
/// The waiting time for an answer after which the bot's usage is checked.
#[cfg(target_os = "linux")]
const SLOW: Duration = Duration::from_millis(200);

/// Error messages of programs that were blocked by the sandbox.
const REFUSALS: [&str; 4] = [
    "Permission denied",
    "Operation not permitted",
    "EACCES",
    "EPERM",
];

/// Returns the address and the name of the program in it.
fn parse(place: &str) -> Option<(String, String)> {
    let words = shlex::split(place.strip_prefix("cmd:")?)?;
    // `python3 bot.py` and `./bot 7` both have the short name `bot`.
    let has_ending = |word: &&String| Path::new(word).extension().is_some();
    let told = words.iter().find(has_ending).or(words.first())?;
    let short = Path::new(told).file_stem()?.to_str()?;
    Some((place.to_owned(), short.to_owned()))
}

/// The state of a bot's process.
#[derive(Default)]
enum ProcessState {
    /// The process has to be started.
    #[default]
    Wanted,
    Running(LineProcess),
    /// The process has ended for this reason. It is restarted in the next game.
    Crashed(String),
}

/// A bot's process and the conversation with the bot.
#[derive(Default)]
pub(crate) struct Pipes {
    words: Vec<String>,
    patience: Duration,
    /// The time left on the bot's clock, if it has a clock.
    left: Option<Duration>,
    confinement: Confinement,
    counts_lines: bool,
    folder_pipes: bool,
    /// The program's folder, if it has pipes there.
    folder: Option<TempDir>,
    /// Whether the program confines itself.
    confines_itself: bool,
    farewell: Option<Duration>,
    life: ProcessState,
    /// The number of late answers in this game.
    late: u32,
    /// Whether the process has not received a question yet.
    fresh: bool,
    last: Option<Exchange>,
    /// The collected standard error of ended processes.
    aside: Aside,
    /// The number of consecutive games in which the bot crashed.
    crashes: u32,
    crashed: bool,
    /// The processor time used before this game, in ticks.
    #[cfg(target_os = "linux")]
    ticks: u64,
}

impl Pipes {
    /// Creates a transport to a program that confines itself. Such a program has no keeper, and the
    /// match never gives up on it.
    pub(crate) fn confining_itself(words: Vec<String>, patience: Duration) -> Self {
        Self {
            confinement: Confinement {
                sandbox: SandboxMode::Off,
                ..Confinement::default()
            },
            confines_itself: true,
            ..Self::of(words, patience)
        }
    }

    fn of(words: Vec<String>, patience: Duration) -> Self {
        Self {
            words,
            patience,
            ..Self::default()
        }
    }

    /// Returns the command. A shell starts a program with pipes in its folder there, and gives it
    /// our pipes under other numbers, because the program may print anything.
    fn command(&self) -> Vec<String> {
        const IN_FOLDER: &str = r#"cd "$0" && exec "$@" 3>&1 4<&0 >&2 </dev/null"#;
        let Some(folder) = &self.folder else {
            return self.words.clone();
        };
        let from_here = |word: &String| match absolute(word) {
            Ok(path) if path.exists() => path.display().to_string(),
            _ => word.clone(),
        };
        let folder = folder.path().display().to_string();
        let shell = ["sh", "-c", IN_FOLDER, &folder].map(str::to_owned);
        shell
            .into_iter()
            .chain(self.words.iter().map(from_here))
            .collect()
    }

    /// Starts a process. Returns `None` if the command is empty.
    fn run(&self) -> Option<io::Result<LineProcess>> {
        #[cfg(target_os = "linux")]
        if !self.confines_itself
            && let Some(mut command) = super::keeper::command(&self.kept())
        {
            set_environment(&mut command, &self.confinement.variables);
            let longer = self
                .farewell
                .map_or(Duration::ZERO, |_| process_exit::LONGEST);
            return Some(LineProcess::start_keeper(&mut command, LONGEST, longer));
        }
        let words = self.command();
        let (program, arguments) = words.split_first()?;
        let mut command = Command::new(program);
        set_environment(&mut command, &self.confinement.variables);
        if self.confines_itself {
            reserve_little(&mut command);
        }
        Some(LineProcess::start(command.args(arguments), LONGEST))
    }

    /// Describes the bot for its keeper. Uses only limits if the system does not support a sandbox.
    #[cfg(target_os = "linux")]
    fn kept(&self) -> super::keeper::KeeperTask {
        let sandbox = match self.confinement.sandbox {
            SandboxMode::On if !super::sandbox::are_possible() => SandboxMode::Open,
            sandbox => sandbox,
        };
        super::keeper::KeeperTask {
            words: self.command(),
            sandbox,
            readable: self.confinement.readable.clone(),
            patient: self.farewell.is_some(),
        }
    }

    /// Starts the process if necessary.
    fn start(&mut self) -> Result<&mut LineProcess, WireError> {
        if let ProcessState::Wanted = self.life {
            let folder = self.folder_pipes.then(folder_with_pipes).transpose();
            let started = folder.map(|folder| self.folder = folder);
            self.life = match started.map_or_else(|error| Some(Err(error)), |()| self.run()) {
                Some(Ok(mut process)) => {
                    process.has_lengths = self.folder_pipes;
                    ProcessState::Running(process)
                }
                Some(Err(error)) => ProcessState::Crashed(format!("can't start the bot: {error}")),
                None => ProcessState::Crashed("the command is empty".to_owned()),
            };
            self.fresh = true;
            #[cfg(target_os = "linux")]
            {
                self.ticks = 0;
            }
        }
        match &mut self.life {
            ProcessState::Running(process) => Ok(process),
            ProcessState::Crashed(why) => Err(WireError::connection(why.clone())),
            ProcessState::Wanted => Err(WireError::connection("the bot was not started")),
        }
    }

    fn failed(&mut self, silence: LineError, patience: Duration) -> WireError {
        let life = std::mem::replace(&mut self.life, ProcessState::Wanted);
        let ProcessState::Running(mut process) = life else {
            self.life = life;
            return WireError::connection("the bot is not running");
        };
        if silence == LineError::Timeout {
            // The process is restarted at the next question, so the bot stays in the game.
            self.keep(&process.take_aside());
            process.kill();
            let again = if self.fresh {
                ""
            } else {
                "; the bot is restarted"
            };
            let text = format!("no answer within {}{again}", span(patience));
            return WireError {
                kind: FaultKind::Hung,
                text,
            };
        }
        let aside = process.take_aside();
        self.keep(&aside);
        let why = match silence {
            LineError::TooLong => {
                process.kill();
                format!("the bot wrote more than {LONGEST} bytes in one line")
            }
            LineError::NoLength => {
                process.kill();
                "a message must begin with its length, up to 3 digits, and a comma".to_owned()
            }
            _ => ending(process.end()),
        };
        self.crash(why, aside.text.trim())
    }

    /// Appends to the collected standard error, which is limited to the last [`ERRORS`] bytes.
    fn keep(&mut self, aside: &Aside) {
        let kept = &mut self.aside;
        kept.is_cut |= aside.is_cut;
        kept.text += &aside.text;
        let mut most = kept.text.len().saturating_sub(ERRORS);
        while !kept.text.is_char_boundary(most) {
            most += 1;
        }
        kept.is_cut |= most > 0;
        kept.text.drain(..most);
    }

    fn keep_of_running(&mut self) {
        if let ProcessState::Running(process) = &mut self.life {
            let aside = process.take_aside();
            self.keep(&aside);
        }
    }

    /// Reports whether a late process continues to run because its late answer can be identified.
    const fn is_kept(&self) -> bool {
        self.counts_lines || (self.left.is_some() && !self.fresh)
    }

    /// Handles a late answer from a process that continues to run.
    fn was_late(&mut self, patience: Duration) -> WireError {
        self.late += 1;
        let text = format!("no answer within {}", span(patience));
        if self.late < MOST_LATE || !self.counts_lines {
            let kind = match self.left {
                Some(_) => FaultKind::Timeout,
                None => FaultKind::Hung,
            };
            return WireError { kind, text };
        }
        if let ProcessState::Running(process) = &mut self.life {
            process.kill();
        }
        self.crash(
            format!("the bot was late {MOST_LATE} times in one game"),
            "",
        )
    }

    /// Marks the bot as crashed until the next game.
    fn crash(&mut self, mut why: String, aside: &str) -> WireError {
        self.crashed = true;
        self.keep_of_running();
        if let Some(last) = telling(aside) {
            why += &format!("; last line on stderr: {}", quoted(last));
            if self.confinement.sandbox == SandboxMode::On
                && REFUSALS.iter().any(|it| last.contains(it))
            {
                why += "; the sandbox allows writing to $TMPDIR only and no network: allow \
                        reading with read=DIR, or everything with sandbox=open";
            }
        }
        self.life = ProcessState::Crashed(why.clone());
        WireError::connection(why)
    }

    /// Checks the bot's processor time against the limit.
    #[cfg(target_os = "linux")]
    fn check_usage(&mut self) -> Result<(), WireError> {
        let ProcessState::Running(process) = &mut self.life else {
            return Ok(());
        };
        if self.confinement.sandbox == SandboxMode::Off {
            return Ok(());
        }
        let all = super::keeper::descendants(process.id());
        let per_second = rustix::param::clock_ticks_per_second();
        let ticks: u64 = all.iter().map(|process| process.ticks).sum();
        let seconds = ticks.saturating_sub(self.ticks) / per_second.max(1);
        if seconds <= PROCESSOR.as_secs() {
            return Ok(());
        }
        let most = PROCESSOR.as_secs();
        let why = format!("the bot used {seconds} s of processor time, more than {most} s a game");
        process.kill();
        Err(self.crash(why, ""))
    }

    fn hear(
        &mut self,
        patience: Duration,
        is_answer: &mut dyn FnMut(&str, bool) -> bool,
    ) -> Result<String, WireError> {
        let until = Instant::now() + patience;
        for _ in 0..MOST_LINES {
            #[cfg(target_os = "linux")]
            let heard = {
                let left = until.saturating_duration_since(Instant::now());
                let process = self.start()?;
                match process.receive(left.min(SLOW)) {
                    Err(LineError::Timeout)
                        if Instant::now() < until && !interrupt::is_raised() =>
                    {
                        self.check_usage()?;
                        continue;
                    }
                    heard => heard,
                }
            };
            #[cfg(not(target_os = "linux"))]
            let heard = {
                let left = until.saturating_duration_since(Instant::now());
                self.start()?.receive(left)
            };
            match heard {
                Ok(line) if is_answer(&line, false) => return Ok(line),
                Ok(_) => {}
                Err(LineError::Timeout) if self.is_kept() => return Err(self.was_late(patience)),
                Err(silence) => return Err(self.failed(silence, patience)),
            }
        }
        if let ProcessState::Running(process) = &mut self.life {
            process.kill();
        }
        Err(self.crash(format!("no answer in {MOST_LINES} lines"), ""))
    }
}

/// Returns a message with its length, or with a line end.
fn framed(has_length: bool, message: &Message) -> String {
    match has_length {
        true => format!("{},{}", message.body.chars().count(), message.body),
        false => format!("{}\n", message.body),
    }
}

fn span(time: Duration) -> String {
    let millis = time.as_millis();
    if millis.is_multiple_of(1_000) {
        format!("{} s", millis / 1_000)
    } else {
        format!("{millis} ms")
    }
}

/// Returns the most informative line of a crash message, which is the last line without
/// indentation. Some languages print the error before its location, and others after it.
fn telling(aside: &str) -> Option<&str> {
    let is_set_in = |line: &&str| line.starts_with([' ', '\t']);
    let plain = aside
        .lines()
        .rfind(|line| !is_set_in(line) && !line.is_empty());
    plain.or(aside.lines().last())
}

fn ending(status: Option<ExitStatus>) -> String {
    if let Some(signal) = status.and_then(|status| status.signal()) {
        return format!("the bot was killed by signal {signal}");
    }
    let code = status.and_then(|status| status.code());
    #[cfg(target_os = "linux")]
    if let Some(code) = code
        && let Some((_, why)) = super::keeper::TOO_MUCH
            .iter()
            .find(|(it, _)| i32::from(*it) == code)
    {
        return (*why).to_owned();
    }
    match code {
        // A keeper returns exit codes in the format that shells use.
        Some(code) if code > 128 => format!("the bot was killed by signal {}", code - 128),
        Some(code) => format!("the bot exited with code {code}"),
        None => "the bot exited".to_owned(),
    }
}

impl Transport for Pipes {
    fn greet(&mut self, _: Greeting) -> Result<(), ConnectError> {
        let started = self.start().map(|_| ());
        started.map_err(|error| ConnectError {
            public: "can't start the bot".to_owned(),
            full: error.text,
        })
    }

    fn begin(&mut self) {
        self.crashes = if self.crashed { self.crashes + 1 } else { 0 };
        self.crashed = false;
        if self.late > 0
            && let ProcessState::Running(process) = &mut self.life
        {
            // The process may still be working on a question of the last game.
            process.kill();
            self.life = ProcessState::Wanted;
        }
        self.late = 0;
        self.last = None;
        if let ProcessState::Crashed(_) = self.life {
            self.life = ProcessState::Wanted;
        }
        #[cfg(target_os = "linux")]
        if let ProcessState::Running(process) = &self.life
            && self.confinement.sandbox != SandboxMode::Off
        {
            let all = super::keeper::descendants(process.id());
            self.ticks = all.iter().map(|process| process.ticks).sum();
        }
        // A failure to start is reported at the next question.
        let _ = self.start();
    }

    fn has_left(&mut self, clock: TimeLeft) {
        self.left = Some(clock.left);
    }

    fn is_fresh(&mut self) -> bool {
        self.start().is_ok() && self.fresh
    }

    fn ask(
        &mut self,
        message: Message,
        is_answer: &mut dyn FnMut(&str, bool) -> bool,
    ) -> Result<String, WireError> {
        self.start()?;
        let starting = if self.fresh { STARTING } else { Duration::ZERO };
        let patience = self.left.unwrap_or(self.patience).max(starting);
        let text = framed(self.folder_pipes, &message);
        let process = self.start()?;
        process.look();
        loop {
            match process.next_line() {
                Ok(Some(line)) => drop(is_answer(&line, true)),
                Ok(None) => break,
                Err(silence) => return Err(self.failed(silence, patience)),
            }
        }
        let sent = process.send(&text, patience);
        let heard = match sent {
            Ok(()) => self.hear(patience, is_answer),
            Err(silence) => Err(self.failed(silence, patience)),
        };
        self.fresh = false;
        self.last = Some(Exchange {
            request: message.body,
            answer: heard.clone().unwrap_or_default(),
        });
        heard
    }

    fn notify(&mut self, message: &Message) {
        let patience = self.patience;
        if let ProcessState::Running(process) = &mut self.life
            && let Err(silence) = process.send(&framed(self.folder_pipes, message), patience)
        {
            // The failure is reported at the next question.
            self.failed(silence, patience);
        }
    }

    fn is_heard(&self) -> bool {
        matches!(self.life, ProcessState::Running(_))
    }

    fn hang_up(&mut self) {
        if let ProcessState::Running(process) = &mut self.life {
            process.end();
            self.keep_of_running();
            self.life = ProcessState::Wanted;
        }
    }

    fn take_aside(&mut self) -> Option<Aside> {
        self.keep_of_running();
        let aside = std::mem::take(&mut self.aside);
        (!aside.text.is_empty()).then_some(aside)
    }

    fn part(&mut self) -> Option<ExitReport> {
        let patience = self.farewell?;
        let life = std::mem::replace(&mut self.life, ProcessState::Wanted);
        let ProcessState::Running(mut process) = life else {
            return None;
        };
        Some(process_exit::wait_for_exit(&mut process, patience))
    }

    fn exchange(&self) -> Option<Exchange> {
        self.last.clone()
    }

    fn given_up(&self) -> Option<String> {
        let crashes = self.crashes + u32::from(self.crashed);
        match &self.life {
            ProcessState::Crashed(why) if crashes >= MOST_CRASHES && !self.confines_itself => Some(
                format!("{crashes} consecutive games failed; the last error: {why}"),
            ),
            _ => None,
        }
    }
}
