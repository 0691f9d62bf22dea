//! The pages of a ladder. The templates escape all text, and [`shown`] its control characters.

mod bot;
mod games;
mod standings;

use std::borrow::Cow;

use axum::http::StatusCode;
use maud::{Markup, html};
use serde_json::Value;

use super::LadderService;
use crate::match_server::MatchServer;
use risk_report::page::{self, STYLE};
use risk_text::escape_lines;

pub(super) use bot::{ShownBot, bot};
pub(super) use games::{GamesQuery, games};
pub(super) use standings::standings;

/// The pages that every page links to.
const PAGES: [(&str, &str); 4] = [
    ("/", "Standings"),
    ("/games", "Games"),
    ("/watch", "Watch live"),
    ("/#join", "Take part"),
];

/// Returns the style of the pages.
pub(super) fn style() -> String {
    format!("{STYLE}{}", include_str!("../../web/ladder.css"))
}

/// Escapes the control characters of a text except tabs and line endings.
fn shown(text: &str) -> Cow<'_, str> {
    escape_lines(text)
}

/// Encodes a bot's name for an address. The `@` before a version is valid in paths and queries.
fn encoded(id: &str) -> String {
    let encoded: String = form_urlencoded::byte_serialize(id.as_bytes()).collect();
    encoded.replace('+', "%20").replace("%40", "@")
}

/// Links to a bot's page.
fn bot_link(id: &str) -> Markup {
    html! { a href={ "/bots/" (encoded(id)) } { (shown(id)) } }
}

/// Returns a page with this heading and content. `address` is the page's own address, which its
/// links mark.
fn framed(served: &LadderService, address: &str, heading: &str, body: &Markup) -> String {
    let title = format!("Ladder: {}", served.title());
    let body = html! {
        header.top {
            p { a href="/" { (shown(&title)) } }
            (navigation(address))
        }
        main {
            h1 { (shown(heading)) }
            (body)
        }
    };
    page::served(&format!("{heading} – {title}"), "/ladder.css", &body)
}

/// Returns a table that scrolls if it is wider than the page. `heads` are its columns: the class,
/// and the name, which is empty above a chart.
fn table(label: &str, caption: &Markup, heads: &[(&str, &str)], rows: &Markup) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label=(shown(label)) {
            table {
                caption { (caption) }
                thead { tr { @for (class, name) in heads { (head(class, name)) } } }
                tbody { (rows) }
            }
        }
    }
}

fn head(class: &str, name: &str) -> Markup {
    html! {
        @if name.is_empty() {
            td class=(class) {}
        } @else {
            th class=(class) scope="col" { (shown(name)) }
        }
    }
}

/// The caption of a table of games.
fn replays() -> Markup {
    html! { "The newest game first. Each number opens the replay." }
}

fn navigation(address: &str) -> Markup {
    let current = |to: &str| (to == address).then_some("page");
    html! {
        nav aria-label="Ladder" {
            ul {
                @for (to, text) in PAGES {
                    li { a href=(to) aria-current=[current(to)] { (text) } }
                }
            }
        }
    }
}

/// Renders the result of a submission.
pub(super) fn checked(served: &LadderService, head: &str, report: &Value) -> String {
    let findings = report["findings"].as_array();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let body = html! {
        ul {
            @for finding in findings.into_iter().flatten() {
                li {
                    strong { (shown(&text(&finding["level"]))) } " "
                    @if let Some(line) = finding["place"]["line"].as_u64() { "line " (line) ": " }
                    (shown(&text(&finding["text"])))
                    pre { (shown(&text(&finding["help"]))) }
                }
            }
        }
        p { a href="/" { "Back to the standings" } }
    };
    framed(served, "/bots", head, &body)
}

/// Renders the page after a registration.
pub(super) fn registered(served: &LadderService, name: &str, token: &str) -> String {
    let body = html! {
        p { "Save your token and keep it secret. It is not shown again." }
        pre.note { (shown(token)) }
        p { a href="/#join" { "Hand in a script" } }
    };
    framed(served, "/people", &format!("Welcome, {name}"), &body)
}

/// Renders the reason that a request failed.
pub(super) fn refused(served: &LadderService, status: StatusCode, text: &str) -> String {
    let heading = if status == StatusCode::NOT_FOUND {
        "Not found"
    } else {
        "Request refused"
    };
    let body = html! {
        p.bad { (shown(text)) }
        @if status != StatusCode::NOT_FOUND {
            p { "The back button of your browser leads to what you filled in." }
        }
        p { a href="/" { "Back to the standings" } }
    };
    framed(served, "", heading, &body)
}
