//! Slips of strangers in map files: each is named where it is, and followed by no error of its own
//! making.

use risk_kernel::board::Board;
use risk_maps::map::{CheckSettings, CheckedMap, check};
use risk_text::diag::{Finding, Level, TextFile};

pub(crate) fn checked(name: &str, text: &str) -> CheckedMap {
    check(&TextFile::new(name, text), &CheckSettings::default())
}

/// Returns the level, the code and the place of a finding.
pub(crate) fn brief(finding: &Finding) -> String {
    let (line, column) = finding.place.as_ref().map_or((0, 0), |it| it.line_column());
    let level = if finding.level == Level::Deny {
        "×"
    } else {
        "⚠"
    };
    format!(
        "{level} {} {line}:{column}",
        finding.code.trim_start_matches("map::")
    )
}

/// Returns a message with its help.
pub(crate) fn message(finding: &Finding) -> String {
    format!(
        "{}: {}",
        finding.text,
        finding.help.as_deref().unwrap_or_default()
    )
}

/// Checks the findings of each text, and that one of them says what is expected.
pub(crate) fn each(rows: &[(&str, &[&str], &str)]) {
    for (text, found, said) in rows {
        let all = checked("m.yaml", text).findings;
        let all: Vec<&Finding> = all
            .iter()
            .filter(|it| it.code != "map::missing-colour")
            .collect();
        let briefs: Vec<String> = all.iter().map(|finding| brief(finding)).collect();
        let messages: Vec<String> = all.iter().map(|finding| message(finding)).collect();
        assert_eq!(briefs, *found, "{text}\n{messages:?}");
        assert!(
            messages.iter().any(|it| it.contains(said)),
            "{text}\n{messages:?}"
        );
    }
}

/// Returns the territories of a board with their continents and neighbours.
pub(crate) fn outline(board: &Board) -> String {
    let of = board.territories().map(|at| {
        let ids = board.neighbours(at).iter().map(|&to| &*board.info(to).id);
        let of = board
            .info(at)
            .continent
            .map(|of| &*board.continents()[of.index()].id);
        format!(
            "{}({})>{}",
            board.info(at).id,
            of.unwrap_or("-"),
            ids.collect::<Vec<_>>().join(",")
        )
    });
    of.collect::<Vec<_>>().join(" ")
}

#[test]
fn keys_of_other_programs_are_named() {
    each(&[
        (
            "name: m\nterritories:\n  - id: bay\n    neighbours: [hill]\n  - id: hill\n",
            &["× near-key 4:5"],
            "did you mean `borders`?",
        ),
        (
            "name: m\nterritories:\n  - { id: bay, adjacent: [hill] }\n  - { id: hill, adjacent: [bay] }\n",
            &["× near-key 3:16"],
            "`adjacent` in 2 territories",
        ),
        (
            "name: m\nterritories:\n  - { id: bay, links: [hill], borders: [hill] }\n  - { id: hill }\n",
            &["⚠ near-key 3:16"],
            "`borders`",
        ),
        (
            "name: m\nterritories:\n  - { id: bay, x: 1, y: 2, borders: [hill] }\n  - { id: hill }\n",
            &["⚠ near-key 3:16", "⚠ near-key 3:22"],
            "`at`",
        ),
        (
            "name: m\ncontinents:\n  - { id: w, bonus: 1 }\nterritories:\n  - { id: bay, group: w, borders: [hill] }\n  - { id: hill, group: w }\n",
            &["× near-key 5:16"],
            "did you mean `continent`?",
        ),
        (
            "name: m\ncontinents:\n  - { id: w, armies: 1 }\nterritories:\n  - { id: bay, continent: w }\n",
            &["× missing-key 3:11", "× unknown-key 3:14"],
            "",
        ),
        (
            "name: m\ncountries:\n  - { id: bay, borders: [hill] }\n  - { id: hill }\n",
            &["× unknown-key 2:1"],
            "did you mean `territories`?",
        ),
    ]);
}

