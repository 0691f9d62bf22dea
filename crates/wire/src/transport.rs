//! What carries messages to a bot elsewhere, and its answers back.

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
    Address, Confinement, Framing, Greeting, GreetingReply, NotThere, Parting, Sandbox, Transport,
    TransportInfo, WireError,
};
pub use networks::Networks;

/// All transports; which one reaches a bot shows in how its place begins. A new one is a file with
/// its [`TransportInfo`], and a row here.
#[cfg(unix)]
pub static TRANSPORTS: [&TransportInfo; 2] = [&http::HTTP, &pipes::PIPES];
/// All transports that there are without pipes.
#[cfg(not(unix))]
pub static TRANSPORTS: [&TransportInfo; 1] = [&http::HTTP];

/// What carries messages to a program that confines itself, started by these words, and is patient
/// for so long; `None` where the system has no pipes for it.
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

/// Has this system walls for programs, see [`Sandbox::On`]?
#[must_use]
pub fn has_walls() -> bool {
    #[cfg(target_os = "linux")]
    return walls::are_possible();
    #[cfg(not(target_os = "linux"))]
    return false;
}

/// The transport that reaches this place.
#[must_use]
pub fn transport_to(place: &str) -> Option<&'static TransportInfo> {
    let (scheme, _) = place.split_once(':')?;
    TRANSPORTS.into_iter().find(|info| info.scheme == scheme)
}
