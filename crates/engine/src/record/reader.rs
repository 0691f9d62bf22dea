//! Reads records. Returns the valid beginning, and an error about the rest: its line, its key and
//! what was expected.

use serde_json::Value;

use super::chain::{self, SUM_DIGITS, sum};
use super::line::body;
use super::parse::{Parsed, object, parse};
use super::{FORMAT, Header, RecordLine, RecordedUndo};
use risk_kernel::id::MAX_PLAYERS;

/// The length limit of a line, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// A record up to its first error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// All other lines, with their numbers in the file, from 2.
    pub lines: Vec<(usize, RecordLine)>,
    /// The number of undo lines. The lines do not include decisions that were undone.
    pub taken_back: u32,
    /// The sum of the last valid line, which covers all lines up to it.
    pub last_sum: String,
    /// The error in the rest of the record, if there is one.
    pub broken: Option<RecordError>,
}

impl Record {
    /// Reports whether the record reaches the end of the game.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.broken.is_none() && matches!(self.lines.last(), Some((_, RecordLine::End(_))))
    }

    /// Returns the index of the first line of a decision that comes after the answer with this
    /// number.
    #[must_use]
    pub fn first_behind(&self, answer: u64) -> usize {
        let is_behind = |(_, line): &(usize, RecordLine)| line.decision() > Some(answer);
        self.lines
            .iter()
            .position(is_behind)
            .unwrap_or(self.lines.len())
    }

    /// Returns the number of answers at the end of the record. The number includes answers before
    /// the position from which the game begins.
    #[must_use]
    pub fn answers(&self) -> u64 {
        let held = self.lines.iter();
        let held = held.filter(|(_, line)| matches!(line, RecordLine::Answer(_)));
        self.header.answers_before() + held.count() as u64
    }
}

/// An error in a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {text}")]
pub struct RecordError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The error, as a fragment without a full stop.
    pub text: String,
}

/// Reads a record from its text.
///
/// # Errors
/// Returns an error if the record has no usable header. Later errors are in [`Record::broken`].
pub fn read(text: &str) -> Result<Record, RecordError> {
    let broken = |line: usize, text: String| RecordError { line, text };
    // Editors may have changed the line endings, but the content is the same.
    let text = &*text.replace("\r\n", "\n");
    let mut lines = text.split('\n').enumerate();
    let first = lines
        .next()
        .map(|(_, line)| line)
        .filter(|line| !line.trim().is_empty());
    let first = first.ok_or_else(|| broken(1, "the file is empty".to_owned()))?;
    let header = header(first).map_err(|text| broken(1, text))?;
    let last_sum = linked(first, "", &header).map_err(|text| broken(1, text))?;
    let mut reading = RecordReader::new(Record {
        header,
        lines: Vec::new(),
        taken_back: 0,
        last_sum,
        broken: None,
    });
    let count = text.lines().count();
    for (index, line) in lines {
        let number = index + 1;
        if line.is_empty() && number == count + 1 {
            break;
        }
        let is_torn = number == count && !text.ends_with('\n');
        if let Err(why) = reading.take(number, line) {
            let cut = "the record is cut off in the middle of a line".to_owned();
            let is_over = reading.is_over();
            let why = if is_torn && !is_over { cut } else { why };
            reading.record.broken = Some(broken(number, why));
            break;
        }
    }
    let mut record = reading.record;
    if record.broken.is_none() && !record.is_whole() {
        record.broken = Some(broken(
            count + 1,
            "expected an `end` line, found the end of the file".to_owned(),
        ));
    }
    Ok(record)
}

struct RecordReader {
    record: Record,
    answers: u64,
    /// The decisions that were not undone. Each entry contains the number of a decision, the index
    /// of its first line, and the number of answers before it. With these entries, an undo does not
    /// search all lines.
    decisions: Vec<(u64, usize, u64)>,
}

impl RecordReader {
    fn new(record: Record) -> Self {
        Self {
            answers: record.header.answers_before(),
            record,
            decisions: Vec::new(),
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.record.lines.last(), Some((_, RecordLine::End(_))))
    }

    /// Adds the next line; an undo line removes lines.
    fn take(&mut self, number: usize, line: &str) -> Parsed<()> {
        if self.is_over() {
            return Err("unexpected line after the `end` line".to_owned());
        }
        let record = &mut self.record;
        let (line, sum) = next(line, record.header.players.len(), &record.last_sum)?;
        if let RecordLine::Undo(RecordedUndo { n }) = line {
            self.take_back(n)?;
        } else {
            let last = self.decisions.last().map(|decision| decision.0);
            if let Some(n) = line.decision().filter(|&n| Some(n) > last) {
                self.decisions.push((n, record.lines.len(), self.answers));
            }
            self.answers += u64::from(matches!(line, RecordLine::Answer(_)));
            record.lines.push((number, line));
        }
        self.record.last_sum = sum;
        Ok(())
    }

