//! A seat at which a person decides.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::rc::Rc;

use super::input::{Line, MOST_WRONG};
use super::reading::{Reading, Said};
use super::scene::Scene;
use super::table::{Table, Wish};
use crate::cli::{Error, say};
use crate::kernel::action::{Action, Options};
use crate::kernel::event::Event;
use crate::kernel::fault::BotFault;
use crate::kernel::id::{Phase, Player, Territory};
use crate::kernel::outcome::Outcome;
use crate::kernel::rng::{Purpose, Stream};
use crate::kernel::view::View;
use crate::kernel::words::Words;
use crate::kernel::{Answer, Bot, Sink};
use crate::report::picture;
use crate::report::story::Story;
use crate::text::paint::Paint;

/// How much of the story is kept, in bytes.
const LONGEST_LOG: usize = 64 << 10;
/// How many lines of it `log` shows.
const SHOWN_OF_LOG: usize = 40;

/// What was told and is not read yet, and what was read.
#[derive(Clone, Debug, Default)]
struct Pages(Rc<RefCell<Text>>);

#[derive(Debug, Default)]
struct Text {
    unread: Vec<u8>,
    read: String,
}

impl Write for Pages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().unread.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Pages {
    /// What is not read yet; it counts as read from now on.
    fn turn(&self) -> String {
        let mut text = self.0.borrow_mut();
        let new = String::from_utf8_lossy(&std::mem::take(&mut text.unread)).into_owned();
        text.read.push_str(&new);
        if text.read.len() > LONGEST_LOG {
            let cut = text.read.len() - LONGEST_LOG / 2;
            let cut = text.read[cut..].find('\n').map_or(cut, |end| cut + end + 1);
            text.read = text.read.split_off(cut);
        }
        new
    }
}

/// Who suggests answers.
#[derive(Default)]
pub(super) struct Adviser {
    /// The name of the first one, who is asked before all others.
    name: String,
    bots: Vec<Box<dyn Bot>>,
    /// How the last suggestion goes on, while it is followed.
    ahead: VecDeque<Action>,
}

impl Adviser {
    pub(super) fn new(name: &str, bots: Vec<Box<dyn Bot>>) -> Self {
        Self {
            name: name.to_owned(),
            bots,
            ahead: VecDeque::new(),
        }
    }

    /// What is to be done here and then; empty where nobody has an idea.
    fn steps(&mut self, view: &View, options: &Options) -> Vec<Action> {
        let goes_on = self.ahead.front();
        if goes_on.is_some_and(|&next| options.admit(next).is_ok()) {
            return self.ahead.iter().copied().collect();
        }
        let all = self.bots.iter_mut();
        let mut all = all.map(|bot| advice(&mut **bot, view, options));
        let steps = all.find(|steps| !steps.is_empty()).unwrap_or_default();
        self.ahead = steps.iter().copied().collect();
        steps
    }

    fn suggest(&mut self, view: &View, options: &Options) -> Option<Action> {
        self.steps(view, options).first().copied()
    }

    /// The player does this: a suggestion goes on only where it is what was suggested.
    fn heed(&mut self, action: Action) {
        if self.ahead.pop_front() != Some(action) {
            self.ahead.clear();
        }
    }
}

/// A person at the table.
pub(super) struct Person {
    table: Rc<RefCell<Table>>,
    story: Story<Pages>,
    pages: Pages,
    adviser: Adviser,
    /// The turn and the phase of the last question.
    asked: Option<(u32, Phase)>,
    /// What is repeated until it is not possible any more.
    repeated: Option<Action>,
    /// The phase, and the turn, in which the suggestions are taken unasked.
    left_to_adviser: Option<(u32, Phase)>,
    /// What others did to this player since the last question.
    suffered: Suffered,
}

/// What others did to a player.
#[derive(Debug, Default)]
struct Suffered {
    /// Land that was taken, and by whom.
    lost: Vec<(Territory, Player)>,
    /// Land that was attacked.
    attacked: Vec<Territory>,
}

