//! The single game of the code lab arena: its clients, its players and its events so far.

use std::net::IpAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::super::hosted::PublishedMatch;
use super::super::lobby::Lobby;
use super::super::sockets::FrameSender;
use risk_engine::bot_spec::BotSpec;
use risk_engine::names;
use risk_kernel::event::Event;
use risk_kernel::{Moment, Sink};
use risk_report::picture::colour_of;
use risk_wire::codelab::{Narrator, PROTOCOL, PlayerEvent, PlayerMessage};
use risk_wire::transport::Address;
use risk_wire::transport::frames::{FrameLink, FrameRoute, Outbox};
use risk_wire::{Endpoint, Protocol, brief};

/// The maximum number of events stored and sent for one game.
const MOST_EVENTS: usize = 2_000_000;
/// The number of events sent per step to a client that is catching up.
const CHUNK: usize = 64;

#[derive(Default)]
pub(super) struct CodelabTable {
    state: Mutex<TableState>,
    news: UpdateCounter,
}

/// A counter that changes with every update.
#[derive(Default)]
struct UpdateCounter(watch::Sender<u64>);

#[derive(Default)]
struct TableState {
    /// The number of dropped games.
    round: u64,
    /// Whether the house bots have joined. They join when the first client connects.
    is_open: bool,
    is_begun: bool,
    last_id: u64,
    joined: Vec<Attendee>,
    history: Vec<Arc<str>>,
    /// The id of the player whose turn it is.
    turn: Option<u64>,
    hosted: Option<Arc<PublishedMatch>>,
}

/// A player who has joined.
struct Attendee {
    id: u64,
    name: String,
    from: IpAddr,
    /// The player's link, or `None` for a house bot.
    link: Option<Arc<FrameLink>>,
}

/// A connected client.
#[derive(Clone)]
pub(super) struct Visitor {
    id: u64,
    /// The table's round at the time the client connected.
    round: u64,
    from: IpAddr,
    own: FrameSender,
}

/// The outbox that reports a player's refused messages.
struct RejectionOutbox {
    id: u64,
    to: Option<FrameSender>,
}

impl Outbox for RejectionOutbox {
    fn say(&mut self, frame: &str) -> bool {
        if let Some(to) = &mut self.to {
            let message = format!("not possible now: {}", brief(frame));
            to.say(&Narrator::error(self.id, &message));
        }
        true
    }

    fn close(&mut self, _: &str) {}
}

