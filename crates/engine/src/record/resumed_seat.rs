//! Bots in a resumed game, which repeat the recorded answers and then continue.

use super::replay::said_by;
use super::{Playback, Record};
use crate::hosting::HostedBot;
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, Exchange};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, OptionalPhases, Preferences, RuleQueries, Strike};

/// Makes seats repeat their answers in a record of an unfinished game. If `is_held` returns true
/// for a seat, its bot receives all events and its own recorded answers, and is not asked until the
/// record ends. All other bots are asked from the beginning. Scripts need these calls to rebuild
/// their memory, and give the same answers again.
pub fn hold(
    record: &Record,
    bots: Vec<Box<dyn HostedBot>>,
    is_held: impl Fn(usize) -> bool,
) -> Vec<Box<dyn HostedBot>> {
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
        .map(|(seat, (bot, recorded))| -> Box<dyn HostedBot> {
            if is_held(seat) {
                Box::new(ResumedSeat {
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

/// A seat that repeats its recorded answers, and then asks its own bot.
struct ResumedSeat {
    recorded: Box<dyn HostedBot>,
    bot: Box<dyn HostedBot>,
    /// The number of answers of all players at the end of the record.
    answers: u64,
    /// The number of this seat's answers and faults that remain in the record.
    left: usize,
}

impl HostedBot for ResumedSeat {
    fn inner(&self) -> Option<&dyn HostedBot> {
        Some(&*self.bot)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn HostedBot> {
        Some(&mut *self.bot)
    }

    fn faulted(&mut self, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        if view.answers() < self.answers {
            return self.recorded.faulted(view, strike);
        }
        self.bot.faulted(view, strike)
    }
}

impl Bot for ResumedSeat {
    fn start(&mut self, view: &View, rng: Stream) {
        if self.answers > 0 {
            self.bot.resume(view, rng);
        } else {
            self.bot.start(view, rng);
        }
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        // A record may end within a pass, with only the answers of other seats.
        if view.answers() < self.answers && self.left > 0 {
            self.left -= 1;
            let said = self.recorded.answer(view, options);
            if let Ok(Answer::One(action)) = said {
                self.bot.recall(view, options, action);
            }
            return said;
        }
        let optional = view.frame().is_some_and(|frame| {
            view.decl().phases[frame.phase.index()].optional
                && !self.bot.preferences().optional.has(frame.phase)
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

    fn saw(&mut self, view: &View, event: &Event) {
        self.bot.saw(view, event);
    }

    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        self.bot.finish(view, scores, outcome);
    }

    /// Includes all optional phases, because the record also contains answers that a player left to
    /// the rules. Includes single actions besides plans, because recorded answers are checked
    /// against all options.
    fn preferences(&self) -> Preferences<'_> {
        let own = self.bot.preferences();
        Preferences {
            plans: own.plans.with_actions(),
            optional: OptionalPhases::All,
            ..own
        }
    }
}
