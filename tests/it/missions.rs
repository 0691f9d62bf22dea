//! The ruleset `missions`: what wins, what the mission of a dead target becomes, and that missions
//! are secret.

use risk_engine::Territory;

use crate::support::{run_in, words};

/// Returns a position before the last phase of red's turn, with these numbers of territories.
fn position(red: usize, blue: usize, armies: usize, task: &str, blue_is: &str) -> String {
    let board = crate::support::board("hacker-risk");
    let land = |from: usize, count: usize, armies: usize| {
        let ids = (from..from + count).map(|at| board.info(Territory::from_index(at)).id.clone());
        let each = ids.map(|id| format!("{id}: {armies}"));
        each.collect::<Vec<_>>().join(", ")
    };
    let green = 42 - red - blue;
    format!(
        "position: 1\nruleset: missions\nmap: hacker-risk\nturn_of: red\nround: 2\nphases: fortify\nplayers:\n  - name: red\n    \
         land: {{ {} }}\n    piles: {{ task: [{task}] }}\n  - name: blue\n    land: {{ {} }}\n{blue_is}  \
         - name: green\n    land: {{ {} }}\n    piles: {{ task: [destroy-player-3] }}\n",
        land(0, red, armies),
        land(red, blue, 1),
        land(red + blue, green, 1)
    )
}

const OUT: &str = "    status: eliminated\nout: [{ player: blue, round: 1 }]\n";

#[test]
fn each_mission_wins_as_soon_as_it_is_accomplished() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (red, blue, armies, task, out, won) in [
        (24, 9, 2, "hold-24-territories", false, true),
        (23, 9, 2, "hold-24-territories", false, false),
        (18, 9, 2, "hold-18-with-two-armies", false, true),
        (18, 9, 1, "hold-18-with-two-armies", false, false),
        // A mission against oneself, or a player destroyed by another, becomes 24 territories.
        (24, 9, 2, "destroy-player-1", false, true),
        (23, 9, 2, "destroy-player-1", false, false),
        (24, 9, 2, "destroy-player-2", false, false),
        (24, 0, 2, "destroy-player-2", true, true),
        (23, 0, 2, "destroy-player-2", true, false),
    ] {
        let text = position(red, blue, armies, task, "");
        let text = if out {
            let (head, tail) = OUT.split_once("out:").unwrap();
            let text = text.replace("  - name: green", &format!("{head}  - name: green"));
            format!("{text}out:{tail}")
        } else {
            text
        };
        check(folder, &text, armies, won);
        // By default, land wins only after the first round.
        let first = text.replace("round: 2", "round: 1");
        check(folder, &first, armies, false);
        let first = first.replace("map:", "options: { first_round: 1 }\nmap:");
        check(folder, &first, armies, won);
    }
}

/// Ends red's turn, and checks whether the mission is accomplished.
fn check(folder: &std::path::Path, position: &str, armies: usize, won: bool) {
    std::fs::write(folder.join("p.yaml"), position).unwrap();
    let winners = if won { "red" } else { "" };
    // A player with nothing to move is not asked.
    let say = if armies > 1 { "done" } else { "" };
    let tests = format!(
        "tests:\n  - name: it\n    from: p.yaml\n    say: [{say}]\n    winners: [{winners}]\n"
    );
    std::fs::write(folder.join("t.yaml"), tests).unwrap();
    let ran = run_in(folder, &words("ruleset test t.yaml"));
    assert_eq!(ran.code, 0, "{position}{}{}", ran.out, ran.err);
}
