//! The seat of a person, who decides either at a console or on a page.

use std::cell::RefCell;
use std::rc::Rc;

use super::adviser::Adviser;
use super::interruption::Interruption;
use super::phase_plan::PhasePlan;
use super::reading::{ParsedAnswer, TO_THE_END, again};
use super::shared_table::SharedTable;
use risk_engine::matches::HostedBot;
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::id::Phase;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, OptionalPhases, Plans, Preferences};

/// The interface for asking a person.
pub(super) trait Prompt {
    /// Begins a decision of this player. `is_asked` means that the player has to be asked.
    ///
    /// # Errors
    /// Returns the reason why the game stops.
    fn arrive(&mut self, _view: &View, _is_asked: bool) -> Result<(), Interruption> {
        Ok(())
    }

    /// Asks the person until there is an answer.
    ///
    /// # Errors
    /// Returns the reason why there is no answer.
    fn ask(&mut self, question: &mut PersonQuestion<'_>) -> Result<Choice, Interruption>;

    /// Goes past a decision that the person made before the game was resumed.
    fn recall(&mut self, _view: &View) {}

    /// Handles an action that was given without a question.
    fn note(&mut self, _view: &View, _action: Action) {}

    /// Handles the end of the game, or its interruption.
    fn finish(&mut self, _view: &View, _outcome: Option<&Outcome>) {}
}

pub(super) struct PersonQuestion<'a> {
    pub(super) view: &'a View,
    pub(super) options: &'a Options,
    /// What the player knows of other players. In a planned phase, `view` imagines their answers.
    pub(super) others: &'a View,
    pub(super) adviser: &'a mut Adviser,
    /// A note to show with the question.
    pub(super) note: Option<String>,
    /// The last answer that the player has planned in this phase, and can take back.
    pub(super) planned: Option<Action>,
}

pub(super) enum Choice {
    Say(ParsedAnswer),
    /// The suggested action, and all further suggestions until the phase or the turn is over.
    Auto(Action, AutoScope),
    /// The last planned answer is taken back.
    Back,
}

/// The decisions that are left to suggestions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AutoScope {
    /// Those of this phase, and of phases in between such as occupations.
    Phase,
    /// Those of this turn.
    Turn,
}

impl Choice {
    /// Returns the choice of an action without repetition.
    pub(super) const fn once(action: Action) -> Self {
        Self::Say(ParsedAnswer { action, times: 1 })
    }
}

/// The state of a person who plans a phase.
struct Planner {
    adviser: Adviser,
    /// The action to repeat while it is possible, and how often.
    repeated: Option<(Action, u32)>,
    /// Whether the rest of the phase is left to suggestions.
    is_left: bool,
}

impl Planner {
    fn new(table: &RefCell<SharedTable>, start: &View) -> Self {
        let mut adviser = table.borrow().make_adviser();
        adviser.start(start);
        Self {
            adviser,
            repeated: None,
            is_left: false,
        }
    }
}

enum PlannedStep {
    Take(Action),
    /// The last planned answer is taken back.
    Back,
    /// The phase is over for the player.
    Over,
}

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
        let left = self.adviser.suggested().filter(|_| is_left);
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
    /// others. The suggestions come from an adviser of its own, because the game asks the seat's
    /// adviser again.
    fn plan_phase(
        &mut self,
        mut plan: PhasePlan,
        start: &View,
    ) -> Result<Option<Action>, Interruption> {
        let mut planner = Planner::new(&self.table, start);
        loop {
            match self.next_planned(&plan, start, &mut planner) {
                Ok(PlannedStep::Take(action)) => {
                    planner.adviser.heed(action);
                    if !plan.take(action) {
                        break;
                    }
                }
                Ok(PlannedStep::Back) => {
                    plan.back();
                    planner = Planner::new(&self.table, start);
                }
                Ok(PlannedStep::Over) => break,
                Err(Interruption::Resign) => return Err(Interruption::Resign),
                Err(stopped) => {
                    let mut table = self.table.borrow_mut();
                    table.queue(start, &plan.into_actions());
                    return Err(stopped);
                }
            }
        }
        let actions = plan.into_actions();
        let first = actions.first().copied();
        self.table
            .borrow_mut()
            .queue(start, actions.get(1..).unwrap_or_default());
        Ok(first)
    }

    /// Returns the next step of a plan: from a rule or a suggestion, or by asking the person.
    fn next_planned(
        &mut self,
        plan: &PhasePlan,
        start: &View,
        planner: &mut Planner,
    ) -> Result<PlannedStep, Interruption> {
        let Some((view, options)) = plan.question() else {
            return Ok(PlannedStep::Over);
        };
        let repeated = planner.repeated.take().and_then(|(last, times)| {
            let action = again(last, options)?;
            planner.repeated = more(action, times);
            Some(action)
        });
        planner.adviser.consider(&view, options);
        let forced = is_forced(options) && plan.last().is_none();
        let forced = forced.then(|| options.nth(0));
        let left = planner.adviser.suggested().filter(|_| planner.is_left);
        if let Some(action) = repeated.or(forced).or(left) {
            self.asker.note(&view, action);
            return Ok(PlannedStep::Take(action));
        }
        let choice = self.asker.ask(&mut PersonQuestion {
            view: &view,
            options,
            others: start,
            adviser: &mut planner.adviser,
            note: self.note.take(),
            planned: plan.last(),
        })?;
        Ok(match choice {
            Choice::Say(ParsedAnswer { action, times }) => {
                planner.repeated = more(action, times);
                PlannedStep::Take(action)
            }
            Choice::Auto(action, scope) => {
                planner.is_left = true;
                let turn = Some((view.round(), view.turn(), None));
                self.left_to_adviser = turn.filter(|_| scope == AutoScope::Turn);
                PlannedStep::Take(action)
            }
            Choice::Back => PlannedStep::Back,
        })
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

/// Returns an action that is given once now, and how often it is to be given again.
fn more(action: Action, times: u32) -> Option<(Action, u32)> {
    (times > 1).then(|| {
        (
            action,
            if times == TO_THE_END {
                times
            } else {
                times - 1
            },
        )
    })
}

/// Reports whether the player has ordered something in this secret phase. The player may then take
/// it back before the phase ends.
fn has_ordered(view: &View) -> bool {
    let phase = view.frame().map(|frame| frame.phase.index());
    let is_secret = phase.is_some_and(|phase| view.decl().phases[phase].secret);
    is_secret && view.orders().next().is_some()
}

/// Reports whether there is nothing to decide, as at the end of a phase.
fn is_forced(options: &Options) -> bool {
    options.len() == 1 && options.offers()[0].slots().is_empty()
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
