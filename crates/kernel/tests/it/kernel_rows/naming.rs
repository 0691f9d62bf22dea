//! Names in records and in stories, and errors about wrong words.

use std::collections::BTreeMap;

use risk_kernel::action::{Action, Options};
use risk_kernel::board::{Board, TerritoryInfo};
use risk_kernel::declare::{CardInfo, Declaration, SlotKind, VerbInfo};
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::{Card, Territory, Verb};
use risk_kernel::words::{Words, placeholders};

use super::say;
use risk_testing::facts::has_words;
use risk_testing::toy::{LENIENT, declaration};

/// Two territories, three cards, and a verb for each kind of parameter.
fn world() -> (Board, Declaration) {
    let land = |id: &str| TerritoryInfo {
        id: id.to_owned(),
        name: format!("Land {id}"),
        ..TerritoryInfo::default()
    };
    let continents = vec![GroupInfo {
        id: "w".to_owned(),
        name: "West".to_owned(),
        ..GroupInfo::default()
    }];
    let board = Board::new(
        "m".to_owned(),
        String::new(),
        vec![land("a"), land("b")],
        continents,
        &[],
    );
    let card = |name: &str, kind: i32, at: Option<Territory>| CardInfo {
        name: name.to_owned(),
        kind,
        at,
        title: None,
        tell: None,
        data: BTreeMap::new(),
    };
    let kinds = [
        SlotKind::Territory,
        SlotKind::Continent,
        SlotKind::Card,
        SlotKind::Unit,
        SlotKind::Player,
        SlotKind::Count,
    ];
    let verb = |kind: &SlotKind| VerbInfo::new(&format!("do_{kind:?}"), &[("it", *kind)]);
    let decl = Declaration {
        verbs: kinds.iter().map(verb).collect(),
        card_kinds: vec!["horse".to_owned(), "gun".to_owned()],
        cards: vec![
            card("one", 0, Some(Territory(1))),
            card("two", 0, None),
            card("three", 7, Some(Territory(0))),
        ],
        ..declaration(LENIENT)
    };
    (board, decl)
}

#[test]
fn things_are_named_for_records_and_for_people() {
    let (board, decl) = world();
    let words = Words::new(&board, &decl);
    // Verb and value; the text in a record and in a story.
    let rows = [
        (0, 1, "do_Territory b", "do Territory: Land b"),
        (0, 2, "do_Territory 2", "do Territory: 2"),
        (0, -1, "do_Territory -1", "do Territory: -1"),
        (1, 0, "do_Continent w", "do Continent: West"),
        (1, 1, "do_Continent 1", "do Continent: 1"),
        (2, 0, "do_Card one", "do Card: Land b (horse)"),
        (2, 1, "do_Card two", "do Card: two"),
        (2, 2, "do_Card three", "do Card: three"),
        (2, 3, "do_Card 3", "do Card: 3"),
        (3, 0, "do_Unit army", "do Unit: army"),
        (4, 0, "do_Player 1", "do Player: player 1"),
        (4, 31, "do_Player 32", "do Player: player 32"),
        (4, 32, "do_Player 33", "do Player: 33"),
        (4, -1, "do_Player -1", "do Player: -1"),
        (5, 7, "do_Count 7", "do Count: 7"),
    ];
    for (verb, value, record, story) in rows {
        let action = say(verb, &[value]);
        assert_eq!(
            (
                words.action(action).as_str(),
                words.sentence(action).as_str()
            ),
            (record, story)
        );
    }
    assert_eq!(words.card(Card(9)), "a card");
    assert_eq!(words.usage(Verb(0)), "do_Territory IT");
}

#[test]
fn wrong_words_name_what_is_expected() {
    let (board, decl) = world();
    let words = Words::new(&board, &decl);
    let wrong = [
        ("do_Count", "do_Count IT"),
        ("do_Count 1 2", "do_Count IT"),
        ("do_Count x", "x count it do_Count"),
        ("do_Player 0", "0 player it do_Player"),
        ("do_Nothing", "do_Nothing do_Territory do_Count"),
        ("", "action"),
    ];
    for (text, facts) in wrong {
        let error = words.parse(text).unwrap_err().to_string();
        assert!(has_words(&error, facts), "{text}: {error}");
    }
}

/// Returns the numbers at the end of a refusal, after its last name.
fn values(refusal: &str) -> String {
    let tail = refusal.rsplit('`').next().unwrap();
    let words = tail.split([' ', ',']);
    let is_value = |word: &&str| *word == "…" || word.parse::<i32>().is_ok();
    words.filter(is_value).collect::<Vec<_>>().join(" ")
}

/// The refusal names a span or up to eight values, and no value twice.
#[test]
fn refusals_name_what_was_offered_instead() {
    let (board, decl) = world();
    let words = Words::new(&board, &decl);
    let refused = |offers: &[(u8, &[i32])], said: Action| {
        let mut options = Options::new();
        for &(verb, values) in offers {
            let listed = options.among(values.iter().copied());
            options.offer(Verb(verb), &[listed]);
        }
        let why = options.admit(said).unwrap_err();
        words.refusal(&options, said, why)
    };
    let ten: Vec<i32> = (0..10).collect();
    // The offers, and the values that the refusal of player 21 lists.
    let rows: [(&[(u8, &[i32])], &str); 4] = [
        (&[(4, &ten[..8])], "1 2 3 4 5 6 7 8"),
        (&[(4, &ten[..9])], "1 2 3 4 5 6 7 8 …"),
        (&[(4, &[3]), (4, &[3, 1])], "2 4"),
        // Values of another verb do not fit.
        (&[(4, &[3]), (0, &[1])], "4"),
    ];
    for (offers, fitting) in rows {
        let text = refused(offers, say(4, &[20]));
        assert!(has_words(&text, "do_Player 21 it"), "{text}");
        assert_eq!(values(&text), fitting);
    }
    let counts: [(&[i32], &str); 2] = [(&[2, 3, 6], "2 6"), (&[4], "4")];
    for (offered, fitting) in counts {
        let text = refused(&[(5, offered)], say(5, &[99]));
        assert!(has_words(&text, "do_Count 99 it"), "{text}");
        assert_eq!(values(&text), fitting);
    }
    let other = refused(&[(4, &[1]), (5, &[1])], say(0, &[1]));
    assert!(
        has_words(&other, "do_Territory b do_Player do_Count"),
        "{other}"
    );
    let short = refused(&[(4, &[1])], say(4, &[]));
    assert!(has_words(&short, "do_Player IT 1 0"), "{short}");
}

#[test]
fn the_placeholders_of_a_sentence_are_between_braces_that_match() {
    let rows: [(&str, Option<&[&str]>); 11] = [
        ("", Some(&[])),
        ("waits", Some(&[])),
        ("bombs {at}", Some(&["at"])),
        ("{from} to {to}.", Some(&["from", "to"])),
        ("{a}{b}{a}", Some(&["a", "b", "a"])),
        ("{}", Some(&[""])),
        ("{a{b}", Some(&["a{b"])),
        ("bombs {at", None),
        ("bombs at}", None),
        ("}{", None),
        ("{a}}", None),
    ];
    for (template, wanted) in rows {
        assert_eq!(placeholders(template).as_deref(), wanted, "{template}");
    }
}
