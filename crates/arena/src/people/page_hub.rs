//! The state that a game shares with the pages of its people.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};
use tokio::sync::{oneshot, watch};

use super::super::random::token;
use super::super::secret::Secret;
use super::super::timeline::{Cursor, Timeline};

/// The maximum number of pending requests of one person.
const MOST_WAITING: usize = 16;

/// A person at the table.
#[derive(Clone, Debug)]
pub struct PersonLink {
    /// The seat, from 0.
    pub seat: usize,
    /// The token in the person's link.
    pub token: String,
}

/// The fixed properties of a table. They are the same for all viewers.
#[derive(Clone, Debug)]
pub struct TableDetails {
    /// The ruleset and the map.
    pub title: String,
    /// The board as a picture.
    pub map: String,
    /// The seats of people, from 0.
    pub people: Vec<usize>,
    /// The view of spectators.
    pub onlookers: Onlookers,
}

/// The view of spectators during a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Onlookers {
    /// Only information that neither fog nor secrecy hides.
    #[default]
    Public,
    /// All territories, units, cards and counters, and orders after they are executed.
    All,
    /// No spectators.
    None,
    /// The view of the player on this seat, from 0.
    Seat(usize),
}

/// The tokens of a table's links.
#[derive(Clone, Debug)]
pub struct Links {
    /// The players' tokens.
    pub people: Vec<PersonLink>,
    /// The spectators' token, required if they see more than the public.
    pub onlookers: Option<String>,
}

/// A person's request while a question is open.
#[derive(Clone, Debug, PartialEq)]
pub enum PageCommand {
    /// An action as a list of words and numbers, as in line-JSON. If the flag is `true`, the action
    /// is repeated while possible.
    Do(Value, bool),
    /// An action as typed in the terminal.
    Say(String),
    /// A request to take back the last answer.
    Undo,
    /// A request to take back the order with this number, from 0.
    Retract(usize),
    /// The person gives up.
    Resign,
    /// A request for a bot's suggestion.
    Hint,
    /// A request to leave the phase to the bot that gives hints.
    Auto,
    /// A request for the exact chances of a fight to the end, with these numbers of attackers and
    /// defenders.
    Odds(i32, i32),
}

/// The reply to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum PageReply {
    /// The request was fulfilled.
    Done,
    /// A hint for the person.
    Hint {
        /// The action that a bot would play.
        text: String,
        /// What the bot is after, if it says so.
        aim: Option<String>,
        /// The ids of the territories that the hint is about.
        marks: Vec<String>,
    },
    /// The chance to take the territory, and the mean numbers of units left on both sides.
    Odds {
        /// The chance to take the territory, from 0 to 1.
        capture: f64,
        /// The mean number of attackers left.
        attackers_left: f64,
        /// The mean number of defenders left.
        defenders_left: f64,
    },
    /// The question is no longer open.
    Stale,
    /// The request is not possible, for this reason.
    Refused(String),
}

/// A request of a person.
#[derive(Debug)]
pub struct PersonRequest {
    /// The seat of the sender, according to the token.
    pub seat: usize,
    /// The number of the question.
    pub question: u64,
    /// What the person requests.
    pub wish: PageCommand,
    reply: oneshot::Sender<PageReply>,
}

impl PersonRequest {
    /// Answers the request. The sender may have disconnected.
    pub fn reply(self, reply: PageReply) {
        let _ = self.reply.send(reply);
    }
}

/// A message from the desk to the game.
#[derive(Debug)]
pub enum HubMessage {
    /// A request from a person's page.
    Request(PersonRequest),
    /// The desk has closed.
    Closed,
}

/// A viewer of a sheet, as an index: people in the order of the table, followed by spectators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Viewer(usize);

/// The data that one viewer sees.
#[derive(Default)]
struct PageState {
    game: Value,
    /// The frames of the game as the viewer sees it.
    timeline: Timeline,
    /// The frames from before a takeback, until the game has reached its new position.
    earlier: Option<Timeline>,
    parts: Map<String, Value>,
    /// `parts` as JSON. `version` is the number of its changes so far.
    text: String,
    version: u64,
    /// The number of requests that wait for a new version.
    waiting: usize,
    /// The number of questions at this seat so far. Questions at other seats are not counted.
    questions: u64,
}

/// The current question. Its number is 0 after the answer.
#[derive(Clone, Debug, PartialEq)]
struct OpenQuestion {
    seat: usize,
    question: u64,
    secret: bool,
    text: Value,
}

#[derive(Default)]
struct PageStates {
    all: Vec<PageState>,
    asked: Option<OpenQuestion>,
    end: Value,
}

/// The connection between a game and the pages of its people.
pub struct PageHub {
    pub(super) table: TableDetails,
    /// The secret of each person's link, followed by the secret of the spectators' link, if there
    /// is one.
    secrets: Vec<Secret>,
    sheets: Mutex<PageStates>,
    /// The number of pending requests, by person.
    waiting: Vec<AtomicUsize>,
    requests: Sender<HubMessage>,
    news: watch::Sender<u64>,
    is_closed: AtomicBool,
    replay: Mutex<Option<String>>,
}

