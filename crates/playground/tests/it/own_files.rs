//! Rulesets, maps and bots of the page's user: what a link takes along, and what it says if
//! something has changed.

use risk_playground::{Kind, Reply, Request};
use risk_testing::games::TINY;
use serde_json::{Value, json};

use crate::page::{Page, unpacked, value_of, with_value};

const BASE: &str = "fn ruleset() { #{ extends: \"codelab\", name: \"base\" } }";
const MINE: &str = "fn ruleset() { #{
    extends: \"base\", name: \"mine\", map: \"tiny\", bots: [\"leader\"],
} }";
const LEADER: &str = "import \"helper\" as helper;
fn answer(view, ask) { helper::pick(ask) }";
const HELPER: &str = "fn pick(ask) { ask.nth(ask.len - 1) }";
const OTHER: &str = "fn answer(view, ask) { ask.random() }";

const FILES: [(Kind, &str, &str); 7] = [
    (Kind::Ruleset, "base", BASE),
    (Kind::Ruleset, "mine", MINE),
    (Kind::Ruleset, "unused", BASE),
    (Kind::Map, "tiny", TINY),
    (Kind::Map, "unused", TINY),
    (Kind::Bot, "leader", LEADER),
    (Kind::Bot, "helper", HELPER),
];

fn page() -> Page {
    let mut page = Page::default();
    for (kind, name, text) in FILES {
        assert_eq!(page.add(kind, name, text), Ok(Reply::Done));
    }
    page
}

/// Returns the names of the files in a link.
fn files(link: &str) -> Vec<String> {
    let files = value_of(link, "files").map_or_else(|| b"[]".to_vec(), unpacked);
    let files: Value = serde_json::from_slice(&files).unwrap();
    let name = |file: &Value| {
        let [kind, name] = ["kind", "name"].map(|key| file[key].as_str().unwrap());
        format!("{kind} {name}")
    };
    files.as_array().unwrap().iter().map(name).collect()
}

/// Links, and the files that they need. A bot may import the other bots, so all of them go along.
#[test]
fn a_link_takes_along_the_files_that_its_game_needs() {
    let bots = ["bot helper", "bot leader"];
    let rules = ["ruleset base", "ruleset mine", "map tiny"];
    let cases = [
        ("ruleset=codelab&bot=human&bot=general", vec![]),
        (
            "ruleset=base&map=grid%3A4x4&bot=human&bot=random",
            vec!["ruleset base"],
        ),
        (
            "ruleset=codelab&map=tiny&bot=human&bot=random",
            vec!["map tiny"],
        ),
        (
            "ruleset=codelab&map=grid%3A4x4&bot=human&bot=leader",
            bots.to_vec(),
        ),
        (
            "ruleset=codelab&map=grid%3A4x4&bot=human&bot=name%3Dann%2Cbot%3Dleader",
            bots.to_vec(),
        ),
        (
            "ruleset=mine&bot=human&bot=leader",
            [&rules[..], &bots].concat(),
        ),
        (
            "ruleset=mine&bot=human&players=3",
            [&rules[..], &bots].concat(),
        ),
        // Hints come from the first bot of the ruleset, even if it has no seat.
        (
            "ruleset=mine&bot=human&bot=random",
            [&rules[..], &bots].concat(),
        ),
    ];
    for (link, mut expected) in cases {
        let mut page = page();
        page.open(&format!("{link}&seed=4")).unwrap();
        page.pass(3);
        let long = page.link();
        let mut found = files(&long);
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{link}");
        let (mut other, differences) = Page::of(&long);
        assert!(differences.is_empty(), "{link}: {differences:?}");
        assert_eq!(other.link(), long);
        for what in [json!({ "hint": true }), json!({ "auto": true })] {
            assert_eq!(other.say(0, &what), page.say(0, &what), "{link}");
        }
        assert_eq!(other.record(), page.record(), "{link}");
    }
}

#[test]
fn files_of_a_link_are_not_kept_for_other_games() {
    let mut page = page();
    page.open("ruleset=mine&bot=human&seed=4").unwrap();
    let link = page.link();
    let mut other = Page::of(&link).0;
    let again = other.open("ruleset=mine&bot=human&seed=4");
    assert_eq!(again.unwrap_err().0, "load::unknown");
    // They win over files of the same name.
    other
        .add(Kind::Ruleset, "base", "fn ruleset() { 1 }")
        .unwrap();
    other.open(&link).unwrap();
    assert_eq!(other.link(), link);
}

