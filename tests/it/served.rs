//! `bot serve`: bots as servers, asked by a test client and by our own arena.

use crate::support::{run_in, words};

mod arenas;

#[test]
fn what_can_not_be_served_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("bad.rhai"),
        "fn answer(view, ask) { ask.randm() }",
    )
    .unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for (line, code, word) in [
        ("nobody --port 0", "load::unknown", "`nobody`"),
        ("./bad.rhai --port 0", "script::unknown-function", "`randm`"),
        (
            "greedy --port 0 --ruleset warzone",
            "serve::protocol",
            "warzone",
        ),
        (
            "http://127.0.0.1:1 --port 0",
            "bot::serve",
            "http://127.0.0.1:1",
        ),
        (
            &*format!("greedy --port {port}"),
            "serve::listen",
            "127.0.0.1",
        ),
    ] {
        let ran = run_in(folder.path(), &words(&format!("bot serve {line}")));
        ran.refuses(2, code);
        assert!(ran.err.contains(word), "{line}: {}", ran.err);
    }
}
