//! The end of a bot's process after its last message. Checks whether the process exits on its own
//! and which child processes it leaves running.

use std::time::{Duration, Instant};

use super::interface::ExitReport;
use super::process::LineProcess;

/// The additional time that a watched process has to exit.
#[cfg(target_os = "linux")]
pub(super) const LONGEST: Duration = Duration::from_secs(4);
/// The time for which descendants may outlive their process.
#[cfg(target_os = "linux")]
const BEHIND: Duration = Duration::from_millis(400);
/// The interval between checks of a process.
const PAUSE: Duration = Duration::from_millis(20);

/// Closes a process's input and watches the process. Discards further output.
pub(super) fn wait_for_exit(process: &mut LineProcess, patience: Duration) -> ExitReport {
    let family = ProcessTree::new(process);
    process.close_input();
    let until = Instant::now() + patience;
    while !family.is_over(process) {
        if Instant::now() >= until {
            return ExitReport {
                ended: false,
                left: Vec::new(),
            };
        }
        pass(process);
    }
    ExitReport {
        ended: true,
        left: family.left(process),
    }
}

fn pass(process: &mut LineProcess) {
    process.look();
    while let Ok(Some(_)) = process.next_line() {}
    std::thread::sleep(PAUSE);
}

/// A process and its descendants.
#[cfg(target_os = "linux")]
struct ProcessTree {
    /// The keeper if the bot has one, or the bot itself.
    head: u32,
    /// The bot, if it has a keeper.
    bot: Option<u32>,
}

#[cfg(target_os = "linux")]
impl ProcessTree {
    fn new(process: &LineProcess) -> Self {
        let head = process.id();
        // Orphaned processes have the same parent as the bot, but started later.
        let all = super::keeper::descendants(head);
        let children = all.iter().filter(|child| child.parent == head);
        let bot = children.min_by_key(|child| (child.started, child.id));
        Self {
            head,
            bot: bot.filter(|_| process.is_keeper()).map(|child| child.id),
        }
    }

    fn is_over(&self, process: &mut LineProcess) -> bool {
        if process.is_over() {
            return true;
        }
        let all = super::keeper::descendants(self.head);
        let lives = |bot| all.iter().any(|one| one.id == bot && !one.is_zombie);
        process.is_keeper() && !self.bot.is_some_and(lives)
    }

    /// Returns the names of the processes that outlive the bot by [`BEHIND`].
    fn left(&self, process: &mut LineProcess) -> Vec<String> {
        let until = Instant::now() + BEHIND;
        loop {
            let all = super::keeper::descendants(self.head);
            let left = all.iter().filter(|one| !one.is_zombie);
            let left: Vec<u32> = left.map(|one| one.id).collect();
            if left.is_empty() || process.is_over() {
                return Vec::new();
            }
            if Instant::now() >= until {
                return left.into_iter().filter_map(super::keeper::name).collect();
            }
            pass(process);
        }
    }
}

/// A process without its descendants, which are unknown on this system.
#[cfg(not(target_os = "linux"))]
struct ProcessTree;

#[cfg(not(target_os = "linux"))]
impl ProcessTree {
    const fn new(_: &LineProcess) -> Self {
        Self
    }

    fn is_over(&self, process: &mut LineProcess) -> bool {
        process.is_over()
    }

    fn left(&self, _: &mut LineProcess) -> Vec<String> {
        Vec::new()
    }
}
