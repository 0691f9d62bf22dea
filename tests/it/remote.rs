//! Bots over HTTP: real requests over loopback, to servers that answer well and badly.

use std::io::Write;

use risk_testing::web::{reply, reserved, server};

use crate::support::{run, words};

mod documentation;

/// Errors before the game: bots that are missing, not ready, unable to play the ruleset, or badly
/// specified.
#[test]
fn bots_that_are_not_there_are_told_of() {
    let (_nobody, gone) = reserved();
    let unready = server(|_, stream| {
        let _ = write!(stream, "HTTP/1.1 503 Wait\r\nContent-Length: 0\r\n\r\n");
    });
    let ready = server(|_, stream| reply(stream, "ok"));
    for (bot, ruleset, code, part) in [
        (
            format!("http://{gone}"),
            "hasbro",
            UNREACHABLE,
            &*gone.to_string(),
        ),
        (unready, "hasbro", UNREACHABLE, "503"),
        (ready.clone(), "warzone", "bot::protocol", "`claim`"),
        (format!("{ready},encoding=xml"), "hasbro", SPEC, "`xml`"),
        (format!("{ready},timeout=0"), "hasbro", SPEC, "`0`"),
        (format!("{ready},colour=red"), "hasbro", SPEC, "`colour`"),
        ("https://127.0.0.1:1".to_owned(), "hasbro", SPEC, "cmd:"),
        ("http://".to_owned(), "hasbro", SPEC, "`http://`"),
        (
            "http://user@host/?x".to_owned(),
            "hasbro",
            SPEC,
            "`http://user@host/?x`",
        ),
        (
            "bot=greedy,timeout=3".to_owned(),
            "hasbro",
            SPEC,
            "`timeout`",
        ),
    ] {
        let ran = run(&[
            "play",
            "--quiet",
            "--ruleset",
            ruleset,
            "--bot",
            &bot,
            "--bot",
            "random",
            "--bot",
            "random",
        ]);
        ran.refuses(2, code);
        let message = words(&ran.err).join(" ").replace(" │", "");
        assert!(message.contains(part), "{bot}: {message}");
    }
    let line = format!("play --games 2 -j 2 --bot {ready} --bot random --bot random");
    run(&words(&line)).refuses(2, "cli::jobs");
}

const SPEC: &str = "bot::spec";

const UNREACHABLE: &str = "bot::unreachable";
