//! Lines of records and the exact errors about them, read in this process from a record written for
//! the tests.

mod replaying;
mod writing;

use risk_engine::record::read;

/// A record with a line of each kind, before its sums are added.
const PLAIN: &str = concat!(
    r#"{"record":"risk-cli","format":3,"version":"0.1.0","ruleset":"hasbro","#,
    r#""ruleset_hash":"0123456789abcdef0123456789abcdef","map":"m","#,
    r#""map_hash":"0123456789abcdef0123456789abcdef","options":{"a":"1"},"seed":"7","game":0,"players":["#,
    r#"{"seat":1,"name":"x","bot":"random","hash":"0123456789abcdef0123456789abcdef"},"#,
    r#"{"seat":2,"name":"y","bot":"http://h/"}],"strikes":{"limit":3,"per":"game","then":"skip"}}"#,
    "\n",
    r#"{"line":"answer","n":1,"seat":1,"say":"done"}"#,
    "\n",
    r#"{"line":"fault","n":2,"seat":2,"strikes":1,"kind":"script","text":"t","exchange":{"request":"q","answer":"p"}}"#,
    "\n",
    r#"{"line":"turn","turn":1,"round":1,"seat":1,"digest":"0123456789abcdef"}"#,
    "\n",
    r#"{"line":"note","text":"so it is"}"#,
    "\n",
    r#"{"line":"end","reason":"conquest","winners":[1],"ranking":[{"seat":1,"score":3,"place":1},"#,
    r#"{"seat":2,"score":-1,"place":2}],"answers":1,"digest":"0123456789abcdef"}"#,
    "\n",
);

/// Adds the sums, as docs/records.md defines them, to each line that ends an object.
fn summed(text: &str) -> String {
    let mut before = String::new();
    let mut all = String::new();
    for line in text.lines() {
        if let Some(body) = line.strip_suffix('}') {
            before = blake3::hash(format!("{before}{body}").as_bytes()).to_hex()[..16].to_owned();
            all.push_str(&format!("{body},\"sum\":\"{before}\"}}"));
        } else {
            all.push_str(line);
        }
        all.push('\n');
    }
    all
}

