//! The pages of a ladder. All text entered by people is escaped.

use std::fmt::Write;

use serde_json::Value;

use super::LadderService;
use crate::match_server::MatchServer;
use risk_text::{escape_lines, signed, xml};

const FRAME: &str = include_str!("../page/ladder.html");
const HAND_IN: &str = include_str!("../page/hand_in.html");
const REGISTER: &str = include_str!("../page/register.html");

fn escaped(text: &str) -> String {
    xml(&escape_lines(text))
}

/// Formats a JSON value for a page.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => escaped(text),
        Value::Null => "–".to_owned(),
        other => escaped(&other.to_string()),
    }
}

fn framed(served: &LadderService, body: &str) -> String {
    let title = escaped(&served.title()).replace('{', "&#123;");
    // The body is inserted last, so its text is never searched for placeholders.
    FRAME.replace("{title}", &title).replacen("{body}", body, 1)
}

fn percent(value: &Value) -> String {
    value
        .as_f64()
        .map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// The columns of the standings.
const HEADS: [&str; 8] = [
    "rank",
    "bot",
    "owner",
    "share of wins",
    "95 %",
    "games",
    "wins",
    "faults",
];

/// Formats a rating with its limits: `+35 (-12 to +82)`.
fn rating(value: &Value) -> String {
    let limits = &value["interval"];
    let read = |value: &Value| value.as_f64();
    let Some(((elo, low), high)) = read(&value["elo"])
        .zip(read(&limits[0]))
        .zip(read(&limits[1]))
    else {
        return "–".to_owned();
    };
    // The rating of the anchor is exact.
    if low == high {
        return signed(elo, 0).trim_start_matches('+').to_owned();
    }
    let [elo, low, high] = [elo, low, high].map(|elo| signed(elo, 0));
    format!("{elo} ({low} to {high})")
}

/// Renders the standings, with the form for submitting scripts.
pub(super) fn standings(served: &LadderService, now: &Value) -> String {
    let mut body = String::new();
    let anchor = now["anchor"].as_str();
    let mut heads: Vec<String> = (HEADS.iter()).map(|head| (*head).to_owned()).collect();
    if let Some(anchor) = anchor {
        heads.push(format!("Elo against {}", escaped(anchor)));
    }
    let head = |head: &String| format!("<th scope=\"col\">{head}</th>");
    let heads: String = heads.iter().map(head).collect();
    let rests = now["rests"].as_str().map_or_else(String::new, |why| {
        format!(
            "<p role=\"status\">The ladder is paused: {}.</p>",
            escaped(why)
        )
    });
    // Writing to a string can't fail.
    let _ = write!(
        body,
        "<p>{} blocks, {} games of active bots. <a href=\"/watch\">Watch a game</a>, <a \
         href=\"/games\">latest games</a>.</p>{rests}\
         <table class=\"standings\"><thead><tr>{heads}</tr></thead><tbody>",
        now["blocks"], now["games"]
    );
    for row in now["bots"].as_array().into_iter().flatten() {
        body += &standing(row, anchor.is_some());
    }
    body += "</tbody></table>";
    body += HAND_IN;
    if served.config.open {
        body += REGISTER;
    }
    framed(served, &body)
}

/// Renders a row of the standings, with a rating column if `rates` is set.
fn standing(row: &Value, rates: bool) -> String {
    let [best, worst] = [&row["rank"][0], &row["rank"][1]];
    let rank = if best == worst {
        best.to_string()
    } else {
        format!("{best}–{worst}")
    };
    let limits = &row["interval"];
    let limits = match limits[0].as_f64().zip(limits[1].as_f64()) {
        Some((low, high)) => format!("{:.1} – {:.1} %", 100.0 * low, 100.0 * high),
        None => "–".to_owned(),
    };
    let name = shown(&row["bot"]);
    let bot = if row["by"].is_null() {
        name
    } else {
        format!("<a href=\"/bots/{name}\">{name}</a>")
    };
    let cells = [
        rank,
        bot,
        shown(&row["by"]),
        percent(&row["share"]),
        limits,
        shown(&row["games"]),
        shown(&row["wins"]),
        shown(&row["faults"]),
    ];
    let mut cells = cells.map(|cell| format!("<td>{cell}</td>")).concat();
    if rates {
        // Writing to a string can't fail.
        let _ = write!(cells, "<td>{}</td>", rating(&row["rating"]));
    }
    format!("<tr>{cells}</tr>")
}

/// Renders the result of a submission.
pub(super) fn checked(served: &LadderService, head: &str, report: &Value) -> String {
    let mut body = format!("<h2>{}</h2><ul>", escaped(head));
    for finding in report["findings"].as_array().into_iter().flatten() {
        let line = finding["place"]["line"]
            .as_u64()
            .map_or_else(String::new, |line| format!("line {line}: "));
        let help = finding["help"].as_str().unwrap_or_default();
        let _ = write!(
            body,
            "<li><strong>{}</strong> {line}{}<pre>{}</pre></li>",
            shown(&finding["level"]),
            shown(&finding["text"]),
            escaped(help)
        );
    }
    body += "</ul><p><a href=\"/\">Back to the standings</a></p>";
    framed(served, &body)
}

/// Renders the page after a registration.
pub(super) fn registered(served: &LadderService, name: &str, token: &str) -> String {
    let body = format!(
        "<h2>Welcome, {}</h2><p>Save your token and keep it secret. It is not shown \
         again.</p>\
         <pre>{}</pre><p><a href=\"/\">Back to the standings</a></p>",
        escaped(name),
        escaped(token)
    );
    framed(served, &body)
}

fn listed(faults: &[Value]) -> String {
    let mut list = "<h2>Latest faults</h2><ul>".to_owned();
    for fault in faults {
        let _ = write!(
            list,
            "<li>game {}, round {} ({})<pre>{}</pre></li>",
            shown(&fault["game"]),
            shown(&fault["round"]),
            shown(&fault["kind"]),
            shown(&fault["text"])
        );
    }
    list + "</ul>"
}

/// Renders the page of a bot from the data that is visible to the client.
pub(super) fn bot(served: &LadderService, document: &Value) -> String {
    let name = shown(&document["bot"]);
    let mut body = format!(
        "<h2>{name} by {}</h2><p>{} games, {} wins, {} faults.{}{}</p><h2>Latest games</h2><ul>",
        shown(&document["by"]),
        shown(&document["games"]),
        shown(&document["wins"]),
        shown(&document["faults"]),
        if document["plays"] == true {
            ""
        } else {
            " It was withdrawn or replaced."
        },
        if document["unfit"] == true {
            " It failed to load and is paused."
        } else {
            ""
        },
    );
    for game in document["last_games"].as_array().into_iter().flatten() {
        let _ = write!(
            body,
            "<li><a href=\"/match/{game}\">Game {game}</a>, <a \
             href=\"/games/{game}\">record</a></li>"
        );
    }
    body += "</ul>";
    match document["last_faults"].as_array() {
        Some(faults) => body += &listed(faults),
        None => {
            let _ = write!(
                body,
                "<form method=\"post\" action=\"/look\"><input type=\"hidden\" name=\"bot\" \
                 value=\"{name}\">\
                 <label>Owner's token <input name=\"token\" type=\"password\" required autocomplete=\"off\"></label>\
                 <button>Show faults</button></form>"
            );
        }
    }
    if document["public"] == true {
        let _ = write!(body, "<p><a href=\"/bots/{name}/script\">Script</a></p>");
    }
    body += "<p><a href=\"/\">Back to the standings</a></p>";
    framed(served, &body)
}
