//! Slips in what maps say beside continents and borders, and maps that are right.

use risk_maps::map::write::{Target, write};

use crate::slips::{brief, checked, each, message, outline};

/// Lines for groups, with the findings about them.
const GROUPS: [(&str, &[&str], &str); 31] = [
    (
        "  - { id: g, bonus: 1, territories: [bay], groups: [land] }",
        &[],
        "",
    ),
    (
        "  - { bonus: 1, territories: [bay] }",
        &["× missing-key 5:7"],
        "`id` in a group",
    ),
    (
        "  - { id: land, territories: [bay] }",
        &["× duplicate-continent 5:11"],
        "another id",
    ),
    (
        "  - { id: g, territories: [bya] }",
        &["× unknown-member 5:28"],
        "did you mean `bay`?",
    ),
    (
        "  - { id: g, groups: [lnad] }",
        &["× unknown-member 5:23"],
        "did you mean `land`?",
    ),
    (
        "  - { id: g, groups: [bay] }",
        &["× unknown-member 5:23"],
        "the unknown `bay`",
    ),
    (
        "  - { id: g, territories: bay }",
        &["× value 5:27"],
        "must be a list",
    ),
    (
        "  - { id: g, territories: [bay, bay] }",
        &["⚠ repeated-member 5:33"],
        "there twice",
    ),
    (
        "  - { id: g, groups: [g] }",
        &["× group-within-itself 5:11"],
        "contains itself",
    ),
    (
        "  - { id: g, groups: [h] }\n  - { id: h, groups: [g], territories: [bay] }",
        &["× group-within-itself 5:11", "× group-within-itself 6:11"],
        "contains itself",
    ),
    (
        "  - { id: g }",
        &["⚠ empty-continent 5:11"],
        "has no territories",
    ),
    (
        "  - { id: g, territories: [bay], needs: 2 }",
        &["× needs-too-many 5:11"],
        "has 1 members, but needs 2",
    ),
    (
        "  - { id: g, territories: [bay], needs: 0 }",
        &["× value 5:41"],
        "from 1 to",
    ),
    (
        "  - { id: g, territories: [bay], needs: all }",
        &["× value 5:41"],
        "must be an integer",
    ),
    (
        "  - { id: g, territories: [bay], steps: [{ needs: 2, bonus: 1 }] }",
        &["× needs-too-many 5:11"],
        "needs 2",
    ),
    (
        "  - { id: g, territories: [bay], steps: [{ needs: 1 }] }",
        &["× missing-key 5:42"],
        "`bonus` in a step",
    ),
    (
        "  - { id: g, territories: [bay], steps: [{ need: 1, bonus: 2 }] }",
        &["× missing-key 5:42", "× unknown-key 5:44"],
        "did you mean `needs`?",
    ),
    (
        "  - { id: g, territories: [bay], overrides: [hill] }",
        &["× unknown-member 5:46"],
        "unknown `hill`",
    ),
    (
        "  - { id: g, territories: [bay], deploys: hil }",
        &["× unknown-member 5:43"],
        "did you mean `hill`?",
    ),
    (
        "  - { id: g, territories: [bay], deploys: [hill] }",
        &["× value 5:43"],
        "must be a string",
    ),
    (
        "  - { id: g, territories: [bay], each_turn: 1.5 }",
        &["× value 5:45"],
        "must be an integer",
    ),
    (
        "  - { id: g, territories: [bay], each_turn: 2000000 }",
        &["× value 5:45"],
        "from -1000000 to 1000000",
    ),
    (
        "  - { id: g, territories: [bay], strength: 16 }",
        &["× value 5:44"],
        "from 0 to 15",
    ),
    // The border, the group and the territory together.
    (
        "  - { id: g, territories: [hill], strength: 15 }\n  - { id: h, groups: [g], strength: 1 }",
        &["× strength-too-high 9:11"],
        "the class 16",
    ),
    (
        "  - { id: g, territories: [bay], bonus: much }",
        &["× bonus-not-number 5:41"],
        "must be an integer",
    ),
    (
        "  - { id: g, territories: [bay], bonus: -2000000 }",
        &["× bonus-too-large 5:41"],
        "from -1000000",
    ),
    (
        "  - { id: g, territories: [bay], member: [hill] }",
        &["× unknown-key 5:34"],
        "unknown key `member`",
    ),
    (
        "  - { id: g, territories: [bay], data: [x] }",
        &["× value 5:40"],
        "data must be a mapping, found a list",
    ),
    (
        "  - { id: g, territories: [bay], data: { 1: x } }",
        &["× value 5:42"],
        "a key of data must be a string",
    ),
    (
        "  - { id: g, territories: [bay], data: { x: [{ y: }] } }",
        &["× value 5:48"],
        "the key `y` has no value",
    ),
    (
        "  - { id: g, territories: [bay], data: { x: { y: [1, 1.5] } } }",
        &["× value 5:54"],
        "found a decimal number",
    ),
];

