//! People who answer in secret, in one page that passes from one to the next.

use std::collections::BTreeSet;

use risk_testing::games::setup;
use risk_testing::leaks::leak;
use serde_json::{Value, json};

use crate::page::Page;

const LINK: &str = "ruleset=warzone&map=four-corners&bot=name%3Dann%2Cbot%3Dhuman\
                    &bot=name%3Dbob%2Cbot%3Dhuman&bot=outnumber&seed=3&seats=fixed";

const ANN: Option<usize> = Some(0);
const BOB: Option<usize> = Some(1);

fn auto() -> Value {
    json!({ "auto": true })
}

/// What each of the two does in a round; `null` stands for the first option.
fn script(seat: usize) -> Vec<Value> {
    match seat {
        0 => vec![Value::Null, Value::Null, json!({ "undo": true }), auto()],
        _ => vec![Value::Null, auto()],
    }
}

/// Plays a round in which the seats do what they do in this order. Nothing reaches the record or
/// the link until everyone is ready.
fn round(page: &mut Page, order: &[usize]) {
    let before = (page.record(), page.link());
    let mut scripts = [0, 1].map(|seat| script(seat).into_iter());
    for (at, &seat) in order.iter().enumerate() {
        let saved = match scripts[seat].next().unwrap() {
            Value::Null => {
                let option = page.first_option(seat);
                page.said(seat, &json!({ "do": option }))
            }
            what => page.said(seat, &what),
        };
        let is_last = at + 1 == order.len();
        assert_eq!(saved, is_last, "{order:?}: {at}");
        let is_same = (page.record(), page.link()) == before;
        assert_eq!(is_same, !is_last, "{order:?}: {at}");
    }
}

#[test]
fn secret_answers_in_any_order_lead_to_the_same_game() {
    let orders: [&[usize]; 5] = [
        &[0, 0, 0, 0, 1, 1],
        &[1, 1, 0, 0, 0, 0],
        &[0, 1, 0, 0, 1, 0],
        &[1, 0, 0, 0, 0, 1],
        &[0, 0, 1, 0, 0, 1],
    ];
    let mut all = BTreeSet::new();
    let mut last = None;
    for order in orders {
        let mut page = Page::new(LINK);
        round(&mut page, order);
        let link = page.link();
        let (mut other, differences) = Page::of(&link);
        assert!(differences.is_empty(), "{differences:?}");
        assert_eq!(other.record(), page.record());
        all.insert((link, page.record()));
        last = Some([page, other]);
    }
    assert_eq!(all.len(), 1);
    let [mut page, mut other] = last.unwrap();
    for page in [&mut page, &mut other] {
        round(page, orders[2]);
    }
    assert_eq!(other.record(), page.record());
}

/// A page that a link opens in the middle of a secret phase knows none of its answers.
#[test]
fn a_link_from_a_secret_phase_begins_the_phase_again() {
    let mut page = Page::new(LINK);
    round(&mut page, &[0, 0, 0, 0, 1, 1]);
    let orders = page.look(BOB)["orders"].clone();
    page.choose(1);
    assert_ne!(page.look(BOB)["orders"], orders);
    let mut other = Page::of(&page.link()).0;
    assert_eq!(other.look(BOB)["orders"], orders);
    assert_eq!(other.record(), page.record());
}

#[test]
fn nobody_sees_when_another_one_answers_in_secret() {
    let mut page = Page::new(LINK);
    round(&mut page, &[0, 0, 0, 0, 1, 1]);
    // Bob has an order that is repeated whenever ann does something.
    page.choose(1);
    page.choose(1);
    let seen = |page: &mut Page| [BOB, None].map(|seat| page.look(seat));
    let before = seen(&mut page);
    assert_eq!(before[0]["orders"].as_array().unwrap().len(), 2);
    let first = page.first_option(0);
    let done = json!({ "done": true });
    let requests = [
        (json!({ "do": first }), Ok(&done)),
        (json!({ "hint": true }), Err("")),
        (json!({ "do": first }), Ok(&done)),
        (json!({ "undo": true }), Ok(&done)),
        (
            json!({ "do": ["place", "nowhere", 1] }),
            Err("people::action"),
        ),
        (json!({ "say": "place" }), Err("people::typed")),
        (json!({ "retract": 7 }), Err("people::retract")),
        (json!({ "retract": 0 }), Ok(&done)),
        (json!({ "more": 1 }), Err("request::body")),
        (auto(), Ok(&done)),
    ];
    for (what, expected) in requests {
        let said = page.say(0, &what).map(|(said, saved)| {
            assert!(!saved, "{what}");
            said
        });
        match (said, expected) {
            (Ok(said), Ok(expected)) => assert_eq!(said, *expected, "{what}"),
            (Ok(said), Err("")) => assert!(said["told"].is_string(), "{said}"),
            (Err((code, _)), Err(expected)) => assert_eq!(code, expected, "{what}"),
            other => panic!("{what}: {other:?}"),
        }
        assert_eq!(seen(&mut page), before, "{what}");
    }
    assert_eq!(page.asked(), [1]);
    assert!(page.said(1, &auto()));
}

