//! Checks before a request is handled: the request rate of its address, the host name, the page
//! that sent it, and its size.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use super::connections::ConnectionHandle;
use super::metrics::Metrics;
use super::share::household;

/// The maximum length of a request, in bytes.
const LONGEST: usize = 1 << 20;
/// The time limit for receiving a request body.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum number of addresses with counted requests.
const MOST_ADDRESSES: usize = 10_000;
/// The size of a burst, in seconds at the allowed rate.
const BURST: u32 = 10;

/// The client's address, taken from the connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

#[derive(Debug)]
pub(super) struct RequestGuard {
    /// The maximum number of requests per second from one address, if there is one.
    rate: Option<u32>,
    /// Whether the server is only reachable from this machine.
    local_only: bool,
    /// The additional host names allowed for a local-only server.
    hosts: Vec<String>,
    metrics: Arc<Metrics>,
    counts: Mutex<BTreeMap<IpAddr, (Instant, f64)>>,
}

impl RequestGuard {
    pub(super) fn new(
        rate: Option<u32>,
        local_only: bool,
        hosts: Vec<String>,
        metrics: Arc<Metrics>,
    ) -> Arc<Self> {
        Arc::new(Self {
            rate,
            local_only,
            hosts,
            metrics,
            counts: Mutex::default(),
        })
    }

    /// Reports whether the server accepts requests for this host name.
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

    /// Wraps all routes of a server in the guard.
    pub(super) fn guard(self: Arc<Self>, app: Router) -> Router {
        app.layer(middleware::from_fn_with_state(self, guarded))
    }

    /// Counts a request, or returns `false` if its address is over the limit.
    fn admits(&self, peer: IpAddr, now: Instant) -> bool {
        let Some(rate) = self.rate else {
            return true;
        };
        let peer = household(peer);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let full = f64::from(rate * BURST);
        let rate = f64::from(rate);
        if counts.len() >= MOST_ADDRESSES && !counts.contains_key(&peer) {
            // An address can be forgotten once its allowance has refilled.
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

/// Reports whether a page of another site sent the request.
pub(super) fn is_foreign(headers: &HeaderMap, host: &str) -> bool {
    let origin = headers
        .get(header::ORIGIN)
        .map(|value| value.to_str().unwrap_or_default());
    origin.is_some_and(|origin| {
        origin
            .split_once("://")
            .is_none_or(|(_, from)| from != host)
    })
}

/// Headers that may occur only once. Of two values, this server would use the first, and a reverse
/// proxy might use the second.
const SINGLE: [header::HeaderName; 5] = [
    header::HOST,
    header::ORIGIN,
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    header::CONTENT_LENGTH,
];

/// Returns the contradiction in the headers of a request, if there is one.
fn contradiction(request: &Request) -> Option<String> {
    let headers = request.headers();
    if let Some(name) = SINGLE
        .iter()
        .find(|name| headers.get_all(*name).iter().count() > 1)
    {
        return Some(format!("duplicate header `{name}`"));
    }
    let host = headers.get(header::HOST).map(HeaderValue::as_bytes);
    let other = request
        .uri()
        .authority()
        .filter(|other| Some(other.as_str().as_bytes()) != host);
    other.map(|_| "the request line and the `host` header specify different hosts".to_owned())
}

/// Reports whether a response lasts as long as its connection, like an event stream or a WebSocket.
fn goes_on(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    response.status() == StatusCode::SWITCHING_PROTOCOLS
        || kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

async fn guarded(
    State(guard): State<Arc<RequestGuard>>,
    Extension(Peer(peer)): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let response = looked_at(&guard, peer, request, next).await;
    guard.metrics.answered(response.status().as_u16());
    response
}

async fn looked_at(guard: &RequestGuard, peer: IpAddr, request: Request, next: Next) -> Response {
    let refuse = |status: StatusCode, text: &'static str| (status, text).into_response();
    if !guard.admits(peer, Instant::now()) {
        return (
            [(header::RETRY_AFTER, "1")],
            refuse(
                StatusCode::TOO_MANY_REQUESTS,
                "too many requests from your address",
            ),
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
    // If a page's own host name resolves to this machine, its requests contain that host name.
    if !guard.answers_to(&host) {
        return refuse(
            StatusCode::FORBIDDEN,
            "unknown host: use 127.0.0.1 or localhost, or add the name with --host",
        );
    }
    if request.method() != Method::GET && is_foreign(request.headers(), &host) {
        return refuse(
            StatusCode::FORBIDDEN,
            "rejected a request from a page of another site",
        );
    }
    let (head, body) = request.into_parts();
    let body = match tokio::time::timeout(PATIENCE, to_bytes(body, LONGEST)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            return refuse(
                StatusCode::PAYLOAD_TOO_LARGE,
                "the body exceeds 1 MiB, or is incomplete",
            );
        }
        Err(_) => {
            return refuse(
                StatusCode::REQUEST_TIMEOUT,
                "the body took more than 10 seconds",
            );
        }
    };
    answered(Request::from_parts(head, Body::from(body)), next).await
}

/// Handles a whole request.
async fn answered(request: Request, next: Next) -> Response {
    let caller = request.extensions().get::<ConnectionHandle>();
    let answering = caller.map(ConnectionHandle::answers);
    let mut response = next.run(request).await;
    if let Some(answering) = answering.filter(|_| goes_on(&response)) {
        answering.for_good();
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // If the referrer is disabled entirely, browsers don't send the origin of forms either.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src \
             data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