impl Suffered {
    fn take(&mut self, view: &View, event: &Event) {
        match event {
            Event::Captured(capture) if capture.loser == Some(view.me()) => {
                self.lost.push((capture.to, capture.by));
            }
            Event::Fought(round)
                if view.mine(round.to)
                    && !view.mine(round.from)
                    && !self.attacked.contains(&round.to) =>
            {
                self.attacked.push(round.to);
            }
            _ => {}
        }
    }

    /// The same in a sentence; nothing where nobody did anything.
    fn told(self, view: &View, names: &[String]) -> Option<String> {
        let title = |at: Territory| view.board().info(at).name.clone();
        let lost: Vec<String> = self
            .lost
            .iter()
            .map(|&(at, by)| format!("{} to {}", title(at), names[by.index()]))
            .collect();
        let held = self.attacked.iter().filter(|&&at| view.mine(at));
        let held: Vec<String> = held.map(|&at| title(at)).collect();
        let lost = (!lost.is_empty()).then(|| format!("you have lost {}", lost.join(", ")));
        let held = (!held.is_empty()).then(|| format!("you have held {}", held.join(", ")));
        let parts: Vec<String> = lost.into_iter().chain(held).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

impl Person {
    pub(super) fn new(table: &Rc<RefCell<Table>>, adviser: Adviser) -> Self {
        let pages = Pages::default();
        let (paint, names) = {
            let table = table.borrow();
            (table.paint, table.names.clone())
        };
        Self {
            table: Rc::clone(table),
            story: Story::new(pages.clone(), paint, names).as_seen(),
            pages,
            adviser,
            asked: None,
            repeated: None,
            left_to_adviser: None,
            suffered: Suffered::default(),
        }
    }

    fn paint(&self) -> Paint {
        self.table.borrow().paint
    }

    /// Asks until there is an answer.
    fn ask(&mut self, view: &View, options: &Options) -> Result<Action, Stopped> {
        if let Some(action) = self.next_of_repeated(options) {
            return Ok(action);
        }
        self.table.borrow_mut().pass_to(view.me())?;
        self.read_on(view)?;
        if options.len() == 1 && options.offers()[0].slots().is_empty() {
            // What is the end of a phase, say, and cannot be decided otherwise.
            return Ok(options.nth(0));
        }
        let names = self.table.borrow().names.clone();
        let scene = Scene {
            view,
            options,
            names: &names,
            paint: self.paint(),
        };
        let place = view.frame().map(|frame| (view.turn(), frame.phase));
        if self.asked != place {
            self.asked = place;
            let mut table = self.table.borrow_mut();
            tell(&scene.question(table.fight.as_mut()))?;
        }
        let suggested = self.adviser.suggest(view, options);
        if let Some(action) = suggested.filter(|_| place.is_some() && self.left_to_adviser == place)
        {
            return Ok(action);
        }
        self.left_to_adviser = None;
        self.prompted(scene, suggested)
    }

    /// Line by line, until one of them is an answer.
    fn prompted(&mut self, scene: Scene<'_>, suggested: Option<Action>) -> Result<Action, Stopped> {
        let Scene { view, options, .. } = scene;
        let words = Words::new(view.board(), view.decl());
        let mut wrong = 0;
        loop {
            if let Some(action) = suggested {
                let text = format!("  Enter: {}", words.action(action));
                say(&scene.paint.dim(&text))?;
            }
            let prompt = format!("{} ({})> ", scene.names[view.me().index()], scene.phase());
            let line = self.table.borrow_mut().line(&prompt, scene)?;
            let Line::Text(text) = line else {
                return Err(Stopped::Wish(Wish::Quit));
            };
            let text = text.trim();
            if let ("" | "auto", Some(action)) = (text, suggested) {
                self.left_to_adviser = self.asked.filter(|_| text == "auto");
                self.table.borrow_mut().said.push(view.answers());
                return Ok(action);
            }
            let reading = Reading {
                view,
                options,
                names: scene.names,
            };
            if self.commanded(text, scene)? {
                wrong = 0;
                continue;
            }
            match reading.read(text) {
                Ok(Said { action, to_the_end }) => {
                    self.repeated = to_the_end.then_some(action);
                    self.table.borrow_mut().said.push(view.answers());
                    return Ok(action);
                }
                Err(why) => {
                    let lines = scene
                        .paint
                        .wrapped("  ", "  ", &crate::text::escape_control(&why));
                    tell(&lines)?;
                }
            }
            wrong += 1;
            if wrong >= MOST_WRONG && self.table.borrow().input.is_pipe() {
                let text = format!("{MOST_WRONG} lines in a row say nothing that is possible");
                let help = "the game is kept: go on with --resume";
                return Err(Error::input("cli::input", text, help).into());
            }
        }
    }

    /// Does what is no answer; whether it was something of that kind.
    fn commanded(&mut self, text: &str, scene: Scene<'_>) -> Result<bool, Stopped> {
        let text = text.strip_prefix(':').unwrap_or(text);
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let is_verb = scene.view.decl().verb(word).is_some();
        match word {
            _ if is_verb => return Ok(false),
            "?" | "help" => tell(&scene.help())?,
            "map" => tell(&picture::seen(scene.view, scene.paint))?,
            "land" => tell(&scene.land())?,
            "players" => tell(&scene.players())?,
            "cards" => tell(&scene.cards())?,
            "orders" => tell(&scene.orders())?,
            "attacks" => {
                let mut table = self.table.borrow_mut();
                let lines = scene.attacks(table.fight.as_mut(), usize::MAX);
                drop(table);
                if lines.is_empty() {
                    say("  no attack is possible now")?;
                }
                tell(&lines)?;
            }
            "log" => {
                let text = self.pages.0.borrow();
                let lines: Vec<&str> = text.read.lines().collect();
                let from = lines.len().saturating_sub(SHOWN_OF_LOG);
                say(&lines[from..].join("\n"))?;
            }
            "hint" => self.hint(rest.trim(), scene)?,
            "undo" => {
                let wish = self.table.borrow_mut().undo();
                match wish {
                    Ok(wish) => return Err(Stopped::Wish(wish)),
                    Err(why) => tell(&scene.paint.wrapped("  ", "  ", &why))?,
                }
            }
            "quit" | "exit" => return Err(Stopped::Wish(Wish::Quit)),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What the adviser, or another bot, would do here, with how it would go on.
    fn hint(&mut self, name: &str, scene: Scene<'_>) -> Result<(), Stopped> {
        let Scene { view, options, .. } = scene;
        let made;
        let (who, steps) = if name.is_empty() {
            let steps = self.adviser.steps(view, options);
            (self.adviser.name.clone(), Some(steps))
        } else {
            made = self.table.borrow().bot(name);
            match made {
                Ok(mut bot) => {
                    bot.start(view, Stream::new(0, 0, Purpose::Player(view.me().0)));
                    (name.to_owned(), Some(advice(&mut *bot, view, options)))
                }
                Err(why) => {
                    tell(&scene.paint.wrapped("  ", "  ", &why))?;
                    return Ok(());
                }
            }
        };
        let words = Words::new(view.board(), view.decl());
        let steps: Vec<String> = steps
            .unwrap_or_default()
            .into_iter()
            .map(|step| words.action(step))
            .collect();
        let text = match steps.split_first() {
            None => "nobody has a hint here".to_owned(),
            Some((first, [])) => format!("{who} would say `{first}`"),
            Some((first, rest)) => {
                format!("{who} would say `{first}`, and then {}", rest.join(", "))
            }
        };
        tell(&scene.paint.wrapped("  ", "  ", &text))?;
        Ok(())
    }

    /// The same again, with as much as is possible now.
    fn next_of_repeated(&mut self, options: &Options) -> Option<Action> {
        let last = self.repeated?;
        let lands = last.args().len().min(2);
        let again = options
            .offers()
            .iter()
            .filter(|offer| offer.verb == last.verb && offer.slots().len() >= lands)
            .filter_map(|offer| {
                let size = options.offer_len(offer);
                let fits = offer.slots()[..lands]
                    .iter()
                    .zip(last.args())
                    .all(|(&slot, &value)| options.contains(slot, value));
                let greatest = options.nth_of(offer, &mut size.checked_sub(1)?);
                let mut args = greatest.args().to_vec();
                args[..lands].copy_from_slice(&last.args()[..lands]);
                fits.then(|| Action::new(last.verb, &args))
            })
            .max_by_key(|action| action.args().last().copied());
        let again = again.filter(|&action| options.admit(action).is_ok());
        self.repeated = again;
        again
    }

    /// Tells what has happened since the last question.
    fn read_on(&mut self, view: &View) -> Result<(), Error> {
        self.story.pause(&view.seen());
        let text = self.pages.turn();
        let is_whole = self.table.borrow().recap == usize::MAX;
        let suffered = std::mem::take(&mut self.suffered);
        let names = self.table.borrow().names.clone();
        if let Some(text) = suffered.told(view, &names).filter(|_| is_whole) {
            let paint = self.paint();
            let lines = paint.wrapped("  ", "  ", &text);
            let lines: Vec<String> = lines.iter().map(|line| paint.bold(line)).collect();
            tell(&lines)?;
        }
        let recap = std::mem::replace(&mut self.table.borrow_mut().recap, usize::MAX);
        let lines: Vec<&str> = text.trim_end().lines().collect();
        let from = lines.len().saturating_sub(recap);
        if lines[from..].is_empty() {
            return Ok(());
        }
        say(&lines[from..].join("\n"))
    }
}

/// What a bot would say here: its answer, and how it would go on.
fn advice(bot: &mut dyn Bot, view: &View, options: &Options) -> Vec<Action> {
    let quick = bot.try_next(view, &mut &*options);
    if let Some(action) = quick.filter(|&action| options.admit(action).is_ok()) {
        return vec![action];
    }
    let steps = match bot.answer(view, options) {
        Ok(Answer::One(action)) => vec![action],
        Ok(Answer::Steps(steps)) => steps,
        Err(_) => Vec::new(),
    };
    match steps.first() {
        Some(&first) if options.admit(first).is_ok() => steps,
        _ => Vec::new(),
    }
}

fn tell(lines: &[String]) -> Result<(), Error> {
    if lines.is_empty() {
        return Ok(());
    }
    say(&lines.join("\n"))
}

/// Why there is no answer.
pub(super) enum Stopped {
    Wish(Wish),
    Error(Error),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl Bot for Person {
    fn start(&mut self, view: &View, _: Stream) {
        for bot in &mut self.adviser.bots {
            bot.start(view, Stream::new(0, 0, Purpose::Player(view.me().0)));
        }
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        match self.ask(view, options) {
            Ok(action) => {
                self.adviser.heed(action);
                Ok(Answer::One(action))
            }
            Err(stopped) => {
                self.table.borrow_mut().stopped = Some(stopped);
                Err(BotFault::Halt)
            }
        }
    }

    fn wants(&self, _: Phase) -> bool {
        true
    }

    fn listens(&self) -> bool {
        true
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.story.event(&view.seen(), event);
        self.suffered.take(view, event);
        for bot in self.adviser.bots.iter_mut().filter(|bot| bot.listens()) {
            bot.saw(view, event);
        }
    }

    fn finish(&mut self, view: &View, _: &[i64], outcome: Option<&Outcome>) {
        let was_last = self.table.borrow().last == Some(view.me());
        if outcome.is_some() && was_last {
            self.table.borrow_mut().recap = SHOWN_OF_LOG;
            // The output may be closed: that is told where the end is.
            let _ = self.read_on(view);
        }
    }
}
