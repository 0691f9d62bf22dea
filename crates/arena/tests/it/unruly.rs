//! Misbehaviour over a socket: what is refused, what ends the connection, what is a fault, and what
//! does no harm. The match goes on in every case.

use std::io::{Read, Write};
use std::net::TcpStream;

use ExpectedEnd::{Closed, Fault, Fine};
use risk_testing::dialling::{ConnectionEnd, DialledBot, frame};
use risk_testing::web::code;
use serde_json::{Value, json};

use crate::matches::modest_bot;
use crate::server::Server;

const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// A case, its request line and head, and the status and a part of the reply: a header, the code of
/// the refusal or a name in its text. `UP` stands for a whole handshake.
const DOORS: [(&str, &str, &str, u16, &str); 27] = [
    (
        "a page, not a socket",
        "GET /bot?name=a",
        "",
        426,
        "upgrade: websocket",
    ),
    (
        "another upgrade",
        "GET /bot?name=a",
        "Connection: Upgrade\r\nUpgrade: h2c\r\n",
        426,
        "upgrade: websocket",
    ),
    (
        "an upgrade that is not asked for",
        "GET /bot?name=a",
        "Upgrade: websocket\r\n",
        426,
        "upgrade: websocket",
    ),
    (
        "an old version",
        "GET /bot?name=a",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        426,
        "sec-websocket-version: 13",
    ),
    (
        "no version",
        "GET /bot?name=a",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        426,
        "sec-websocket-version: 13",
    ),
    (
        "no key",
        "GET /bot?name=a",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
        400,
        "Sec-WebSocket-Key",
    ),
    (
        "a short key",
        "GET /bot?name=a",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: abc\r\n",
        400,
        "Sec-WebSocket-Key",
    ),
    (
        "two keys",
        "GET /bot?name=a",
        "UPSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        400,
        "Sec-WebSocket-Key",
    ),
    ("a post", "POST /bot?name=a", "UP", 405, ""),
    (
        "a page of another site",
        "GET /bot?name=a",
        "UPOrigin: http://elsewhere.example\r\n",
        403,
        "",
    ),
    (
        "no origin at all",
        "GET /bot?name=a",
        "UPOrigin: null\r\n",
        403,
        "",
    ),
    (
        "another host",
        "GET /bot?name=a",
        "UPHost: rebound.example\r\n",
        400,
        "`host`",
    ),
    (
        "neither name nor token",
        "GET /bot",
        "UP",
        400,
        "request::query",
    ),
    (
        "name and token",
        "GET /bot?name=a&token=b",
        "UP",
        400,
        "request::query",
    ),
    (
        "two names",
        "GET /bot?name=a&name=b",
        "UP",
        400,
        "request::query",
    ),
    (
        "a name and a token in the head",
        "GET /bot?name=a",
        "UPAuthorization: Bearer b\r\n",
        400,
        "request::query",
    ),
    ("an unknown key", "GET /bot?nmae=a", "UP", 400, "`nmae`"),
    ("an empty name", "GET /bot?name=", "UP", 400, "arena::name"),
    (
        "a long name",
        "GET /bot?name=nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn",
        "UP",
        400,
        "arena::name",
    ),
    (
        "a name that means nobody",
        "GET /bot?name=none",
        "UP",
        400,
        "`none`",
    ),
    (
        "a name that steers",
        "GET /bot?name=a%1b%5b31m",
        "UP",
        400,
        "arena::name",
    ),
    (
        "a name that is no text",
        "GET /bot?name=%ff%fe",
        "UP",
        101,
        "",
    ),
    (
        "a name that is taken",
        "GET /bot?name=ann",
        "UP",
        409,
        "arena::name-taken",
    ),
    (
        "a name that looks like one",
        "GET /bot?name=A%20nn",
        "UP",
        409,
        "A nn",
    ),
    (
        "the name of the house",
        "GET /bot?name=house",
        "UP",
        409,
        "arena::name-taken",
    ),
    (
        "a wrong token",
        "GET /bot?token=00000000-0000-0000-0000-000000000000",
        "UP",
        410,
        "arena::unknown-token",
    ),
    (
        "no token",
        "GET /bot?token=",
        "UP",
        410,
        "arena::unknown-token",
    ),
];

