//! The lines of a record behind its header: what they hold, from events and from text.

use serde::Serialize;
use serde_json::Value;

use super::chain::SUM_DIGITS;
use super::fields::{LineFields, Taken};
use super::hex;
use risk_kernel::event::Event;
use risk_kernel::fault::FaultKind;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::words::Words;

/// A line behind the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum RecordLine {
    /// A player answered.
    Answer {
        /// The number of the answer, from 1.
        n: u64,
        /// The seat, from 1.
        seat: usize,
        /// The action in words.
        say: String,
        /// Set when the fault policy chose it and not the player.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        by_policy: bool,
    },
    /// A player made a fault.
    Fault {
        /// The number that the answer would have had, from 1.
        n: u64,
        /// The seat, from 1.
        seat: usize,
        /// How many faults of the player these are.
        strikes: u32,
        /// The kind in one word.
        kind: String,
        /// What was wrong with the answer.
        text: String,
        /// What was said, if the bot is elsewhere.
        #[serde(skip_serializing_if = "Option::is_none")]
        exchange: Option<RecordedExchange>,
    },
    /// A turn began.
    Turn {
        /// The player-turn, from 1.
        turn: u32,
        /// The round, from 1.
        round: u32,
        /// The seat, from 1; none when it is everybody's.
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<usize>,
        /// The digest of the state, in hexadecimal.
        digest: String,
    },
    /// The ruleset's own words: an order that became impossible, say.
    Note {
        /// The seat that they are about, from 1; none when they are about all.
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<usize>,
        /// What the ruleset says, as the players read it.
        text: String,
    },
    /// Decisions were taken back: what stands between the answer with this number and this line did
    /// not happen.
    Undo {
        /// The number of the last answer that stands; 0 where none does.
        n: u64,
    },
    /// The last line.
    End {
        /// The word with which the ruleset or a limit ended the game.
        reason: String,
        /// The winning seats, from 1.
        winners: Vec<usize>,
        /// Everybody, best first.
        ranking: Vec<RecordedRank>,
        /// How many answers were given.
        answers: u64,
        /// The digest of the last state, in hexadecimal.
        digest: String,
    },
}

/// A line of the final ranking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedRank {
    /// The seat, from 1.
    pub seat: usize,
    /// The ruleset's score.
    pub score: i64,
    /// The place, from 1; equals share it.
    pub place: u32,
}

/// What was said to a bot elsewhere and what it said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

/// Kinds of lines, and keys, that later versions will write, and what they will mean: a reader that
/// does not know them says so by name. docs/records.md has them.
pub(super) const RESERVED_LINES: [(&str, &str); 4] = [
    ("pause", "the game was put aside here"),
    ("resume", "the game was taken up again here"),
    ("crash", "a bot's program ended"),
    ("position", "the game was set to a position"),
];
pub(super) const RESERVED_KEYS: [(&str, &str); 3] = [
    ("needs", "what a reader must know"),
    ("unrepeatable", "the bots would not play this game again"),
    ("continues", "the game goes on from another record"),
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
                Self::Answer {
                    n: *number,
                    seat: player.index() + 1,
                    say: words,
                    by_policy: !chosen,
                }
            }
            Event::Faulted {
                player,
                kind,
                text,
                strikes,
                number,
                exchange,
                ..
            } => Self::Fault {
                n: *number,
                seat: player.index() + 1,
                strikes: *strikes,
                kind: kind.as_str().to_owned(),
                text: text.chars().take(LONGEST_TEXT).collect(),
                exchange: exchange.as_deref().map(|exchange| RecordedExchange {
                    request: short(&exchange.request, LONGEST_REQUEST),
                    answer: short(&exchange.answer, LONGEST_ANSWER),
                }),
            },
            Event::TurnBegan {
                player,
                turn,
                round,
            } => Self::Turn {
                turn: *turn,
                round: *round,
                seat: player.map(|player| player.index() + 1),
                digest: hex(game.digest()),
            },
            Event::Said { player, text } => Self::Note {
                seat: player.map(|player| player.index() + 1),
                text: text.clone(),
            },
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
        Self::End {
            reason: outcome.reason.clone(),
            winners: outcome
                .winners
                .iter()
                .map(|player| player.index() + 1)
                .collect(),
            ranking: outcome.ranking.iter().map(rank).collect(),
            answers: game.answers(),
            digest: hex(game.digest()),
        }
    }

    /// Appends the text of the line without its sum: everything but the closing brace. Answers,
    /// which most lines are, are written by hand; it is the same text, only sooner.
    pub(super) fn write(&self, buffer: &mut Vec<u8>) {
        match self {
            Self::Answer {
                n,
                seat,
                say,
                by_policy,
            } if say.bytes().all(is_plain) => {
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
            Self::Answer { n, .. } | Self::Fault { n, .. } => Some(*n),
            _ => None,
        }
    }

    /// The kind in one word.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Answer { .. } => "answer",
            Self::Fault { .. } => "fault",
            Self::Turn { .. } => "turn",
            Self::Note { .. } => "note",
            Self::Undo { .. } => "undo",
            Self::End { .. } => "end",
        }
    }

    /// Reads a line of a game with so many players.
    pub(super) fn read(value: Value, players: usize) -> Taken<Self> {
        let mut fields = LineFields::from_value(value, "a line of a record")?;
        let kind = fields.text("line")?;
        let line = match kind.as_str() {
            "answer" => answer(&mut fields, players),
            "fault" => fault(&mut fields, players),
            "turn" => turn(&mut fields, players),
            "note" => note(&mut fields, players),
            "undo" => undo(&mut fields),
            "end" => end(&mut fields, players),
            other => return Err(unknown_kind(other)),
        }?;
        fields.hex("sum", SUM_DIGITS)?;
        fields.end(&RESERVED_KEYS)?;
        Ok(line)
    }
}

