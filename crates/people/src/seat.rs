//! The seat of a person, who decides either at a console or on a page.

use std::cell::RefCell;
use std::rc::Rc;

use super::adviser::Adviser;
use super::interruption::Interruption;
use super::phase_plan::PhasePlan;
use super::planner::Planner;
use super::prompt::{AutoScope, Choice, PersonQuestion, Prompt, is_forced, more};
use super::reading::{ParsedAnswer, again};
use super::shared_table::SharedTable;
use risk_engine::HostedBot;
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::id::Phase;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, OptionalPhases, Plans, Preferences};

/// A round, a turn, and a phase of it.
type Place = (u32, u32, Option<Phase>);

fn place(view: &View) -> Place {
    let phase = view.frame().map(|frame| frame.phase);
    (view.round(), view.turn(), phase)
}

pub(super) struct PersonSeat<A> {
    table: Rc<RefCell<SharedTable>>,
    adviser: Adviser,
    asker: A,
    /// The action to repeat while it is possible, how often, and its place.
    repeated: Option<(Action, u32, Place)>,
    /// The place in which suggestions are accepted without asking: a turn, and a phase of it unless
    /// all of its phases are meant.
    left_to_adviser: Option<Place>,
    /// A note to show with the next question.
    note: Option<String>,
}

impl<A: Prompt> PersonSeat<A> {
    pub(super) fn new(table: &Rc<RefCell<SharedTable>>, adviser: Adviser, asker: A) -> Self {
        Self {
            table: Rc::clone(table),
            adviser,
            asker,
            repeated: None,
            left_to_adviser: None,
            note: None,
        }
    }

    /// Returns the player's action. The player is asked only if no earlier choice, rule or
    /// suggestion determines it.
    fn decide(&mut self, view: &View, options: &Options) -> Result<Action, Interruption> {
        self.asker.begin(view)?;
        let here = place(view);
        let last = self.repeated.take().filter(|it| it.2 == here);
        if let Some((last, times, _)) = last
            && let Some(action) = again(last, options)
        {
            self.repeated = more(action, times).map(|(action, times)| (action, times, here));
            self.asker.note(view, action);
            return Ok(action);
        }
        let given = self.table.borrow_mut().given_again(view, options);
        match given {
            Ok(Some(action)) => return Ok(action),
            Ok(None) => {}
            Err(text) => self.note = Some(text),
        }
        let phase = view.frame().map(|frame| frame.phase);
        let is_left = self.is_left_to_adviser(view, phase);
        let left = if is_left {
            self.adviser.suggested(view, options)
        } else {
            None
        };
        let forced = is_forced(options) && !has_ordered(view);
        let decided = forced.then(|| options.nth(0)).or(left);
        // The console is passed on only for a question.
        if decided.is_none() || self.table.borrow().is_with(view.me()) {
            self.asker.arrive(view, decided.is_none())?;
        }
        if let Some(action) = decided {
            self.asker.note(view, action);
            return Ok(action);
        }
        let plan = self.table.borrow().plan(view, options);
        let planned = match plan {
            Some(plan) => self.plan_phase(plan, view)?,
            None => None,
        };
        let action = match planned.filter(|&action| options.admit(action).is_ok()) {
            Some(action) => action,
            None => self.ask(view, options)?,
        };
        self.table.borrow_mut().gives(view, action);
        Ok(action)
    }

    fn ask(&mut self, view: &View, options: &Options) -> Result<Action, Interruption> {
        let choice = self.asker.ask(&mut PersonQuestion {
            view,
            options,
            others: view,
            adviser: &mut self.adviser,
            note: self.note.take(),
            planned: None,
        })?;
        Ok(match choice {
            Choice::Say(ParsedAnswer { action, times }) => {
                self.left_to_adviser = None;
                let more = more(action, times);
                self.repeated = more.map(|(action, times)| (action, times, place(view)));
                action
            }
            Choice::Auto(action, scope) => {
                let (round, turn, phase) = place(view);
                let only = phase.filter(|_| scope == AutoScope::Phase);
                self.left_to_adviser = Some((round, turn, only));
                action
            }
            Choice::Back => unreachable!("no planned answer can be taken back"),
        })
    }

