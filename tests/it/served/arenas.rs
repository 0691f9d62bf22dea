//! Served bots that register at arenas, and their seats there.

use crate::programs::Program;
use crate::support::{run, run_in, words};

/// A bot that registers itself plays; a rejected one reports why and ends.
#[test]
fn served_bots_join_arenas() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Program::arena(
        folder.path(),
        "--protocol hacker-risk --players 3 --bot random -o max_turns=20",
    );
    let _bots = ["ann", "bob"].map(|name| {
        Program::bot(
            folder.path(),
            &format!("greedy --name {name} --join http://{}", arena.address),
        )
    });
    arena.waits_for("match 1: ");
    assert!(arena.said().contains("ann joins match 1"));
    for (line, code, word) in [
        (
            &*format!("--join http://{} --name {}", arena.address, "n".repeat(31)),
            "bot::name",
            "30",
        ),
        ("--join http://127.0.0.1:1", "bot::join", ""),
        ("--join 127.0.0.1:1", "bot::address", "`127.0.0.1:1`"),
        (
            "--join http://127.0.0.1:1 --listen 0.0.0.0",
            "bot::address",
            "--address",
        ),
    ] {
        let ran = run_in(
            folder.path(),
            &words(&format!("bot serve greedy --port 0 {line}")),
        );
        ran.refuses(2, code);
        assert!(ran.err.contains(word), "{line}: {}", ran.err);
    }
}

#[test]
fn strikes_have_a_limit() {
    let ran = run(&words("serve --protocol hacker-risk --strikes 1001"));
    assert!(
        ran.code == 2 && ran.err.contains("--strikes") && ran.err.contains("1001"),
        "{}",
        ran.err
    );
}
