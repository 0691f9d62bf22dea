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

/// The text to replace, its replacement, the line of the error, and the error.
const WRONG: &[(&str, &str, usize, &str)] = &[
    (
        "\"n\":1,",
        "\"n\":0,",
        2,
        "key `n` of an answer line: expected a whole number from 1 on, found 0",
    ),
    (
        "\"n\":1,",
        "\"n\":-1,",
        2,
        "key `n` of an answer line: expected a whole number from 1 on, found -1",
    ),
    (
        "\"say\":\"done\"",
        "\"say\":1",
        2,
        "key `say` of an answer line: expected a text, found 1",
    ),
    (
        "\"done\"",
        "\"done\",\"by_policy\":false",
        2,
        "key `by_policy` of an answer line: expected true, or that it is left out, found false",
    ),
    (
        "\"strikes\":1",
        "\"strikes\":4294967296",
        3,
        "key `strikes` of a fault line: expected a whole number from 1 to 4294967295, found 4294967296",
    ),
    (
        "\"kind\":\"script\"",
        "\"kind\":\"weather\"",
        3,
        "key `kind` of a fault line: expected one of illegal, script, budget, timeout, hung, connection, found \"weather\"",
    ),
    (
        "\"request\":\"q\",",
        "",
        3,
        "key `exchange.request` of a fault line is missing",
    ),
    (
        "\"answer\":\"p\"",
        "\"answer\":\"p\",\"x\":1",
        3,
        "`exchange.x` is not a key of a fault line: there are request, answer",
    ),
    (
        "\"turn\":1",
        "\"turn\":\"x\"",
        4,
        "key `turn` of a turn line: expected a whole number from 0 to 4294967295, found \"x\"",
    ),
    (
        "\"seat\":1,\"digest\"",
        "\"seat\":3,\"digest\"",
        4,
        "key `seat` of a turn line: expected a whole number from 1 to 2, found 3",
    ),
    (
        "\"0123456789abcdef\"",
        "\"0123456789abcdeF\"",
        4,
        "key `digest` of a turn line: expected 16 digits 0 to 9 and a to f, found \"0123456789abcdeF\"",
    ),
    (
        "\"0123456789abcdef\"",
        "\"0123456789abcde\"",
        4,
        "key `digest` of a turn line: expected 16 digits 0 to 9 and a to f, found \"0123456789abcde\"",
    ),
    (
        "\"so it is\"",
        "null",
        5,
        "key `text` of a note line: expected a text, found null",
    ),
    (
        "\"so it is\"",
        "\"so it is\",\"continues\":1",
        5,
        "key `continues` of a note line (the game goes on from another record) is one that this version of risk-cli does not know; a later one does",
    ),
    (
        "\"so it is\"",
        "\"so it is\",\"cloak\":1",
        5,
        "`cloak` is not a key of a note line: there are seat, text",
    ),
    (
        "\"winners\":[1]",
        "\"winners\":[3]",
        6,
        "key `winners[0]` of the end line: expected a whole number from 1 to 2, found 3",
    ),
    (
        "\"winners\":[1]",
        "\"winners\":[0]",
        6,
        "key `winners[0]` of the end line: expected a whole number from 1 to 2, found 0",
    ),
    (
        "\"winners\":[1]",
        "\"winners\":1",
        6,
        "key `winners` of the end line: expected a list, found 1",
    ),
    (
        "\"place\":2",
        "\"place\":3",
        6,
        "key `ranking[1].place` of the end line: expected a whole number from 1 to 2, found 3",
    ),
    (
        "\"score\":3",
        "\"score\":3.5",
        6,
        "key `ranking[0].score` of the end line: expected a whole number, found 3.5",
    ),
    (
        "\"text\":\"so it is\"",
        "\"txet\":\"so it is\"",
        5,
        "`txet` is not a key of a note line: did you mean `text`?",
    ),
    (
        "\"name\":\"x\"",
        "\"name\":\"x\",\"needs\":1",
        1,
        "key `players[0].needs` of the header (what a reader must know) is one that this version of risk-cli does not \
         know; a later one does",
    ),
    (
        "\"seed\":\"7\"",
        "\"seed\":\"7\",\"salt\":\"8\"",
        1,
        "key `commitment` of the header is missing",
    ),
    // Quotes have a limit: forty characters, including the quotation marks.
    (
        "\"turn\":1",
        "\"turn\":\"abcdefghijklmnopqrstuvwxyzabcdefghijkl\"",
        4,
        "key `turn` of a turn line: expected a whole number from 0 to 4294967295, \
         found \"abcdefghijklmnopqrstuvwxyzabcdefghijkl\"",
    ),
    (
        "\"turn\":1",
        "\"turn\":\"abcdefghijklmnopqrstuvwxyzabcdefghijklm\"",
        4,
        "key `turn` of a turn line: expected a whole number from 0 to 4294967295, \
         found \"abcdefghijklmnopqrstuvwxyzabcdefghijklm…",
    ),
    (
        "\"line\":\"note\"",
        "\"line\":\"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq\"",
        5,
        "key `line`: expected answer, fault, turn, note, undo or end, found \"abcdefghijklmnopqrstuvwxyzabcdefghijklm…",
    ),
    (
        "\"line\":\"note\"",
        "\"line\":\"pause\"",
        5,
        "key `line`: a line of the kind pause (the game was put aside here) is one that this version of risk-cli does \
         not know; a later one does",
    ),
    // Lines between, and after the end.
    (
        "{\"line\":\"note\"",
        "\n{\"line\":\"note\"",
        5,
        "expected a line of JSON: EOF while parsing a value at column 0",
    ),
    (
        "{\"line\":\"note\"",
        "[\n{\"line\":\"note\"",
        5,
        "expected a line of JSON: EOF while parsing a list at column 1",
    ),
    // The header: no record at all.
    (
        "\"format\":3",
        "\"format\":\"3\"",
        1,
        "key `format` of the header: expected a whole number",
    ),
    (
        "\"format\":3",
        "\"format\":2",
        1,
        "the record has format 2, which a build of before the first release wrote; this program reads format 3",
    ),
    (
        "\"format\":3",
        "\"format\":4",
        1,
        "the record has format 4, and this program reads format 3",
    ),
    (
        "\"seed\":\"7\"",
        "\"seed\":\"-7\"",
        1,
        "key `seed` of the header: a seed has 1 to 64 letters (a to z), digits, `-`, `_` and `.`, and begins with a letter or a digit",
    ),
    (
        "{\"a\":\"1\"}",
        "[]",
        1,
        "key `options` of the header: expected an object, found []",
    ),
    (
        "\"a\":\"1\"",
        "\"a\":1",
        1,
        "key `options.a` of the header: expected a text, found 1",
    ),
    (
        "\"per\":\"game\"",
        "\"per\":\"week\"",
        1,
        "key `strikes.per` of the header: expected one of game, decision, found \"week\"",
    ),
    (
        "\"then\":\"skip\"",
        "\"then\":\"jump\"",
        1,
        "key `strikes.then` of the header: expected one of skip, first-option, neutral, forfeit, hook, found \"jump\"",
    ),
    (
        "\"seat\":2,\"name\"",
        "\"seat\":1,\"name\"",
        1,
        "key `players[1].seat` of the header: expected 2, found 1",
    ),
    (
        "\"map_hash\":\"0",
        "\"map_hash\":\"g",
        1,
        "key `map_hash` of the header: expected 32 digits 0 to 9 and a to f, found \"g123456789abcdef0123456789abcdef\"",
    ),
];