    /// Asks for all answers of the player in a secret phase. Returns the first and queues the
    /// others.
    fn plan_phase(
        &mut self,
        plan: PhasePlan,
        start: &View,
    ) -> Result<Option<Action>, Interruption> {
        let adviser = || self.table.borrow().make_adviser();
        let mut planner = Planner::new(plan, start, adviser());
        planner.note = self.note.take();
        while planner.advance(|view, action| self.asker.note(view, action)) {
            let Some(choice) = planner.question(|question| self.asker.ask(question)) else {
                break;
            };
            match choice {
                Ok(Choice::Back) => {
                    planner.back(self.table.borrow().make_adviser());
                }
                Ok(choice) => {
                    if let Choice::Auto(_, scope) = choice {
                        let turn = Some((start.round(), start.turn(), None));
                        self.left_to_adviser = turn.filter(|_| scope == AutoScope::Turn);
                    }
                    planner.choose(&choice);
                }
                Err(Interruption::Resign) => return Err(Interruption::Resign),
                Err(stopped) => {
                    self.table.borrow_mut().queue(start, planner.actions());
                    return Err(stopped);
                }
            }
        }
        let actions = planner.actions();
        self.table
            .borrow_mut()
            .queue(start, actions.get(1..).unwrap_or_default());
        Ok(actions.first().copied())
    }

    /// Reports whether the decision in this phase is left to suggestions. A phase that is not part
    /// of each turn, such as an occupation, interrupts another phase and belongs to it.
    fn is_left_to_adviser(&self, view: &View, phase: Option<Phase>) -> bool {
        let Some((round, turn, only)) = self.left_to_adviser else {
            return false;
        };
        let goes_on = (round, turn) == (view.round(), view.turn());
        let (Some(phase), true) = (phase, goes_on) else {
            return false;
        };
        let of_turn = |phase| view.decl().turn.contains(&phase);
        only.is_none_or(|only| phase == only || (of_turn(only) && !of_turn(phase)))
    }
}

/// Reports whether the player has ordered something in this secret phase. The player may then take
/// it back before the phase ends.
fn has_ordered(view: &View) -> bool {
    let phase = view.frame().map(|frame| frame.phase.index());
    let is_secret = phase.is_some_and(|phase| view.decl().phases[phase].secret);
    is_secret && view.orders().next().is_some()
}

impl<A: Prompt> HostedBot for PersonSeat<A> {
    fn recall(&mut self, view: &View, options: &Options, said: Action) {
        self.asker.recall(view);
        self.adviser.consider(view, options);
        self.adviser.heed(said);
        if !is_forced(options) || has_ordered(view) {
            self.table.borrow_mut().recall(view, said);
        }
    }
}

impl<A: Prompt> Bot for PersonSeat<A> {
    fn start(&mut self, view: &View, _: Stream) {
        self.adviser.start(view);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        self.adviser.consider(view, options);
        match self.decide(view, options) {
            Ok(action) => {
                self.adviser.heed(action);
                Ok(Answer::One(action))
            }
            Err(Interruption::Resign) => Err(BotFault::strike(FaultKind::Resigned, "gave up")),
            Err(stopped) => {
                self.table.borrow_mut().stopped = Some(stopped);
                Err(BotFault::Halt)
            }
        }
    }

    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            optional: OptionalPhases::All,
            // Bots that give advice may choose whole plans.
            plans: Plans::Beside,
            listens: true,
        }
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.adviser.saw(view, event);
    }

    fn finish(&mut self, view: &View, _: &[i64], outcome: Option<&Outcome>) {
        self.asker.finish(view, outcome);
    }
}