/// Borders of a territory, with the findings about them.
const BORDERS: [(&str, &[&str], &str); 16] = [
    ("{ to: moor, kind: bombard, river: true }", &[], ""),
    ("{ to: moor, open_if: { holds: g } }", &[], ""),
    ("{ to: moor, open_if: { holds: bay } }", &[], ""),
    ("{ to: moor, strength: 15 }", &[], ""),
    (
        "{ to: moor, strength: high }",
        &["× value 8:66"],
        "must be an integer",
    ),
    (
        "{ to: moorr }",
        &["× border-unknown-id 8:50"],
        "did you mean `moor`?",
    ),
    (
        "{ kind: bombard }",
        &["× missing-key 8:46"],
        "`to` in a border of `hill`",
    ),
    (
        "{ to: moor, kind: bomb }",
        &["× value 8:62"],
        "must be `bombard`",
    ),
    (
        "{ to: moor, one_way: 1 }",
        &["× value 8:65"],
        "true or false",
    ),
    (
        "{ to: moor, open_if: g }",
        &["× value 8:65"],
        "must be a mapping",
    ),
    (
        "{ to: moor, open_if: { } }",
        &["× missing-key 8:65"],
        "`holds`",
    ),
    (
        "{ to: moor, open_if: { holds: x } }",
        &["× unknown-member 8:74"],
        "the unknown `x`",
    ),
    (
        "{ to: moor, open_if: { hold: g } }",
        &["× missing-key 8:65", "× unknown-key 8:67"],
        "did you mean `holds`?",
    ),
    (
        "{ to: moor, knid: bombard }",
        &["⚠ near-key 8:56"],
        "did you mean `kind`?",
    ),
    (
        "{ to: moor, data: { river: true } }",
        &["× value 8:56"],
        "beside the other keys",
    ),
    (
        "{ to: moor, depth: 1.5 }",
        &["× value 8:63"],
        "found a decimal number",
    ),
];

/// Puts a line for groups into a map of three territories and a continent.
fn with_groups(lines: &str) -> String {
    format!(
        "name: m\ncontinents:\n  - {{ id: land, bonus: 2, colour: \"#112233\" }}\ngroups:\n{lines}\n\
         territories:\n  - {{ id: bay, continent: land, borders: [hill] }}\n  \
         - {{ id: hill, continent: land, borders: [moor] }}\n  - {{ id: moor, continent: land }}\n"
    )
}

