//! Watching: the page at the server's root, and what it is told.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, Path, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream::{self, Stream};
use serde_json::Value;
use tokio::sync::watch;

use super::hosted::Hosted;
use super::joining::leave;
use super::lobby::Lobby;
use super::page;
use super::request_guard::Peer;
use super::share::{Full, Share};

/// The least time between two things that a viewer is told.
const PACE: Duration = Duration::from_millis(200);

pub(super) type Shared = State<Arc<Lobby>>;

/// What every arena has for those who watch.
pub(super) fn routes() -> Router<Arc<Lobby>> {
    let file = |kind: &'static str, text: &'static str| {
        get(async move || ([(header::CONTENT_TYPE, kind)], text))
    };
    Router::new()
        .route("/", get(root))
        .route("/match/{number}", get(one))
        .route("/match/{number}/state", get(state))
        .route("/match/{number}/events", get(follow))
        .route("/events", get(follow_newest))
        .route("/leave", post(leave))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .route(
            "/matches",
            get(async |State(lobby): Shared| Json(lobby.overview())),
        )
        .route(
            "/watch.js",
            file("text/javascript; charset=utf-8", page::SCRIPT),
        )
        .route("/watch.css", file("text/css; charset=utf-8", page::STYLE))
}

/// Is the arena there, and does it take players in?
async fn health(State(lobby): Shared) -> (StatusCode, &'static str) {
    if lobby.is_closing() {
        (StatusCode::SERVICE_UNAVAILABLE, "closing")
    } else {
        (StatusCode::OK, "ok")
    }
}

async fn metrics(State(lobby): Shared) -> Response {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    let text = lobby.metrics.text(&lobby.gauges());
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

fn no_such(number: u64) -> Response {
    (
        StatusCode::NOT_FOUND,
        format!("there is no match {number} here"),
    )
        .into_response()
}

async fn root(State(lobby): Shared) -> Html<String> {
    Html(page::page(&lobby, lobby.newest().as_deref(), true))
}

async fn one(State(lobby): Shared, Path(number): Path<u64>) -> Response {
    match lobby.find(number) {
        Some(hosted) => Html(page::page(&lobby, Some(&hosted), false)).into_response(),
        None => no_such(number),
    }
}

async fn state(State(lobby): Shared, Path(number): Path<u64>) -> Response {
    lobby.find(number).map_or_else(
        || no_such(number),
        |hosted| Json(hosted.state()).into_response(),
    )
}

async fn follow(
    State(lobby): Shared,
    Extension(Peer(from)): Extension<Peer>,
    Path(number): Path<u64>,
) -> Response {
    if lobby.find(number).is_none() {
        no_such(number)
    } else {
        feed(lobby, Some(number), from)
    }
}

async fn follow_newest(State(lobby): Shared, Extension(Peer(from)): Extension<Peer>) -> Response {
    feed(lobby, None, from)
}

/// What somebody sees who stays.
struct Feed {
    lobby: Arc<Lobby>,
    /// The match that is watched, if it is not always the newest.
    number: Option<u64>,
    news: watch::Receiver<u64>,
    seen: Option<(Arc<Hosted>, watch::Receiver<u64>)>,
    begun: bool,
    _place: Share,
}

impl Feed {
    /// Waits until something has changed; `false` when nothing will any more.
    async fn wait(&mut self) -> bool {
        if self.lobby.is_closing()
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

    fn now(&mut self) -> Value {
        self.news.mark_unchanged();
        let hosted = match self.number {
            Some(number) => self.lobby.find(number),
            None => self.lobby.newest(),
        };
        let mut overview = self.lobby.overview();
        if let Some(hosted) = hosted {
            if self
                .seen
                .as_ref()
                .is_none_or(|(seen, _)| seen.number != hosted.number)
            {
                self.seen = Some((Arc::clone(&hosted), hosted.news.subscribe()));
            }
            if let Some((_, match_news)) = &mut self.seen {
                match_news.mark_unchanged();
            }
            overview["shown"] = hosted.state();
        }
        overview
    }
}

fn feed(lobby: Arc<Lobby>, number: Option<u64>, from: IpAddr) -> Response {
    let place = match lobby.viewers.take(from) {
        Ok(place) => place,
        Err(Full::ForOne) => {
            return (
                StatusCode::TOO_MANY_REQUESTS,
                "too many are watching from your address",
            )
                .into_response();
        }
        Err(Full::ForAll) => {
            return (StatusCode::SERVICE_UNAVAILABLE, "too many are watching").into_response();
        }
    };
    let news = lobby.news.subscribe();
    let feed = Feed {
        lobby,
        number,
        news,
        seen: None,
        begun: false,
        _place: place,
    };
    Sse::new(updates(feed))
        .keep_alive(KeepAlive::default())
        .into_response()
}

fn updates(feed: Feed) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(feed, |mut feed| async move {
        if feed.begun {
            if !feed.wait().await {
                return None;
            }
            tokio::time::sleep(PACE).await;
        }
        feed.begun = true;
        let event = Event::default().data(feed.now().to_string());
        Some((Ok(event), feed))
    })
}
