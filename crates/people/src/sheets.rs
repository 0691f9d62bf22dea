//! What the pages of a table show: a sheet for each person, and one for spectators. Each viewer
//! receives a whole sheet, so a sheet contains only what its viewer may see.

use serde_json::{Map, Value, json};

use super::desk::TableDetails;
use risk_report::viewer::timeline::{Cursor, Timeline};

/// A viewer of a sheet, as an index: people in the order of the table, followed by spectators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewer(pub usize);

/// The data that one viewer sees.
#[derive(Debug, Default)]
struct Sheet {
    /// The fixed properties of the game.
    game: Value,
    /// The frames of the game as the viewer sees it.
    timeline: Timeline,
    /// The frames from before a takeback, until the game has reached its new position.
    earlier: Option<Timeline>,
    parts: Map<String, Value>,
    /// `parts` as JSON. `version` is the number of its changes so far.
    text: String,
    version: u64,
    /// The number of questions at this seat so far. Questions at other seats are not counted.
    questions: u64,
    /// The current question; `Null` after the answer.
    question: Value,
}

/// The sheets of a table. Changes are shown by [`PageSheets::show`], and by the functions that ask
/// or end.
#[derive(Debug)]
pub struct PageSheets {
    /// The seats of people.
    people: Vec<usize>,
    all: Vec<Sheet>,
    /// The seat that was asked last, unless its answer is secret.
    asked: Option<Option<usize>>,
    end: Value,
    replay: Option<String>,
}

impl PageSheets {
    /// Creates the sheets before the game.
    #[must_use]
    pub fn new(table: &TableDetails) -> Self {
        let sheet = |game: &Value| Sheet {
            game: game.clone(),
            timeline: Timeline::new(Value::Null),
            ..Sheet::default()
        };
        Self {
            people: table.people.clone(),
            all: table.games.iter().map(sheet).collect(),
            asked: None,
            end: Value::Null,
            replay: None,
        }
    }

    /// Returns the viewer for the person on a seat, or for spectators.
    fn of(&mut self, seat: Option<usize>) -> &mut Sheet {
        let found = seat.and_then(|seat| self.people.iter().position(|&it| it == seat));
        &mut self.all[found.unwrap_or(self.people.len())]
    }

    /// Starts the frames over, before the game is replayed to another position. A viewer whose
    /// frames turn out the same keeps them, because a new epoch would reveal a secret takeback.
    pub fn begin_again(&mut self) {
        for sheet in &mut self.all {
            let anew = sheet.timeline.anew();
            let earlier = std::mem::replace(&mut sheet.timeline, anew);
            sheet.earlier.get_or_insert(earlier);
        }
    }

    /// Reports whether the frames for the person on this seat, or for spectators, must start over.
    pub fn is_full(&mut self, seat: Option<usize>) -> bool {
        let sheet = self.of(seat);
        let is_full = sheet.timeline.is_full();
        if is_full {
            sheet.timeline.begin_anew();
        }
        is_full
    }

    /// Adds frames for the person on this seat, or for spectators, with further parts of the sheet.
    pub fn add(&mut self, seat: Option<usize>, frames: Vec<String>, parts: Map<String, Value>) {
        let sheet = self.of(seat);
        sheet.version += u64::from(!frames.is_empty() && sheet.earlier.is_none());
        sheet.timeline.add(frames);
        sheet.parts.extend(parts);
    }

    /// Asks the person on this seat. Others see which seat is asked, unless the answer is secret:
    /// several people may then be asked at the same time. Returns the number of the question.
    pub fn ask(
        &mut self,
        seat: usize,
        secret: bool,
        parts: Map<String, Value>,
        mut question: Value,
    ) -> u64 {
        self.asked = Some((!secret).then_some(seat));
        let sheet = self.of(Some(seat));
        sheet.questions += 1;
        let number = sheet.questions;
        question["id"] = json!(number);
        sheet.question = question;
        sheet.parts.extend(parts);
        self.show();
        number
    }

    /// Closes the open question of a seat.
    pub fn answered(&mut self, seat: usize) {
        self.of(Some(seat)).question = Value::Null;
        self.show();
    }

    /// Shows that the game is over or can't continue. `replay` is a page of the whole game.
    pub fn end(&mut self, end: Value, replay: Option<String>) {
        (self.end, self.replay, self.asked) = (end, replay, None);
        for sheet in &mut self.all {
            sheet.question = Value::Null;
        }
        self.show();
    }

    /// Updates the texts of all sheets. An unchanged sheet keeps its version, so viewers can't
    /// count the secret actions of others.
    pub fn show(&mut self) {
        for (at, sheet) in self.all.iter_mut().enumerate() {
            if let Some(earlier) = sheet.earlier.take() {
                sheet.version += u64::from(sheet.timeline.follow(&earlier));
            }
            let own = self.people.get(at).filter(|_| !sheet.question.is_null());
            let waits = self
                .asked
                .map(|asked| json!({ "seat": own.copied().or(asked) }));
            let parts = &mut sheet.parts;
            parts.insert("question".to_owned(), sheet.question.clone());
            parts.insert("waits".to_owned(), json!(waits));
            parts.insert("end".to_owned(), self.end.clone());
            let text = serde_json::to_string(parts).expect("a sheet always serializes");
            if text != sheet.text {
                sheet.text = text;
                sheet.version += 1;
            }
        }
    }

    /// Returns the seat of a viewer; `None` for spectators.
    #[must_use]
    pub fn seat(&self, viewer: Viewer) -> Option<usize> {
        self.people.get(viewer.0).copied()
    }

    /// Returns the description of the game for a viewer.
    #[must_use]
    pub fn game(&self, viewer: Viewer) -> &Value {
        &self.all[viewer.0].game
    }

    /// Returns a viewer's sheet as JSON, with the frames that the viewer lacks, unless `known` is
    /// its current version.
    #[must_use]
    pub fn sheet(&self, viewer: Viewer, known: Option<u64>, mut cursor: Cursor) -> Option<String> {
        let sheet = &self.all[viewer.0];
        let version = sheet.version;
        let rest = sheet.text.strip_prefix('{').unwrap_or("}");
        if known == Some(version) {
            return None;
        }
        let frames = sheet.timeline.news(&mut cursor);
        let frames = frames.as_deref().unwrap_or("null");
        let rest = risk_text::isolated(rest);
        Some(format!(
            "{{\"version\":{version},\"timeline\":{frames},{rest}"
        ))
    }

    /// Returns the number of the open question of a seat.
    #[must_use]
    pub fn open_question(&mut self, seat: usize) -> Option<u64> {
        self.of(Some(seat)).question["id"].as_u64()
    }

    /// Reports whether the game is over or can't continue.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !self.end.is_null()
    }

    /// Returns the page of the whole game, once it is over.
    #[must_use]
    pub fn replay(&self) -> Option<&str> {
        self.replay.as_deref()
    }
}
