//! A person at the terminal, or lines from a pipe.

use std::cell::RefCell;
use std::rc::Rc;

use super::adviser::{Adviser, advice, told};
use super::console::{Console, Line, MOST_WRONG};
use super::interruption::{Interruption, TableCommand, TableError};
use super::reading::{self, AnswerParser};
use super::scene::Scene;
use super::seat::{AutoScope, Choice, PersonQuestion, Prompt};
use super::shared_table::SharedTable;
use super::viewer_story::ViewerStory;
use risk_kernel::event::Event;
use risk_kernel::id::Phase;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_text::paint::Paint;

/// The commands that take no other words.
const PLAIN: [&str; 13] = [
    "?", "help", "map", "land", "bonuses", "players", "cards", "orders", "attacks", "log", "undo",
    "quit", "exit",
];
/// The number of story lines that `log` shows.
const SHOWN_OF_LOG: usize = 40;

pub(super) struct TerminalPrompt {
    table: Rc<RefCell<SharedTable>>,
    console: Rc<RefCell<dyn Console>>,
    heard: ViewerStory,
    /// The turn and the phase of the last question.
    asked: Option<(u32, Phase)>,
}

impl TerminalPrompt {
    pub(super) fn new(table: &Rc<RefCell<SharedTable>>) -> Self {
        let (heard, console) = {
            let table = table.borrow();
            let story = ViewerStory::new(table.paint, table.names.clone());
            let story = if table.brief { story.in_brief() } else { story };
            (story, table.console())
        };
        Self {
            table: Rc::clone(table),
            console,
            heard,
            asked: None,
        }
    }

    fn paint(&self) -> Paint {
        self.table.borrow().paint
    }

    fn say(&self, text: &str) -> Result<(), TableError> {
        self.console.borrow_mut().say(text)
    }

    fn tell(&self, lines: &[String]) -> Result<(), TableError> {
        if lines.is_empty() {
            return Ok(());
        }
        self.say(&lines.join("\n"))
    }

