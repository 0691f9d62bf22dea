//! The lines of a record behind its header: what they hold, from events and from text.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::parse::{Parsed, decision, fault_kind, hex, object, only_true, parse, quoted, strikes};
use risk_kernel::event::Event;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::words::Words;

/// A line behind the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum RecordLine {
    /// A player answered.
    Answer(RecordedAnswer),
    /// A player made a fault.
    Fault(RecordedFault),
    /// A turn began.
    Turn(RecordedTurn),
    /// The ruleset's own words: an order that became impossible, say.
    Note(RecordedNote),
    /// Decisions were taken back.
    Undo(RecordedUndo),
    /// The last line.
    End(RecordedEnd),
}

/// An answer of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedAnswer {
    /// The number of the answer, from 1.
    #[serde(deserialize_with = "decision")]
    pub n: u64,
    /// The seat, from 1.
    pub seat: usize,
    /// The action in words.
    pub say: String,
    /// Set when the fault policy chose it and not the player.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[serde(default, deserialize_with = "only_true")]
    pub by_policy: bool,
}

/// A fault of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedFault {
    /// The number that the answer would have had, from 1.
    #[serde(deserialize_with = "decision")]
    pub n: u64,
    /// The seat, from 1.
    pub seat: usize,
    /// How many faults of the player these are.
    #[serde(deserialize_with = "strikes")]
    pub strikes: u32,
    /// The kind in one word.
    #[serde(deserialize_with = "fault_kind")]
    pub kind: String,
    /// What was wrong with the answer.
    pub text: String,
    /// What was said, if the bot is elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<RecordedExchange>,
}

/// The beginning of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedTurn {
    /// The player-turn, from 1.
    pub turn: u32,
    /// The round, from 1.
    pub round: u32,
    /// The seat, from 1; none when it is everybody's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// The digest of the state, in hexadecimal.
    #[serde(deserialize_with = "hex::<16, _>")]
    pub digest: String,
}

/// Words of the ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedNote {
    /// The seat that they are about, from 1; none when they are about all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// What the ruleset says, as the players read it.
    pub text: String,
}

/// Decisions that were taken back: what stands between the answer with this number and this line
/// did not happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedUndo {
    /// The number of the last answer that stands; 0 where none does.
    pub n: u64,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedEnd {
    /// The word with which the ruleset or a limit ended the game.
    pub reason: String,
    /// The winning seats, from 1.
    pub winners: Vec<usize>,
    /// Everybody, best first.
    pub ranking: Vec<RecordedRank>,
    /// How many answers were given.
    pub answers: u64,
    /// The digest of the last state, in hexadecimal.
    #[serde(deserialize_with = "hex::<16, _>")]
    pub digest: String,
}

/// A line of the final ranking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRank {
    /// The seat, from 1.
    pub seat: usize,
    /// The ruleset's score.
    pub score: i64,
    /// The place, from 1; equals share it.
    pub place: u32,
}

/// What was said to a bot elsewhere and what it said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedExchange {
    /// The body of the request.
    pub request: String,
    /// The body of the answer; empty where none came.
    pub answer: String,
}

/// Appends the text of a line without its sum: everything but the closing brace.
pub(super) fn body(line: &impl serde::Serialize, buffer: &mut Vec<u8>) {
    serde_json::to_writer(&mut *buffer, line).expect("a record's line is plain data");
    buffer.pop();
}

/// The kinds of lines.
const KINDS: &str = "answer, fault, turn, note, undo or end";

/// Kinds of lines that later versions will write, and what they will mean: a reader that does not
/// know them says so by name. docs/records.md has them.
const RESERVED_LINES: [(&str, &str); 4] = [
    ("pause", "the game was put aside here"),
    ("resume", "the game was taken up again here"),
    ("crash", "a bot's program ended"),
    ("position", "the game was set to a position"),
];

/// How much of a request and of an answer to it is kept, in bytes.
const LONGEST_REQUEST: usize = 64 << 10;
const LONGEST_ANSWER: usize = 16 << 10;
/// How much of the text of a fault is kept, in characters.
const LONGEST_TEXT: usize = 2_000;

/// The text, or its beginning and how long it was.
fn short(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most)
        .rev()
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or_default();
    format!("{} … ({} bytes in all)", &text[..end], text.len())
}

impl RecordLine {
    /// What an event leaves in a record, if anything. `words` is a text to write an action into.
    #[must_use]
    pub fn from_event(game: &GameState, event: &Event, mut words: String) -> Option<Self> {
        Some(match event {
            Event::Answered {
                player,
                action,
                number,
                chosen,
                ..
            } => {
                words.clear();
                Words::new(game.board(), game.decl()).write_action(*action, &mut words);
                Self::Answer(RecordedAnswer {
                    n: *number,
                    seat: player.index() + 1,
                    say: words,
                    by_policy: !chosen,
                })
            }
            Event::Faulted {
                player,
                kind,
                text,
                strikes,
                number,
                exchange,
                ..
            } => Self::Fault(RecordedFault {
                n: *number,
                seat: player.index() + 1,
                strikes: *strikes,
                kind: kind.as_str().to_owned(),
                text: text.chars().take(LONGEST_TEXT).collect(),
                exchange: exchange.as_deref().map(|exchange| RecordedExchange {
                    request: short(&exchange.request, LONGEST_REQUEST),
                    answer: short(&exchange.answer, LONGEST_ANSWER),
                }),
            }),
            Event::TurnBegan {
                player,
                turn,
                round,
            } => Self::Turn(RecordedTurn {
                turn: *turn,
                round: *round,
                seat: player.map(|player| player.index() + 1),
                digest: super::hex(game.digest()),
            }),
            Event::Said { player, text } => Self::Note(RecordedNote {
                seat: player.map(|player| player.index() + 1),
                text: text.clone(),
            }),
            _ => return None,
        })
    }

