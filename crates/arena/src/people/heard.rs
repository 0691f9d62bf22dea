//! What a person hears of a game: the story from one seat, and what others did to it.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use risk_kernel::Sink;
use risk_kernel::event::Event;
use risk_kernel::id::{Player, Territory};
use risk_kernel::state::GameState;
use risk_kernel::view::View;
use risk_report::story::Story;
use risk_text::paint::Paint;

/// How much of the story is kept, in bytes.
const LONGEST_LOG: usize = 64 << 10;

/// What a person has heard.
pub(super) struct Heard {
    story: Story<Pages>,
    pages: Pages,
    /// What others did to this player since this was asked last.
    suffered: Suffered,
}

impl Heard {
    /// Nothing yet, of players with these names.
    pub(super) fn new(paint: Paint, names: Vec<String>) -> Self {
        let pages = Pages::default();
        Self {
            story: Story::new(pages.clone(), paint, names).as_seen(),
            pages,
            suffered: Suffered::default(),
        }
    }

    /// Nothing yet, for somebody who does not play.
    pub(super) fn in_public(paint: Paint, names: Vec<String>) -> Self {
        let pages = Pages::default();
        Self {
            story: Story::new(pages.clone(), paint, names).in_public(),
            pages,
            suffered: Suffered::default(),
        }
    }

    /// Something happened that everybody may see.
    pub(super) fn take_public(&mut self, game: &GameState, event: &Event) {
        self.story.event(game, event);
    }

    /// Reads what there is of the story for everybody.
    pub(super) fn turn_public(&mut self, game: &GameState) {
        self.story.pause(game);
        self.pages.turn();
    }

    /// Something happened that this player sees.
    pub(super) fn take(&mut self, view: &View, event: &Event) {
        self.story.event(&view.seen(), event);
        self.suffered.take(view, event);
    }

    /// The story since this was asked last.
    pub(super) fn turn(&mut self, view: &View) -> String {
        self.story.pause(&view.seen());
        self.pages.turn()
    }

    /// What others did since this was asked last, in a sentence; nothing where nobody did anything.
    pub(super) fn suffered(&mut self, view: &View, names: &[String]) -> Option<String> {
        std::mem::take(&mut self.suffered).told(view, names)
    }

    /// The last lines of what was read.
    pub(super) fn last_lines(&self, most: usize) -> Vec<String> {
        let text = self.pages.0.borrow();
        let lines: Vec<&str> = text.read.lines().collect();
        let from = lines.len().saturating_sub(most);
        lines[from..].iter().map(|&line| line.to_owned()).collect()
    }
}

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
