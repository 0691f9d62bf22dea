//! The seats of people in a game that begins with the answers of its link.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use risk_engine::HostedBot;
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::id::Verb;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Answer, Bot, OptionalPhases, Preferences, RuleQueries};
use risk_people::PeopleGame;

/// The answers of a link that are still to be given.
#[derive(Default)]
pub(crate) struct Answers {
    /// Those of each seat: people who are asked at the same time may be recorded in another order.
    left: Vec<VecDeque<i32>>,
    pub(crate) given: usize,
    wrong: Option<String>,
}

impl Answers {
    /// Takes the numbers of a link apart: for each seat with answers, their number and they.
    pub(crate) fn new(numbers: &[i32], seated: &PeopleGame) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut left = vec![VecDeque::new(); seated.people.len()];
        for (seat, all) in left.iter_mut().enumerate() {
            if numbers.len() == 0 || !seated.is_held(seat) {
                continue;
            }
            let count = usize::try_from(numbers.next()?).ok()?;
            all.extend(numbers.by_ref().take(count));
            if all.len() < count {
                return None;
            }
        }
        (numbers.len() == 0).then(|| Self {
            left,
            ..Self::default()
        })
    }

    /// Returns why the answers do not fit the game, if they do not. Call this after the game.
    pub(crate) fn why_wrong(self) -> Option<String> {
        let left = self.left.iter().any(|left| !left.is_empty());
        let text = "the next one is never asked for";
        self.wrong.or_else(|| left.then(|| text.to_owned()))
    }

    /// Takes the next answer of a seat: an action, or none if the person gave up.
    fn next(&mut self, seat: usize, decl: &Declaration) -> Option<Result<Option<Action>, String>> {
        let left = &mut self.left[seat];
        let verb = left.pop_front()?;
        self.given += 1;
        if verb == 0 {
            return Some(Ok(None));
        }
        let verb = usize::try_from(i64::from(verb) - 1).unwrap_or(usize::MAX);
        let Some(info) = decl.verbs.get(verb) else {
            return Some(Err("there is no such action".to_owned()));
        };
        let count = info.slots.len();
        if left.len() < count {
            return Some(Err("it is cut".to_owned()));
        }
        let args: Vec<i32> = left.drain(..count).collect();
        Some(Ok(Some(Action::new(Verb::from_index(verb), &args))))
    }
}

/// A seat that gives the answers of a link. Behind them, a bot goes on, and a person stops the
/// game.
pub(crate) struct LinkedSeat {
    pub(crate) seat: usize,
    pub(crate) answers: Rc<RefCell<Answers>>,
    pub(crate) bot: Option<Box<dyn HostedBot>>,
}

impl HostedBot for LinkedSeat {
    fn inner(&self) -> Option<&dyn HostedBot> {
        self.bot.as_deref()
    }

    fn inner_mut(&mut self) -> Option<&mut dyn HostedBot> {
        Some(&mut **self.bot.as_mut()?)
    }
}

impl Bot for LinkedSeat {
    fn start(&mut self, view: &View, rng: Stream) {
        let is_resumed = !self.answers.borrow().left[self.seat].is_empty();
        match &mut self.bot {
            Some(bot) if is_resumed => bot.resume(view, rng),
            Some(bot) => bot.start(view, rng),
            None => {}
        }
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let mut answers = self.answers.borrow_mut();
        if answers.wrong.is_some() {
            return Err(BotFault::Halt);
        }
        let action = match answers.next(self.seat, view.decl()) {
            Some(Ok(Some(action))) => action,
            Some(Ok(None)) => return Err(BotFault::strike(FaultKind::Resigned, "gave up")),
            Some(Err(why)) => {
                answers.wrong = Some(why);
                return Err(BotFault::Halt);
            }
            None => {
                let Some(bot) = &mut self.bot else {
                    return Err(BotFault::Halt);
                };
                let phase = view.frame().map(|frame| frame.phase);
                let left = phase.is_some_and(|phase| {
                    view.decl().phases[phase.index()].optional
                        && !bot.preferences().optional.has(phase)
                });
                return match left {
                    true => Ok(Answer::One(options.nth(0))),
                    false => bot.answer(view, options),
                };
            }
        };
        if let Err(why) = options.admit(action) {
            let words = Words::new(view.board(), view.decl());
            answers.wrong = Some(words.refusal(options, action, why));
            return Err(BotFault::Halt);
        }
        if let Some(bot) = &mut self.bot {
            bot.recall(view, options, action);
        }
        Ok(Answer::One(action))
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        if !self.answers.borrow().left[self.seat].is_empty() {
            return None;
        }
        self.bot.as_mut()?.try_next(view, rules)
    }

    fn preferences(&self) -> Preferences<'_> {
        let own = self.bot.as_ref().map(|bot| bot.preferences());
        let own = own.unwrap_or_default();
        Preferences {
            plans: own.plans.with_actions(),
            optional: OptionalPhases::All,
            ..own
        }
    }

    fn saw(&mut self, view: &View, event: &Event) {
        if let Some(bot) = &mut self.bot {
            bot.saw(view, event);
        }
    }

    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        if let Some(bot) = &mut self.bot {
            bot.finish(view, scores, outcome);
        }
    }
}
