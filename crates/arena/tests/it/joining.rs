//! Registrations that an arena accepts or refuses, and its replies.

use std::io::Write;
use std::time::Duration;

use risk_testing::web::{code, reserved, server};
use serde_json::{Value, json};

use crate::matches::modest_bot;
use crate::server::Server;

/// The fault of a registration, its body, the code of the refusal, and a word in its text. Words in
/// capitals stand for addresses of bots.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    ("nothing", "", "request::body", "`name`"),
    ("not JSON", "name: ann", "request::body", "JSON"),
    ("a list", "[]", "request::body", "JSON"),
    ("no name", r#"{"url":"GOOD"}"#, "request::body", "`name`"),
    ("no address", r#"{"name":"ann"}"#, "request::body", "`url`"),
    (
        "a name that is no text",
        r#"{"name":7,"url":"GOOD"}"#,
        "request::body",
        "`name`",
    ),
    (
        "an empty name",
        r#"{"name":"","url":"GOOD"}"#,
        "arena::name",
        "",
    ),
    (
        "a long name",
        r#"{"name":"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn","url":"GOOD"}"#,
        "arena::name",
        "30",
    ),
    (
        "a name in two lines",
        r#"{"name":"ann\nbob","url":"GOOD"}"#,
        "arena::name",
        "",
    ),
    (
        "a name that steers the terminal",
        r#"{"name":"\u001b[31mred","url":"GOOD"}"#,
        "arena::name",
        "",
    ),
    (
        "a name that turns around",
        r#"{"name":"a\u202eb","url":"GOOD"}"#,
        "arena::name",
        "",
    ),
    (
        "blanks around a name",
        r#"{"name":" ann","url":"GOOD"}"#,
        "arena::name",
        "",
    ),
    (
        "an unknown key",
        r#"{"name":"ann","url":"GOOD","colour":"red"}"#,
        "request::body",
        "`colour`",
    ),
    (
        "an unknown encoding",
        r#"{"name":"ann","url":"GOOD","encoding":"xml"}"#,
        "request::body",
        "`encoding`",
    ),
    (
        "https",
        r#"{"name":"ann","url":"https://127.0.0.1:1"}"#,
        "arena::address",
        "",
    ),
    (
        "a file",
        r#"{"name":"ann","url":"file:///etc/passwd"}"#,
        "arena::address",
        "",
    ),
    (
        "no host",
        r#"{"name":"ann","url":"http://:80"}"#,
        "arena::address",
        "",
    ),
    (
        "a user",
        r#"{"name":"ann","url":"http://u@127.0.0.1:1"}"#,
        "arena::address",
        "",
    ),
    (
        "a query",
        r#"{"name":"ann","url":"http://127.0.0.1:1/?a=b"}"#,
        "arena::address",
        "",
    ),
    (
        "a long address",
        r#"{"name":"ann","url":"http://127.0.0.1/LONG"}"#,
        "arena::address",
        "",
    ),
    (
        "another host",
        r#"{"name":"ann","url":"http://192.0.2.7:80"}"#,
        "arena::unreachable",
        "--allow-callback",
    ),
    (
        "a neighbour",
        r#"{"name":"ann","url":"http://10.2.0.1:80"}"#,
        "arena::unreachable",
        "--allow-callback",
    ),
    (
        "no address at all",
        r#"{"name":"ann","url":"http://0.0.0.0:80"}"#,
        "arena::unreachable",
        "--allow-callback",
    ),
    (
        "another host in new clothes",
        r#"{"name":"ann","url":"http://[::ffff:192.0.2.7]:80"}"#,
        "arena::unreachable",
        "--allow-callback",
    ),
    (
        "another host as a number",
        r#"{"name":"ann","url":"http://3221225991:80"}"#,
        "arena::unreachable",
        "--allow-callback",
    ),
    (
        "the data of the cloud",
        r#"{"name":"ann","url":"http://169.254.169.254/latest"}"#,
        "arena::unreachable",
        "--allow-callback",
    ),
    (
        "nobody",
        r#"{"name":"ann","url":"GONE"}"#,
        "arena::unreachable",
        "GONE",
    ),
    (
        "a sick bot",
        r#"{"name":"ann","url":"SICK"}"#,
        "arena::unreachable",
        "/status",
    ),
    (
        "a bot that sends away",
        r#"{"name":"ann","url":"AWAY"}"#,
        "arena::unreachable",
        "/status",
    ),
    (
        "a slow bot",
        r#"{"name":"ann","url":"SLOW"}"#,
        "arena::unreachable",
        "SLOW",
    ),
];

#[test]
fn registrations_are_refused_with_codes() {
    let folder = tempfile::tempdir().unwrap();
    let (_nobody, gone) = reserved();
    let sick = server(|_, stream| {
        drop(write!(
            stream,
            "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"
        ))
    });
    let away = server(|_, stream| {
        drop(write!(
            stream,
            "HTTP/1.1 302 There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        ));
    });
    let slow = server(|_, _| std::thread::sleep(Duration::from_secs(7)));
    let good = modest_bot();
    let arena = Server::arena(
        folder.path(),
        "--protocol hacker-risk --allow-callback 10.1.0.0/16",
    );
    let addresses = [
        ("GOOD", good),
        ("GONE", format!("http://{gone}")),
        ("SICK", sick),
        ("AWAY", away),
        ("SLOW", slow),
        ("LONG", "x".repeat(600)),
    ];
    let with_addresses = |text: &str| {
        let addresses = addresses.iter();
        addresses.fold(text.to_owned(), |text, (word, url)| text.replace(word, url))
    };
    for (what, body, wanted, word) in REFUSED {
        let (status, said) = arena.post("/join", &[], &with_addresses(body));
        assert_eq!(
            (status, code(&said).as_str()),
            (400, *wanted),
            "{what}: {said}"
        );
        assert!(said.contains(&with_addresses(word)), "{what}: {said}");
    }
    let (status, _) = arena.post(
        "/join",
        &[("Content-Type", "application/x-www-form-urlencoded")],
        "name=a&name=b",
    );
    assert_eq!(status, 400);
    let overview: Value = serde_json::from_str(&arena.get("/matches").1).unwrap();
    assert_eq!(
        overview["open"]["joined"],
        json!([]),
        "none of them sits at the table"
    );
}
