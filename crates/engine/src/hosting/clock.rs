//! Clocks measure the wall-clock time that bots take. This time must not affect a game or a
//! result, except through a time control.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::hosted::HostedBot;
use super::time_control::{TimeControl, TimeLeft};
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Preferences, RuleQueries};

/// The time that one bot took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BotTime {
    /// The total time, including calls that ask for no answer.
    pub all: Duration,
    /// The time of the longest answer.
    pub most: Duration,
    /// The number of answers.
    pub answers: u64,
}

/// One bot's clock, shared between the bot's wrapper and the worker that reads it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(Rc<Cell<(bool, BotTime)>>);

impl Clock {
    pub(crate) fn set(&self, runs: bool) {
        self.0.set((runs, BotTime::default()));
    }

    pub(crate) fn read(&self) -> Option<BotTime> {
        let (runs, time) = self.0.get();
        runs.then_some(time)
    }

    /// Runs `work` while the clock runs. `answered` reports whether the result is an answer.
    fn during<T>(&self, work: impl FnOnce() -> T, answered: impl FnOnce(&T) -> bool) -> T {
        if !self.0.get().0 {
            return work();
        }
        let began = Instant::now();
        let done = work();
        let took = began.elapsed();
        let (runs, mut time) = self.0.get();
        time.all += took;
        if answered(&done) {
            time.answers += 1;
            time.most = time.most.max(took);
        }
        self.0.set((runs, time));
        done
    }
}

/// A bot with a clock, which either only measures time or also enforces a time control.
pub(crate) struct TimedBot {
    bot: Box<dyn HostedBot>,
    clock: Clock,
    left: Option<TimeLeft>,
    /// The time already spent on the next answer.
    thought: Duration,
    /// The fault of a quick answer that came too late. The next call for a decision returns it.
    was_late: Option<BotFault>,
}

impl TimedBot {
    pub(crate) fn new(bot: Box<dyn HostedBot>, clock: Clock, control: Option<TimeControl>) -> Self {
        Self {
            bot,
            clock,
            left: control.map(TimeControl::full),
            thought: Duration::ZERO,
            was_late: None,
        }
    }

    /// Lets the bot think while its clock runs. `answered` reports whether the result is an answer.
    /// Returns a timeout if the bot takes longer than its remaining time, even if it gives no
    /// answer.
    fn held<T>(
        &mut self,
        think: impl FnOnce(&mut Self) -> T,
        answered: impl FnOnce(&T) -> bool,
    ) -> Result<T, BotFault> {
        let Some(clock) = self.left else {
            return Ok(think(self));
        };
        self.bot.has_left(clock);
        let began = Instant::now();
        let done = think(self);
        let took = self.thought + began.elapsed();
        let is_late = took > clock.left;
        if !is_late && !answered(&done) {
            // This time counts towards the next answer.
            self.thought = took;
            return Ok(done);
        }
        self.thought = Duration::ZERO;
        if is_late || self.bot.was_asked() {
            self.left = Some(clock.after(took));
        }
        if !is_late {
            return Ok(done);
        }
        let left = clock.left.as_millis();
        let text = format!("no answer within the {left} ms left on the clock");
        Err(BotFault::strike(FaultKind::Timeout, text))
    }
}

impl HostedBot for TimedBot {
    fn inner(&self) -> Option<&dyn HostedBot> {
        Some(&*self.bot)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn HostedBot> {
        Some(&mut *self.bot)
    }
}

impl Bot for TimedBot {
    fn start(&mut self, view: &View, rng: Stream) {
        self.was_late = None;
        self.thought = Duration::ZERO;
        self.left = self.left.map(|clock| clock.control.full());
        if let Some(clock) = self.left {
            self.bot.has_left(clock);
        }
        self.clock.during(|| self.bot.start(view, rng), |()| false);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        if let Some(fault) = self.was_late.take() {
            return Err(fault);
        }
        let think = |timed: &mut Self| {
            let clock = &timed.clock;
            let bot = &mut timed.bot;
            clock.during(|| bot.answer(view, options), |_| true)
        };
        self.held(think, |_| true)?
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let think = |timed: &mut Self| {
            let clock = &timed.clock;
            let bot = &mut timed.bot;
            clock.during(|| bot.try_next(view, rules), Option::is_some)
        };
        let done = self.held(think, Option::is_some);
        done.unwrap_or_else(|fault| {
            self.was_late = Some(fault);
            None
        })
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.clock.during(|| self.bot.saw(view, event), |()| false);
    }

    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        self.clock
            .during(|| self.bot.finish(view, scores, outcome), |()| false);
    }

    fn preferences(&self) -> Preferences<'_> {
        self.bot.preferences()
    }
}
