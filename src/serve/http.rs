//! Connections: how many, how long, how often, and how much may come in.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;

use super::share::{Shares, household};

/// The longest request that is read, in bytes.
const LONGEST: usize = 1 << 20;
/// The longest head of a request, in bytes, and the most fields in it.
const LONGEST_HEAD: usize = 16 << 10;
const MOST_FIELDS: usize = 64;
/// Connections at once. More wait until one of them ends.
const MOST_CONNECTIONS: usize = 1_024;
/// Connections at once from one address. More are closed.
const MOST_OF_ONE: usize = 256;
/// How long the head of a request may take, and its body. A connection on which nothing comes is
/// closed after that.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long connections have to end when the server does.
const LEAVE: Duration = Duration::from_secs(3);
/// Addresses whose requests are counted.
const MOST_ADDRESSES: usize = 10_000;
/// How many seconds' worth of requests may come at once.
const BURST: u32 = 10;

/// The address that asks, as its connection has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

/// What is looked at before a request is answered.
#[derive(Debug)]
pub(super) struct RequestGuard {
    /// Requests a second from one address.
    rate: u32,
    /// Is the server for this machine alone?
    local_only: bool,
    /// Names by which it is reached then, besides this machine's own.
    hosts: Vec<String>,
    counts: Mutex<BTreeMap<IpAddr, (Instant, f64)>>,
}

impl RequestGuard {
    pub(super) fn new(rate: u32, local_only: bool, hosts: Vec<String>) -> Arc<Self> {
        Arc::new(Self {
            rate,
            local_only,
            hosts,
            counts: Mutex::default(),
        })
    }

    /// May the server be asked under this name?
    fn answers_to(&self, host: &str) -> bool {
        let name =
            host.rsplit_once(':').map_or(
                host,
                |(name, port)| if port.ends_with(']') { host } else { name },
            );
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        !self.local_only
            || bare == "localhost"
            || bare.parse::<IpAddr>().is_ok_and(|at| at.is_loopback())
            || self
                .hosts
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Puts the gate before everything that a server answers.
    pub(super) fn guard(self: Arc<Self>, app: Router) -> Router {
        app.layer(middleware::from_fn_with_state(self, guarded))
    }

    /// May this address ask once more?
    fn admits(&self, peer: IpAddr, now: Instant) -> bool {
        let peer = household(peer);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let rate = f64::from(self.rate);
        let full = f64::from(self.rate * BURST);
        if counts.len() >= MOST_ADDRESSES && !counts.contains_key(&peer) {
            // Whoever asked nothing for so long that nothing is held against it needs not be
            // remembered.
            counts.retain(|_, (last, left)| {
                now.duration_since(*last).as_secs_f64() * rate + *left < full
            });
            if counts.len() >= MOST_ADDRESSES {
                return false;
            }
        }
        let (last, left) = counts.entry(peer).or_insert((now, full));
        *left = (now.duration_since(*last).as_secs_f64() * rate + *left).min(full);
        *last = now;
        let admitted = *left >= 1.0;
        if admitted {
            *left -= 1.0;
        }
        admitted
    }
}

/// Was a page of another site made to send this?
fn is_foreign(headers: &HeaderMap, host: &str) -> bool {
    let origin = headers
        .get(header::ORIGIN)
        .map(|value| value.to_str().unwrap_or_default());
    origin.is_some_and(|origin| {
        origin
            .split_once("://")
            .is_none_or(|(_, from)| from != host)
    })
}

/// The headers that say where a request goes, from where it comes and what it may: the first of two
/// would count here, and the second perhaps for a server before this one.
const SINGLE: [header::HeaderName; 5] = [
    header::HOST,
    header::ORIGIN,
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    header::CONTENT_LENGTH,
];

/// What is wrong with the head of a request.
fn contradiction(request: &Request) -> Option<String> {
    let headers = request.headers();
    if let Some(name) = SINGLE
        .iter()
        .find(|name| headers.get_all(*name).iter().count() > 1)
    {
        return Some(format!("the header {name} stands twice"));
    }
    let host = headers.get(header::HOST).map(HeaderValue::as_bytes);
    let other = request
        .uri()
        .authority()
        .filter(|other| Some(other.as_str().as_bytes()) != host);
    other.map(|_| "the request names two hosts".to_owned())
}

async fn guarded(
    State(gate): State<Arc<RequestGuard>>,
    Extension(Peer(peer)): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let refuse = |status: StatusCode, text: &'static str| (status, text).into_response();
    if !gate.admits(peer, Instant::now()) {
        return (
            [(header::RETRY_AFTER, "1")],
            refuse(StatusCode::TOO_MANY_REQUESTS, "too many requests"),
        )
            .into_response();
    }
    if let Some(text) = contradiction(&request) {
        return (StatusCode::BAD_REQUEST, text).into_response();
    }
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    // A page elsewhere whose name was pointed at this machine asks under that name.
    if !gate.answers_to(&host) {
        return refuse(
            StatusCode::FORBIDDEN,
            "this server answers to 127.0.0.1 and localhost; --host gives it another name",
        );
    }
    if request.method() != Method::GET && is_foreign(request.headers(), &host) {
        return refuse(StatusCode::FORBIDDEN, "a page of another site asks here");
    }
    let (head, body) = request.into_parts();
    let body = match tokio::time::timeout(PATIENCE, to_bytes(body, LONGEST)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            return refuse(
                StatusCode::PAYLOAD_TOO_LARGE,
                "the request is too long, or broke off",
            );
        }
        Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, "the request came too slowly"),
    };
    let mut response = next.run(Request::from_parts(head, Body::from(body))).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Without any referrer a browser does not say from where its forms come either.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Answers until `stop` is through.
pub(super) fn run(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    // Each match has a connection for every bot, and each viewer one.
    #[cfg(unix)]
    if let Ok((_, most)) = rlimit::Resource::NOFILE.get() {
        // With fewer files, bots beyond them can't be reached; it shows as their faults.
        let _ = rlimit::Resource::NOFILE.set(most, most);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let done = runtime.block_on(answer(listener, app, stop));
    // What waits for bots that do not answer is not waited for.
    runtime.shutdown_background();
    done
}

async fn answer(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let callers = Shares::new(MOST_CONNECTIONS, MOST_OF_ONE);
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = async {
                let place = Arc::clone(&room).acquire_owned().await;
                (place, listener.accept().await)
            } => accepted,
            () = &mut stop => break,
        };
        let (place, (stream, peer)) = match accepted {
            (Ok(place), Ok(connection)) => (place, connection),
            // Whoever knocked is gone, or there is no file left for now.
            _ => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        // Small answers leave at once. Where that can't be had they are slower, and nothing else.
        let _ = stream.set_nodelay(true);
        let peer = peer.ip().to_canonical();
        let Ok(caller) = callers.take(peer) else {
            continue;
        };
        let app = app.clone().layer(Extension(Peer(peer)));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(PATIENCE)
            .max_buf_size(LONGEST_HEAD)
            .max_headers(MOST_FIELDS)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that breaks off is its own affair.
            let _ = connection.await;
            drop((place, caller));
        });
    }
    // Those who do not leave in time are left behind.
    let _ = tokio::time::timeout(LEAVE, graceful.shutdown()).await;
    Ok(())
}

/// Until somebody wants the program to end.
pub(super) async fn shutdown_signal() {
    let interrupted = async {
        // Without a way to be told to end there is none.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        let terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
        if let Ok(mut terminated) = terminated {
            tokio::select! {
                () = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    interrupted.await;
}