#[test]
fn slips_in_groups_are_named() {
    let texts: Vec<String> = GROUPS.iter().map(|row| with_groups(row.0)).collect();
    let rows: Vec<_> = GROUPS
        .iter()
        .zip(&texts)
        .map(|(row, text)| (text.as_str(), row.1, row.2))
        .collect();
    for row in &rows {
        if row.1.is_empty() {
            assert!(checked("m.yaml", row.0).board.is_some());
        } else {
            each(&[*row]);
        }
    }
    let territory = |keys: &str| {
        let text = with_groups("  - { id: g, bonus: 1, territories: [bay] }");
        text.replace("id: moor", &format!("id: moor, {keys}"))
    };
    let texts = [
        "each_turn: much",
        "each_turn: 1, deploys: bya",
        "each_tur: 1",
        "strength: -1",
        "neutral: 0",
        "resets: true",
        "neutral: 2, resets: 1",
        "data: { rich: true }",
    ]
    .map(territory);
    each(&[
        (&texts[0], &["× value 9:28"], "must be an integer"),
        (&texts[1], &["× unknown-member 9:40"], "did you mean `bay`?"),
        (&texts[2], &["⚠ near-key 9:17"], "did you mean `each_turn`?"),
        (&texts[3], &["× value 9:27"], "from 0 to 15"),
        (&texts[4], &["× value 9:26"], "from 1 to 1000000"),
        (&texts[5], &["× missing-key 9:11"], "no key `neutral`"),
        (&texts[6], &["× value 9:37"], "true or false"),
        (&texts[7], &["× value 9:17"], "beside the other keys"),
    ]);
    let text = with_groups("  - { id: g, bonus: 1, territories: [bay] }");
    let of_map = text.replace("name: m", "data: 1\nname: m");
    let of_continent = text.replace("bonus: 2", "data: { 1: x }, bonus: 2");
    each(&[
        (
            &of_map,
            &["× value 1:7"],
            "data must be a mapping, found an integer",
        ),
        (
            &of_continent,
            &["× value 3:25"],
            "a key of data must be a string",
        ),
    ]);
}

#[test]
fn slips_in_borders_are_named() {
    let with = |border: &str| {
        with_groups("  - { id: g, bonus: 1, territories: [bay] }")
            .replace("[moor]", &format!("[{border}]"))
    };
    for (border, found, said) in BORDERS {
        let text = with(border);
        let checked = checked("m.yaml", &text);
        match found {
            [] => assert!(checked.board.is_some(), "{border}: {:?}", checked.findings),
            _ => {
                let briefs: Vec<String> = checked.findings.iter().map(brief).collect();
                assert_eq!(
                    briefs
                        .iter()
                        .filter(|it| !it.contains("one-way"))
                        .collect::<Vec<_>>(),
                    found.iter().collect::<Vec<_>>(),
                    "{text}"
                );
                let messages: Vec<String> = checked.findings.iter().map(message).collect();
                assert!(
                    messages.iter().any(|it| it.contains(said)),
                    "{text} {messages:?}"
                );
            }
        }
    }
}

/// Directions of a border of which the ends say something, or nothing.
#[test]
fn what_one_end_says_holds_in_both_directions_unless_the_other_speaks() {
    let map = |hill: &str, moor: &str| {
        let text = format!(
            "name: m\nlints: {{ allow: [no-continents, one-way-border] }}\nterritories:\n  - {{ id: hill, borders: [{hill}] }}\n  \
             - {{ id: moor, borders: [{moor}] }}\n"
        );
        let board = checked("m.yaml", &text).board.unwrap();
        let says = |from, to| match board.border(from, to) {
            _ if !board.borders(from, to) => "none",
            None => "plain",
            Some(info) if info.is_bombard => "bombard",
            Some(_) => "data",
        };
        let (hill, moor) = (board.find("hill").unwrap(), board.find("moor").unwrap());
        format!("{} {}", says(hill, moor), says(moor, hill))
    };
    for (hill, moor, expected) in [
        ("moor", "", "plain plain"),
        ("{ to: moor }", "", "plain plain"),
        ("{ to: moor, kind: bombard }", "", "bombard bombard"),
        ("{ to: moor, kind: bombard }", "hill", "bombard bombard"),
        (
            "{ to: moor, kind: bombard }",
            "{ to: hill }",
            "bombard plain",
        ),
        (
            "{ to: moor, kind: bombard }",
            "{ to: hill, ice: true }",
            "bombard data",
        ),
        (
            "{ to: moor, kind: bombard, one_way: true }",
            "",
            "bombard none",
        ),
        (
            "{ to: moor, kind: bombard, one_way: true }",
            "{ to: hill, one_way: true }",
            "bombard plain",
        ),
    ] {
        assert_eq!(map(hill, moor), expected, "{hill} | {moor}");
    }
}

