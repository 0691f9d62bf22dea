//! The state shared by all people at one table: where they are asked, whose turn it was, and which
//! answers can be taken back.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use super::adviser::{Adviser, HintBot};
use super::console::{Console, Line, MOST_WRONG};
use super::interruption::{Interruption, TableCommand, TableError};
use super::offered::Offered;
use super::phase_plan::{PhasePlan, is_secret};
use super::scene::Scene;
use super::viewer_story::ViewerStory;
use risk_bots::fight_odds::FightOdds;
use risk_engine::BuiltIn;
use risk_engine::acts::Eyes;
use risk_engine::script::RulesSource;
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Visibility;
use risk_kernel::event::Event;
use risk_kernel::id::{Player, PlayerSet};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Moment, Sink};
use risk_text::paint::Paint;

/// An answer that a person gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GivenAnswer {
    /// The number of answers before this one.
    pub(super) before: u64,
    pub(super) seat: usize,
    pub(super) action: Action,
    pub(super) secret: bool,
}

/// The console or the pages for asking people.
pub(super) enum Frontend {
    Console(Rc<RefCell<dyn Console>>),
    Pages(Rc<super::pages::Pages>),
}

/// A function that creates a bot for hints from its specification.
pub(super) type AdviserFactory = Box<dyn Fn(&str) -> Result<HintBot, String>>;

/// The prompt below the story of a player who is not asked next.
const READ_ON: &str = "Enter: hide this screen ";

/// The state shared by all people at one table.
pub(super) struct SharedTable {
    pub(super) front: Frontend,
    pub(super) paint: Paint,
    pub(super) names: Vec<String>,
    /// Whether a person sits at each seat.
    pub(super) people: Vec<bool>,
    /// The chances of fights, if the ruleset provides any.
    pub(super) chances: FightOdds,
    pub(super) adviser: String,
    pub(super) make_bot: AdviserFactory,
    /// The rules of imagined games.
    pub(super) rules: RulesSource,
    /// Whether people may see what is shown to others.
    pub(super) is_open: bool,
    /// Whether a terminal describes the actions of others in the short form.
    pub(super) brief: bool,
    /// Whether answers can be taken back even if a chance event followed them.
    pub(super) takeback: bool,
    /// The answers of people, oldest first.
    pub(super) said: Vec<GivenAnswer>,
    /// Whether answers in the record must still be added to `said`. This is the case when a game is
    /// resumed. After a takeback, `said` already contains them.
    pub(super) is_recalling: bool,
    /// Earlier answers to repeat after a takeback.
    pub(super) queued: VecDeque<GivenAnswer>,
    /// The number of answers at the last chance event or action of another player.
    pub(super) settled: u64,
    /// Whether secret answers have been given since then that others may learn after the phase.
    pub(super) is_sealed: bool,
    /// The stories of the people at a console, by seat.
    pub(super) stories: Vec<ViewerStory>,
    /// The number of the last story lines to show before the next question to a player, by seat.
    /// `None` shows what is new. A resumed game shows the last few, and an undone answer none.
    pub(super) recap: Vec<Option<usize>>,
    /// Whether the last line was an Enter that turned a page or passed the console on.
    pub(super) was_turned: Cell<bool>,
    /// The player who was asked last.
    pub(super) last: Option<Player>,
    pub(super) stopped: Option<Interruption>,
    /// The people who gave up in a secret phase, until the game asks them.
    pub(super) resigned: BTreeSet<Player>,
}

impl SharedTable {
    /// Passes the console to this player without letting other people see the screen. First, the
    /// last player reads what came of the last answer.
    pub(super) fn pass_to(&mut self, player: Player) -> Result<(), Interruption> {
        let is_with = self.is_with(player);
        let last = self.last.replace(player);
        let rest = last
            .filter(|&last| last != player)
            .and_then(|last| self.rest_of_story(last));
        if let Some(rest) = &rest {
            self.console().borrow_mut().say(rest)?;
        }
        if is_with {
            return Ok(());
        }
        if rest.is_some() {
            self.wait_for_enter(READ_ON)?;
        }
        // The first screen names the file of the game, and has no secrets.
        if last.is_some() {
            self.console().borrow_mut().wipe()?;
        }
        let name = &self.names[player.index()];
        self.wait_for_enter(&format!("Pass to {name}, who presses Enter "))
    }

