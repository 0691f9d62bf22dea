//! Playing a record again: its answers in the place of bots, its digests against the game's.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::{Line, Record, Said, hex};
use crate::kernel::action::Options;
use crate::kernel::event::Event;
use crate::kernel::fault::{BotFault, Exchange, FaultKind};
use crate::kernel::id::Phase;
use crate::kernel::state::Game;
use crate::kernel::view::View;
use crate::kernel::words::Words;
use crate::kernel::{Answer, Bot, Sink};

/// Where a record and the game part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The record's line, from 1.
    pub line: usize,
    /// How.
    pub text: String,
}

type Found = Rc<RefCell<Option<Mismatch>>>;

/// One seat of a record as a bot.
#[derive(Debug)]
pub struct Replayer {
    items: VecDeque<(usize, Line)>,
    stop_after: u64,
    whole: bool,
    exchange: Option<Exchange>,
    found: Found,
}

impl Replayer {
    /// All seats of a record. The game is halted after `stop_after` answers.
    #[must_use]
    pub fn seats(record: &Record, stop_after: Option<u64>, verifier: &Verifier) -> Vec<Box<dyn Bot>> {
        let seat_of = |line: &Line| match line {
            Line::Say { seat, by_policy: false, .. } | Line::Fault { seat, .. } => Some(*seat),
            _ => None,
        };
        let seat = |seat: usize| {
            let items = record.lines.iter().filter(|(_, line)| seat_of(line) == Some(seat)).cloned().collect();
            let stop_after =
                stop_after.unwrap_or(u64::MAX).min(if record.is_whole() { u64::MAX } else { record.answers() });
            let found = Rc::clone(&verifier.found);
            Box::new(Self { items, stop_after, whole: record.is_whole(), exchange: None, found }) as Box<dyn Bot>
        };
        (1..=record.header.players.len()).map(seat).collect()
    }

    fn mismatch(&self, line: usize, text: String) -> BotFault {
        self.found.borrow_mut().get_or_insert(Mismatch { line, text });
        BotFault::Halt
    }
}

impl Bot for Replayer {
    fn exchange(&mut self) -> Option<Exchange> {
        self.exchange.take()
    }

    /// What a player left to the rules is in the record like all other answers.
    fn wants(&self, _: Phase) -> bool {
        true
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        if view.answers() >= self.stop_after || self.found.borrow().is_some() {
            return Err(BotFault::Halt);
        }
        match self.items.pop_front() {
            Some((line, Line::Say { say, .. })) => {
                let words = Words::new(view.board(), view.decl());
                let action = words.parse(&say).map_err(|text| self.mismatch(line, text))?;
                if let Err(why) = ask.admit(action) {
                    return Err(self.mismatch(line, words.refusal(ask, action, why)));
                }
                Ok(Answer::One(action))
            }
            Some((line, Line::Fault { fault, text, exchange, .. })) => {
                self.exchange = exchange.map(|Said { request, answer }| Exchange { request, answer });
                let kind = FaultKind::ALL.into_iter().find(|kind| kind.word() == fault);
                match kind {
                    Some(kind) => Err(BotFault::strike(kind, text)),
                    None => Err(self.mismatch(line, format!("there is no kind of fault `{fault}`"))),
                }
            }
            // In a whole record only an answer that was never applied is missing.
            _ if self.whole => Ok(Answer::One(ask.nth(0))),
            _ => Err(BotFault::Halt),
        }
    }
}

/// Compares a record's digests with those of the game played again.
#[derive(Debug)]
pub struct Verifier {
    checkpoints: VecDeque<(usize, u32, String)>,
    end: Option<(usize, String)>,
    checked: u64,
    found: Found,
}

impl Verifier {
    /// For a record.
    #[must_use]
    pub fn new(record: &Record) -> Self {
        let checkpoints = record.lines.iter().filter_map(|(number, line)| match line {
            Line::Turn { turn, digest, .. } => Some((*number, *turn, digest.clone())),
            _ => None,
        });
        let end = record.lines.iter().find_map(|(number, line)| match line {
            Line::End { digest, .. } => Some((*number, digest.clone())),
            _ => None,
        });
        Self { checkpoints: checkpoints.collect(), end, checked: 0, found: Found::default() }
    }

    /// Compares the end, and says how many digests were compared.
    ///
    /// # Errors
    /// The first place where record and game part.
    pub fn finish(mut self, game: &Game, ended: bool) -> Result<u64, Mismatch> {
        if let (Some((line, digest)), true) = (self.end.take(), ended) {
            self.compare(line, "the end", &digest, game);
        }
        match self.found.borrow_mut().take() {
            Some(mismatch) => Err(mismatch),
            None => Ok(self.checked),
        }
    }

    fn compare(&mut self, line: usize, what: &str, recorded: &str, game: &Game) {
        self.checked += 1;
        let here = hex(game.digest());
        if here != recorded {
            let text = format!("at {what} the record has the digest {recorded}, and the game played again {here}");
            self.found.borrow_mut().get_or_insert(Mismatch { line, text });
        }
    }
}

impl Sink for Verifier {
    fn event(&mut self, game: &Game, event: &Event) {
        if let Event::TurnBegan { turn, .. } = event
            && let Some((line, recorded_turn, digest)) = self.checkpoints.pop_front()
        {
            if recorded_turn == *turn {
                self.compare(line, &format!("turn {turn}"), &digest, game);
            } else {
                let text = format!("the record has turn {recorded_turn} where the game has turn {turn}");
                self.found.borrow_mut().get_or_insert(Mismatch { line, text });
            }
        }
    }
}
