//! A person at the terminal, or lines from a pipe.

use std::cell::RefCell;
use std::rc::Rc;

use super::adviser::Adviser;
use super::commands::{COMMANDS, PLAIN, command, is_free};
use super::console::{Console, Line, MOST_WRONG};
use super::interruption::{Interruption, TableCommand, TableError};
use super::offered::Offered;
use super::prompt::{AutoScope, Choice, PersonQuestion, Prompt};
use super::reading::{self, ParsedAnswer};
use super::scene::Scene;
use super::shared_table::SharedTable;
use super::why_not::is_number;
use risk_kernel::action::{Action, Options};
use risk_kernel::id::{Phase, Verb};
use risk_kernel::outcome::Outcome;
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_text::paint::Paint;

/// The number of story lines that are shown at the end of a game, and by `log` without a screen.
const SHOWN_OF_LOG: usize = 40;
/// The maximum number of story lines to ask for.
const MOST_OF_LOG: usize = 1_000;

pub(super) struct TerminalPrompt {
    table: Rc<RefCell<SharedTable>>,
    console: Rc<RefCell<dyn Console>>,
    /// The turn and the phase of the last question.
    asked: Option<(u32, Phase)>,
    /// The counters and the verbs that the person has seen in this phase.
    states: Vec<String>,
    verbs: Vec<Verb>,
    /// A line that was typed while a long reply stopped, which is the next answer or command.
    typed: Option<String>,
    /// The last refused line. A number alone may complete it.
    refused: Option<String>,
    /// Whether the person has seen the warning that `quit` loses planned orders.
    quits: bool,
    /// Whether the person has seen what `resign` means.
    resigns: bool,
}

impl TerminalPrompt {
    pub(super) fn new(table: &Rc<RefCell<SharedTable>>) -> Self {
        let console = table.borrow().console();
        Self {
            table: Rc::clone(table),
            console,
            asked: None,
            states: Vec::new(),
            verbs: Vec::new(),
            typed: None,
            refused: None,
            quits: false,
            resigns: false,
        }
    }

    fn paint(&self) -> Paint {
        self.table.borrow().paint
    }

    fn say(&self, text: &str) -> Result<(), TableError> {
        self.console.borrow_mut().say(text)
    }

    fn print(&self, lines: &[String]) -> Result<(), TableError> {
        if lines.is_empty() {
            return Ok(());
        }
        self.say(&lines.join("\n"))
    }

    /// Prints a reply to a command. If it is longer than the terminal, it stops at each screen. A
    /// line that is typed there is the next answer or command, except `q`.
    fn print_by_screens(&mut self, lines: &[String]) -> Result<(), TableError> {
        let console = Rc::clone(&self.console);
        let mut console = console.borrow_mut();
        // The prompt and a suggestion need lines too.
        let most = console.height().map(|height| height.max(6) - 2);
        let Some(most) = most.filter(|&most| lines.len() > most) else {
            drop(console);
            return self.print(lines);
        };
        let mut screens = lines.chunks(most).peekable();
        while let Some(screen) = screens.next() {
            console.say(&screen.join("\n"))?;
            if screens.peek().is_none() {
                break;
            }
            match console.line("-- Enter: more, q: stop -- ", None)? {
                Line::Text(text) if text.trim().is_empty() => {
                    self.table.borrow().was_turned.set(true);
                }
                Line::Text(text) if text.trim().eq_ignore_ascii_case("q") => break,
                Line::Text(text) => {
                    self.typed = Some(text);
                    break;
                }
                Line::End => break,
            }
        }
        Ok(())
    }

