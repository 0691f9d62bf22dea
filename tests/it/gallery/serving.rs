//! Arenas, ladders, tables for people and served bots: command lines, and requests over HTTP.

use std::slice;

use serde_json::Value;

use super::{Session, sessions};
use crate::play_web::WebTable;
use crate::programs::Program;
use crate::support::TINY;
use risk_testing::dialling::DialledBot;

type Files = &'static [(&'static str, &'static str)];

/// A mistake, the files that it needs, and the command line.
const COMMANDS: &[(&str, Files, &str)] = &[
    (
        "an arena without the secret that its protocol needs",
        &[],
        "serve --port 0 --protocol callback",
    ),
    (
        "a short secret",
        &[("secret", "bananas\n")],
        "serve --port 0 --protocol callback --secret-file secret",
    ),
    (
        "a ruleset that the protocol can't play",
        &[],
        "serve --port 0 --protocol hacker-risk --ruleset warzone",
    ),
    (
        "too many players",
        &[],
        "serve --port 0 --protocol json --players 7",
    ),
    (
        "no seat for players who join",
        &[],
        "serve --port 0 --protocol json --players 3 --bot odds --bot odds --bot odds",
    ),
    (
        "an invalid network",
        &[],
        "serve --port 0 --protocol json --allow-callback everywhere",
    ),
    (
        "networks that contradict each other",
        &[],
        "serve --port 0 --protocol json --forbid-loopback --allow-callback 127.0.0.0/8",
    ),
    (
        "a seed outside practice",
        &[],
        "serve --port 0 --protocol json --seed 3",
    ),
    (
        "errors in a protocol without them",
        &[],
        "serve --port 0 --protocol json --errors",
    ),
    (
        "an option of a ladder for an arena",
        &[],
        "serve --port 0 --protocol json --enough 3",
    ),
    (
        "a ladder at which no one could register",
        &[],
        "serve --port 0 --ladder L",
    ),
    (
        "a house bot named like a version",
        &[],
        "serve --port 0 --ladder L --open --bot name=a@2,bot=greedy",
    ),
    (
        "a house bot elsewhere",
        &[],
        "serve --port 0 --ladder L --open --bot http://127.0.0.1:1",
    ),
    (
        "no number left for a record",
        &[("records/match-18446744073709551615.jsonl", "")],
        "serve --port 0 --protocol json --records records",
    ),
    (
        "an unknown key in a file",
        &[("arena.yaml", "protocol: json\nplyers: 3\n")],
        "serve --port 0 --config arena.yaml",
    ),
    (
        "an invalid value in a file",
        &[("arena.yaml", "protocol: json\nplayers: 99\n")],
        "serve --port 0 --config arena.yaml",
    ),
];

const BOTS: &[(&str, Files, &str)] = &[
    (
        "a bot that is a server",
        &[],
        "bot serve http://127.0.0.1:1 --port 0",
    ),
    (
        "a reserved name",
        &[],
        "bot serve greedy --port 0 --name none",
    ),
    (
        "a protocol that can't use pipes",
        &[],
        "bot serve greedy --stdio",
    ),
    (
        "a map for a protocol that sends maps",
        &[],
        "bot serve greedy --protocol json --stdio --map ring",
    ),
    (
        "an invalid address of an arena",
        &[],
        "bot serve greedy --port 0 --join 127.0.0.1:1",
    ),
];

/// A mistake, the request, its header and its body.
type MistakenRequest = (
    &'static str,
    &'static str,
    Option<RequestHeader>,
    &'static str,
);
type RequestHeader = (&'static str, &'static str);

