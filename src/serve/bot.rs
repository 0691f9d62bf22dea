//! A bot of ours as a server: arenas that speak either protocol can ask it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::bounded::BoundedLog;
use super::http::{self, Peer, RequestGuard};
use super::lobby::ArenaProtocol;
use super::share::Shares;
use crate::kernel::Bot;
use crate::kernel::board::Board;
use crate::kernel::declare::Declaration;
use crate::kernel::id::Player;
use crate::kernel::rng::{Purpose, Stream};
use crate::kernel::state::GameState;
use crate::kernel::view::{Facts, View};
use crate::load::bot_spec::BotSpec;
use crate::odds::Fight;
use crate::players::{callback, hacker_risk, wire_json};
use crate::script::{Bound, OptionValue, Ruleset, ScriptFault, ScriptLimits};

/// Requests that may wait for the bot, in all and from one address.
const QUEUE: usize = 128;
const QUEUE_OF_ONE: usize = 64;
/// Games that a bot is in at once; the one that was quiet for longest gives way.
const MOST_GAMES: usize = 16;
/// How long a request waits for the bot.
const PATIENCE: Duration = Duration::from_secs(60);
/// Requests a second from one address: an arena asks as fast as it is answered.
const RATE: u32 = 100_000;

/// A bot, and the game that it plays.
pub struct Served {
    /// The bot.
    pub spec: BotSpec,
    /// The ruleset that the arena plays by.
    pub ruleset: Ruleset,
    /// Its map.
    pub board: Arc<Board>,
    /// The values of all options.
    pub options: BTreeMap<String, OptionValue>,
    /// What each call into a script may use.
    pub limits: ScriptLimits,
}

/// A request that waits, what it asks for, and where its answer goes: the text, or what was wrong.
struct Waiting {
    path: String,
    body: String,
    reply: oneshot::Sender<Result<String, String>>,
}

/// Where a bot is asked.
pub struct Door {
    /// The open port.
    pub listener: TcpListener,
    /// What is spoken there.
    pub protocol: ArenaProtocol,
    /// Is the port for this machine alone?
    pub local_only: bool,
    /// Names by which it is reached all the same, through a server before it.
    pub hosts: Vec<String>,
}

/// Serves a bot until the program is told to end. `report` hears what went wrong; `join` is run
/// once it can be asked, and when it fails the server ends with what it says.
///
/// # Errors
/// When the network fails.
pub fn serve(
    served: Served,
    door: Door,
    report: impl Fn(&str) + Send + 'static,
    join: impl FnOnce() -> Result<(), String> + Send + 'static,
) -> io::Result<Result<(), String>> {
    let Door {
        listener,
        protocol,
        local_only,
        hosts,
    } = door;
    let (sender, receiver) = mpsc::channel::<Waiting>(QUEUE);
    // Bots are of one thread; the network has another.
    thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || answer_all(&served, protocol, receiver, report))?;
    let own = match protocol {
        ArenaProtocol::HackerRisk => Router::new()
            .route("/status", get(|| async { "ready" }))
            .route("/not_turn", post(|| async { "heard" }))
            .route("/{path}", post(asked)),
        ArenaProtocol::Callback => Router::new()
            .route("/areYouThere", get(|| async { "yes" }))
            .route("/{path}", post(asked)),
    };
    let waiting = Shares::new(QUEUE, QUEUE_OF_ONE);
    let app = RequestGuard::new(RATE, local_only, hosts).guard(own.with_state((sender, waiting)));
    let mut joined = Ok(());
    let stop = async {
        match tokio::task::spawn_blocking(join).await {
            Ok(Ok(())) => http::shutdown_signal().await,
            Ok(Err(text)) => joined = Err(text),
            Err(_) => joined = Err("joining the arena failed".to_owned()),
        }
    };
    http::run(listener, app, stop)?;
    Ok(joined)
}

