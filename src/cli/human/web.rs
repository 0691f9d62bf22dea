//! People who play at pages in a browser: what their pages are told, and what they answer there.

use std::cell::{Cell, RefCell};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;

use serde_json::{Map, Value, json};

use super::attacks;
use super::heard::Heard;
use super::reading::{Reading, Said};
use super::seat::{Asker, Choice, Question, Stopped};
use super::table::{Table, Wish};
use crate::cli::{Error, say};
use crate::kernel::Sink;
use crate::kernel::event::Event;
use crate::kernel::id::Player;
use crate::kernel::outcome::{Outcome, Rank};
use crate::kernel::state::GameState;
use crate::kernel::view::{Facts, View, in_public, view_in_public};
use crate::kernel::words::Words;
use crate::protocol::line_json;
use crate::report::picture::colour_of;
use crate::serve::people::{self, Desk, PersonAt, Reply, Taken};
use crate::text::escape_control;
use crate::text::paint::Paint;

/// How the story is set on pages.
pub(super) const PAPER: Paint = Paint {
    colour: false,
    width: 62,
};
/// How many lines of the story a page is told.
const LINES: usize = 150;

/// What is played, for those who show it.
pub(super) struct Played {
    /// Ruleset, map, seed.
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
}

/// The pages of all people at a table.
pub(super) struct Pages {
    desk: Arc<Desk>,
    requests: Receiver<Taken>,
    played: Played,
    server: RefCell<Option<JoinHandle<io::Result<()>>>>,
    /// Has the game come to where somebody is asked? What was before is in the record, and pages
    /// are not told of it once more.
    is_live: Cell<bool>,
    /// The game as it was last.
    last: RefCell<Option<Facts>>,
    /// By seat: what people have heard.
    heard: RefCell<Vec<Heard>>,
    /// What whoever looks on has heard.
    public: RefCell<Heard>,
}

