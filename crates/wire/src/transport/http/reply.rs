//! HTTP replies of limited length, and errors if no reply arrives.

use std::io;
use std::time::Duration;

use crate::transport::interface::WireError;

/// The maximum length of a reply, in bytes.
const LONGEST: u64 = 256 << 10;

/// The error text for a connection that closed too early.
pub(super) const BROKEN: &str = "the connection closed before the end of the answer";

pub(super) struct HttpReply {
    pub(super) status: u16,
    pub(super) bytes: Vec<u8>,
}

impl HttpReply {
    /// Reads a complete reply. Returns an error if the reply exceeds the limit.
    pub(super) fn read(
        reply: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
        timeout: Duration,
    ) -> Result<Self, WireError> {
        let failed = |error| error_of(error, timeout);
        let mut reply = reply.map_err(failed)?;
        let status = reply.status().as_u16();
        let body = reply.body_mut().with_config().limit(LONGEST);
        let bytes = body.read_to_vec().map_err(failed)?;
        Ok(Self { status, bytes })
    }
}

pub(super) fn text(bytes: Vec<u8>) -> Result<String, WireError> {
    String::from_utf8(bytes).map_err(|_| WireError::connection("the answer is not valid UTF-8"))
}

/// Describes a client error in a form that is the same on every system.
fn error_of(error: ureq::Error, timeout: Duration) -> WireError {
    let text = match error {
        ureq::Error::Timeout(_) => {
            return WireError::timeout(format!("no answer within {} ms", timeout.as_millis()));
        }
        ureq::Error::BodyExceedsLimit(_) => format!("the answer exceeds {LONGEST} bytes"),
        ureq::Error::LargeResponseHeader(..) => "the header of the answer is too large".to_owned(),
        ureq::Error::Io(error) => broken(&error).to_owned(),
        ureq::Error::Other(error) => error.to_string(),
        other => format!("no answer: {other}"),
    };
    WireError::connection(text)
}

fn broken(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused",
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => "no route to host",
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => BROKEN,
        _ => "the connection failed",
    }
}
