//! The state that all people at one table share: where they are asked, whose turn it was, and what
//! may be taken back.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::console::{Console, Line};
use super::reading::Reading;
use super::scene::Scene;
use super::stopped::{Stopped, TableError, Wish};
use risk_engine::script::chances::FightChances;
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::id::{Phase, Player};
use risk_kernel::state::GameState;
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Bot, Sink};
use risk_text::paint::Paint;

/// An answer that a person gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Given {
    /// The number of answers before this one.
    pub(super) before: u64,
    pub(super) seat: usize,
    pub(super) action: Action,
    pub(super) secret: bool,
}

/// The console or the pages at which people are asked.
pub(super) enum Front {
    Console(Rc<RefCell<dyn Console>>),
    Pages(Rc<super::pages::Pages>),
}

/// A function that makes a bot for hints from its specification.
pub(super) type MakeBot = Box<dyn Fn(&str) -> Result<Box<dyn Bot>, String>>;

/// The state that all people at one table share.
pub(super) struct SharedTable {
    pub(super) front: Front,
    pub(super) paint: Paint,
    pub(super) names: Vec<String>,
    /// By seat, whether a person sits there.
    pub(super) people: Vec<bool>,
    /// The chances of fights, if the ruleset provides any.
    pub(super) chances: FightChances,
    pub(super) adviser: String,
    pub(super) make_bot: MakeBot,
    /// Whether one person may see what another is shown.
    pub(super) is_open: bool,
    /// Whether answers that chance has followed may be taken back.
    pub(super) takeback: bool,
    /// The answers of people, oldest first.
    pub(super) said: Vec<Given>,
    /// Whether answers in the record are still to be added to `said`. They are when a game is
    /// resumed; when something is taken back, `said` has them already.
    pub(super) is_recalling: bool,
    /// Earlier answers to give again, after something before them was taken back.
    pub(super) queued: VecDeque<Given>,
    /// The number of answers when chance or another player last intervened.
    pub(super) settled: u64,
    /// Whether secret answers were given since then that others may learn after the phase.
    pub(super) is_sealed: bool,
    /// How many lines of the story to show before the first question: the last few for a resumed
    /// game.
    pub(super) recap: usize,
    /// The player who was asked last.
    pub(super) last: Option<Player>,
    pub(super) stopped: Option<Stopped>,
}

impl SharedTable {
    /// Passes the console to this player, so that no other person looks.
    pub(super) fn pass_to(&mut self, player: Player) -> Result<(), Stopped> {
        let before = self.last.replace(player);
        let people = self.people.iter().filter(|person| **person).count();
        if self.is_open || people < 2 || before == Some(player) {
            return Ok(());
        }
        let name = &self.names[player.index()];
        let prompt = format!("Pass to {name}, who presses Enter ");
        let console = self.console();
        console.borrow_mut().wipe()?;
        let line = console.borrow_mut().line(&prompt, None)?;
        match line {
            Line::Text(_) => Ok(()),
            Line::End => Err(Stopped::Wish(Wish::Quit)),
        }
    }

    pub(super) fn line(&self, prompt: &str, scene: Scene<'_>) -> Result<Line, TableError> {
        let console = self.console();
        if console.borrow().is_pipe() {
            return console.borrow_mut().line(prompt, None);
        }
        let view = scene.view.clone();
        let options = scene.options.clone();
        let names = self.names.clone();
        let next = move |before: &[&str]| {
            let reading = Reading {
                view: &view,
                options: &options,
                names: &names,
            };
            reading.next_words(before)
        };
        console.borrow_mut().line(prompt, Some(Box::new(next)))
    }

