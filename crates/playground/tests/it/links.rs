//! A link leads to the same game everywhere, at each moment of it.

use risk_engine::record::{self, RecordLine};
use serde_json::{Value, json};

use crate::page::{Page, unpacked, value_of};

/// What a record says, without what was taken back.
fn lines(page: &mut Page) -> Vec<RecordLine> {
    let record = record::read(&page.record()).unwrap();
    record.lines.into_iter().map(|(_, line)| line).collect()
}

/// Compares the records of two pages. A link keeps no trace of what was taken back.
fn same_record(page: &mut Page, other: &mut Page) {
    if page.record().contains("\"line\":\"undo\"") {
        assert_eq!(lines(page), lines(other));
        return;
    }
    let (ours, theirs) = (page.record(), other.record());
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours.len(), theirs.len());
}

/// Compares what people and spectators see in two pages.
fn same_view(page: &mut Page, other: &mut Page, seats: &[usize]) {
    assert_eq!(page.asked(), other.asked());
    for seat in seats.iter().copied().map(Some).chain([None]) {
        let (mut ours, mut theirs) = (page.seen(seat), other.seen(seat));
        if ours["question"].is_null() {
            // What a person was asked last may still be there, but not in a page that repeats it.
            for parts in [&mut ours, &mut theirs] {
                let parts = parts.as_object_mut().unwrap();
                parts.retain(|key, _| ["timeline", "question", "waits", "end"].contains(&&**key));
            }
        }
        for (key, part) in ours.as_object().unwrap() {
            assert_eq!(*part, theirs[key], "{seat:?}: {key}");
        }
    }
}

/// Opens the link of a game in a new page, and compares all that both pages tell.
fn elsewhere(page: &mut Page, seats: &[usize]) -> Page {
    let link = page.link();
    let (mut other, differences) = Page::of(&link);
    assert!(differences.is_empty(), "{link}: {differences:?}");
    assert_eq!(other.link(), link);
    same_record(page, &mut other);
    same_view(page, &mut other, seats);
    other
}

/// Sends a request in both pages, and compares the replies and all that follows.
fn both(pages: [&mut Page; 2], seat: usize, what: &Value, seats: &[usize]) {
    let [page, other] = pages;
    assert_eq!(page.say(seat, what), other.say(seat, what), "{what}");
    same_record(page, other);
    same_view(page, other, seats);
}

/// Plays a game to its end, by turns with the first option and with what a bot suggests. At every
/// `step`th request, the game goes on in the page that the link opens.
fn wander(&(link, seats, step): &(&str, &[usize], usize)) {
    let mut page = Page::new(link);
    for requests in 0..2_000 {
        let Some(&seat) = page.asked().last() else {
            assert!(page.is_over(), "{link}");
            drop(elsewhere(&mut page, seats));
            return;
        };
        let auto = json!({ "auto": true });
        if requests % step == 0 {
            let mut other = elsewhere(&mut page, seats);
            for what in [&json!({ "hint": true }), &auto] {
                both([&mut page, &mut other], seat, what, seats);
            }
            page = other;
        } else if requests % 3 == 0 {
            page.choose(seat);
        } else {
            let saved = page.said(seat, &auto);
            assert!(saved || !page.is_over(), "{link}");
        }
    }
    panic!("{link}: the game goes on and on");
}

#[test]
fn games_of_one_person_go_on_in_each_page_that_opens_their_link() {
    let games: [(&str, &[usize], usize); 5] = [
        (
            "ruleset=hasbro&map=four-corners&bot=human&bot=random&bot=holder&seed=7",
            &[0],
            12,
        ),
        (
            "ruleset=codelab&map=grid%3A3x3&bot=human&bot=general&seed=3&game=3",
            &[1],
            12,
        ),
        ("ruleset=starwars&bot=admiral&bot=human&seed=2", &[1], 8),
        (
            "ruleset=missions&map=four-corners&bot=random&bot=human&bot=random&seed=1",
            &[1],
            7,
        ),
        (
            "ruleset=warzone&map=four-corners&bot=human&bot=outnumber&seed=6&seats=fixed",
            &[0],
            2,
        ),
    ];
    games.iter().for_each(wander);
}

#[test]
fn games_of_several_people_go_on_in_each_page_that_opens_their_link() {
    let games: [(&str, &[usize], usize); 3] = [
        ("ruleset=simplified&bot=human&bot=human&seed=5", &[0, 1], 9),
        (
            "ruleset=fog&map=grid%3A4x4&option=fog%3Dheavy&bot=human&bot=random&bot=human&seed=4",
            &[0, 2],
            9,
        ),
        (
            "ruleset=warzone&map=four-corners&option=fog%3Dlight&bot=human&bot=outnumber&seed=6",
            &[0],
            2,
        ),
    ];
    games.iter().for_each(wander);
}

