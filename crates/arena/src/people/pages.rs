//! The browser pages for playing: their data and their addresses.

use std::cell::{Cell, RefCell};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;

use serde_json::{Map, Value, json};

use super::interruption::TableError;
use super::page_hub::{HubMessage, Links, Onlookers, PageHub, PersonLink, TableDetails};
use super::viewer_story::ViewerStory;
use risk_engine::acts::Eyes;
use risk_kernel::event::Event;
use risk_kernel::id::{Counter, Pile, Player, Unit};
use risk_kernel::outcome::{Outcome, Rank};
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View, revealed, view_in_public};
use risk_kernel::words::Words;
use risk_kernel::{Moment, Sink};
use risk_report::hints;
use risk_report::picture::colour_of;
use risk_text::escape_control;
use risk_text::paint::Paint;
use risk_wire::line_json;

/// The layout of the story on pages.
pub(super) const PAPER: Paint = Paint {
    colour: false,
    width: 46,
};
/// The number of story lines on a page.
const LINES: usize = 150;

/// The description of a game for pages.
pub(super) struct GameInfo {
    /// The ruleset and the map.
    pub(super) title: String,
    /// The players' names, by seat.
    pub(super) names: Vec<String>,
    /// The seats of people.
    pub(super) people: Vec<usize>,
    /// The name of the bot that gives hints.
    pub(super) adviser: String,
    /// The name of the record.
    pub(super) record: String,
    pub(super) takeback: bool,
    pub(super) onlookers: Onlookers,
    /// The commitment to the seed, if the game publishes one.
    pub(super) commitment: Option<String>,
}

/// A function that prints a line for people.
pub(super) type LinePrinter<'a> = dyn FnMut(&str) -> Result<(), TableError> + 'a;

pub(super) struct Pages {
    pub(super) desk: Arc<PageHub>,
    pub(super) requests: Receiver<HubMessage>,
    pub(super) played: GameInfo,
    server: RefCell<Option<JoinHandle<io::Result<()>>>>,
    /// Whether a person has been asked since the game began or was resumed. Earlier events are in
    /// the record, so pages don't show them again.
    pub(super) is_live: Cell<bool>,
    /// The latest state of the game.
    last: RefCell<Option<Facts>>,
    /// The stories of the players, by seat.
    pub(super) heard: RefCell<Vec<ViewerStory>>,
    /// The spectators' story.
    public: RefCell<ViewerStory>,
}

impl Pages {
    /// Starts serving pages on this machine and prints their addresses.
    pub(super) fn open(
        port: u16,
        played: GameInfo,
        board: GameState,
        say: &mut LinePrinter<'_>,
    ) -> Result<Self, TableError> {
        let unbound = |error: io::Error| {
            let text = format!("can't listen on port {port}: {error}");
            TableError::input(
                "cli::port",
                text,
                "choose another --port, or omit it to use a free one",
            )
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(unbound)?;
        let address = listener.local_addr().map_err(unbound)?;
        let (desk, links, requests) = PageHub::new(TableDetails {
            title: played.title.clone(),
            map: risk_report::picture::live(&board, &played.names),
            people: played.people.clone(),
            onlookers: played.onlookers,
        });
        let facts = Facts::new(board);
        for seat in played.people.iter().copied().map(Some).chain([None]) {
            desk.begin(seat, played.game(&facts, seat));
        }
        let serving = Arc::clone(&desk);
        let server = std::thread::spawn(move || super::serve(&serving, listener));
        tell_links(&address.to_string(), &links, &played, say)?;
        Ok(Self {
            desk,
            requests,
            server: RefCell::new(Some(server)),
            is_live: Cell::new(false),
            last: RefCell::default(),
            heard: RefCell::new(played.heard()),
            public: RefCell::new(played.heard_by_onlookers()),
            played,
        })
    }

    /// Resets the pages before the game is replayed to its latest position.
    pub(super) fn begin_again(&self) {
        self.is_live.set(false);
        *self.heard.borrow_mut() = self.played.heard();
        *self.public.borrow_mut() = self.played.heard_by_onlookers();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.desk.is_closed()
    }

    /// Shows the state to all viewers except the person on one seat.
    pub(super) fn show_all(&self, but: Option<usize>, pauses: bool) {
        let last = self.last.borrow();
        let Some(facts) = last.as_ref() else { return };
        for &seat in self.played.people.iter().filter(|&&seat| Some(seat) != but) {
            let view = View::new(facts, Player::from_index(seat));
            let parts = self.parts(&view, pauses);
            self.desk.show(Some(seat), parts);
        }
        let mut public = self.public.borrow_mut();
        let facts = self.played.onlookers.facts(facts);
        let view = self.played.onlookers.view(&facts);
        if pauses {
            public.turn();
        }
        let mut parts = state(&view);
        parts.insert("story".to_owned(), json!(public.last_lines(LINES)));
        self.desk.show(None, parts);
    }

    /// Returns the state for one person.
    pub(super) fn parts(&self, view: &View, pauses: bool) -> Map<String, Value> {
        let heard = &mut self.heard.borrow_mut()[view.me().index()];
        if pauses {
            heard.turn();
        }
        let mut parts = state(view);
        parts.insert("story".to_owned(), json!(heard.last_lines(LINES)));
        parts
    }

    /// Shows the ending of the game.
    pub(super) fn end(&self, end: Value, replay: Option<String>) {
        self.show_all(None, true);
        self.desk.end(end, replay);
    }

    /// Waits until the desk closes.
    pub(super) fn wait(&self) {
        while !matches!(self.requests.recv(), Ok(HubMessage::Closed) | Err(_)) {}
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.desk.close();
        if let Some(server) = self.server.borrow_mut().take() {
            // An error in the server has already closed the desk.
            let _ = server.join();
        }
    }
}

impl GameInfo {
    fn heard(&self) -> Vec<ViewerStory> {
        let seats = (0..self.names.len()).map(Player::from_index);
        seats
            .map(|seat| ViewerStory::new(Eyes::Player(seat), PAPER, self.names.clone()))
            .collect()
    }

