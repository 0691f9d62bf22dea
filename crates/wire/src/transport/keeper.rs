//! A process between this program and a bot. It ends the bot and all processes that the bot
//! started. The keeper does so when the bot's input is closed, and when this program ends for any
//! reason.
//!
//! The keeper is another instance of this program. It is registered as the reaper of its
//! descendants. It can therefore find all of them, including processes that were detached from
//! their parents. If the keeper is killed, the system kills the bot too.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use rlimit::{Resource, setrlimit};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    Pid, Signal, WaitOptions, getpgrp, getppid, kill_process, kill_process_group,
    set_child_subreaper, set_parent_process_death_signal, setsid, wait,
};
use tempfile::TempDir;

use super::program_files::program_files;
use super::{SandboxMode, sandbox};

/// The maximum number of files that a bot can have open at the same time.
const FILES: u64 = 1_024;
/// The time that a bot has to exit on its own after its input is closed.
const GRACE: Duration = Duration::from_millis(300);
/// The time that a watched bot has to exit on its own after its input is closed.
const PATIENCE: Duration = Duration::from_millis(3_000);
/// The time that the remaining processes of a watched bot have to exit.
const LINGERING: Duration = Duration::from_millis(1_000);
/// The number of rounds in which remaining processes are killed.
const ROUNDS: u32 = 400;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Sets the program that acts as the keeper. This program must call [`keep`] and [`become_bot`] if
/// its first argument is `keeper`. Without such a program, bots run without a keeper.
pub fn set_program(program: PathBuf) {
    // Only the first call has an effect. All calls pass the same program.
    let _ = PROGRAM.set(program);
}

/// A bot for a keeper to start, with its permissions.
#[derive(Clone, Debug)]
pub struct KeeperTask {
    /// The command of the bot, with arguments.
    pub words: Vec<String>,
    /// The bot's sandbox and limits.
    pub sandbox: SandboxMode,
    /// Folders that the bot may read inside its sandbox, in addition to its own files.
    pub readable: Vec<PathBuf>,
    /// Whether the bot and its child processes have more time to exit on their own, during which
    /// they are watched.
    pub patient: bool,
}

impl KeeperTask {
    /// Returns the arguments for a keeper, or for the process that becomes the bot. The latter may
    /// write to `temporary`.
    fn arguments(&self, temporary: Option<&Path>) -> Vec<OsString> {
        let mut all: Vec<OsString> = vec!["--sandbox".into(), self.sandbox.as_str().into()];
        for folder in &self.readable {
            all.extend(["--read".into(), folder.into()]);
        }
        if self.patient {
            all.push("--patient".into());
        }
        if let Some(folder) = temporary {
            all.extend(["--temporary".into(), folder.into()]);
        }
        all.push("--".into());
        all.extend(self.words.iter().map(OsString::from));
        all
    }
}

/// Returns the command that starts a bot through a keeper. `None` if no keeper program is set.
pub(super) fn command(kept: &KeeperTask) -> Option<Command> {
    let mut command = Command::new(PROGRAM.get()?);
    command.arg("keeper").args(kept.arguments(None));
    Some(command)
}