async fn asked(
    State((sender, waiting)): State<(mpsc::Sender<Waiting>, Arc<Shares>)>,
    Extension(Peer(from)): Extension<Peer>,
    Path(path): Path<String>,
    body: Bytes,
) -> (StatusCode, String) {
    let Ok(body) = String::from_utf8(body.to_vec()) else {
        return (
            StatusCode::BAD_REQUEST,
            "the request is not UTF-8 text".to_owned(),
        );
    };
    let Ok(_place) = waiting.take(from) else {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            "too many requests wait".to_owned(),
        );
    };
    let (reply, answer) = oneshot::channel();
    if sender.try_send(Waiting { path, body, reply }).is_err() {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            "too many requests wait".to_owned(),
        );
    }
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(Ok(Ok(text))) => (StatusCode::OK, text),
        Ok(Ok(Err(text))) if text == NO_SUCH => (StatusCode::NOT_FOUND, text),
        Ok(Ok(Err(text))) => (StatusCode::BAD_REQUEST, text),
        _ => (
            StatusCode::SERVICE_UNAVAILABLE,
            "the bot does not answer".to_owned(),
        ),
    }
}

/// What a request is told that asks for something else.
const NO_SUCH: &str = "there is nothing here";

fn answer_all(
    served: &Served,
    protocol: ArenaProtocol,
    mut receiver: mpsc::Receiver<Waiting>,
    report: impl Fn(&str),
) {
    let mut answerer = answerer(served, protocol);
    let log = BoundedLog::new(report);
    while let Some(Waiting { path, body, reply }) = receiver.blocking_recv() {
        let answer = answerer.answer(served, &path, &body);
        if let Err(wrong) = &answer {
            log.tell(wrong);
        }
        // Whoever asked may have gone.
        let _ = reply.send(answer);
    }
}

/// What answers under a protocol, with the games that the bot is in.
#[must_use]
pub fn answerer(served: &Served, protocol: ArenaProtocol) -> Box<dyn Answerer> {
    match protocol {
        ArenaProtocol::HackerRisk => Box::new(Arenas::default()),
        ArenaProtocol::Callback => Box::new(Callers::new(served.spec.name.clone())),
    }
}

/// Answers requests.
pub trait Answerer {
    /// The body of the answer to a request for this path.
    ///
    /// # Errors
    /// What is wrong with the request, or the bot's fault.
    fn answer(&mut self, served: &Served, path: &str, body: &str) -> Result<String, String>;
}

fn listed(faults: &[ScriptFault]) -> String {
    faults
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}

/// The rules in force for some number of players, with what a protocol needs of them.
struct ByCount<W>(BTreeMap<usize, (Bound, W)>);

impl<W> ByCount<W> {
    fn of(
        &mut self,
        served: &Served,
        count: usize,
        words: impl Fn(&Declaration) -> Result<W, String>,
    ) -> Result<&mut (Bound, W), String> {
        match self.0.entry(count) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let bound =
                    served
                        .ruleset
                        .bind(&served.board, &served.options, count, &served.limits);
                let bound = bound.map_err(|faults| listed(&faults))?;
                let words = words(&bound.decl)?;
                Ok(place.insert((bound, words)))
            }
        }
    }
}

/// A bot that begins a game. The same game gives it the same luck.
fn begin(
    served: &Served,
    bound: &Bound,
    names: &[String],
    (game, me, word): (&GameState, Player, &str),
) -> Result<Box<dyn Bot>, String> {
    let fight = Fight::of(bound.rules.tables());
    let made = served.spec.source.build(
        &bound.decl,
        &served.board,
        names.len(),
        fight,
        &served.limits,
    );
    let mut bot = made.map_err(|faults| listed(&faults))?;
    bot.meet(names);
    let view = View::new(&Facts::new(game.clone()), me);
    let seed = blake3::hash(format!("{word}\n{}", names[me.index()]).as_bytes());
    let seed = seed.as_bytes()[..8]
        .iter()
        .fold(0, |seed, byte| seed << 8 | u64::from(*byte));
    bot.start(&view, Stream::new(seed, 0, Purpose::Player(me.0)));
    Ok(bot)
}