#[test]
fn continents_that_overlap_in_json_become_groups() {
    let text = r#"{"name": "w",
        "countries": [{"id": 1, "name": "a", "neighbours": [2]}, {"id": 2, "name": "b", "neighbours": [3]},
                      {"id": 3, "name": "c", "neighbours": [1]}],
        "regions": [{"name": "One", "bonus": 2, "countries": [1, 2]}, {"name": "Both", "bonus": 5, "countries": [2, 3]},
                    {"name": "Two", "bonus": 1, "countries": [3]}]}"#;
    let board = checked("m.json", text).board.unwrap();
    assert_eq!(outline(&board), "a(one)>b,c b(one)>c,a c(two)>a,b");
    let groups = board
        .groups()
        .iter()
        .map(|it| (&*it.id, it.bonus, it.territories.len()));
    let groups: Vec<_> = groups.collect();
    assert_eq!(groups, [("one", 2, 2), ("two", 1, 1), ("both", 5, 2)]);
}

#[test]
fn maps_with_rules_are_written_as_they_are_read() {
    for map in ["straits", "terrain"] {
        written_and_read(&format!("{RULESETS}{map}.yaml"));
    }
}

const RULESETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/rulesets/");

fn written_and_read(path: &str) {
    let board = checked("m.yaml", &std::fs::read_to_string(path).unwrap())
        .board
        .unwrap();
    let written = write(&board, Target::Yaml);
    let again = checked("m.yaml", &written.text).board.unwrap();
    assert_eq!(
        (board.data(), board.groups()),
        (again.data(), again.groups())
    );
    assert!(
        board.special_borders().eq(again.special_borders()),
        "{}",
        written.text
    );
    assert!(board.special_borders().count() > 3);
    for at in board.territories() {
        assert_eq!(board.info(at), again.info(at));
    }
}

#[test]
fn data_is_nested_no_deeper_than_a_file() {
    let nested = |depth: usize| {
        let text = format!("{}1{}", "[{ x: ".repeat(depth), " }]".repeat(depth));
        checked(
            "m.yaml",
            &format!("data: {{ x: {text} }}\n{}", with_groups("")),
        )
    };
    let board = nested(15).board.unwrap();
    let written = write(&board, Target::Yaml).text;
    assert_eq!(
        checked("m.yaml", &written).board.unwrap().data(),
        board.data()
    );
    let finding = &nested(16).findings[0];
    assert_eq!(
        (&*finding.code, brief(finding)),
        ("map::syntax", "× syntax 1:102".to_owned())
    );
    assert!(message(finding).contains("nested too deeply"));
}

/// Each group contains all groups before it, so that the members double from one to the next.
#[test]
fn groups_that_are_too_large_together_are_refused() {
    let group = |index: usize| {
        let parts: Vec<String> = (0..index).map(|part| format!("g{part}")).collect();
        let parts = parts.join(", ");
        format!("  - {{ id: g{index}, territories: [bay], groups: [{parts}] }}\n")
    };
    for (count, code) in [(12, None), (60, Some("map::too-many-members"))] {
        let groups: Vec<String> = (0..count).rev().map(group).collect();
        let checked = checked("m.yaml", &with_groups(groups.concat().trim_end()));
        let found = checked
            .findings
            .first()
            .map(|finding| finding.code.as_str());
        assert_eq!((found, checked.board.is_some()), (code, code.is_none()));
    }
}