impl PageHub {
    /// Creates the desk of a table. Returns it with the links to the table and the receiver of
    /// requests.
    ///
    /// # Panics
    /// Panics if the system has no random numbers.
    #[must_use]
    pub fn new(table: TableDetails) -> (Arc<Self>, Links, Receiver<HubMessage>) {
        let person = |&seat: &usize| PersonLink {
            seat,
            token: token(),
        };
        let people: Vec<PersonLink> = table.people.iter().map(person).collect();
        let has_token = matches!(table.onlookers, Onlookers::All | Onlookers::Seat(_));
        let onlookers = has_token.then(token);
        let tokens = people.iter().map(|at| &at.token).chain(&onlookers);
        let secret = |token: &String| Secret::new(token).expect("generated tokens are long enough");
        let (requests, received) = channel();
        let sheets = PageStates {
            all: Vec::new(),
            ..PageStates::default()
        };
        let desk = Self {
            secrets: tokens.map(secret).collect(),
            waiting: people.iter().map(|_| AtomicUsize::new(0)).collect(),
            sheets: Mutex::new(sheets),
            table,
            requests,
            news: watch::Sender::new(0),
            is_closed: AtomicBool::new(false),
            replay: Mutex::default(),
        };
        let viewers = desk.table.people.len() + 1;
        desk.lock().all.resize_with(viewers, || PageState {
            timeline: Timeline::new(Value::Null),
            ..PageState::default()
        });
        (Arc::new(desk), Links { people, onlookers }, received)
    }

    fn lock(&self) -> MutexGuard<'_, PageStates> {
        self.sheets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn index(&self, seat: Option<usize>) -> usize {
        let people = &self.table.people;
        let found = seat.and_then(|seat| people.iter().position(|&it| it == seat));
        found.unwrap_or(people.len())
    }

    /// Sets the description of the game for the person on this seat, or for spectators.
    pub fn begin(&self, seat: Option<usize>, game: Value) {
        let at = self.index(seat);
        self.lock().all[at].game = game;
    }

    /// Starts the frames over, before the game is replayed to another position. A viewer whose
    /// frames turn out the same keeps them, because a new epoch would reveal a secret takeback.
    pub fn begin_again(&self) {
        for sheet in &mut self.lock().all {
            let anew = sheet.timeline.anew();
            let earlier = std::mem::replace(&mut sheet.timeline, anew);
            sheet.earlier.get_or_insert(earlier);
        }
    }

    /// Reports whether the frames for the person on this seat, or for spectators, must start over.
    pub fn is_full(&self, seat: Option<usize>) -> bool {
        let at = self.index(seat);
        let sheet = &mut self.lock().all[at];
        let is_full = sheet.timeline.is_full();
        if is_full {
            sheet.timeline.begin_anew();
        }
        is_full
    }

    /// Adds frames for the person on this seat, or for spectators, with further parts of the sheet.
    /// They are shown with the next [`PageHub::publish`].
    pub fn add(&self, seat: Option<usize>, frames: Vec<String>, parts: Map<String, Value>) {
        let at = self.index(seat);
        let sheet = &mut self.lock().all[at];
        sheet.version += u64::from(!frames.is_empty() && sheet.earlier.is_none());
        sheet.timeline.add(frames);
        sheet.parts.extend(parts);
    }

    /// Shows what was added to all viewers.
    pub fn publish(&self) {
        self.show(self.lock());
    }

    /// Asks the person on this seat. Others see which seat is asked, unless the answer is secret.
    /// Returns the number of the question.
    pub fn ask(
        &self,
        seat: usize,
        secret: bool,
        parts: Map<String, Value>,
        mut question: Value,
    ) -> u64 {
        let at = self.index(Some(seat));
        let mut sheets = self.lock();
        sheets.all[at].questions += 1;
        let number = sheets.all[at].questions;
        question["id"] = json!(number);
        sheets.all[at].parts.extend(parts);
        sheets.asked = Some(OpenQuestion {
            seat,
            question: number,
            secret,
            text: question,
        });
        self.show(sheets);
        number
    }

    /// Closes the open question.
    pub fn answered(&self) {
        let mut sheets = self.lock();
        if let Some(asked) = &mut sheets.asked {
            asked.question = 0;
            asked.text = Value::Null;
            self.show(sheets);
        }
    }

    /// Shows that the game is over or can't continue. `replay` is a page of the whole game.
    pub fn end(&self, end: Value, replay: Option<String>) {
        *self.replay.lock().unwrap_or_else(PoisonError::into_inner) = replay;
        let mut sheets = self.lock();
        sheets.end = end;
        sheets.asked = None;
        self.show(sheets);
    }

