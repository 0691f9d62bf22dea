//! What becomes of a bot's process when nothing more is said to it: whether it ends by itself, and
//! what it leaves running.

use std::time::{Duration, Instant};

use super::interface::Parting;
use super::process::LineProcess;

/// How much longer than others a process may take to end where somebody looks whether it does.
#[cfg(target_os = "linux")]
pub(super) const LONGEST: Duration = Duration::from_secs(4);
/// How long what a process has started may live on behind it.
#[cfg(target_os = "linux")]
const BEHIND: Duration = Duration::from_millis(400);
/// How often it is looked.
const PAUSE: Duration = Duration::from_millis(20);

/// Closes a process's input, and looks on. What it still writes is read and thrown away.
pub(super) fn part(process: &mut LineProcess, patience: Duration) -> Parting {
    let family = Family::new(process);
    process.close_input();
    let until = Instant::now() + patience;
    while !family.is_over(process) {
        if Instant::now() >= until {
            return Parting {
                ended: false,
                left: Vec::new(),
            };
        }
        pass(process);
    }
    Parting {
        ended: true,
        left: family.left(process),
    }
}

fn pass(process: &mut LineProcess) {
    process.look();
    while let Ok(Some(_)) = process.next_line() {}
    std::thread::sleep(PAUSE);
}

/// A process, and what it has started.
#[cfg(target_os = "linux")]
struct Family {
    /// The keeper, if there is one, or the bot.
    head: u32,
    /// The bot behind a keeper.
    bot: Option<u32>,
}

#[cfg(target_os = "linux")]
impl Family {
    fn new(process: &LineProcess) -> Self {
        let head = process.id();
        // Orphans have the same parent as the bot, but were started later.
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

    /// What is still there a while after the bot's end.
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

/// A process; elsewhere nobody knows what it has started.
#[cfg(not(target_os = "linux"))]
struct Family;

#[cfg(not(target_os = "linux"))]
impl Family {
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
