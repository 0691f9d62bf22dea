//! Limits on the size, pace and origin of requests.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::server::Server;

#[test]
fn requests_that_do_harm_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(folder.path(), "--protocol hacker-risk --rate 5");
    assert_eq!(arena.post("/join", &[], &"x".repeat(2 << 20)).0, 413);
    assert_eq!(
        arena
            .post("/join", &[("Origin", "http://elsewhere.example")], "{}")
            .0,
        403
    );
    assert_eq!(
        arena
            .post(
                "/join",
                &[("Origin", &format!("http://{}", arena.address))],
                "{}"
            )
            .0,
        400
    );
    assert_eq!(arena.post("/join", &[("Origin", "null")], "{}").0, 403);
    let raw = |bytes: &[u8]| {
        let mut stream = TcpStream::connect(&arena.address).unwrap();
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(bytes);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        String::from_utf8_lossy(&text)
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(
        raw(b"GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n"),
        "HTTP/1.1 403 Forbidden"
    );
    assert_eq!(
        raw(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"),
        "HTTP/1.1 403 Forbidden"
    );
    let behind = Server::arena(folder.path(), "--protocol hacker-risk --host risk.example");
    for (host, wanted) in [
        ("risk.example", 200),
        ("RISK.example:443", 200),
        ("[::1]:80", 200),
        ("localhost", 200),
        ("x.risk.example", 403),
    ] {
        assert_eq!(behind.as_host(host, "/"), wanted, "{host}");
    }
    let long = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n",
        "x".repeat(40_000)
    );
    assert!(
        raw(long.as_bytes()).contains("431"),
        "a head that is too long"
    );
    let many = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
        "X: y\r\n".repeat(200)
    );
    assert!(raw(many.as_bytes()).contains("431"), "too many fields");
    assert!(raw(b"nonsense\r\n\r\n").contains("400"));
    let (_, head) = arena.get_head("/");
    for wanted in ["default-src 'none'", "nosniff", "same-origin"] {
        assert!(head.contains(wanted), "{wanted}\n{head}");
    }
    assert_eq!(arena.get("/match/7").0, 404);
    assert_eq!(arena.get("/match/-1").0, 400);
    assert_eq!(arena.get("/elsewhere").0, 404);
    // At most 5 requests a second: on any machine that is faster, some are too many.
    assert!((0..10_000).any(|_| arena.get("/matches").0 == 429));
}

/// Slow clients are dropped after ten seconds: before the head, within it, and within the body.
#[test]
fn requests_that_never_end_are_ended() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(folder.path(), "--protocol hacker-risk");
    let begun = [
        "",
        "POST /join HTTP/1.1\r\nHost: local",
        "POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"name\"",
    ];
    let began = Instant::now();
    let streams = begun.map(|text| {
        let mut stream = TcpStream::connect(&arena.address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(40)))
            .unwrap();
        stream
    });
    for (text, mut stream) in begun.iter().zip(streams) {
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .unwrap_or_else(|error| panic!("{text:?} is still waited for: {error}"));
        assert!(
            answer.is_empty() || answer.contains("408"),
            "{text:?}: {answer}"
        );
    }
    assert!(
        began.elapsed() > Duration::from_secs(5),
        "there is time for what is honestly slow"
    );
    // The number of connections from one address is limited.
    let idle: Vec<TcpStream> = (0..300)
        .map(|_| TcpStream::connect(&arena.address).unwrap())
        .collect();
    let closed = idle.iter().filter(|stream| {
        stream
            .set_read_timeout(Some(Duration::from_millis(300)))
            .unwrap();
        matches!((&mut &**stream).read(&mut [0]), Ok(0))
    });
    assert_eq!(closed.take(44).count(), 44);
    drop(idle);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(arena.get("/").0, 200);
}
