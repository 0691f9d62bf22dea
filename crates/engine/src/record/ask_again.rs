//! Asks a bot for its answer at one decision of a recorded game.

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::rc::Rc;

use super::line::{RecordLine, RecordedFault};
use super::reader::Record;
use super::replay::Playback;
use crate::hosting::{HostedBot, hosted};
use crate::load::bot_spec::BotSpec;
use crate::matches::{Setup, Worker};
use crate::script::tracer::Tracer;
use crate::script::{ScriptFault, ScriptLimits};
use risk_kernel::action::{Action, Bounds, Options};
use risk_kernel::answer_queue::AnswerQueue;
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, RuleFault};
use risk_kernel::id::Verb;
use risk_kernel::rng::Stream;
use risk_kernel::state::GameState;
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Answer, Bot, NullSink, OptionalPhases, Preferences, RuleQueries, StopReason};
use risk_text::diag::{Finding, LoadError};

/// The answer of a bot that was asked at a decision of a recorded game.
#[derive(Debug)]
pub struct DecisionReview {
    /// The player's view at the decision.
    pub view: View,
    /// The player's options.
    pub options: Options,
    /// The recorded answer or fault, as text.
    pub recorded: String,
    /// The bot's answer as text, or a finding about the answer, with its place in the script if
    /// known.
    pub answer: Result<String, Finding>,
    /// The cost of the answer.
    pub cost: Cost,
}

/// The reason why a bot could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The record has no decision with this number.
    #[error("the record has no decision with this number")]
    NoDecision,
    /// The decision was made by the rules or the fault policy, not by a player.
    #[error("no player made this decision")]
    NoPlayer,
    /// The ruleset or the bot can't be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The ruleset failed in this state.
    #[error("{0}")]
    Rules(#[source] RuleFault, Box<GameState>),
}

/// The cost of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// The bot was called. Contains the operations of its script, or 0 for other bots.
    Operations(u64),
    /// The bot continues an earlier answer.
    Earlier {
        /// The kind of the earlier answer: a list or a plan.
        what: &'static str,
        /// The number of the decision at which the earlier answer was given, from 1.
        decision: u64,
    },
}

/// Replays a game up to a decision, and asks a bot for its answer. The bot is also asked at every
/// earlier decision of its seat, so its memory is the same as in a game. `tracer` collects the
/// output of `debug` in its script.
///
/// # Errors
/// Returns an error if the decision does not exist, or if something fails before it.
pub fn ask_again(
    record: &Record,
    setup: &Setup,
    decision: u64,
    bot: &BotSpec,
    tracer: &Tracer,
) -> Result<DecisionReview, ReviewError> {
    let (seat, recorded) = asked_seat(record, decision).ok_or(ReviewError::NoDecision)?;
    let mut worker = Worker::new(setup)?;
    let limits = ScriptLimits {
        tracer: tracer.clone(),
        ..setup.limits.clone()
    };
    let fight = worker.rules().fight();
    let players = setup.bots.len();
    let rules = setup.rules.rules_source(players, &limits);
    let built = bot.source.build(worker.decl(), fight, &rules);
    let found = Rc::new(RefCell::new(None));
    let mut seats = Playback::new(record, None).seats;
    let playback = seats.remove(seat - 1);
    let asked = ReviewBot {
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
    if let Err(StopReason::Rules(fault)) = finished.outcome {
        return Err(ReviewError::Rules(fault, Box::new(finished.game)));
    }
    let found = found.take().ok_or(ReviewError::NoPlayer)?;
    Ok(DecisionReview {
        view: found.view,
        options: found.options,
        recorded,
        answer: found.answer,
        cost: found.cost,
    })
}

/// Returns the seat that answered this decision, and the answer or fault as text.
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

struct ReviewedAnswer {
    view: View,
    options: Options,
    answer: Result<String, Finding>,
    cost: Cost,
}

/// Plays the recorded answers of a seat, but also asks another bot. The bot is asked at the
/// decision in question, and at every earlier decision of the seat to build up its memory.
struct ReviewBot {
    recorded: Box<dyn HostedBot>,
    asked: Box<dyn HostedBot>,
    decision: u64,
    /// The quick answer to this decision, if the bot was asked for a quick answer before the
    /// options were listed.
    quick: Option<QuickAnswer>,
    /// The rest of a list that the bot answered, while the recorded answers match it.
    ahead: AnswerQueue,
    called: u64,
    tracer: Tracer,
    found: Rc<RefCell<Option<ReviewedAnswer>>>,
}

impl ReviewBot {
    /// Asks the bot in the same way as a game. The rest of a list, or a plan that continues, comes
    /// first.
    fn ask(&mut self, view: &View, options: &Options) -> (Result<Answer, BotFault>, Cost) {
        let earlier = |what| Cost::Earlier {
            what,
            decision: self.called,
        };
        if let Some(legal) = self.ahead.take(options) {
            return (Ok(Answer::One(*legal)), earlier("the list"));
        }
        let quick = self.quick.take();
        let quick =
            quick.unwrap_or_else(|| QuickAnswer::ask(&mut *self.asked, view, &mut &*options));
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

impl Bot for ReviewBot {
    fn start(&mut self, view: &View, rng: Stream) {
        self.asked.start(view, rng);
    }

    /// Asks the other bot in the same way as a game. The recorded answer is played later.
    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let asked = &mut *self.asked;
        self.quick = self
            .ahead
            .is_empty()
            .then(|| QuickAnswer::ask(asked, view, rules));
        None
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        if view.answers() + 1 < self.decision {
            // The game plays the recorded answer instead of the bot's answer.
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
        self.found.replace(Some(ReviewedAnswer {
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

/// A bot's quick answer, before the bot's options are listed.
struct QuickAnswer {
    next: Option<Action>,
    /// Whether the bot queried or drew from its options, and therefore made the decision now. If
    /// not, a plan continues.
    decided: bool,
}

impl QuickAnswer {
    fn ask(bot: &mut dyn Bot, view: &View, rules: &mut dyn RuleQueries) -> Self {
        let mut watched = QueryProbe {
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

/// Rules that record whether a bot queries its options or draws from them.
struct QueryProbe<'a> {
    rules: &'a mut dyn RuleQueries,
    decides: Cell<bool>,
}

impl RuleQueries for QueryProbe<'_> {
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
