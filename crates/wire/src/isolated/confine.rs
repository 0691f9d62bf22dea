//! Limits that a process sets on itself before it reads the script that it answers for.

use std::io;

/// Memory limit, in bytes.
#[cfg(unix)]
const MEMORY: u64 = 1 << 30;
/// Limit on processor time for a whole match, in seconds.
#[cfg(unix)]
const SECONDS: u64 = 3_600;

/// The same limits for a process that checks a script.
#[cfg(unix)]
const CHECK_MEMORY: u64 = 2 << 30;
#[cfg(unix)]
const CHECK_SECONDS: u64 = 60;

/// Limits this process before it reads a script: memory, no children, no file writes, and `seconds`
/// of processor time, by default an hour.
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

/// Limits this process to what checking a script needs, as [`confine`] does, but allows threads,
/// which the check itself has.
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

/// Drops what only reading the script needed: from now on the process can't open a file, and on
/// systems with walls can't reach a socket or another process.
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
