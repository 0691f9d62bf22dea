//! Served bots that register at arenas, and their seats there.

use serde_json::json;

use crate::programs::Program;
use crate::support::{run_in, words};
use crate::web::{modest, reply, server};

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

/// The arena of Hacker Risk draws who begins, from the seed and for each match; the other one seats
/// bots in the order of joining.
#[test]
fn seats_are_drawn_for_each_match() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    for (line, drawn) in [
        ("--protocol hacker-risk -o max_turns=1", true),
        ("--protocol hacker-risk -o max_turns=1 --seats fixed", false),
        (
            "--protocol callback --secret-file secret -o armies=1 --timeout 1",
            false,
        ),
    ] {
        let arena = || {
            Program::arena(
                folder.path(),
                &format!("{line} --players 3 --bot random --seed 3 --rate 1000"),
            )
        };
        let first = arena();
        let second = arena();
        let orders: Vec<String> = (1..=5).map(|number| seated(&first, line, number)).collect();
        let different: std::collections::BTreeSet<&String> = orders.iter().collect();
        assert_eq!(different.len() > 1, drawn, "{line}: {orders:?}");
        assert!(
            drawn || orders[0] == "ann, bob, random",
            "{line}: {orders:?}"
        );
        assert_eq!(
            seated(&second, line, 1),
            orders[0],
            "{line}: the seed draws the seats"
        );
    }
}

/// Plays a match of two bots, and returns their seats.
fn seated(arena: &Program, line: &str, number: u32) -> String {
    let callback = line.contains("callback");
    for name in ["ann", "bob"] {
        let url = server(|request, stream| {
            let asked = request.path == "/turn";
            reply(
                stream,
                &if asked {
                    modest(&request.state()).to_string()
                } else {
                    String::new()
                },
            );
        });
        let key = if callback { "callback" } else { "url" };
        let (status, text) =
            arena.post("/join", &[], &json!({ "name": name, key: url }).to_string());
        assert_eq!(status, 200, "{text}");
    }
    if callback {
        let (status, text) = arena.post(
            "/startgame",
            &[],
            &json!({ "secretCode": "correct-horse" }).to_string(),
        );
        assert_eq!(status, 200, "{text}");
    }
    arena.waits_for(&format!("match {number}: "));
    let said = arena.said();
    let begins = format!("match {number} begins: ");
    said.lines()
        .find_map(|line| line.strip_prefix(&begins))
        .unwrap()
        .to_owned()
}

/// Without a limit on strikes a bot is asked again, up to the limit of faults in a game.
#[test]
fn an_arena_may_ask_again_without_end() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("never.rhai"),
        "fn answer(view, ask) { throw \"no\" }\n",
    )
    .unwrap();
    let line = "--protocol hacker-risk --players 3 --bot ./never.rhai --bot random --seed 3 --seats fixed --strikes 0 --records games";
    let arena = Program::arena(folder.path(), line);
    let _bot = Program::bot(
        folder.path(),
        &format!("greedy --name ann --join http://{}", arena.address),
    );
    arena.waits_for("match 1: ");
    let record = std::fs::read_to_string(folder.path().join("games/match-00001.jsonl")).unwrap();
    assert!(
        record.contains("\"strikes\":{\"limit\":0,")
            && record.contains("\"reason\":\"fault-limit\"")
    );
    assert_eq!(
        record.matches("\"line\":\"fault\"").count() as u64,
        risk_kernel::MOST_FAULTS
    );
    let ran = run_in(
        folder.path(),
        &words("serve --protocol hacker-risk --strikes 1001"),
    );
    assert!(
        ran.code == 2 && ran.err.contains("--strikes") && ran.err.contains("1001"),
        "{}",
        ran.err
    );
}
