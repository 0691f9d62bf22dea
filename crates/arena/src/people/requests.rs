//! The HTTP requests of pages, as described in docs/play.md.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use super::super::secret::bearer;
use super::super::watch;
use super::page_hub::PageHub;
use risk_people::{NOT_OPEN, Onlookers, PageCommand, PageReply, Viewer};
use risk_report::picture;
use risk_report::viewer::timeline::Cursor;
use risk_report::web::{LOOK, STYLE};
use risk_text::{escape_control, isolated, xml};

type SharedHub = State<Arc<PageHub>>;

/// The style and the script of the page.
const HEAD: &str = "<link rel=\"stylesheet\" href=\"/play.css\">\n\
                    <script type=\"module\" src=\"/web/arena/served.js\"></script>\n";
/// The time after which a request that waits for news gets an empty response.
const PATIENCE: Duration = Duration::from_secs(25);
/// The maximum number of requests with one token that wait for news. Spectators without a token
/// share this limit.
const MOST_WAITING: usize = 16;
/// The maximum length of a request body, in bytes.
const LONGEST: usize = 16 << 10;

pub(super) fn routes() -> Router<Arc<PageHub>> {
    let style = format!("{}{}", STYLE, include_str!("../../web/play.css"));
    crate::web::routes()
        .route("/", get(page))
        .route("/play.css", crate::web::style(style))
        .route("/game", get(game))
        .route("/now", get(now))
        .route("/say", post(say))
        .route("/replay", get(replay))
}

fn refused(status: StatusCode, code: &'static str, text: &str) -> Response {
    let text = isolated(text);
    (status, Json(json!({ "error": text, "code": code }))).into_response()
}

/// Returns the viewer that sent a request. Without a token, the viewer is a spectator.
fn viewer_of(desk: &PageHub, headers: &HeaderMap) -> Result<Viewer, Response> {
    if !headers.contains_key(header::AUTHORIZATION) {
        return desk.onlooker().ok_or_else(|| {
            let (code, text) = match desk.table.onlookers {
                Onlookers::None => (
                    "people::no-spectators",
                    "this table has no spectators: open the link of your seat",
                ),
                _ => (
                    "people::no-token",
                    "missing token: open the link that the program printed for spectators",
                ),
            };
            refused(StatusCode::UNAUTHORIZED, code, text)
        });
    }
    let found = bearer(headers).and_then(|token| desk.holder(token));
    found.ok_or_else(|| {
        let text = "unknown token: open the link that the program printed last";
        refused(StatusCode::UNAUTHORIZED, "people::unknown-token", text)
    })
}

async fn page(State(desk): SharedHub) -> Html<String> {
    let table = &desk.table;
    // The map is inserted last, so its text is never searched for placeholders.
    Html(
        include_str!("../../web/play.html")
            .replace("{head}", HEAD)
            .replace("{more}", "")
            .replace("{look}", LOOK)
            .replace("{nobody}", picture::NOBODY)
            .replace(
                "{title}",
                &xml(&isolated(&escape_control(&table.title))).replace('{', "&#123;"),
            )
            .replacen("{map}", &table.map, 1),
    )
}

async fn game(State(desk): SharedHub, headers: HeaderMap) -> Result<Response, Response> {
    let game = desk.sheets().game(viewer_of(&desk, &headers)?).to_string();
    let game = isolated(&game).into_owned();
    Ok(([(header::CONTENT_TYPE, "application/json")], game).into_response())
}

/// Responds with the viewer's sheet as soon as it differs from the known version.
async fn now(
    State(desk): SharedHub,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Response> {
    let viewer = viewer_of(&desk, &headers)?;
    let [known, epoch, from] = watch::numbers(query.as_deref(), ["after", "epoch", "from"])
        .map_err(|text| refused(StatusCode::BAD_REQUEST, "request::query", &text))?;
    let from = from.map_or(0, |from| usize::try_from(from).unwrap_or(usize::MAX));
    let cursor = Cursor::new(epoch.unwrap_or(0), from);
    let Some(_place) = desk.wait(viewer, MOST_WAITING) else {
        let text = "too many open pages for this seat: close some of them";
        let status = StatusCode::TOO_MANY_REQUESTS;
        return Err(refused(status, "people::too-many-pages", text));
    };
    let mut news = desk.news();
    let until = Instant::now() + PATIENCE;
    loop {
        news.mark_unchanged();
        if desk.is_closed() {
            let text = "the program has ended; use --resume to continue the game";
            let status = StatusCode::SERVICE_UNAVAILABLE;
            return Err(refused(status, "people::closed", text));
        }
        if let Some(sheet) = desk.sheets().sheet(viewer, known, cursor) {
            return Ok(([(header::CONTENT_TYPE, "application/json")], sheet).into_response());
        }
        if timeout_at(until, news.changed()).await.is_err() {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
    }
}

/// Responds with a page of the whole game for download, once the game is over.
async fn replay(State(desk): SharedHub, headers: HeaderMap) -> Result<Response, Response> {
    viewer_of(&desk, &headers)?;
    let page = desk.sheets().replay().map(str::to_owned);
    let page = page.ok_or_else(|| {
        let text = "no replay yet: the game is not over";
        refused(StatusCode::NOT_FOUND, "people::no-replay", text)
    })?;
    let kept = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"game.html\"",
        ),
    ];
    Ok((kept, page).into_response())
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().map(str::trim) == Some("application/json")
}

/// Handles an answer to a question, or another request about it.
async fn say(
    State(desk): SharedHub,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Response> {
    let viewer = viewer_of(&desk, &headers)?;
    let Some(seat) = desk.sheets().seat(viewer) else {
        let text = "spectators can't answer: send a seat's token in the header `Authorization: \
                    Bearer TOKEN`";
        return Err(refused(StatusCode::UNAUTHORIZED, "people::spectator", text));
    };
    if body.len() > LONGEST {
        let text = format!("the request exceeds {LONGEST} bytes");
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        return Err(refused(status, "request::too-large", &text));
    }
    if !is_json(&headers) {
        let text = "the header Content-Type must be application/json";
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(refused(status, "request::content-type", text));
    }
    let text = std::str::from_utf8(&body).map_err(|_| "the request is not valid UTF-8".to_owned());
    let (question, wish) = text
        .and_then(PageCommand::read)
        .map_err(|text| refused(StatusCode::BAD_REQUEST, "request::body", &text))?;
    if desk.sheets().is_over() {
        let text = "the game is over";
        return Err(refused(StatusCode::GONE, "people::over", text));
    }
    let code = wish.code();
    let is_open = desk.sheets().open_question(seat) == Some(question);
    let reply = match is_open {
        true => desk.request(viewer, question, wish).await,
        false => Some(PageReply::Stale),
    };
    let Some(reply) = reply else {
        let text = "the game can't take another request from this seat now: try again";
        let status = StatusCode::SERVICE_UNAVAILABLE;
        return Err(refused(status, "people::busy", text));
    };
    match reply.body(code, question) {
        Ok(body) => Ok(Json(body).into_response()),
        Err((NOT_OPEN, text)) => Err(refused(StatusCode::CONFLICT, NOT_OPEN, &text)),
        Err((code, text)) => Err(refused(StatusCode::UNPROCESSABLE_ENTITY, code, &text)),
    }
}