    /// The last line of a game.
    #[must_use]
    pub fn end(outcome: &Outcome, game: &GameState) -> Self {
        let rank = |rank: &risk_kernel::outcome::Rank| RecordedRank {
            seat: rank.player.index() + 1,
            score: rank.score,
            place: rank.place,
        };
        Self::End(RecordedEnd {
            reason: outcome.reason.clone(),
            winners: outcome
                .winners
                .iter()
                .map(|player| player.index() + 1)
                .collect(),
            ranking: outcome.ranking.iter().map(rank).collect(),
            answers: game.answers(),
            digest: super::hex(game.digest()),
        })
    }

    /// Appends the text of the line without its sum: everything but the closing brace. Answers,
    /// which most lines are, are written by hand; it is the same text, only sooner.
    pub(super) fn write(&self, buffer: &mut Vec<u8>) {
        match self {
            Self::Answer(RecordedAnswer {
                n,
                seat,
                say,
                by_policy,
            }) if say.bytes().all(is_plain) => {
                let mut digits = itoa::Buffer::new();
                buffer.extend_from_slice(b"{\"line\":\"answer\",\"n\":");
                buffer.extend_from_slice(digits.format(*n).as_bytes());
                buffer.extend_from_slice(b",\"seat\":");
                buffer.extend_from_slice(digits.format(*seat).as_bytes());
                buffer.extend_from_slice(b",\"say\":\"");
                buffer.extend_from_slice(say.as_bytes());
                buffer.push(b'"');
                if *by_policy {
                    buffer.extend_from_slice(b",\"by_policy\":true");
                }
            }
            _ => body(self, buffer),
        }
    }

    /// The number of the answer that the line holds, or that a fault would have been.
    #[must_use]
    pub const fn decision(&self) -> Option<u64> {
        match self {
            Self::Answer(line) => Some(line.n),
            Self::Fault(line) => Some(line.n),
            _ => None,
        }
    }

    /// The kind in one word.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Answer(_) => "answer",
            Self::Fault(_) => "fault",
            Self::Turn(_) => "turn",
            Self::Note(_) => "note",
            Self::Undo(_) => "undo",
            Self::End(_) => "end",
        }
    }

    /// Reads a line of a game with so many players.
    pub(super) fn read(value: Value, players: usize) -> Parsed<Self> {
        type Reader = fn(Map<String, Value>, &str) -> Parsed<RecordLine>;
        let mut keys = object(value, "a line of a record")?;
        let Some(kind) = keys.shift_remove("line") else {
            return Err("key `line` of a line of a record is missing".to_owned());
        };
        let has_sum = keys.shift_remove("sum").is_some();
        let (what, reader): (&str, Reader) = match kind.as_str().unwrap_or_default() {
            "answer" => ("an answer line", |keys, what| {
                parse(keys, what).map(Self::Answer)
            }),
            "fault" => ("a fault line", |keys, what| {
                parse(keys, what).map(Self::Fault)
            }),
            "turn" => ("a turn line", |keys, what| {
                parse(keys, what).map(Self::Turn)
            }),
            "note" => ("a note line", |keys, what| {
                parse(keys, what).map(Self::Note)
            }),
            "undo" => ("an undo line", |keys, what| {
                parse(keys, what).map(Self::Undo)
            }),
            "end" => ("the end line", |keys, what| {
                parse(keys, what).map(Self::End)
            }),
            _ => return Err(unknown_kind(&kind)),
        };
        let line = reader(keys, what)?;
        line.check_seats(what, players)?;
        if has_sum {
            Ok(line)
        } else {
            Err(format!("key `sum` of {what} is missing"))
        }
    }

    /// Checks that no seat or place is higher than there are players.
    fn check_seats(&self, what: &str, players: usize) -> Parsed<()> {
        let check = |key: fmt::Arguments<'_>, number: usize| {
            if (1..=players).contains(&number) {
                return Ok(());
            }
            Err(format!(
                "key `{key}` of {what}: expected a whole number from 1 to {players}, found {number}"
            ))
        };
        match self {
            Self::Answer(RecordedAnswer { seat, .. })
            | Self::Fault(RecordedFault { seat, .. })
            | Self::Turn(RecordedTurn {
                seat: Some(seat), ..
            })
            | Self::Note(RecordedNote {
                seat: Some(seat), ..
            }) => check(format_args!("seat"), *seat),
            Self::End(end) => {
                for (index, &seat) in end.winners.iter().enumerate() {
                    check(format_args!("winners[{index}]"), seat)?;
                }
                for (index, rank) in end.ranking.iter().enumerate() {
                    check(format_args!("ranking[{index}].seat"), rank.seat)?;
                    check(format_args!("ranking[{index}].place"), rank.place as usize)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Does a byte of a text stand for itself in JSON?
const fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

fn unknown_kind(kind: &Value) -> String {
    match RESERVED_LINES.iter().find(|(name, _)| kind == name) {
        Some((name, about)) => format!(
            "key `line`: a line of the kind {name} ({about}) is one that this version of risk-cli \
             does not know; a later one does"
        ),
        None => format!("key `line`: expected {KINDS}, found {}", quoted(kind)),
    }
}
