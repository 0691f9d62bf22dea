//! The lines of a record after its header, created from events or parsed from text.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::parse::{
    Parsed, decision, fault_kind, hex, object, only_true, parse, quoted, strike_numbers, strikes,
};
use risk_kernel::event::Event;
use risk_kernel::fault::FaultKind;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::words::Words;

/// A line after the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum RecordLine {
    /// An answer of a player.
    Answer(RecordedAnswer),
    /// A fault of a player.
    Fault(RecordedFault),
    /// The beginning of a turn.
    Turn(RecordedTurn),
    /// A text of the ruleset, for example about an order that became impossible.
    Note(RecordedNote),
    /// An undo of decisions.
    Undo(RecordedUndo),
    /// The last line of a complete record.
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
    /// The action as text.
    pub say: String,
    /// Whether the fault policy chose the action instead of the player.
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
    /// The number of the player's faults, including this one.
    #[serde(deserialize_with = "strikes")]
    pub strikes: u32,
    /// The kind of the fault.
    #[serde(deserialize_with = "fault_kind")]
    pub kind: String,
    /// The description of the fault.
    pub text: String,
    /// The exchange with the bot, if it is remote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<RecordedExchange>,
}

/// The beginning of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedTurn {
    /// The number of the player-turn, from 1.
    pub turn: u32,
    /// The number of the round, from 1.
    pub round: u32,
    /// The seat, from 1; `None` if the turn belongs to all players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// The digest of the state, in hexadecimal.
    #[serde(deserialize_with = "hex::<16, _>")]
    pub digest: String,
}

/// A text of the ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedNote {
    /// The seat that the text is about, from 1; `None` if the text is about all players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// The text that the players read.
    pub text: String,
}

/// An undo. The lines between the answer with this number and this line no longer apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedUndo {
    /// The number of the last answer that remains, or 0 if no answer remains.
    pub n: u64,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedEnd {
    /// The reason for the end, given by the ruleset or a limit.
    pub reason: String,
    /// The winning seats, from 1.
    pub winners: Vec<usize>,
    /// All players, starting with the best.
    pub ranking: Vec<RecordedRank>,
    /// The number of answers.
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
    /// The place, from 1. Ties share a place.
    pub place: u32,
}

/// A request to a remote bot and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedExchange {
    /// The body of the request.
    pub request: String,
    /// The body of the answer, or an empty string if there was no answer.
    pub answer: String,
}

/// Appends the text of a line without its sum and closing brace.
pub(super) fn body(line: &impl serde::Serialize, buffer: &mut Vec<u8>) {
    serde_json::to_writer(&mut *buffer, line).expect("a record's line is plain data");
    buffer.pop();
}

const KINDS: &str = "answer, fault, turn, note, undo or end";

/// Kinds of lines that later versions will write, with their meanings. A reader that does not
/// support them reports them by name. docs/records.md lists them.
const RESERVED_LINES: [(&str, &str); 4] = [
    ("pause", "the game was paused"),
    ("resume", "the game was resumed"),
    ("crash", "a bot process crashed"),
    ("position", "the game was set to a position"),
];

/// The maximum recorded size of a request, in bytes. The next constant applies to the answer.
const LONGEST_REQUEST: usize = 64 << 10;
const LONGEST_ANSWER: usize = 16 << 10;
/// The maximum recorded length of a fault's text, in characters.
const LONGEST_TEXT: usize = 2_000;

/// Returns the text if it is short enough, or its beginning and full length.
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
    /// Returns the line for an event, or `None` if no line represents the event. `words` is a
    /// buffer for the text of an action.
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

    /// Returns the last line of the record of a game.
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

    /// Appends the text of the line without its sum and closing brace. Answers, the most frequent
    /// lines, bypass serde: this produces the same text faster.
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

    /// Returns the number of the answer in this line, or the number that a fault's answer would
    /// have had.
    #[must_use]
    pub const fn decision(&self) -> Option<u64> {
        match self {
            Self::Answer(line) => Some(line.n),
            Self::Fault(line) => Some(line.n),
            _ => None,
        }
    }

    /// Returns the name of the line's kind.
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

    pub(super) fn read(value: Value, players: usize) -> Parsed<Self> {
        let mut keys = object(value)?;
        let Some(kind) = keys.shift_remove("line") else {
            return Err("missing key `line`".to_owned());
        };
        let has_sum = keys.shift_remove("sum").is_some();
        let (line, what) = match kind.as_str().unwrap_or_default() {
            "answer" => read_as(keys, "an answer line", Self::Answer),
            "fault" => read_as(keys, "a fault line", Self::Fault),
            "turn" => read_as(keys, "a turn line", Self::Turn),
            "note" => read_as(keys, "a note line", Self::Note),
            "undo" => read_as(keys, "an undo line", Self::Undo),
            "end" => read_as(keys, "the end line", Self::End),
            _ => Err(unknown_kind(&kind)),
        }?;
        line.check_seats(what, players)?;
        line.check_strikes(what)?;
        if has_sum {
            Ok(line)
        } else {
            Err(format!("missing key `sum` in {what}"))
        }
    }

    /// Checks that a fault counts as a strike, unless the ruleset failed.
    fn check_strikes(&self, what: &str) -> Parsed<()> {
        match self {
            Self::Fault(RecordedFault {
                strikes: 0, kind, ..
            }) if *kind != FaultKind::Rules.as_str() => {
                let expected = strike_numbers();
                Err(format!(
                    "key `strikes` in {what}: expected {expected}, found 0"
                ))
            }
            _ => Ok(()),
        }
    }

    fn check_seats(&self, what: &str, players: usize) -> Parsed<()> {
        let check = |key: fmt::Arguments<'_>, number: usize| {
            if (1..=players).contains(&number) {
                return Ok(());
            }
            Err(format!(
                "key `{key}` in {what}: expected an integer from 1 to {players}, found {number}"
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

/// Reports whether a byte needs no escape in JSON.
const fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

/// Parses a line's keys. `what` describes the line, with an article.
fn read_as<T: DeserializeOwned>(
    keys: Map<String, Value>,
    what: &str,
    line: fn(T) -> RecordLine,
) -> Parsed<(RecordLine, &str)> {
    Ok((line(parse(keys, what)?), what))
}

fn unknown_kind(kind: &Value) -> String {
    match RESERVED_LINES.iter().find(|(name, _)| kind == name) {
        Some((name, about)) => {
            format!("unsupported line of the kind {name} ({about}): update risk-cli")
        }
        None => format!("key `line`: expected {KINDS}, found {}", quoted(kind)),
    }
}
