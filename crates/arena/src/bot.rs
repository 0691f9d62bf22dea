//! A bot served to remote arenas. To add a protocol, add a file with its [`ServedProtocol`] and a
//! row here.

mod decision_point;
pub(super) mod hacker_risk;
mod line_json;
pub(super) mod served;
mod served_protocol;

use risk_wire::ProtocolError;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use tokio::sync::{mpsc, oneshot};

pub use self::line_json::{LineJsonBot, in_script};
pub use self::served::{Answerer, ServedBot};
pub use self::served_protocol::ServedProtocol;
use super::bounded::BoundedLog;
use super::http;
use super::request_guard::{Peer, RequestGuard};
use super::share::AddressQuota;
use risk_engine::SCRIPT_STACK;

/// All protocols for serving a bot. The first protocol is the default.
pub static SERVED: [&ServedProtocol; 2] = [&hacker_risk::SERVED, &line_json::SERVED];

/// The maximum number of requests that wait for the bot, in total and per address.
const QUEUE: usize = 128;
const QUEUE_OF_ONE: usize = 64;
/// The maximum time that a request waits for the bot.
const PATIENCE: Duration = Duration::from_secs(60);
/// The maximum number of requests per second from one address. An arena sends requests as fast as
/// the bot answers.
const RATE: u32 = 100_000;

/// A request in the queue, with the channel for its answer or error.
struct QueuedRequest {
    path: String,
    body: String,
    reply: oneshot::Sender<Result<String, ProtocolError>>,
}

/// The queue of requests, and the places in the queue by address.
type Queue = (mpsc::Sender<QueuedRequest>, Arc<AddressQuota>);

/// The address and the protocol of a served bot.
pub struct BotListener {
    /// The open port.
    pub listener: TcpListener,
    /// The protocol spoken on the port.
    pub protocol: &'static ServedProtocol,
    /// `true` for a port that only this machine can reach.
    pub local_only: bool,
    /// Additional host names, for access through a reverse proxy.
    pub hosts: Vec<String>,
}

/// Serves a bot until a shutdown signal. `report` receives errors. `join` runs once the bot accepts
/// requests. If `join` fails, the server stops with its error.
///
/// # Errors
/// Returns an error if the network fails.
pub fn serve(
    served: ServedBot,
    at: BotListener,
    report: impl Fn(&str) + Send + 'static,
    join: impl FnOnce() -> Result<(), ProtocolError> + Send + 'static,
) -> io::Result<Result<(), ProtocolError>> {
    let protocol = at.protocol;
    let (sender, receiver) = mpsc::channel::<QueuedRequest>(QUEUE);
    // A bot runs on a single thread, separate from the network threads.
    thread::Builder::new()
        .stack_size(SCRIPT_STACK)
        .spawn(move || answer_all(&served, protocol, receiver, report))?;
    let (path, text) = protocol.greeting;
    let mut own = Router::new()
        .route(path, get(move || async move { text }))
        .route("/{path}", post(answer_request));
    if protocol.at_root {
        own = own.route("/", post(answer_request_at_root));
    }
    for path in protocol.notices {
        own = own.route(path, post(|| async { "heard" }));
    }
    let waiting = AddressQuota::new(QUEUE, QUEUE_OF_ONE);
    let app = RequestGuard::new(Some(RATE), at.local_only, at.hosts, Arc::default())
        .guard(own.with_state((sender, waiting)));
    let mut joined = Ok(());
    let stop = async {
        match tokio::task::spawn_blocking(join).await {
            Ok(Ok(())) => http::shutdown_signal().await,
            Ok(Err(error)) => joined = Err(error),
            Err(_) => joined = Err("failed to join the arena".into()),
        }
    };
    http::run(at.listener, app, stop)?;
    Ok(joined)
}

async fn answer_request_at_root(
    queue: State<Queue>,
    peer: Extension<Peer>,
    body: Bytes,
) -> (StatusCode, String) {
    answer_request(queue, peer, Path(String::new()), body).await
}

async fn answer_request(
    State((sender, waiting)): State<Queue>,
    Extension(Peer(from)): Extension<Peer>,
    Path(path): Path<String>,
    body: Bytes,
) -> (StatusCode, String) {
    let busy = |text: &str| (StatusCode::SERVICE_UNAVAILABLE, text.to_owned());
    let Ok(body) = String::from_utf8(body.to_vec()) else {
        let text = "the request is not valid UTF-8";
        return (StatusCode::BAD_REQUEST, text.to_owned());
    };
    let place = waiting.take(from);
    let (reply, answer) = oneshot::channel();
    let request = QueuedRequest { path, body, reply };
    if place.is_err() || sender.try_send(request).is_err() {
        return busy("too many requests are waiting for the bot");
    }
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(Ok(Ok(text))) => (StatusCode::OK, text),
        Ok(Ok(Err(error))) => {
            let code = match error {
                ProtocolError::NoSuchRequest => StatusCode::NOT_FOUND,
                _ => StatusCode::BAD_REQUEST,
            };
            (code, error.to_string())
        }
        _ => busy("the bot did not answer in time"),
    }
}

fn answer_all(
    served: &ServedBot,
    protocol: &'static ServedProtocol,
    mut receiver: mpsc::Receiver<QueuedRequest>,
    report: impl Fn(&str),
) {
    let mut answerer = (protocol.answerer)(served);
    let log = BoundedLog::new(report);
    while let Some(QueuedRequest { path, body, reply }) = receiver.blocking_recv() {
        let answer = answerer.answer(served, &path, &body);
        if let Err(wrong) = &answer {
            log.print(&wrong.to_string());
        }
        // The client may have disconnected.
        let _ = reply.send(answer);
    }
}
