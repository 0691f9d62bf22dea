//! `balance`: even and uneven seats.

use crate::support::{run, words};

#[test]
fn the_first_player_of_a_duel_has_an_advantage() {
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
    let mixed = run(&words(&format!(
        "{game} -b random -b outnumber -g 200 --tolerance 0.49 --alpha 0.0001"
    )));
    assert_ne!(mixed.code, 2, "{}", mixed.err);
    assert!(mixed.out.contains("in 200 games"), "{}", mixed.out);
}

#[test]
fn games_without_winners_give_no_verdict() {
    let ran = run(&words("balance -r hasbro -m duel -g 40 -s 1 -b faulty"));
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.out.contains("40 games, 40 "), "{}", ran.out);
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
fn invalid_tests_are_refused() {
    for (line, code, quoted) in [
        ("--sweep max_turns", "balance::sweep", "`max_turns`"),
        (
            "--sweep max_turns=10,20 -o max_turns=30",
            "balance::sweep-twice",
            "`max_turns`",
        ),
        ("--sweep map=duel -m duel", "balance::sweep-twice", "`map`"),
        ("--alpha 0.7", "balance::level", "--alpha"),
        ("--tolerance 0", "balance::level", "--tolerance"),
        ("-p 9", "balance::players", "9"),
        ("-p 3 -b random -b greedy", "balance::bots", "3"),
    ] {
        let ran = run(&words(&format!("balance -r codelab {line}")));
        ran.refuses(2, code);
        assert!(ran.err.contains(quoted), "{line}: {}", ran.err);
    }
    let ran = run(&words("balance -r codelab -g 5"));
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("'5' for '--games"), "{}", ran.err);
}

/// The expected slope is recomputed from the cells.
#[test]
fn a_sweep_over_numbers_has_a_slope() {
    let line = "balance -r codelab -m duel -b outnumber -p 2 -g 100 -s 1 --sweep max_turns=20,60,100 --sweep map=duel";
    let ran = run(&words(&line.replace("-m duel", "")));
    assert!(ran.out.contains(" of max_turns: "), "{}", ran.out);
    assert!(!ran.out.contains(" of map: "), "{}", ran.out);
    let json = run(&words(&format!(
        "{} --format json",
        line.replace("-m duel", "")
    )));
    let said: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let mut sums = [0.0; 5];
    for (cell, x) in said["cells"]
        .as_array()
        .unwrap()
        .iter()
        .zip([20.0, 60.0, 100.0])
    {
        let first = &cell["seats"][0];
        let half = first["interval"][1].as_f64().unwrap() - first["interval"][0].as_f64().unwrap();
        let w = 1.0 / (half * half);
        let y = first["share"].as_f64().unwrap() - 0.5;
        for (sum, more) in sums.iter_mut().zip([w, w * x, w * y, w * x * x, w * x * y]) {
            *sum += more;
        }
    }
    let [w, x, y, xx, xy] = sums;
    let slope = (xy - x * y / w) / (xx - x * x / w);
    let shown = said["advantage"]["max_turns"]["slope"].as_f64().unwrap();
    assert!((shown - slope).abs() < 1e-7, "{shown} and {slope}");
    assert!(said["advantage"]["map"].is_null());
}
