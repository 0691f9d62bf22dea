//! Records of games, verified and shown in a page.

use risk_engine::Worker;
use risk_playground::{Kind, Reply, Request};
use risk_testing::edits::chained;
use risk_testing::games::{TINY, recorded, setup, tiny};
use serde_json::Value;

use crate::page::{Page, Refusal, value_of, with_value};

/// The reply to a record: the digest, the number of frames, and what differs.
type Shown = (String, usize, Option<String>);

fn replay(page: &mut Page, record: &str) -> Result<Shown, Refusal> {
    let record = record.to_owned();
    match page.ask(Request::Replay { record })? {
        Reply::Replay {
            title,
            map,
            head,
            frames,
            digest,
            differs,
        } => {
            assert!(
                title.contains(", seed ") && map.starts_with("<svg"),
                "{title}"
            );
            assert!(head["players"].is_array());
            Ok((digest, frames.len(), differs))
        }
        other => panic!("{other:?}"),
    }
}

/// Returns the record of the program of a game between bots.
fn of_bots(ruleset: &str, map: &str, bots: &[&str], number: u64) -> String {
    let setup = setup(ruleset, Some(map), bots, 5, &[("max_turns", "40")]);
    recorded(&mut Worker::new(&setup).unwrap(), number).1
}

#[test]
fn a_record_of_the_program_is_the_game_of_the_same_link() {
    let games: [(&str, &str, &[&str], u64); 5] = [
        (
            "hasbro",
            "four-corners",
            &["general", "random", "holder"],
            2,
        ),
        ("codelab", "grid:4x4", &["general", "oracle:10"], 0),
        ("starwars", "starwars", &["admiral", "random"], 0),
        ("warzone", "four-corners", &["outnumber", "marshal"], 1),
        (
            "missions",
            "four-corners",
            &["agent", "random", "random"],
            0,
        ),
    ];
    for (ruleset, map, bots, number) in games {
        let record = of_bots(ruleset, map, bots, number);
        let bots: String = bots.iter().map(|bot| format!("&bot={bot}")).collect();
        let link = format!(
            "ruleset={ruleset}&map={map}{bots}&seed=5&game={number}&option=max_turns%3D40\
             &seats=rotate"
        );
        let mut page = Page::new(&link);
        let found = page.record();
        for (found, expected) in found.lines().zip(record.lines()) {
            assert_eq!(found, expected, "{link}");
        }
        assert_eq!(found.len(), record.len());
        let (digest, frames, differs) = replay(&mut Page::default(), &record).unwrap();
        assert!(differs.is_none() && frames > 5, "{differs:?}");
        assert_eq!(Some(&*digest), value_of(&page.link(), "digest"));
    }
}

/// Records of games that are not over, that are over, and in which a person took answers back.
#[test]
fn a_record_of_a_page_is_verified_at_each_moment() {
    let link = "ruleset=codelab&map=grid%3A4x4&bot=human&bot=random&seed=3&takeback=true";
    let mut page = Page::new(link);
    let undo = serde_json::json!({ "undo": true });
    while !page.is_over() {
        page.pass(3);
        if !page.is_over() {
            page.said(0, &undo);
            page.pass(1);
        }
        let record = page.record();
        let (digest, _, differs) = replay(&mut page, &record).unwrap();
        assert_eq!(differs, None);
        assert_eq!(Some(&*digest), value_of(&page.link(), "digest"));
    }
    assert!(page.record().contains("\"line\":\"undo\""));
}

#[test]
fn each_changed_line_of_a_record_is_found() {
    let record = of_bots("codelab", "grid:4x4", &["general", "random"], 0);
    let mut page = Page::default();
    let lines: Vec<&str> = record.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        // The last digit before the sum of a line, or a letter of a name.
        let sum = line.find(",\"sum\":\"").unwrap();
        let Some(place) = line[..sum].rfind(|it: char| it.is_ascii_digit()) else {
            panic!("{line}");
        };
        let digit = line.as_bytes()[place];
        let other = if digit == b'1' { '2' } else { '1' };
        let changed = format!("{}{other}{}", &line[..place], &line[place + 1..]);
        let mut changed_lines = lines.clone();
        changed_lines[at] = &changed;
        let text = changed_lines.join("\n") + "\n";
        let found = replay(&mut page, &text);
        let is_found = match &found {
            Ok((_, _, differs)) => differs.is_some(),
            Err((code, _)) => code.starts_with("record::"),
        };
        assert!(is_found, "line {at}: {changed}: {found:?}");
        if at > 40 {
            break;
        }
    }
}

