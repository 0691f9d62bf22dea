//! The cases of the conversation.

use serde_json::json;

use super::talk::{Conversation, SentQuestion, with_key};
use super::{COPY_ID, CaseError};
use risk_kernel::action::{Domain, Options};
use risk_kernel::declare::SlotKind;
use risk_kernel::fault::FaultKind;
use risk_wire::Message;

pub(super) struct Case {
    /// The name in two or three words.
    pub(super) name: &'static str,
    /// The importance of the case. Rank 1 is the highest, and all other cases depend on it.
    pub(super) rank: u8,
    /// The earlier cases that must have passed.
    pub(super) needs: &'static [&'static str],
    /// Whether the case only applies to bots that communicate in lines.
    pub(super) of_lines: bool,
    pub(super) help: &'static str,
    pub(super) run: fn(&mut Conversation<'_>) -> Result<(), CaseError>,
}

/// A table of cases: what runs, the rank, the name, whether it is only for bots that read lines,
/// the cases that must pass before, and the help.
macro_rules! cases {
    ($($run:ident $rank:literal $name:literal, $of_lines:literal, $needs:expr, $help:expr;)*) => {
        [$(Case {
            name: $name,
            rank: $rank,
            needs: &$needs,
            of_lines: $of_lines,
            help: $help,
            run: $run,
        }),*]
    };
}

/// All cases in order. The first cases share one game, so that the second game is tested as a
/// separate case.
pub(super) static CASES: [Case; 13] = cases! {
    hello 1 "hello", false, [],
        "answer `hello` with {\"protocol\": 1} within 10 s, and print nothing before it";
    answers 2 "answers", false, ["hello"],
        "answer with a verb from `options` and one value for each of its parameters";
    ids 3 "ids", false, ["hello", "answers"],
        COPY_ID;
    more_keys 6 "more keys", false, ["hello", "answers"],
        "ignore unknown keys; later versions add some";
    unknown_messages 6 "unknown messages", false, ["hello", "answers"],
        "answer only `hello` and `ask`, and ignore messages of unknown types";
    unasked_events 7 "unasked events", false, ["hello", "answers"],
        "ignore `events` if the bot doesn't use them";
    faults 5 "faults", false, ["hello", "answers"],
        "don't answer `fault`, and answer the next `ask` as usual";
    late_answers 5 "late answers", false, ["hello", "answers", "faults"],
        "answer each question with its own id, even after an older one times out";
    few_options 5 "few options", false, ["hello", "answers"],
        "support lists of one value, equal `min` and `max`, and any integer as `count`";
    next_games 4 "next games", false, ["hello", "answers"],
        "reset the bot's state at each `game`; the seats change";
    resumed_game 5 "resumed game", false, ["hello", "answers", "next games"],
        "treat `game` with \"resumed\": true like any other, and read the state from `ask`";
    games_without_over 6 "games without over", false, ["hello", "answers", "next games"],
        "start afresh at each `game`, even without a previous `over`";
    bye 8 "bye", true, ["hello", "answers"],
        "exit when standard input ends, and stop all child processes";
};

fn ask_often(talk: &mut Conversation<'_>, times: usize) -> Result<(), CaseError> {
    (0..times).try_for_each(|_| talk.ask())
}

fn hello(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    talk.open(|hello| with_key(hello, "extra", json!({ "deep": [1, { "a": null }] })))
}

fn answers(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    ask_often(talk, 6)
}

fn ids(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    talk.skip_ids(1_000)?;
    talk.ask()?;
    let mut asked = talk.question()?;
    // The largest integer that all number types of JavaScript and Java can represent.
    asked.renumber((1 << 53) - 1);
    let said = talk.answer(&asked, None)?;
    talk.carry_out(&asked, &said)?;
    talk.ask()
}

fn more_keys(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    for value in [json!(null), json!([{ "verb": 1 }])] {
        let mut asked = talk.question()?;
        asked.message = with_key(&asked.message, "extra", value);
        finish(talk, &asked)?;
    }
    Ok(())
}

fn finish(talk: &mut Conversation<'_>, asked: &SentQuestion) -> Result<(), CaseError> {
    let said = talk.answer(asked, None)?;
    talk.carry_out(asked, &said)
}