    /// Waits for a blank line. Other lines are refused, because the wrong person may have typed
    /// them. A pipe does not see the prompt, so any of its lines will do.
    fn wait_for_enter(&self, prompt: &str) -> Result<(), Interruption> {
        let console = self.console();
        let mut is_warned = false;
        for _ in 0..MOST_WRONG {
            let line = console.borrow_mut().line(prompt, None)?;
            let Line::Text(text) = line else {
                break;
            };
            let text = text.trim();
            if text.is_empty() {
                self.was_turned.set(true);
                return Ok(());
            }
            if ["quit", "exit"].contains(&&*text.to_lowercase()) {
                match self.warn_of_loss(None).filter(|_| !is_warned) {
                    None => break,
                    Some(why) => {
                        is_warned = true;
                        let lines = self.paint.indented(&why);
                        console.borrow_mut().say(&lines.join("\n"))?;
                        continue;
                    }
                }
            }
            let is_pipe = console.borrow().is_pipe();
            let what = match is_pipe {
                true => "counts as Enter here",
                false => "is not taken here: press Enter first",
            };
            let text = format!("`{}` {what}", risk_text::escape_control(text));
            let lines = self.paint.indented(&text);
            console.borrow_mut().say(&lines.join("\n"))?;
            if is_pipe {
                return Ok(());
            }
        }
        Err(Interruption::Wish(TableCommand::Quit))
    }

    /// Returns what a player has not read, if there is anything, and marks it as read.
    fn rest_of_story(&mut self, player: Player) -> Option<String> {
        let seat = self.story_of(player);
        let is_open = self.is_open;
        let story = self.stories.get_mut(seat)?;
        let text = story.turn();
        if !is_open {
            story.begin_part();
        }
        let text = text.trim_end();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Reports whether a player can be asked without passing the console to them.
    pub(super) fn is_with(&self, player: Player) -> bool {
        let people = self.people.iter().filter(|person| **person).count();
        self.is_open || people < 2 || self.last == Some(player)
    }

    /// Returns a plan for all answers of a player in a secret phase, if the people at a console
    /// would pass it on for each of them.
    pub(super) fn plan(&self, view: &View, options: &Options) -> Option<PhasePlan> {
        let people = self.people.iter().filter(|person| **person).count();
        let is_shared = matches!(self.front, Frontend::Console(_)) && people >= 2;
        let secret = is_secret(view.decl(), view.frame().map(|frame| frame.phase));
        let plan = (is_shared && secret).then(|| PhasePlan::begin(view, &self.rules))??;
        let is_same = plan.question()?.1.len() == options.len();
        is_same.then_some(plan)
    }

    /// Returns the number of planned answers that the record does not contain yet, by the name of
    /// the player.
    pub(super) fn unsaved(&self) -> Vec<(String, usize)> {
        let count = |seat: usize| self.queued.iter().filter(|it| it.seat == seat).count();
        let all = self.names.iter().enumerate();
        all.map(|(seat, name)| (name.clone(), count(seat)))
            .filter(|row| row.1 > 0)
            .collect()
    }

    /// Returns the warning for a person who quits, if planned answers get lost. The player who is
    /// asked may have some that are not queued yet.
    pub(super) fn warn_of_loss(&self, own: Option<Player>) -> Option<String> {
        let lost = self.unsaved();
        let mut names: Vec<&str> = lost.iter().map(|(name, _)| name.as_str()).collect();
        let own = own.map(|own| self.names[own.index()].as_str());
        names.extend(own.filter(|own| lost.iter().all(|(name, _)| name != own)));
        (!names.is_empty()).then(|| {
            let names = names.join(", ");
            format!(
                "the orders of {names} in this phase can't be saved; type `quit` again to lose them"
            )
        })
    }

    /// Stores the further answers of a plan, which are given when the game asks for them.
    pub(super) fn queue(&mut self, view: &View, actions: &[Action]) {
        let given = actions.iter().map(|&action| GivenAnswer {
            before: view.answers(),
            seat: view.me().index(),
            action,
            secret: true,
        });
        self.queued.extend(given);
    }

    /// Creates the adviser: the ruleset's first bot, followed by a bot that always has an answer.
    pub(super) fn make_adviser(&self) -> Adviser {
        let names = [self.adviser.as_str(), BuiltIn::Outnumber.as_str()];
        let bots = names.into_iter().filter_map(|name| self.bot(name).ok());
        Adviser::new(&self.adviser, bots.collect())
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
            let (view, options, names) = (&view, &options, &names);
            let offered = Offered {
                view,
                options,
                names,
            };
            offered.next_words(before)
        };
        console.borrow_mut().line(prompt, Some(Box::new(next)))
    }