    /// Reads lines until one of them is an answer.
    fn prompted(
        &mut self,
        scene: Scene<'_>,
        adviser: &mut Adviser,
        planned: Option<Action>,
    ) -> Result<Choice, Interruption> {
        let view = scene.view;
        let words = Words::new(view.board(), view.decl());
        let (mut wrong, mut is_warned) = (0, false);
        loop {
            let offer = match adviser.known() {
                Some(action) => Some(scene.action(action)),
                None => adviser
                    .searches()
                    .then(|| format!("what {} finds", adviser.name())),
            };
            if let Some(offer) = &offer {
                self.say(&scene.paint.dim(&format!("  Enter: {offer}")))?;
            }
            let prompt = format!("{} ({})> ", scene.names[view.me().index()], scene.phase());
            let text = self.next_line(&prompt, scene, offer.is_some())?;
            let text = text.trim();
            if let Some(choice) = short_choice(text, scene, adviser, planned.is_some()) {
                return Ok(choice);
            }
            if self.commanded(text, scene, adviser, planned.is_some())? {
                self.refused = None;
                wrong = 0;
                continue;
            }
            match self.read(text, scene) {
                Ok(said) if !is_warned && scene.leaves_armies(said.action) => {
                    is_warned = true;
                    let word = words.action(said.action);
                    let states = scene.states().join(", ");
                    self.refuse(
                        scene,
                        &format!("you have {states}; type `{word}` again to go on"),
                    )?;
                    continue;
                }
                Ok(said) => {
                    let is_done = text.eq_ignore_ascii_case("done");
                    if is_done && !said.action.args().is_empty() {
                        let text = format!("  {}", scene.action(said.action));
                        self.say(&scene.paint.dim(&text))?;
                    }
                    return Ok(Choice::Say(said));
                }
                Err(why) => self.refuse(scene, &why)?,
            }
            wrong += 1;
            if wrong >= MOST_WRONG && self.console.borrow().is_pipe() {
                let text = format!("{MOST_WRONG} invalid lines in a row");
                let help = "use --resume to continue the game";
                return Err(TableError::input("cli::input", text, help).into());
            }
        }
    }

    /// Returns the next line: one that was typed while a reply stopped, or a new one. After an
    /// Enter that turned a page or passed the console on, another one is not an answer.
    fn next_line(
        &mut self,
        prompt: &str,
        scene: Scene<'_>,
        is_suggested: bool,
    ) -> Result<String, Interruption> {
        if let Some(text) = self.typed.take() {
            self.table.borrow().was_turned.set(false);
            self.say(&format!("{prompt}{}", risk_text::escape_control(&text)))?;
            return Ok(text);
        }
        loop {
            let Line::Text(text) = self.table.borrow().line(prompt, scene)? else {
                return Err(Interruption::Wish(TableCommand::Quit));
            };
            let was_turned = self.table.borrow().was_turned.take();
            let is_answer = !text.trim().is_empty() || !is_suggested;
            if is_answer || !was_turned || self.console.borrow().is_pipe() {
                return Ok(text);
            }
            let text = "  press Enter again to take the suggestion";
            self.say(&scene.paint.dim(text))?;
        }
    }

    /// Parses an answer. A number alone completes the line before it if that lacked a number.
    fn read(&mut self, text: &str, scene: Scene<'_>) -> Result<ParsedAnswer, String> {
        let reading = scene.offered();
        let is_number = text.split_whitespace().count() == 1 && is_number(text);
        if let Some(before) = self.refused.take().filter(|_| is_number) {
            let joined = reading.read(&format!("{before} {text}"));
            let read = match joined {
                Ok(said) => Ok(said),
                Err(why) => reading.read(text).map_err(|_| why),
            };
            self.refused = read.is_err().then_some(before);
            return read;
        }
        let read = reading.read_beside(text, &COMMANDS);
        self.refused = read.is_err().then(|| text.to_owned());
        read
    }

