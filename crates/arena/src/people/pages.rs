//! The pages in a browser at which people play: what they are told, and where they are.

use std::cell::{Cell, RefCell};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;

use serde_json::{Map, Value, json};

use super::desk::{Desk, PersonAt, Table, Taken};
use super::heard::Heard;
use super::stopped::TableError;
use risk_kernel::Sink;
use risk_kernel::event::Event;
use risk_kernel::id::Player;
use risk_kernel::outcome::{Outcome, Rank};
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View, in_public, view_in_public};
use risk_report::picture::colour_of;
use risk_text::escape_control;
use risk_text::paint::Paint;
use risk_wire::line_json;

/// How the story is set on pages.
pub(super) const PAPER: Paint = Paint {
    colour: false,
    width: 62,
};
/// How many lines of the story a page is told.
const LINES: usize = 150;

/// What is played, for those who show it.
pub(super) struct Played {
    /// Ruleset and map.
    pub(super) title: String,
    /// The players' names, by seat.
    pub(super) names: Vec<String>,
    /// The seats at which people sit.
    pub(super) people: Vec<usize>,
    /// The name of the bot that has hints.
    pub(super) adviser: String,
    /// Where the game is kept.
    pub(super) record: String,
    pub(super) takeback: bool,
    /// The commitment to the seed, where the game publishes one.
    pub(super) commitment: Option<String>,
}

/// Prints a line for people.
pub(super) type Say<'a> = dyn FnMut(&str) -> Result<(), TableError> + 'a;

/// The pages of all people at a table.
pub(super) struct Pages {
    pub(super) desk: Arc<Desk>,
    pub(super) requests: Receiver<Taken>,
    pub(super) played: Played,
    server: RefCell<Option<JoinHandle<io::Result<()>>>>,
    /// Has the game come to where somebody is asked? What was before is in the record, and pages
    /// are not told of it once more.
    pub(super) is_live: Cell<bool>,
    /// The game as it was last.
    last: RefCell<Option<Facts>>,
    /// By seat: what people have heard.
    pub(super) heard: RefCell<Vec<Heard>>,
    /// What whoever looks on has heard.
    public: RefCell<Heard>,
}

impl Pages {
    /// Begins to serve pages on this machine, and says where.
    pub(super) fn open(
        port: u16,
        played: Played,
        board: GameState,
        say: &mut Say<'_>,
    ) -> Result<Self, TableError> {
        let unbound = |error: io::Error| {
            let text = format!("port {port} of this machine can't be had: {error}");
            TableError::input(
                "cli::port",
                text,
                "leave --port out, and a free one is taken",
            )
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(unbound)?;
        let address = listener.local_addr().map_err(unbound)?;
        let (desk, people, requests) = Desk::new(Table {
            title: played.title.clone(),
            map: risk_report::picture::live(&board, &played.names),
            people: played.people.clone(),
        });
        let facts = Facts::new(board);
        for seat in played.people.iter().copied().map(Some).chain([None]) {
            desk.begin(seat, played.game(&facts, seat));
        }
        let serving = Arc::clone(&desk);
        let server = std::thread::spawn(move || super::serve(&serving, listener));
        tell_links(&address.to_string(), &people, &played.names, say)?;
        Ok(Self {
            desk,
            requests,
            server: RefCell::new(Some(server)),
            is_live: Cell::new(false),
            last: RefCell::default(),
            heard: RefCell::new(played.heard()),
            public: RefCell::new(Heard::in_public(PAPER, played.names.clone())),
            played,
        })
    }

    /// The game begins anew, to be played to where it was.
    pub(super) fn begin_again(&self) {
        self.is_live.set(false);
        *self.heard.borrow_mut() = self.played.heard();
        *self.public.borrow_mut() = Heard::in_public(PAPER, self.played.names.clone());
    }

    /// Has somebody told the program to end?
    pub(super) fn is_closed(&self) -> bool {
        self.desk.is_closed()
    }

    /// Shows everybody but one how things stand.
    pub(super) fn show_all(&self, but: Option<usize>, pauses: bool) {
        let last = self.last.borrow();
        let Some(facts) = last.as_ref() else { return };
        for &seat in self.played.people.iter().filter(|&&seat| Some(seat) != but) {
            let view = View::new(facts, Player::from_index(seat));
            let parts = self.parts(&view, pauses);
            self.desk.show(Some(seat), parts);
        }
        let mut public = self.public.borrow_mut();
        if pauses {
            public.turn_public(facts);
        }
        let mut parts = state(&view_in_public(facts));
        parts.insert("story".to_owned(), json!(public.last_lines(LINES)));
        self.desk.show(None, parts);
    }

    /// How things stand for one person.
    pub(super) fn parts(&self, view: &View, pauses: bool) -> Map<String, Value> {
        let heard = &mut self.heard.borrow_mut()[view.me().index()];
        if pauses {
            heard.turn(view);
        }
        let mut parts = state(view);
        parts.insert("story".to_owned(), json!(heard.last_lines(LINES)));
        parts
    }

    /// Shows how the game has ended, until the program is told to end.
    pub(super) fn end(&self, end: Value, replay: Option<String>) {
        self.show_all(None, true);
        self.desk.end(end, replay);
    }

    /// Until the program is told to end.
    pub(super) fn wait(&self) {
        while !matches!(self.requests.recv(), Ok(Taken::Closed) | Err(_)) {}
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.desk.close();
        if let Some(server) = self.server.borrow_mut().take() {
            // What went wrong there has closed the desk.
            let _ = server.join();
        }
    }
}

impl Played {
    fn heard(&self) -> Vec<Heard> {
        let names = self.names.iter();
        names
            .map(|_| Heard::new(PAPER, self.names.clone()))
            .collect()
    }

