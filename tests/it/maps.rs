//! Shipped maps against the facts, and the order of a map file in the board.

use risk_kernel::board::Datum;

use crate::support::board;

/// Continent, bonus, territories.
const CONTINENTS: [(&str, i32, usize); 6] = [
    ("north-america", 5, 9),
    ("south-america", 2, 4),
    ("europe", 5, 7),
    ("africa", 3, 6),
    ("asia", 7, 12),
    ("australia", 2, 4),
];

#[test]
fn names_of_a_letter_are_shown_on_the_terminal() {
    let folder = crate::support::tiny();
    let ran = crate::support::run_in(folder.path(), &["map", "show", "./tiny.yaml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for name in ["a", "b", "c", "d", "e", "f"] {
        assert!(ran.out.contains(&format!("●{name}")), "{name}: {}", ran.out);
    }
}

/// `map show --format json` writes the old arena's board_graph.json.
#[test]
fn a_board_is_shown_as_the_old_arena_wrote_it() {
    let ran = crate::support::run(&["map", "show", "hacker-risk", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let graph: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let alaska =
        r#"{"card":"cannon","border countries":["kamchatka","northwest territory","alberta"]}"#;
    assert_eq!(
        graph["north america"]["countries"]["alaska"].to_string(),
        alaska
    );
    let board = board("hacker-risk");
    let mut countries = 0;
    let mut borders = 0;
    for (id, bonus, size) in CONTINENTS {
        let continent = graph[id.replace('-', " ")].as_object().unwrap();
        assert_eq!(continent.keys().collect::<Vec<_>>(), ["bonus", "countries"]);
        assert_eq!(continent["bonus"], bonus);
        assert_eq!(continent["countries"].as_object().unwrap().len(), size);
        for (name, country) in continent["countries"].as_object().unwrap() {
            countries += 1;
            let at = board.find(&name.replace(' ', "-")).unwrap();
            let near = country["border countries"].as_array().unwrap();
            let named = near.iter().map(|name| {
                board
                    .find(&name.as_str().unwrap().replace(' ', "-"))
                    .unwrap()
            });
            assert_eq!(named.collect::<Vec<_>>(), board.neighbours(at), "{name}");
            assert_eq!(
                Datum::Text(country["card"].as_str().unwrap().to_owned()),
                board.info(at).data["card"]
            );
            borders += near.len();
        }
    }
    assert_eq!(
        (graph.as_object().unwrap().len(), countries, borders),
        (6, 42, 164)
    );
    // Without continents all countries are under the map's name; missing data is left out.
    let ran = crate::support::run(&["map", "show", "grid:2x1", "--format", "json"]);
    let graph: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let expected = r#"{"grid:2x1":{"bonus":0,"countries":{"r0c0":{"border countries":["r0c1"]},"r0c1":{"border countries":["r0c0"]}}}}"#;
    assert_eq!(graph.to_string(), expected);
}
