//! Registrations that an arena accepts or refuses, and its replies.

use risk_testing::web::code;
use serde_json::json;

use crate::programs::Program;
use crate::support::words;

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
        assert_eq!(ran.status.code(), Some(2), "{told}");
        assert!(
            told.starts_with("serve::secret\n") && told.contains("RISK_CLI_SECRET"),
            "{told}"
        );
    }
    // The secret in the environment is accepted: the error is about the players.
    let ran = serve(
        "correct-horse",
        "serve --protocol callback --port 0 --players 1",
    );
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(told.starts_with("serve::players\n"), "{told}");
    let open = Program::arena(
        folder.path(),
        "--protocol hacker-risk --listen 0.0.0.0 --players 3 --bot odds --bot random",
    );
    // The warning comes on another pipe than the address, so it may be read later.
    open.waits_for("warning: ");
    let (status, text) = open.post("/start", &[], "");
    assert_eq!(
        (status, code(&text).as_str()),
        (403, "arena::no-secret"),
        "{text}"
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
        // The table is full when the last one comes; the other two are outside the networks.
        let outside = text.contains("--allow-callback");
        assert_eq!(outside, ["b", "d"].contains(&name), "{host}: {text}");
    }
}
