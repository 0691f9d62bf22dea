//! The picture of a watched game, and its timing.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::keys::Key;
use super::pace::Pace;
use super::terminal::Terminal;
use crate::cli::out::{Canvas, paint};
use risk_engine::acts::Eyes;
use risk_kernel::event::Event;
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View};
use risk_kernel::words::Words;
use risk_kernel::{Moment, Sink};
use risk_report::picture::Outlines;
use risk_report::screen::Screen;
use risk_report::story::Story;
use risk_text::paint::Paint;

/// The maximum number of story lines in memory.
const KEPT: usize = 40;
/// How often the size of the terminal is checked.
const LOOK: Duration = Duration::from_millis(250);

/// A sink that shows a game in a terminal.
pub(crate) struct Spectator {
    terminal: Terminal,
    canvas: Canvas,
    pace: Pace,
    story: Story<PendingStory>,
    told: PendingStory,
    lines: VecDeque<String>,
    title: String,
    names: Vec<String>,
    seat: Option<Player>,
    outlines: Option<Outlines>,
    /// The last answer and its player.
    done: Option<(Player, String)>,
    /// The number of answers in the state that was shown last.
    shown: Option<u64>,
    has_left: bool,
}

impl Spectator {
    pub(super) fn begin(
        title: &str,
        names: &[String],
        seat: Option<Player>,
        speed: u16,
    ) -> io::Result<Self> {
        let colour = paint(&io::stdout()).colour;
        let told = PendingStory::default();
        // The lines can have any length, because each picture wraps them.
        let wide = Paint {
            colour,
            width: 10_000,
        };
        let story = Story::new(told.clone(), wide, names.to_vec())
            .in_brief()
            .without_standings();
        Ok(Self {
            terminal: Terminal::take()?,
            canvas: Canvas::new(colour),
            pace: Pace::new(speed),
            story: story.seen_by(seat.map_or(Eyes::All, Eyes::Player)),
            told,
            lines: VecDeque::new(),
            title: title.to_owned(),
            names: names.to_vec(),
            seat,
            outlines: None,
            done: None,
            shown: None,
            has_left: false,
        })
    }

    /// Reports whether the spectator left before the end.
    pub(crate) const fn has_left(&self) -> bool {
        self.has_left
    }

    /// Shows the end until the spectator leaves. Returns whether the spectator had already left.
    pub(crate) fn end(mut self, game: &GameState, ending: &str) -> bool {
        if self.has_left {
            return true;
        }
        self.story.pause();
        let keys = ["the end".to_owned(), "q leave".to_owned()];
        while !self.has_left {
            if self.draw(game, Some(ending), &keys).is_err() {
                break;
            }
            match self.terminal.keys.recv_timeout(LOOK) {
                Ok(Key::Leave) | Err(RecvTimeoutError::Disconnected) => {
                    self.terminal.hear();
                    break;
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
        false
    }

    /// Draws the game, and waits until the next decision is due.
    fn show(&mut self, game: &GameState) {
        if !self.pace.is_shown(game.turn()) {
            return self.listen(game);
        }
        loop {
            let keys = self.keys();
            if self.draw(game, None, &keys).is_err() {
                self.has_left = true;
                return;
            }
            let wait = self.pace.wait();
            match self
                .terminal
                .keys
                .recv_timeout(wait.unwrap_or(LOOK).min(LOOK))
            {
                Ok(key) => {
                    if self.take(key, game) {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    if self.pace.wait().is_some_and(|wait| wait.is_zero()) {
                        return;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.has_left = true;
                    return;
                }
            }
        }
    }

    /// Handles keys while nothing is drawn.
    fn listen(&mut self, game: &GameState) {
        while let Ok(key) = self.terminal.keys.try_recv() {
            self.take(key, game);
        }
    }

    fn take(&mut self, key: Key, game: &GameState) -> bool {
        if key == Key::Leave {
            self.has_left = true;
            self.terminal.hear();
        }
        self.pace.take(key, game.turn())
    }

    fn keys(&self) -> Vec<String> {
        let pause = if self.pace.is_paused {
            "space resume"
        } else {
            "space pause"
        };
        let fixed = ["q leave", pause, "n step"].map(str::to_owned);
        let rest = [self.pace.text(), "t next turn".to_owned()];
        fixed.into_iter().chain(rest).collect()
    }

    fn draw(&mut self, game: &GameState, ending: Option<&str>, keys: &[String]) -> io::Result<()> {
        for line in self.told.take() {
            if self.lines.len() == KEPT {
                self.lines.pop_front();
            }
            self.lines.push_back(line);
        }
        let outlines = self
            .outlines
            .get_or_insert_with(|| Outlines::new(game.board()));
        let seen = self.seat.map(|seat| {
            let view = View::new(&Facts::new(game.clone()), seat);
            view.seen()
        });
        let screen = Screen {
            game: seen.as_deref().unwrap_or(game),
            seat: self.seat,
            names: &self.names,
            title: &self.title,
            done: self.done.as_ref(),
            ending,
            story: self.lines.make_contiguous(),
            keys,
        };
        let size = Canvas::size();
        let lines = screen.lines(outlines, size.0, size.1, self.canvas.colour);
        self.canvas.draw(size, &lines)
    }
}

impl Sink for Spectator {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        if self.has_left {
            return;
        }
        self.story.event(moment, event);
        let view = self.seat.map(|seat| View::new(moment.facts(), seat));
        let seen = view.is_none_or(|view| view.redact_for(event).is_some());
        if let (Event::Answered { player, action, .. }, true) = (event, seen) {
            let words = Words::new(moment.board(), moment.decl());
            let text = words.sentence_by(*action, &|player| self.names[player.index()].clone());
            self.done = Some((*player, text));
        }
    }

    fn halts(&mut self, game: &Facts) -> bool {
        if !self.has_left && self.shown != Some(game.answers()) {
            self.shown = Some(game.answers());
            self.show(game);
        }
        self.has_left
    }
}

/// Story output that has not been drawn yet.
#[derive(Clone, Default)]
struct PendingStory(Rc<RefCell<Vec<u8>>>);

impl PendingStory {
    fn take(&self) -> Vec<String> {
        let mut bytes = self.0.borrow_mut();
        // The last line may be incomplete.
        let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') else {
            return Vec::new();
        };
        let rest = bytes.split_off(end + 1);
        let whole = std::mem::replace(&mut *bytes, rest);
        let text = String::from_utf8_lossy(&whole);
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines.map(str::to_owned).collect()
    }
}

impl Write for PendingStory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
