//! Registrations that an arena accepts or refuses, and its replies.

use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};

use super::modest_bot;
use crate::programs::Program;
use crate::support::words;
use crate::web::{reserved, server};

/// The fault of a registration, and its body; words in capitals stand for addresses of bots.
const REFUSED: &[(&str, &str)] = &[
    ("nothing", ""),
    ("not JSON", "name: ann"),
    ("a list", "[]"),
    ("no name", r#"{"url":"GOOD"}"#),
    ("no address", r#"{"name":"ann"}"#),
    ("a name that is no text", r#"{"name":7,"url":"GOOD"}"#),
    ("an empty name", r#"{"name":"","url":"GOOD"}"#),
    (
        "a long name",
        r#"{"name":"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn","url":"GOOD"}"#,
    ),
    ("a name in two lines", r#"{"name":"ann\nbob","url":"GOOD"}"#),
    (
        "a name that steers the terminal",
        r#"{"name":"\u001b[31mred","url":"GOOD"}"#,
    ),
    (
        "a name that turns around",
        r#"{"name":"a\u202eb","url":"GOOD"}"#,
    ),
    ("blanks around a name", r#"{"name":" ann","url":"GOOD"}"#),
    (
        "an unknown key",
        r#"{"name":"ann","url":"GOOD","colour":"red"}"#,
    ),
    (
        "an unknown encoding",
        r#"{"name":"ann","url":"GOOD","encoding":"xml"}"#,
    ),
    ("https", r#"{"name":"ann","url":"https://127.0.0.1:1"}"#),
    ("a file", r#"{"name":"ann","url":"file:///etc/passwd"}"#),
    ("no host", r#"{"name":"ann","url":"http://:80"}"#),
    ("a user", r#"{"name":"ann","url":"http://u@127.0.0.1:1"}"#),
    (
        "a query",
        r#"{"name":"ann","url":"http://127.0.0.1:1/?a=b"}"#,
    ),
    (
        "a long address",
        r#"{"name":"ann","url":"http://127.0.0.1/LONG"}"#,
    ),
    (
        "another host",
        r#"{"name":"ann","url":"http://192.0.2.7:80"}"#,
    ),
    (
        "a neighbour",
        r#"{"name":"ann","url":"http://10.2.0.1:80"}"#,
    ),
    (
        "no address at all",
        r#"{"name":"ann","url":"http://0.0.0.0:80"}"#,
    ),
    (
        "another host in new clothes",
        r#"{"name":"ann","url":"http://[::ffff:192.0.2.7]:80"}"#,
    ),
    (
        "another host as a number",
        r#"{"name":"ann","url":"http://3221225991:80"}"#,
    ),
    (
        "the data of the cloud",
        r#"{"name":"ann","url":"http://169.254.169.254/latest"}"#,
    ),
    ("nobody", r#"{"name":"ann","url":"GONE"}"#),
    ("a sick bot", r#"{"name":"ann","url":"SICK"}"#),
    ("a bot that sends away", r#"{"name":"ann","url":"AWAY"}"#),
    ("a slow bot", r#"{"name":"ann","url":"SLOW"}"#),
];

#[test]
fn who_can_not_join_is_told_why() {
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
    let arena = Program::arena(
        folder.path(),
        "--protocol hacker-risk --allow-callback 10.1.0.0/16",
    );
    let mut text = String::new();
    let addresses = [
        ("GOOD", good),
        ("GONE", format!("http://{gone}")),
        ("SICK", sick),
        ("AWAY", away),
        ("SLOW", slow),
        ("LONG", "x".repeat(600)),
    ];
    for (what, body) in REFUSED {
        let body = addresses
            .iter()
            .fold((*body).to_owned(), |body, (word, url)| {
                body.replace(word, url)
            });
        let (status, said) = arena.post("/join", &[], &body);
        assert_eq!(status, 400, "{what}: {said}");
        let said = addresses[1..5].iter().fold(said, |said, (_, url)| {
            said.replace(url.rsplit(':').next().unwrap(), "PORT")
        });
        text.push_str(&format!("{what}: {said}\n"));
    }
    insta::assert_snapshot!(text);
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

/// Effects of `--listen`, `--allow-callback` and the secret in the environment.
#[test]
fn an_open_arena_warns_and_keeps_to_its_networks() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |secret: &str, line: &str| {
        std::process::Command::new(assert_cmd::cargo::cargo_bin!("risk-cli"))
            .args(words(line))
            .env("RISK_CLI_SECRET", secret)
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    for secret in ["", " \t "] {
        let ran = serve(secret, "serve --protocol callback --port 0");
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(
            ran.status.code() == Some(2)
                && told.contains("RISK_CLI_SECRET: a secret has 8 to 1000 characters"),
            "{told}"
        );
    }
    // The secret in the environment is accepted: the error is about the players.
    let ran = serve(
        "correct-horse",
        "serve --protocol callback --port 0 --players 1",
    );
    assert!(String::from_utf8_lossy(&ran.stderr).contains("is for 2 to 32 players"));
    let open = Program::arena(
        folder.path(),
        "--protocol hacker-risk --listen 0.0.0.0 --players 3 --bot odds --bot random",
    );
    // The warning comes on another pipe than the address, so it may be read later.
    open.waits_for("warning: anyone who reaches 0.0.0.0:");
    open.waits_for("can join");
    let (status, text) = open.post("/start", &[], "");
    assert!(
        status == 403 && text.contains("no secret that could start it"),
        "{status} {text}"
    );
    // Bots of the document's dialect are not probed, so nothing has to listen at these addresses.
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    let line = "--protocol callback --secret-file secret --players 3 --allow-callback 192.0.2.0/28 --allow-callback 198.51.100.9";
    let arena = Program::arena(folder.path(), line);
    for (name, host, wanted) in [
        ("a", "192.0.2.7", 200),
        ("b", "192.0.2.16", 400),
        ("c", "[::ffff:192.0.2.8]:80", 200),
        ("d", "198.51.100.8", 400),
        ("e", "198.51.100.9:5000/bot", 200),
        ("f", "localhost", 400),
    ] {
        let (status, text) = arena.post(
            "/join",
            &[],
            &json!({ "name": name, "callback": format!("http://{host}") }).to_string(),
        );
        assert_eq!(status, wanted, "{host}: {text}");
        assert_eq!(
            text.contains("the table is full"),
            name == "f",
            "{host}: {text}"
        );
    }
}