/// Starts the bot with another instance of this program, waits for it to exit, and ends all
/// processes that it leaves running. If `patient` is set, these processes have some time to exit
/// first. Returns the exit code.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn keep(kept: &KeeperTask) -> io::Result<u8> {
    set_child_subreaper(Some(rustix::process::getpid()))?;
    let leash = io::stdin().as_fd().try_clone_to_owned()?;
    // The folder is removed after the bot and all its child processes have ended.
    let temporary = match kept.sandbox {
        SandboxMode::On => Some(tempfile::Builder::new().prefix("risk-cli-bot-").tempdir()?),
        SandboxMode::Open | SandboxMode::Off => None,
    };
    let folder = temporary.as_ref().map(TempDir::path);
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["keeper", "--become"]);
    command.args(kept.arguments(folder));
    if let Some(folder) = folder {
        command.env("TMPDIR", folder);
    }
    let bot = command.spawn()?;
    let watched = folder.map(Path::to_owned);
    let is_limited = kept.sandbox != SandboxMode::Off;
    let_go_of_pipes()?;
    let grace = if kept.patient { PATIENCE } else { GRACE };
    std::thread::Builder::new().spawn(move || {
        let mut fds = [PollFd::new(&leash, PollFlags::empty())];
        // The poll returns an event once no process holds the other end.
        while !matches!(poll(&mut fds, None), Ok(ready) if ready > 0) {}
        std::thread::sleep(grace);
        for _ in 0..ROUNDS {
            kill_descendants();
            std::thread::sleep(Duration::from_millis(5));
        }
    })?;
    if is_limited {
        let id = i32::try_from(bot.id()).ok().and_then(Pid::from_raw);
        std::thread::Builder::new().spawn(move || watch(id, watched.as_deref()))?;
    }
    let code = reap(&bot);
    let code = match EXCEEDED.load(Ordering::SeqCst) {
        0 => code,
        exceeded => exceeded,
    };
    if kept.patient {
        linger();
    }
    for _ in 0..ROUNDS {
        if !kill_descendants() {
            break;
        }
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        std::thread::sleep(Duration::from_millis(2));
    }
    if let Some(folder) = temporary {
        remove(folder);
    }
    Ok(code)
}

/// Removes the folder of a bot that has ended. If the folder is not empty, a separate process
/// removes it, because the removal may take longer than the time limit for a keeper.
fn remove(folder: TempDir) {
    // Most folders are empty.
    if std::fs::remove_dir(folder.path()).is_ok() {
        return;
    }
    std::mem::forget(KILLING.lock());
    let folder = folder.keep();
    let mut command = Command::new("/proc/self/exe");
    command.args(["keeper", "--clear", "--sandbox", "off", "--temporary"]);
    let started = command.arg(&folder).process_group(0).spawn();
    if started.is_err() {
        // The exit code does not depend on the removal.
        let _ = clear(&folder);
    }
}

/// Closes the keeper's copies of the pipes. Only the bot then holds them, so their closing can be
/// detected.
fn let_go_of_pipes() -> io::Result<()> {
    let mut nothing = std::fs::File::options();
    let nothing = nothing.read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    Ok(())
}

/// The exit code for the limit that the bot exceeded, or 0 if it exceeded none.
static EXCEEDED: AtomicU8 = AtomicU8::new(0);

/// The exit codes of a keeper whose bot exceeded a limit, with their messages.
pub(super) const TOO_MUCH: [(u8, &str); 3] = [
    (PROCESSES_CODE, "the bot exceeded 256 processes"),
    (MEMORY_CODE, "the bot exceeded 4 GiB of memory"),
    (
        DISK_CODE,
        "the bot wrote more than 512 MiB, or too many files",
    ),
];
const PROCESSES_CODE: u8 = 120;
const MEMORY_CODE: u8 = 121;
const DISK_CODE: u8 = 122;
/// The maximum number of processes per bot.
const PROCESSES: usize = 256;
/// The maximum memory of the bot and its child processes, in bytes.
const MEMORY: u64 = 4 << 30;
/// The maximum size of the bot's own folder, in bytes.
const DISK: u64 = 512 << 20;
/// The interval between counts of all processes and threads on the system, which are cheap. After
/// every [`GLANCES`] counts, the bot's own usage is measured.
const GLANCE: Duration = Duration::from_millis(50);
const GLANCES: u32 = 5;
/// The increase between two counts that triggers a check of the bot's processes.
const SURGE: u64 = 64;

