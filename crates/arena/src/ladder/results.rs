//! Requests for results: the standings, bots and games, as JSON and as pages.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde_json::{Value, json};

use super::LadderService;
use super::pages::{self, GamesQuery, ShownBot};
use super::request_error::{RequestError, SharedLadder, by_token, for_client, refused, wants_page};
use crate::joining::texts;
use crate::secret::bearer;
use crate::watch::no_such;
use risk_lab::ladder::{GameOutcome, PlayedGame, StandingRow, Version};
use risk_report::json::round;
use risk_text::utc;

/// The number of games on a page of the list: the default and the maximum.
const LISTED: (usize, usize) = (50, 500);

/// Returns the version of a registered bot.
pub(super) fn version(served: &LadderService, id: &str) -> Result<Version, RequestError> {
    let found = served.ladder.roster(|roster| roster.find(id).cloned());
    found.ok_or_else(unknown)
}

fn unknown() -> RequestError {
    refused(StatusCode::NOT_FOUND, "ladder::unknown", "unknown bot")
}

/// Returns the name under which a registered bot or a house bot plays.
fn playing_name(served: &LadderService, id: &str) -> Result<String, RequestError> {
    let house = served.ladder.config.house.iter();
    match version(served, id) {
        Ok(version) => Ok(version.id()),
        Err(_) if house.clone().any(|spec| spec.name == id) => Ok(id.to_owned()),
        Err(error) => Err(error),
    }
}

/// Returns a bot as its owner or others see it. Its faults are visible to its owner, and to
/// everyone if the version is public.
fn shown_bot(
    served: &LadderService,
    id: &str,
    person: Option<&str>,
) -> Result<ShownBot, RequestError> {
    let ladder = &served.ladder;
    let id = playing_name(served, id)?;
    let Ok(version) = version(served, &id) else {
        return Ok(ShownBot {
            owner: None,
            public: false,
            plays: true,
            unfit: ladder.is_unfit(&id),
            totals: ladder.summary(&id),
            faults: None,
            id,
        });
    };
    let sees_faults = version.public || person == Some(&version.person);
    Ok(ShownBot {
        public: version.public,
        plays: version.plays,
        unfit: ladder.is_unfit(&id),
        totals: ladder.summary(&id),
        faults: sees_faults.then(|| ladder.folder.faults(&id)),
        owner: Some(version.person),
        id,
    })
}

fn bot_value(bot: &ShownBot) -> Value {
    let last = bot.totals.last.iter().map(|game| game.game);
    let mut document = json!({
        "bot": bot.id,
        "by": bot.owner,
        "public": bot.public,
        "plays": bot.plays,
        "unfit": bot.unfit,
        "games": bot.totals.games,
        "wins": bot.totals.wins,
        "faults": bot.totals.faults,
        "last_games": last.collect::<Vec<_>>(),
    });
    if let Some(faults) = &bot.faults {
        document["last_faults"] = json!(faults);
    }
    document
}

