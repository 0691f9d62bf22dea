//! The limits of strangers at an arena or a served bot: other people's servers, logs, records and
//! request heads.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use risk_arena::bounded::LineLimiter;
use risk_testing::web::{code, reserved, server};
use serde_json::json;

use crate::matches::modest_bot;
use crate::server::Server;
use crate::server::verified;

/// Sends a request and returns the first line of the response.
pub(crate) fn answer(stream: &mut TcpStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let mut begun = [0; 12];
    stream.read_exact(&mut begun).unwrap();
    String::from_utf8_lossy(&begun[9..]).into_owned()
}

/// The registrant learns nothing about the server at the address; the arena's log quotes its
/// answer.
#[test]
fn nothing_of_a_foreign_answer_is_quoted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    let arena = Server::arena(folder.path(), "--protocol callback --secret-file secret");
    let sends =
        |answer: &'static str| server(move |_, stream| drop(stream.write_all(answer.as_bytes())));
    let (_nobody, gone) = reserved();
    let rows = [
        (
            sends("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nkey=\u{1b}[31mhush"),
            "/areYouThere",
        ),
        (
            sends("HTTP/1.1 401 hush\r\nX: hush\r\nContent-Length: 8\r\n\r\nhush-key"),
            "/areYouThere",
        ),
        (sends("220 hush ESMTP\r\n"), "http://127.0.0.1"),
        (format!("http://{gone}"), "http://127.0.0.1"),
    ];
    for (index, (url, wanted)) in rows.iter().enumerate() {
        let body =
            json!({ "name": format!("bot {index}"), "callbackBaseAddress": url }).to_string();
        let (status, text) = arena.post("/join", &[], &body);
        assert!(status == 400 && text.contains(wanted), "{status} {text}");
        // Only an answer in HTTP is compared with the expected one.
        assert_eq!(text.contains("/areYouThere"), index < 2, "{text}");
        // The port in the address may have these digits.
        let rest = text.replace(url, "");
        assert!(
            !rest.contains("hush") && !rest.contains("401") && !rest.contains("key"),
            "{text}"
        );
    }
    for word in ["bot 0 ", "127.0.0.1: ", "401", "`hush-key`", "bot 3 "] {
        arena.waits_for(word);
    }
    assert!(
        arena.said().contains("key=\\u{1b}[31mhush"),
        "{}",
        arena.said()
    );
}

#[test]
fn bots_on_this_machine_can_be_forbidden() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "--protocol hacker-risk --forbid-loopback --allow-callback 0.0.0.0/0 --allow-callback ::/0";
    let arena = Server::arena(folder.path(), line);
    let port = modest_bot().rsplit(':').next().unwrap().to_owned();
    for host in [
        "127.0.0.1",
        "127.9.9.9",
        "localhost",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "2130706433",
    ] {
        let body = json!({ "name": "ann", "url": format!("http://{host}:{port}") }).to_string();
        let (status, text) = arena.post("/join", &[], &body);
        assert_eq!(
            (status, code(&text).as_str()),
            (400, "arena::unreachable"),
            "{host}: {text}"
        );
        assert!(text.contains("--allow-callback"), "{host}: {text}");
    }
}

#[test]
fn two_arenas_can_share_a_folder_of_records() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol hacker-risk --players 3 --bot random --bot random --records records -o max_turns=3 --seed 1";
    let arenas = [
        Server::arena(folder.path(), line),
        Server::arena(folder.path(), line),
    ];
    let mut texts: Vec<String> = Vec::new();
    for (index, number) in [0, 1, 1, 0, 0].into_iter().zip(1..) {
        let body = json!({ "name": format!("p{number}"), "url": modest_bot() }).to_string();
        assert_eq!(arenas[index].post("/join", &[], &body).0, 200);
        arenas[index].waits_for(&format!("match {number}: "));
        let read = |number: i32| std::fs::read_to_string(record(folder.path(), number)).unwrap();
        texts.push(read(number));
        let same = texts
            .iter()
            .zip(1..)
            .all(|(text, number)| *text == read(number));
        assert!(
            same && texts[texts.len() - 1].contains(&format!("\"p{number}\"")),
            "no record was written over"
        );
        verified(&read(number));
    }
}