/// The text to replace, its replacement, the line of the error, and what the error must contain or,
/// after a `!`, must not.
const WRONG: &[(&str, &str, usize, &[&str])] = &[
    ("\"n\":1,", "\"n\":0,", 2, &["`n`", "0"]),
    ("\"n\":1,", "\"n\":-1,", 2, &["`n`", "-1"]),
    ("\"say\":\"done\"", "\"say\":1", 2, &["`say`", "1"]),
    (
        "\"done\"",
        "\"done\",\"by_policy\":false",
        2,
        &["`by_policy`", "true", "false"],
    ),
    (
        "\"strikes\":1",
        "\"strikes\":4294967296",
        3,
        &["`strikes`", "1 to 4294967295", "4294967296"],
    ),
    (
        "\"strikes\":1",
        "\"strikes\":0",
        3,
        &["`strikes`", "1 to 4294967295", "found 0"],
    ),
    (
        "\"kind\":\"script\"",
        "\"kind\":\"weather\"",
        3,
        &[
            "`kind`",
            "illegal, script, budget, timeout, hung, connection, rules, resigned",
            "\"weather\"",
        ],
    ),
    ("\"request\":\"q\",", "", 3, &["`exchange.request`"]),
    (
        "\"answer\":\"p\"",
        "\"answer\":\"p\",\"x\":1",
        3,
        &["`exchange.x`", "request, answer"],
    ),
    (
        "\"turn\":1",
        "\"turn\":\"x\"",
        4,
        &["`turn`", "0 to 4294967295", "\"x\""],
    ),
    (
        "\"seat\":1,\"digest\"",
        "\"seat\":3,\"digest\"",
        4,
        &["`seat`", "1 to 2", "3"],
    ),
    (
        "\"0123456789abcdef\"",
        "\"0123456789abcdeF\"",
        4,
        &["`digest`", "16", "\"0123456789abcdeF\""],
    ),
    (
        "\"0123456789abcdef\"",
        "\"0123456789abcde\"",
        4,
        &["`digest`", "16", "\"0123456789abcde\""],
    ),
    ("\"so it is\"", "null", 5, &["`text`", "null"]),
    (
        "\"so it is\"",
        "\"so it is\",\"continues\":1",
        5,
        &["`continues`", "!text"],
    ),
    (
        "\"so it is\"",
        "\"so it is\",\"cloak\":1",
        5,
        &["`cloak`", "seat, text"],
    ),
    (
        "\"winners\":[1]",
        "\"winners\":[3]",
        6,
        &["`winners[0]`", "1 to 2", "3"],
    ),
    (
        "\"winners\":[1]",
        "\"winners\":[0]",
        6,
        &["`winners[0]`", "1 to 2", "0"],
    ),
    ("\"winners\":[1]", "\"winners\":1", 6, &["`winners`", "1"]),
    (
        "\"place\":2",
        "\"place\":3",
        6,
        &["`ranking[1].place`", "1 to 2", "3"],
    ),
    (
        "\"score\":3",
        "\"score\":3.5",
        6,
        &["`ranking[0].score`", "3.5"],
    ),
    (
        "\"text\":\"so it is\"",
        "\"txet\":\"so it is\"",
        5,
        &["`txet`", "`text`"],
    ),
    (
        "\"name\":\"x\"",
        "\"name\":\"x\",\"needs\":1",
        1,
        &["`players[0].needs`", "!hash"],
    ),
    (
        "\"seed\":\"7\"",
        "\"seed\":\"7\",\"salt\":\"8\"",
        1,
        &["`commitment`"],
    ),
    // Quotes have a limit: forty characters, including the quotation marks.
    (
        "\"turn\":1",
        "\"turn\":\"abcdefghijklmnopqrstuvwxyzabcdefghijkl\"",
        4,
        &[
            "`turn`",
            "0 to 4294967295",
            "\"abcdefghijklmnopqrstuvwxyzabcdefghijkl\"",
        ],
    ),
    (
        "\"turn\":1",
        "\"turn\":\"abcdefghijklmnopqrstuvwxyzabcdefghijklm\"",
        4,
        &[
            "`turn`",
            "0 to 4294967295",
            "\"abcdefghijklmnopqrstuvwxyzabcdefghijklm…",
        ],
    ),
    (
        "\"line\":\"note\"",
        "\"line\":\"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq\"",
        5,
        &["`line`", "\"abcdefghijklmnopqrstuvwxyzabcdefghijklm…"],
    ),
    (
        "\"line\":\"note\"",
        "\"line\":\"pause\"",
        5,
        &["pause", "!fault"],
    ),
    // Lines between, and after the end.
    (
        "{\"line\":\"note\"",
        "\n{\"line\":\"note\"",
        5,
        &["JSON", "value", "column 0"],
    ),
    (
        "{\"line\":\"note\"",
        "[\n{\"line\":\"note\"",
        5,
        &["JSON", "list", "column 1"],
    ),
    // The header: no record at all.
    ("\"format\":3", "\"format\":\"3\"", 1, &["`format`"]),
    ("\"format\":3", "\"format\":2", 1, &["format 2", "format 3"]),
    ("\"format\":3", "\"format\":4", 1, &["format 4", "format 3"]),
    (
        "\"seed\":\"7\"",
        "\"seed\":\"-7\"",
        1,
        &["`seed`", "1 to 64"],
    ),
    ("{\"a\":\"1\"}", "[]", 1, &["`options`", "[]"]),
    ("\"a\":\"1\"", "\"a\":1", 1, &["`options.a`", "1"]),
    (
        "\"per\":\"game\"",
        "\"per\":\"week\"",
        1,
        &["`strikes.per`", "game, decision", "\"week\""],
    ),
    (
        "\"then\":\"skip\"",
        "\"then\":\"jump\"",
        1,
        &[
            "`strikes.then`",
            "skip, first-option, neutral, forfeit, hook",
            "\"jump\"",
        ],
    ),
    (
        "\"seat\":2,\"name\"",
        "\"seat\":1,\"name\"",
        1,
        &["`players[1].seat`", "1"],
    ),
    (
        "\"map_hash\":\"0",
        "\"map_hash\":\"g",
        1,
        &["`map_hash`", "32", "\"g123456789abcdef0123456789abcdef\""],
    ),
];

