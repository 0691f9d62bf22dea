//! `balance`: seats that are even, and seats that are not.

use crate::support::{run, words};

#[test]
fn who_begins_a_duel_has_an_advantage() {
    let line = "balance -r codelab -m duel -p 2 -b outnumber -g 400 -s 1 --format json";
    let ran = run(&words(line));
    assert_eq!(ran.code, 1, "{}", ran.err);
    let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let cell = &said["cells"][0];
    assert_eq!(cell["verdict"], "unfair");
    assert!(
        cell["seats"][0]["interval"][0].as_f64().unwrap() > 0.5,
        "{cell}"
    );
    assert!(cell["p_value"].as_f64().unwrap() < 0.01, "{cell}");
    let threads = run(&words(&format!("{line} -j 3")));
    assert_eq!(threads.out, ran.out);
}

#[test]
fn verdicts_have_exit_codes() {
    let game = "balance -r codelab -m grid:3x3 -o max_turns=40 -s 1 -p 2";
    let fair = run(&words(&format!(
        "{game} -b random -g 400 --tolerance 0.4 --alpha 0.0001"
    )));
    assert_eq!(fair.code, 0, "{}", fair.out);
    assert!(fair.out.contains("  fair in 400 games"), "{}", fair.out);
    let unknown = run(&words(&format!(
        "{game} -b random -g 40 --alpha 0.0001 --tolerance 0.001"
    )));
    assert_eq!(unknown.code, 4, "{}", unknown.out);
    assert!(unknown.out.contains("can't tell"), "{}", unknown.out);
    let mixed = run(&words(&format!(
        "{game} -b random -b outnumber -g 200 --tolerance 0.49 --alpha 0.0001"
    )));
    assert_ne!(mixed.code, 2, "{}", mixed.err);
    assert!(mixed.out.contains("in 200 games"), "{}", mixed.out);
}

#[test]
fn games_without_winners_say_nothing_and_are_told() {
    let ran = run(&words("balance -r hasbro -m duel -g 40 -s 1 -b faulty"));
    assert_eq!(ran.code, 4, "{}", ran.err);
    let said = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("can't tell from 40 games, 40 of them without a winner"),
        "{said}"
    );
}

#[test]
fn a_sweep_plays_every_combination() {
    let line = "balance -r codelab -b random -p 2 -g 60 -s 1 --sweep map=grid:3x3,grid:2x4 --sweep max_turns=20,30 --format json";
    let ran = run(&words(line));
    let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let cells = said["cells"].as_array().unwrap();
    let labels: Vec<String> = cells
        .iter()
        .map(|cell| cell["options"].to_string())
        .collect();
    assert_eq!(
        labels,
        [
            "{\"map\":\"grid:3x3\",\"max_turns\":\"20\"}",
            "{\"map\":\"grid:3x3\",\"max_turns\":\"30\"}",
            "{\"map\":\"grid:2x4\",\"max_turns\":\"20\"}",
            "{\"map\":\"grid:2x4\",\"max_turns\":\"30\"}",
        ]
    );
    let alone =
        "balance -r codelab -b random -p 2 -g 60 -s 1 -m grid:2x4 -o max_turns=20 --format json";
    let alone: serde_json::Value = serde_json::from_str(&run(&words(alone)).out).unwrap();
    assert_eq!(alone["cells"][0]["seats"], cells[2]["seats"]);
}

#[test]
fn questions_that_are_none_are_refused() {
    for (line, told) in [
        ("--sweep max_turns", "sweeps nothing"),
        (
            "--sweep max_turns=10,20 -o max_turns=30",
            "is given and swept",
        ),
        ("--sweep map=duel -m duel", "is given and swept"),
        ("--alpha 0.7", "alpha is between 0 and 0.5"),
        ("--tolerance 0", "the tolerance between 0 and 1"),
        ("-p 9", "codelab is for 2 to 6 players here"),
        ("-p 3 -b random -b greedy", "these are 3, with 2 bots"),
        ("-g 5", "20.."),
    ] {
        let ran = run(&words(&format!("balance -r codelab {line}")));
        assert_eq!(ran.code, 2, "{line}: {}", ran.out);
        assert!(ran.err.contains(told), "{line}: {}", ran.err);
    }
}
