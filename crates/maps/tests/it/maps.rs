//! Shipped maps against the facts, and the order of a map file in the board.

use risk_kernel::board::Datum;
use risk_maps::lint::LINTS;
use risk_maps::map::{CheckSettings, check};
use risk_text::diag::TextFile;

use crate::board;

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
fn the_two_worlds_are_the_boards_of_the_documents() {
    for (map, borders, names) in [
        (
            "hacker-risk",
            82,
            [
                "central-africa",
                "eastern-canada",
                "southeast-asia",
                "russia",
            ],
        ),
        ("world", 83, ["congo", "quebec", "siam", "ukraine"]),
    ] {
        let board = board(map);
        assert_eq!(
            (board.len(), board.border_count(), board.continents().len()),
            (42, borders, 6),
            "{map}"
        );
        for (index, (id, bonus, size)) in CONTINENTS.into_iter().enumerate() {
            let continent = &board.continents()[index];
            let members = board.members(risk_kernel::id::Group::from_index(index));
            assert_eq!(
                (continent.id.as_str(), continent.bonus, members.len()),
                (id, bonus, size),
                "{map}"
            );
        }
        for name in names {
            assert!(board.find(name).is_some(), "{map}: {name}");
        }
        for symbol in ["soldier", "horse", "cannon"] {
            let count = board
                .territories()
                .filter(|&at| board.info(at).data["card"] == Datum::Text(symbol.to_owned()))
                .count();
            assert_eq!(count, 14, "{map}: {symbol}");
        }
        for at in board.territories() {
            assert!(board.info(at).at.is_some(), "{map} can be drawn");
            assert!(
                board.neighbours(at).iter().all(|&to| board.borders(to, at)),
                "{map}: borders go both ways"
            );
        }
    }
    let hacker = board("hacker-risk");
    let world = board("world");
    let joined = |board: &risk_kernel::board::Board, a: &str, b: &str| {
        board.borders(board.find(a).unwrap(), board.find(b).unwrap())
    };
    assert!(
        joined(&world, "new-guinea", "western-australia")
            && !joined(&hacker, "new-guinea", "western-australia")
    );
    for (a, b) in [
        ("east-africa", "middle-east"),
        ("alaska", "kamchatka"),
        ("brazil", "north-africa"),
        ("egypt", "north-africa"),
    ] {
        assert!(joined(&world, a, b) && joined(&hacker, a, b), "{a} {b}");
    }
    assert!(!joined(&hacker, "egypt", "central-africa"));
}

#[test]
fn a_border_at_one_end_is_two_way_and_the_lists_keep_their_order() {
    let text = "name: m
territories:
  - { id: a, borders: [c, b] }
  - { id: b }
  - { id: c, one_way: [b], die: 3, tags: [x, y], open: true }
";
    let checked = check(&TextFile::new("m", text), &CheckSettings::default());
    let board = checked.board.unwrap();
    let names = |id: &str| {
        board
            .neighbours(board.find(id).unwrap())
            .iter()
            .map(|&at| board.info(at).id.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (names("a"), names("b"), names("c")),
        (vec!["c", "b"], vec!["a"], vec!["a", "b"])
    );
    let data = &board.info(board.find("c").unwrap()).data;
    assert_eq!(data["die"], Datum::Number(3));
    assert_eq!(
        data["tags"],
        Datum::List(vec![
            Datum::Text("x".to_owned()),
            Datum::Text("y".to_owned())
        ])
    );
    assert_eq!(data["open"], Datum::Bool(true));
}

#[test]
fn every_lint_has_a_code_of_its_own_and_says_what_to_do() {
    let mut codes: Vec<&str> = LINTS.iter().map(|lint| lint.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), LINTS.len());
    assert!(
        LINTS
            .iter()
            .all(|lint| !lint.about.is_empty() && !lint.help.is_empty())
    );
}