    pub(super) fn pages(&self) -> Option<Rc<super::pages::Pages>> {
        match &self.front {
            Frontend::Console(_) => None,
            Frontend::Pages(pages) => Some(Rc::clone(pages)),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        match &self.front {
            Frontend::Console(_) => false,
            Frontend::Pages(pages) => pages.is_closed(),
        }
    }

    /// Returns the console.
    ///
    /// # Panics
    /// Panics if people play on pages.
    pub(super) fn console(&self) -> Rc<RefCell<dyn Console>> {
        match &self.front {
            Frontend::Console(console) => Rc::clone(console),
            Frontend::Pages(_) => unreachable!("players on web pages have no console"),
        }
    }

    /// Resets the state before the game is replayed to its latest position.
    pub(super) fn begin_again(&mut self) {
        let seats = self.people.iter().enumerate();
        let people = seats.filter(|(_, is_person)| **is_person);
        let people = people.fold(PlayerSet::default(), |all, (seat, _)| {
            all.with(Player::from_index(seat))
        });
        let (paint, names) = (self.paint, || self.names.clone());
        let story = |viewer| match (self.brief, self.is_open) {
            (true, true) => ViewerStory::in_brief(viewer, paint, names()).with_full(people),
            (true, false) => ViewerStory::in_brief(viewer, paint, names()),
            (false, _) => ViewerStory::new(Eyes::Player(viewer), paint, names()),
        };
        let seats = (0..self.names.len()).map(Player::from_index);
        self.stories = seats.map(story).collect();
        self.settled = 0;
        self.is_sealed = false;
        self.is_recalling = self.said.is_empty() && self.queued.is_empty();
    }

    /// Shows none of the story again to the player who has taken an answer back.
    pub(super) fn skip_story(&mut self) {
        self.recap.fill(None);
        if let Some(last) = self.last {
            let seat = self.story_of(last);
            self.recap[seat] = Some(0);
        }
    }

    /// Returns the seat whose story a player reads. In a game without secrets, people at one screen
    /// read the same story.
    pub(super) fn story_of(&self, player: Player) -> usize {
        let first = self.people.iter().position(|is_person| *is_person);
        first.filter(|_| self.is_open).unwrap_or(player.index())
    }

    /// Stores an answer from the record, so it can be taken back like a new answer.
    pub(super) fn recall(&mut self, view: &View, action: Action) {
        if self.is_recalling {
            self.gives(view, action);
        }
    }

    /// Stores an answer before the next question is asked.
    pub(super) fn gives(&mut self, view: &View, action: Action) {
        self.said.push(GivenAnswer {
            before: view.answers(),
            seat: view.me().index(),
            action,
            secret: is_secret(view.decl(), view.frame().map(|frame| frame.phase)),
        });
    }

    /// Returns the player's next earlier answer to repeat after a takeback. If it is no longer
    /// possible, returns the earlier answers in words as an error, and drops the player's later
    /// answers as well.
    pub(super) fn given_again(
        &mut self,
        view: &View,
        options: &Options,
    ) -> Result<Option<Action>, String> {
        let seat = view.me().index();
        let Some(next) = self.queued.iter().position(|given| given.seat == seat) else {
            return Ok(None);
        };
        let given = self.queued[next];
        if options.admit(given.action).is_ok() {
            self.queued.remove(next);
            self.gives(view, given.action);
            return Ok(Some(given.action));
        }
        let gone = self.take_queued(view.me());
        Err(self.no_longer(view, &gone).unwrap_or_default())
    }

    /// Reports whether a player has answers to repeat.
    pub(super) fn has_queued(&self, player: Player) -> bool {
        self.queued.iter().any(|it| it.seat == player.index())
    }

    /// Removes and returns the answers that a player would repeat.
    pub(super) fn take_queued(&mut self, player: Player) -> Vec<Action> {
        let seat = player.index();
        let own = self.queued.iter().filter(|it| it.seat == seat);
        let own = own.map(|it| it.action).collect();
        self.queued.retain(|it| it.seat != seat);
        own
    }

    /// Returns a note with earlier answers that are no longer possible, if there are any.
    pub(super) fn no_longer(&self, view: &View, gone: &[Action]) -> Option<String> {
        let words = Words::new(view.board(), view.decl());
        let gone = gone
            .iter()
            .map(|&action| format!("`{}`", words.action(action)));
        let gone: Vec<String> = gone.collect();
        (!gone.is_empty()).then(|| format!("no longer possible: {}", gone.join(", ")))
    }

    pub(super) fn bot(&self, spec: &str) -> Result<HintBot, String> {
        (self.make_bot)(spec)
    }

    /// Returns the last answer of the current player that `undo` would take back.
    pub(super) fn last_answer(&self, view: &View) -> Option<Action> {
        let seat = view.me().index();
        let mut said = self.said.iter();
        said.rfind(|given| given.seat == seat)
            .map(|given| given.action)
    }

    /// Takes back the last answer of the current player. Returns the position to return to.
    pub(super) fn undo(&mut self, view: &View) -> Result<TableCommand, String> {
        let seat = view.me().index();
        let last = self.said.iter().rposition(|given| given.seat == seat);
        self.take_back(view, last)
    }

    /// Takes back the answer that contains one of a player's pending orders. Later answers are
    /// repeated. Returns the position to return to.
    pub(super) fn retract(&mut self, view: &View, order: usize) -> Result<TableCommand, String> {
        let orders: Vec<Action> = view.orders().copied().collect();
        let Some(&action) = orders.get(order) else {
            return Err("no such order".to_owned());
        };
        // Equal orders are matched from the end: each pending order after this one has its own
        // answer.
        let behind = orders[order + 1..].iter().filter(|&&it| it == action);
        let behind = behind.count();
        let seat = view.me().index();
        let given = self.said.iter().enumerate().rev();
        let mut given = given.filter(|(_, given)| given.seat == seat && given.action == action);
        let found = given.nth(behind).map(|(at, _)| at);
        self.take_back(view, found)
    }

    /// Ends free takebacks of all answers before this number of answers.
    fn settle(&mut self, answers: u64) {
        self.settled = answers;
        self.is_sealed = false;
    }

    /// Takes back one of the answers. If the takeback is free, later secret answers of others and
    /// later answers of the player are queued for repetition.
    fn take_back(&mut self, view: &View, which: Option<usize>) -> Result<TableCommand, String> {
        if self.is_sealed && !is_secret(view.decl(), view.frame().map(|frame| frame.phase)) {
            self.settle(view.answers());
        }
        let Some(&taken) = which.and_then(|at| self.said.get(at)) else {
            return Err("nothing to undo: you have not answered yet".to_owned());
        };
        let open = |given: &GivenAnswer| {
            given.before >= taken.before && given.seat != taken.seat && !given.secret
        };
        let free = taken.before >= self.settled && !self.said.iter().any(open);
        if !free && !self.takeback {
            let help = match self.front {
                Frontend::Console(_) => " (`--takeback` allows it and marks the record)",
                // A person on a page did not start the program.
                Frontend::Pages(_) => "",
            };
            let why = "can't undo: dice, cards or another player came after that action";
            return Err(format!("{why}{help}"));
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
            Ok(TableCommand::Undo(taken.before))
        } else {
            self.queued.clear();
            Ok(TableCommand::TakeBack(taken.before))
        }
    }
}

/// A sink that writes the stories of the people at a console.
pub(super) struct ConsoleStories(pub(super) Rc<RefCell<SharedTable>>);

impl Sink for ConsoleStories {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let mut table = self.0.borrow_mut();
        let SharedTable {
            stories, people, ..
        } = &mut *table;
        let seats = stories.iter_mut().zip(people);
        for (story, _) in seats.filter(|(_, is_person)| **is_person) {
            story.take(moment, event);
        }
    }
}

