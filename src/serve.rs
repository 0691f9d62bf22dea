//! Servers: a bot of ours as a program that any arena can ask.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::kernel::Bot;
use crate::kernel::board::Board;
use crate::kernel::rng::{Purpose, Stream};
use crate::kernel::view::{Facts, View};
use crate::load::entrant::Entrant;
use crate::odds::Fight;
use crate::players::hacker_risk::{Position, Seat, Words, players};
use crate::script::{Bound, OptionValue, Ruleset, ScriptFault, Terms};

/// The longest request that is read, in bytes.
const LONGEST: usize = 1 << 20;
/// Requests that may wait for the bot.
const QUEUE: usize = 64;
/// Games that a bot is in at once; the one that was quiet for longest gives way.
const MOST_GAMES: usize = 16;
/// How long a request waits for the bot.
const PATIENCE: Duration = Duration::from_secs(60);

/// A bot, and the game that it plays.
pub struct Served {
    /// The bot.
    pub entrant: Entrant,
    /// The ruleset that the arena plays by.
    pub ruleset: Ruleset,
    /// Its map.
    pub board: Arc<Board>,
    /// The values of all options.
    pub options: BTreeMap<String, OptionValue>,
    /// On what terms scripts run.
    pub terms: Terms,
}

/// A request that waits, and where its answer goes: the text, or what was wrong.
type Waiting = (String, oneshot::Sender<Result<String, String>>);

/// Serves a bot until the program is told to end. `report` hears what went wrong.
///
/// # Errors
/// When the network fails.
pub fn bot(served: Served, listener: TcpListener, report: impl Fn(&str) + Send + 'static) -> io::Result<()> {
    let (sender, receiver) = mpsc::channel::<Waiting>(QUEUE);
    // Bots are of one thread; the network has another.
    thread::Builder::new().stack_size(64 << 20).spawn(move || answer_all(&served, receiver, report))?;
    let app = Router::new()
        .route("/status", get(|| async { "ready" }))
        .route("/turn", post(turn))
        .route("/not_turn", post(|| async { "heard" }))
        .layer(DefaultBodyLimit::max(LONGEST))
        .with_state(sender);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        // Small answers leave at once. Where that can't be had they are slower, and nothing else.
        let listener = tokio::net::TcpListener::from_std(listener)?.tap_io(|io| drop(io.set_nodelay(true)));
        let stopped = async {
            // Without a way to be told to end there is none.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        axum::serve(listener, app).with_graceful_shutdown(stopped).await
    })
}

async fn turn(State(sender): State<mpsc::Sender<Waiting>>, body: Bytes) -> (StatusCode, String) {
    let Ok(text) = String::from_utf8(body.to_vec()) else {
        return (StatusCode::BAD_REQUEST, "the request is not UTF-8 text".to_owned());
    };
    let (reply, answer) = oneshot::channel();
    if sender.try_send((text, reply)).is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many requests wait".to_owned());
    }
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(Ok(Ok(text))) => (StatusCode::OK, text),
        Ok(Ok(Err(text))) => (StatusCode::BAD_REQUEST, text),
        _ => (StatusCode::SERVICE_UNAVAILABLE, "the bot does not answer".to_owned()),
    }
}

/// A game that the bot is in.
struct Playing {
    bot: Box<dyn Bot>,
    seat: Seat,
    used: u64,
}

fn answer_all(served: &Served, mut receiver: mpsc::Receiver<Waiting>, report: impl Fn(&str)) {
    let (mut rules, mut games) = (BTreeMap::new(), BTreeMap::new());
    let mut count = 0;
    while let Some((text, reply)) = receiver.blocking_recv() {
        count += 1;
        let answer = answer(served, &mut rules, &mut games, count, &text);
        if let Err(wrong) = &answer {
            report(wrong);
        }
        // Whoever asked may have gone.
        let _ = reply.send(answer);
    }
}

/// The state in a request, in whichever of the three encodings.
fn state(text: &str) -> Result<Value, String> {
    let form = form_urlencoded::parse(text.as_bytes()).find(|(key, _)| key == "risk");
    let json = match &form {
        Some((_, value)) if !text.trim_start().starts_with('{') => value,
        _ => text,
    };
    let mut value: Value = serde_json::from_str(json).map_err(|error| format!("the request is not JSON: {error}"))?;
    Ok(value.get_mut("risk").map_or(Value::Null, Value::take).as_object().map_or(value, |inner| inner.clone().into()))
}

fn listed(faults: &[ScriptFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn answer(
    served: &Served,
    rules: &mut BTreeMap<usize, (Bound, Words)>,
    games: &mut BTreeMap<(String, String), Playing>,
    now: u64,
    text: &str,
) -> Result<String, String> {
    let state = state(text)?;
    let (names, _) = players(&state)?;
    let count = names.len();
    let (bound, words) = match rules.entry(count) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(place) => {
            let bound = served
                .ruleset
                .bind(&served.board, &served.options, count, &served.terms)
                .map_err(|faults| listed(&faults))?;
            let words = Words::of(&bound.decl)?;
            place.insert((bound, words))
        }
    };
    let position = Position::read(&state, words, &served.board, &bound.decl)?;
    let key = (position.uid.clone(), position.names[position.me.index()].clone());
    if !games.contains_key(&key) {
        if games.len() >= MOST_GAMES
            && let Some(oldest) = games.iter().min_by_key(|(_, playing)| playing.used).map(|(key, _)| key.clone())
        {
            games.remove(&oldest);
        }
        let fight = Fight::of(bound.rules.tables());
        let made = served.entrant.maker.build(&bound.decl, &served.board, count, fight, &served.terms);
        let mut bot = made.map_err(|faults| listed(&faults))?;
        bot.meet(&position.names);
        let view = View::new(&Facts::new(position.game.clone()), position.me);
        // The same game gives the same luck.
        let seed = blake3::hash(format!("{}\n{}", key.0, key.1).as_bytes());
        let seed = seed.as_bytes()[..8].iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte));
        bot.start(&view, Stream::new(seed, 0, Purpose::Player(position.me.0)));
        games.insert(key.clone(), Playing { bot, seat: Seat::default(), used: now });
    }
    let playing = games.get_mut(&key).ok_or("the game is gone")?;
    playing.used = now;
    playing.seat.answer(playing.bot.as_mut(), &mut bound.rules, words, position).map(|answer| answer.to_string())
}
