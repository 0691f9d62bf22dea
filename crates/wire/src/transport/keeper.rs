//! A process between this program and a bot that sees to it that the bot ends, and everything that
//! it started: when the bot's input is closed, and when this program ends, however it does.
//!
//! It is this program again. As the reaper of its descendants it finds all of them, those too that
//! have left their parents. The bot itself is told to die with it, should somebody kill it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rlimit::{Resource, setrlimit};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    Pid, Signal, WaitOptions, getppid, kill_process, set_child_subreaper,
    set_parent_process_death_signal, wait,
};

/// The files that a bot may have open at once.
const FILES: u64 = 1_024;
/// How long a bot may take to end by itself when its input is closed.
const GRACE: Duration = Duration::from_millis(300);
/// The same where somebody looks whether it does.
const PATIENCE: Duration = Duration::from_millis(3_000);
/// How long what it has left behind may then take.
const LINGERING: Duration = Duration::from_millis(1_000);
/// How often those who do not end are looked for again.
const ROUNDS: u32 = 400;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says which program keeps bots: one that calls [`keep`] and [`become_bot`] where its first
/// argument is `keeper`. Without one, bots are started without a keeper.
pub fn set_program(program: PathBuf) {
    // Whoever says it first is believed: it is the same program.
    let _ = PROGRAM.set(program);
}

/// How a bot is started: through a keeper, where there is one.
///
/// A `patient` one leaves the bot more time to end by itself, and then what it has started, so that
/// somebody can look at it.
pub(super) fn command(words: &[String], confined: bool, patient: bool) -> Option<Command> {
    let mut command = Command::new(PROGRAM.get()?);
    command.arg("keeper");
    if confined {
        command.arg("--confined");
    }
    if patient {
        command.arg("--patient");
    }
    command.arg("--").args(words);
    Some(command)
}

/// Starts the bot through this program once more, waits for its end, and ends all that it leaves
/// behind; a `patient` one looks on for a while before. The code to exit with.
///
/// # Errors
/// When the system refuses.
pub fn keep(words: &[String], confined: bool, patient: bool) -> io::Result<u8> {
    set_child_subreaper(Some(rustix::process::getpid()))?;
    let leash = io::stdin().as_fd().try_clone_to_owned()?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["keeper", "--become"]);
    if confined {
        command.arg("--confined");
    }
    command.arg("--").args(words);
    let bot = command.spawn()?;
    // The pipes are the bot's alone: when it closes one, that is seen.
    let nothing = std::fs::File::options()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    let grace = if patient { PATIENCE } else { GRACE };
    std::thread::Builder::new().spawn(move || {
        let mut fds = [PollFd::new(&leash, PollFlags::empty())];
        // Nobody holds the other end any more.
        while !matches!(poll(&mut fds, None), Ok(ready) if ready > 0) {}
        std::thread::sleep(grace);
        for _ in 0..ROUNDS {
            kill_descendants();
            std::thread::sleep(Duration::from_millis(5));
        }
    })?;
    let code = reap(&bot);
    if patient {
        linger();
    }
    for _ in 0..ROUNDS {
        if !kill_descendants() {
            break;
        }
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(code)
}

/// Waits a while for the end of what the bot has left behind.
fn linger() {
    let until = Instant::now() + LINGERING;
    while Instant::now() < until && has_descendants() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn has_descendants() -> bool {
    while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
    let found = descendants(std::process::id());
    found.iter().any(|process| !process.is_zombie)
}

/// Waits for the bot's end, and takes in those who end before it. Its exit code, as shells have it.
fn reap(bot: &Child) -> u8 {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid.as_raw_nonzero().get().unsigned_abs() == bot.id() => {
                let code = status.exit_status();
                let signal = status.terminating_signal().map(|signal| 128 + signal);
                return code
                    .or(signal)
                    .and_then(|code| u8::try_from(code).ok())
                    .unwrap_or(1);
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return 1,
        }
    }
}

/// Becomes the bot: takes away from this process what a bot may not have, and starts its program in
/// it.
///
/// # Errors
/// When the system refuses, or has no such program. It does not return otherwise.
pub fn become_bot(words: &[String], confined: bool) -> io::Error {
    let become_it = || {
        let keeper = getppid();
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if keeper != getppid() {
            return Err(io::Error::other("the keeper has ended"));
        }
        if confined {
            for (resource, most) in [(Resource::NOFILE, FILES), (Resource::CORE, 0)] {
                let (_, hard) = resource.get()?;
                setrlimit(resource, most.min(hard), most.min(hard))?;
            }
        }
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        Err(Command::new(program).args(arguments).exec())
    };
    let became: io::Result<()> = become_it();
    became
        .err()
        .unwrap_or_else(|| io::Error::other("nothing was started"))
}

/// Kills all descendants of this process. Was there one?
fn kill_descendants() -> bool {
    let found = descendants(std::process::id());
    for process in &found {
        if let Some(pid) = i32::try_from(process.id).ok().and_then(Pid::from_raw) {
            // It may have ended meanwhile.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
    found.iter().any(|process| !process.is_zombie)
}

/// A process, as the system tells of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessInfo {
    pub(super) id: u32,
    pub(super) parent: u32,
    pub(super) is_zombie: bool,
    /// When it was started, in ticks since the system was.
    pub(super) started: u64,
    /// Processor time of it and of its children that have ended, in ticks of the system.
    pub(super) ticks: u64,
}

/// All processes that a process has started, and those that they have.
pub(super) fn descendants(of: u32) -> Vec<ProcessInfo> {
    let Ok(folder) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let all = folder.flatten().filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        read(
            id,
            &std::fs::read_to_string(entry.path().join("stat")).ok()?,
        )
    });
    let mut children: BTreeMap<u32, Vec<ProcessInfo>> = BTreeMap::new();
    for process in all {
        children.entry(process.parent).or_default().push(process);
    }
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([of]);
    let mut open = vec![of];
    while let Some(next) = open.pop() {
        for process in children.get(&next).into_iter().flatten() {
            if seen.insert(process.id) {
                found.push(*process);
                open.push(process.id);
            }
        }
    }
    found
}

/// What a process is called.
pub(super) fn name(id: u32) -> Option<String> {
    let name = std::fs::read_to_string(format!("/proc/{id}/comm")).ok()?;
    Some(name.trim_end().to_owned())
}

/// A line of `/proc/ID/stat`. The name in brackets may have anything in it.
fn read(id: u32, stat: &str) -> Option<ProcessInfo> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let times = fields.get(11..15)?;
    Some(ProcessInfo {
        id,
        parent: fields.get(1)?.parse().ok()?,
        is_zombie: fields[0] == "Z",
        started: fields.get(19)?.parse().ok()?,
        ticks: times
            .iter()
            .filter_map(|time| time.parse::<u64>().ok())
            .sum(),
    })
}