/// Requests of all kinds: where the link leads after each of them, and what a page replies.
#[test]
fn a_link_follows_takebacks_repeats_and_those_who_give_up() {
    let link =
        "ruleset=hasbro&map=four-corners&bot=human&bot=random&bot=human&seed=9&takeback=true";
    let mut page = Page::new(link);
    let auto = json!({ "auto": true });
    // The attack phase of the first person, with dice in it.
    while page.look(Some(0))["question"]["phase"] != "attack" {
        let seat = page.asked()[0];
        page.said(seat, &auto);
    }
    let attack = page.first_option(0);
    let typed = attack.as_array().unwrap().iter().map(|word| match word {
        Value::String(word) => word.clone(),
        number => number.to_string(),
    });
    let typed = typed.collect::<Vec<_>>().join(" ");
    let requests = [
        json!({ "do": attack }),
        json!({ "undo": true }),
        json!({ "say": typed }),
        json!({ "hint": true }),
        json!({ "odds": [7, 3] }),
        json!({ "undo": true }),
        json!({ "do": attack, "to_the_end": true }),
        json!({ "undo": true }),
        json!({ "undo": true }),
        json!({ "auto": true }),
        json!({ "resign": true }),
    ];
    for what in requests {
        let seat = page.asked()[0];
        let mut other = elsewhere(&mut page, &[0, 2]);
        let mut was_back = page.record().matches("\"line\":\"undo\"").count();
        both([&mut page, &mut other], seat, &what, &[0, 2]);
        was_back = page.record().matches("\"line\":\"undo\"").count() - was_back;
        assert_eq!(was_back, usize::from(what["undo"] == true), "{what}");
    }
    let mut other = elsewhere(&mut page, &[0, 2]);
    assert_eq!(page.record().matches("\"kind\":\"resigned\"").count(), 1);
    // The other person plays on alone.
    assert_eq!(other.asked(), [2]);
    both([&mut page, &mut other], 2, &auto, &[0, 2]);
}

/// Without `takeback`, an answer goes only until dice, cards or other players follow it.
#[test]
fn an_answer_that_is_taken_back_leaves_no_trace_in_the_link() {
    let mut page = Page::new("ruleset=codelab&map=grid%3A4x4&bot=human&bot=general&seed=3");
    let link = page.link();
    let undone = page.say(0, &json!({ "undo": true }));
    assert_eq!(undone.unwrap_err().0, "people::undo");
    page.choose(0);
    assert_ne!(page.link(), link);
    page.said(0, &json!({ "undo": true }));
    assert_eq!(page.link(), link);
}

/// Returns the number of integers in the answers of a link: those of each answer, and the number
/// of them for each seat.
fn numbers(link: &str) -> usize {
    let answers = value_of(link, "answers").map_or_else(Vec::new, unpacked);
    answers.iter().filter(|byte| **byte < 0x80).count()
}

/// Returns the numbers of words in the answers of a seat, from 0.
fn said(page: &mut Page, seat: usize) -> Vec<usize> {
    let answers = lines(page).into_iter().filter_map(|line| match line {
        RecordLine::Answer(said) if said.seat == seat + 1 => Some(said.say),
        _ => None,
    });
    answers.map(|say| say.split(' ').count()).collect()
}

#[test]
fn links_of_bots_are_short() {
    let bots = "ruleset=hasbro&bot=general&bot=marshal&bot=outnumber&seed=7";
    let mut page = Page::new(bots);
    let link = page.link();
    assert!(link.len() < 200, "{} characters: {link}", link.len());
    assert!(page.is_over() && numbers(&link) == 0);
    drop(elsewhere(&mut page, &[]));
}

#[test]
fn links_of_five_hundred_answers_are_short() {
    let mut page = Page::new("ruleset=hasbro&bot=human&bot=human&bot=general&seed=8");
    let mut own = [0, 1].map(|seat| said(&mut page, seat)).concat();
    while own.len() < 500 {
        page.pass(1);
        own = [0, 1].map(|seat| said(&mut page, seat)).concat();
    }
    let link = page.link();
    assert!(link.len() < 4_000, "{} characters", link.len());
    // The link has the answers of the people, and nothing of the bot.
    assert_eq!(numbers(&link), 2 + own.iter().sum::<usize>());
}

/// The oracle thinks long, so a link has its answers, as it has those of people.
#[test]
fn an_oracle_does_not_think_again_what_the_link_says() {
    let mut page = Page::new("ruleset=codelab&map=grid%3A4x4&bot=oracle%3A10&bot=human&seed=2");
    assert!(numbers(&page.link()) > 0);
    for _ in 0..3 {
        page.pass(2);
        let all = [0, 1].map(|seat| said(&mut page, seat)).concat();
        assert_eq!(numbers(&page.link()), 2 + all.iter().sum::<usize>());
        let mut other = elsewhere(&mut page, &[1]);
        both([&mut page, &mut other], 1, &json!({ "auto": true }), &[1]);
    }
}
