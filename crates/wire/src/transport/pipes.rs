//! Bots that are programs on this machine: each is a child process, and is spoken to in lines.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use super::environment::set_environment;
use super::interface::{
    Address, Confinement, Framing, Greeting, NotThere, Parting, Places, Route, Sandbox, Speech,
    Transport, TransportInfo, WireError,
};
use super::parting;
use super::process::{ERRORS, LineProcess, Silence};
use crate::codec::Message;
use crate::quote::quoted;
use risk_engine::matches::{Aside, TimeLeft};
use risk_kernel::fault::{Exchange, FaultKind};

/// Bots that are programs.
pub(crate) static PIPES: TransportInfo = TransportInfo {
    scheme: "cmd",
    label: "pipes",
    framing: Framing::Lines,
    places: Some(Places {
        parse,
        help: "write cmd:python3 bot.py, for example: a program and its arguments",
    }),
};

/// The route to a program: what it may do.
#[derive(Clone, Debug)]
pub(crate) struct PipeRoute(pub(crate) Confinement);

impl Route for PipeRoute {
    fn info(&self) -> &'static TransportInfo {
        &PIPES
    }

    fn open(&self, address: &Address, speech: Speech) -> Box<dyn Transport> {
        let command = address.place.strip_prefix("cmd:").unwrap_or(&address.place);
        Box::new(Pipes {
            confinement: self.0.clone(),
            counts_lines: speech.counts_lines,
            farewell: address.farewell,
            ..Pipes::of(shlex::split(command).unwrap_or_default(), address.timeout)
        })
    }

    fn wants_walls(&self) -> bool {
        self.0.sandbox == Sandbox::On
    }
}

/// The longest line that a bot may say, in bytes.
const LONGEST: usize = 1 << 20;
/// How long a process may take for its first answer at least: some have much to load.
const STARTING: Duration = Duration::from_secs(10);
/// The most lines that are no answer before one is.
const MOST_LINES: usize = 10_000;
/// So many times a program that counts lines may be late in a game.
const MOST_LATE: u32 = 3;
/// After so many crashed games one behind the other a bot is given up.
const MOST_CRASHES: u32 = 3;
/// Processor time that a bot may take for one game, with all that it starts.
#[cfg(target_os = "linux")]
const PROCESSOR: Duration = Duration::from_secs(600);
/// How long an answer takes before it is looked at what the bot uses.
#[cfg(target_os = "linux")]
const SLOW: Duration = Duration::from_millis(200);

/// What programs say that run into a wall.
const REFUSALS: [&str; 4] = [
    "Permission denied",
    "Operation not permitted",
    "EACCES",
    "EPERM",
];

/// The command without the scheme, and its program's name.
fn parse(place: &str) -> Option<(String, String)> {
    let words = shlex::split(place.strip_prefix("cmd:")?)?;
    // Of `python3 bot.py` people say bot, and of `./bot 7` too.
    let has_ending = |word: &&String| Path::new(word).extension().is_some();
    let told = words.iter().find(has_ending).or(words.first())?;
    let short = Path::new(told).file_stem()?.to_str()?;
    Some((place.to_owned(), short.to_owned()))
}

/// How things are with a bot's process.
enum Life {
    /// It was not started yet, or has to be again.
    Wanted,
    /// The program runs, and its lines are read.
    Running(LineProcess),
    /// It has ended, or was made to: why. It is started again with the next game.
    Crashed(String),
}

/// A bot's process, and what was said.
pub(crate) struct Pipes {
    words: Vec<String>,
    patience: Duration,
    /// What is left on its clock, if it has one.
    left: Option<Duration>,
    confinement: Confinement,
    counts_lines: bool,
    /// Is it a program of ours, which takes from itself what it may not do?
    confines_itself: bool,
    farewell: Option<Duration>,
    life: Life,
    /// How often it was late in this game.
    late: u32,
    /// Has the process not been asked anything yet?
    fresh: bool,
    last: Option<Exchange>,
    /// What processes wrote aside that have ended.
    aside: Aside,
    /// Games one behind the other in which it crashed.
    crashes: u32,
    crashed: bool,
    /// Processor time before this game, in ticks.
    #[cfg(target_os = "linux")]
    ticks: u64,
}