#[test]
fn boards_in_json_are_read_and_guesses_told() {
    let rows = [
        (
            r#"{"territories": [{"id": 7, "name": "Far Bay", "continent": "Low", "neighbors": [9]},
                {"id": 9, "name": "Hill", "continent": "Low", "neighbors": [7]}],
                "continents": [{"name": "Low", "bonus": 2}]}"#,
            "far-bay(low)>hill hill(low)>far-bay",
            1,
        ),
        (
            r#"{"continents": {"Low": {"bonusTroops": 2, "territories": ["Bay", "Hill"]}},
                "adjacency": {"Bay": ["Hill"], "Hill": ["bay"]}}"#,
            "bay(low)>hill hill(low)>bay",
            2,
        ),
        (
            r#"[{"name": "Bay", "links": [1, 2]}, {"name": "Hill", "links": [0]},
                {"name": "Pier", "links": []}]"#,
            "bay(-)>hill,pier hill(-)>bay pier(-)>bay",
            3,
        ),
        (
            r#"{"Bay": {"region": "Low", "adjacent": ["Hill"]}, "Hill": {"region": "Low", "adjacent": []}}"#,
            "bay(low)>hill hill(low)>bay",
            5,
        ),
        (
            r#"{"nodes": [{"id": "Bay"}, {"id": "Hill"}], "edges": [{"source": "Bay", "target": "Hill"}]}"#,
            "bay(-)>hill hill(-)>bay",
            2,
        ),
        (
            r#"{"regions": [{"name": "Low", "value": 2, "countries": [{"name": "Bay", "adj": ["Hill"]},
                {"name": "Hill", "adj": ["Bay"], "owner": null}]}]}"#,
            "bay(low)>hill hill(low)>bay",
            5,
        ),
    ];
    for (text, wanted, guesses) in rows {
        let checked = checked("board.json", text);
        let told: Vec<_> = checked.findings.iter().map(message).collect();
        let board = checked.board.unwrap_or_else(|| panic!("{text}\n{told:?}"));
        assert_eq!(outline(&board), wanted, "{text}");
        let guessed = checked
            .findings
            .iter()
            .filter(|it| it.code == "map::guessed");
        assert_eq!(guessed.count(), guesses, "{text}\n{told:?}");
    }
    let bad = [
        (
            r#"{"nodes": [{"id": "Bay", "links": ["Hil"]}, {"id": "Hill", "links": ["Bay"]}]}"#,
            "border-unknown-name",
        ),
        (
            r#"[{"name": "Bay", "links": [{}]}, {"name": "Bay", "links": []}]"#,
            "duplicate-territory",
        ),
        (
            r#"{"connections": [{"host": "here", "password": "secret"}]}"#,
            "not-a-map",
        ),
        (r#"{"links": 3}"#, "not-a-map"),
    ];
    for (text, code) in bad {
        let checked = checked("board.json", text);
        let codes: Vec<_> = checked.findings.iter().map(|it| &it.code[5..]).collect();
        assert!(
            checked.board.is_none() && codes.contains(&code),
            "{text}: {codes:?}"
        );
        assert!(
            code != "not-a-map" || checked.findings[0].place.is_none(),
            "{text} is quoted"
        );
    }
}

#[test]
fn what_can_not_be_seen_is_shown_and_named() {
    each(&[
        (
            "name: m\nterritories:\n  - { id: bay\u{ad}, borders: [hill] }\n  - { id: hill, borders: [bay] }\n",
            &["× bad-id 3:11"],
            "`\\u{ad}` is a soft hyphen: delete it",
        ),
        (
            "name: m\nterritories:\n  - { id: bay, borders: [hill\u{202f}] }\n  - { id: hill }\n",
            &["× bad-id 3:26"],
            "`\\u{202f}` is a no-break space: write a normal space",
        ),
        (
            "name: m\nterritories:\n  -\u{a0}{ id: bay, borders: [hill] }\n  - { id: hill }\n",
            &["× syntax 3:23"],
            "no-break space",
        ),
        (
            "name: m\nterritories:\n  - { id: bay, borders:\u{3000}[hill] }\n  - { id: hill, borders: [bay] }\n",
            &["× syntax 3:25"],
            "a special space",
        ),
        (
            "[Map]\n[Continents]\nLow=1\n[Territories]\nFar Bay,1,1,Low,Hill\nHill,2,2,Low,Far\u{a0}Bay\n",
            &["⚠ one-way-border 5:17", "× border-unknown-name 6:14"],
            "no-break space",
        ),
    ]);
}

/// An accent may be a letter of its own. All forms read it as one.
#[test]
fn accents_are_composed_in_all_forms() {
    let forms = [
        "name: m\nterritories:\n  - { id: ko\u{308}ln, borders: [bonn] }\n  - { id: bonn, borders: [k\u{f6}ln] }\n",
        "{\"name\": \"m\", \"territories\": [{\"id\": \"ko\\u0308ln\", \"borders\": [\"bonn\"]}, {\"id\": \"bonn\"}]}",
        "[Map]\n[Continents]\nR=1\n[Territories]\nKo\u{308}ln,1,1,R,Bonn\nBonn,2,2,R,K\u{f6}ln\n",
        "[continents]\nR 1 0\n[countries]\n1 Ko\u{308}ln 1 1 1\n2 Bonn 1 2 2\n[borders]\n1 2\n2 1\n",
        "[{\"name\": \"Ko\u{308}ln\", \"links\": [\"Bonn\"]}, {\"name\": \"Bonn\", \"links\": [\"K\u{f6}ln\"]}]",
    ];
    for text in forms {
        let checked = checked("m", text);
        let board = checked
            .board
            .unwrap_or_else(|| panic!("{text}\n{:?}", checked.findings));
        let ids: Vec<_> = board.territories().map(|at| &*board.info(at).id).collect();
        assert_eq!(ids, ["köln", "bonn"], "{text}");
    }
    // A capital letter whose small one has a dot of its own.
    let text =
        "[continents]\nR 1 0\n[countries]\n1 İzmir 1 1 1\n2 Van 1 2 2\n[borders]\n1 2\n2 1\n";
    let board = checked("m", text).board.unwrap();
    assert_eq!(outline(&board), "izmir(r)>van van(r)>izmir");
}