fn record(folder: &Path, number: i32) -> String {
    folder
        .join(format!("records/match-{number:05}.jsonl"))
        .to_str()
        .unwrap()
        .to_owned()
}

#[test]
fn what_strangers_cause_is_told_in_bounds() {
    let mut log = LineLimiter::default();
    let began = Instant::now();
    let mut lines = 0;
    for number in 0..100 {
        lines += log
            .lines(
                &format!("line {number}"),
                began + Duration::from_millis(number),
            )
            .len();
    }
    assert_eq!(lines, 21, "twenty, and that there are more");
    let later = log.lines("later", began + Duration::from_secs(61));
    assert!(
        later.len() == 2 && later[0].contains("80 ") && later[1] == "later",
        "{later:?}"
    );
    assert_eq!(
        log.lines(&"x".repeat(5_000), began + Duration::from_secs(62))[0]
            .chars()
            .count(),
        602
    );

    let folder = tempfile::tempdir().unwrap();
    let bot = Server::bot(folder.path(), "greedy");
    for number in 0..200 {
        let (status, text) = bot.post(
            "/turn",
            &[],
            &format!("{{\"{}{number}\":1,", "k".repeat(2_000)),
        );
        assert!(status == 400 && text.len() < 300, "{text}");
    }
    let twice = format!("{{\"{0}\":1,\"{0}\":2}}", "k".repeat(100_000));
    assert!(bot.post("/turn", &[], &twice).1.len() < 300);
    bot.waits_for("20 such messages");
    assert!(bot.said().lines().count() < 30, "{}", bot.said());
}

#[test]
fn heads_that_contradict_themselves_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    let arena = Server::arena(folder.path(), "--protocol callback --secret-file secret");
    let bot = Server::bot(folder.path(), "greedy --host behind.example");
    let status = |program: &Server, head: &str| {
        let mut stream = TcpStream::connect(&program.address).unwrap();
        answer(&mut stream, &format!("{head}\r\nConnection: close\r\n\r\n"))
    };
    let home = "GET / HTTP/1.1\r\nHost: localhost";
    for program in [&arena, &bot] {
        let fine = status(program, home);
        assert!(["200", "404"].contains(&fine.as_str()), "{fine}");
        for more in [
            "Host: localhost",
            "Host: rebound.example",
            "Origin: http://localhost\r\nOrigin: http://elsewhere.example",
            "Authorization: Bearer a\r\nAuthorization: Bearer correct-horse",
            "Content-Type: text/plain\r\nContent-Type: application/json",
        ] {
            assert_eq!(
                status(program, &format!("{home}\r\n{more}")),
                "400",
                "{more}"
            );
        }
        assert_eq!(
            status(
                program,
                "GET http://rebound.example/ HTTP/1.1\r\nHost: localhost"
            ),
            "400"
        );
        assert_eq!(
            status(program, "GET / HTTP/1.1\r\nHost: rebound.example"),
            "403"
        );
    }
    for (host, wanted) in [
        ("localhost", 200),
        ("127.0.0.1:4444", 200),
        ("behind.example", 200),
        ("x.example", 403),
    ] {
        assert_eq!(bot.as_host(host, "/status"), wanted, "{host}");
    }
}

#[test]
fn names_that_look_like_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol hacker-risk --bot name=House,bot=odds",
    );
    let ann = modest_bot();
    let other = modest_bot();
    let join = |name: &str, url: &str| {
        arena.post(
            "/join",
            &[],
            &json!({ "name": name, "url": url }).to_string(),
        )
    };
    assert_eq!(join("ann", &ann).0, 200);
    for (name, status, reason, by) in [
        ("none", 400, "arena::name", "`none`"),
        ("ANN", 409, "arena::name-taken", "ann"),
        ("an n", 409, "arena::name-taken", "ann"),
        ("ann", 409, "arena::name-taken", "ann"),
        ("house", 409, "arena::name-taken", "House"),
    ] {
        let (found, said) = join(name, &other);
        assert_eq!(
            (found, code(&said).as_str()),
            (status, reason),
            "{name}: {said}"
        );
        assert!(said.contains(name) && said.contains(by), "{name}: {said}");
    }
}
