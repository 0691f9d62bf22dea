//! The story of a game from one seat, and the actions of others against that seat.

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

/// The maximum length of the stored story, in bytes.
const LONGEST_LOG: usize = 64 << 10;

/// The story of a game for one viewer.
pub(super) struct ViewerStory {
    story: Story<StoryBuffer>,
    pages: StoryBuffer,
    /// The actions of others against this player since the last call of `suffered`.
    suffered: AttackReport,
}

impl ViewerStory {
    pub(super) fn new(paint: Paint, names: Vec<String>) -> Self {
        let pages = StoryBuffer::default();
        Self {
            story: Story::new(pages.clone(), paint, names).as_seen(),
            pages,
            suffered: AttackReport::default(),
        }
    }

    /// Turns on the short form for the actions of others.
    pub(super) fn in_brief(self) -> Self {
        Self {
            story: self.story.in_brief(),
            ..self
        }
    }

    /// Creates the story for a spectator.
    pub(super) fn in_public(paint: Paint, names: Vec<String>) -> Self {
        let pages = StoryBuffer::default();
        Self {
            story: Story::new(pages.clone(), paint, names).in_public(),
            pages,
            suffered: AttackReport::default(),
        }
    }

    /// Adds an event that everyone may see.
    pub(super) fn take_public(&mut self, game: &GameState, event: &Event) {
        self.story.event(game, event);
    }

    /// Marks the public story so far as read.
    pub(super) fn turn_public(&mut self, game: &GameState) {
        self.story.pause(game);
        self.pages.turn();
    }

    /// Adds an event that this player sees.
    pub(super) fn take(&mut self, view: &View, event: &Event) {
        self.story.tell_in_full(view.me());
        self.story.event(&view.seen(), event);
        self.suffered.take(view, event);
    }

    /// Returns the story since the last call and marks it as read.
    pub(super) fn turn(&mut self, view: &View) -> String {
        self.story.pause(&view.seen());
        self.pages.turn()
    }

    /// Returns a sentence about the actions of others since the last call, if there were any.
    pub(super) fn suffered(&mut self, view: &View, names: &[String]) -> Option<String> {
        std::mem::take(&mut self.suffered).told(view, names)
    }

    /// Returns the last lines that were read.
    pub(super) fn last_lines(&self, most: usize) -> Vec<String> {
        let text = self.pages.0.borrow();
        let lines: Vec<&str> = text.read.lines().collect();
        let from = lines.len().saturating_sub(most);
        lines[from..].iter().map(|&line| line.to_owned()).collect()
    }
}

/// The story as text, in an unread part and a read part.
#[derive(Clone, Debug, Default)]
struct StoryBuffer(Rc<RefCell<StoryText>>);

#[derive(Debug, Default)]
struct StoryText {
    unread: Vec<u8>,
    read: String,
}

impl Write for StoryBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().unread.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl StoryBuffer {
    /// Returns the unread text and marks it as read.
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

/// The actions of others against a player.
#[derive(Debug, Default)]
struct AttackReport {
    /// The lost territories with their new owners.
    lost: Vec<(Territory, Option<Player>)>,
    attacked: Vec<Territory>,
}

impl AttackReport {
    fn take(&mut self, view: &View, event: &Event) {
        match event {
            Event::Captured(capture) if capture.loser == Some(view.me()) => {
                self.lose(capture.to, Some(capture.by));
            }
            // A ruleset may give territories over without a capture.
            &Event::Owner { at, from, to } if from == Some(view.me()) && to != from => {
                self.lose(at, to);
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

    fn lose(&mut self, at: Territory, by: Option<Player>) {
        self.lost.retain(|&(lost, _)| lost != at);
        self.lost.push((at, by));
    }

    /// Formats the losses and the defences as a sentence, if there are any.
    fn told(self, view: &View, names: &[String]) -> Option<String> {
        let title = |at: Territory| view.board().info(at).name.clone();
        // Others may have moved into a territory that was left without an owner.
        let lost = self
            .lost
            .iter()
            .map(|&(at, by)| (at, by.or_else(|| view.owner(at))));
        let lost: Vec<(Territory, Option<Player>)> = lost.collect();
        let mut captors: Vec<Option<Player>> = Vec::new();
        for &(_, by) in &lost {
            if !captors.contains(&by) {
                captors.push(by);
            }
        }
        let of = |by: &Option<Player>| {
            let lost = lost.iter().filter(|lost| lost.1 == *by);
            let titles: Vec<String> = lost.map(|lost| title(lost.0)).collect();
            let titles = titles.join(", ");
            by.map_or_else(
                || format!("{titles}, now without an owner"),
                |by| format!("{titles} to {}", names[by.index()]),
            )
        };
        let lost: Vec<String> = captors.iter().map(of).collect();
        let held = self.attacked.iter().filter(|&&at| view.mine(at));
        let held: Vec<String> = held.map(|&at| title(at)).collect();
        let lost = (!lost.is_empty()).then(|| format!("you have lost {}", lost.join(" and ")));
        let held = (!held.is_empty()).then(|| format!("you have held {}", held.join(", ")));
        let parts: Vec<String> = lost.into_iter().chain(held).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