/// A game of the Hacker Risk arena.
struct Playing {
    bot: Box<dyn Bot>,
    seat: hacker_risk::Seat,
    used: u64,
}

/// The games of Hacker Risk arenas, by their words and the player.
#[derive(Default)]
struct Arenas {
    rules: ByCount<hacker_risk::Words>,
    games: BTreeMap<(String, String), Playing>,
    count: u64,
}

impl<W> Default for ByCount<W> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl Answerer for Arenas {
    fn answer(&mut self, served: &Served, path: &str, body: &str) -> Result<String, String> {
        if path != "turn" {
            return Err(NO_SUCH.to_owned());
        }
        self.count += 1;
        let state = state(body)?;
        let (names, _) = hacker_risk::players(&state)?;
        let (bound, words) = self.rules.of(served, names.len(), hacker_risk::Words::of)?;
        let position = hacker_risk::Position::read(&state, words, &served.board, &bound.decl)?;
        let key = (
            position.uid.clone(),
            position.names[position.me.index()].clone(),
        );
        if !self.games.contains_key(&key) {
            let oldest = self
                .games
                .iter()
                .min_by_key(|(_, playing)| playing.used)
                .map(|(key, _)| key.clone());
            if let Some(oldest) = oldest.filter(|_| self.games.len() >= MOST_GAMES) {
                self.games.remove(&oldest);
            }
            let bot = begin(
                served,
                bound,
                &position.names,
                (&position.game, position.me, &key.0),
            )?;
            self.games.insert(
                key.clone(),
                Playing {
                    bot,
                    seat: hacker_risk::Seat::default(),
                    used: 0,
                },
            );
        }
        let playing = self.games.get_mut(&key).ok_or("the game is gone")?;
        playing.used = self.count;
        playing
            .seat
            .answer(playing.bot.as_mut(), &mut bound.rules, words, position)
            .map(|answer| answer.to_string())
    }
}

/// The state in a request, in whichever of the three encodings.
fn state(text: &str) -> Result<Value, String> {
    let form = form_urlencoded::parse(text.as_bytes()).find(|(key, _)| key == "risk");
    let json = match &form {
        Some((_, value)) if !text.trim_start().starts_with('{') => value,
        _ => text,
    };
    let mut value = wire_json::parse_unique_keys(json, "request")?;
    Ok(value
        .get_mut("risk")
        .map_or(Value::Null, Value::take)
        .as_object()
        .map_or(value, |inner| inner.clone().into()))
}

/// The one game of a callback arena.
struct Callers {
    rules: ByCount<callback::Words>,
    seat: callback::Seat,
    bot: Option<Box<dyn Bot>>,
    games: u64,
}

impl Callers {
    fn new(name: String) -> Self {
        Self {
            rules: ByCount::default(),
            seat: callback::Seat::new(name),
            bot: None,
            games: 0,
        }
    }
}

impl Answerer for Callers {
    fn answer(&mut self, served: &Served, path: &str, body: &str) -> Result<String, String> {
        match path {
            "gameOver" => {
                self.seat.leave();
                return Ok(String::new());
            }
            "placeArmy" | "deployArmy" | "beginAttack" | "continueAttack" | "continueAttacking" => {
            }
            _ => return Err(NO_SUCH.to_owned()),
        }
        let (question, new) = self.seat.read(&served.board, path, body)?;
        let names = self.seat.players();
        let (bound, words) = self.rules.of(served, names.len(), callback::Words::of)?;
        let game = self
            .seat
            .position(&question, words, &served.board, &bound.decl)?;
        if new || self.bot.is_none() {
            self.games += 1;
            let word = self.games.to_string();
            self.bot = Some(begin(
                served,
                bound,
                &names,
                (&game, Player::from_index(0), &word),
            )?);
        }
        let bot = self.bot.as_mut().ok_or("the game is gone")?;
        self.seat
            .answer(bot.as_mut(), &mut bound.rules, words, (&question, game))
            .map(|answer| answer.to_string())
    }
}