impl Pipes {
    /// A program of ours that takes from itself what it may not do: nobody keeps it, and it is
    /// never given up.
    pub(crate) fn confining_itself(words: Vec<String>, patience: Duration) -> Self {
        Self {
            confinement: Confinement {
                sandbox: Sandbox::Off,
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
            left: None,
            confinement: Confinement::default(),
            counts_lines: false,
            confines_itself: false,
            farewell: None,
            life: Life::Wanted,
            late: 0,
            fresh: false,
            last: None,
            aside: Aside::default(),
            crashes: 0,
            crashed: false,
            #[cfg(target_os = "linux")]
            ticks: 0,
        }
    }

    /// A process that runs; `None` where there is no command.
    fn run(&self) -> Option<io::Result<LineProcess>> {
        #[cfg(target_os = "linux")]
        if !self.confines_itself
            && let Some(mut command) = super::keeper::command(&self.kept())
        {
            set_environment(&mut command, &self.confinement.variables);
            let longer = self.farewell.map_or(Duration::ZERO, |_| parting::LONGEST);
            return Some(LineProcess::start_keeper(&mut command, LONGEST, longer));
        }
        let (program, arguments) = self.words.split_first()?;
        let mut command = Command::new(program);
        set_environment(&mut command, &self.confinement.variables);
        Some(LineProcess::start(command.args(arguments), LONGEST))
    }

    /// How it is kept: where the system has no walls, with limits alone.
    #[cfg(target_os = "linux")]
    fn kept(&self) -> super::keeper::Kept {
        let sandbox = match self.confinement.sandbox {
            Sandbox::On if !super::walls::are_possible() => Sandbox::Open,
            sandbox => sandbox,
        };
        super::keeper::Kept {
            words: self.words.clone(),
            sandbox,
            readable: self.confinement.readable.clone(),
            patient: self.farewell.is_some(),
        }
    }

    /// Starts the process where it has to be.
    fn start(&mut self) -> Result<&mut LineProcess, WireError> {
        if let Life::Wanted = self.life {
            self.life = match self.run() {
                Some(Ok(process)) => Life::Running(process),
                Some(Err(error)) => Life::Crashed(format!("it can't be started: {error}")),
                None => Life::Crashed("the command is empty".to_owned()),
            };
            self.fresh = true;
            #[cfg(target_os = "linux")]
            {
                self.ticks = 0;
            }
        }
        match &mut self.life {
            Life::Running(process) => Ok(process),
            Life::Crashed(why) => Err(WireError::connection(format!("the bot is gone: {why}"))),
            Life::Wanted => Err(WireError::connection("the bot was not started")),
        }
    }

    /// What comes of a process that did not do what it should.
    fn failed(&mut self, silence: Silence, patience: Duration) -> WireError {
        let life = std::mem::replace(&mut self.life, Life::Wanted);
        let Life::Running(mut process) = life else {
            self.life = life;
            return WireError::connection("the bot is gone");
        };
        if silence == Silence::Timeout {
            // It is started again at once: the game goes on with the next question.
            self.keep(&process.take_aside());
            process.kill();
            let again = if self.fresh {
                ""
            } else {
                ", and is started again"
            };
            let text = format!("no answer within {}: the bot hangs{again}", span(patience));
            return WireError {
                kind: FaultKind::Hung,
                text,
            };
        }
        let aside = process.take_aside();
        self.keep(&aside);
        let why = match silence {
            Silence::TooLong => {
                process.kill();
                format!("it said more than {LONGEST} bytes in one line")
            }
            _ => ending(process.end()),
        };
        self.crash(why, aside.text.trim())
    }

    /// Keeps what a process wrote aside that ends: the last of all.
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
        if let Life::Running(process) = &mut self.life {
            let aside = process.take_aside();
            self.keep(&aside);
        }
    }

    /// Is the process kept when it is late, since a late answer will be told from others?
    const fn is_kept(&self) -> bool {
        self.counts_lines || (self.left.is_some() && !self.fresh)
    }

    /// What comes of a late answer that will be told from others.
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
        if let Life::Running(process) = &mut self.life {
            process.kill();
        }
        self.crash(format!("it was late {MOST_LATE} times in one game"), "")
    }

    /// The bot is gone until the next game.
    fn crash(&mut self, mut why: String, aside: &str) -> WireError {
        self.crashed = true;
        self.keep_of_running();
        if let Some(last) = telling(aside) {
            why += &format!("; the last that it said aside is {}", quoted(last));
            if self.confinement.sandbox == Sandbox::On
                && REFUSALS.iter().any(|it| last.contains(it))
            {
                why += ": it may write into $TMPDIR alone and reach no network; read=DIR lets it \
                        read more, and sandbox=open takes its walls away";
            }
        }
        self.life = Life::Crashed(why.clone());
        WireError::connection(format!("the bot is gone: {why}"))
    }

    /// Holds what the bot has used against what it may use.
    #[cfg(target_os = "linux")]
    fn check_usage(&mut self) -> Result<(), WireError> {
        let Life::Running(process) = &mut self.life else {
            return Ok(());
        };
        if self.confinement.sandbox == Sandbox::Off {
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
        let why =
            format!("it took {seconds} s of processor time for one game, and {most} s are allowed");
        process.kill();
        Err(self.crash(why, ""))
    }

    /// Lines until one is the answer.
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
                    Err(Silence::Timeout) if Instant::now() < until => {
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
                Err(Silence::Timeout) if self.is_kept() => return Err(self.was_late(patience)),
                Err(silence) => return Err(self.failed(silence, patience)),
            }
        }
        if let Life::Running(process) = &mut self.life {
            process.kill();
        }
        Err(self.crash(format!("it said {MOST_LINES} lines, and no answer"), ""))
    }
}