#[test]
fn whoever_can_not_dial_in_is_told_why() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol json --players 4 --bot name=house,bot=random",
    );
    let (_ann, _) = DialledBot::join(&arena.address, "ann");
    for (what, line, head, status, text) in DOORS {
        let head = head.replace("UP", UPGRADE);
        let request = format!("{line} HTTP/1.1\r\nHost: {}\r\n{head}\r\n", arena.address);
        let mut stream = TcpStream::connect(&arena.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        // An accepted connection stays open, so the loop doesn't wait for its end.
        let mut reply = Vec::new();
        let mut bytes = [0; 4_096];
        while !String::from_utf8_lossy(&reply).contains(text) || reply.is_empty() {
            match stream.read(&mut bytes) {
                Ok(read) if read > 0 => reply.extend_from_slice(&bytes[..read]),
                _ => break,
            }
        }
        let reply = String::from_utf8_lossy(&reply).into_owned();
        assert!(
            reply.starts_with(&format!("HTTP/1.1 {status} ")),
            "{what}: {reply}"
        );
        assert!(reply.contains(text), "{what}: {reply}");
    }
    // A bot that is asked over HTTP has a token, but no connection of its own.
    let body = json!({ "name": "listens", "url": modest_bot() }).to_string();
    let joined: Value = serde_json::from_str(&arena.post("/join", &[], &body).1).unwrap();
    let path = format!("/bot?token={}", joined["token"].as_str().unwrap());
    let (status, text) = DialledBot::open(&arena.address, &path)
        .map(drop)
        .unwrap_err();
    assert_eq!(
        (status, code(&text).as_str()),
        (400, "arena::no-socket"),
        "{text}"
    );
}