    pub(super) fn pages(&self) -> Option<Rc<super::pages::Pages>> {
        match &self.front {
            Front::Console(_) => None,
            Front::Pages(pages) => Some(Rc::clone(pages)),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        match &self.front {
            Front::Console(_) => false,
            Front::Pages(pages) => pages.is_closed(),
        }
    }

    /// Returns the console.
    ///
    /// # Panics
    /// Panics if people are asked at pages.
    pub(super) fn console(&self) -> Rc<RefCell<dyn Console>> {
        match &self.front {
            Front::Console(console) => Rc::clone(console),
            Front::Pages(_) => unreachable!("players at pages have no console"),
        }
    }

    /// Resets the state, before the game is replayed to its latest position.
    pub(super) fn begin_again(&mut self) {
        self.settled = 0;
        self.is_sealed = false;
        self.is_recalling = self.said.is_empty() && self.queued.is_empty();
    }

    /// Stores an answer in the record, so that it can be taken back like a new one.
    pub(super) fn recall(&mut self, view: &View, action: Action) {
        if self.is_recalling {
            self.gives(view, action);
        }
    }

    /// Stores an answer, before the next question is asked.
    pub(super) fn gives(&mut self, view: &View, action: Action) {
        let phase = view.frame().map(|frame| frame.phase.index());
        self.said.push(Given {
            before: view.answers(),
            seat: view.me().index(),
            action,
            secret: phase.is_some_and(|phase| view.decl().phases[phase].secret),
        });
    }

    /// Returns the player's next earlier answer to give again, after something was taken back.
    ///
    /// # Errors
    /// Returns the earlier answers in words if the next one is not possible any more. The player's
    /// later ones are forgotten as well.
    pub(super) fn given_again(
        &mut self,
        view: &View,
        options: &Options,
    ) -> Result<Option<Action>, String> {
        let seat = view.me().index();
        let Some(next) = self.queued.iter().position(|given| given.seat == seat) else {
            return Ok(None);
        };
        let given = self
            .queued
            .remove(next)
            .expect("the position was just found");
        if options.admit(given.action).is_ok() {
            self.gives(view, given.action);
            return Ok(Some(given.action));
        }
        let words = Words::new(view.board(), view.decl());
        let gone = self.queued.iter().filter(|given| given.seat == seat);
        let actions = std::iter::once(&given).chain(gone);
        let told: Vec<String> = actions
            .map(|given| format!("`{}`", words.action(given.action)))
            .collect();
        self.queued.retain(|given| given.seat != seat);
        Err(format!("no longer possible: {}", told.join(", ")))
    }

    pub(super) fn bot(&self, spec: &str) -> Result<Box<dyn Bot>, String> {
        (self.make_bot)(spec)
    }

    /// Takes back the last answer of the player who is asked. Returns the position to return to.
    ///
    /// # Errors
    /// Returns why the answer can't be taken back.
    pub(super) fn undo(&mut self, view: &View) -> Result<Wish, String> {
        let seat = view.me().index();
        let last = self.said.iter().rposition(|given| given.seat == seat);
        self.take_back(view, last)
    }

    /// Takes back the answer that gave one of a player's pending orders. Later answers are given
    /// again. Returns the position to return to.
    ///
    /// # Errors
    /// Returns why the answer can't be taken back.
    pub(super) fn retract(&mut self, view: &View, order: usize) -> Result<Wish, String> {
        let orders: Vec<Action> = view.orders().copied().collect();
        let Some(&action) = orders.get(order) else {
            return Err("no such order".to_owned());
        };
        // Of several equal orders, as many were given after this one as are pending after it.
        let behind = orders[order + 1..].iter().filter(|&&it| it == action);
        let behind = behind.count();
        let seat = view.me().index();
        let given = self.said.iter().enumerate().rev();
        let mut given = given.filter(|(_, given)| given.seat == seat && given.action == action);
        let found = given.nth(behind).map(|(at, _)| at);
        self.take_back(view, found)
    }

    /// Ends free takebacks of anything before this number of answers.
    fn settle(&mut self, answers: u64) {
        self.settled = answers;
        self.is_sealed = false;
    }

    /// Takes back one of the answers. If that is free, secret answers of others since then and the
    /// player's own later answers are queued to be given again.
    fn take_back(&mut self, view: &View, which: Option<usize>) -> Result<Wish, String> {
        if self.is_sealed && !is_secret(view.decl(), view.frame().map(|frame| frame.phase)) {
            self.settle(view.answers());
        }
        let Some(&taken) = which.and_then(|at| self.said.get(at)) else {
            return Err("nothing to undo: you have not answered yet".to_owned());
        };
        let open = |given: &Given| {
            given.before >= taken.before && given.seat != taken.seat && !given.secret
        };
        let free = taken.before >= self.settled && !self.said.iter().any(open);
        if !free && !self.takeback {
            return Err(
                "can't undo: dice, cards or another player came after that action (`--takeback` \
                 allows it and marks the record)"
                    .to_owned(),
            );
        }
        let said = std::mem::take(&mut self.said);
        let mut behind = Vec::new();
        let mut before = Vec::new();
        for (at, given) in said.into_iter().enumerate() {
            if given.before < taken.before {
                before.push(given);
            } else if Some(at) != which {
                behind.push(given);
            }
        }
        self.said = before;
        if free {
            self.queued = behind.into();
            Ok(Wish::Undo(taken.before))
        } else {
            self.queued.clear();
            Ok(Wish::TakeBack(taken.before))
        }
    }
}

/// Reports whether answers in this phase are hidden from others.
fn is_secret(decl: &Declaration, phase: Option<Phase>) -> bool {
    phase.is_some_and(|phase| decl.phases[phase.index()].secret)
}

/// The sink that notices when chance or another player intervenes, after which nothing before is
/// taken back for free.
pub(super) struct Watch {
    table: Rc<RefCell<SharedTable>>,
    drawn: u64,
    /// Whether a phase has begun since the last answer. Events then come from the ruleset, and may
    /// show what was answered in secret.
    has_begun: bool,
}

impl Watch {
    pub(super) fn new(table: &Rc<RefCell<SharedTable>>) -> Self {
        Self {
            table: Rc::clone(table),
            drawn: 0,
            has_begun: false,
        }
    }
}

impl Sink for Watch {
    fn event(&mut self, game: &GameState, event: &Event) {
        let drawn = game.words_drawn();
        let mut table = self.table.borrow_mut();
        let spoke = match event {
            Event::Card { .. } => true,
            Event::Answered { player, phase, .. } => {
                self.has_begun = false;
                let is_person = table.people[player.index()];
                let secret = is_secret(game.decl(), Some(*phase));
                // A lone person learns nothing from their own answer.
                let is_alone = is_person && table.people.iter().filter(|it| **it).count() == 1;
                table.is_sealed |= secret && !is_alone;
                !is_person && !secret
            }
            // Secret answers are now open, or take effect.
            Event::PhaseBegan { phase, .. } => {
                self.has_begun = true;
                table.is_sealed && !is_secret(game.decl(), Some(*phase))
            }
            Event::TurnBegan { .. } | Event::Faulted { .. } => false,
            _ => table.is_sealed && self.has_begun,
        };
        if spoke || drawn != self.drawn {
            self.drawn = drawn;
            table.settle(game.answers());
        }
    }
}
