//! `replay --at N --bot B`: a bot is asked again at one decision of a recorded game.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

use super::{Done, Error, Exit, paint, say, tell};
use crate::kernel::action::{Action, Options};
use crate::kernel::event::Event;
use crate::kernel::fault::BotFault;
use crate::kernel::id::Phase;
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::words::Words;
use crate::kernel::{Answer, Bot, NullSink, Stop};
use crate::load::bot_spec::BotSpec;
use crate::load::diag::{Finding, Level};
use crate::matches::{Setup, Worker};
use crate::odds::Fight;
use crate::record::{Line, Playback, Record};
use crate::report::decision;
use crate::report::paint::pad;
use crate::script::ScriptLimits;
use crate::script::tracer::Tracer;
use crate::text::escape_control;

/// What came of it.
struct Asked {
    title: String,
    shown: String,
    answer: Result<String, String>,
    cost: Cost,
}

/// What the answer cost.
enum Cost {
    /// The bot was called: operations, all of a script.
    Operations(u64),
    /// It goes on with what it answered at an earlier decision.
    Earlier { what: &'static str, decision: u64 },
}

/// Sits where the record says, but also asks another bot: at every decision of its seat before, so
/// that it remembers what it would remember, and at the one of interest.
struct AskAgain {
    recorded: Box<dyn Bot>,
    asked: Box<dyn Bot>,
    at: u64,
    /// The rest of a list that it answered, while the record has just these answers.
    ahead: VecDeque<Action>,
    /// The decision at which it was called last.
    called: u64,
    names: Vec<String>,
    tracer: Tracer,
    found: Rc<RefCell<Option<Asked>>>,
}

impl AskAgain {
    /// Asks the bot as a game would: the rest of a list and a plan that goes on come first.
    fn ask(&mut self, view: &View, ask: &Options) -> (Result<Answer, BotFault>, Cost) {
        let earlier = |what| Cost::Earlier {
            what,
            decision: self.called,
        };
        if let Some(&action) = self
            .ahead
            .front()
            .filter(|action| ask.admit(**action).is_ok())
        {
            return (Ok(Answer::One(action)), earlier("the list"));
        }
        self.ahead.clear();
        let next = self
            .asked
            .try_next(view, &mut |verb, given| ask.bounds_of(verb, given));
        if let Some(action) = next.filter(|&action| ask.admit(action).is_ok()) {
            return (Ok(Answer::One(action)), earlier("the plan"));
        }
        let before = self.operations();
        self.called = view.answers() + 1;
        let answer = self.asked.answer(view, ask);
        if let Ok(Answer::Steps(steps)) = &answer {
            self.ahead = steps.iter().copied().collect();
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
    fn start(&mut self, view: &View, luck: Stream) {
        self.asked.start(view, luck);
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        if view.answers() + 1 < self.at {
            // What it says is not played: the record's answer is.
            let _ = self.ask(view, ask);
            drop(self.tracer.take_said());
            let recorded = self.recorded.answer(view, ask);
            let same =
                matches!(&recorded, Ok(Answer::One(action)) if self.ahead.front() == Some(action));
            if same {
                self.ahead.pop_front();
            } else {
                self.ahead.clear();
            }
            return recorded;
        }
        let words = Words::new(view.board(), view.decl());
        let (answer, cost) = self.ask(view, ask);
        let answer = match answer {
            Ok(Answer::One(action)) => match ask.admit(action) {
                Ok(_) => Ok(words.action(action)),
                Err(why) => Err(words.refusal(ask, action, why)),
            },
            Ok(Answer::Steps(steps)) => Ok(steps
                .iter()
                .map(|&step| words.action(step))
                .collect::<Vec<_>>()
                .join("; ")),
            Err(BotFault::Strike { text, .. }) => Err(text),
            Err(BotFault::Halt) => return Err(BotFault::Halt),
        };
        let phase = view.frame().map_or("?", |frame| {
            view.decl().phases[frame.phase.index()].name.as_str()
        });
        let who = &self.names[view.me().index()];
        let title = format!(
            "decision {}: {who}, in round {}, phase {phase}",
            self.at,
            view.round()
        );
        let shown = decision::text(view, ask, &self.names, paint(&io::stdout()));
        self.found.replace(Some(Asked {
            title,
            shown,
            answer,
            cost,
        }));
        Err(BotFault::Halt)
    }

    fn plans(&self) -> bool {
        self.asked.plans()
    }

    fn wants(&self, _: Phase) -> bool {
        true
    }

    fn listens(&self) -> bool {
        self.asked.listens()
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.asked.saw(view, event);
    }
}

/// The seat that was asked for this decision, and what it said.
fn asked_seat(record: &Record, at: u64) -> Option<(usize, String)> {
    let before = record
        .lines
        .iter()
        .rposition(|(_, line)| matches!(line, Line::Answer { n, .. } if *n == at - 1));
    if before.is_none() && at > 1 {
        return None;
    }
    record.lines[before.map_or(0, |index| index + 1)..]
        .iter()
        .find_map(|(_, line)| match line {
            Line::Answer { seat, say, .. } => Some((*seat, say.clone())),
            Line::Fault {
                seat, kind, text, ..
            } => Some((*seat, format!("fault ({kind}): {text}"))),
            _ => None,
        })
}

pub(super) fn run(record: &Record, setup: &Setup, at: u64, bot: &str) -> Done {
    let Some((seat, said)) = asked_seat(record, at) else {
        let text = format!("the record has no decision {at}");
        return Err(Error::input(
            "cli::at",
            text,
            format!("it has {} decisions, counted from 1", record.answers()),
        ));
    };
    let mut worker = Worker::new(setup)?;
    let spec = BotSpec::parse(bot)?;
    let limits = ScriptLimits {
        tracer: Tracer::new(),
        ..setup.limits.clone()
    };
    let fight = Fight::of(worker.rules().tables());
    let built = spec.source.build(
        worker.decl(),
        &setup.board,
        setup.bots.len(),
        fight,
        &limits,
    );
    let asked = built.map_err(crate::load::diag::Failure::from)?;
    let mut seats = Playback::new(record, None).seats;
    let found = Rc::new(RefCell::new(None));
    let names: Vec<String> = record
        .header
        .players
        .iter()
        .map(|player| player.name.clone())
        .collect();
    let recorded = std::mem::replace(&mut seats[seat - 1], Box::new(Nobody));
    seats[seat - 1] = Box::new(AskAgain {
        recorded,
        asked,
        at,
        ahead: VecDeque::new(),
        called: 0,
        names,
        tracer: limits.tracer.clone(),
        found: Rc::clone(&found),
    });
    let finished = worker.play_with(record.header.game, &mut seats, &mut NullSink);
    if let Err(Stop::Rules(fault)) = &finished.outcome {
        return Err(super::faults::rules_failed(
            fault,
            Some(&finished.game),
            (record.header.game, None),
            setup,
        ));
    }
    let asked: Option<Asked> = found.borrow_mut().take();
    let Some(asked) = asked else {
        let text = format!("decision {at} was not a player's own");
        return Err(Error::input(
            "cli::at",
            text,
            "the rules or the fault policy made it; try another number",
        ));
    };
    let paint = paint(&io::stdout());
    say(&paint.rule(&asked.title))?;
    say(&asked.shown)?;
    say("")?;
    say(&format!("  in the record   {said}"))?;
    for said in limits.tracer.take_said() {
        say(&format!(
            "  debug           {}:{} {}",
            said.script,
            said.line,
            escape_control(&said.text)
        ))?;
    }
    let exit = match &asked.answer {
        Ok(answer) => {
            say(&format!(
                "  {} {answer}",
                pad(&format!("{} says", spec.name), 15)
            ))?;
            Exit::Fine
        }
        Err(text) => {
            let script = limits
                .tracer
                .readings()
                .and_then(|readings| readings.faults.get(text).cloned());
            let finding = script.map_or_else(
                || Finding::error("bot::illegal", text.clone()),
                Finding::from,
            );
            tell(&[Finding {
                level: Level::Deny,
                ..finding
            }]);
            Exit::No
        }
    };
    say(&paint.dim(&match asked.cost {
        Cost::Operations(count) => format!("  {count} of {} operations", limits.budget.0),
        Cost::Earlier { what, decision } => {
            format!("  no call: {what} that it answered at decision {decision} goes on")
        }
    }))?;
    Ok(exit)
}

/// Holds a seat for a moment.
struct Nobody;

impl Bot for Nobody {
    fn answer(&mut self, _: &View, _: &Options) -> Result<Answer, BotFault> {
        Err(BotFault::Halt)
    }
}