const ARENA: &[MistakenRequest] = &[
    (
        "no name",
        "POST /join",
        None,
        r#"{"url":"http://127.0.0.1:4444"}"#,
    ),
    (
        "an unknown key",
        "POST /join",
        None,
        r#"{"name":"bob","url":"http://127.0.0.1:4444","colour":"red"}"#,
    ),
    (
        "an invalid name",
        "POST /join",
        None,
        r#"{"name":"","url":"http://127.0.0.1:4444"}"#,
    ),
    (
        "a reserved name",
        "POST /join",
        None,
        r#"{"name":"none","url":"http://127.0.0.1:4444"}"#,
    ),
    (
        "an invalid address",
        "POST /join",
        None,
        r#"{"name":"bob","url":"ftp://127.0.0.1"}"#,
    ),
    (
        "an address outside the networks",
        "POST /join",
        None,
        r#"{"name":"bob","url":"http://192.0.2.7"}"#,
    ),
    (
        "a name that another player has",
        "POST /join",
        None,
        r#"{"name":"ann","url":"http://127.0.0.1:4444"}"#,
    ),
    (
        "a similar name",
        "POST /join",
        None,
        r#"{"name":"A NN","url":"http://127.0.0.1:4444"}"#,
    ),
    (
        "the name of a house bot",
        "POST /join",
        None,
        r#"{"name":"house","url":"http://127.0.0.1:4444"}"#,
    ),
    ("too few players", "POST /start", None, ""),
    ("no token", "POST /leave", None, "{}"),
    (
        "an unknown token",
        "POST /leave",
        None,
        r#"{"token":"wrong"}"#,
    ),
    ("a page without matches", "GET /matches?count=0", None, ""),
    ("an unknown parameter", "GET /matches?page=2", None, ""),
    ("an unknown match", "GET /match/9", None, ""),
    ("no WebSocket", "GET /bot?name=bob", None, ""),
    (
        "a page of another site",
        "POST /join",
        Some(("Origin", "http://elsewhere.example")),
        "{}",
    ),
];

/// Addresses at which a WebSocket is refused.
const DIALLED: [&str; 4] = [
    "/bot",
    "/bot?name=bob&token=wrong",
    "/bot?nmae=bob",
    "/bot?token=wrong",
];