impl CodelabTable {
    fn state(&self) -> MutexGuard<'_, TableState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notify_viewers(&self) {
        self.news.0.send_modify(|count| *count += 1);
    }

    /// Admits a client that receives events through `own`.
    pub(super) fn enter(&self, lobby: &Lobby, from: IpAddr, own: FrameSender) -> Visitor {
        let mut state = self.state();
        state.open(lobby, from);
        state.last_id += 1;
        Visitor {
            id: state.last_id,
            round: state.round,
            from,
            own,
        }
    }

    /// Drops the game. All clients must connect again.
    pub(super) fn clear(&self, lobby: &Lobby) {
        let mut state = self.state();
        let round = state.round + 1;
        let old = std::mem::take(&mut *state);
        state.round = round;
        drop(state);
        if let Some(hosted) = old.hosted {
            hosted.dropped.store(true, Ordering::Relaxed);
        }
        for link in old.joined.iter().filter_map(|one| one.link.as_ref()) {
            link.close("a new game begins");
        }
        (lobby.hooks.tell)("a new game begins");
        self.notify_viewers();
    }

    /// Sends all events to a client from the beginning, until the game is dropped or the client
    /// disconnects.
    pub(super) async fn follow(&self, visitor: &Visitor) {
        let mut news = self.news.0.subscribe();
        let mut next = 0;
        if !visitor.own.feed(Narrator::welcome(visitor.id)).await {
            return;
        }
        loop {
            news.mark_unchanged();
            let Some(events) = self.events(visitor.round, next) else {
                break;
            };
            next += events.len();
            for text in &events {
                if !visitor.own.feed(text.to_string()).await {
                    return;
                }
            }
            if events.is_empty() && !visitor.own.until(news.changed()).await {
                return;
            }
        }
        visitor.own.end("a new game begins").await;
    }

    /// Returns the next events of a game, or `None` if the game was dropped.
    fn events(&self, round: u64, next: usize) -> Option<Vec<Arc<str>>> {
        let state = self.state();
        let end = state.history.len().min(next + CHUNK);
        (state.round == round).then(|| state.history[next..end].to_vec())
    }

    /// Handles a client's message. Drops messages that are invalid or not allowed.
    pub(super) fn hear(self: &Arc<Self>, lobby: &Arc<Lobby>, visitor: &Visitor, text: String) {
        let id = visitor.id;
        let heard = PlayerEvent::read(&text)
            .map_err(String::from)
            .and_then(|incoming| {
                if incoming.player != id {
                    return Err(format!("you are player {id}, not {}", incoming.player));
                }
                self.take(lobby, visitor, incoming.said, text)
            });
        if let Err(message) = heard
            && lobby.config.tells_errors
        {
            visitor.own.clone().say(&Narrator::error(id, &message));
        }
    }

    fn take(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        visitor: &Visitor,
        said: PlayerMessage,
        text: String,
    ) -> Result<(), String> {
        let mut state = self.state();
        if state.round != visitor.round {
            return Err("a new game begins".to_owned());
        }
        match said {
            PlayerMessage::JoinGame {
                name,
                avatar,
                color,
            } => {
                state.join(lobby, visitor, &name, &avatar, &color)?;
                self.notify_viewers();
                if state.joined.len() >= lobby.config.table {
                    return self.start(lobby, &mut state);
                }
                Ok(())
            }
            PlayerMessage::StartGame => {
                if !state.joined.iter().any(|one| one.id == visitor.id) {
                    return Err("join the game before you start it".to_owned());
                }
                let here = state.joined.len();
                let least = lobby.config.least;
                if state.is_begun {
                    return Err("the game has already begun".to_owned());
                }
                if here < least {
                    return Err(format!(
                        "a game needs at least {least} players, found {here}"
                    ));
                }
                self.start(lobby, &mut state)
            }
            PlayerMessage::Play(_) => {
                if state.turn != Some(visitor.id) {
                    return Err("it is not your turn".to_owned());
                }
                let mut players = state.joined.iter();
                let player = players.find(|one| one.id == visitor.id);
                let link = player.and_then(|one| one.link.clone());
                drop(state);
                // Each link has only one connection, which belongs to the player.
                Ok(link.map_or(Ok(()), |link| link.receive(1, text))?)
            }
        }
    }

    /// Begins the game with the players who have joined. House bots sit after the other players.
    fn start(self: &Arc<Self>, lobby: &Arc<Lobby>, state: &mut TableState) -> Result<(), String> {
        let own = state.joined.iter().filter(|one| one.link.is_some());
        let house = state.joined.iter().filter(|one| one.link.is_none());
        let ids: Vec<u64> = own.clone().chain(house).map(|one| one.id).collect();
        let house = lobby.config.setup.bots.iter().map(|bot| bot.name.clone());
        // House bots keep their names.
        let mut called: Vec<String> = house.collect();
        let first = called.len();
        called.extend(own.clone().map(|one| one.name.clone()));
        names::make_unique(&mut called);
        let specs = own.clone().zip(&called[first..]);
        let bots = specs.map(|(one, name)| one.spec(lobby, name)).collect();
        let from = own.clone().map(|one| one.from).collect();
        let links = own.filter_map(|one| one.link.clone());
        let links: Vec<Arc<FrameLink>> = links.collect();
        let table = Arc::clone(self);
        let round = state.round;
        let begun = lobby.begin_with(bots, from, |setup, hosted| {
            let seating = setup.seating(hosted.number).into_iter();
            let ids = seating.map(|player| ids[player]).collect();
            Some(Box::new(EventPublisher {
                table,
                links,
                round,
                narrator: Narrator::new(ids),
            }))
        });
        let hosted = begun.map_err(|refusal| refusal.text)?;
        state.is_begun = true;
        state.hosted = Some(hosted);
        Ok(())
    }

    fn publish(&self, round: u64, events: Vec<String>, turn: Option<u64>) {
        let mut state = self.state();
        if state.round != round {
            return;
        }
        state.turn = turn;
        let room = MOST_EVENTS.saturating_sub(state.history.len());
        let events = events.into_iter().take(room).map(Arc::from);
        state.history.extend(events);
        drop(state);
        self.notify_viewers();
    }
}