/// Kills the bot if it exceeds its limits on processes, memory or disk space.
fn watch(bot: Option<Pid>, folder: Option<&Path>) {
    let mut calm = tasks_of_all().unwrap_or(u64::MAX);
    let exceeded = 'watch: loop {
        for _ in 0..GLANCES {
            std::thread::sleep(GLANCE);
            let Some(now) = tasks_of_all() else { continue };
            let is_surge = now > calm.saturating_add(SURGE);
            if is_surge && bot.is_some_and(has_too_many) {
                break 'watch PROCESSES_CODE;
            }
            calm = if is_surge { now } else { calm.min(now) };
        }
        let all = descendants(std::process::id());
        if all.len() > PROCESSES {
            break PROCESSES_CODE;
        }
        let memory: u64 = all.iter().filter_map(|process| memory(process.id)).sum();
        if memory > MEMORY {
            break MEMORY_CODE;
        }
        let written = folder.map(|folder| size(folder).saturating_add(unlinked(&all)));
        if written.is_some_and(|written| written > DISK) {
            break DISK_CODE;
        }
    };
    EXCEEDED.store(exceeded, Ordering::SeqCst);
    if let Some(bot) = bot {
        let _ = kill_process_group(bot, Signal::KILL);
    }
    for _ in 0..ROUNDS {
        kill_descendants();
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the number of processes and threads on the whole system.
fn tasks_of_all() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').nth(3)?.split_once('/')?.1.parse().ok()
}

/// Reports whether the bot has too many processes. Pauses the bot's process group during the count,
/// because a bot that keeps starting processes would distort the count.
fn has_too_many(bot: Pid) -> bool {
    // The process group does not exist until the process has become the bot.
    let _ = kill_process_group(bot, Signal::STOP);
    let has_too_many = descendants(std::process::id()).len() > PROCESSES;
    if !has_too_many {
        let _ = kill_process_group(bot, Signal::CONT);
    }
    has_too_many
}

/// Returns the unshared memory of a process, in bytes.
fn memory(id: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{id}/statm")).ok()?;
    let mut pages = text.split(' ').skip(1).map(|number| number.parse::<u64>());
    let (resident, shared) = (pages.next()?.ok()?, pages.next()?.ok()?);
    Some(resident.saturating_sub(shared) * rustix::param::page_size() as u64)
}

/// The maximum number of files to check in a folder.
const MOST_FILES: u64 = 20_000;

/// Returns the size of a folder, in bytes. Returns [`u64::MAX`] if the folder has too many files or
/// contains unreadable folders.
fn size(folder: &Path) -> u64 {
    let mut sum = 0u64;
    let mut left = MOST_FILES;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            // The path is too long, or the folder is not readable.
            Err(_) => return u64::MAX,
        };
        for entry in entries.flatten() {
            if left == 0 {
                return u64::MAX;
            }
            left -= 1;
            let Ok(info) = entry.metadata() else {
                continue;
            };
            if info.is_dir() {
                folders.push(entry.path());
            } else {
                // The disk usage of a sparse file is less than its length.
                let blocks = std::os::unix::fs::MetadataExt::blocks(&info);
                sum = sum.saturating_add(blocks * 512);
            }
        }
    }
    sum
}

/// Returns the size of deleted files that these processes still hold open, in bytes. Returns
/// [`u64::MAX`] if the processes have too many open files.
fn unlinked(processes: &[ProcessInfo]) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let mut left = MOST_FILES;
    let mut sizes: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for process in processes {
        // The process may have ended in the meantime.
        let Ok(open) = std::fs::read_dir(format!("/proc/{}/fd", process.id)) else {
            continue;
        };
        for file in open.flatten() {
            if left == 0 {
                return u64::MAX;
            }
            left -= 1;
            let Ok(info) = std::fs::metadata(file.path()) else {
                continue;
            };
            if info.is_file() && info.nlink() == 0 {
                sizes.insert((info.dev(), info.ino()), info.blocks() * 512);
            }
        }
    }
    sizes.into_values().sum()
}

/// Removes a folder and its contents, regardless of depth and permissions.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn clear(folder: &Path) -> io::Result<()> {
    open_up(folder)?;
    let mut brought = 0u64;
    loop {
        let mut is_empty = true;
        for entry in std::fs::read_dir(folder)? {
            is_empty = false;
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                std::fs::remove_file(entry.path())?;
                continue;
            }
            open_up(&entry.path())?;
            for inner in std::fs::read_dir(entry.path())? {
                let inner = inner?;
                if !inner.file_type()?.is_dir() {
                    std::fs::remove_file(inner.path())?;
                    continue;
                }
                // Folders are moved to the top level to keep paths short.
                open_up(&inner.path())?;
                let place = loop {
                    let place = folder.join(format!("{brought}"));
                    brought += 1;
                    // The check must also find broken links.
                    if place.symlink_metadata().is_err() {
                        break place;
                    }
                };
                std::fs::rename(inner.path(), place)?;
            }
            std::fs::remove_dir(entry.path())?;
        }
        if is_empty {
            return std::fs::remove_dir(folder);
        }
    }
}

