//! What all people at one table share: the terminal, whose turn it was, and what may be taken back.

use std::cell::RefCell;
use std::rc::Rc;

use super::input::{Input, Line};
use super::person::Stopped;
use super::reading::Reading;
use super::scene::Scene;
use crate::cli::{Error, say};
use crate::kernel::event::Event;
use crate::kernel::id::Player;
use crate::kernel::state::GameState;
use crate::kernel::{Bot, Sink};
use crate::odds::Fight;
use crate::text::paint::Paint;

/// What a person wants of the game beside an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// To stop; the game is kept.
    Quit,
    /// The game as it was after so many answers.
    Undo(u64),
    /// The same, though chance has spoken since: the record marks it.
    TakeBack(u64),
}

/// Makes a bot by its specification, for hints.
pub(super) type MakeBot = Box<dyn Fn(&str) -> Result<Box<dyn Bot>, String>>;

/// What all people at one table share.
pub(super) struct Table {
    pub(super) input: Input,
    pub(super) paint: Paint,
    /// By seat.
    pub(super) names: Vec<String>,
    /// By seat: does a person sit there?
    pub(super) people: Vec<bool>,
    /// The chances of fights, where the ruleset has some.
    pub(super) fight: Option<Fight>,
    /// The name of the bot whose suggestions are made.
    pub(super) adviser: String,
    pub(super) make_bot: MakeBot,
    /// May one person see what another is shown?
    pub(super) is_open: bool,
    /// May decisions be taken back behind chance?
    pub(super) takeback: bool,
    /// How many answers there were before each of those that people typed.
    pub(super) said: Vec<u64>,
    /// How many answers there were when chance, or somebody else, had spoken last.
    pub(super) settled: u64,
    /// How many lines of what was before the first question are told: of a game that is taken up
    /// again, the last few.
    pub(super) recap: usize,
    /// Who was asked last.
    pub(super) last: Option<Player>,
    pub(super) stopped: Option<Stopped>,
}

impl Table {
    /// Makes sure that only this player looks.
    pub(super) fn pass_to(&mut self, player: Player) -> Result<(), Stopped> {
        let before = self.last.replace(player);
        let people = self.people.iter().filter(|person| **person).count();
        if self.is_open || people < 2 || before == Some(player) {
            return Ok(());
        }
        self.input.wipe()?;
        let name = &self.names[player.index()];
        let prompt = format!("Pass to {name}, who presses Enter ");
        match self.input.line(&prompt, None)? {
            Line::Text(_) => Ok(()),
            Line::End => Err(Stopped::Wish(Wish::Quit)),
        }
    }

    /// Asks for a line.
    pub(super) fn line(&mut self, prompt: &str, scene: Scene<'_>) -> Result<Line, Error> {
        if self.input.is_pipe() {
            return self.input.line(prompt, None);
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
        self.input.line(prompt, Some(Box::new(next)))
    }

    /// A bot for a hint.
    pub(super) fn bot(&self, spec: &str) -> Result<Box<dyn Bot>, String> {
        (self.make_bot)(spec)
    }

    /// Where the last answer that somebody typed is taken back to.
    ///
    /// # Errors
    /// Why it can't be.
    pub(super) fn undo(&mut self) -> Result<Wish, String> {
        let Some(&last) = self.said.last() else {
            return Err("you have said nothing yet that could be taken back".to_owned());
        };
        if last >= self.settled {
            self.said.pop();
            return Ok(Wish::Undo(last));
        }
        if self.takeback {
            self.said.pop();
            return Ok(Wish::TakeBack(last));
        }
        Err(
            "dice, cards or other players have spoken since: that can't be taken back. With \
             `--takeback` it can; the record says so then"
                .to_owned(),
        )
    }
}

/// Sees when chance or somebody else speaks, behind which nothing is taken back for free.
pub(super) struct Watch {
    table: Rc<RefCell<Table>>,
    drawn: u64,
}

impl Watch {
    pub(super) fn new(table: &Rc<RefCell<Table>>) -> Self {
        table.borrow_mut().settled = 0;
        Self {
            table: Rc::clone(table),
            drawn: 0,
        }
    }
}

impl Sink for Watch {
    fn event(&mut self, game: &GameState, event: &Event) {
        let drawn = game.words_drawn();
        let spoke = match event {
            Event::Card { .. } => true,
            Event::Answered { player, phase, .. } => {
                !self.table.borrow().people[player.index()]
                    && !game.decl().phases[phase.index()].secret
            }
            _ => false,
        };
        if spoke || drawn != self.drawn {
            self.drawn = drawn;
            self.table.borrow_mut().settled = game.answers();
        }
    }
}

/// Tells people something that is no question.
pub(super) fn remark(paint: Paint, text: &str) -> Result<(), Error> {
    let lines = paint.wrapped("  ", "  ", text);
    let lines: Vec<String> = lines.iter().map(|line| paint.dim(line)).collect();
    say(&lines.join("\n"))
}
