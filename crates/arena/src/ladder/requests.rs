//! Requests to a ladder: to register people, to submit scripts and to show the results.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::PoisonError;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::check::{CheckedBot, check};
use super::request_error::{RequestError, SharedLadder, by_token, for_client, refused, wants_page};
use super::results::version;
use super::{HAND_INS, LadderService, pages, results};
use crate::joining::texts;
use crate::metrics::{self, Gauges, count};
use crate::random::token;
use crate::request_guard::Peer;
use crate::secret::bearer;
use crate::share::QuotaError;
use crate::watch::newest;
use crate::web;
use risk_lab::ladder::{LadderFault, Version};

const UNFIT: &str = "rejected the script: see the findings";
/// The maximum length of a script, in bytes.
pub(super) const LARGEST_SCRIPT: usize = 64 << 10;

pub(super) fn routes() -> Router<Arc<LadderService>> {
    Router::new()
        .route("/", get(results::page))
        .route("/watch", get(newest::<LadderService>))
        .route("/standings", get(results::standings))
        .route("/people", post(register))
        .route("/people/{name}", delete(dismiss))
        .route("/bots", post(hand_in_by_form))
        .route(
            "/bots/{bot}",
            get(results::bot).post(hand_in).delete(withdraw),
        )
        .route("/bots/{bot}/script", get(script))
        .route("/look", post(results::look))
        .route("/games", get(results::games))
        .route("/games/{game}", get(results::record))
        .route("/ladder.css", web::style(pages::style()))
        .route("/metrics", get(metrics))
}

/// Returns the person identified by the request's token.
fn person(served: &LadderService, headers: &HeaderMap) -> Result<String, RequestError> {
    let word = bearer(headers).unwrap_or_default();
    by_token(served, word)
}

/// Reports whether the request contains the operator's secret.
fn is_host(served: &LadderService, headers: &HeaderMap) -> bool {
    let secret = served.config.server.secret.as_ref();
    secret.is_some_and(|secret| secret.is_in(headers))
}

async fn register(
    State(served): SharedLadder,
    Extension(Peer(from)): Extension<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let answer = newcomer(&served, from, &headers, &body);
    for_client(&served, &headers, answer)
}

/// Registers a person, and returns the token.
fn newcomer(
    served: &LadderService,
    from: IpAddr,
    headers: &HeaderMap,
    body: &Bytes,
) -> Result<Response, RequestError> {
    let bad = |text| refused(StatusCode::BAD_REQUEST, "request::body", text);
    let [name] = texts(headers, body, ["name"]).map_err(bad)?;
    let name =
        name.ok_or_else(|| bad("missing `name`: send the name to show others".to_owned()))?;
    let is_host = is_host(served, headers);
    if !is_host && !served.config.open {
        let text = "only the ladder's operator can register people: ask for a token";
        return Err(refused(StatusCode::UNAUTHORIZED, "ladder::secret", text));
    }
    if !is_host {
        let admitted = served.admits_person(from);
        let too_many = StatusCode::TOO_MANY_REQUESTS;
        admitted.map_err(|text| refused(too_many, "ladder::too-many-people", text))?;
    }
    let token = token();
    if let Err(fault) = served.ladder.register(&name, &token, is_host) {
        if !is_host {
            served.take_person_back(from);
        }
        return Err(RequestError::from(fault).reported_by(served));
    }
    if wants_page(headers) {
        return Ok(Html(pages::registered(served, &name, &token)).into_response());
    }
    Ok(Json(json!({ "name": name, "token": token })).into_response())
}

async fn dismiss(
    State(served): SharedLadder,
    headers: HeaderMap,
    Path(name): Path<String>,
) -> Result<Json<Value>, RequestError> {
    if !is_host(&served, &headers) {
        let text = "only the ladder's operator can remove people: send the secret";
        return Err(refused(StatusCode::UNAUTHORIZED, "ladder::secret", text));
    }
    served.ladder.dismiss(&name)?;
    Ok(Json(json!({ "left": name })))
}

struct Submission {
    person: String,
    bot: String,
    public: bool,
    script: String,
}

