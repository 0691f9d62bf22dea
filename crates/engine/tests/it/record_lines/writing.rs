//! What a recorder writes, and how much of a long text it keeps.

use std::sync::Arc;

use risk_engine::record::{RecordLine, RecordedFault};
use risk_kernel::event::Event;
use risk_kernel::fault::{Exchange, FaultKind};
use risk_kernel::id::{Player, PlayerSet};
use risk_kernel::outcome::{Outcome, Rank};
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;

use risk_testing::toy::{LENIENT, board, declaration};

/// Returns what a record keeps of a fault with this exchange: text, request and answer.
fn kept(text: &str, request: &str, answer: &str) -> (String, String, String) {
    let game = GameState::new(
        board(),
        Arc::new(declaration(LENIENT)),
        2,
        GameKey::of_numbers(1, 0),
    );
    let exchange = Exchange {
        request: request.to_owned(),
        answer: answer.to_owned(),
    };
    let event = Event::Faulted {
        player: Player(1),
        kind: FaultKind::Connection,
        text: text.to_owned(),
        strikes: 2,
        phase: None,
        number: 5,
        exchange: Some(Box::new(exchange)),
    };
    match RecordLine::from_event(&game, &event, String::new()) {
        Some(RecordLine::Fault(RecordedFault {
            n: 5,
            seat: 2,
            strikes: 2,
            kind,
            text,
            exchange: Some(said),
        })) => {
            assert_eq!(kind, "connection");
            (text, said.request, said.answer)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn of_long_texts_the_beginning_is_kept() {
    let request = 64 * 1024;
    let answer = 16 * 1024;
    let long = |bytes: usize| "x".repeat(bytes);
    assert_eq!(
        kept("t", "q", "a"),
        ("t".to_owned(), "q".to_owned(), "a".to_owned())
    );
    assert_eq!(
        kept("", &long(request), &long(answer)),
        (String::new(), long(request), long(answer))
    );
    let (_, asked, said) = kept("", &long(request + 1), &long(answer + 1));
    assert_eq!(asked, format!("{} … (65537 bytes in all)", long(request)));
    assert_eq!(said, format!("{} … (16385 bytes in all)", long(answer)));
    // Characters are never cut in two.
    let (_, _, said) = kept("", "", &format!("{}ß{}", long(answer - 1), long(9)));
    assert_eq!(said, format!("{} … (16394 bytes in all)", long(answer - 1)));
    assert_eq!(kept(&"ß".repeat(2_001), "", "").0, "ß".repeat(2_000));
}

#[test]
fn the_last_line_counts_seats_from_one() {
    let game = GameState::new(
        board(),
        Arc::new(declaration(LENIENT)),
        3,
        GameKey::of_numbers(1, 0),
    );
    let rank = |who: u8, score: i64, place: u32| Rank {
        player: Player(who),
        score,
        place,
    };
    let outcome = Outcome {
        reason: "why".to_owned(),
        winners: PlayerSet(0b110),
        ranking: vec![rank(1, 5, 1), rank(2, 5, 1), rank(0, -2, 3)],
    };
    let digest = format!("{:016x}", game.digest());
    let wanted = format!(
        "{{\"line\":\"end\",\"reason\":\"why\",\"winners\":[2,3],\"ranking\":[{{\"seat\":2,\"score\":5,\"place\":1}},\
         {{\"seat\":3,\"score\":5,\"place\":1}},{{\"seat\":1,\"score\":-2,\"place\":3}}],\"answers\":0,\"digest\":\"{digest}\"}}"
    );
    assert_eq!(
        serde_json::to_string(&RecordLine::end(&outcome, &game)).unwrap(),
        wanted
    );
}