    /// What does not change, for the person on a seat, or for whoever looks on.
    fn game(&self, facts: &Facts, seat: Option<usize>) -> Value {
        let view = match seat {
            Some(seat) => View::new(facts, Player::from_index(seat)),
            None => view_in_public(facts),
        };
        let mut game = line_json::game_value(&view, &self.names);
        game["you"] = json!(seat);
        game["people"] = json!(self.people);
        game["title"] = json!(self.title);
        let colours = (0..self.names.len()).map(colour_of);
        game["colours"] = colours.collect();
        game["takeback"] = json!(self.takeback);
        game["commitment"] = json!(self.commitment);
        game["odds"] = json!(view.decl().fights().is_some());
        if seat.is_some() {
            game["adviser"] = json!(self.adviser);
            game["record"] = json!(self.record);
        }
        game
    }
}

/// How things stand, as line-JSON has it.
fn state(view: &View) -> Map<String, Value> {
    let mut parts = Map::new();
    parts.insert("state".to_owned(), line_json::state_value(view));
    parts
}

/// Says where each person's page is.
fn tell_links(
    address: &str,
    people: &[PersonAt],
    names: &[String],
    say: &mut Say<'_>,
) -> Result<(), TableError> {
    let names = people.iter().map(|at| escape_control(&names[at.seat]));
    let names: Vec<String> = names.map(|name| format!("{name} plays")).collect();
    let wide = names.iter().map(|name| name.chars().count()).max();
    let wide = wide.unwrap_or(0).max("spectators".len());
    for (name, at) in names.iter().zip(people) {
        say(&format!("  {name:<wide$}  http://{address}/#{}", at.token))?;
    }
    say(&format!("  {:<wide$}  http://{address}/", "spectators"))?;
    say("  anyone with a link can play its seat; Ctrl-C ends, and the game is kept")
}

/// Hears all that happens, for the pages of those who are not asked.
pub(super) struct Onlooker(pub(super) Rc<Pages>);

impl Sink for Onlooker {
    fn event(&mut self, game: &GameState, event: &Event) {
        if let Some(event) = in_public(game, event) {
            self.0.public.borrow_mut().take_public(game, &event);
        }
        *self.0.last.borrow_mut() = Some(Facts::new(game.clone()));
        let is_news = matches!(
            event,
            Event::Answered { .. } | Event::TurnBegan { .. } | Event::Faulted { .. }
        );
        if is_news && self.0.is_live.get() {
            self.0.show_all(None, false);
        }
    }

    fn halts(&self) -> bool {
        self.0.is_closed()
    }
}

/// How a game ended, as pages show it.
pub(super) fn ending(text: &str, outcome: &Outcome) -> Value {
    let ranking = outcome.ranking.iter();
    let rank = |rank: &Rank| {
        let seat = rank.player.index();
        json!({ "seat": seat, "place": rank.place, "score": rank.score })
    };
    json!({
        "text": text,
        "reason": outcome.reason,
        "winners": outcome.winners.iter().map(|player| player.index()).collect::<Vec<_>>(),
        "ranking": ranking.map(rank).collect::<Vec<_>>(),
    })
}
