//! Several people who answer in secret, each on a page of their own.

use risk_people::{GameEnd, PageCommand, PageReply, PageSheets};
use risk_testing::games::setup;

use crate::table::{NextRequest, at_pages};

/// Requests in their order: the seat and the command. Then the pages close.
fn requests(all: Vec<(usize, PageCommand)>) -> NextRequest {
    let mut all = all.into_iter();
    Box::new(move |_: &mut PageSheets| all.next())
}

fn say(text: &str) -> PageCommand {
    PageCommand::Say(text.to_owned())
}

fn played(all: Vec<(usize, PageCommand)>) -> (GameEnd, String, Vec<(String, usize)>, usize) {
    let setup = setup("warzone", Some("four-corners"), &["random"; 2], 3, &[]);
    let (end, record, unsaved, replies) = at_pages(setup, requests(all));
    let refused = replies.iter().filter(|it| **it != PageReply::Done).count();
    (end, record, unsaved, refused)
}

fn answers(record: &str) -> usize {
    record.matches("\"line\":\"answer\"").count()
}

/// The answers of a phase are in the record when both people are ready, in the order of the seats.
#[test]
fn answers_reach_the_record_when_everyone_is_ready() {
    let whole = || vec![(1, PageCommand::Auto), (0, PageCommand::Auto)];
    let (_, record, unsaved, refused) = played(whole());
    assert!(answers(&record) > 4 && refused == 0, "{record}");
    assert!(unsaved.iter().all(|(_, count)| *count == 0), "{unsaved:?}");
    // One of them is ready, and the other one has only begun.
    let (end, record, unsaved, _) = played(vec![(1, PageCommand::Auto), (0, say("amber home 1"))]);
    assert!(matches!(end, GameEnd::Quit));
    assert_eq!(answers(&record), 0, "{record}");
    assert!(unsaved.len() == 2 && unsaved[0].1 == 1, "{unsaved:?}");
}

/// Orders are taken back one by one, and the later ones stay.
#[test]
fn orders_are_taken_back_within_the_phase() {
    let [one, two] = ["amber home 1", "amber wood 2"].map(say);
    let all = vec![
        (0, one),
        (0, two),
        (0, PageCommand::Retract(0)),
        (0, PageCommand::Retract(7)),
        (0, PageCommand::Undo),
        (0, PageCommand::Undo),
    ];
    let (_, _, unsaved, refused) = played(all);
    // There is no eighth order, and nothing is left for a second undo.
    assert_eq!((unsaved.len(), refused), (0, 2), "{unsaved:?}");
}

/// Nobody waits for a person who has given up, in this round or a later one.
#[test]
fn a_person_gives_up_while_another_one_plans() {
    let all = vec![
        (0, say("amber home 1")),
        (1, PageCommand::Resign),
        (0, PageCommand::Auto),
    ];
    let (end, record, _, refused) = played(all);
    assert!(matches!(end, GameEnd::Quit) && refused == 0);
    assert_eq!(record.matches("\"kind\":\"resigned\"").count(), 1);
    assert!(record.contains("\"round\":2") && !record.contains("\"seat\":2,\"say\""));
}

/// After an execution with dice, a takeback is marked, and everyone answers anew.
#[test]
fn a_marked_takeback_drops_the_plans_of_others() {
    let all = vec![
        (0, PageCommand::Auto),
        (1, PageCommand::Auto),
        // The second round: bob plans, and ann takes her last order of the first round back.
        (1, PageCommand::Auto),
        (0, PageCommand::Undo),
    ];
    let (end, record, unsaved, refused) = played(all);
    assert!(matches!(end, GameEnd::Quit));
    assert!(
        record.contains("\"line\":\"undo\"") && refused == 0,
        "{record}"
    );
    assert!(unsaved.is_empty(), "{unsaved:?}");
}
