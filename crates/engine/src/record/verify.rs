//! Verifying a record: the game is played again from the header and the answers, every line that it
//! leaves is made anew, and the two are compared key by key.

use std::collections::VecDeque;

use serde_json::Value;

use super::replay::Found;
use super::{Mismatch, Playback, Record, RecordLine, RecordedPosition};
use crate::matches::Worker;
use risk_kernel::event::Event;
use risk_kernel::state::GameState;
use risk_kernel::{EventFilter, Finished, Sink, Stop};

/// A record that holds against the game played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Lines, the header included.
    pub lines: usize,
    /// How many of its answers were given again.
    pub answers: u64,
    /// How many states were found to be those that the record has the digests of.
    pub digests: u64,
    /// Does the record reach the end of the game?
    pub whole: bool,
    /// The last sum. It covers every byte before it: whoever has it from elsewhere knows that
    /// nothing was changed, the names and the texts that no replay can know included.
    pub last_sum: String,
    /// The commitment in the record, if it has one: it fits the record's salt and seed.
    pub commitment: Option<String>,
}

/// Why a record does not hold.
#[derive(Debug)]
pub enum Refuted {
    /// Record and game part.
    Differs(Mismatch),
    /// The ruleset failed, in the game as far as it went.
    Rules(Box<Finished>),
}

impl std::fmt::Display for Refuted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Differs(mismatch) => mismatch.fmt(f),
            Self::Rules(finished) => match &finished.outcome {
                Err(stop) => stop.fmt(f),
                Ok(_) => f.write_str("the ruleset failed"),
            },
        }
    }
}

impl std::error::Error for Refuted {}

/// Plays a record again and compares every line of it. `worker` is of
/// the setup that was played, or of [`super::Header::setup`].
///
/// What can't be known is taken from the record and covered by the chain of sums alone: names, bots
/// and the version in the header, kinds and texts of faults, exchanges with bots elsewhere. So are
/// options and the fault policy where they made no difference in this game.
///
/// # Errors
/// The first place where they part, or the ruleset's fault.
pub fn verify(record: &Record, worker: &mut Worker<'_>) -> Result<Verified, Refuted> {
    verify_position(record, worker)?;
    verify_commitment(record)?;
    let mut playback = Playback::unlimited(record);
    let found = Found::clone(&playback.found);
    let mut verifier = Verifier {
        left: record.lines.iter().cloned().collect(),
        whole: record.is_whole(),
        digests: 0,
        found,
    };
    let finished = worker.play_with(record.header.game, &mut playback.seats, &mut verifier);
    match &finished.outcome {
        // What the record has that the rules can't stand may be the record's fault: it is told
        // first.
        Err(Stop::Rules(_)) if playback.mismatch().is_none() => {
            return Err(Refuted::Rules(Box::new(finished)));
        }
        Ok(outcome) if playback.mismatch().is_none() => {
            verifier.compare(&RecordLine::end(outcome, &finished.game));
            if let Some((line, read)) = verifier.left.front().cloned() {
                verifier.differs(
                    line,
                    format!(
                        "the game played again is over, and the record has {}",
                        named(&read)
                    ),
                );
            }
        }
        _ => {}
    }
    if let Some(mismatch) = playback.mismatch() {
        return Err(Refuted::Differs(mismatch));
    }
    if let Some((line, read)) = verifier.left.front() {
        let text = format!(
            "the game played again stops before this line: it has {}",
            named(read)
        );
        return Err(Refuted::Differs(Mismatch { line: *line, text }));
    }
    Ok(Verified {
        lines: record.lines.len() + 1,
        answers: record.answers() - record.header.answers_before(),
        digests: verifier.digests,
        whole: record.is_whole(),
        last_sum: record.last_sum.clone(),
        commitment: record.header.commitment.clone(),
    })
}

