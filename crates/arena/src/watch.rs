//! Watching: the page at the server's root and its events.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream::{self, Stream};
use serde_json::Value;
use tokio::sync::watch;

use super::hosted::{PublishedMatch, with_timeline};
use super::joining::leave;
use super::lobby::{Lobby, Refusal, SharedLobby};
use super::match_server::MatchServer;
use super::page;
use super::request_guard::Peer;
use super::share::{QuotaError, QuotaPermit};
use super::web;
use risk_report::viewer::timeline::Cursor;

/// The minimum time between two events for a viewer.
const PACE: Duration = Duration::from_millis(200);

/// Returns the routes of all servers whose matches can be watched.
pub(super) fn match_routes<W: MatchServer>() -> Router<Arc<W>> {
    web::routes()
        .route("/match/{number}", get(one::<W>))
        .route("/match/{number}/state", get(state::<W>))
        .route("/match/{number}/events", get(follow::<W>))
        .route("/events", get(follow_newest::<W>))
        .route("/healthz", get(health::<W>))
        .route("/watch.css", web::style(page::style()))
}

/// Returns the routes of every arena for viewers.
pub(super) fn routes() -> Router<Arc<Lobby>> {
    match_routes()
        .route("/", get(newest::<Lobby>))
        .route("/leave", post(leave))
        .route("/metrics", get(metrics))
        .route("/matches", get(matches))
}

/// Reports whether the server is available and not closing.
async fn health<W: MatchServer>(State(watched): State<Arc<W>>) -> (StatusCode, &'static str) {
    if watched.is_closing() {
        (StatusCode::SERVICE_UNAVAILABLE, "closing")
    } else {
        (StatusCode::OK, "ok")
    }
}

