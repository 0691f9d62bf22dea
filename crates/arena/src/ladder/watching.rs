//! Games of a ladder for viewers: games in progress and finished games that still have a record.

use std::net::IpAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use maud::Markup;
use serde_json::{Value, json};

use super::LadderService;
use crate::hosted::{PublishedMatch, drop_old};
use crate::hosted_match::{MatchPublisher, RunningMatch};
use crate::match_server::{Audience, MatchServer, title};
use crate::metrics::{Metrics, count};
use risk_engine::record::{self, Playback};
use risk_engine::{Worker, with_stack};
use risk_kernel::event::Event;
use risk_kernel::view::Facts;
use risk_kernel::{EventFilter, FinishedGame, Moment, Sink, StopReason};
use risk_lab::ladder::{OpenGame, WatchedGame};

/// The number of finished games kept in memory.
const KEPT: usize = 100;
/// The number of games listed on the page.
const LISTED: usize = 50;

struct LadderPublisher {
    watch: Arc<RunningMatch>,
    watcher: Option<MatchPublisher>,
    served: Arc<LadderService>,
}

/// Returns the function that opens games for viewers.
pub(super) fn opener(served: &Arc<LadderService>) -> Box<OpenGame> {
    let served = Arc::clone(served);
    Box::new(move |game, setup, names| {
        let hosted = PublishedMatch::with_names(game, setup, names.to_vec(), Vec::new());
        let hosted = Arc::new(hosted);
        served.keep(&hosted);
        count(&served.metrics.begun);
        let watch = served.running(&hosted, Arc::clone(&served.metrics));
        Box::new(LadderPublisher {
            watcher: Some(MatchPublisher::new(Arc::clone(&watch), setup)),
            watch,
            served: Arc::clone(&served),
        })
    })
}

impl Sink for LadderPublisher {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        if let Some(watcher) = &mut self.watcher {
            watcher.event(game, event);
        }
    }

    fn wants(&self) -> EventFilter {
        EventFilter::All
    }

    fn halts(&mut self, game: &Facts) -> bool {
        let watcher = self.watcher.as_mut();
        watcher.is_some_and(|watcher| watcher.halts(game))
    }
}

impl WatchedGame for LadderPublisher {
    fn over(&mut self, finished: &FinishedGame) {
        let Some(watcher) = self.watcher.take() else {
            return;
        };
        let stopped = FinishedGame {
            game: finished.game.clone(),
            outcome: match &finished.outcome {
                Ok(outcome) => Ok(outcome.clone()),
                Err(_) => Err(StopReason::Halted),
            },
        };
        watcher.finish(&stopped);
        let (end, outcome) = self.watch.end(stopped, false);
        self.served.metrics.ended(outcome.is_some());
        self.watch.hosted.reveal(end, outcome);
        self.served.audience.notify();
    }
}

impl LadderService {
    /// Adds a game and drops all finished games except the last `KEPT`.
    fn keep(&self, hosted: &Arc<PublishedMatch>) {
        let mut matches = self.matches.lock().unwrap_or_else(PoisonError::into_inner);
        matches.insert(hosted.number, Arc::clone(hosted));
        drop_old(&mut matches, KEPT);
        drop(matches);
        self.audience.notify();
    }

    fn running(&self, hosted: &Arc<PublishedMatch>, metrics: Arc<Metrics>) -> Arc<RunningMatch> {
        let time = self.config.server.match_time;
        Arc::new(RunningMatch {
            hosted: Arc::clone(hosted),
            // The text of a fault is for the bot's owner only.
            tell: Arc::new(|_| {}),
            metrics,
            stop: Arc::clone(&self.stop),
            shows_scores: false,
            time,
            until: Instant::now() + time,
        })
    }

    fn replayed(&self, number: u64) -> Option<Arc<PublishedMatch>> {
        let text = self.ladder.folder.record_text(number).ok()?;
        let read = record::read(&text).ok()?;
        let base = &self.ladder.config.base;
        let setup = read.header.setup(base.rules.clone()).ok()?;
        let players = read.header.players.iter();
        let names = players.map(|player| player.name.clone()).collect();
        let from = Vec::<IpAddr>::new();
        let hosted = Arc::new(PublishedMatch::with_names(number, &setup, names, from));
        let mut worker = Worker::new(&setup).ok()?;
        let mut playback = Playback::new(&read, None);
        // A replay is not counted again.
        let watch = self.running(&hosted, Arc::default());
        let mut watcher = MatchPublisher::new(Arc::clone(&watch), &setup);
        let finished = worker.play_with(read.header.game, &mut playback.seats, &mut watcher);
        watcher.finish(&finished);
        let (end, outcome) = watch.end(finished, false);
        hosted.reveal(end, outcome);
        Some(hosted)
    }
}

impl MatchServer for LadderService {
    fn title(&self) -> String {
        title(&self.ladder.config.base, self.ladder.config.practice)
    }

    fn form(&self) -> Markup {
        Markup::default()
    }

    fn find(&self, number: u64) -> Option<Arc<PublishedMatch>> {
        let matches = self.matches.lock().unwrap_or_else(PoisonError::into_inner);
        matches.get(&number).map(Arc::clone)
    }

    fn bring(&self, number: u64) -> Option<Arc<PublishedMatch>> {
        let _one = self.bringing.lock().unwrap_or_else(PoisonError::into_inner);
        // Another request may have loaded the game.
        if let Some(hosted) = self.find(number) {
            return Some(hosted);
        }
        let hosted = with_stack(|| self.replayed(number))?;
        self.keep(&hosted);
        Some(hosted)
    }

    fn newest(&self) -> Option<Arc<PublishedMatch>> {
        let matches = self.matches.lock().unwrap_or_else(PoisonError::into_inner);
        matches
            .last_key_value()
            .map(|(_, hosted)| Arc::clone(hosted))
    }

    fn overview(&self) -> Value {
        let matches = self.matches.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = matches.values().rev().take(LISTED);
        let setup = &self.ladder.config.base;
        json!({
            "ruleset": setup.rules.ruleset_name(),
            "map": setup.rules.map_name(),
            "open": { "text": "Games of a ladder. Click the name above to see the standings." },
            "matches": listed.map(|hosted| hosted.summary()).collect::<Vec<_>>(),
        })
    }

    fn audience(&self) -> &Audience {
        &self.audience
    }

    fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }
}