    /// Updates the texts of all sheets. An unchanged sheet keeps its version, so viewers can't
    /// count the secret actions of others.
    fn show(&self, mut sheets: MutexGuard<'_, PageStates>) {
        let asked = sheets.asked.clone();
        let end = sheets.end.clone();
        let people = &self.table.people;
        for (at, sheet) in sheets.all.iter_mut().enumerate() {
            if let Some(earlier) = sheet.earlier.take() {
                sheet.version += u64::from(sheet.timeline.follow(&earlier));
            }
            let own = people.get(at).copied();
            let asked = asked.as_ref();
            let waits = asked.map(|asked| {
                let shown = !asked.secret || own == Some(asked.seat);
                json!({ "seat": shown.then_some(asked.seat) })
            });
            let question = asked.filter(|asked| own == Some(asked.seat));
            let question = question.map_or(Value::Null, |asked| asked.text.clone());
            sheet.parts.insert("question".to_owned(), question);
            sheet.parts.insert("waits".to_owned(), json!(waits));
            sheet.parts.insert("end".to_owned(), end.clone());
            let text = serde_json::to_string(&sheet.parts).expect("a sheet always serializes");
            if text != sheet.text {
                sheet.text = text;
                sheet.version += 1;
            }
        }
        drop(sheets);
        self.news.send_modify(|count| *count += 1);
    }

    /// Returns the holder of a token. Each comparison takes constant time, and all tokens are
    /// compared.
    pub(super) fn holder(&self, token: &str) -> Option<Viewer> {
        let secrets = self.secrets.iter().enumerate();
        secrets.fold(None, |found, (at, secret)| {
            let fits = secret.is(token);
            found.or(fits.then_some(Viewer(at)))
        })
    }

    /// Returns the viewer for a spectator without a token, if the table allows it.
    pub(super) fn onlooker(&self) -> Option<Viewer> {
        let open = self.table.onlookers == Onlookers::Public;
        open.then_some(Viewer(self.table.people.len()))
    }

    pub(super) fn seat(&self, viewer: Viewer) -> Option<usize> {
        self.table.people.get(viewer.0).copied()
    }

    /// Returns the description of the game for a viewer.
    pub(super) fn game(&self, viewer: Viewer) -> Value {
        self.lock().all[viewer.0].game.clone()
    }

    /// Returns a viewer's sheet with the frames that the viewer lacks, unless `known` is its
    /// current version.
    pub(super) fn sheet(
        &self,
        viewer: Viewer,
        known: Option<u64>,
        mut cursor: Cursor,
    ) -> Option<String> {
        let sheets = self.lock();
        let sheet = &sheets.all[viewer.0];
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

    /// Returns a counter that changes whenever a sheet may have changed.
    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    pub(super) fn open_question(&self, seat: usize) -> Option<u64> {
        let asked = self.lock().asked.clone()?;
        (asked.seat == seat && asked.question > 0).then_some(asked.question)
    }

    pub(super) fn is_over(&self) -> bool {
        !self.lock().end.is_null()
    }

    pub(super) fn replay(&self) -> Option<String> {
        self.replay
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Passes a request to the game. Returns `None` if this person already has too many pending
    /// requests, or if the game has ended.
    pub(super) async fn request(
        &self,
        viewer: Viewer,
        question: u64,
        wish: PageCommand,
    ) -> Option<PageReply> {
        let seat = self.seat(viewer)?;
        let _under_way = PendingRequest::begin(&self.waiting[viewer.0])?;
        let (reply, replied) = oneshot::channel();
        let request = PersonRequest {
            seat,
            question,
            wish,
            reply,
        };
        self.requests.send(HubMessage::Request(request)).ok()?;
        replied.await.ok()
    }

    /// Registers a viewer that waits for news, unless `most` of its requests already wait.
    pub(super) fn wait(self: &Arc<Self>, viewer: Viewer, most: usize) -> Option<NewsSubscription> {
        let mut sheets = self.lock();
        let sheet = &mut sheets.all[viewer.0];
        if sheet.waiting >= most {
            return None;
        }
        sheet.waiting += 1;
        drop(sheets);
        Some(NewsSubscription {
            desk: Arc::clone(self),
            viewer,
        })
    }

    /// Closes the desk. After that, nothing is shown or asked.
    pub fn close(&self) {
        if !self.is_closed.swap(true, Ordering::SeqCst) {
            // A game that is over receives nothing.
            let _ = self.requests.send(HubMessage::Closed);
            self.news.send_modify(|count| *count += 1);
        }
    }

    /// Reports whether the desk has closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::SeqCst)
    }

    /// Waits until the desk has closed.
    pub(super) async fn closed(&self) {
        let mut news = self.news();
        while !self.is_closed() && news.changed().await.is_ok() {}
    }
}

/// A guard that counts a request until it is answered or its sender disconnects.
struct PendingRequest<'a>(&'a AtomicUsize);

impl<'a> PendingRequest<'a> {
    fn begin(count: &'a AtomicUsize) -> Option<Self> {
        let one = Self(count);
        (count.fetch_add(1, Ordering::SeqCst) < MOST_WAITING).then_some(one)
    }
}

impl Drop for PendingRequest<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A guard for a viewer that waits for news.
pub(super) struct NewsSubscription {
    desk: Arc<PageHub>,
    viewer: Viewer,
}

impl Drop for NewsSubscription {
    fn drop(&mut self) {
        self.desk.lock().all[self.viewer.0].waiting -= 1;
    }
}