    fn heard_by_onlookers(&self) -> ViewerStory {
        let eyes = match self.onlookers {
            Onlookers::Seat(seat) => Eyes::Player(Player::from_index(seat)),
            Onlookers::All => Eyes::Revealed,
            Onlookers::Public | Onlookers::None => Eyes::Public,
        };
        ViewerStory::new(eyes, PAPER, self.names.clone())
    }

    /// Returns the fixed properties of the game, for the person on a seat or for spectators.
    fn game(&self, facts: &Facts, seat: Option<usize>) -> Value {
        let view = match seat {
            Some(seat) => View::new(facts, Player::from_index(seat)),
            None => self.onlookers.view(&self.onlookers.facts(facts)),
        };
        let mut game = line_json::game_value(&view, &self.names);
        game["you"] = json!(seat);
        game["people"] = json!(self.people);
        game["title"] = json!(self.title);
        let colours = (0..self.names.len()).map(colour_of);
        game["colours"] = colours.collect();
        game["board"] = hints::for_page(view.decl(), view.board());
        game["titles"] = titles(&view);
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

/// Returns the titles of units (in the plural), piles and counters by name. `null` is the title of
/// a pile or a counter that screens don't show.
fn titles(view: &View) -> Value {
    let decl = view.decl();
    let words = Words::new(view.board(), decl);
    let units = decl.units.iter().enumerate();
    let units = units.map(|(at, name)| (name.clone(), json!(words.unit(Unit::from_index(at), 2))));
    let piles = decl.piles.iter().enumerate();
    let piles = piles.map(|(at, it)| (it.name.clone(), json!(words.pile(Pile::from_index(at)))));
    let counters = decl.counters.iter().enumerate();
    let counters = counters.map(|(at, it)| {
        let title = words.counter_title(Counter::from_index(at));
        (it.name.clone(), json!(title))
    });
    json!({
        "units": units.collect::<Map<_, _>>(),
        "piles": piles.collect::<Map<_, _>>(),
        "counters": counters.collect::<Map<_, _>>(),
    })
}

impl Onlookers {
    /// Returns the game that spectators see.
    fn facts(self, facts: &Facts) -> Facts {
        match self {
            Self::All => Facts::new(revealed(facts)),
            _ => facts.clone(),
        }
    }

    fn view(self, facts: &Facts) -> View {
        match self {
            Self::Seat(seat) => View::new(facts, Player::from_index(seat)),
            _ => view_in_public(facts),
        }
    }
}

/// Returns the state in the line-JSON format.
fn state(view: &View) -> Map<String, Value> {
    let mut parts = Map::new();
    parts.insert("state".to_owned(), line_json::state_value(view));
    parts
}

/// Prints the addresses of each person's page and of the spectators' page.
fn tell_links(
    address: &str,
    links: &Links,
    played: &GameInfo,
    say: &mut LinePrinter<'_>,
) -> Result<(), TableError> {
    let name_of = |seat: usize| escape_control(&played.names[seat]);
    let plays = |at: &PersonLink| {
        let who = format!("{} plays", name_of(at.seat));
        (who, format!("#{}", at.token))
    };
    let mut rows: Vec<(String, String)> = links.people.iter().map(plays).collect();
    let token = links.onlookers.as_ref();
    let token = token.map_or_else(String::new, |token| format!("#{token}"));
    let who = match played.onlookers {
        Onlookers::Public => Some("spectators".to_owned()),
        Onlookers::All => Some("spectators, who see all territories and cards".to_owned()),
        Onlookers::Seat(seat) => Some(format!("spectators, who see what {} sees", name_of(seat))),
        Onlookers::None => None,
    };
    rows.extend(who.map(|who| (who, token)));
    let wide = rows.iter().map(|(who, _)| who.chars().count()).max();
    let wide = wide.unwrap_or(0);
    for (who, token) in rows {
        say(&format!("  {who:<wide$}  http://{address}/{token}"))?;
    }
    say("  anyone with a link can play its seat; Ctrl-C ends and keeps the game")
}

/// A sink that updates the pages of people who are not being asked.
pub(super) struct PageUpdater(pub(super) Rc<Pages>);

impl PageUpdater {
    /// Adds an event to the stories of people and of spectators.
    fn hear(&self, moment: Moment<'_>, event: &Event) {
        self.0.public.borrow_mut().take(moment, event);
        for &seat in &self.0.played.people {
            self.0.heard.borrow_mut()[seat].take(moment, event);
        }
    }
}

impl Sink for PageUpdater {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        self.hear(moment, event);
        *self.0.last.borrow_mut() = Some(moment.facts().clone());
        let is_news = matches!(
            event,
            Event::Answered { .. } | Event::TurnBegan { .. } | Event::Faulted { .. }
        );
        if is_news && self.0.is_live.get() {
            self.0.show_all(None, false);
        }
    }

    fn halts(&mut self, _: &GameState) -> bool {
        self.0.is_closed()
    }
}

/// Returns the ending of a game for pages.
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