/// A sink that detects chance events and actions of other players. Earlier answers can then no
/// longer be taken back for free.
pub(super) struct UndoBarrier {
    table: Rc<RefCell<SharedTable>>,
    drawn: u64,
    /// Whether a phase has begun since the last answer. The following events come from the ruleset
    /// and may reveal secret answers.
    has_begun: bool,
}

impl UndoBarrier {
    pub(super) fn new(table: &Rc<RefCell<SharedTable>>) -> Self {
        Self {
            table: Rc::clone(table),
            drawn: 0,
            has_begun: false,
        }
    }
}

impl Sink for UndoBarrier {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        let drawn = game.words_drawn();
        let mut table = self.table.borrow_mut();
        let spoke = match event {
            // Players learn of a card from a pile that no player sees.
            Event::Card { from, .. } => {
                let seen = game.decl().piles[from.0.index()].seen;
                seen == Visibility::Nobody || (table.is_sealed && self.has_begun)
            }
            Event::Answered { player, phase, .. } => {
                self.has_begun = false;
                let is_person = table.people[player.index()];
                let secret = is_secret(game.decl(), Some(*phase));
                // A single person learns nothing from their own answer.
                let is_alone = is_person && table.people.iter().filter(|it| **it).count() == 1;
                table.is_sealed |= secret && !is_alone;
                !is_person && !secret
            }
            // Secret answers are revealed or take effect at this point.
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
