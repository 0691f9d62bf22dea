//! A seat at which a person decides.

use std::cell::RefCell;
use std::rc::Rc;

use super::adviser::{Adviser, advice, told};
use super::heard::Heard;
use super::input::{Line, MOST_WRONG};
use super::reading::{Reading, Said, again};
use super::scene::Scene;
use super::table::{Table, Wish};
use crate::cli::{Error, say};
use crate::kernel::action::{Action, Options};
use crate::kernel::event::Event;
use crate::kernel::fault::BotFault;
use crate::kernel::id::Phase;
use crate::kernel::outcome::Outcome;
use crate::kernel::rng::{Purpose, Stream};
use crate::kernel::view::View;
use crate::kernel::words::Words;
use crate::kernel::{Answer, Bot};
use crate::report::picture;
use crate::text::paint::Paint;

/// How many lines of it `log` shows.
const SHOWN_OF_LOG: usize = 40;

/// A person at the table.
pub(super) struct Person {
    table: Rc<RefCell<Table>>,
    heard: Heard,
    adviser: Adviser,
    /// The turn and the phase of the last question.
    asked: Option<(u32, Phase)>,
    /// What is repeated until it is not possible any more.
    repeated: Option<Action>,
    /// The phase, and the turn, in which the suggestions are taken unasked.
    left_to_adviser: Option<(u32, Phase)>,
}

impl Person {
    pub(super) fn new(table: &Rc<RefCell<Table>>, adviser: Adviser) -> Self {
        let (paint, names) = {
            let table = table.borrow();
            (table.paint, table.names.clone())
        };
        Self {
            table: Rc::clone(table),
            heard: Heard::new(paint, names),
            adviser,
            asked: None,
            repeated: None,
            left_to_adviser: None,
        }
    }

    fn paint(&self) -> Paint {
        self.table.borrow().paint
    }

    /// Asks until there is an answer.
    fn ask(&mut self, view: &View, options: &Options) -> Result<Action, Stopped> {
        self.repeated = self.repeated.and_then(|last| again(last, options));
        if let Some(action) = self.repeated {
            return Ok(action);
        }
        let given = self.table.borrow_mut().given_again(view, options);
        if let Ok(Some(action)) = given {
            return Ok(action);
        }
        self.table.borrow_mut().pass_to(view.me())?;
        self.read_on(view)?;
        if options.len() == 1 && options.offers()[0].slots().is_empty() {
            // What is the end of a phase, for example, and cannot be decided otherwise.
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
                self.table.borrow_mut().gives(view, action);
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
                    self.table.borrow_mut().gives(view, action);
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
            if wrong >= MOST_WRONG && self.table.borrow_mut().input().is_pipe() {
                let text = format!("{MOST_WRONG} lines in a row say nothing possible");
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
                say(&self.heard.last_lines(SHOWN_OF_LOG).join("\n"))?;
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
        let text = if name.is_empty() {
            self.adviser.hint(view, options)
        } else {
            let made = self.table.borrow().bot(name);
            match made {
                Ok(mut bot) => {
                    bot.start(view, Stream::new(0, 0, Purpose::Player(view.me().0)));
                    told(name, &advice(&mut *bot, view, options), view)
                }
                Err(why) => why,
            }
        };
        tell(&scene.paint.wrapped("  ", "  ", &text))?;
        Ok(())
    }

    /// Tells what has happened since the last question.
    fn read_on(&mut self, view: &View) -> Result<(), Error> {
        let text = self.heard.turn(view);
        let is_whole = self.table.borrow().recap == usize::MAX;
        let names = self.table.borrow().names.clone();
        let suffered = self.heard.suffered(view, &names);
        if let Some(text) = suffered.filter(|_| is_whole) {
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
        self.adviser.start(view);
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
        self.heard.take(view, event);
        self.adviser.saw(view, event);
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
