//! What a process that answers for a script takes from itself, before it reads one.

use std::io;

/// Memory that the process may have, in bytes.
#[cfg(unix)]
const MEMORY: u64 = 1 << 30;
/// Seconds of computing that it may take, for a whole match.
#[cfg(unix)]
const SECONDS: u64 = 3_600;

/// The same of a process that checks a script.
#[cfg(unix)]
const CHECK_MEMORY: u64 = 2 << 30;
#[cfg(unix)]
const CHECK_SECONDS: u64 = 60;

/// Takes away from this process what a script needs not, before it is read: no more memory than
/// this, no children, no files to write, and so many seconds of computing, an hour when nobody
/// says.
///
/// # Errors
/// When the system refuses.
#[cfg_attr(
    not(unix),
    expect(unused_variables, reason = "there are no limits to set")
)]
pub fn confine(seconds: Option<u64>) -> io::Result<()> {
    #[cfg(unix)]
    {
        limit(MEMORY, seconds.unwrap_or(SECONDS))?;
        rlimit::setrlimit(rlimit::Resource::NPROC, 0, 0)?;
    }
    Ok(())
}

/// Takes away from this process what a script needs not that is only checked, as [`confine`] does:
/// the check itself has threads.
///
/// # Errors
/// When the system refuses.
pub fn confine_check() -> io::Result<()> {
    #[cfg(unix)]
    limit(CHECK_MEMORY, CHECK_SECONDS)?;
    Ok(())
}

#[cfg(unix)]
fn limit(memory: u64, seconds: u64) -> io::Result<()> {
    use rlimit::{Resource, setrlimit};
    setrlimit(Resource::AS, memory, memory)?;
    setrlimit(Resource::CPU, seconds, seconds)?;
    setrlimit(Resource::FSIZE, 0, 0)?;
    setrlimit(Resource::CORE, 0, 0)
}

/// Takes away what only reading the script needed: from here on, no file can be opened any more,
/// and where the system has walls, no socket and no other process reached.
///
/// # Errors
/// When the system refuses.
pub fn seal() -> io::Result<()> {
    #[cfg(unix)]
    {
        #[cfg(target_os = "linux")]
        if crate::transport::walls::are_possible() {
            crate::transport::walls::seal()?;
        }
        rlimit::setrlimit(rlimit::Resource::NOFILE, 0, 0)?;
    }
    Ok(())
}
