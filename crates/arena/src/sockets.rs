//! WebSockets: the handshake, and connections with limits on all incoming data.

use risk_wire::ProtocolError;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, error::CapacityError};

use super::request_guard::is_foreign;
use risk_wire::transport::frames::{LONGEST_FRAME, Outbox};

/// The maximum number of unread frames and bytes that wait for the other side.
const MOST_UNREAD: (usize, usize) = (4_096, 16 << 20);
/// The time limit for the other side to read one frame.
const READING: Duration = Duration::from_secs(20);
/// The interval between pings, and the maximum time that the other side may be silent.
const PING: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(65);
/// The maximum number of pings and pongs in one period.
const MOST_PINGS: (u32, Duration) = (100, Duration::from_secs(10));
/// The maximum length of the reason in a close frame, in bytes.
const LONGEST_REASON: usize = 120;

/// The server's side of a WebSocket.
pub(super) type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// A valid handshake without a response so far.
pub(super) struct Handshake {
    upgrade: OnUpgrade,
    accept: String,
}

/// Reports whether a comma-separated header contains this word.
fn has_word(headers: &HeaderMap, name: header::HeaderName, word: &str) -> bool {
    let values = headers.get_all(name);
    let mut values = values.iter().filter_map(|value| value.to_str().ok());
    values.any(|value| {
        let mut words = value.split(',');
        words.any(|one| one.trim().eq_ignore_ascii_case(word))
    })
}

impl Handshake {
    /// Parses the request that opens a WebSocket. An error is the response that refuses the
    /// handshake.
    pub(super) fn read(request: &mut Request) -> Result<Self, Response> {
        let headers = request.headers();
        let host = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok());
        if is_foreign(headers, host.unwrap_or_default()) {
            let text = "rejected a request from a page of another site";
            return Err((StatusCode::FORBIDDEN, text).into_response());
        }
        let upgrades = has_word(headers, header::CONNECTION, "upgrade")
            && has_word(headers, header::UPGRADE, "websocket");
        if !upgrades {
            let text = "expected a WebSocket: send `Connection: Upgrade` and `Upgrade: websocket`";
            let version = [(header::UPGRADE, "websocket")];
            return Err((StatusCode::UPGRADE_REQUIRED, version, text).into_response());
        }
        if !has_word(headers, header::SEC_WEBSOCKET_VERSION, "13") {
            let version = [(header::SEC_WEBSOCKET_VERSION, "13")];
            let text = "expected WebSocket version 13";
            return Err((StatusCode::UPGRADE_REQUIRED, version, text).into_response());
        }
        let bad = |text: &'static str| (StatusCode::BAD_REQUEST, text).into_response();
        let mut keys = headers.get_all(header::SEC_WEBSOCKET_KEY).iter();
        let key = keys.next().map(|key| key.as_bytes().to_vec());
        // In base64, 16 bytes are 24 characters long.
        let Some(key) = key.filter(|key| key.len() == 24 && keys.next().is_none()) else {
            return Err(bad("`Sec-WebSocket-Key` is missing or invalid"));
        };
        let upgrade = request.extensions_mut().remove::<OnUpgrade>();
        let upgrade = upgrade.ok_or_else(|| bad("this connection can't become a WebSocket"))?;
        Ok(Self {
            upgrade,
            accept: derive_accept_key(&key),
        })
    }

    /// Returns the response that upgrades the connection, and a future for the WebSocket.
    pub(super) fn agree(self) -> (Response, impl Future<Output = Option<Socket>> + Send) {
        let Self { upgrade, accept } = self;
        let head = [
            (header::CONNECTION, "upgrade"),
            (header::UPGRADE, "websocket"),
        ];
        let accept = [(header::SEC_WEBSOCKET_ACCEPT, accept)];
        let status = StatusCode::SWITCHING_PROTOCOLS;
        let response = (status, head, accept, Body::empty()).into_response();
        let socket = async {
            let stream = TokioIo::new(upgrade.await.ok()?);
            let config = Some(limits());
            Some(WebSocketStream::from_raw_socket(stream, Role::Server, config).await)
        };
        (response, socket)
    }
}

