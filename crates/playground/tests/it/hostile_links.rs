//! Links that are damaged, or made to do harm: each is refused, and the page goes on.

use risk_playground::{Kind, LONGEST_LINK, Request};
use serde_json::json;

use crate::page::{Page, own, packed, unpacked, value_of, with_value};

const LINK: &str = "ruleset=codelab&map=grid%3A4x4&bot=human&bot=general&seed=3";

/// Opens each link in one page, which must refuse it with this code and a text with these words.
/// The game before goes on after each of them.
fn refused<'a>(links: impl IntoIterator<Item = (String, &'a str, &'a str)>) {
    let mut page = Page::new(LINK);
    page.pass(2);
    let before = page.link();
    for (link, code, words) in links {
        let shown: String = link.chars().take(200).collect();
        let result = page.open(&link);
        let (found, text) = result.expect_err(&shown);
        let text = text.replace('│', "");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            found == code && text.contains(words),
            "{shown}: {found}: {text}"
        );
        assert_eq!(page.link(), before, "{shown}");
    }
    page.pass(1);
    assert_ne!(page.link(), before);
}

fn changed(key: &str, value: &str) -> String {
    with_value(LINK, key, value)
}

/// A key, a value, the code of the refusal, and words of it.
const VALUES: [(&str, &str, &str, &str); 34] = [
    (
        "v",
        "2",
        "playground::link",
        "format 2, which is newer than 1",
    ),
    (
        "v",
        "0",
        "playground::link",
        "format 0, which is older than 1",
    ),
    ("v", "x", "playground::link", "`v` must be the number"),
    ("v", "-1", "playground::link", "`v` must be the number"),
    (
        "v",
        "99999999999",
        "playground::link",
        "`v` must be the number",
    ),
    ("ruleset", "", "playground::link", "names no ruleset"),
    ("ruleset", "nosuch", "load::unknown", "nosuch"),
    ("ruleset", "/etc/passwd", "load::file", "is not a script"),
    ("ruleset", "../x.rhai", "load::file", "can't read ../x.rhai"),
    ("ruleset", "%ff%00%1b[2J", "load::unknown", "\\u{1b}[2J"),
    ("map", "nosuch", "load::unknown", "nosuch"),
    (
        "map",
        "/nowhere/x.map",
        "load::file",
        "can't read /nowhere/x.map",
    ),
    ("map", "../x.yaml", "load::file", "can't read ../x.yaml"),
    (
        "map",
        "grid%3A99999x99999",
        "map::made",
        "is not a valid generated map",
    ),
    (
        "option",
        "max_turns",
        "playground::link",
        "an option is `option=NAME=VALUE`",
    ),
    ("option", "nosuch%3D1", "cli::option", "nosuch"),
    ("option", "max_turns%3D1%26x", "cli::option", "max_turns"),
    (
        "players",
        "x",
        "playground::link",
        "`players` must be a whole number",
    ),
    (
        "players",
        "-1",
        "playground::link",
        "`players` must be a whole number",
    ),
    ("players", "0", "cli::players", "for 0 players"),
    ("players", "33", "cli::players", "1 to 32 players, found 33"),
    (
        "players",
        "99999999999999999999",
        "playground::link",
        "`players` must be a whole number",
    ),
    ("seed", "seven%00", "playground::link", "seed"),
    ("seed", "-", "playground::link", "seed"),
    (
        "game",
        "18446744073709551616",
        "playground::link",
        "`game` must be a whole number",
    ),
    (
        "game",
        "-1",
        "playground::link",
        "`game` must be a whole number",
    ),
    (
        "takeback",
        "false",
        "playground::link",
        "`takeback` must be true",
    ),
    (
        "seats",
        "mine",
        "playground::link",
        "`seats` is not a seating",
    ),
    (
        "answers",
        "!",
        "playground::link",
        "`answers` of the link is damaged",
    ),
    (
        "answers",
        "AAAA",
        "playground::link",
        "`answers` of the link is damaged",
    ),
    (
        "files",
        "!",
        "playground::link",
        "`files` of the link is damaged",
    ),
    (
        "files",
        "AAAA",
        "playground::link",
        "`files` of the link is damaged",
    ),
    ("file", "x", "playground::link", "unknown key `file`"),
    ("%1b", "x", "playground::link", "unknown key"),
];

#[test]
fn values_that_are_not_valid_are_refused() {
    let cases = VALUES.map(|(key, value, code, words)| (changed(key, value), code, words));
    refused(cases);
}