const LADDER: &[MistakenRequest] = &[
    ("no name", "POST /people", None, "{}"),
    ("no secret", "POST /people", None, r#"{"name":"Eve"}"#),
    ("no token", "POST /bots/swords", None, "fn answer() {}"),
    ("an invalid name", "POST /bots/A", TOKEN, "fn answer() {}"),
    (
        "the name of a built-in bot",
        "POST /bots/greedy",
        TOKEN,
        "fn answer() {}",
    ),
    (
        "an unknown parameter",
        "POST /bots/swords?open=true",
        TOKEN,
        "fn answer() {}",
    ),
    ("a large script", "POST /bots/swords", TOKEN, "LARGE"),
    ("an unknown bot", "GET /bots/swords", None, ""),
    ("a large page", "GET /games?count=501", None, ""),
    ("an unknown game", "GET /games/1", None, ""),
];

/// The header with the token of a person, which is filled in.
const TOKEN: Option<RequestHeader> = Some(("Authorization", "TOKEN"));

/// A mistake, the person, the path and the body; ID stands for the open question. A request without
/// a body is a GET.
const TABLE: &[(&str, Option<usize>, &str, &str)] = &[
    ("no JSON", Some(0), "/say", "undo"),
    ("no question", Some(0), "/say", r#"{"undo":true}"#),
    (
        "an unknown key",
        Some(0),
        "/say",
        r#"{"question":ID,"dew":true}"#,
    ),
    (
        "two wishes",
        Some(0),
        "/say",
        r#"{"question":ID,"undo":true,"hint":true}"#,
    ),
    (
        "odds of one number",
        Some(0),
        "/say",
        r#"{"question":ID,"odds":[1]}"#,
    ),
    (
        "a flag that is none",
        Some(0),
        "/say",
        r#"{"question":ID,"undo":1}"#,
    ),
    (
        "an illegal action",
        Some(0),
        "/say",
        r#"{"question":ID,"do":["place","a",999]}"#,
    ),
    (
        "unknown words",
        Some(0),
        "/say",
        r#"{"question":ID,"say":"place zz"}"#,
    ),
    (
        "nothing to undo",
        Some(0),
        "/say",
        r#"{"question":ID,"undo":true}"#,
    ),
    (
        "an unknown order",
        Some(0),
        "/say",
        r#"{"question":ID,"retract":0}"#,
    ),
    (
        "odds of large numbers",
        Some(0),
        "/say",
        r#"{"question":ID,"odds":[5000,1]}"#,
    ),
    (
        "another question",
        Some(0),
        "/say",
        r#"{"question":99,"undo":true}"#,
    ),
    (
        "a question to another player",
        Some(1),
        "/say",
        r#"{"question":ID,"undo":true}"#,
    ),
    (
        "a spectator who answers",
        None,
        "/say",
        r#"{"question":ID,"undo":true}"#,
    ),
    ("an unknown parameter", Some(0), "/now?before=1", ""),
    ("a replay before the end", Some(0), "/replay", ""),
];

fn run(rows: &[(&'static str, Files, &'static str)]) -> String {
    let all = rows.iter().map(|(name, files, command)| Session {
        name,
        files,
        commands: slice::from_ref(command),
        typed: "",
    });
    sessions(&all.collect::<Vec<_>>())
}

/// Returns a request and its answer for the gallery.
fn shown(name: &str, request: &str, body: &str, (status, answer): (u16, String)) -> String {
    let body = if body.is_empty() {
        String::new()
    } else {
        format!("{body}\n")
    };
    format!("### {name}\n{request}\n{body}{status}\n{answer}\n\n")
}

/// Sends requests, with this token in place of TOKEN.
fn asked(program: &Program, rows: &[MistakenRequest], token: &str) -> String {
    let mut text = String::new();
    for (name, request, header, body) in rows {
        let (method, path) = request.split_once(' ').unwrap();
        let header = header.map(|(key, value)| (key, value.replace("TOKEN", token)));
        let headers = header.iter().map(|(key, value)| (*key, value.as_str()));
        let headers: Vec<(&str, &str)> = headers.collect();
        let sent = body.replace("LARGE", &"x".repeat(70_000));
        let answer = match method {
            "POST" => program.post(path, &headers, &sent),
            _ => program.get_as(path, &headers),
        };
        text += &shown(name, request, body, answer);
    }
    text
}

#[test]
fn arenas_that_can_not_start() {
    insta::assert_snapshot!(run(COMMANDS));
}

#[test]
fn bots_that_can_not_be_served() {
    insta::assert_snapshot!(run(BOTS));
}

#[test]
fn requests_to_an_arena() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol json --players 4 --bot name=house,bot=random";
    let arena = Program::arena(folder.path(), line);
    let (_ann, _) = DialledBot::join(&arena.address, "ann");
    let mut text = asked(&arena, ARENA, "");
    for path in DIALLED {
        let answer = DialledBot::open(&arena.address, path)
            .map(drop)
            .unwrap_err();
        text += &shown("a WebSocket", &format!("GET {path}"), "", answer);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn requests_to_a_ladder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    let line = "--ladder L --secret-file secret --ruleset simplified";
    let ladder = Program::arena(folder.path(), line);
    let secret = [("Authorization", "Bearer correct-horse")];
    let (_, told) = ladder.post("/people", &secret, r#"{"name":"Ann"}"#);
    let told: Value = serde_json::from_str(&told).unwrap();
    let token = format!("Bearer {}", told["token"].as_str().unwrap());
    insta::assert_snapshot!(asked(&ladder, LADDER, &token));
}

#[test]
fn requests_to_a_table() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
    let line = "-r codelab -m tiny.yaml --bot name=ann,bot=human --bot name=bob,bot=human --seed 2 --record g.jsonl";
    let table = WebTable::start(folder.path(), line);
    let id = table.asked(0)["question"]["id"].to_string();
    let mut text = String::new();
    for (name, person, path, body) in TABLE {
        let answer = match *body {
            "" => table.get(*person, path),
            body => {
                let (status, answer) = table.say(*person, &body.replace("ID", &id));
                (status, answer.to_string())
            }
        };
        let method = if body.is_empty() { "GET" } else { "POST" };
        text += &shown(name, &format!("{method} {path}"), body, answer);
    }
    insta::assert_snapshot!(text);
}
