//! Limits that a process sets on itself before it reads its script.

use std::io;

/// The memory limit, in bytes.
#[cfg(unix)]
const MEMORY: u64 = 1 << 30;
/// The limit on processor time for a whole match, in seconds.
#[cfg(unix)]
const SECONDS: u64 = 3_600;

/// The limits for a process that checks a script, with the same units.
#[cfg(unix)]
const CHECK_MEMORY: u64 = 2 << 30;
#[cfg(unix)]
const CHECK_SECONDS: u64 = 60;

/// Limits this process before it reads a script. The process has a memory limit and `seconds` of
/// processor time (one hour by default), and can't start child processes or write files.
///
/// # Errors
/// Returns an error if the system refuses.
#[cfg_attr(
    not(unix),
    expect(unused_variables, reason = "this system has no limits to set")
)]
pub fn confine(seconds: Option<u64>) -> io::Result<()> {
    #[cfg(unix)]
    {
        limit(MEMORY, seconds.unwrap_or(SECONDS))?;
        rlimit::setrlimit(rlimit::Resource::NPROC, 0, 0)?;
    }
    Ok(())
}

/// Limits this process for checking a script. The limits are like those of [`confine`], but allow
/// threads, which the check requires.
///
/// # Errors
/// Returns an error if the system refuses.
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

/// Removes the permissions that were only needed for reading the script. From now on, the process
/// can't open files. On systems with a sandbox, it can't reach sockets or other processes either.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn seal() -> io::Result<()> {
    #[cfg(unix)]
    {
        #[cfg(target_os = "linux")]
        if crate::transport::sandbox::are_possible() {
            crate::transport::sandbox::seal()?;
        }
        rlimit::setrlimit(rlimit::Resource::NOFILE, 0, 0)?;
    }
    Ok(())
}