#[test]
fn every_mistake_is_named_with_its_line() {
    let whole = read(&summed(PLAIN)).unwrap();
    assert!(
        whole.is_whole() && whole.lines.len() == 5 && whole.answers() == 1,
        "{whole:?}"
    );
    for &(from, to, line, facts) in WRONG {
        assert!(PLAIN.contains(from), "{from}");
        let text = summed(&PLAIN.replacen(from, to, 1));
        let broken = read(&text).map_or_else(|broken| broken, |record| record.broken.unwrap());
        assert_eq!(broken.line, line, "{to}: {broken}");
        for fact in facts {
            let holds = match fact.strip_prefix('!') {
                Some(absent) => !broken.text.contains(absent),
                None => broken.text.contains(fact),
            };
            assert!(holds, "{to}: {fact}: {broken}");
        }
    }
}

#[test]
fn a_record_has_one_to_thirty_two_players() {
    let with = |count: usize| {
        let seats: Vec<String> = (1..=count)
            .map(|seat| format!("{{\"seat\":{seat},\"name\":\"x\",\"bot\":\"random\"}}"))
            .collect();
        let start = PLAIN.find("\"players\":[").unwrap() + 11;
        let end = PLAIN.find("],\"strikes\"").unwrap();
        read(&summed(&format!(
            "{}{}{}",
            &PLAIN[..start],
            seats.join(","),
            &PLAIN[end..]
        )))
    };
    for count in [0, 33] {
        let broken = with(count).unwrap_err();
        let facts = ["`players`", "1 to 32", &count.to_string()];
        let holds = facts.iter().all(|fact| broken.text.contains(fact));
        assert!(holds && broken.line == 1, "{broken}");
    }
    assert_eq!(with(32).unwrap().header.players.len(), 32);
}

#[test]
fn a_line_has_a_mebibyte_at_the_most() {
    let with = |blanks: usize| summed(&PLAIN.replacen("done", &"x".repeat(blanks), 1));
    let fixed = with(0).lines().nth(1).unwrap().len();
    let most = 1_048_576;
    assert_eq!(read(&with(most - fixed)).unwrap().broken, None);
    let broken = read(&with(most - fixed + 1)).unwrap().broken.unwrap();
    let facts = ["1048577", "1048576"];
    let holds = facts.iter().all(|fact| broken.text.contains(fact));
    assert!(holds && broken.line == 2, "{broken}");
}

#[test]
fn where_a_record_ends_is_said_with_its_line() {
    let text = summed(PLAIN);
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    // Both kinds of cut have one text each, wherever they are.
    let broken = |len: usize| read(&text[..len]).unwrap().broken;
    let cut = broken(ends[3] - 2).unwrap().text;
    let early = broken(ends[3]).unwrap().text;
    assert_ne!(cut, early);
    // The length of the text; the line and text of the error.
    let rows = [
        (ends[3], Some((5, &early))),
        (ends[3] - 1, Some((5, &early))),
        (ends[3] - 2, Some((4, &cut))),
        (ends[2] + 1, Some((4, &cut))),
        (ends[5] - 1, None),
        (ends[5], None),
    ];
    for (len, wanted) in rows {
        let found = broken(len);
        let found = found.as_ref().map(|broken| (broken.line, &broken.text));
        assert_eq!(found, wanted, "{len} bytes");
    }
    // Damage before the last line is not a cut, whether the text ends with a line or not; nor is
    // damage in a last line that is ended.
    for (text, line) in [
        (text.replacen("\"n\":1,", "\"n\":1", 1), 2),
        (text.replacen("\"answers\":1,", "", 1), 6),
    ] {
        let broken = read(&text).unwrap().broken.unwrap();
        assert!(broken.line == line && broken.text != cut, "{broken:?}");
    }
    let broken = read(text.replacen("\"n\":1,", "\"n\":1", 1).trim_end())
        .unwrap()
        .broken
        .unwrap();
    assert!(broken.line == 2 && broken.text != cut, "{broken:?}");
}
