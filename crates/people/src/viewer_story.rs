//! The story of a game from one seat, and the actions of others against that seat.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use super::attack_report::AttackReport;
use risk_engine::acts::Eyes;
use risk_kernel::event::Event;
use risk_kernel::id::{Player, PlayerSet};
use risk_kernel::view::View;
use risk_kernel::{Moment, Sink};
use risk_report::story::Story;
use risk_text::paint::Paint;
use risk_text::without_marks;

/// The maximum length of the stored story, in bytes.
const LONGEST_LOG: usize = 64 << 10;

/// The story of a game for one viewer.
pub(super) struct ViewerStory {
    story: Story<StoryBuffer>,
    pages: StoryBuffer,
    /// The story in the long form, if the viewer reads the short form.
    full: Option<(Story<StoryBuffer>, StoryBuffer)>,
    /// The actions of others against this player since the last call of `suffered`.
    suffered: AttackReport,
}

impl ViewerStory {
    pub(super) fn new(eyes: Eyes, paint: Paint, names: Vec<String>) -> Self {
        let pages = StoryBuffer::default();
        Self {
            story: Story::new(pages.clone(), paint, names).seen_by(eyes),
            pages,
            full: None,
            suffered: AttackReport::new(eyes),
        }
    }

    /// Creates the story with the short form for the actions of others.
    pub(super) fn in_brief(player: Player, paint: Paint, names: Vec<String>) -> Self {
        let full = Self::new(Eyes::Player(player), paint, names.clone());
        let new = Self::new(Eyes::Player(player), paint, names);
        Self {
            story: new.story.in_brief(),
            full: Some((full.story, full.pages)),
            ..new
        }
    }

    /// Describes the actions of these players in full.
    pub(super) fn with_full(self, players: PlayerSet) -> Self {
        Self {
            story: self.story.with_full(players),
            ..self
        }
    }

    fn stories(&mut self) -> impl Iterator<Item = &mut Story<StoryBuffer>> {
        let full = self.full.as_mut().map(|full| &mut full.0);
        std::iter::once(&mut self.story).chain(full)
    }

    /// Adds what the viewer learns from an event of the game.
    pub(super) fn take(&mut self, moment: Moment<'_>, event: &Event) {
        self.suffered.event(moment, event);
        self.stories().for_each(|story| story.event(moment, event));
    }

    /// Returns the story since the last call and marks it as read.
    pub(super) fn turn(&mut self) -> String {
        self.stories().for_each(Story::pause);
        if let Some((_, full)) = &self.full {
            full.turn();
        }
        self.pages.turn()
    }

    /// Begins the next part of the story with names and the heads of tables, because it is read
    /// elsewhere or much later.
    pub(super) fn begin_part(&mut self) {
        self.stories().for_each(Story::begin_part);
    }

    /// Marks the story so far as read, with all actions of others.
    pub(super) fn skip(&mut self) {
        self.turn();
        self.suffered.forget();
    }

    /// Returns a sentence about the actions of others since the last call, if there were any.
    pub(super) fn suffered(&mut self, view: &View, names: &[String]) -> Option<String> {
        self.suffered.sentence(view, names)
    }

    /// Returns about as many of the last lines that were read, from the beginning of an entry.
    pub(super) fn recap(&self, most: usize) -> Vec<String> {
        let lines = self.pages.end(2 * most);
        let begins = |line: &String| without_marks(line).starts_with(['●', '─']);
        let wished = lines.len().saturating_sub(most);
        let mut starts = (0..=wished).rev();
        let from = starts.find(|&at| lines.get(at).is_some_and(begins));
        self.pages.last_lines(lines.len() - from.unwrap_or(wished))
    }

    /// Returns the last lines that were read, in the long form.
    pub(super) fn last_of_log(&self, most: usize) -> Vec<String> {
        let full = self.full.as_ref().map(|full| &full.1);
        full.unwrap_or(&self.pages).last_lines(most)
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
            // A line break is a character of one byte, so the text can be cut behind it.
            let end = text.read.as_bytes()[cut..]
                .iter()
                .position(|&byte| byte == b'\n');
            let cut = end.map_or(text.read.len(), |end| cut + end + 1);
            text.read = text.read.split_off(cut);
        }
        new
    }

    /// Returns the last lines of the read text as they are.
    fn end(&self, most: usize) -> Vec<String> {
        let text = self.0.borrow();
        let lines: Vec<&str> = text.read.lines().collect();
        let from = lines.len().saturating_sub(most);
        lines[from..].iter().map(|&line| line.to_owned()).collect()
    }

    /// Returns the last lines of the read text. A table begins with its head.
    fn last_lines(&self, most: usize) -> Vec<String> {
        let text = self.0.borrow();
        let lines: Vec<&str> = text.read.lines().collect();
        let from = lines.len().saturating_sub(most);
        let (before, last) = lines.split_at(from);
        let mut lines: Vec<String> = last.iter().map(|&line| line.to_owned()).collect();
        let is_row = |line: &&str| line.contains(" → ") && line.contains(" v ");
        let first = last.iter().position(is_row);
        if let Some(first) = first.filter(|&first| !last[..first].iter().any(|line| is_head(line)))
            && let Some(head) = before.iter().rfind(|line| is_head(line))
        {
            lines.insert(first, (*head).to_owned());
        }
        lines
    }
}

/// Reports whether a line is the head of a table of fights.
fn is_head(line: &str) -> bool {
    let mut rest = line;
    ["attack ", "armies ", "losses ", "land"]
        .iter()
        .all(|word| {
            let found = rest.split_once(word);
            rest = found.map_or("", |found| found.1);
            found.is_some()
        })
}
