//! A bot is asked again at one decision of a recorded game.

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::rc::Rc;

use super::line::{RecordLine, RecordedFault};
use super::reader::Record;
use super::replay::Playback;
use crate::load::bot_spec::BotSpec;
use crate::load::diag::{Finding, LoadError};
use crate::matches::{HostedBot, Setup, Worker, hosted};
use crate::script::tracer::Tracer;
use crate::script::{ScriptFault, ScriptLimits};
use risk_kernel::action::{Action, Bounds, Options};
use risk_kernel::answer_queue::AnswerQueue;
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, RuleFault};
use risk_kernel::id::Verb;
use risk_kernel::odds::Fight;
use risk_kernel::rng::Stream;
use risk_kernel::state::GameState;
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Answer, Bot, NullSink, OptionalPhases, Preferences, RuleQueries, Stop};

/// What a bot answers at a decision of a recorded game.
#[derive(Debug)]
pub struct AskedAgain {
    /// What the player sees there.
    pub view: View,
    /// What it may answer.
    pub options: Options,
    /// What the record says of that decision, in words.
    pub recorded: String,
    /// What the bot answers, in words; or what is wrong with that, with the place in the script
    /// where it has one.
    pub answer: Result<String, Finding>,
    /// What the answer cost.
    pub cost: Cost,
}

/// Why a bot could not be asked.
#[derive(Debug)]
pub enum Unasked {
    /// The record has no decision of that number.
    NoDecision,
    /// No player made that decision: the rules or the fault policy did.
    NoPlayer,
    /// The ruleset or the bot can't be loaded.
    Load(LoadError),
    /// The ruleset failed, in this state.
    Rules(RuleFault, Box<GameState>),
}

impl From<LoadError> for Unasked {
    fn from(failure: LoadError) -> Self {
        Self::Load(failure)
    }
}

/// What an answer cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// The bot was called: operations, all of a script.
    Operations(u64),
    /// It goes on with what it answered at an earlier decision.
    Earlier {
        /// Of what that answer was a part: a list or a plan.
        what: &'static str,
        /// The number of the decision at which it was given, from 1.
        decision: u64,
    },
}

/// Plays a recorded game up to a decision, and asks a bot there; it has been asked at every
/// decision of that seat before, so that it remembers what it would remember. What its script says
/// with `debug` is to be had of `tracer`.
///
/// # Errors
/// When there is no such decision, or something fails before it.
pub fn ask_again(
    record: &Record,
    setup: &Setup,
    decision: u64,
    bot: &BotSpec,
    tracer: &Tracer,
) -> Result<AskedAgain, Unasked> {
    let (seat, recorded) = asked_seat(record, decision).ok_or(Unasked::NoDecision)?;
    let mut worker = Worker::new(setup)?;
    let limits = ScriptLimits {
        tracer: tracer.clone(),
        ..setup.limits.clone()
    };
    let fight = Fight::of(worker.decl(), worker.rules().tables());
    let players = setup.bots.len();
    let rules = setup
        .ruleset
        .rules_source(&setup.board, &setup.options, players, &limits);
    let built = bot.source.build(worker.decl(), fight, &rules);
    let found = Rc::new(RefCell::new(None));
    let mut seats = Playback::new(record, None).seats;
    let playback = seats.remove(seat - 1);
    let asked = AskAgain {
        recorded: playback,
        asked: built.map_err(LoadError::from)?,
        decision,
        quick: None,
        ahead: AnswerQueue::default(),
        called: 0,
        tracer: tracer.clone(),
        found: Rc::clone(&found),
    };
    seats.insert(seat - 1, hosted(asked));
    let finished = worker.play_with(record.header.game, &mut seats, &mut NullSink);
    if let Err(Stop::Rules(fault)) = finished.outcome {
        return Err(Unasked::Rules(fault, Box::new(finished.game)));
    }
    let found = found.take().ok_or(Unasked::NoPlayer)?;
    Ok(AskedAgain {
        view: found.view,
        options: found.options,
        recorded,
        answer: found.answer,
        cost: found.cost,
    })
}

/// The seat that was asked for this decision, and what it said.
fn asked_seat(record: &Record, decision: u64) -> Option<(usize, String)> {
    let before = record
        .lines
        .iter()
        .rposition(|(_, line)| matches!(line, RecordLine::Answer(it) if it.n == decision - 1));
    if before.is_none() && decision != record.header.answers_before() + 1 {
        return None;
    }
    record.lines[before.map_or(0, |index| index + 1)..]
        .iter()
        .find_map(|(_, line)| match line {
            RecordLine::Answer(it) => Some((it.seat, it.say.clone())),
            RecordLine::Fault(RecordedFault {
                seat, kind, text, ..
            }) => Some((*seat, format!("fault ({kind}): {text}"))),
            _ => None,
        })
}

/// What came of asking.
struct Found {
    view: View,
    options: Options,
    answer: Result<String, Finding>,
    cost: Cost,
}

/// Sits where the record says, but also asks another bot: at every decision of its seat before, so
/// that it remembers what it would remember, and at the one of interest.
struct AskAgain {
    recorded: Box<dyn HostedBot>,
    asked: Box<dyn HostedBot>,
    decision: u64,
    /// What it said at this decision before the options were written down, if it was asked then.
    quick: Option<Quick>,
    /// The rest of a list that it answered, while the record has just these answers.
    ahead: AnswerQueue,
    /// The decision at which it was called last.
    called: u64,
    tracer: Tracer,
    found: Rc<RefCell<Option<Found>>>,
}

