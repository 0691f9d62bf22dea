//! Served bots at arenas, and their seats there.

use risk_testing::web::{modest, reply, server};
use serde_json::json;

use crate::server::Server;

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
            Server::arena(
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
fn seated(arena: &Server, line: &str, number: u32) -> String {
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
    let arena = Server::arena(folder.path(), line);
    let bot = Server::bot(folder.path(), "greedy");
    let join = json!({ "name": "ann", "url": format!("http://{}", bot.address) });
    assert_eq!(arena.post("/join", &[], &join.to_string()).0, 200);
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
}