impl TableState {
    /// Lets the house bots join before all other players.
    fn open(&mut self, lobby: &Lobby, from: IpAddr) {
        if std::mem::replace(&mut self.is_open, true) {
            return;
        }
        for bot in &lobby.config.setup.bots {
            self.last_id += 1;
            let id = self.last_id;
            let color = colour_of(self.joined.len());
            let told = Narrator::joined(id, &bot.name, "", &color);
            self.history.push(told.into());
            self.joined.push(Attendee {
                id,
                name: bot.name.clone(),
                from,
                link: None,
            });
        }
    }

    fn join(
        &mut self,
        lobby: &Lobby,
        visitor: &Visitor,
        name: &str,
        avatar: &str,
        color: &str,
    ) -> Result<(), String> {
        let id = visitor.id;
        if self.is_begun {
            return Err("the game has already begun".to_owned());
        }
        if self.joined.iter().any(|one| one.id == id) {
            return Err("you have already joined".to_owned());
        }
        if self.joined.len() >= lobby.config.table {
            return Err("the table is full".to_owned());
        }
        let to = lobby.config.tells_errors.then(|| visitor.own.clone());
        let link = Arc::new(FrameLink::default());
        link.connect(Box::new(RejectionOutbox { id, to }))?;
        // The protocol allows any name. Names that are invalid here are replaced by plain names.
        let plain = |_| format!("player {id}");
        let called = names::check(name).map_or_else(plain, |()| name.to_owned());
        (lobby.hooks.tell)(&format!("{called} joins"));
        let told = Narrator::joined(id, name, avatar, color);
        self.history.push(told.into());
        self.joined.push(Attendee {
            id,
            name: called,
            from: visitor.from,
            link: Some(link),
        });
        Ok(())
    }
}

impl Attendee {
    fn spec(&self, lobby: &Lobby, name: &str) -> BotSpec {
        let address = Address {
            place: "websocket".to_owned(),
            timeout: lobby.config.timeout,
            farewell: None,
        };
        let route = FrameRoute {
            // A default link never gets a connection.
            link: self.link.clone().unwrap_or_default(),
            unasked: true,
        };
        BotSpec {
            name: name.to_owned(),
            bot: "websocket,protocol=codelab".to_owned(),
            source: Endpoint {
                address,
                route: Arc::new(route),
                protocol: Protocol::new(&PROTOCOL, 0),
                content: None,
                probed: false,
            }
            .into_source(),
            clock: None,
        }
    }
}

/// The sink that publishes the events of a game.
struct EventPublisher {
    table: Arc<CodelabTable>,
    links: Vec<Arc<FrameLink>>,
    round: u64,
    narrator: Narrator,
}

impl Sink for EventPublisher {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let before = self.narrator.turn();
        let events = self.narrator.lines(moment, event);
        let turn = self.narrator.turn();
        if turn != before {
            // A message for an earlier turn must not count for a later turn.
            self.links.iter().for_each(|link| link.forget());
        }
        if !events.is_empty() || turn != before {
            self.table.publish(self.round, events, turn);
        }
    }
}
