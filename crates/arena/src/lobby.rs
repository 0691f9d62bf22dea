//! The lobby of an arena, where players register and matches begin.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::arena_config::{ArenaConfig, ArenaHooks};
use super::bounded::BoundedLog;
use super::hosted::{Listener, PublishedMatch, drop_old};
use super::hosted_match::{HostedMatch, RunningMatch};
use super::http::shutdown_signal;
use super::match_server::Audience;
use super::metrics::{Gauges, Metrics, count};
pub(super) use super::registration::Refusal;
use super::registration::{JoinReply, Registration, look_for, taken};
use super::share::{AddressQuota, QuotaError, QuotaPermit, household};
use risk_engine::bot_spec::BotSpec;
use risk_engine::{Seed, Setup, names};
use risk_text::plural::counted;
use risk_wire::JoinRequest;
use risk_wire::transport::ConnectError;
use risk_wire::transport::frames::FrameLink;

/// The number of finished matches that can still be viewed.
const KEPT: usize = 100;
/// The number of older matches, which are only listed.
const LISTED: usize = 10_000;
/// The maximum number of parallel probes, in total and per registering address.
const PROBES: (usize, usize) = (64, 8);
/// The maximum number of connected bots, in total and per address. In a local-only arena, one
/// address may have all of them.
const SOCKETS: (usize, usize) = (2_048, 64);
/// The time limit for a bot to answer a probe.
const PROBE: Duration = Duration::from_secs(5);
/// The maximum time to wait for matches to stop.
const STOP: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(super) struct LobbyState {
    /// The number of the open table's match.
    pub(super) next: u64,
    pub(super) waiting: Vec<Registration>,
    /// The players of the last match.
    pub(super) last: Vec<Registration>,
    pub(super) matches: BTreeMap<u64, Arc<PublishedMatch>>,
    /// The list entries of matches that can no longer be viewed.
    pub(super) older: BTreeMap<u64, Value>,
    /// The players of the matches in progress.
    pub(super) playing: BTreeMap<u64, Vec<Registration>>,
    pub(super) running: usize,
    pub(super) closing: bool,
}

fn closing() -> Refusal {
    Refusal::not_now("arena::closing", "the arena is closing")
}

fn is_playing() -> Refusal {
    Refusal::not_now("arena::busy", "a match is being played")
}

fn no_such_token() -> Refusal {
    let text = "unknown token: a token is valid until its match is over";
    Refusal::new(StatusCode::GONE, "arena::unknown-token", text)
}

/// An arena with its open table and its matches.
pub(super) struct Lobby {
    pub(super) config: ArenaConfig,
    pub(super) hooks: ArenaHooks,
    state: Mutex<LobbyState>,
    /// Notified when players join or leave, matches begin or end, or the arena closes.
    pub(super) audience: Audience,
    probes: Arc<AddressQuota>,
    /// Reports client-caused messages to the operator, within limits.
    log: BoundedLog<Box<dyn Fn(&str) + Send + Sync>>,
    pub(super) sockets: Arc<AddressQuota>,
    pub(super) metrics: Arc<Metrics>,
    /// Set to stop the matches.
    pub(super) stop: Arc<AtomicBool>,
}

/// The lobby as request handlers receive it.
pub(super) type SharedLobby = axum::extract::State<Arc<Lobby>>;