/// A guard that marks a person's submission as being checked.
struct SubmissionGuard {
    served: Arc<LadderService>,
    person: String,
}

impl SubmissionGuard {
    fn begin(served: &Arc<LadderService>, person: &str) -> Option<Self> {
        let mut busy = served.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let is_free = busy.insert(person.to_owned());
        is_free.then(|| Self {
            served: Arc::clone(served),
            person: person.to_owned(),
        })
    }
}

impl Drop for SubmissionGuard {
    fn drop(&mut self) {
        let busy = self.served.busy.lock();
        busy.unwrap_or_else(PoisonError::into_inner)
            .remove(&self.person);
    }
}

/// Checks a script and accepts it if the bot may play.
async fn take(
    served: &Arc<LadderService>,
    from: Peer,
    hand_in: Submission,
) -> Result<(Version, Value), RequestError> {
    let owned = Arc::clone(served);
    // The check keeps its place until it finishes, even if the client disconnects.
    let task = tokio::spawn(async move { checked(&owned, from, &hand_in).await });
    let failed = |_| LadderFault::Broken("the check failed".to_owned());
    let taken = task.await.map_err(failed)?;
    count(&served.hand_ins[usize::from(taken.is_err())]);
    taken.map_err(|refused| refused.reported_by(served))
}

async fn checked(
    served: &Arc<LadderService>,
    Peer(from): Peer,
    hand_in: &Submission,
) -> Result<(Version, Value), RequestError> {
    let too_many = |code, text: &str| refused(StatusCode::TOO_MANY_REQUESTS, code, text);
    if hand_in.script.len() > LARGEST_SCRIPT {
        let text = format!("the script exceeds {LARGEST_SCRIPT} bytes");
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        return Err(refused(status, "ladder::too-large", text));
    }
    let bytes = hand_in.script.len() as u64;
    let ladder = &served.ladder;
    ladder.admits(&hand_in.person, &hand_in.bot, bytes)?;
    let busy = |text: &str| too_many("ladder::busy", text);
    let _busy = SubmissionGuard::begin(served, &hand_in.person)
        .ok_or_else(|| busy("another script of yours is being checked; try again"))?;
    let _place = served.checks.take(from).map_err(|full| match full {
        QuotaError::ForOne => busy("too many checks for your address; try again"),
        QuotaError::ForAll => busy("too many scripts are being checked; try again"),
    })?;
    if !served.admits_hand_in(&hand_in.person) {
        let text = format!("reached the limit of {HAND_INS} scripts an hour");
        return Err(too_many("ladder::too-often", &text));
    }
    // The semaphore is never closed.
    let _turn = served.checking.acquire().await;
    let folder = ladder.folder.clone();
    let text = hand_in.script.clone();
    let bot = hand_in.bot.clone();
    let ladder_too = Arc::clone(ladder);
    let begun = tokio::task::spawn_blocking(move || {
        let place = folder.put_down(&token(), &bot, &text);
        let place = place.map_err(|error| LadderFault::Broken(error.to_string()))?;
        let outcome = check(&ladder_too.config, &place, &bot);
        Ok::<_, LadderFault>((place, outcome))
    });
    let failed = |_| LadderFault::Broken("the check failed".to_owned());
    let (place, outcome) = begun.await.map_err(failed)??;
    let unfit = StatusCode::UNPROCESSABLE_ENTITY;
    let outcome = match outcome {
        Ok(CheckedBot { fine: true, report }) => {
            let Submission { person, bot, .. } = &hand_in;
            let version = ladder.hand_in(person, bot, &place, bytes, hand_in.public);
            version
                .map(|version| (version, report))
                .map_err(RequestError::from)
        }
        Ok(CheckedBot { report, .. }) => Err(RequestError {
            report: Some(report),
            ..refused(unfit, "ladder::unfit", UNFIT)
        }),
        Err(text) => Err(refused(unfit, "ladder::check", text)),
    };
    if outcome.is_err() {
        ladder.folder.throw_away(&place);
    }
    outcome
}

