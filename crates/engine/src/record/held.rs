//! Bots that take a game up again: they say what the record says, and go on behind it.

use super::replay::said_by;
use super::{Playback, Record};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::{BotFault, Exchange, FaultKind};
use risk_kernel::id::Phase;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, RuleQueries};

/// Holds players to their answers in a record of an unfinished game, by seat: those for whom
/// `is_held` says so are told what happens and what they answered, and not asked until the record
/// ends. All others are asked from the beginning, as scripts must be, which remember; they say the
/// same again.
pub fn hold(
    record: &Record,
    bots: Vec<Box<dyn Bot>>,
    is_held: impl Fn(usize) -> bool,
) -> Vec<Box<dyn Bot>> {
    let recorded = Playback::unlimited(record).seats;
    let answers = record.answers();
    let said = |seat: usize| {
        let lines = record.lines.iter();
        lines
            .filter(|(_, line)| said_by(line) == Some(seat + 1))
            .count()
    };
    let seats = bots.into_iter().zip(recorded).enumerate();
    seats
        .map(|(seat, (bot, recorded))| -> Box<dyn Bot> {
            if is_held(seat) {
                Box::new(Held {
                    recorded,
                    bot,
                    answers,
                    left: said(seat),
                })
            } else {
                bot
            }
        })
        .collect()
}

/// A seat that says what a record says, and behind it what its own bot says.
struct Held {
    recorded: Box<dyn Bot>,
    bot: Box<dyn Bot>,
    /// How many answers the record has, of all players.
    answers: u64,
    /// How often the record still has an answer of this seat, or a fault.
    left: usize,
}

impl Bot for Held {
    fn inner(&self) -> Option<&dyn Bot> {
        Some(&*self.bot)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Bot> {
        Some(&mut *self.bot)
    }

    fn start(&mut self, view: &View, rng: Stream) {
        if self.answers > 0 {
            self.bot.resume(view, rng);
        } else {
            self.bot.start(view, rng);
        }
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        // A record may end in the middle of a pass, with the answers of other seats alone.
        if view.answers() < self.answers && self.left > 0 {
            self.left -= 1;
            let said = self.recorded.answer(view, options);
            if let Ok(Answer::One(action)) = said {
                self.bot.recall(view, options, action);
            }
            return said;
        }
        let optional = view.frame().is_some_and(|frame| {
            view.decl().phases[frame.phase.index()].optional && !self.bot.wants(frame.phase)
        });
        if optional {
            return Ok(Answer::One(options.nth(0)));
        }
        self.bot.answer(view, options)
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        if view.answers() < self.answers {
            return None;
        }
        self.bot.try_next(view, rules)
    }

    /// What a player left to the rules is in the record like all other answers.
    fn wants(&self, _: Phase) -> bool {
        true
    }

    fn faulted(&mut self, view: &View, kind: FaultKind, text: &str, strikes: u32) {
        if view.answers() >= self.answers {
            self.bot.faulted(view, kind, text, strikes);
        }
    }

    fn exchange(&mut self) -> Option<Exchange> {
        self.recorded.exchange().or_else(|| self.bot.exchange())
    }

    /// The options of what the record says are all looked at.
    fn plans_alone(&self) -> bool {
        false
    }
}