#[test]
fn values_that_yaml_reads_otherwise_are_named() {
    let colour =
        "name: m\ncontinents:\n  - { id: w, colour: #4f7cac, bonus: 1 }\n  - { id: e, bonus: 1 }\n";
    let list =
        "name: m\nterritories:\n  - { id: bay, name: Bay #3 }\n  - { id: hill, borders: [bay] }\n";
    each(&[
        (colour, &["× syntax 3:22"], "`#` begins a comment"),
        (list, &["× syntax 3:26"], "in quotes"),
        (
            "name: m\nterritories:\n  - id: bay\n    name: #1 Street\n    borders: [hill]\n  - id: hill\n",
            &["× value 4:9"],
            "`#` begins a comment: put the text in quotes",
        ),
        (
            "name: m\nterritories:\n  - { id: bay, name: Bay, Inc., borders: [hill] }\n  - { id: hill }\n",
            &["× value 3:27"],
            "`Inc.` has no value: put a text with a comma in quotes",
        ),
        (
            "name: m\ncontinents:\n  - { id: w, name: North, West, bonus: 1 }\nterritories:\n  - { id: bay, continent: w }\n",
            &["× unknown-key 3:27"],
            "put a text with a comma in quotes",
        ),
        (
            "name: m\nterritories:\n  - { id: bay, at: 10, 20, borders: [hill] }\n  - { id: hill }\n",
            &["× value 3:20", "× value 3:24"],
            "write `at: [120, 80]`",
        ),
        (
            "name: m\nterritories:\n  - { id: 05, borders: [7] }\n  - { id: 7, borders: [05] }\n",
            &["× value 3:11", "× value 4:24"],
            "found `05`: a leading zero: write `5`, or put it in quotes",
        ),
        (
            "name: m\ncontinents:\n  - { id: 01, bonus: -02 }\nterritories:\n  - { id: bay, continent: 01 }\n",
            &["× value 3:11", "× bonus-not-number 3:22", "× value 5:27"],
            "a leading zero",
        ),
        (
            "name: m\nterritories:\n  - { id: bay, at: [010, 5], borders: [hill] }\n  - { id: hill }\n",
            &["× value 3:21"],
            "found `010`: a leading zero: write `10`",
        ),
        (
            "name: m\nterritories:\n  - { id: true, borders: [1.5] }\n  - { id: 1.5 }\n",
            &["× value 3:11", "× value 3:27", "× value 4:11"],
            "put it in quotes",
        ),
    ]);
}

/// A line with a mistake keeps its number or name, so that others may refer to it.
#[test]
fn lines_with_mistakes_are_referred_to() {
    each(&[
        (
            "[continents]\nW\nE 1 0\n[countries]\n1 Bay 1 1 1\n2 Hill 2 2\n[borders]\n1 2\n2 1\n",
            &[
                "× continent-fields 2:1",
                "× territory-fields 6:1",
                "⚠ missing-coordinates 6:3",
            ],
            "expected 2 or 3 words for a continent",
        ),
        (
            "[Map]\n[Continents]\nWest\n[Territories]\nBay,1,1,West,Hill\nHill,2,2,West,Bay\n",
            &["× continent-fields 3:1"],
            "NAME=BONUS",
        ),
    ]);
}

#[test]
fn sections_with_nearly_the_right_name_are_read() {
    each(&[
        (
            "[continents]\nW 1 0\n[country]\n1 Bay 1 1 1\n2 Hill 1 2 2\n[borders]\n1 2\n2 1\n",
            &["× unknown-section 3:2"],
            "unknown section [country]: did you mean [countries]?",
        ),
        (
            "[continents]\nW 1 0\n[countries]\n1 Bay 1 1 1\n2 Hill 1 2 2\n[neighbours]\n1 2\n2 1\n",
            &["× unknown-section 6:2"],
            "did you mean [borders]?",
        ),
        (
            "[Map]\n[Continent]\nW=1\n[Territory]\nBay,1,1,W,Hill\nHill,2,2,W,Bay\n",
            &["× unknown-section 2:2", "× unknown-section 4:2"],
            "did you mean [continents]?",
        ),
    ]);
}