/// Records, and the code of the refusal; none if the page shows them and names what differs.
#[test]
fn damaged_records_are_refused() {
    let record = of_bots("codelab", "grid:4x4", &["general", "random"], 0);
    let header = record.lines().next().unwrap();
    let half = &record[..record.len() / 2];
    // A forger recomputes the sums.
    let forged = |from: &str, to: &str| chained(&record.replacen(from, to, 1));
    let program = forged("\"bot\":\"random\"", "\"bot\":\"cmd:sh\"");
    let cases: [(String, Option<&str>); 13] = [
        (String::new(), Some("record::damaged")),
        ("{}".to_owned(), Some("record::damaged")),
        ("[".repeat(1 << 20), Some("record::damaged")),
        ("x".repeat(1 << 20), Some("record::damaged")),
        (format!("{header}\n{header}\n"), None),
        (half.to_owned(), None),
        (
            record.replacen("codelab", "nosuch", 1),
            Some("record::damaged"),
        ),
        (
            forged("\"format\":3", "\"format\":4"),
            Some("record::damaged"),
        ),
        (forged("\"codelab\"", "\"nosuch\""), Some("load::unknown")),
        (
            forged("\"codelab\"", "\"../nosuch.rhai\""),
            Some("load::unknown"),
        ),
        (forged("grid:4x4", "grid:4x5"), Some("record::differs")),
        (forged("\"seed\":\"5\"", "\"seed\":\"6\""), None),
        (forged("\"game\":0", "\"game\":18446744073709551615"), None),
    ];
    let mut page = Page::default();
    for (record, code) in cases {
        let shown: String = record.chars().take(200).collect();
        match (replay(&mut page, &record), code) {
            (Ok((_, _, differs)), None) => assert!(differs.is_some(), "{shown}"),
            (Err((found, _)), Some(code)) => assert_eq!(found, code, "{shown}"),
            other => panic!("{shown}: {other:?}"),
        }
        let page_of = page.ask(Request::Page { record });
        assert_eq!(page_of.is_err(), code.is_some(), "{shown}");
    }
    // Programs of a record are not started: their answers are in it.
    assert_eq!(replay(&mut page, &program).unwrap().2, None);
}

/// The program names own files by their paths, and a page by their names.
#[test]
fn records_with_own_files_need_them() {
    let mine = "fn ruleset() { #{ extends: \"codelab\", name: \"mine\" } }";
    let folder = tiny();
    let path = folder.path().join("mine.rhai");
    std::fs::write(&path, mine).unwrap();
    let map = folder.path().join("tiny.yaml");
    let bots = ["random", "general"];
    let of_paths = setup(path.to_str().unwrap(), map.to_str(), &bots, 3, &[]);
    let of_paths = recorded(&mut Worker::new(&of_paths).unwrap(), 0).1;
    let mut page = Page::default();
    page.add(Kind::Ruleset, "mine", mine).unwrap();
    page.add(Kind::Map, "tiny", TINY).unwrap();
    page.open("ruleset=mine&map=tiny&bot=random&bot=general&seed=3")
        .unwrap();
    let of_names = page.record();
    let digest = value_of(&page.link(), "digest").map(str::to_owned);
    folder.close().unwrap();
    for record in [&of_names, &of_paths] {
        let (found, _, differs) = replay(&mut page, record).unwrap();
        assert_eq!((Some(found), differs), (digest.clone(), None));
        let refusal = replay(&mut Page::default(), record).unwrap_err();
        assert_eq!(refusal.0, "load::unknown", "{refusal:?}");
        let other = TINY.replace("bonus: 2", "bonus: 3");
        page.add(Kind::Map, "tiny", &other).unwrap();
        assert_eq!(replay(&mut page, record).unwrap_err().0, "record::differs");
        page.add(Kind::Map, "tiny", TINY).unwrap();
    }
}

#[test]
fn a_recorded_game_is_a_page_that_works_offline() {
    let record = of_bots("codelab", "grid:4x4", &["general", "random"], 0);
    let page = Page::default().text(Request::Page { record });
    assert!(page.starts_with("<!doctype html>"));
    assert!(page.contains("general wins against random: codelab on grid:4x4"));
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));
}

#[test]
fn a_link_without_a_seed_has_the_seed_0() {
    let link = "ruleset=codelab&map=grid%3A4x4&bot=random&bot=general";
    let zero = Page::new(&with_value(link, "seed", "0")).record();
    assert_eq!(Page::new(link).record(), zero);
    let one = Page::new(&with_value(link, "seed", "1")).record();
    assert_ne!(zero, one);
    let header: Value = serde_json::from_str(one.lines().next().unwrap()).unwrap();
    assert_eq!(header["seed"], "1");
}
