//! Where players register, and from where matches begin.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;

use super::bounded::BoundedLog;
use super::hosted::{self, Hosted};
use super::http::shutdown_signal;
use super::secret::Secret;
use super::share::{Full, Shares, household};
use crate::load::bot_spec::BotSpec;
use crate::matches::Setup;
use crate::players::callback::Dialect;
use crate::players::hacker_risk::Encoding;
use crate::players::wire::{self, Address, Networks, NotThere, Protocol};
use crate::players::{BotSource, names};
use crate::text::plural::counted;

/// Matches that are over and can still be looked at.
const KEPT: usize = 100;
/// The longest address of a bot, in bytes.
const LONGEST_URL: usize = 500;
/// Bots that are looked for at once, in all and for one address that registers them.
const PROBES: (usize, usize) = (64, 8);
/// Those who watch at once, in all and from one address.
const VIEWERS: (usize, usize) = (256, 64);
/// How long a bot may take to show that it is there.
const PROBE: Duration = Duration::from_secs(5);
/// How long matches that were told to stop are waited for.
const STOP: Duration = Duration::from_secs(3);

/// What an arena speaks with its bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArenaProtocol {
    /// That of the Hacker Risk arena.
    HackerRisk,
    /// That of the callback arena.
    Callback,
}

/// What an arena is.
#[derive(Debug)]
pub struct ArenaConfig {
    /// What is played. Its players are the house's own bots, who sit at every table.
    pub setup: Setup,
    /// How many players make a table full, and how few can begin.
    pub seats: (usize, usize),
    /// What is spoken.
    pub protocol: ArenaProtocol,
    /// How long an answer may take.
    pub timeout: Duration,
    /// Where bots may be.
    pub within: Arc<Networks>,
    /// The word that lets somebody start a match.
    pub secret: Option<Secret>,
    /// Matches at once.
    pub at_once: usize,
    /// How long a match may take; then it stops without a result.
    pub match_time: Duration,
    /// How long matches may go on once the program is told to end.
    pub grace: Duration,
    /// The number of the first match, from 1.
    pub first: u64,
    /// Requests a second from one address.
    pub rate: u32,
    /// Is the arena for this machine alone?
    pub local_only: bool,
    /// Names by which it is reached all the same, through a server before it.
    pub hosts: Vec<String>,
}

/// Finds the first number from this one on that no match has, and opens its record, if there are to
/// be records.
type Record = dyn Fn(u64) -> io::Result<(u64, Option<Box<dyn Write + Send>>)> + Send + Sync;

/// What the program does for an arena.
pub struct ArenaHooks {
    /// Opens the record of the next match. Another arena may write into the same folder.
    pub record: Box<Record>,
    /// Tells whoever runs the program what happens.
    pub tell: Arc<dyn Fn(&str) + Send + Sync>,
}

/// A player who registered.
#[derive(Clone, Debug)]
pub(super) struct Guest {
    pub(super) name: String,
    pub(super) url: String,
    pub(super) speaks: Protocol,
    /// The address that registered it.
    pub(super) from: IpAddr,
}

/// Why somebody can't join, or a match can't start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// What was sent is not right.
    Bad(String),
    /// Somebody has the name, or the address.
    Taken(String),
    /// Nobody can join, or nothing can start, just now.
    NotNow(String),
}

impl Refusal {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Bad(text) | Self::Taken(text) | Self::NotNow(text) => text,
        }
    }
}

#[derive(Default)]
struct State {
    /// The number of the open table's match.
    next: u64,
    waiting: Vec<Guest>,
    /// Who played the last match.
    last: Vec<Guest>,
    matches: BTreeMap<u64, Arc<Hosted>>,
    running: usize,
    closing: bool,
}

/// An arena: its open table, and its matches.
pub(super) struct Lobby {
    pub(super) plan: ArenaConfig,
    pub(super) desk: ArenaHooks,
    state: Mutex<State>,
    /// Changes whenever somebody joins, or a match begins or ends.
    pub(super) news: watch::Sender<u64>,
    probes: Arc<Shares>,
    /// What strangers have to do with, told to whoever runs the program.
    log: BoundedLog<Box<dyn Fn(&str) + Send + Sync>>,
    /// The board as the page has it, drawn once: what changes in it its script knows.
    pub(super) map: OnceLock<String>,
    /// Room for those who watch.
    pub(super) viewers: Arc<Shares>,
    /// Set when matches are to stop.
    pub(super) stop: Arc<AtomicBool>,
}