pub(super) async fn bot(
    State(served): SharedLadder,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Response {
    let answer = || {
        let person = bearer(&headers).map(|word| by_token(&served, word));
        let bot = shown_bot(&served, &id, person.transpose()?.as_deref())?;
        if wants_page(&headers) {
            return Ok(Html(pages::bot(&served, &bot)).into_response());
        }
        Ok(Json(bot_value(&bot)).into_response())
    };
    for_client(&served, &headers, answer())
}

/// Shows the page of a bot to its owner in a browser.
pub(super) async fn look(State(served): SharedLadder, headers: HeaderMap, body: Bytes) -> Response {
    let answer = || {
        let read = texts(&headers, &body, ["token", "bot"]);
        let bad = |text| refused(StatusCode::BAD_REQUEST, "request::body", text);
        let [word, id] = read.map_err(bad)?;
        let person = by_token(&served, word.unwrap_or_default().trim())?;
        let id = id.unwrap_or_default();
        let bot = shown_bot(&served, id.trim(), Some(&person))?;
        Ok(Html(pages::bot(&served, &bot)).into_response())
    };
    for_client(&served, &headers, answer())
}

/// Returns a row of the standings, with data from the roster.
fn standing(served: &LadderService, row: &StandingRow) -> Value {
    let version = served.ladder.roster(|roster| roster.find(&row.id).cloned());
    let version = version.filter(|_| row.id.contains('@'));
    let limits = row.interval.as_ref();
    let rating = row.rating.map(
        |(elo, low, high)| json!({ "value": round(elo), "interval": [round(low), round(high)] }),
    );
    json!({
        "bot": row.id,
        "by": version.as_ref().map(|version| &version.person),
        "public": version.as_ref().is_some_and(|version| version.public),
        "rank": [row.rank.0, row.rank.1],
        "games": row.games,
        "wins": row.wins,
        "share": row.share.map(round),
        "interval": limits.ok().map(|(low, high)| [round(*low), round(*high)]),
        "no_interval": limits.err().map(ToString::to_string),
        "elo_against_table": row.elo.map(round),
        "elo_from_wins": rating,
        "mean_place": round(row.mean_place),
        "faults": row.faults,
    })
}

pub(super) async fn standings(State(served): SharedLadder) -> Json<Value> {
    let now = served.ladder.standings();
    let config = &served.ladder.config;
    Json(json!({
        "ruleset": config.base.rules.ruleset_name(),
        "map": config.base.rules.map_name(),
        "practice": config.practice,
        "seats": config.seats,
        "plan": served.ladder.plan(),
        "rests": served.ladder.rests(),
        "blocks": now.blocks,
        "games": now.games,
        "undecided": now.undecided,
        "digest": now.digest,
        "anchor": now.anchor,
        "no_anchor": now.no_ratings,
        "bots": now.rows.iter().map(|row| standing(&served, row)).collect::<Vec<_>>(),
    }))
}

pub(super) async fn page(State(served): SharedLadder) -> Html<String> {
    Html(pages::standings(&served))
}

fn game_value(game: &PlayedGame) -> Value {
    json!({
        "game": game.game,
        "bots": game.seats,
        "places": game.places,
        "winners": game.winners,
        "reason": game.reason,
        "rounds": game.rounds,
        "faults": game.faults,
        "ended": game.ended.map(utc),
        "record": game.has_record.then(|| format!("/games/{}", game.game)),
    })
}

/// Parses the query of a list of games. Fields that a form leaves empty are treated as missing.
fn games_query(query: &str) -> Result<GamesQuery, String> {
    let invalid = || {
        "invalid query: expected before=NUMBER, count=NUMBER, bot=NAME and result=won, lost or \
         undecided, each at most once"
            .to_owned()
    };
    fn set<T>(place: &mut Option<T>, value: Option<T>) -> Option<()> {
        (place.is_none() && value.is_some()).then(|| *place = value)
    }
    let mut parsed = GamesQuery::default();
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        let filter = &mut parsed.filter;
        let taken = match (&*key, &*value) {
            ("bot" | "result", "") => Some(()),
            ("before", value) => set(&mut filter.before, value.parse().ok()),
            ("count", value) => set(&mut parsed.count, value.parse().ok()),
            ("bot", value) => set(&mut filter.bot, Some(value.to_owned())),
            ("result", value) => set(&mut filter.outcome, GameOutcome::parse(value)),
            _ => None,
        };
        taken.ok_or_else(invalid)?;
    }
    if parsed
        .count
        .is_some_and(|count| count == 0 || count > LISTED.1)
    {
        return Err(format!("`count` must be 1 to {}", LISTED.1));
    }
    if parsed.filter.outcome.is_some() && parsed.filter.bot.is_none() {
        return Err("`result` needs a bot: add bot=NAME".to_owned());
    }
    Ok(parsed)
}

pub(super) async fn games(
    State(served): SharedLadder,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let answer = || {
        let bad = |text| refused(StatusCode::BAD_REQUEST, "request::query", text);
        let mut query = games_query(&query.unwrap_or_default()).map_err(bad)?;
        if let Some(bot) = &mut query.filter.bot {
            *bot = playing_name(&served, bot)?;
        }
        let count = query.count.unwrap_or(LISTED.0);
        let page = served.ladder.games(&query.filter, count);
        if wants_page(&headers) {
            return Ok(Html(pages::games(&served, &query, &page)).into_response());
        }
        query.count = Some(count);
        let games: Vec<Value> = page.games.iter().map(game_value).collect();
        let next = page.before.map(|before| query.address(Some(before)));
        Ok(Json(json!({ "games": games, "next": next })).into_response())
    };
    for_client(&served, &headers, answer())
}

pub(super) async fn record(State(served): SharedLadder, Path(game): Path<u64>) -> Response {
    let folder = served.ladder.folder.clone();
    let read = tokio::task::spawn_blocking(move || folder.record_text(game));
    match read.await {
        Ok(Ok(text)) => {
            let name = format!("attachment; filename=\"game-{game}.jsonl\"");
            let kind = "application/jsonl".to_owned();
            let head = [
                (header::CONTENT_TYPE, kind),
                (header::CONTENT_DISPOSITION, name),
            ];
            (head, text).into_response()
        }
        _ => no_such(game),
    }
}
