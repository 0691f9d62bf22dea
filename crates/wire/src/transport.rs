//! Transports, which carry messages to remote bots and return their answers.

mod environment;
pub mod frames;
pub mod http;
mod interface;
#[cfg(target_os = "linux")]
pub mod keeper;
mod networks;
#[cfg(unix)]
pub(crate) mod pipes;
#[cfg(unix)]
pub mod process;
#[cfg(not(unix))]
#[path = "transport/no_process.rs"]
pub mod process;
#[cfg(unix)]
mod process_exit;
#[cfg(target_os = "linux")]
mod program_files;
#[cfg(target_os = "linux")]
pub mod sandbox;

use std::time::Duration;

pub use environment::{reserve_little, set_environment};
pub use interface::{
    Address, Confinement, ConnectError, ExitReport, Framing, Greeting, GreetingReply, Places,
    ProtocolTraits, Route, SandboxMode, Transport, TransportInfo, WireError,
};
pub use networks::Networks;

/// All transports. To add a transport, create a file with its [`TransportInfo`], [`Route`] and
/// [`Transport`], and add an entry to this list.
#[cfg(unix)]
pub static TRANSPORTS: [&TransportInfo; 3] = [&http::HTTP, &pipes::PIPES, &frames::FRAMES];
/// All transports on systems without pipes.
#[cfg(not(unix))]
pub static TRANSPORTS: [&TransportInfo; 2] = [&http::HTTP, &frames::FRAMES];

/// Creates a transport to a program that confines itself. `words` is the command, and `patience` is
/// the time limit for an answer. Returns `None` on systems without pipes.
#[cfg_attr(
    not(unix),
    expect(unused_variables, reason = "this system can't start the program")
)]
pub(crate) fn confining_itself(
    words: Vec<String>,
    patience: Duration,
) -> Option<Box<dyn Transport>> {
    #[cfg(unix)]
    return Some(Box::new(pipes::Pipes::confining_itself(words, patience)));
    #[cfg(not(unix))]
    return None;
}

/// Reports whether this system supports the sandbox of [`SandboxMode::On`].
#[must_use]
pub fn has_sandbox() -> bool {
    #[cfg(target_os = "linux")]
    return sandbox::are_possible();
    #[cfg(not(target_os = "linux"))]
    return false;
}
