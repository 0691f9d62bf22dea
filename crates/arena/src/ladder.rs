//! A ladder over HTTP. People submit scripts, matches are played continuously, and everyone sees
//! the standings.

mod check;
mod pages;
mod request_error;
mod requests;
mod results;
mod watching;

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::Router;
use tokio::sync::Semaphore;

use super::arena_config::ServerConfig;
use super::bounded::BoundedLog;
use super::hosted::PublishedMatch;
use super::http::{self, shutdown_signal};
use super::match_server::Audience;
use super::metrics::Metrics;
use super::share::{AddressQuota, household};
use super::watch::match_routes;
use risk_engine::SCRIPT_STACK;
use risk_engine::script::ScriptLimits;
use risk_lab::ladder::Ladder;
use risk_text::plural::counted;

/// The maximum number of submissions that are being checked or wait for a check, in total and per
/// address, and the number of parallel checks.
const CHECKS: (usize, usize) = (32, 16);
const CHECKED_AT_ONCE: usize = 2;
/// The maximum number of submissions by one person in an hour, including refused ones.
const HAND_INS: u32 = 30;
const HOUR: Duration = Duration::from_secs(3_600);
/// The maximum number of new people in 24 hours on an open ladder, from all addresses together.
const PEOPLE_A_DAY: u32 = 200;
const DAY: Duration = Duration::from_secs(24 * 3_600);
/// The pause before the standings are recomputed, as a multiple of the time the last computation
/// took.
const REST: u32 = 20;
/// The maximum time to wait for threads to stop.
const STOP: Duration = Duration::from_secs(5);

/// The settings of a ladder server.
#[derive(Debug)]
pub struct LadderServer {
    /// The settings of the server. A block with a game that exceeds the time limit of a match does
    /// not count.
    pub server: ServerConfig,
    /// Whether anyone may register.
    pub open: bool,
    /// The maximum number of new people in 24 hours from one address, on an open ladder.
    pub registrations: u32,
}

/// The function that reports to the operator.
type LadderLog = Box<dyn Fn(&str) + Send + Sync>;

/// Counts by key, each with the start of its period.
type PeriodCounts<K> = Mutex<BTreeMap<K, (Instant, u32)>>;

struct LadderService {
    ladder: Arc<Ladder>,
    config: LadderServer,
    tell: BoundedLog<LadderLog>,
    metrics: Arc<Metrics>,
    hand_ins: [AtomicU64; 2],
    /// The people whose submissions are being checked.
    busy: Mutex<std::collections::BTreeSet<String>>,
    handed_in: PeriodCounts<String>,
    /// New people by address. `None` counts all addresses.
    registered: PeriodCounts<Option<IpAddr>>,
    checks: Arc<AddressQuota>,
    checking: Semaphore,
    matches: Mutex<BTreeMap<u64, Arc<PublishedMatch>>>,
    /// Held while a game is being loaded, so only one game is loaded at a time.
    bringing: Mutex<()>,
    audience: Audience,
    closing: AtomicBool,
    /// Set to stop the games.
    stop: Arc<AtomicBool>,
}

/// Increments a count, or returns `false` if it has already reached `most` in this period.
fn admit<K: Ord>(counts: &PeriodCounts<K>, key: K, most: u32, stretch: Duration) -> bool {
    let now = Instant::now();
    let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    counts.retain(|_, (began, _)| now.duration_since(*began) < stretch);
    let (_, count) = counts.entry(key).or_insert((now, 0));
    let admitted = *count < most;
    *count += u32::from(admitted);
    admitted
}

fn take_back<K: Ord>(counts: &PeriodCounts<K>, key: &K) {
    let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, count)) = counts.get_mut(key) {
        *count = count.saturating_sub(1);
    }
}

impl LadderService {
    /// Counts a submission, or returns `false` if the person has reached the limit.
    fn admits_hand_in(&self, person: &str) -> bool {
        admit(&self.handed_in, person.to_owned(), HAND_INS, HOUR)
    }