/// Gives the current user access to a folder that the user owns.
fn open_up(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}

/// Waits a while for the bot's remaining processes to exit.
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

/// Waits for the bot to exit, and reaps other processes that end earlier. Returns the bot's exit
/// code in the format that shells use.
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

/// Confines this process and replaces it with the bot's program. In a sandbox, the bot may write to
/// `temporary`.
///
/// # Errors
/// Returns an error if the system refuses or the program does not exist. Does not return on
/// success.
pub fn become_bot(kept: &KeeperTask, temporary: Option<&Path>) -> io::Error {
    let become_it = || {
        let keeper = getppid();
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if keeper != getppid() {
            return Err(io::Error::other("the keeper exited"));
        }
        // A separate process group allows killing a bot that starts processes too fast to find
        // them.
        setsid()?;
        if kept.sandbox != SandboxMode::Off {
            for (resource, most) in [(Resource::NOFILE, FILES), (Resource::CORE, 0)] {
                let (_, hard) = resource.get()?;
                setrlimit(resource, most.min(hard), most.min(hard))?;
            }
        }
        match kept.sandbox {
            SandboxMode::On => {
                let readable = [program_files(&kept.words), kept.readable.clone()].concat();
                sandbox::raise(&readable, temporary)?;
            }
            SandboxMode::Open => sandbox::keep_signals()?,
            SandboxMode::Off => {}
        }
        let (program, arguments) = kept
            .words
            .split_first()
            .ok_or(io::ErrorKind::InvalidInput)?;
        Err(Command::new(program).args(arguments).exec())
    };
    let became: io::Result<()> = become_it();
    became
        .err()
        .unwrap_or_else(|| io::Error::other("no process was started"))
}

/// A lock for killing descendants. It stays locked from the moment that a separate process begins
/// to remove the bot's folder, because that process is also a descendant.
static KILLING: Mutex<()> = Mutex::new(());

/// Kills all descendants of this process. Reports whether any of them was alive.
fn kill_descendants() -> bool {
    let _killing = KILLING.lock();
    let own = getpgrp().as_raw_nonzero().get().unsigned_abs();
    let found = descendants(std::process::id());
    let groups: BTreeSet<u32> = found.iter().map(|process| process.group).collect();
    for group in groups.into_iter().filter(|&group| group != own) {
        if let Some(pid) = i32::try_from(group).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
    for process in &found {
        if let Some(pid) = i32::try_from(process.id).ok().and_then(Pid::from_raw) {
            // The process may have ended in the meantime.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
    found.iter().any(|process| !process.is_zombie)
}

/// A process, as described in `/proc/ID/stat`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProcessInfo {
    pub(super) id: u32,
    pub(super) parent: u32,
    group: u32,
    pub(super) is_zombie: bool,
    /// The start time, in ticks since the system's boot.
    pub(super) started: u64,
    /// The processor time of the process and of its reaped children, in ticks.
    pub(super) ticks: u64,
}

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

pub(super) fn name(id: u32) -> Option<String> {
    let name = std::fs::read_to_string(format!("/proc/{id}/comm")).ok()?;
    Some(name.trim_end().to_owned())
}

/// Parses a line of `/proc/ID/stat`. The name in brackets can contain any characters.
fn read(id: u32, stat: &str) -> Option<ProcessInfo> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let times = fields.get(11..15)?;
    Some(ProcessInfo {
        id,
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        is_zombie: fields[0] == "Z",
        started: fields.get(19)?.parse().ok()?,
        ticks: times
            .iter()
            .filter_map(|time| time.parse::<u64>().ok())
            .sum(),
    })
}