enum ExpectedEnd {
    /// The connection is closed with this code, and with a reason that has this number; the bot
    /// comes back.
    Closed(u16, &'static str),
    /// A fault of this kind, whose text has this word.
    Fault(&'static str, &'static str),
    Fine,
}

const DEEDS: [(&str, ExpectedEnd); 33] = [
    ("binary", Closed(1003, "")),
    ("unmasked", Closed(1002, "")),
    ("reserved bits", Closed(1002, "")),
    ("unknown opcode", Closed(1002, "")),
    ("continues nothing", Closed(1002, "")),
    ("begins twice", Closed(1002, "")),
    ("ping in parts", Closed(1002, "")),
    ("long ping", Closed(1002, "")),
    ("no UTF-8", Closed(1007, "UTF-8")),
    ("100 MB", Closed(1009, "1048576")),
    ("2 MiB in parts", Closed(1009, "1048576")),
    ("an endless length", Closed(1009, "1048576")),
    ("ping flood", Closed(1008, "100 pings")),
    ("pong flood", Closed(1008, "100 pings")),
    ("another connection", Closed(1000, "")),
    ("empty", Fault("illegal", "JSON")),
    ("two in one frame", Fault("illegal", "JSON")),
    ("list", Fault("illegal", "object")),
    ("null", Fault("illegal", "object")),
    ("deep", Fault("illegal", "JSON")),
    ("no id", Fault("illegal", "`id`")),
    ("no do", Fault("illegal", "`do`")),
    ("key twice", Fault("illegal", "`id`")),
    ("unknown verb", Fault("illegal", "`atack`")),
    ("another id", Fault("hung", "1000 ms")),
    ("silence", Fault("hung", "1000 ms")),
    ("half a frame", Fault("hung", "1000 ms")),
    ("flood of old answers", Fault("connection", "10000")),
    ("in parts", Fine),
    ("in parts with a ping", Fine),
    ("1 MiB of blanks", Fine),
    ("twice", Fine),
    ("closes and comes back", Fine),
];

/// Returns the bytes that a bot sends instead of `answer`, for deeds that are only bytes.
fn instead(deed: &str, answer: &[u8]) -> Vec<u8> {
    let (front, back) = answer.split_at(answer.len() / 2);
    let text = |text: &str| frame(0x81, text.as_bytes());
    match deed {
        "binary" => frame(0x82, answer),
        "unmasked" => [&[0x81, 2], &b"{}"[..]].concat(),
        "reserved bits" => frame(0xf1, b"{}"),
        "unknown opcode" => frame(0x83, b"{}"),
        "continues nothing" => frame(0x80, b"{}"),
        "begins twice" => [frame(0x01, b"{"), frame(0x81, b"}")].concat(),
        "ping in parts" => frame(0x09, b"x"),
        "long ping" => frame(0x89, &[b'x'; 200]),
        "no UTF-8" => frame(0x81, &[0xff, 0xfe]),
        "100 MB" => [&[0x81, 0xff][..], &100_000_000_u64.to_be_bytes(), &[0; 4]].concat(),
        "an endless length" => {
            [&[0x81, 0xff][..], &(u64::MAX >> 1).to_be_bytes(), &[0; 4]].concat()
        }
        "2 MiB in parts" => {
            let part = vec![b' '; 1 << 19];
            let more = frame(0x00, &part);
            [frame(0x01, &part), more.clone(), more.clone(), more].concat()
        }
        "ping flood" => frame(0x89, b"x").repeat(150),
        "pong flood" => frame(0x8a, b"x").repeat(150),
        "empty" => text(""),
        "two in one frame" => frame(0x81, &[answer, b"\n", answer].concat()),
        "list" => text("[1, 2]"),
        "null" => text("null"),
        "deep" => text(&"[".repeat(100_000)),
        "no id" => text(r#"{"do": ["done"]}"#),
        "no do" => text(&String::from_utf8_lossy(answer).replace("\"do\"", "\"dp\"")),
        "key twice" => text(&String::from_utf8_lossy(answer).replacen('{', "{\"id\":1,", 1)),
        "unknown verb" => {
            let value: Value = serde_json::from_slice(answer).unwrap();
            text(&json!({ "id": value["id"], "do": ["atack"] }).to_string())
        }
        "another id" => text(r#"{"id": 999999, "do": ["done"]}"#),
        "flood of old answers" => text(r#"{"id": 0, "do": ["done"]}"#).repeat(10_050),
        "half a frame" => {
            let whole = frame(0x81, answer);
            whole[..whole.len() - 3].to_vec()
        }
        "in parts" => [frame(0x01, front), frame(0x80, back)].concat(),
        "in parts with a ping" => [
            frame(0x01, front),
            frame(0x89, b"?"),
            frame(0x00, b""),
            frame(0x80, back),
        ]
        .concat(),
        "1 MiB of blanks" => {
            let blanks = vec![b' '; (1 << 20) - answer.len()];
            frame(0x81, &[answer, &blanks].concat())
        }
        "twice" => [frame(0x81, answer), frame(0x81, answer)].concat(),
        _ => Vec::new(),
    }
}

/// Plays a bot that does this at its first question; returns how its connection broke, and faults.
fn does(arena: &Server, deed: &str, number: usize) -> (Option<ConnectionEnd>, Vec<String>) {
    let (mut bot, token) =
        DialledBot::join(&arena.address, &format!("bot {number}").replace(' ', "%20"));
    assert_eq!(bot.play(0), ConnectionEnd::Enough, "{deed}");
    let answer = bot.choose().to_string();
    let other = (deed == "another connection").then(|| DialledBot::back(&arena.address, &token));
    // The server may close the connection before it has read everything.
    let _ = bot
        .socket
        .get_mut()
        .write_all(&instead(deed, answer.as_bytes()));
    if deed == "closes and comes back" {
        bot.socket.close(None).unwrap();
    }
    if deed == "half a frame" {
        // The next message would complete the frame, so nothing is sent until the fault.
        let heard = bot.hear();
        assert!(heard.is_ok_and(|heard| heard["type"] == "fault"), "{deed}");
        bot.faults.push("hung: 1000 ms".to_owned());
        drop(bot.socket.get_mut().shutdown(std::net::Shutdown::Both));
    }
    let mut faults = Vec::new();
    let mut closed = None;
    let mut next = other;
    for _ in 0..5 {
        let ended = bot.play(usize::MAX);
        faults.append(&mut bot.faults);
        if matches!(&ended, ConnectionEnd::Closed(1000, why) if why == "the match is over") {
            return (closed, faults);
        }
        closed = closed.or(Some(ended));
        bot = next
            .take()
            .unwrap_or_else(|| DialledBot::back(&arena.address, &token));
    }
    panic!("{deed}: it never ends, {faults:?}, {closed:?}");
}

#[test]
fn whatever_a_bot_does_on_its_socket_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol json --ruleset codelab --players 2 --bot random --timeout 1 --rate 1000 --strikes 9 -o max_turns=4",
    );
    for (number, (deed, comes)) in DEEDS.iter().enumerate() {
        let (closed, faults) = does(&arena, deed, number);
        match comes {
            Closed(code, why) => {
                let is_why = |at: u16, text: &str| at == *code && text.contains(why);
                let is_it = match &closed {
                    Some(ConnectionEnd::Closed(at, text)) => is_why(*at, text),
                    _ => false,
                };
                // A server that closes while more data comes may break the connection.
                let much = ["100 MB", "2 MiB in parts", "an endless length"];
                let much = much.contains(deed) || deed.ends_with("flood");
                let broke = much && closed == Some(ConnectionEnd::Broke);
                assert!(is_it || broke, "{deed}: {closed:?}\n{}", arena.said());
                assert_eq!(faults, [""; 0], "{deed}");
            }
            // Two limits apply, and either may be reached first.
            Fault(..) if *deed == "flood of old answers" && closed.is_some() => {}
            Fault(kind, word) => {
                let [fault] = faults.as_slice() else {
                    panic!("{deed}: {faults:?}");
                };
                let (found, text) = fault.split_once(": ").unwrap();
                assert!(found == *kind && text.contains(word), "{deed}: {fault}");
            }
            Fine => assert_eq!(faults, [""; 0], "{deed}: {closed:?}"),
        }
        arena.waits_for(&format!("match {}: ", number + 1));
    }
    assert_eq!(arena.get("/matches").0, 200);
}

/// A bot that greets wrongly is greeted again at each question, until it is out.
#[test]
fn a_greeting_that_is_none_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol json --ruleset codelab --players 2 --bot random --timeout 1 -o max_turns=4",
    );
    let (mut bot, _) = DialledBot::join(&arena.address, "late");
    let mut greetings = 0;
    while let Ok(message) = bot.hear() {
        if message["type"] == "hello" {
            greetings += 1;
            bot.say(&json!({ "protocol": 2 }));
        }
        assert_ne!(message["type"], "ask");
    }
    assert!(greetings > 1, "{greetings}");
    arena.waits_for("first fault of late (connection): ");
}

/// Unsolicited messages don't fill memory: a waiting bot may send only a limited number.
#[test]
fn who_says_too_much_at_the_open_table_is_turned_out_and_may_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(folder.path(), "--protocol json --players 3 --bot random");
    let (mut bot, token) = DialledBot::join(&arena.address, "ann");
    for _ in 0..1_100 {
        bot.say(&json!({ "hello": "anybody?" }));
    }
    let ended = bot.hear();
    assert!(
        matches!(
            ended,
            Err(ConnectionEnd::Closed(1008, _) | ConnectionEnd::Broke)
        ),
        "{ended:?}"
    );
    DialledBot::back(&arena.address, &token);
}