/// A question keeps its number until it is answered, and then no late request meets another one.
#[test]
fn a_request_for_a_question_that_is_answered_is_refused() {
    for link in [
        LINK,
        "ruleset=codelab&map=grid%3A4x4&bot=human&bot=random&seed=3",
    ] {
        let mut page = Page::new(link);
        let id = |page: &mut Page| page.look(ANN)["question"]["id"].as_u64().unwrap();
        let first = id(&mut page);
        page.say(0, &json!({ "hint": true })).unwrap();
        page.say(0, &json!({ "say": "?" })).unwrap_err();
        assert_eq!(id(&mut page), first, "{link}");
        let option = page.first_option(0);
        let say = |id: u64| risk_playground::Request::Say {
            seat: 0,
            request: json!({ "question": id, "do": option }),
        };
        page.ask(say(first)).unwrap();
        assert_ne!(id(&mut page), first, "{link}");
        for wrong in [first, first + 7, 0] {
            let record = page.record();
            assert_eq!(page.ask(say(wrong)).unwrap_err().0, "people::not-open");
            assert_eq!(page.record(), record);
        }
    }
}

/// A person who gives up in a secret phase is not asked again, whether or not others are ready.
#[test]
fn a_person_gives_up_in_secret() {
    let mut page = Page::new(LINK);
    page.choose(0);
    assert!(!page.said(1, &json!({ "resign": true })));
    assert_eq!(page.asked(), [0]);
    assert!(page.said(0, &auto()));
    assert_eq!(page.record().matches("\"kind\":\"resigned\"").count(), 1);
    let (mut other, differences) = Page::of(&page.link());
    assert!(differences.is_empty(), "{differences:?}");
    for page in [&mut page, &mut other] {
        page.pass(3);
    }
    assert_eq!(other.record(), page.record());
}

#[test]
fn spectators_see_nothing_that_is_hidden() {
    let options = [("fog", "dense")];
    let setup = setup("warzone", Some("four-corners"), &["random"; 3], 3, &options);
    let worker = risk_engine::Worker::new(&setup).unwrap();
    let mut page = Page::new(&format!("{LINK}&option=fog%3Ddense"));
    for _ in 0..4 {
        for seat in [0, 1] {
            page.choose(seat);
            let mut sheet = page.seen(None);
            assert_eq!(sheet["orders"], Value::Null);
            assert_eq!(sheet["question"], Value::Null);
            assert_eq!(sheet["waits"], json!({ "seat": null }));
            let frames = sheet["timeline"].as_array_mut().unwrap();
            for frame in frames.iter_mut().filter(|frame| frame["t"].is_array()) {
                // The ruleset tells it to all.
                let texts = frame["t"].as_array_mut().unwrap();
                texts.retain(|text| text[1] != "earns a card");
            }
            assert_eq!(leak(frames, worker.decl(), &BTreeSet::new()), None);
        }
        page.pass(2);
    }
    // People see what is theirs.
    let frames = page.seen(ANN)["timeline"].take();
    let frames = frames.as_array().unwrap();
    assert!(leak(frames, worker.decl(), &BTreeSet::new()).is_some());
}

/// With `takeback`, ann takes back orders that were executed with dice, and then earlier ones.
#[test]
fn a_takeback_is_not_repeated_by_later_requests() {
    let mut page = Page::new(&format!("{LINK}&takeback=true"));
    round(&mut page, &[0, 0, 0, 0, 1, 1]);
    page.choose(1);
    let mut orders = Vec::new();
    for undos in 0..3 {
        page.said(0, &json!({ "undo": true }));
        let state = |page: &mut Page| (page.record(), page.link(), page.look(ANN), page.look(BOB));
        let before = state(&mut page);
        for _ in 0..2 {
            page.say(0, &json!({ "hint": true })).unwrap();
            assert!(state(&mut page) == before, "a hint after {undos} undos");
        }
        let (mut other, differences) = Page::of(&before.1);
        assert!(differences.is_empty(), "{differences:?}");
        assert_eq!(other.link(), before.1);
        orders.push(before.2["orders"].as_array().unwrap().len());
    }
    assert!(
        orders.is_sorted_by(|more, fewer| more == &(fewer + 1)),
        "{orders:?}"
    );
    // The answers that are left are given again, and the round ends.
    for seat in page.asked() {
        page.said(seat, &auto());
    }
    let (mut other, differences) = Page::of(&page.link());
    assert!(differences.is_empty(), "{differences:?}");
    assert_eq!(other.link(), page.link());
    assert_eq!(other.look(ANN)["orders"], page.look(ANN)["orders"]);
}

#[test]
fn a_game_that_ends_behind_a_secret_phase_is_saved() {
    let mut page = Page::new(&format!("{LINK}&option=max_turns%3D3"));
    while !page.is_over() {
        assert!(!page.said(0, &auto()));
        assert!(page.said(1, &auto()));
    }
    assert!(page.record().contains("\"line\":\"end\""));
    assert_eq!(Page::of(&page.link()).0.record(), page.record());
}