fn limits() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(16 << 10)
        .write_buffer_size(0)
        .max_write_buffer_size(MOST_UNREAD.1)
        .max_message_size(Some(LONGEST_FRAME))
        .max_frame_size(Some(LONGEST_FRAME))
}

/// A command for a connection.
enum ConnectionCommand {
    Say(String),
    Close(String),
}

/// The sending end of a queue of frames to the other side.
#[derive(Clone)]
pub(super) struct FrameSender {
    frames: mpsc::Sender<ConnectionCommand>,
    unread: Arc<AtomicUsize>,
}

/// The receiving end of the queue of [`FrameSender`].
pub(super) struct FrameReceiver {
    frames: mpsc::Receiver<ConnectionCommand>,
    unread: Arc<AtomicUsize>,
}

pub(super) fn queue() -> (FrameSender, FrameReceiver) {
    let (sender, receiver) = mpsc::channel(MOST_UNREAD.0);
    let unread = Arc::<AtomicUsize>::default();
    let sending = FrameSender {
        frames: sender,
        unread: Arc::clone(&unread),
    };
    let unsent = FrameReceiver {
        frames: receiver,
        unread,
    };
    (sending, unsent)
}

impl FrameSender {
    /// Queues a frame once there is space for it. Returns `false` if the other side has
    /// disconnected.
    pub(super) async fn feed(&self, frame: String) -> bool {
        self.unread.fetch_add(frame.len(), Ordering::Relaxed);
        self.frames
            .send(ConnectionCommand::Say(frame))
            .await
            .is_ok()
    }

    /// Waits for a future while the other side is connected. Returns `false` if it has
    /// disconnected.
    pub(super) async fn until(&self, something: impl Future) -> bool {
        tokio::select! {
            _ = something => true,
            () = self.frames.closed() => false,
        }
    }

    /// Ends the connection after all queued frames.
    pub(super) async fn end(&self, why: &str) {
        // The connection may have ended already.
        let _ = self
            .frames
            .send(ConnectionCommand::Close(why.to_owned()))
            .await;
    }
}

impl Outbox for FrameSender {
    fn say(&mut self, frame: &str) -> bool {
        let unread = self.unread.fetch_add(frame.len(), Ordering::Relaxed);
        unread + frame.len() <= MOST_UNREAD.1
            && self
                .frames
                .try_send(ConnectionCommand::Say(frame.to_owned()))
                .is_ok()
    }

    fn close(&mut self, why: &str) {
        // If the queue is full, the reason is lost, but the connection still ends with its queue.
        let _ = self
            .frames
            .try_send(ConnectionCommand::Close(why.to_owned()));
    }
}

/// The reason why a connection ended, for people.
pub(super) type CloseReason = String;

/// Transfers frames in both directions until the connection ends. Returns the reason. An error from
/// `heard` ends the connection.
pub(super) async fn carry(
    mut socket: Socket,
    mut unsent: FrameReceiver,
    mut heard: impl FnMut(String) -> Result<(), String>,
) -> CloseReason {
    let mut pings = PingCount::default();
    let mut last = Instant::now();
    let mut ticks = tokio::time::interval(PING);
    loop {
        let (code, why) = tokio::select! {
            todo = unsent.frames.recv() => match todo {
                Some(ConnectionCommand::Say(text)) => {
                    unsent.unread.fetch_sub(text.len(), Ordering::Relaxed);
                    match write(&mut socket, Message::text(text)).await {
                        Ok(()) => continue,
                        Err(why) => return why,
                    }
                }
                Some(ConnectionCommand::Close(why)) => (CloseCode::Normal, why),
                None => (CloseCode::Normal, "the conversation is over".to_owned()),
            },
            frame = socket.next() => {
                last = Instant::now();
                match take(frame, &mut pings, &mut heard) {
                    Ok(()) => continue,
                    Err(ended) => ended,
                }
            }
            _ = ticks.tick() => {
                if last.elapsed() > SILENCE {
                    return "no frame and no reply to a ping came in time".to_owned();
                }
                match write(&mut socket, Message::Ping(Vec::new().into())).await {
                    Ok(()) => continue,
                    Err(why) => return why,
                }
            }
        };
        let end = why.clone();
        let frame = CloseFrame {
            code,
            reason: cut(&why).into(),
        };
        let _ = tokio::time::timeout(READING, close(&mut socket, frame)).await;
        return end;
    }
}