    /// Counts a new person from this address. Returns an error if the address or the ladder has
    /// reached its limit.
    fn admits_person(&self, from: IpAddr) -> Result<(), String> {
        let most = self.config.registrations;
        let from = Some(household(from));
        if !admit(&self.registered, from, most, DAY) {
            return Err(format!(
                "reached the limit of {} from your address in 24 hours: ask the ladder's \
                 operator for a token",
                counted(most, "registration")
            ));
        }
        if !admit(&self.registered, None, PEOPLE_A_DAY, DAY) {
            take_back(&self.registered, &from);
            return Err(format!(
                "reached the limit of {PEOPLE_A_DAY} registrations in 24 hours: ask the ladder's \
                 operator for a token, or try again tomorrow"
            ));
        }
        Ok(())
    }

    /// Decrements the count for a person whose registration failed.
    fn take_person_back(&self, from: IpAddr) {
        take_back(&self.registered, &Some(household(from)));
        take_back(&self.registered, &None);
    }

    /// Starts the threads that play games and compute the standings until the ladder is stopped.
    fn begin(self: &Arc<Self>) -> io::Result<Vec<JoinHandle<()>>> {
        let mut threads = Vec::new();
        for number in 0..self.config.server.at_once {
            let served = Arc::clone(self);
            let play = move || {
                let open = watching::opener(&served);
                while served
                    .ladder
                    .play_next(&open, &|text| served.tell.print(text))
                {}
            };
            let builder = thread::Builder::new().name(format!("table {}", number + 1));
            threads.push(builder.stack_size(SCRIPT_STACK).spawn(play)?);
        }
        let served = Arc::clone(self);
        let counting = thread::Builder::new().name("standings".to_owned());
        threads.push(counting.spawn(move || served.count())?);
        Ok(threads)
    }

    fn count(&self) {
        let mut seen = 0;
        while let Some(now) = self.ladder.wait_for_changes(seen) {
            seen = now;
            let began = Instant::now();
            if let Err(failure) = self.ladder.refresh() {
                self.tell
                    .print(&format!("failed to compute the standings: {failure}"));
            }
            self.audience.notify();
            self.ladder.rest(began.elapsed() * REST);
        }
    }

    /// Waits for a shutdown signal, then stops the ladder.
    async fn close(self: Arc<Self>, threads: Vec<JoinHandle<()>>) {
        shutdown_signal().await;
        self.closing.store(true, Ordering::Relaxed);
        self.ladder.stop();
        self.audience.notify();
        let mut over = tokio::task::spawn_blocking(move || {
            // A thread that panicked has also finished.
            threads.into_iter().for_each(|thread| drop(thread.join()));
        });
        tokio::select! {
            _ = &mut over => return,
            () = tokio::time::sleep(self.config.server.grace) => {}
            () = shutdown_signal() => {}
        }
        // Only running blocks are lost because the log contains whole blocks.
        self.stop.store(true, Ordering::Relaxed);
        let _ = tokio::time::timeout(STOP, over).await;
    }
}

/// Serves a ladder until a shutdown signal.
///
/// # Errors
/// Returns an error if the network fails, if a thread can't be spawned, or if the memory of scripts
/// is not counted.
pub fn serve(
    ladder: Ladder,
    config: LadderServer,
    tell: LadderLog,
    listener: TcpListener,
) -> io::Result<()> {
    let counted = ScriptLimits::counted().check_memory();
    counted.map_err(io::Error::other)?;
    let metrics = Arc::<Metrics>::default();
    let guard = config.server.guard(&metrics);
    let served = Arc::new(LadderService {
        ladder: Arc::new(ladder),
        config,
        tell: BoundedLog::new(tell),
        metrics,
        hand_ins: Default::default(),
        busy: Mutex::default(),
        handed_in: Mutex::default(),
        registered: Mutex::default(),
        checks: AddressQuota::new(CHECKS.0, CHECKS.1),
        checking: Semaphore::new(CHECKED_AT_ONCE),
        matches: Mutex::default(),
        bringing: Mutex::default(),
        audience: Audience::new(),
        closing: AtomicBool::new(false),
        stop: Arc::default(),
    });
    let threads = served.begin()?;
    let routes = requests::routes().merge(match_routes::<LadderService>());
    let app: Router = routes.with_state(Arc::clone(&served));
    let closed = served.close(threads);
    http::run(listener, guard.guard(app), closed)
}