/// Responds with a page of the list of matches.
async fn matches(
    State(lobby): SharedLobby,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, Refusal> {
    let listed = numbers(query.as_deref(), ["before", "count"]).and_then(|[before, count]| {
        let count = count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        lobby.listed(before, count)
    });
    let bad = |text| Refusal::bad("request::query", text);
    listed.map(Json).map_err(bad)
}

/// Parses the numbers with these names from a query.
pub(super) fn numbers<const N: usize>(
    query: Option<&str>,
    names: [&str; N],
) -> Result<[Option<u64>; N], String> {
    let mut found = [None; N];
    for (key, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        let place = names.iter().position(|name| *name == key);
        let place = place.filter(|&place| found[place].is_none());
        let number = value.parse::<u64>().ok();
        match place.zip(number) {
            Some((place, number)) => found[place] = Some(number),
            None => {
                let names = names.map(|name| format!("{name}=NUMBER")).join(" and ");
                return Err(format!(
                    "invalid query: expected {names}, each at most once"
                ));
            }
        }
    }
    Ok(found)
}

async fn metrics(State(lobby): SharedLobby) -> Response {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    let text = lobby.metrics.text(&lobby.gauges(), &[]);
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

pub(super) fn no_such(number: u64) -> Response {
    (StatusCode::NOT_FOUND, format!("no match {number}")).into_response()
}

/// Responds with the page that always shows the newest match.
pub(super) async fn newest<W: MatchServer>(State(watched): State<Arc<W>>) -> Html<String> {
    Html(page::page(&*watched, watched.newest().as_deref(), true))
}

/// Finds a match. If it is not in memory, it is loaded.
async fn found<W: MatchServer>(
    watched: &Arc<W>,
    number: u64,
) -> Result<Arc<PublishedMatch>, Response> {
    if let Some(hosted) = watched.find(number) {
        return Ok(hosted);
    }
    let watched = Arc::clone(watched);
    let brought = tokio::task::spawn_blocking(move || watched.bring(number));
    let brought = brought.await.ok().flatten();
    brought.ok_or_else(|| no_such(number))
}

async fn one<W: MatchServer>(
    State(watched): State<Arc<W>>,
    Path(number): Path<u64>,
) -> Result<Html<String>, Response> {
    let hosted = found(&watched, number).await?;
    Ok(Html(page::page(&*watched, Some(&hosted), false)))
}

async fn state<W: MatchServer>(
    State(watched): State<Arc<W>>,
    Path(number): Path<u64>,
) -> Result<Response, Response> {
    let hosted = found(&watched, number).await?;
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((kind, hosted.whole()).into_response())
}

async fn follow<W: MatchServer>(
    State(watched): State<Arc<W>>,
    Extension(Peer(from)): Extension<Peer>,
    Path(number): Path<u64>,
) -> Result<Response, Response> {
    found(&watched, number).await?;
    Ok(feed(watched, Some(number), from))
}

async fn follow_newest<W: MatchServer>(
    State(watched): State<Arc<W>>,
    Extension(Peer(from)): Extension<Peer>,
) -> Response {
    feed(watched, None, from)
}

/// The event stream of one viewer.
struct Feed<W> {
    watched: Arc<W>,
    /// The match to show, or `None` for the newest match.
    number: Option<u64>,
    news: watch::Receiver<u64>,
    seen: Option<(Arc<PublishedMatch>, watch::Receiver<u64>)>,
    /// The viewer's position in that match.
    cursor: Cursor,
    /// Whether more frames can be sent immediately.
    has_more: bool,
    begun: bool,
    _place: QuotaPermit,
}

impl<W: MatchServer> Feed<W> {
    /// Waits for a change. Returns `false` if there will be no more changes.
    async fn wait(&mut self) -> bool {
        if self.watched.is_closing()
            && self
                .seen
                .as_ref()
                .is_none_or(|(hosted, _)| hosted.is_over())
        {
            return false;
        }
        let changed = match &mut self.seen {
            Some((_, match_news)) => tokio::select! {
                changed = self.news.changed() => changed,
                changed = match_news.changed() => changed,
            },
            None => self.news.changed().await,
        };
        changed.is_ok()
    }

    fn now(&mut self) -> String {
        self.news.mark_unchanged();
        let hosted = match self.number {
            Some(number) => self.watched.find(number),
            None => self.watched.newest(),
        };
        let mut overview = self.watched.overview();
        if let Some(hosted) = hosted {
            if self
                .seen
                .as_ref()
                .is_none_or(|(seen, _)| seen.number != hosted.number)
            {
                self.seen = Some((Arc::clone(&hosted), hosted.news.subscribe()));
                self.cursor = Cursor::default();
            }
            if let Some((_, match_news)) = &mut self.seen {
                match_news.mark_unchanged();
            }
            overview["shown"] = hosted.state();
            let timeline = hosted.timeline();
            let news = timeline.news(&mut self.cursor);
            self.has_more = timeline.has_more(&self.cursor);
            return with_timeline(&overview, news);
        }
        overview.to_string()
    }
}

fn feed<W: MatchServer>(watched: Arc<W>, number: Option<u64>, from: IpAddr) -> Response {
    let place = match watched.audience().viewers.take(from) {
        Ok(place) => place,
        Err(QuotaError::ForOne) => {
            let text = "too many viewers from your address";
            return (StatusCode::TOO_MANY_REQUESTS, text).into_response();
        }
        Err(QuotaError::ForAll) => {
            return (StatusCode::SERVICE_UNAVAILABLE, "too many viewers").into_response();
        }
    };
    let news = watched.audience().news.subscribe();
    let feed = Feed {
        watched,
        number,
        news,
        seen: None,
        cursor: Cursor::default(),
        has_more: false,
        begun: false,
        _place: place,
    };
    Sse::new(updates(feed))
        .keep_alive(KeepAlive::default())
        .into_response()
}

fn updates<W: MatchServer>(feed: Feed<W>) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(feed, |mut feed| async move {
        if feed.begun && !feed.has_more {
            if !feed.wait().await {
                return None;
            }
            tokio::time::sleep(PACE).await;
        }
        feed.begun = true;
        let event = Event::default().data(feed.now());
        Some((Ok(event), feed))
    })
}
