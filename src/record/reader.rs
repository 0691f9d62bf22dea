//! Reading records: what is whole is kept, and what is not is said.

use super::{FORMAT, Header, Line};

/// The longest line that is read.
const LONGEST_LINE: usize = 1 << 20;

/// A record, as far as it could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The header.
    pub header: Header,
    /// All other lines, with their numbers in the file, from 2.
    pub lines: Vec<(usize, Line)>,
    /// What is wrong with the rest, if something is.
    pub broken: Option<Broken>,
}

impl Record {
    /// Does it reach the end of the game?
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.broken.is_none() && matches!(self.lines.last(), Some((_, Line::End { .. })))
    }

    /// How many answers it holds.
    #[must_use]
    pub fn answers(&self) -> u64 {
        self.lines.iter().filter(|(_, line)| matches!(line, Line::Say { .. })).count() as u64
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// In which line, from 1.
    pub line: usize,
    /// What.
    pub text: String,
}

/// Reads a record.
///
/// # Errors
/// When it has no header that can be used. Later damage is told in [`Record::broken`].
pub fn read(text: &str) -> Result<Record, Broken> {
    let broken = |line: usize, text: String| Broken { line, text };
    let mut lines = text.lines().enumerate();
    let first = lines.next().map(|(_, line)| line).filter(|line| !line.trim().is_empty());
    let first = first.ok_or_else(|| broken(1, "the file is empty".to_owned()))?;
    let value: serde_json::Value = serde_json::from_str(short(first))
        .map_err(|_| broken(1, "this is no record of risk-cli: the first line is not JSON".to_owned()))?;
    if value.get("record").and_then(serde_json::Value::as_str) != Some("risk-cli") {
        return Err(broken(
            1,
            "this is no record of risk-cli: the first line has no \"record\": \"risk-cli\"".to_owned(),
        ));
    }
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    if format != Some(u64::from(FORMAT)) {
        let said = format.map_or_else(|| "no".to_owned(), |format| format.to_string());
        return Err(broken(1, format!("the record has format {said}, and this program reads format {FORMAT}")));
    }
    let header: Header =
        serde_json::from_value(value).map_err(|error| broken(1, format!("the header is damaged: {error}")))?;
    let seats = header.players.iter().map(|player| player.seat);
    if header.players.is_empty() || header.players.len() > 32 || !seats.eq(1..=header.players.len()) {
        return Err(broken(1, "the header is damaged: its players are not seated from 1 on".to_owned()));
    }
    let mut record = Record { header, lines: Vec::new(), broken: None };
    let ends_whole = text.ends_with('\n');
    let count = text.lines().count();
    for (index, line) in lines {
        let number = index + 1;
        if matches!(record.lines.last(), Some((_, Line::End { .. }))) {
            record.broken = Some(broken(number, "there is more after the end of the game".to_owned()));
            break;
        }
        match parse(line, record.header.players.len()) {
            Ok(line) => record.lines.push((number, line)),
            Err(_) if number == count && !ends_whole => {
                record.broken = Some(broken(number, "the record is cut off in the middle of a line".to_owned()));
            }
            Err(text) => record.broken = Some(broken(number, text)),
        }
        if record.broken.is_some() {
            break;
        }
    }
    if record.broken.is_none() && !record.is_whole() {
        record.broken = Some(broken(count + 1, "the record ends before the game does".to_owned()));
    }
    Ok(record)
}

fn short(line: &str) -> &str {
    if line.len() > LONGEST_LINE { "" } else { line }
}

fn parse(line: &str, players: usize) -> Result<Line, String> {
    let line: Line = serde_json::from_str(short(line)).map_err(|_| "the line is no line of a record".to_owned())?;
    let seat = match &line {
        Line::Say { seat, .. } | Line::Fault { seat, .. } => *seat,
        Line::Turn { seat, .. } => seat.unwrap_or(1),
        Line::Note { .. } | Line::End { .. } => 1,
    };
    if (1..=players).contains(&seat) {
        Ok(line)
    } else {
        Err(format!("there is no seat {seat}: the game has {players} players"))
    }
}
