//! Transports, which carry messages to bots elsewhere and their answers back.

#[cfg(unix)]
mod environment;
pub mod frames;
pub mod http;
mod interface;
#[cfg(target_os = "linux")]
pub mod keeper;
#[cfg(target_os = "linux")]
mod made_of;
mod networks;
#[cfg(unix)]
mod parting;
#[cfg(unix)]
pub(crate) mod pipes;
#[cfg(unix)]
pub mod process;
#[cfg(not(unix))]
#[path = "transport/no_process.rs"]
pub mod process;
#[cfg(target_os = "linux")]
pub mod walls;

use std::time::Duration;

#[cfg(unix)]
pub use environment::set_environment;
pub use interface::{
    Address, Confinement, Framing, Greeting, GreetingReply, NotThere, Parting, Places, Route,
    Sandbox, Speech, Transport, TransportInfo, WireError,
};
pub use networks::Networks;

/// All transports. A new one is a file with its [`TransportInfo`], its [`Route`] and its
/// [`Transport`], and a row here.
#[cfg(unix)]
pub static TRANSPORTS: [&TransportInfo; 3] = [&http::HTTP, &pipes::PIPES, &frames::FRAMES];
/// All transports on systems without pipes.
#[cfg(not(unix))]
pub static TRANSPORTS: [&TransportInfo; 2] = [&http::HTTP, &frames::FRAMES];

/// Makes a transport to a program that confines itself, started with `words` and allowed `patience`
/// for an answer; `None` on systems without pipes.
#[cfg_attr(
    not(unix),
    expect(unused_variables, reason = "there is nothing to start it with")
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

/// Reports whether this system has walls for programs, see [`Sandbox::On`].
#[must_use]
pub fn has_walls() -> bool {
    #[cfg(target_os = "linux")]
    return walls::are_possible();
    #[cfg(not(target_os = "linux"))]
    return false;
}