impl Lobby {
    pub(super) fn new(plan: ArenaConfig, desk: ArenaHooks) -> Self {
        let state = Mutex::new(State {
            next: plan.first,
            ..State::default()
        });
        let (news, stop) = (watch::Sender::new(0), Arc::new(AtomicBool::new(false)));
        let (probes, viewers) = (
            Shares::new(PROBES.0, PROBES.1),
            Shares::new(VIEWERS.0, VIEWERS.1),
        );
        let tell = Arc::clone(&desk.tell);
        let log = BoundedLog::new(
            Box::new(move |text: &str| tell(text)) as Box<dyn Fn(&str) + Send + Sync>
        );
        Self {
            plan,
            desk,
            state,
            news,
            probes,
            log,
            map: OnceLock::new(),
            viewers,
            stop,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many guests find room at a table.
    fn room(&self) -> usize {
        self.plan.seats.0.saturating_sub(self.plan.setup.bots.len())
    }

    /// Looks whether this guest can join now; `true` if the very same has done so already.
    fn admits(&self, state: &State, guest: &Guest) -> Result<bool, Refusal> {
        if state.closing {
            return Err(Refusal::NotNow("the arena is closing".to_owned()));
        }
        let known = state
            .waiting
            .iter()
            .find(|other| other.url == guest.url || names::are_alike(&other.name, &guest.name));
        if let Some(known) = known {
            return match (known.name == guest.name, known.url == guest.url) {
                (true, true) => Ok(true),
                (_, false) => Err(Refusal::Taken(taken(&guest.name, &known.name))),
                _ => Err(Refusal::Taken(format!(
                    "the bot at {} has joined already, as {}",
                    guest.url, known.name
                ))),
            };
        }
        let mut house = self.plan.setup.bots.iter();
        if let Some(house) = house.find(|house| names::are_alike(&house.name, &guest.name)) {
            return Err(Refusal::Taken(format!(
                "{} by a bot of the arena",
                taken(&guest.name, &house.name)
            )));
        }
        if state.running >= self.plan.at_once {
            let what = if self.plan.at_once == 1 {
                "a match is"
            } else {
                "as many matches as can be are"
            };
            return Err(Refusal::NotNow(format!(
                "{what} being played; try again when it is over"
            )));
        }
        if state.waiting.len() >= self.room() {
            return Err(Refusal::NotNow("the table is full".to_owned()));
        }
        if !self.plan.local_only && self.seats_of(state, guest.from) >= self.most_seats_of_one() {
            let text = "as many bots as your address may have sit at tables; try again when their matches are over";
            return Err(Refusal::NotNow(text.to_owned()));
        }
        Ok(false)
    }

    /// How many seats bots have that one address registered.
    fn seats_of(&self, state: &State, from: IpAddr) -> usize {
        let playing = state
            .matches
            .values()
            .filter(|hosted| !hosted.is_over())
            .flat_map(|hosted| hosted.from.iter());
        let waiting = state.waiting.iter().map(|guest| &guest.from);
        playing
            .chain(waiting)
            .filter(|other| household(**other) == household(from))
            .count()
    }

    /// Half of all seats, but a table at least: nobody fills all tables alone.
    fn most_seats_of_one(&self) -> usize {
        (self.plan.at_once * self.room() / 2).max(self.room())
    }

    /// Takes a player in, once its bot is there. Says which match it will play, and how many are
    /// missing.
    pub(super) async fn join(self: &Arc<Self>, guest: Guest) -> Result<(u64, usize), Refusal> {
        names::check(&guest.name).map_err(Refusal::Bad)?;
        if guest.url.len() > LONGEST_URL || !Address::is_url(&guest.url) {
            return Err(Refusal::Bad(
                "the address of a bot is http://, a host, and perhaps a port and a path".to_owned(),
            ));
        }
        self.admits(&self.state(), &guest)?;
        let address = self.address(&guest, PROBE);
        let _place = self.probes.take(guest.from).map_err(|full| {
            Refusal::NotNow(match full {
                Full::ForOne => format!(
                    "{} bots of your address are being looked for; try again",
                    PROBES.1
                ),
                Full::ForAll => "too many are joining; try again".to_owned(),
            })
        })?;
        let found = tokio::task::spawn_blocking(move || match address.speaks {
            // This dialect has no words to ask whether a bot is there, and one may begin to listen
            // later.
            Protocol::Callback(Dialect::Seed) => wire::find(&address).map_err(|text| NotThere {
                told: text.clone(),
                why: text,
            }),
            _ => wire::reach(&address),
        });
        let found = found.await;
        match found {
            Ok(Ok(())) => {}
            Ok(Err(not_there)) => {
                // Whoever registers may have named a server of somebody else's: what that says is
                // not for them.
                self.log.tell(&format!(
                    "{} can't join from {}: {}",
                    guest.name, guest.from, not_there.why
                ));
                return Err(Refusal::Bad(not_there.told));
            }
            Err(_) => {
                return Err(Refusal::NotNow(
                    "the bot could not be looked for".to_owned(),
                ));
            }
        }
        // Others may have joined meanwhile.
        let mut state = self.state();
        if !self.admits(&state, &guest)? {
            (self.desk.tell)(&format!(
                "{} joins match {} from {}",
                guest.name, state.next, guest.url
            ));
            state.waiting.push(guest);
        }
        let (number, missing) = (state.next, self.room() - state.waiting.len());
        // In the callback arena it is always somebody who starts a match.
        if missing == 0 && self.plan.protocol == ArenaProtocol::HackerRisk {
            self.begin(&mut state)?;
        }
        drop(state);
        self.tell_news();
        Ok((number, missing))
    }

    fn address(&self, guest: &Guest, timeout: Duration) -> Address {
        let within = Some(Arc::clone(&self.plan.within));
        Address {
            url: guest.url.clone(),
            speaks: guest.speaks,
            timeout,
            within,
            probed: false,
        }
    }

    /// Begins the match of the open table; says which.
    pub(super) fn start(self: &Arc<Self>) -> Result<Arc<Hosted>, Refusal> {
        let mut state = self.state();
        let here = state.waiting.len() + self.plan.setup.bots.len();
        let least = self.plan.seats.1;
        if state.closing {
            return Err(Refusal::NotNow("the arena is closing".to_owned()));
        }
        if state.running >= self.plan.at_once {
            return Err(Refusal::NotNow("a match is being played".to_owned()));
        }
        if here < least {
            return Err(Refusal::NotNow(format!(
                "{here} of at least {least} players are there"
            )));
        }
        let hosted = self.begin(&mut state)?;
        drop(state);
        self.tell_news();
        Ok(hosted)
    }

    /// Seats the players of the last match again.
    pub(super) fn again(&self) -> Result<usize, Refusal> {
        let mut state = self.state();
        if state.running > 0 || state.closing {
            return Err(Refusal::NotNow("a match is being played".to_owned()));
        }
        if state.last.is_empty() {
            return Err(Refusal::NotNow("no match has been played".to_owned()));
        }
        if !state.waiting.is_empty() {
            return Err(Refusal::NotNow(
                "players have joined for the next match".to_owned(),
            ));
        }
        state.waiting = state.last.clone();
        let count = state.waiting.len();
        drop(state);
        self.tell_news();
        Ok(count)
    }

    fn begin(self: &Arc<Self>, state: &mut State) -> Result<Arc<Hosted>, Refusal> {
        let failed = |error| Refusal::NotNow(format!("the match can't begin: {error}"));
        let (number, record) = (self.desk.record)(state.next).map_err(failed)?;
        let mut setup = self.plan.setup.clone();
        let guests = state.waiting.iter().map(|guest| BotSpec {
            name: guest.name.clone(),
            bot: guest.spec(),
            source: BotSource::Remote(self.address(guest, self.plan.timeout)),
        });
        setup.bots.splice(0..0, guests.collect::<Vec<_>>());
        let from = state.waiting.iter().map(|guest| guest.from).collect();
        let hosted = Arc::new(Hosted::new(number, &setup, from));
        hosted::play(Arc::clone(self), Arc::clone(&hosted), setup, record).map_err(failed)?;
        state.last = std::mem::take(&mut state.waiting);
        state.next = number + 1;
        state.running += 1;
        state.matches.insert(number, Arc::clone(&hosted));
        let over: Vec<u64> = state
            .matches
            .values()
            .filter(|it| it.is_over())
            .map(|it| it.number)
            .collect();
        for number in over.iter().take(over.len().saturating_sub(KEPT)) {
            state.matches.remove(number);
        }
        Ok(hosted)
    }

    /// A match is over, and is shown so: whoever sees it can join the next one.
    pub(super) fn ended(&self, show: impl FnOnce()) {
        let mut state = self.state();
        state.running -= 1;
        show();
        drop(state);
        self.tell_news();
    }

    fn tell_news(&self) {
        self.news.send_modify(|count| *count += 1);
    }

    /// The match with this number.
    pub(super) fn find(&self, number: u64) -> Option<Arc<Hosted>> {
        self.state().matches.get(&number).map(Arc::clone)
    }

    /// The last match that began.
    pub(super) fn newest(&self) -> Option<Arc<Hosted>> {
        self.state()
            .matches
            .last_key_value()
            .map(|(_, hosted)| Arc::clone(hosted))
    }

    /// Does the arena end?
    pub(super) fn is_closing(&self) -> bool {
        self.state().closing
    }

    /// The names at the open table: guests, then the house's.
    pub(super) fn waiting(&self) -> Vec<String> {
        self.state()
            .waiting
            .iter()
            .map(|guest| guest.name.clone())
            .collect()
    }

    /// The open table and all matches, for people and programs.
    pub(super) fn overview(&self) -> Value {
        let state = self.state();
        let house: Vec<&str> = self
            .plan
            .setup
            .bots
            .iter()
            .map(|house| house.name.as_str())
            .collect();
        let matches = state.matches.values().rev().map(|hosted| hosted.summary());
        json!({
            "ruleset": self.plan.setup.ruleset_spec,
            "map": self.plan.setup.map_spec,
            "open": {
                "match": state.next,
                "joined": state.waiting.iter().map(|guest| guest.name.as_str()).collect::<Vec<_>>(),
                "house": house,
                "seats": self.plan.seats.0,
                "least": self.plan.seats.1,
                "closed": state.closing || state.running >= self.plan.at_once,
            },
            "matches": matches.collect::<Vec<_>>(),
        })
    }

    /// Waits until the program is told to end, and ends.
    pub(super) async fn close(self: Arc<Self>) {
        shutdown_signal().await;
        let running = {
            let mut state = self.state();
            state.closing = true;
            state.running
        };
        self.tell_news();
        if running > 0 {
            let seconds = counted(self.plan.grace.as_secs(), "second");
            (self.desk.tell)(&format!(
                "closing in {seconds}, or when the matches under way are over: {running}; Ctrl-C stops them"
            ));
        }
        tokio::select! {
            () = self.all_over() => {}
            () = tokio::time::sleep(self.plan.grace) => {}
            () = shutdown_signal() => {}
        }
        self.stop.store(true, Ordering::Relaxed);
        // A bot that keeps a match waiting does not keep the program: the record has everything up
        // to there.
        let _ = tokio::time::timeout(STOP, self.all_over()).await;
    }

    async fn all_over(&self) {
        let mut news = self.news.subscribe();
        while self.state().running > 0 {
            if news.changed().await.is_err() {
                return;
            }
        }
    }
}

/// That a name is taken, by this one.
fn taken(name: &str, by: &str) -> String {
    if name == by {
        format!("the name {name} is taken")
    } else {
        format!("the name {name} looks like {by}, which is taken")
    }
}

impl Guest {
    /// The bot as the command line would name it.
    fn spec(&self) -> String {
        match self.speaks {
            Protocol::HackerRisk(Encoding::Form) => self.url.clone(),
            Protocol::HackerRisk(encoding) => format!("{},encoding={}", self.url, encoding.word()),
            Protocol::Callback(Dialect::Seed) => format!("{},protocol=callback", self.url),
            Protocol::Callback(dialect) => {
                format!("{},protocol=callback,dialect={}", self.url, dialect.word())
            }
        }
    }
}

/// A word that nobody guesses, in the form of a GUID.
pub(super) fn token() -> String {
    let word = || RandomState::new().build_hasher().finish();
    let (a, b) = (word(), word());
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xffff,
        b >> 48,
        b & 0xffff_ffff_ffff
    )
}
