//! A person who is asked at the terminal, or whose lines come from a pipe.

use std::cell::RefCell;
use std::rc::Rc;

use super::adviser::{Adviser, advice, told};
use super::heard::Heard;
use super::input::{Line, MOST_WRONG};
use super::reading::Reading;
use super::scene::Scene;
use super::seat::{Asker, Choice, Question};
use super::stopped::{Stopped, Wish};
use super::table::Table;
use crate::cli::{Error, say};
use risk_kernel::event::Event;
use risk_kernel::id::Phase;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_report::picture;
use risk_text::paint::Paint;

/// How many lines of it `log` shows.
const SHOWN_OF_LOG: usize = 40;

/// A person at the terminal.
pub(super) struct AtTerminal {
    table: Rc<RefCell<Table>>,
    heard: Heard,
    /// The turn and the phase of the last question.
    asked: Option<(u32, Phase)>,
}

impl AtTerminal {
    pub(super) fn new(table: &Rc<RefCell<Table>>) -> Self {
        let (paint, names) = {
            let table = table.borrow();
            (table.paint, table.names.clone())
        };
        Self {
            table: Rc::clone(table),
            heard: Heard::new(paint, names),
            asked: None,
        }
    }

    fn paint(&self) -> Paint {
        self.table.borrow().paint
    }

    /// Line by line, until one of them is an answer.
    fn prompted(&mut self, scene: Scene<'_>, adviser: &Adviser) -> Result<Choice, Stopped> {
        let Scene { view, options, .. } = scene;
        let suggested = adviser.suggested();
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
            match (text, suggested) {
                ("", Some(action)) => return Ok(Choice::once(action)),
                ("auto", Some(action)) => return Ok(Choice::Auto(action)),
                _ => {}
            }
            let reading = Reading {
                view,
                options,
                names: scene.names,
            };
            if self.commanded(text, scene, adviser)? {
                wrong = 0;
                continue;
            }
            match reading.read(text) {
                Ok(said) => return Ok(Choice::Say(said)),
                Err(why) => {
                    let lines = scene
                        .paint
                        .wrapped("  ", "  ", &risk_text::escape_control(&why));
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
    fn commanded(
        &mut self,
        text: &str,
        scene: Scene<'_>,
        adviser: &Adviser,
    ) -> Result<bool, Stopped> {
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
            "hint" => self.hint(rest.trim(), scene, adviser)?,
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
    fn hint(&self, name: &str, scene: Scene<'_>, adviser: &Adviser) -> Result<(), Stopped> {
        let Scene { view, options, .. } = scene;
        let text = if name.is_empty() {
            adviser.hint(view)
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

impl Asker for AtTerminal {
    fn arrive(&mut self, view: &View) -> Result<(), Stopped> {
        self.table.borrow_mut().pass_to(view.me())?;
        Ok(self.read_on(view)?)
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Choice, Stopped> {
        let &Question { view, options, .. } = question;
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
        if let Some(note) = &question.note {
            tell(&scene.paint.wrapped("  ", "  ", note))?;
        }
        self.prompted(scene, question.adviser)
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.heard.take(view, event);
    }

    fn finish(&mut self, view: &View, outcome: Option<&Outcome>) {
        let was_last = self.table.borrow().last == Some(view.me());
        if outcome.is_some() && was_last {
            self.table.borrow_mut().recap = SHOWN_OF_LOG;
            // The output may be closed: that is told where the end is.
            let _ = self.read_on(view);
        }
    }
}