#[test]
fn what_is_wrong_in_a_line_is_said_to_the_word() {
    let whole = read(&summed(PLAIN)).unwrap();
    assert!(
        whole.is_whole() && whole.lines.len() == 5 && whole.answers() == 1,
        "{whole:?}"
    );
    for &(from, to, line, said) in WRONG {
        assert!(PLAIN.contains(from), "{from}");
        let text = summed(&PLAIN.replacen(from, to, 1));
        let broken = read(&text).map_or_else(|broken| broken, |record| record.broken.unwrap());
        assert_eq!((broken.line, broken.text.as_str()), (line, said), "{to}");
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
    let refused = |count: usize| {
        format!("key `players` of the header: expected 1 to 32 players, found {count}")
    };
    assert_eq!(with(0).unwrap_err().text, refused(0));
    assert_eq!(with(32).unwrap().header.players.len(), 32);
    assert_eq!(with(33).unwrap_err().text, refused(33));
}

#[test]
fn a_line_has_a_mebibyte_at_the_most() {
    let with = |blanks: usize| summed(&PLAIN.replacen("done", &"x".repeat(blanks), 1));
    let fixed = with(0).lines().nth(1).unwrap().len();
    let most = 1_048_576;
    assert_eq!(read(&with(most - fixed)).unwrap().broken, None);
    let broken = read(&with(most - fixed + 1)).unwrap().broken.unwrap();
    let text = "the line has 1048577 bytes, and 1048576 are the most";
    assert_eq!((broken.line, broken.text.as_str()), (2, text));
}

#[test]
fn where_a_record_ends_is_said_with_its_line() {
    let text = summed(PLAIN);
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let cut = "the record is cut off in the middle of a line";
    let early = "the record ends before the game does";
    // The length of the text; the line and text of the error.
    let rows = [
        (ends[3], Some((5, early))),
        (ends[3] - 1, Some((5, early))),
        (ends[3] - 2, Some((4, cut))),
        (ends[2] + 1, Some((4, cut))),
        (ends[5] - 1, None),
        (ends[5], None),
    ];
    for (len, wanted) in rows {
        let record = read(&text[..len]).unwrap();
        let found = record
            .broken
            .as_ref()
            .map(|broken| (broken.line, broken.text.as_str()));
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