#[test]
fn keys_are_given_once() {
    let keys = [
        "v", "ruleset", "map", "players", "seed", "game", "takeback", "answers", "files", "hashes",
        "digest", "version", "seats",
    ];
    let value = |key: &str| match key {
        "v" | "game" | "players" => "1".to_owned(),
        "takeback" => "true".to_owned(),
        "seats" => "fixed".to_owned(),
        "answers" => packed(&[]),
        "files" => packed(b"[]"),
        "hashes" => "a.b.c".to_owned(),
        other => other.to_owned(),
    };
    for key in keys {
        let pair = format!("{key}={}", value(key));
        let twice = format!("the link has `{key}` twice");
        refused([(format!("{pair}&{pair}"), "playground::link", &*twice)]);
    }
}

/// A bot, the code of the refusal, and words of it.
const BOTS: [(&str, &str, &str); 20] = [
    ("cmd:sh", "bot::spec", "bots here: cmd:sh"),
    ("cmd:sh -c 'touch x'", "bot::spec", "bots here: cmd:sh -c"),
    ("http://127.0.0.1:1", "load::file", "is not a script"),
    ("https://example.org/bot", "bot::spec", "bots here: https:"),
    ("wss://example.org", "bot::spec", "bots here: wss:"),
    ("/etc/passwd", "load::file", "is not a script"),
    ("../x.rhai", "load::file", "can't read ../x.rhai"),
    ("name=a,bot=/etc/passwd", "load::file", "is not a script"),
    ("general,clock=60", "bot::spec", "unknown setting `clock`"),
    (
        "general,timeout=1",
        "bot::spec",
        "unknown setting `timeout`",
    ),
    ("general,set.x=1", "bot::spec", "applies only to scripts"),
    ("human,set.x=1", "bot::spec", "applies only to scripts"),
    ("human:9", "load::unknown", "no bot named `human:9`"),
    ("general:9", "bot::level", "no level of `general`"),
    ("oracle:99999999999", "bot::level", "no level of `oracle`"),
    ("nosuch", "load::unknown", "no bot named `nosuch`"),
    ("", "bot::spec", "`bot` has no value"),
    ("name=,bot=general", "bot::spec", "`name` has no value"),
    (
        "bot=general,bot=random",
        "bot::spec",
        "duplicate setting `bot`",
    ),
    ("\"general", "bot::spec", "unclosed quote"),
];

#[test]
fn bots_of_links_are_not_programs_addresses_or_files() {
    let cases = BOTS.map(|(bot, code, words)| {
        let bot = form_urlencoded::byte_serialize(bot.as_bytes()).collect::<String>();
        (format!("{LINK}&bot={bot}"), code, words)
    });
    refused(cases);
    let many = format!("{LINK}{}", "&bot=general".repeat(31));
    refused([(many, "cli::players", "1 to 32 players, found 33")]);
}