impl AskAgain {
    /// Asks the bot as a game would: the rest of a list and a plan that goes on come first.
    fn ask(&mut self, view: &View, options: &Options) -> (Result<Answer, BotFault>, Cost) {
        let earlier = |what| Cost::Earlier {
            what,
            decision: self.called,
        };
        if let Some(legal) = self.ahead.take(options) {
            return (Ok(Answer::One(*legal)), earlier("the list"));
        }
        let quick = self.quick.take();
        let quick = quick.unwrap_or_else(|| Quick::ask(&mut *self.asked, view, &mut &*options));
        if let Some(action) = quick.next.filter(|&action| options.admit(action).is_ok()) {
            let cost = if quick.decided {
                self.called = view.answers() + 1;
                Cost::Operations(0)
            } else {
                earlier("the plan")
            };
            return (Ok(Answer::One(action)), cost);
        }
        let before = self.operations();
        self.called = view.answers() + 1;
        let answer = self.asked.answer(view, options);
        if let Ok(Answer::Steps(steps)) = &answer {
            self.ahead.replace(steps.get(1..).unwrap_or_default());
        }
        (answer, Cost::Operations(self.operations() - before))
    }

    fn operations(&self) -> u64 {
        let readings = self.tracer.readings();
        readings.map_or(0, |readings| {
            readings.hooks.values().map(|tally| tally.operations).sum()
        })
    }
}

impl Bot for AskAgain {
    fn start(&mut self, view: &View, rng: Stream) {
        self.asked.start(view, rng);
    }

    /// Asks the other bot, as a game would; the record's answer is given later.
    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let asked = &mut *self.asked;
        self.quick = self
            .ahead
            .is_empty()
            .then(|| Quick::ask(asked, view, rules));
        None
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        if view.answers() + 1 < self.decision {
            // What it says is not played: the record's answer is.
            let (asked, _) = self.ask(view, options);
            drop(self.tracer.take_texts());
            let recorded = self.recorded.answer(view, options);
            if first_of(&asked) != first_of(&recorded) {
                self.ahead.clear();
            }
            return recorded;
        }
        let words = Words::new(view.board(), view.decl());
        let (answer, cost) = self.ask(view, options);
        let answer = match answer {
            Ok(Answer::One(action)) => match options.admit(action) {
                Ok(_) => Ok(words.action(action)),
                Err(why) => Err(illegal(words.refusal(options, action, why))),
            },
            Ok(Answer::Steps(steps)) => {
                match steps.first().map(|&first| (first, options.admit(first))) {
                    None => Err(illegal("the answer has no steps".to_owned())),
                    Some((first, Err(why))) => Err(illegal(words.refusal(options, first, why))),
                    Some((_, Ok(_))) => Ok(steps
                        .iter()
                        .map(|&step| words.action(step))
                        .collect::<Vec<_>>()
                        .join("; ")),
                }
            }
            Err(BotFault::Halt) => return Err(BotFault::Halt),
            Err(fault) => {
                let script = fault
                    .source()
                    .and_then(|it| it.downcast_ref::<ScriptFault>());
                Err(script.map_or_else(|| illegal(fault.to_string()), |it| it.clone().into()))
            }
        };
        self.found.replace(Some(Found {
            view: view.clone(),
            options: options.clone(),
            answer,
            cost,
        }));
        Err(BotFault::Halt)
    }

    fn preferences(&self) -> Preferences<'_> {
        let asked = self.asked.preferences();
        Preferences {
            plans: asked.plans.with_actions(),
            optional: OptionalPhases::All,
            ..asked
        }
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.asked.saw(view, event);
    }
}

/// What a bot says before its options are written down.
struct Quick {
    next: Option<Action>,
    /// Did it ask what is offered, or have the rules draw, and so decides here? Otherwise a plan
    /// goes on.
    decided: bool,
}

impl Quick {
    fn ask(bot: &mut dyn Bot, view: &View, rules: &mut dyn RuleQueries) -> Self {
        let mut watched = Watched {
            rules,
            decides: Cell::new(false),
        };
        let next = bot.try_next(view, &mut watched);
        Self {
            next,
            decided: watched.decides.get(),
        }
    }
}

/// The rules, with a look at whether they draw or say what is offered.
struct Watched<'a> {
    rules: &'a mut dyn RuleQueries,
    decides: Cell<bool>,
}

impl RuleQueries for Watched<'_> {
    fn bounds_of(&mut self, verb: Verb, given: &[i32]) -> Bounds {
        self.rules.bounds_of(verb, given)
    }

    fn verbs(&self) -> &[Verb] {
        self.decides.set(true);
        self.rules.verbs()
    }

    fn draw(&mut self, rng: &mut Stream) -> Option<Action> {
        self.decides.set(true);
        self.rules.draw(rng)
    }
}

/// What an answer begins with.
fn first_of(answer: &Result<Answer, BotFault>) -> Option<Action> {
    match answer {
        Ok(Answer::One(action)) => Some(*action),
        Ok(Answer::Steps(steps)) => steps.first().copied(),
        Err(_) => None,
    }
}

fn illegal(text: String) -> Finding {
    Finding::error("bot::illegal", text)
}