impl Lobby {
    pub(super) fn new(config: ArenaConfig, hooks: ArenaHooks, metrics: Arc<Metrics>) -> Self {
        let of_one = if config.server.local_only {
            SOCKETS.0
        } else {
            SOCKETS.1
        };
        let state = Mutex::new(LobbyState {
            next: config.first,
            ..LobbyState::default()
        });
        let tell = Arc::clone(&hooks.tell);
        let log = BoundedLog::new(
            Box::new(move |text: &str| tell(text)) as Box<dyn Fn(&str) + Send + Sync>
        );
        Self {
            config,
            hooks,
            state,
            audience: Audience::new(),
            probes: AddressQuota::new(PROBES.0, PROBES.1),
            log,
            sockets: AddressQuota::new(SOCKETS.0, of_one),
            metrics,
            stop: Arc::default(),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, LobbyState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of seats at a table, not counting house bots.
    fn room(&self) -> usize {
        self.config
            .table
            .saturating_sub(self.config.setup.bots.len())
    }

    /// Checks whether a bot can join now. Returns `true` if the bot has already joined.
    fn admits(&self, state: &LobbyState, bot: &Registration) -> Result<bool, Refusal> {
        if state.closing {
            return Err(closing());
        }
        let is_it =
            |other: &&Registration| other.is_same(bot) || names::are_alike(&other.name, &bot.name);
        if let Some(known) = state.waiting.iter().find(is_it) {
            return match (known.name == bot.name, known.is_same(bot)) {
                (true, true) => Ok(true),
                (_, false) => {
                    let text = taken(&bot.name, &known.name);
                    Err(Refusal::conflict("arena::name-taken", text))
                }
                _ => {
                    let text = format!("the bot at {} has joined as {}", bot.url, known.name);
                    Err(Refusal::conflict("arena::has-joined", text))
                }
            };
        }
        let mut house = self.config.setup.bots.iter();
        if let Some(house) = house.find(|house| names::are_alike(&house.name, &bot.name)) {
            let text = format!("{} by a house bot", taken(&bot.name, &house.name));
            return Err(Refusal::conflict("arena::name-taken", text));
        }
        if state.running >= self.config.server.at_once {
            let text = match self.config.server.at_once {
                1 => "a match is being played; try again when it is over".to_owned(),
                most => format!("{most} matches are being played; try again when one is over"),
            };
            return Err(Refusal::not_now("arena::busy", text));
        }
        if state.waiting.len() >= self.room() {
            return Err(Refusal::not_now("arena::full", "the table is full"));
        }
        if !self.config.server.local_only
            && self.seats_of(state, bot.from) >= self.most_seats_of_one()
        {
            let text = format!(
                "reached the limit of {} seats from your address; try again when one of its \
                 matches is over",
                self.most_seats_of_one()
            );
            return Err(Refusal::not_now("arena::too-many-seats", text));
        }
        Ok(false)
    }

    /// Checks whether a match may begin.
    fn check_open(&self, state: &LobbyState) -> Result<(), Refusal> {
        match state.closing {
            true => Err(closing()),
            false if state.running >= self.config.server.at_once => Err(is_playing()),
            false => Ok(()),
        }
    }

    /// Returns the number of seats occupied by bots from one registering address.
    fn seats_of(&self, state: &LobbyState, from: IpAddr) -> usize {
        let playing = state
            .matches
            .values()
            .filter(|hosted| !hosted.is_over())
            .flat_map(|hosted| hosted.from.iter());
        let waiting = state.waiting.iter().map(|bot| &bot.from);
        playing
            .chain(waiting)
            .filter(|other| household(**other) == household(from))
            .count()
    }

    /// Returns the maximum number of seats for one address: half of all seats, but at least one
    /// table.
    fn most_seats_of_one(&self) -> usize {
        (self.config.server.at_once * self.room() / 2).max(self.room())
    }

    /// Seats a player after checking that the bot is reachable.
    pub(super) async fn join(
        self: &Arc<Self>,
        request: JoinRequest,
        from: IpAddr,
    ) -> Result<JoinReply, Refusal> {
        let bot = Registration::new(request, from, &self.config)?;
        self.admits(&self.state(), &bot)?;
        self.look_for(&bot).await?;
        self.seat(bot)
    }

    /// Seats a player that opens a WebSocket.
    pub(super) fn dial(
        self: &Arc<Self>,
        name: String,
        from: IpAddr,
    ) -> Result<(JoinReply, Arc<FrameLink>), Refusal> {
        let bot = Registration::dialled(name, from, &self.config)?;
        let link = bot.link.clone().unwrap_or_default();
        Ok((self.seat(bot)?, link))
    }

    /// Seats a player. If the table is then full, its match begins. For a player that dials in,
    /// [`Lobby::begin_if_full`] begins the match instead.
    fn seat(self: &Arc<Self>, bot: Registration) -> Result<JoinReply, Refusal> {
        // Other players may have joined in the meantime.
        let mut state = self.state();
        let mut token = None;
        let waits = bot.link.is_some();
        if !self.admits(&state, &bot)? {
            (self.hooks.tell)(&format!(
                "{} joins match {} from {}",
                bot.name,
                state.next,
                bot.place()
            ));
            token = Some(bot.token.clone());
            state.waiting.push(bot);
        }
        let number = state.next;
        let commitment = self.next_commitment(&state);
        let missing = self.room() - state.waiting.len();
        if !waits && missing == 0 && self.config.arena.starts_when_full {
            self.begin(&mut state)?;
        }
        drop(state);
        self.audience.notify();
        Ok(JoinReply {
            number,
            missing,
            token,
            commitment,
        })
    }

    /// Returns the seed of the next match and the salt of its commitment. The match's record
    /// reveals both, so they must reveal nothing about other matches.
    fn next_dice(&self, state: &LobbyState) -> (Seed, Seed) {
        let secret = &self.config.setup.seed;
        (
            secret.of_match(state.next),
            secret.salt_of_match(state.next),
        )
    }

    pub(super) fn next_commitment(&self, state: &LobbyState) -> String {
        let (seed, salt) = self.next_dice(state);
        seed.commitment(&salt)
    }

    /// Begins the match of the open table if the table is full. Called once the last bot is
    /// connected.
    pub(super) fn begin_if_full(self: &Arc<Self>) -> Result<(), Refusal> {
        let mut state = self.state();
        let full = state.waiting.len() >= self.room() && self.config.arena.starts_when_full;
        if full && !state.closing {
            self.begin(&mut state)?;
            drop(state);
            self.audience.notify();
        }
        Ok(())
    }

    /// Takes a place for a connection. `what` are those that connect, such as `bots`.
    pub(super) fn connect(&self, from: IpAddr, what: &str) -> Result<QuotaPermit, Response> {
        self.sockets.take(from).map_err(|full| match full {
            QuotaError::ForOne => {
                let text = format!("too many {what} from your address are connected");
                (StatusCode::TOO_MANY_REQUESTS, text).into_response()
            }
            QuotaError::ForAll => {
                let text = format!("too many {what} are connected; try again");
                Refusal::not_now("arena::too-many-sockets", text).into_response()
            }
        })
    }

    /// Returns the link and the name of the player with this token.
    pub(super) fn link(&self, token: &str) -> Result<(Arc<FrameLink>, String), Refusal> {
        let state = self.state();
        let hash = blake3::hash(token.as_bytes());
        let is_it = |bot: &&Registration| blake3::hash(bot.token.as_bytes()) == hash;
        let waiting = state.waiting.iter().find(is_it);
        let playing = || state.playing.values().flatten().find(is_it);
        let bot = waiting.or_else(playing).ok_or_else(no_such_token)?;
        let link = bot.link.clone();
        link.map(|link| (link, bot.name.clone())).ok_or_else(|| {
            let text = format!("{} joined over HTTP, not over a WebSocket", bot.name);
            Refusal::bad("arena::no-socket", text)
        })
    }

    /// Reports whether the player with this token is at the open table.
    pub(super) fn is_waiting(&self, token: &str) -> bool {
        self.state().waiting.iter().any(|bot| bot.token == token)
    }

    /// Removes a player from the open table and returns its name.
    pub(super) fn leave(&self, token: &str) -> Result<String, Refusal> {
        let mut state = self.state();
        let hash = blake3::hash(token.as_bytes());
        let is_it = |bot: &Registration| blake3::hash(bot.token.as_bytes()) == hash;
        let Some(seat) = state.waiting.iter().position(is_it) else {
            let plays = state.playing.values().flatten().any(is_it);
            return Err(if plays {
                Refusal::conflict("arena::has-begun", "can't leave: the match has begun")
            } else {
                no_such_token()
            });
        };
        let bot = state.waiting.remove(seat);
        (self.hooks.tell)(&format!("{} leaves match {}", bot.name, state.next));
        drop(state);
        if let Some(link) = bot.link {
            link.close("the bot has left");
        }
        self.audience.notify();
        Ok(bot.name)
    }

    /// Removes a player from the open table if its connection is closed.
    pub(super) fn give_up(&self, token: &str) {
        let is_away = |link: Arc<FrameLink>| !link.is_there();
        if self.link(token).is_ok_and(|(link, _)| is_away(link)) {
            // A player whose match has begun stays in it.
            let _ = self.leave(token);
        }
    }

    /// Probes a bot, unless too many probes are in progress.
    async fn look_for(&self, bot: &Registration) -> Result<(), Refusal> {
        let _place = self.probes.take(bot.from).map_err(|full| {
            let text = match full {
                QuotaError::ForOne => format!(
                    "{} bots from your address are joining at the moment; try again",
                    PROBES.1
                ),
                QuotaError::ForAll => {
                    "too many bots are joining at the moment; try again".to_owned()
                }
            };
            Refusal::not_now("arena::too-many-joining", text)
        })?;
        let endpoint = bot.endpoint(&self.config, PROBE);
        let within = Arc::clone(&self.config.within);
        let found = tokio::task::spawn_blocking(move || look_for(&endpoint, &within)).await;
        let failed = |_| Refusal::not_now("arena::failed", "failed to connect to the bot");
        let found = found.map_err(failed)?;
        found.map_err(|not_there| {
            // The address may be another person's server, so the client gets only the public part.
            let ConnectError { public, full } = not_there;
            self.log.print(&format!(
                "{} can't join from {}: {full}",
                bot.name, bot.from
            ));
            Refusal::bad("arena::unreachable", public)
        })
    }

    /// Begins the match of the open table and returns it.
    pub(super) fn start(self: &Arc<Self>) -> Result<Arc<PublishedMatch>, Refusal> {
        let mut state = self.state();
        let here = state.waiting.len() + self.config.setup.bots.len();
        let least = self.config.least;
        self.check_open(&state)?;
        if here < least {
            let text = format!("a match needs at least {least} players, found {here}");
            return Err(Refusal::not_now("arena::too-few", text));
        }
        let hosted = self.begin(&mut state)?;
        drop(state);
        self.audience.notify();
        Ok(hosted)
    }

    /// Seats the players of the last match again.
    pub(super) fn again(&self) -> Result<usize, Refusal> {
        let mut state = self.state();
        if state.running > 0 || state.closing {
            return Err(is_playing());
        }
        if state.last.is_empty() {
            let text = "no match has been played yet";
            return Err(Refusal::not_now("arena::no-match", text));
        }
        if !state.waiting.is_empty() {
            let text = "players have joined the next match";
            return Err(Refusal::not_now("arena::has-joined", text));
        }
        state.waiting = state.last.clone();
        let count = state.waiting.len();
        drop(state);
        self.audience.notify();
        Ok(count)
    }

    fn begin(self: &Arc<Self>, state: &mut LobbyState) -> Result<Arc<PublishedMatch>, Refusal> {
        let bots = state.waiting.iter().map(|bot| bot.spec(&self.config));
        let from = state.waiting.iter().map(|bot| bot.from).collect();
        let listener = self.config.arena.listener;
        let listener = |_: &Setup, hosted: &Arc<PublishedMatch>| listener.map(|make| make(hosted));
        let hosted = self.host(state, bots.collect(), from, listener)?;
        state.last = std::mem::take(&mut state.waiting);
        let players = state.last.clone();
        state.playing.insert(hosted.number, players);
        Ok(hosted)
    }

    /// Begins a match between these bots and the house bots. `listener` creates a listener from the
    /// setup.
    pub(super) fn begin_with(
        self: &Arc<Self>,
        bots: Vec<BotSpec>,
        from: Vec<IpAddr>,
        listener: impl FnOnce(&Setup, &Arc<PublishedMatch>) -> Option<Listener>,
    ) -> Result<Arc<PublishedMatch>, Refusal> {
        let mut state = self.state();
        self.check_open(&state)?;
        let hosted = self.host(&mut state, bots, from, listener)?;
        drop(state);
        self.audience.notify();
        Ok(hosted)
    }

    fn host(
        self: &Arc<Self>,
        state: &mut LobbyState,
        bots: Vec<BotSpec>,
        from: Vec<IpAddr>,
        listener: impl FnOnce(&Setup, &Arc<PublishedMatch>) -> Option<Listener>,
    ) -> Result<Arc<PublishedMatch>, Refusal> {
        let failed = |error| {
            let text = format!("failed to begin the match: {error}");
            Refusal::not_now("arena::failed", text)
        };
        let mut setup = self.config.setup.clone();
        setup.bots.splice(0..0, bots);
        // Players already have the commitment to this seed. Another arena may use the same number.
        let (seed, salt) = self.next_dice(state);
        let (number, record) = (self.hooks.record)(state.next).map_err(failed)?;
        setup.seed = seed;
        setup.salt = Some(salt);
        let hosted = Arc::new(PublishedMatch::new(number, &setup, from));
        let lobby = Arc::clone(self);
        let watch = RunningMatch {
            hosted: Arc::clone(&hosted),
            tell: Arc::clone(&self.hooks.tell),
            metrics: Arc::clone(&self.metrics),
            stop: Arc::clone(&self.stop),
            shows_scores: self.config.arena.shows_scores,
            time: self.config.server.match_time,
            until: Instant::now() + self.config.server.match_time,
        };
        let hosted_match = HostedMatch {
            watch: Arc::new(watch),
            listener: listener(&setup, &hosted),
            setup,
            record,
            ended: Box::new(move |show| lobby.ended(number, show)),
        };
        hosted_match.begin().map_err(failed)?;
        count(&self.metrics.begun);
        state.next = number + 1;
        state.running += 1;
        state.matches.insert(number, Arc::clone(&hosted));
        for old in drop_old(&mut state.matches, KEPT) {
            state.older.insert(old.number, old.summary());
        }
        while state.older.len() > LISTED {
            state.older.pop_first();
        }
        Ok(hosted)
    }

    /// Ends a match. Players can join the next match as soon as this one is marked as over.
    fn ended(&self, number: u64, show: &mut dyn FnMut()) {
        let mut state = self.state();
        state.running -= 1;
        let players = state.playing.remove(&number).unwrap_or_default();
        show();
        drop(state);
        for link in players.into_iter().filter_map(|bot| bot.link) {
            link.close("the match is over");
        }
        self.audience.notify();
    }

    /// Returns the current values for the metrics.
    pub(super) fn gauges(&self) -> Gauges {
        let state = self.state();
        Gauges {
            waiting: state.waiting.len(),
            running: state.running,
            connected: self.sockets.taken(),
            viewers: self.audience.viewers.taken(),
            ruleset: self.config.setup.rules.ruleset_name().to_owned(),
            protocol: self.config.arena.protocol.name,
        }
    }

    /// Returns the names of the players at the open table.
    pub(super) fn waiting(&self) -> Vec<String> {
        let state = self.state();
        state.waiting.iter().map(|bot| bot.name.clone()).collect()
    }

    /// Waits for a shutdown signal, then closes the arena.
    pub(super) async fn close(self: Arc<Self>) {
        shutdown_signal().await;
        let running = {
            let mut state = self.state();
            state.closing = true;
            state.running
        };
        self.audience.notify();
        if running > 0 {
            let seconds = counted(self.config.server.grace.as_secs(), "second");
            (self.hooks.tell)(&format!(
                "closing in {seconds}, or when all matches are over ({running} under way); \
                 Ctrl-C stops them"
            ));
        }
        tokio::select! {
            () = self.all_over() => {}
            () = tokio::time::sleep(self.config.server.grace) => {}
            () = shutdown_signal() => {}
        }
        self.stop.store(true, Ordering::Relaxed);
        // The program does not wait for a slow bot because the record contains everything so far.
        let _ = tokio::time::timeout(STOP, self.all_over()).await;
    }

    async fn all_over(&self) {
        let mut news = self.audience.news.subscribe();
        while self.state().running > 0 {
            if news.changed().await.is_err() {
                return;
            }
        }
    }
}