    fn take_back(&mut self, n: u64) -> Parsed<()> {
        let least = self.record.header.answers_before();
        if self.answers == least {
            return Err("unexpected undo line: no answer comes before it".to_owned());
        }
        if !(least..self.answers).contains(&n) {
            let most = self.answers - 1;
            return Err(format!(
                "key `n` in an undo line: expected an integer from {least} to {most}, found {n}"
            ));
        }
        while let Some((_, place, answers)) = self.decisions.pop_if(|decision| decision.0 > n) {
            self.record.lines.truncate(place);
            self.answers = answers;
        }
        self.record.taken_back += 1;
        Ok(())
    }
}

fn value(line: &str) -> Parsed<Value> {
    if line.len() > LONGEST_LINE {
        return Err(format!(
            "a line must have at most {LONGEST_LINE} bytes, found {}",
            line.len()
        ));
    }
    serde_json::from_str(line).map_err(|error| format!("invalid JSON: {}", plain(&error)))
}

/// Formats an error of the JSON parser without its line number, because each line is parsed alone.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    format!("{text} at column {}", error.column())
}

fn next(line: &str, players: usize, before: &str) -> Parsed<(RecordLine, String)> {
    let read = RecordLine::read(value(line)?, players)?;
    let sum = linked(line, before, &read)?;
    Ok((read, sum))
}

/// Checks that a line follows the line with the sum `before`, and that it has the exact form that a
/// recorder writes.
fn linked(line: &str, before: &str, read: &impl serde::Serialize) -> Parsed<String> {
    let Some((text, found)) = chain::split_sum(line) else {
        return Err(format!(
            "expected the key `sum` at the end of the line, with {SUM_DIGITS} lowercase \
             hexadecimal digits"
        ));
    };
    let here = sum(before, text);
    if here != found {
        return Err(format!(
            "key `sum`: expected {here}, found {found}: this line was edited, or a line before it \
             was removed, added or moved"
        ));
    }
    let mut written = Vec::new();
    body(read, &mut written);
    if written != text.as_bytes() {
        return Err(
            "the line is not in canonical form: each key once, in order, without spaces".to_owned(),
        );
    }
    Ok(here)
}

/// Earlier formats were never released.
const FORMER: u64 = FORMAT as u64;

fn check_format(value: &Value) -> Parsed<()> {
    match value.get("format").and_then(Value::as_u64) {
        Some(format) if format == u64::from(FORMAT) => Ok(()),
        Some(format @ 1..FORMER) => Err(format!(
            "unsupported format {format} of a pre-release version, expected format {FORMAT}"
        )),
        Some(format) => Err(format!(
            "unsupported format {format}, expected format {FORMAT}"
        )),
        None => Err("key `format` in the header: expected an integer".to_owned()),
    }
}

fn header(line: &str) -> Parsed<Header> {
    let value = value(line).map_err(|text| format!("not a record of risk-cli: {text}"))?;
    if value.get("record").and_then(Value::as_str) != Some("risk-cli") {
        return Err(
            "not a record of risk-cli: expected `\"record\":\"risk-cli\"` in the first line"
                .to_owned(),
        );
    }
    check_format(&value)?;
    let mut keys = object(value)?;
    let sum = keys.shift_remove("sum");
    let header: Header = parse(keys, "the header")?;
    check_players(&header)?;
    let missing = match (&header.salt, &header.commitment) {
        (None, Some(_)) => "salt",
        (Some(_), None) => "commitment",
        _ if sum.is_none() => "sum",
        _ => return Ok(header),
    };
    Err(format!("missing key `{missing}` in the header"))
}

fn check_players(header: &Header) -> Parsed<()> {
    let players = &header.players;
    if players.is_empty() || players.len() > MAX_PLAYERS {
        return Err(format!(
            "key `players` in the header: expected 1 to {MAX_PLAYERS} players, found {}",
            players.len()
        ));
    }
    if let Some((index, player)) = (0..).zip(players).find(|(index, it)| it.seat != index + 1) {
        return Err(format!(
            "key `players[{index}].seat` in the header: expected {}, found {}",
            index + 1,
            player.seat
        ));
    }
    let text = match (
        header.timed,
        players.iter().any(|seat| seat.clock.is_some()),
    ) {
        (true, false) => "unexpected key `timed` in the header: no player has a clock",
        (false, true) => "missing key `timed` in the header: a player has a clock",
        _ => return Ok(()),
    };
    Err(text.to_owned())
}