/// Accepts a script in the request body, with the bot's name in the path.
async fn hand_in(
    State(served): SharedLadder,
    Extension(peer): Extension<Peer>,
    Path(bot): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, RequestError> {
    let bad = |code, text: &str| refused(StatusCode::BAD_REQUEST, code, text);
    let person = person(&served, &headers)?;
    let mut public = false;
    for (key, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        public = match (&*key, &*value) {
            ("public", "true") => true,
            ("public", "false") => false,
            _ => {
                return Err(bad(
                    "request::query",
                    "invalid query: expected public=true or public=false",
                ));
            }
        };
    }
    let script = String::from_utf8(body.to_vec())
        .map_err(|_| bad("request::body", "the script is not valid UTF-8"))?;
    let hand_in = Submission {
        person,
        bot,
        public,
        script,
    };
    let (version, report) = take(&served, peer, hand_in).await?;
    let document = json!({
        "bot": version.id(),
        "public": version.public,
        "findings": report["findings"],
        "trial": report["trial"],
    });
    Ok(Json(document))
}

/// Accepts a script from the form on the page.
async fn hand_in_by_form(
    State(served): SharedLadder,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let taken = async {
        let read = texts(&headers, &body, ["token", "bot", "public", "script"]);
        let bad = |text| refused(StatusCode::BAD_REQUEST, "request::body", text);
        let [word, bot, public, script] = read.map_err(bad)?;
        let hand_in = Submission {
            person: by_token(&served, word.unwrap_or_default().trim())?,
            bot: bot.unwrap_or_default().trim().to_owned(),
            public: public.is_some_and(|word| word == "true"),
            script: script.unwrap_or_default(),
        };
        take(&served, peer, hand_in).await
    };
    match taken.await {
        Ok((version, report)) => {
            let head = format!("{} plays", version.id());
            Html(pages::checked(&served, &head, &report)).into_response()
        }
        Err(refused) => {
            let report = refused.report.unwrap_or_default();
            let page = pages::checked(&served, &refused.text, &report);
            (refused.status, Html(page)).into_response()
        }
    }
}

async fn withdraw(
    State(served): SharedLadder,
    headers: HeaderMap,
    Path(bot): Path<String>,
) -> Result<Json<Value>, RequestError> {
    let person = person(&served, &headers)?;
    served.ladder.withdraw(&person, &bot)?;
    Ok(Json(json!({ "withdrawn": bot })))
}

async fn script(
    State(served): SharedLadder,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, RequestError> {
    let version = version(&served, &id)?;
    if !version.public && person(&served, &headers)? != version.person {
        let text = "the script is private";
        return Err(refused(StatusCode::FORBIDDEN, "ladder::private", text));
    }
    let read = served.ladder.folder.script_text(&version);
    let text = read.map_err(|error| LadderFault::Broken(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

async fn metrics(State(served): SharedLadder) -> Response {
    let running = served
        .matches
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let running = running.values().filter(|hosted| !hosted.is_over()).count();
    let ladder = &served.ladder;
    let now = Gauges {
        waiting: 0,
        running,
        connected: 0,
        viewers: served.audience.viewers.taken(),
        ruleset: ladder.config.base.rules.ruleset_name().to_owned(),
        protocol: "ladder",
    };
    let [log, records, scripts] = ladder.disk();
    let (people, playing) = ladder.roster(|roster| {
        let people = roster.people.iter().filter(|person| person.token.is_some());
        (people.count(), roster.playing().count())
    });
    let [taken, refused] = served.hand_ins.each_ref().map(metrics::get);
    let more = [
        (
            "risk_ladder_people",
            "People who can submit scripts.",
            people as u64,
        ),
        ("risk_ladder_bots", "Bots that play.", playing as u64),
        ("risk_ladder_taken_total", "Accepted scripts.", taken),
        ("risk_ladder_refused_total", "Rejected scripts.", refused),
        ("risk_ladder_log_bytes", "Size of the log.", log),
        ("risk_ladder_record_bytes", "Size of the records.", records),
        ("risk_ladder_script_bytes", "Size of the scripts.", scripts),
    ];
    let text = served.metrics.text(&now, &more);
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