    /// Reads lines until one of them is an answer.
    fn prompted(&mut self, scene: Scene<'_>, adviser: &Adviser) -> Result<Choice, Interruption> {
        let Scene { view, options, .. } = scene;
        let suggested = adviser.suggested();
        let words = Words::new(view.board(), view.decl());
        let mut wrong = 0;
        loop {
            if let Some(action) = suggested {
                let text = format!("  Enter: {}", words.action(action));
                self.say(&scene.paint.dim(&text))?;
            }
            let prompt = format!("{} ({})> ", scene.names[view.me().index()], scene.phase());
            let line = self.table.borrow().line(&prompt, scene)?;
            let Line::Text(text) = line else {
                return Err(Interruption::Wish(TableCommand::Quit));
            };
            let text = text.trim();
            match (text, suggested) {
                ("", Some(action)) => return Ok(Choice::once(action)),
                ("auto", Some(action)) => return Ok(Choice::Auto(action, AutoScope::Phase)),
                ("auto turn", Some(action)) => return Ok(Choice::Auto(action, AutoScope::Turn)),
                _ => {}
            }
            let reading = AnswerParser {
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
                    self.tell(&lines)?;
                }
            }
            wrong += 1;
            if wrong >= MOST_WRONG && self.console.borrow().is_pipe() {
                let text = format!("{MOST_WRONG} invalid lines in a row");
                let help = "use --resume to continue the game";
                return Err(TableError::input("cli::input", text, help).into());
            }
        }
    }

    /// Runs a command that is not an answer. Returns `false` if the text is not a command.
    fn commanded(
        &mut self,
        text: &str,
        scene: Scene<'_>,
        adviser: &Adviser,
    ) -> Result<bool, Interruption> {
        let text = text.strip_prefix(':').unwrap_or(text);
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        if scene.view.decl().verb(word).is_some() {
            return Ok(false);
        }
        if PLAIN.contains(&word) && !rest.is_empty() {
            let why = format!("`{word}` takes no other words, found `{rest}`");
            self.tell_or(scene, Err(why))?;
            return Ok(true);
        }
        match word {
            "?" | "help" => self.tell(&scene.help())?,
            "map" => self.tell(&scene.map())?,
            "land" => self.tell(&scene.land())?,
            "look" => {
                let found = reading::territory(scene.view, rest);
                let lines = found.map(|at| scene.look(at, &mut self.table.borrow_mut().chances));
                self.tell_or(scene, lines)?;
            }
            "bonuses" => self.tell(&scene.bonuses())?,
            "odds" => {
                let text = scene.odds(rest, &mut self.table.borrow_mut().chances);
                let wrapped = |text: String| scene.paint.wrapped("  ", "  ", text.trim());
                self.tell_or(scene, text.map(wrapped))?;
            }
            "players" => self.tell(&scene.players())?,
            "cards" => self.tell(&scene.cards())?,
            "orders" => self.tell(&scene.orders())?,
            "attacks" => {
                let mut table = self.table.borrow_mut();
                let lines = scene.attacks(&mut table.chances, usize::MAX);
                drop(table);
                if lines.is_empty() {
                    self.say("  no attack is possible now")?;
                }
                self.tell(&lines)?;
            }
            "log" => {
                self.say(&self.heard.last_lines(SHOWN_OF_LOG).join("\n"))?;
            }
            "hint" => self.hint(rest, scene, adviser)?,
            "undo" => {
                let wish = self.table.borrow_mut().undo(scene.view);
                match wish {
                    Ok(wish) => return Err(Interruption::Wish(wish)),
                    Err(why) => self.tell(&scene.paint.wrapped("  ", "  ", &why))?,
                }
            }
            "quit" | "exit" => return Err(Interruption::Wish(TableCommand::Quit)),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Shows lines, or the reason why there are none.
    fn tell_or(
        &self,
        scene: Scene<'_>,
        lines: Result<Vec<String>, String>,
    ) -> Result<(), TableError> {
        let wrapped = |why: String| {
            let why = risk_text::escape_control(&why).into_owned();
            scene.paint.wrapped("  ", "  ", &why)
        };
        self.tell(&lines.unwrap_or_else(wrapped))
    }

    /// Shows the suggestion of the adviser or the named bot, with its next steps.
    fn hint(&self, name: &str, scene: Scene<'_>, adviser: &Adviser) -> Result<(), Interruption> {
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
        self.tell(&scene.paint.wrapped("  ", "  ", &text))?;
        Ok(())
    }

    /// Shows the events since the last question.
    fn read_on(&mut self, view: &View) -> Result<(), TableError> {
        let text = self.heard.turn(view);
        let recap = std::mem::replace(&mut self.table.borrow_mut().recap, usize::MAX);
        let lines: Vec<&str> = text.trim_end().lines().collect();
        let from = lines.len().saturating_sub(recap);
        if !lines[from..].is_empty() {
            self.say(&lines[from..].join("\n"))?;
        }
        let names = self.table.borrow().names.clone();
        let suffered = self.heard.suffered(view, &names);
        let Some(text) = suffered.filter(|_| recap == usize::MAX) else {
            return Ok(());
        };
        let paint = self.paint();
        let lines = paint.wrapped("  ", "  ", &text);
        let lines: Vec<String> = lines.iter().map(|line| paint.bold(line)).collect();
        self.tell(&lines)
    }
}

impl Prompt for TerminalPrompt {
    fn arrive(&mut self, view: &View) -> Result<(), Interruption> {
        self.table.borrow_mut().pass_to(view.me())?;
        Ok(self.read_on(view)?)
    }

    fn ask(&mut self, question: &PersonQuestion<'_>) -> Result<Choice, Interruption> {
        let &PersonQuestion { view, options, .. } = question;
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
            let lines = scene.question(&mut table.chances);
            drop(table);
            self.tell(&lines)?;
        }
        if let Some(note) = &question.note {
            self.tell(&scene.paint.wrapped("  ", "  ", note))?;
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
            // The output may be closed. That error is reported at the end of the game.
            let _ = self.read_on(view);
        }
    }
}