    /// Runs a command that is not an answer. Returns `false` if the text is not a command.
    fn commanded(
        &mut self,
        text: &str,
        scene: Scene<'_>,
        adviser: &mut Adviser,
        is_planned: bool,
    ) -> Result<bool, Interruption> {
        let text = text.strip_prefix(':').unwrap_or(text);
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (word, rest) = (&*word.to_lowercase(), rest.trim());
        if scene.view.decl().verb(word).is_some() {
            return Ok(false);
        }
        let reading = scene.offered();
        let word = match command(word) {
            full if is_free(full, word, rest, &reading) && reading.read(text).is_err() => full,
            _ => word,
        };
        if PLAIN.contains(&word) && !rest.is_empty() {
            self.refuse(
                scene,
                &format!("`{word}` takes no other words, found `{rest}`"),
            )?;
            return Ok(true);
        }
        if word == "log" {
            return self.log(rest, scene).map(|()| true);
        }
        if let Some(lines) = plain(word, scene, adviser) {
            self.print_by_screens(&lines)?;
            return Ok(true);
        }
        if let Some(reply) = self.asked(word, rest, scene) {
            match reply {
                Ok(lines) => self.print_by_screens(&lines)?,
                Err(why) => self.refuse(scene, &why)?,
            }
            return Ok(true);
        }
        match word {
            "hint" => self.hint(rest, scene, adviser)?,
            "undo" => self.undo(scene)?,
            "resign" => return self.resign(scene),
            "quit" | "exit" => return self.quit(scene, is_planned),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes back the person's last answer, which stops the game for now.
    fn undo(&self, scene: Scene<'_>) -> Result<(), Interruption> {
        let last = self.table.borrow().last_answer(scene.view);
        let wish = self.table.borrow_mut().undo(scene.view);
        match wish {
            Ok(wish) => {
                self.take_back(scene, last)?;
                Err(Interruption::Wish(wish))
            }
            Err(why) => Ok(self.print(&scene.paint.indented(&why))?),
        }
    }

    /// Stops the game. If that loses planned orders of others, or of this person, the person has to
    /// say so twice.
    fn quit(&mut self, scene: Scene<'_>, is_planned: bool) -> Result<bool, Interruption> {
        let own = is_planned.then(|| scene.view.me());
        let warning = self.table.borrow().warn_of_loss(own);
        let Some(why) = warning.filter(|_| !std::mem::replace(&mut self.quits, true)) else {
            return Err(Interruption::Wish(TableCommand::Quit));
        };
        self.refuse(scene, &why)?;
        Ok(true)
    }

    /// Gives up, once the person has read what that means.
    fn resign(&mut self, scene: Scene<'_>) -> Result<bool, Interruption> {
        if std::mem::replace(&mut self.resigns, true) {
            return Err(Interruption::Resign);
        }
        let why = "the game goes on without you, you are ranked last, and you can't undo it; type \
                   `resign` again to give up";
        self.refuse(scene, why)?;
        Ok(true)
    }

    /// Returns the reply to a command with other words, or to one that needs chances.
    fn asked(
        &self,
        word: &str,
        rest: &str,
        scene: Scene<'_>,
    ) -> Option<Result<Vec<String>, String>> {
        let chances = &mut self.table.borrow_mut().chances;
        Some(match word {
            "look" => reading::territory(scene.view, rest).map(|at| scene.look(at, chances)),
            "odds" => {
                let text = scene.odds(rest, chances);
                text.map(|text| scene.paint.indented(text.trim()))
            }
            "attacks" => scene.attacks_or_coming(chances),
            "auto" if matches!(rest, "" | "turn") => {
                Err("no suggestion for this decision: type an action".to_owned())
            }
            "auto" => Err(format!(
                "unknown `auto {rest}`: did you mean `auto`, which ends the phase, or `auto turn`?"
            )),
            _ => return None,
        })
    }

    /// Shows the latest events, as many as the screen has room for, or as many as asked for.
    fn log(&mut self, rest: &str, scene: Scene<'_>) -> Result<(), Interruption> {
        let height = self.console.borrow().height();
        let most = match (rest, rest.parse()) {
            ("", _) => height.map_or(SHOWN_OF_LOG, |height| height.max(6) - 2),
            (_, Ok(most)) if (1..=MOST_OF_LOG).contains(&most) => most,
            _ => {
                let why = format!("expected 1 to {MOST_OF_LOG} lines, found `{rest}`: `log 40`");
                return Ok(self.refuse(scene, &why)?);
            }
        };
        let lines = {
            let table = self.table.borrow();
            let story = &table.stories[table.story_of(scene.view.me())];
            let lines = story.last_of_log(most);
            // The head of a table is one line more, for which a screen may have no room.
            match rest.is_empty() && lines.len() > most {
                true => story.last_of_log(most - 1),
                false => lines,
            }
        };
        Ok(self.print_by_screens(&lines)?)
    }

    /// Shows which answer is taken back.
    fn take_back(&self, scene: Scene<'_>, action: Option<Action>) -> Result<(), TableError> {
        let Some(action) = action else {
            return self.say(&scene.paint.dim("  taken back"));
        };
        let text = format!("  taken back: {}", scene.action(action));
        self.say(&scene.paint.dim(&risk_text::escape_control(&text)))
    }

    /// Shows what has changed since the last question in the same phase: the counters, and actions
    /// that have become possible.
    fn print_changes(&mut self, scene: Scene<'_>) -> Result<(), TableError> {
        let states = scene.states();
        if states != self.states && !states.is_empty() {
            self.print(&scene.paint.indented(&states.join(", ")))?;
        }
        self.states = states;
        let verbs = scene.offered_verbs();
        if verbs.iter().any(|verb| !self.verbs.contains(verb)) {
            self.print(&scene.verbs())?;
            self.verbs = verbs;
        }
        Ok(())
    }

    /// Shows an answer in full that no event reports before the phase ends.
    fn confirm(&self, scene: Scene<'_>, action: Action) -> Result<(), TableError> {
        let decl = scene.view.decl();
        let frame = scene.view.frame();
        let is_secret = frame.is_some_and(|frame| decl.phases[frame.phase.index()].secret);
        if !is_secret {
            return Ok(());
        }
        let words = Words::new(scene.view.board(), decl);
        let sentence = words.sentence_by(action, &|player| scene.name(player).to_owned());
        let text = risk_text::escape_control(&sentence).into_owned();
        let lines = scene.paint.hang("  noted: ", &text).into_iter();
        self.print(&lines.map(|line| scene.paint.dim(&line)).collect::<Vec<_>>())
    }

    /// Shows the reason why something is not possible, or not yet.
    fn refuse(&self, scene: Scene<'_>, why: &str) -> Result<(), TableError> {
        let why = risk_text::escape_control(why);
        self.print(&scene.paint.indented(&why))
    }

    /// Shows the suggestion of the adviser or the named bot, with its next steps and what the bot
    /// is after. Enter then takes this suggestion.
    fn hint(
        &self,
        name: &str,
        scene: Scene<'_>,
        adviser: &mut Adviser,
    ) -> Result<(), Interruption> {
        let paint = scene.paint;
        let hint = if name.is_empty() {
            adviser.hint(scene.offered())
        } else {
            let made = self.table.borrow().bot(name);
            match made {
                Ok(bot) => adviser.hint_of(name, bot, scene.offered()),
                Err(why) => return Ok(self.print(&paint.indented(&why))?),
            }
        };
        self.print(&paint.indented(&hint.action))?;
        if let Some(aim) = hint.aim {
            self.print(&paint.wrapped("  ", "    ", &aim))?;
        }
        Ok(())
    }

    /// Shows the events since the last question, or the last lines of a resumed game. If a question
    /// follows, they stop at each screen.
    fn read_on(&mut self, view: &View, is_asked: bool) -> Result<(), TableError> {
        let (lines, suffered) = {
            let table = &mut *self.table.borrow_mut();
            let seat = table.story_of(view.me());
            let new = table.stories[seat].turn();
            let own = &mut table.stories[view.me().index()];
            let suffered = own.suffered(view, &table.names);
            let story = &mut table.stories[seat];
            let recap = table.recap[seat].take();
            if recap.is_some() {
                story.begin_part();
            }
            match recap {
                None => {
                    let lines = new.trim_end().lines();
                    (lines.map(str::to_owned).collect(), suffered)
                }
                Some(0) => (Vec::new(), None),
                Some(most) => (story.recap(most), suffered),
            }
        };
        if is_asked {
            self.print_by_screens(&lines)?;
        } else {
            self.print(&lines)?;
        }
        let Some(text) = suffered else {
            return Ok(());
        };
        self.print(&self.paint().painted(&text, Paint::bold))
    }
}

/// Returns the choice that accepts suggestions or takes back a planned answer.
fn short_choice(
    text: &str,
    scene: Scene<'_>,
    adviser: &mut Adviser,
    is_planned: bool,
) -> Option<Choice> {
    let choose = match text.to_lowercase().as_str() {
        "undo" if is_planned => return Some(Choice::Back),
        "" => Choice::once,
        "auto" | "auto!" => |action| Choice::Auto(action, AutoScope::Phase),
        "auto turn" => |action| Choice::Auto(action, AutoScope::Turn),
        _ => return None,
    };
    let Offered { view, options, .. } = scene.offered();
    adviser.suggested(view, options).map(choose)
}

/// Returns the reply to a command without other words that changes nothing.
fn plain(word: &str, scene: Scene<'_>, adviser: &Adviser) -> Option<Vec<String>> {
    Some(match word {
        "?" | "help" => scene.help(),
        "rules" => scene.rules(),
        "map" => scene.map(adviser.marked()),
        "land" => scene.land(),
        "bonuses" => scene.bonuses(),
        "players" => scene.players(),
        "cards" => scene.cards(),
        "orders" => scene.orders(),
        _ => return None,
    })
}

impl Prompt for TerminalPrompt {
    fn arrive(&mut self, view: &View, is_asked: bool) -> Result<(), Interruption> {
        // Answers in an optional phase are part of the action before it, whose story goes on.
        let phase = view.frame().map(|frame| frame.phase.index());
        let is_part = phase.is_some_and(|phase| view.decl().phases[phase].optional);
        if is_part && self.table.borrow().last == Some(view.me()) {
            return Ok(());
        }
        self.table.borrow_mut().pass_to(view.me())?;
        Ok(self.read_on(view, is_asked)?)
    }

    fn ask(&mut self, question: &mut PersonQuestion<'_>) -> Result<Choice, Interruption> {
        let &mut PersonQuestion {
            view,
            options,
            others,
            ..
        } = question;
        let names = self.table.borrow().names.clone();
        let scene = Scene {
            view,
            options,
            others,
            names: &names,
            paint: self.paint(),
        };
        let place = view.frame().map(|frame| (view.turn(), frame.phase));
        if self.asked != place {
            self.asked = place;
            let mut table = self.table.borrow_mut();
            let lines = scene.question(&mut table.chances);
            drop(table);
            self.print(&lines)?;
            self.states = scene.states();
            self.verbs = scene.offered_verbs();
        } else {
            self.print_changes(scene)?;
        }
        if let Some(note) = &question.note {
            self.print(&scene.paint.indented(note))?;
        }
        let choice = self.prompted(scene, question.adviser, question.planned)?;
        match &choice {
            Choice::Say(said) => self.confirm(scene, said.action)?,
            Choice::Auto(action, _) => self.confirm(scene, *action)?,
            Choice::Back => self.take_back(scene, question.planned)?,
        }
        self.refused = None;
        self.quits = false;
        self.resigns = false;
        Ok(choice)
    }

    fn note(&mut self, view: &View, action: Action) {
        let names = self.table.borrow().names.clone();
        let options = Options::default();
        let scene = Scene {
            view,
            options: &options,
            others: view,
            names: &names,
            paint: self.paint(),
        };
        // The output may be closed. That error is reported at the next question.
        let _ = self.confirm(scene, action);
    }

    fn recall(&mut self, view: &View) {
        let mut table = self.table.borrow_mut();
        let seats = [table.story_of(view.me()), view.me().index()];
        for seat in seats {
            if let Some(story) = table.stories.get_mut(seat) {
                story.skip();
            }
        }
    }

    fn finish(&mut self, view: &View, outcome: Option<&Outcome>) {
        let was_last = self.table.borrow().last == Some(view.me());
        if outcome.is_some() && was_last {
            let mut table = self.table.borrow_mut();
            let seat = table.story_of(view.me());
            let text = table.stories[seat].turn();
            drop(table);
            let lines: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
            let from = lines.len().saturating_sub(SHOWN_OF_LOG);
            // The output may be closed. That error is reported at the end of the game.
            let _ = self.print(&lines[from..]);
        }
    }
}