fn ignored(talk: &mut Conversation<'_>, message: Option<Message>) -> Result<(), CaseError> {
    match talk.said_to(message)? {
        Some(said) => Err(CaseError::in_answer(format!(
            "expected no reply, found {said}"
        ))),
        None => Ok(()),
    }
}

fn unknown_messages(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    let news = json!({ "type": "news", "game": 1, "id": 1_000_000_007, "text": "it rains" });
    ignored(talk, Some(Message::json("", &news)))
}

fn unasked_events(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    let decision = talk.decision();
    decision?;
    let events = talk.events();
    ignored(talk, events)
}

fn faults(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    let asked = talk.question()?;
    talk.answer(&asked, None)?;
    talk.report_fault(
        FaultKind::Illegal,
        "illegal move (test by `risk-cli bot check`)",
    );
    ask_often(talk, 2)
}

fn late_answers(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    let late = talk.question()?;
    talk.leave_unanswered(&late)?;
    talk.report_fault(
        FaultKind::Timeout,
        "no answer within 0 ms (test by `risk-cli bot check`)",
    );
    let asked = talk.question()?;
    let said = talk.answer(&asked, Some(late.id))?;
    talk.carry_out(&asked, &said)?;
    talk.ask()
}

fn few_options(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    /// The maximum number of questions to search for an option with a count.
    const LOOKED_AT: usize = 60;
    let one = one_option(talk, false)?;
    finish(talk, &one)?;
    for _ in 0..LOOKED_AT {
        let decision = talk.decision()?;
        let offers = decision.options.offers().iter();
        let verbs = &talk.decl().verbs;
        let has_count = |verb: usize| {
            verbs[verb]
                .slots
                .iter()
                .any(|slot| slot.1 == SlotKind::Count)
        };
        if offers.clone().any(|offer| has_count(offer.verb.index())) {
            let one = one_option(talk, true)?;
            finish(talk, &one)?;
            break;
        }
        talk.ask()?;
    }
    let mut many = talk.question()?;
    many.message = with_key(&many.message, "count", ((1_u64 << 62) + 1).into());
    finish(talk, &many)
}

/// Returns a question with one option. If `with_count` is set, the option has a count with its
/// minimum value.
fn one_option(talk: &mut Conversation<'_>, with_count: bool) -> Result<SentQuestion, CaseError> {
    let all = talk.decision()?.options;
    let number = talk.below(all.len());
    let mut action = all.nth(number);
    let kinds = |talk: &Conversation<'_>, verb: usize| -> Vec<SlotKind> {
        let slots = talk.decl().verbs[verb].slots.iter();
        slots.map(|slot| slot.1).collect()
    };
    if with_count {
        let mut before = 0;
        for offer in all.offers() {
            if kinds(talk, offer.verb.index()).contains(&SlotKind::Count) {
                action = all.nth(before);
            }
            before += all.offer_len(offer);
        }
    }
    let values = kinds(talk, action.verb.index())
        .into_iter()
        .zip(action.args());
    let slots: Vec<Domain> = values
        .map(|(kind, &value)| match kind {
            SlotKind::Count if with_count => Domain::Span {
                low: value,
                high: value,
            },
            _ => Domain::Is(value),
        })
        .collect();
    let mut one = Options::new();
    one.offer(action.verb, &slots);
    talk.question_of(one)
}

fn next_games(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    for _ in 0..3 {
        talk.end_game();
        talk.new_game()?;
        ask_often(talk, 4)?;
    }
    Ok(())
}

fn resumed_game(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    talk.ask()?;
    talk.decision()?;
    talk.send_game(true);
    ask_often(talk, 2)
}

fn games_without_over(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    talk.ask()?;
    talk.new_game()?;
    ask_often(talk, 3)
}

fn bye(talk: &mut Conversation<'_>) -> Result<(), CaseError> {
    let Some(parting) = talk.part()? else {
        return Ok(());
    };
    if !parting.ended {
        let text = format!(
            "still running {} s after the end of standard input",
            super::FAREWELL.as_secs()
        );
        return Err(CaseError::in_answer(text));
    }
    if parting.left.is_empty() {
        return Ok(());
    }
    let left = parting.left.join(", ");
    Err(CaseError::in_answer(format!(
        "left child processes running: {left}"
    )))
}