/// Does a byte of a text stand for itself in JSON?
const fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

fn unknown_kind(kind: &str) -> String {
    match RESERVED_LINES.iter().find(|(name, _)| *name == kind) {
        Some((name, about)) => format!(
            "key `line`: a line of the kind {name} ({about}) is one that this version of risk-cli \
             does not know; a later one does"
        ),
        None => {
            let short: String = kind.chars().take(40).collect();
            format!("key `line`: expected {KINDS}, found \"{short}\"")
        }
    }
}

fn seat(fields: &mut LineFields, players: usize) -> Taken<usize> {
    fields
        .number("seat", 1, players as u64)
        .map(|seat| seat as usize)
}

fn optional_seat(fields: &mut LineFields, players: usize) -> Taken<Option<usize>> {
    if fields.has("seat") {
        seat(fields, players).map(Some)
    } else {
        Ok(None)
    }
}

fn answer(fields: &mut LineFields, players: usize) -> Taken<RecordLine> {
    fields.call("an answer line");
    Ok(RecordLine::Answer {
        n: fields.number("n", 1, u64::MAX)?,
        seat: seat(fields, players)?,
        say: fields.text("say")?,
        by_policy: fields.flag("by_policy")?,
    })
}

fn fault(fields: &mut LineFields, players: usize) -> Taken<RecordLine> {
    fields.call("a fault line");
    Ok(RecordLine::Fault {
        n: fields.number("n", 1, u64::MAX)?,
        seat: seat(fields, players)?,
        strikes: fields.number("strikes", 1, u64::from(u32::MAX))? as u32,
        kind: fields.word("kind", &FaultKind::ALL.map(FaultKind::as_str))?,
        text: fields.text("text")?,
        exchange: fields.take("exchange").map(read_exchange).transpose()?,
    })
}

fn read_exchange(value: Value) -> Taken<RecordedExchange> {
    let mut fields = LineFields::from_value(value, "an exchange")?;
    let exchange = RecordedExchange {
        request: fields.text("request")?,
        answer: fields.text("answer")?,
    };
    fields.end(&[]).map(|()| exchange)
}

fn turn(fields: &mut LineFields, players: usize) -> Taken<RecordLine> {
    fields.call("a turn line");
    Ok(RecordLine::Turn {
        turn: fields.number("turn", 0, u64::from(u32::MAX))? as u32,
        round: fields.number("round", 0, u64::from(u32::MAX))? as u32,
        seat: optional_seat(fields, players)?,
        digest: fields.hex("digest", 16)?,
    })
}

fn note(fields: &mut LineFields, players: usize) -> Taken<RecordLine> {
    fields.call("a note line");
    Ok(RecordLine::Note {
        seat: optional_seat(fields, players)?,
        text: fields.text("text")?,
    })
}

fn undo(fields: &mut LineFields) -> Taken<RecordLine> {
    fields.call("an undo line");
    Ok(RecordLine::Undo {
        n: fields.number("n", 0, u64::MAX)?,
    })
}

fn end(fields: &mut LineFields, players: usize) -> Taken<RecordLine> {
    fields.call("the end line");
    let reason = fields.text("reason")?;
    let expected = "a list of seats";
    let winners = fields.list("winners", expected)?.into_iter().map(|value| {
        let seat = value
            .as_u64()
            .filter(|&seat| (1..=players as u64).contains(&seat));
        seat.map(|seat| seat as usize)
            .ok_or_else(|| format!("key `winners` of the end line: there is no seat {value}"))
    });
    let winners = winners.collect::<Taken<Vec<_>>>()?;
    let ranking = fields.list("ranking", "a list of seats with their scores and places")?;
    let ranking = ranking
        .into_iter()
        .map(|value| rank(value, players))
        .collect::<Taken<Vec<_>>>()?;
    Ok(RecordLine::End {
        reason,
        winners,
        ranking,
        answers: fields.number("answers", 0, u64::MAX)?,
        digest: fields.hex("digest", 16)?,
    })
}

fn rank(value: Value, players: usize) -> Taken<RecordedRank> {
    let mut fields = LineFields::from_value(value, "an entry of `ranking`")?;
    let rank = RecordedRank {
        seat: seat(&mut fields, players)?,
        score: fields.whole("score")?,
        place: fields.number("place", 1, players as u64)? as u32,
    };
    fields.end(&[]).map(|()| rank)
}