impl Pages {
    /// Begins to serve pages on this machine, and says where.
    pub(super) fn open(port: u16, played: Played, board: GameState) -> Result<Self, Error> {
        let unbound = |error: io::Error| {
            let text = format!("port {port} of this machine can't be had: {error}");
            Error::input(
                "cli::port",
                text,
                "leave --port out, and a free one is taken",
            )
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(unbound)?;
        let address = listener.local_addr().map_err(unbound)?;
        let (desk, people, requests) = Desk::new(people::Table {
            title: played.title.clone(),
            map: crate::report::picture::live(&board, &played.names),
            people: played.people.clone(),
        });
        let facts = Facts::new(board);
        for seat in played.people.iter().copied().map(Some).chain([None]) {
            desk.begin(seat, played.game(&facts, seat));
        }
        let serving = Arc::clone(&desk);
        let server = std::thread::spawn(move || people::serve(&serving, listener));
        tell_links(&address.to_string(), &people, &played.names)?;
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
    fn show_all(&self, but: Option<usize>, pauses: bool) {
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
    fn parts(&self, view: &View, pauses: bool) -> Map<String, Value> {
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
fn tell_links(address: &str, people: &[PersonAt], names: &[String]) -> Result<(), Error> {
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

/// A person at a page.
pub(super) struct AtPage {
    table: Rc<RefCell<Table>>,
    pages: Rc<Pages>,
}

impl AtPage {
    pub(super) fn new(table: &Rc<RefCell<Table>>, pages: Rc<Pages>) -> Self {
        Self {
            table: Rc::clone(table),
            pages,
        }
    }

    /// How things stand, the question, and whether it is answered in secret.
    fn shown(&self, question: &Question<'_>) -> (Map<String, Value>, Value, bool) {
        let &Question { view, options, .. } = question;
        let words = Words::new(view.board(), view.decl());
        let phase = view
            .frame()
            .map(|frame| &view.decl().phases[frame.phase.index()]);
        let secret = phase.is_some_and(|phase| phase.secret);
        let mut parts = self.pages.parts(view, true);
        let names = &self.pages.played.names;
        let suffered = self.pages.heard.borrow_mut()[view.me().index()].suffered(view, names);
        let notes: Vec<&String> = question.note.iter().chain(&suffered).collect();
        parts.insert("notes".to_owned(), json!(notes));
        let mut table = self.table.borrow_mut();
        let attacks = attacks::attacks(view, options, table.fight.as_mut());
        let attacks = attacks.iter().map(|it| {
            let id = |at| view.board().info(at).id.as_str();
            json!({
                "from": id(it.from), "to": id(it.to), "armies": it.armies,
                "defenders": it.defenders, "chance": it.chance,
            })
        });
        let question = json!({
            "phase": phase.map(|phase| phase.name.as_str()),
            "secret": secret,
            "options": line_json::options_value(view, options),
            "attacks": attacks.collect::<Vec<_>>(),
            "suggested": question.adviser.suggested().map(|action| words.action(action)),
        });
        (parts, question, secret)
    }

    /// What comes of a wish.
    ///
    /// # Errors
    /// Why it can't be.
    fn taken(&self, question: &Question<'_>, wish: &people::Wish) -> Result<Done, String> {
        let &Question { view, options, .. } = question;
        let seat = view.me().index();
        match wish {
            people::Wish::Do(words, to_the_end) => {
                let action = line_json::read_action(view, words)?;
                let words = Words::new(view.board(), view.decl());
                options
                    .admit(action)
                    .map_err(|why| words.refusal(options, action, why))?;
                let to_the_end = *to_the_end;
                Ok(Done::Choice(Choice::Say(Said { action, to_the_end })))
            }
            people::Wish::Say(text) => {
                let names = self.pages.played.names.as_slice();
                let reading = Reading {
                    view,
                    options,
                    names,
                };
                let said = reading.read(text.trim())?;
                Ok(Done::Choice(Choice::Say(said)))
            }
            people::Wish::Auto => {
                let suggested = question.adviser.suggested();
                let action = suggested.ok_or("nothing is suggested here")?;
                Ok(Done::Choice(Choice::Auto(action)))
            }
            people::Wish::Hint => Ok(Done::Reply(Reply::Told(question.adviser.hint(view)))),
            &people::Wish::Odds(attackers, defenders) => {
                let mut table = self.table.borrow_mut();
                let fight = table.fight.as_mut();
                let fight = fight.ok_or("this ruleset has no chances of fights")?;
                let odds = fight.odds(attackers, defenders);
                let odds = odds.map_err(|fault| fault.to_string())?;
                Ok(Done::Reply(Reply::Odds {
                    capture: odds.capture,
                    attackers_left: odds.attackers_left,
                    defenders_left: odds.defenders_left,
                }))
            }
            people::Wish::Undo => self.table.borrow_mut().undo_of(seat).map(Done::Wish),
            &people::Wish::Retract(order) => {
                let mut table = self.table.borrow_mut();
                table.retract(view, order).map(Done::Wish)
            }
        }
    }
}

/// What comes of a request.
enum Done {
    Choice(Choice),
    Wish(Wish),
    Reply(Reply),
}

impl Asker for AtPage {
    /// Request by request, until one of them is an answer.
    fn ask(&mut self, question: &Question<'_>) -> Result<Choice, Stopped> {
        let seat = question.view.me().index();
        let pages = &self.pages;
        pages.is_live.set(true);
        pages.show_all(Some(seat), true);
        let (parts, shown, secret) = self.shown(question);
        let number = pages.desk.ask(seat, secret, parts, shown);
        loop {
            let request = match pages.requests.recv() {
                Ok(Taken::Request(request)) => request,
                Ok(Taken::Closed) | Err(_) => return Err(Stopped::Wish(Wish::Quit)),
            };
            if request.seat != seat || request.question != number {
                request.reply(Reply::Stale);
                continue;
            }
            let result = match self.taken(question, &request.wish) {
                Ok(Done::Choice(choice)) => Ok(choice),
                Ok(Done::Wish(wish)) => Err(Stopped::Wish(wish)),
                Ok(Done::Reply(reply)) => {
                    request.reply(reply);
                    continue;
                }
                Err(why) => {
                    request.reply(Reply::Refused(why));
                    continue;
                }
            };
            pages.desk.answered();
            request.reply(Reply::Done);
            return result;
        }
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.pages.heard.borrow_mut()[view.me().index()].take(view, event);
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