/// Writes a number as links do.
fn written(number: u32) -> Vec<u8> {
    let mut rest = number << 1;
    let mut all = Vec::new();
    while rest >= 0x80 {
        all.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    all.push(rest as u8);
    all
}

fn with_answers(answers: &[u8]) -> String {
    let link = changed("answers", &packed(answers));
    assert!(link.len() <= LONGEST_LINK);
    link
}

#[test]
fn answers_that_are_damaged_are_refused() {
    let counted = |count: u32, rest: &[u8]| [written(count), rest.to_vec()].concat();
    let cases: [Vec<u8>; 10] = [
        vec![0x80],
        vec![0x80; 5],
        vec![0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
        vec![0xff, 0xff, 0xff, 0xff, 0x7f],
        // Counts of answers that are negative, too large, and too small.
        vec![0x01, 0x02],
        counted(3, &[2, 2]),
        counted(i32::MAX as u32, &[2]),
        counted(1, &[2, 2]),
        vec![0; 1_000_001],
        vec![0; 16 << 20],
    ];
    let damaged = "`answers` of the link is damaged";
    refused(cases.map(|answers| (with_answers(&answers), "playground::link", damaged)));
}

#[test]
fn answers_that_do_not_fit_the_game_are_refused() {
    let mut page = Page::new(LINK);
    page.pass(2);
    let link = page.link();
    let whole = unpacked(value_of(&link, "answers").unwrap());
    let [verb, land] = [whole[1], whole[2]];
    let no_action = "answer 1 of the link does not fit the game: there is no such action";
    let cases: [(&[u8], u32, &str); 11] = [
        // -1, the smallest and the greatest number, and a verb behind the last one.
        (&[0x01], 1, no_action),
        (&[0xff, 0xff, 0xff, 0xff, 0x0f], 1, no_action),
        (&[0xfe, 0xff, 0xff, 0xff, 0x0f], 1, no_action),
        (&[0x7e], 1, no_action),
        (&[verb], 1, "it is cut"),
        (&[verb, land], 2, "it is cut"),
        (&[verb, 0x7e, 0x02], 3, "illegal action `place"),
        (
            &[verb, land, 0xfe, 0xff, 0xff, 0xff, 0x0f],
            3,
            "illegal action `place",
        ),
        (
            &[verb, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x02],
            3,
            "illegal action `place",
        ),
        // A person gives up twice, and a million times.
        (&[0, 0], 2, "answer 1 of the link does not fit"),
        (&[0; 999_000], 999_000, "the next one is never asked for"),
    ];
    refused(cases.map(|(answers, count, words)| {
        let answers = [&written(count), answers].concat();
        (with_answers(&answers), "playground::link", words)
    }));
    // Bots decide for themselves.
    let mut of_bots = with_value(&link, "bot", "general");
    of_bots += "&bot=general";
    let damaged = "`answers` of the link is damaged";
    let long = changed("digest", &"x".repeat(LONGEST_LINK));
    refused([
        (of_bots, "playground::link", damaged),
        (long, "playground::link", "at most 32000 characters"),
    ]);
}

/// Returns the link with this text in `files`.
fn with_files(files: &[u8]) -> String {
    let link = changed("files", &packed(files));
    assert!(link.len() <= LONGEST_LINK);
    link
}

#[test]
fn files_that_are_no_files_are_refused() {
    let more = json!([{ "kind": "bot", "name": "x", "text": "", "more": 1 }]).to_string();
    let program = json!([{ "kind": "program", "name": "x", "text": "" }]).to_string();
    let cases: [&[u8]; 7] = [
        b"",
        b"{}",
        b"[1]",
        more.as_bytes(),
        program.as_bytes(),
        &b"[".repeat(1 << 20),
        &b" ".repeat(16 << 20),
    ];
    let damaged = "`files` of the link is damaged";
    refused(cases.map(|files| (with_files(files), "playground::link", damaged)));
}

#[test]
fn files_of_links_have_names_that_are_free() {
    let long = "x".repeat(41);
    let form = "a name has 1 to 40 letters";
    let cases = [
        (Kind::Ruleset, "hasbro", "has a ruleset named hasbro"),
        (Kind::Ruleset, "fog", "has a ruleset named fog"),
        (Kind::Map, "world", "has a map named world"),
        (Kind::Map, "grid:5x5", form),
        (Kind::Bot, "general", "has a bot named general"),
        (Kind::Bot, "marshal", "has a bot named marshal"),
        (Kind::Bot, "human", "has a bot named human"),
        (Kind::Bot, "../x", form),
        (Kind::Bot, "/etc/passwd", form),
        (Kind::Bot, "x.rhai", form),
        (Kind::Bot, "\u{202e}x", form),
        (Kind::Bot, "", form),
        (Kind::Bot, &long, form),
    ];
    refused(cases.map(|(kind, name, words)| {
        let files = serde_json::to_vec(&[own(kind, name, "")]).unwrap();
        (with_files(&files), "playground::file", words)
    }));
}

#[test]
fn files_of_links_are_few_and_small() {
    let all = |count: usize, size: usize| {
        let text = " ".repeat(size);
        let files = (0..count).map(|it| own(Kind::Bot, &format!("bot{it}"), &text));
        with_files(&serde_json::to_vec(&files.collect::<Vec<_>>()).unwrap())
    };
    let most = 1 << 20;
    refused([
        (all(65, 0), "playground::file", "more than 64 own files"),
        (
            all(1, most + 1),
            "playground::file",
            "more than 1048576 bytes",
        ),
        (
            all(9, most),
            "playground::link",
            "`files` of the link is damaged",
        ),
    ]);
    Page::new(&all(7, most));
}

#[test]
fn the_last_game_of_all_can_be_opened() {
    let last = with_value(LINK, "game", &u64::MAX.to_string());
    let mut page = Page::new(&last);
    page.pass(2);
    assert_eq!(Page::of(&page.link()).0.record(), page.record());
    let link = with_value(&last, "bot", "general");
    page.ask(Request::Match { link }).unwrap();
    page.pieces(0, 1).unwrap();
    for (from, count) in [(1, 1), (0, 2), (u64::MAX, 1), (u64::MAX, 1_000)] {
        let refusal = page.pieces(from, count).unwrap_err();
        assert_eq!(refusal.0, "playground::match");
    }
}

#[test]
fn a_link_that_lost_its_end_is_refused() {
    let mut page = Page::new(LINK);
    page.pass(3);
    let link = page.link();
    let cut = |at: &str| link.split(at).next().unwrap().to_owned();
    let missing = "the end of the link is missing";
    let cases =
        ["&answers=", "&version=", "&digest="].map(|at| (cut(at), "playground::link", missing));
    refused(cases);
}
