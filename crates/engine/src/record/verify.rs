//! Verification: plays a game again from its record, writes every line again, and compares the
//! lines key by key.

use std::collections::VecDeque;

use serde_json::Value;

use super::replay::SharedMismatch;
use super::{Mismatch, Playback, Record, RecordLine, RecordedPosition};
use crate::matches::Worker;
use risk_kernel::event::Event;
use risk_kernel::view::Facts;
use risk_kernel::{EventFilter, FinishedGame, Moment, Sink, StopReason};

/// The report on a valid record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifyReport {
    /// The number of lines, including the header.
    pub lines: usize,
    /// The number of recorded answers that were repeated.
    pub answers: u64,
    /// The number of states whose digests matched the record.
    pub digests: u64,
    /// Whether the record reaches the end of the game.
    pub whole: bool,
    /// The last sum, which covers every byte before it. If it matches a copy of the sum from
    /// another source, nothing was changed, including names and texts that a replay can't check.
    pub last_sum: String,
    /// The commitment in the record, if there is one. It matches the record's salt and seed.
    pub commitment: Option<String>,
}

/// The reason why a record is not valid.
#[derive(Debug)]
pub enum VerifyError {
    /// The game differs from the record.
    Differs(Mismatch),
    /// The ruleset failed. Contains the game up to that point.
    Rules(Box<FinishedGame>),
}

impl std::fmt::Display for VerifyError {
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

impl std::error::Error for VerifyError {}

/// Plays a record again and compares every line. `worker` must be created from the setup that was
/// played, or from [`super::Header::setup`].
///
/// Values that a replay can't compute are taken from the record, and only the chain of sums
/// protects them: names, bots and the version in the header, kinds and texts of faults, and
/// exchanges with remote bots. The same applies to options and the fault policy if they made no
/// difference in this game.
///
/// # Errors
/// Returns the first difference between the game and the record, or the ruleset's fault.
pub fn verify(record: &Record, worker: &mut Worker<'_>) -> Result<VerifyReport, VerifyError> {
    verify_position(record, worker)?;
    verify_commitment(record)?;
    let mut playback = Playback::unlimited(record);
    let found = SharedMismatch::clone(&playback.found);
    let mut verifier = Verifier {
        left: record.lines.iter().cloned().collect(),
        whole: record.is_whole(),
        digests: 0,
        found,
    };
    let finished = worker.play_with(record.header.game, &mut playback.seats, &mut verifier);
    match &finished.outcome {
        // An invalid record may have caused the fault, so a mismatch takes precedence.
        Err(StopReason::Rules(_)) if playback.mismatch().is_none() => {
            return Err(VerifyError::Rules(Box::new(finished)));
        }
        Ok(outcome) if playback.mismatch().is_none() => {
            verifier.compare(&RecordLine::end(outcome, &finished.game));
            if let Some((line, read)) = verifier.left.front().cloned() {
                verifier.differs(
                    line,
                    format!("the replay is over, but the record has {}", named(&read)),
                );
            }
        }
        _ => {}
    }
    if let Some(mismatch) = playback.mismatch() {
        return Err(VerifyError::Differs(mismatch));
    }
    if let Some((line, read)) = verifier.left.front() {
        let text = format!("the replay stops before this {} line", read.kind());
        return Err(VerifyError::Differs(Mismatch { line: *line, text }));
    }
    Ok(VerifyReport {
        lines: record.lines.len() + 1,
        answers: record.answers() - record.header.answers_before(),
        digests: verifier.digests,
        whole: record.is_whole(),
        last_sum: record.last_sum.clone(),
        commitment: record.header.commitment.clone(),
    })
}

fn verify_commitment(record: &Record) -> Result<(), VerifyError> {
    let header = &record.header;
    let Some((salt, read)) = header.salt.as_ref().zip(header.commitment.as_ref()) else {
        return Ok(());
    };
    let here = header.seed.commitment(salt);
    if here == *read {
        return Ok(());
    }
    let text = format!("`commitment` is {read} in the record, but its salt and seed give {here}");
    Err(VerifyError::Differs(Mismatch { line: 1, text }))
}

/// Checks that the position in the header matches the recorded digest.
fn verify_position(record: &Record, worker: &Worker<'_>) -> Result<(), VerifyError> {
    let here = RecordedPosition::from_worker(worker, record.header.game);
    let Some(read) = &record.header.position else {
        return Ok(());
    };
    let text = match here {
        Some(here) if here == *read => return Ok(()),
        Some(here) if here.digest != read.digest => format!(
            "`digest` of the position is {} in the record and {} in the replay",
            read.digest, here.digest
        ),
        _ => "`position` differs from the position of the replay".to_owned(),
    };
    Err(VerifyError::Differs(Mismatch { line: 1, text }))
}

struct Verifier {
    left: VecDeque<(usize, RecordLine)>,
    whole: bool,
    digests: u64,
    found: SharedMismatch,
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
            // A truncated record lacks the lines after its last answer.
            if self.whole {
                let text = format!(
                    "the record ends, but the replay continues with {}",
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
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        if let Some(line) = RecordLine::from_event(&game, event, String::new()) {
            self.compare(&line);
        }
    }

    fn wants(&self) -> EventFilter {
        EventFilter::Recorded
    }

    fn halts(&mut self, _: &Facts) -> bool {
        self.found.borrow().is_some() || (!self.whole && self.left.is_empty())
    }
}

fn difference(read: &RecordLine, here: &RecordLine) -> Option<String> {
    match (read, here) {
        (read, here) if read == here => None,
        // The new texts come from the record itself, but were shortened once more.
        (RecordLine::Fault(read), RecordLine::Fault(here))
            if (read.n, read.seat, read.strikes, &read.kind)
                == (here.n, here.seat, here.strikes, &here.kind) =>
        {
            None
        }
        (read, here) if read.kind() != here.kind() => Some(format!(
            "the record has {}, but the replay has {}",
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
        |value: Option<&Value>| value.map_or_else(|| "missing".to_owned(), Value::to_string);
    let keys = |value: &Value| {
        value
            .as_object()
            .map(|map| map.keys().cloned().collect::<Vec<_>>())
            .unwrap_or_default()
    };
    let mut all = keys(read);
    all.extend(keys(here));
    // A different state changes every digest, so report its cause first.
    all.sort_by_key(|key| key == "digest");
    let key = all
        .into_iter()
        .find(|key| read.get(key) != here.get(key))
        .unwrap_or_default();
    format!(
        "`{key}` is {} in the record and {} in the replay",
        in_words(read.get(&key)),
        in_words(here.get(&key))
    )
}
