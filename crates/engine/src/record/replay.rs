//! Replays a record: its answers replace the bots.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use super::{Record, RecordLine, RecordedAnswer, RecordedExchange, RecordedFault};
use crate::hosting::HostedBot;
use risk_kernel::action::Options;
use risk_kernel::fault::{BotFault, Exchange, FaultKind};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Answer, Bot, OptionalPhases, Preferences, Strike};

/// The first difference between a record and the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {text}")]
#[non_exhaustive]
pub struct Mismatch {
    /// The line in the record, from 1.
    pub line: usize,
    /// A description of the recorded value and of the value in the game.
    pub text: String,
}

pub(super) type SharedMismatch = Rc<RefCell<Option<Mismatch>>>;

/// The players of a record, by seat, and the first mismatch that they have found.
pub struct Playback {
    /// One bot for each seat. The bot repeats the recorded answers.
    pub seats: Vec<Box<dyn HostedBot>>,
    pub(super) found: SharedMismatch,
    /// The number of answers at which the record ends, or `u64::MAX` for no limit.
    last: u64,
    stop_after: Rc<Cell<u64>>,
}

impl Playback {
    /// Creates the seats of a record. The game is halted after `stop_after` answers, and at the end
    /// of an incomplete record.
    #[must_use]
    pub fn new(record: &Record, stop_after: Option<u64>) -> Self {
        let last = if record.is_whole() {
            u64::MAX
        } else {
            record.answers()
        };
        let playback = Self::build(record, last, record.is_whole());
        playback.stop_after(stop_after.unwrap_or(u64::MAX));
        playback
    }

    /// Replaces the number of answers after which the game is halted, for a game that continues
    /// after a halt.
    pub fn stop_after(&self, answers: u64) {
        self.stop_after.set(answers.min(self.last));
    }

    /// Creates seats that never halt the game at the end of the record. The sink must stop the
    /// game.
    pub(super) fn unlimited(record: &Record) -> Self {
        Self::build(record, u64::MAX, true)
    }

    fn build(record: &Record, last: u64, fills: bool) -> Self {
        let found = SharedMismatch::default();
        let stop_after = Rc::new(Cell::new(last));
        let seat = |seat: usize| {
            let items = record
                .lines
                .iter()
                .filter(|(_, line)| said_by(line) == Some(seat))
                .cloned()
                .collect();
            let found = Rc::clone(&found);
            Box::new(Replayer {
                items,
                stop_after: Rc::clone(&stop_after),
                fills,
                exchange: None,
                found,
            }) as Box<dyn HostedBot>
        };
        Self {
            seats: (1..=record.header.players.len()).map(seat).collect(),
            found,
            last,
            stop_after,
        }
    }

    /// Returns the first recorded answer that the game does not allow. Call this after the game has
    /// been played.
    #[must_use]
    pub fn mismatch(&self) -> Option<Mismatch> {
        self.found.borrow().clone()
    }
}

/// Returns the seat whose own answer or fault a line contains.
pub(super) const fn said_by(line: &RecordLine) -> Option<usize> {
    match line {
        RecordLine::Answer(RecordedAnswer {
            seat,
            by_policy: false,
            ..
        })
        | RecordLine::Fault(RecordedFault { seat, .. }) => Some(*seat),
        _ => None,
    }
}

struct Replayer {
    items: VecDeque<(usize, RecordLine)>,
    stop_after: Rc<Cell<u64>>,
    /// Whether to answer even if the record has no answer.
    fills: bool,
    exchange: Option<Exchange>,
    found: SharedMismatch,
}

impl Replayer {
    fn mismatch(&self, line: usize, text: String) -> BotFault {
        self.found
            .borrow_mut()
            .get_or_insert(Mismatch { line, text });
        BotFault::Halt
    }
}

impl HostedBot for Replayer {
    fn faulted(&mut self, _: &View, _: &Strike<'_>) -> Option<Exchange> {
        self.exchange.take()
    }
}

impl Bot for Replayer {
    /// Includes all optional phases, because the record also contains answers that a player left to
    /// the rules.
    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            optional: OptionalPhases::All,
            ..Preferences::default()
        }
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        if view.answers() >= self.stop_after.get() || self.found.borrow().is_some() {
            return Err(BotFault::Halt);
        }
        match self.items.pop_front() {
            Some((line, RecordLine::Answer(RecordedAnswer { say, .. }))) => {
                let words = Words::new(view.board(), view.decl());
                let action = words
                    .parse(&say)
                    .map_err(|error| self.mismatch(line, error.to_string()))?;
                if let Err(why) = ask.admit(action) {
                    return Err(self.mismatch(line, words.refusal(ask, action, why)));
                }
                Ok(Answer::One(action))
            }
            Some((line, RecordLine::Fault(fault))) => {
                let exchange = fault.exchange;
                self.exchange = exchange
                    .map(|RecordedExchange { request, answer }| Exchange { request, answer });
                let kind = fault.kind;
                match FaultKind::from_name(&kind) {
                    Some(known) => Err(BotFault::strike(known, fault.text)),
                    None => Err(self.mismatch(line, format!("unknown kind of fault `{kind}`"))),
                }
            }
            // An answer can only be missing if it was never applied: the record ends with the
            // answer of another player in the same pass.
            _ if self.fills => Ok(Answer::One(ask.nth(0))),
            _ => Err(BotFault::Halt),
        }
    }
}