/// Sends a close frame and waits until the other side has closed as well.
async fn close(socket: &mut Socket, frame: CloseFrame) {
    if socket.close(Some(frame)).await.is_ok() {
        // Frames that still arrive are dropped.
        for _ in 0..MOST_UNREAD.0 {
            if !matches!(socket.next().await, Some(Ok(_))) {
                break;
            }
        }
    }
}

async fn write(socket: &mut Socket, message: Message) -> Result<(), CloseReason> {
    match tokio::time::timeout(READING, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(broken(&error).1),
        Err(_) => Err("the client reads too slowly".to_owned()),
    }
}

/// Handles an incoming frame. Returns an error if the connection must end.
fn take(
    frame: Option<Result<Message, Error>>,
    pings: &mut PingCount,
    heard: &mut impl FnMut(String) -> Result<(), String>,
) -> Result<(), (CloseCode, CloseReason)> {
    match frame {
        Some(Ok(Message::Text(text))) => {
            heard(text.as_str().to_owned()).map_err(|why| (CloseCode::Policy, why))
        }
        Some(Ok(Message::Binary(_))) => {
            let why = "expected text frames with one JSON object each, found a binary frame";
            Err((CloseCode::Unsupported, why.to_owned()))
        }
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => pings.count(),
        Some(Ok(Message::Close(_) | Message::Frame(_))) => Err((
            CloseCode::Normal,
            "the client closed the connection".to_owned(),
        )),
        Some(Err(error)) => Err(broken(&error)),
        None => Err((CloseCode::Normal, "the connection broke".to_owned())),
    }
}

/// Passes every frame in the bytes that a client sent after its handshake to `heard`. Returns the
/// reason why the connection would end.
pub fn read_frames(
    bytes: &[u8],
    mut heard: impl FnMut(String) -> Result<(), ProtocolError>,
) -> String {
    let mut heard = |text| heard(text).map_err(String::from);
    let stream = ReadOnlyStream(bytes);
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(limits()));
    let mut pings = PingCount::default();
    loop {
        if let Err((_, why)) = take(Some(socket.read()), &mut pings, &mut heard) {
            return why;
        }
    }
}

/// A stream that reads from bytes and discards written data.
struct ReadOnlyStream<'a>(&'a [u8]);

impl Read for ReadOnlyStream<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out)
    }
}

impl Write for ReadOnlyStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Converts an error to a close code and a reason.
fn broken(error: &Error) -> (CloseCode, CloseReason) {
    match error {
        Error::Capacity(CapacityError::MessageTooLong { .. }) => {
            let why = format!("a frame exceeds {LONGEST_FRAME} bytes");
            (CloseCode::Size, why)
        }
        Error::Utf8(_) => (
            CloseCode::Invalid,
            "a text frame is not valid UTF-8".to_owned(),
        ),
        Error::Protocol(error) => {
            let why = format!("invalid WebSocket frame: {error}");
            (CloseCode::Protocol, why)
        }
        _ => (CloseCode::Normal, "the connection broke".to_owned()),
    }
}

#[derive(Default)]
struct PingCount {
    began: Option<Instant>,
    count: u32,
}

impl PingCount {
    fn count(&mut self) -> Result<(), (CloseCode, CloseReason)> {
        let is_over = |began: Instant| began.elapsed() > MOST_PINGS.1;
        if self.began.is_none_or(is_over) {
            *self = Self {
                began: Some(Instant::now()),
                count: 0,
            };
        }
        self.count += 1;
        if self.count > MOST_PINGS.0 {
            let why = format!("received more than {} pings in 10 seconds", MOST_PINGS.0);
            return Err((CloseCode::Policy, why));
        }
        Ok(())
    }
}

/// Shortens a reason to fit into a close frame.
fn cut(why: &str) -> String {
    let mut end = why.len().min(LONGEST_REASON);
    while !why.is_char_boundary(end) {
        end -= 1;
    }
    why[..end].to_owned()
}