/// A time for people.
fn span(time: Duration) -> String {
    let millis = time.as_millis();
    if millis.is_multiple_of(1_000) {
        format!("{} s", millis / 1_000)
    } else {
        format!("{millis} ms")
    }
}

/// The line of a last cry that says most: the last one that is not set in, since some languages say
/// first what happened and then where, and others the other way round.
fn telling(aside: &str) -> Option<&str> {
    let is_set_in = |line: &&str| line.starts_with([' ', '\t']);
    let plain = aside
        .lines()
        .rfind(|line| !is_set_in(line) && !line.is_empty());
    plain.or(aside.lines().last())
}

/// How a process ended, for people.
fn ending(status: Option<ExitStatus>) -> String {
    if let Some(signal) = status.and_then(|status| status.signal()) {
        return format!("it was ended by signal {signal}");
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
        // A keeper has the codes of shells.
        Some(code) if code > 128 => format!("it was ended by signal {}", code - 128),
        Some(code) => format!("it has ended with exit code {code}"),
        None => "it has ended".to_owned(),
    }
}

impl Transport for Pipes {
    fn greet(&mut self, _: Greeting) -> Result<(), NotThere> {
        let started = self.start().map(|_| ());
        started.map_err(|error| NotThere {
            public: "the bot can't be started".to_owned(),
            full: error.text,
        })
    }

    fn begin(&mut self) {
        self.crashes = if self.crashed { self.crashes + 1 } else { 0 };
        self.crashed = false;
        if self.late > 0
            && let Life::Running(process) = &mut self.life
        {
            // It may still be at a question of the last game.
            process.kill();
            self.life = Life::Wanted;
        }
        self.late = 0;
        self.last = None;
        if let Life::Crashed(_) = self.life {
            self.life = Life::Wanted;
        }
        #[cfg(target_os = "linux")]
        if let Life::Running(process) = &self.life
            && self.confinement.sandbox != Sandbox::Off
        {
            let all = super::keeper::descendants(process.id());
            self.ticks = all.iter().map(|process| process.ticks).sum();
        }
        // One that can't be started shows itself when it is asked.
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
        let process = self.start()?;
        process.look();
        // What was said before the question.
        loop {
            match process.next_line() {
                Ok(Some(line)) => drop(is_answer(&line, true)),
                Ok(None) => break,
                Err(silence) => return Err(self.failed(silence, patience)),
            }
        }
        let sent = process.send(&format!("{}\n", message.body), patience);
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

    fn tell(&mut self, message: &Message) {
        let patience = self.patience;
        if let Life::Running(process) = &mut self.life
            && let Err(silence) = process.send(&format!("{}\n", message.body), patience)
        {
            // It shows itself when the bot is asked.
            self.failed(silence, patience);
        }
    }

    fn is_heard(&self) -> bool {
        matches!(self.life, Life::Running(_))
    }

    fn hang_up(&mut self) {
        if let Life::Running(process) = &mut self.life {
            process.end();
            self.keep_of_running();
            self.life = Life::Wanted;
        }
    }

    fn take_aside(&mut self) -> Option<Aside> {
        self.keep_of_running();
        let aside = std::mem::take(&mut self.aside);
        (!aside.text.is_empty()).then_some(aside)
    }

    fn part(&mut self) -> Option<Parting> {
        let patience = self.farewell?;
        let life = std::mem::replace(&mut self.life, Life::Wanted);
        let Life::Running(mut process) = life else {
            return None;
        };
        Some(parting::part(&mut process, patience))
    }

    fn exchange(&self) -> Option<Exchange> {
        self.last.clone()
    }

    fn given_up(&self) -> Option<String> {
        let crashes = self.crashes + u32::from(self.crashed);
        match &self.life {
            Life::Crashed(why) if crashes >= MOST_CRASHES && !self.confines_itself => {
                Some(format!(
                    "it crashed in {crashes} games one behind the other, the last time so: {why}"
                ))
            }
            _ => None,
        }
    }
}