/// Parts of a link that another program would write, and how a page names the difference.
#[test]
fn what_differs_from_the_game_of_the_link_is_named() {
    let mut page = Page::new("ruleset=codelab&map=grid%3A4x4&bot=human&bot=general&seed=3");
    page.pass(4);
    let link = page.link();
    let hashes: Vec<&str> = value_of(&link, "hashes").unwrap().split('.').collect();
    assert_eq!(hashes.len(), 3);
    let other = |at: usize| {
        let mut hashes = hashes.clone();
        hashes[at] = "0123456789";
        hashes.join(".")
    };
    let changed = |what: &str| format!("{what} has changed since the link was made");
    let version = value_of(&link, "version").unwrap();
    let cases = [
        ("hashes", other(0), changed("the ruleset")),
        ("hashes", other(1), changed("the map")),
        ("hashes", other(2), changed("a bot")),
        (
            "digest",
            "0123456789abcdef".to_owned(),
            "the game at this moment is not the one of the link".to_owned(),
        ),
        (
            "version",
            "9.9.9%1b[2J".to_owned(),
            format!("the link is of version 9.9.9\\u{{1b}}[2J, this page of {version}"),
        ),
    ];
    let mut all = link.clone();
    for (key, value, difference) in &cases {
        let changed = with_value(&link, key, value);
        let (mut other, differences) = Page::of(&changed);
        assert_eq!(differences, std::slice::from_ref(difference), "{changed}");
        assert_eq!(other.record(), page.record());
        assert_eq!(other.link(), link, "the new link is of this page");
        all = with_value(&all, key, value);
    }
    // The last hash, the digest and the version at once.
    assert_eq!(Page::of(&all).1.len(), 3);
}

#[test]
fn a_changed_file_of_the_user_is_named() {
    let mut page = page();
    page.open("ruleset=mine&bot=human&seed=4").unwrap();
    page.pass(2);
    let link = page.link();
    let pairs = link.split('&').filter(|pair| !pair.starts_with("files="));
    let bare = pairs.collect::<Vec<_>>().join("&");
    let open = |changed: (Kind, &str, String)| {
        let mut other = self::page();
        other.add(changed.0, changed.1, &changed.2).unwrap();
        match other.open(&bare) {
            Ok(Reply::Opened { differences, .. }) => differences.join("; "),
            Err((code, text)) => format!("{code}: {text}"),
            other => panic!("{other:?}"),
        }
    };
    let same = (Kind::Ruleset, "base", BASE.to_owned());
    assert_eq!(open(same), "");
    let cases = [
        (
            Kind::Ruleset,
            "base",
            format!("{BASE} "),
            "the ruleset has changed",
        ),
        (
            Kind::Ruleset,
            "mine",
            format!("{MINE}\n"),
            "the ruleset has changed",
        ),
        (
            Kind::Map,
            "tiny",
            TINY.replace("bonus: 2", "bonus: 3"),
            "the map has changed",
        ),
        (
            Kind::Bot,
            "leader",
            format!("{LEADER} "),
            "a bot has changed",
        ),
        // The answers no longer fit.
        (
            Kind::Ruleset,
            "base",
            BASE.replace("codelab", "simplified"),
            "playground::link: ",
        ),
    ];
    for (kind, name, text, expected) in cases {
        let found = open((kind, name, text));
        assert!(found.starts_with(expected), "{name}: {found}");
        let is_changed = found.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(is_changed.contains("has changed since"), "{name}: {found}");
    }
}

#[test]
fn files_are_replaced_and_read_back() {
    let mut page = page();
    page.add(Kind::Bot, "leader", OTHER).unwrap();
    let text = |page: &mut Page, kind, name: &str| {
        let name = name.to_owned();
        page.text(Request::Text { kind, name })
    };
    assert_eq!(text(&mut page, Kind::Bot, "leader"), OTHER);
    assert_eq!(text(&mut page, Kind::Map, "tiny"), TINY);
    assert!(text(&mut page, Kind::Ruleset, "hasbro").contains("name: \"hasbro\""));
    let Ok(Reply::Catalog {
        rulesets,
        maps,
        bots,
        ..
    }) = page.ask(Request::Catalog {})
    else {
        panic!("no catalog");
    };
    assert!(maps.contains(&"tiny".to_owned()) && bots.contains(&"leader".to_owned()));
    let mine = rulesets.iter().find(|it| it.name == "mine").unwrap();
    assert_eq!(
        (&*mine.map, &mine.bots[..]),
        ("tiny", &["leader".to_owned()][..])
    );
    assert_eq!(mine.players, (2, 6));
}

#[test]
fn own_files_have_limits() {
    let mut page = Page::default();
    let most = " ".repeat(1 << 20);
    for number in 0..8 {
        page.add(Kind::Bot, &format!("bot{number}"), &most).unwrap();
    }
    let refusal = page.add(Kind::Bot, "bot8", "x").unwrap_err();
    assert_eq!(refusal.0, "playground::file");
    // The file that is there can be replaced by a smaller one.
    page.add(Kind::Bot, "bot7", "").unwrap();
    page.add(Kind::Bot, "bot8", "x").unwrap();
    let map = " ".repeat((4 << 20) + 1);
    assert_eq!(
        page.add(Kind::Map, "m", &map).unwrap_err().0,
        "playground::file"
    );
    for number in 9..64 {
        page.add(Kind::Map, &format!("map{number}"), "").unwrap();
    }
    assert_eq!(
        page.add(Kind::Map, "map", "").unwrap_err().0,
        "playground::file"
    );
}