/// Does the commitment fit salt and seed?
fn verify_commitment(record: &Record) -> Result<(), Refuted> {
    let header = &record.header;
    let Some((salt, read)) = header.salt.as_ref().zip(header.commitment.as_ref()) else {
        return Ok(());
    };
    let here = header.seed.commitment(salt);
    if here == *read {
        return Ok(());
    }
    let text = format!("`commitment` is {read} in the record, and {here} of its salt and seed");
    Err(Refuted::Differs(Mismatch { line: 1, text }))
}

/// Is the position in the header the one that it has the digest of?
fn verify_position(record: &Record, worker: &Worker<'_>) -> Result<(), Refuted> {
    let here = RecordedPosition::from_worker(worker, record.header.game);
    let Some(read) = &record.header.position else {
        return Ok(());
    };
    let text = match here {
        Some(here) if here == *read => return Ok(()),
        Some(here) if here.digest != read.digest => format!(
            "`digest` of the position is {} in the record, and {} in the game that begins from it",
            read.digest, here.digest
        ),
        _ => "`position` is not the one that the game begins from".to_owned(),
    };
    Err(Refuted::Differs(Mismatch { line: 1, text }))
}

/// Compares the lines that a game leaves with those of a record.
struct Verifier {
    left: VecDeque<(usize, RecordLine)>,
    whole: bool,
    digests: u64,
    found: Found,
}

fn named(line: &RecordLine) -> String {
    let article = if matches!(line, RecordLine::Answer(_) | RecordLine::End(_)) {
        "an"
    } else {
        "a"
    };
    format!("{article} {} line", line.kind())
}

impl Verifier {
    fn differs(&self, line: usize, text: String) {
        self.found
            .borrow_mut()
            .get_or_insert(Mismatch { line, text });
    }

    fn compare(&mut self, here: &RecordLine) {
        if self.found.borrow().is_some() {
            return;
        }
        let Some((line, read)) = self.left.pop_front() else {
            // What follows the last answer of a record that was cut off is not in it.
            if self.whole {
                let text = format!(
                    "the record ends, and the game played again has {}",
                    named(here)
                );
                self.differs(0, text);
            }
            return;
        };
        self.digests += u64::from(matches!(here, RecordLine::Turn(_) | RecordLine::End(_)));
        if let Some(text) = difference(&read, here) {
            self.differs(line, text);
        }
    }
}

impl Sink for Verifier {
    fn event(&mut self, game: &GameState, event: &Event) {
        if let Some(line) = RecordLine::from_event(game, event, String::new()) {
            self.compare(&line);
        }
    }

    fn wants(&self) -> EventFilter {
        EventFilter::Recorded
    }

    fn halts(&self) -> bool {
        self.found.borrow().is_some() || (!self.whole && self.left.is_empty())
    }
}

/// In which key a recorded line differs from the one made anew.
fn difference(read: &RecordLine, here: &RecordLine) -> Option<String> {
    match (read, here) {
        (read, here) if read == here => None,
        // The texts are the record's own, shortened once more.
        (RecordLine::Fault(read), RecordLine::Fault(here))
            if (read.n, read.seat, read.strikes, &read.kind)
                == (here.n, here.seat, here.strikes, &here.kind) =>
        {
            None
        }
        (read, here) if read.kind() != here.kind() => Some(format!(
            "the record has {}, and the game played again {}",
            named(read),
            named(here)
        )),
        (read, here) => Some(key_difference(&value(read), &value(here))),
    }
}

fn value(line: &RecordLine) -> Value {
    serde_json::to_value(line).expect("a record's line is plain data")
}

fn key_difference(read: &Value, here: &Value) -> String {
    let in_words =
        |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), Value::to_string);
    let keys = |value: &Value| {
        value
            .as_object()
            .map(|map| map.keys().cloned().collect::<Vec<_>>())
            .unwrap_or_default()
    };
    let mut all = keys(read);
    all.extend(keys(here));
    // Another state shows in everything: what it comes from is told before it.
    all.sort_by_key(|key| key == "digest");
    let key = all
        .into_iter()
        .find(|key| read.get(key) != here.get(key))
        .unwrap_or_default();
    format!(
        "`{key}` is {} in the record, and {} in the game played again",
        in_words(read.get(&key)),
        in_words(here.get(&key))
    )
}
